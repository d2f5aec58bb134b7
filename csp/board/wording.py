"""Replace values and lines in captions by the names that the spec gives them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, takewhile, zip_longest

from ..base.frozen import Frozen
from ..base.notation import counted, intervals, listed, quoted
from ..model import Constraint, Model, Variable
from .grid import is_square, loops_of
from .names import CellIndices, ModelNames, ValueWord

NAME = r"\w+\([^()]*\)"
"""A variable with indices."""
NAMES = rf"{NAME}(?:, {NAME})*"
VALUE = r"(?:-?\d+|[a-z]\w*|'(?:[^']|'')*')"
VALUES = rf"{VALUE}(?:, {VALUE})*"
PHRASES = (
    rf"(?P<names>(?:{NAME} = )+)(?P<values>{VALUE})(?![\w(])",
    rf"(?P<names>{NAMES}) (?:has|have) only (?P<values>{VALUES})(?![\w(])",
    rf"(?<![\w(,])(?P<values>{VALUES}) from (?P<names>{NAMES})",
    rf"(?<![\w(,])(?P<values>{VALUE}) fits only (?P<names>{NAME})",
)
"""The texts of captions that join values and variables."""
FOUND_LINES = (
    (r"((?:decision:|· try) (\S+) = a line(?: at [^·]+)?)(?: ·)? removes no line from \2(?= ·|$)", r"\1"),
    (r"(^|: |· )removes no line from ", r"\1a line is at "),
    (r"(?:, which)? removes no line from ", ", so a line is at "),
    (r"; no line from ", "; so a line is at "),
)
"""Texts that state what "no line" is removed from, and how captions say that there is a line."""
MAX_KINDS = 36
"""Maximum number of characters of the names or kinds of constraints in the caption of a round."""
MAX_NAMES, MAX_LIST = 4, 8
"""Maximum numbers of names, and of values, that the caption of a picture lists one by one."""
LONG_NUMBERS = re.compile(rf"(?<![\w(,.-])(?:-?\d+, ){{{MAX_LIST},}}-?\d+(?= from | ·|;|, [^\W\d]|$)")
"""A long list of numbers in a caption."""
PLACE = rf"(?:{NAME}|(?:(?:top|left|bottom|right) of )?r\d+c\d+(?:-r\d+c\d+)?)"
"""A variable with indices, or a line of a loop."""
LONG_NAMES = re.compile(rf"(?:(?<= from )|(?<= at ))(?:{PLACE}, ){{{MAX_NAMES},}}{PLACE}(?= ·|;|$)")
"""A long list of variables that lost values, or of places of lines."""
LONG_EQUALITY = re.compile(rf"(?<![^\s(])(?:{PLACE} = ){{{MAX_NAMES + 1},}}(?=\S)")
"""A long list of variables with one value."""


class Wording(Frozen):
    """The names of values and lines.

    Attributes
    ----------
    values : mapping of str to mapping of str to str
        For a variable, the words of its values; both as captions write them.
    lines : mapping of str to str
        The names of the variables of a loop, after the cells of the board.
    """

    values: Mapping[str, Mapping[str, str]]
    lines: Mapping[str, str]

    def replace_in(self, text: str, kept: Iterable[str] = ()) -> str:
        """Return a caption with words for values; the texts in ``kept`` do not change.

        Examples
        --------
        >>> wording = Wording({"x(1)": {"0": "sea", "3": "part of the 4 at r2c3"}, "x(2)": {"0": "sea"}}, {})
        >>> wording.replace_in("x(1) = x(2) = 0, x(1) has only 0, 3 removes 0, 2 from x(1), x(2); 3 from x(1)")
        'x(1) = x(2) = sea, x(1) has only sea, part of the 4 at r2c3 removes sea, 2 from x(1), x(2); \
part of the 4 at r2c3 from x(1)'
        >>> wording.replace_in("rule x(1) = 0: 0 fits only x(1)", ["rule x(1) = 0"])
        'rule x(1) = 0: sea fits only x(1)'
        >>> Wording({}, {"on(4,5)": "r2c2-r2c3"}).replace_in("removes 1 from on(4,5)")
        'removes 1 from r2c2-r2c3'
        >>> line = {"0": "no line", "1": "a line"}
        >>> loop = Wording({"on(4,5)": line, "on(4,4)": line}, {"on(4,5)": "r2c2-r2c3", "on(4,4)": "r2c2"})
        >>> loop.replace_in("on(4,5) = 1 removes 0 from on(4,4)"), loop.replace_in("circle: removes 0 from on(4,4)")
        ('r2c2-r2c3 = a line, so a line is at r2c2', 'circle: a line is at r2c2')
        >>> loop.replace_in("node 1 · try on(4,5) = 1 at the root · removes 0 from on(4,5) · marked 1")
        'node 1 · try r2c2-r2c3 = a line at the root · marked 1'
        """
        return replace_outside(text, kept, self._replace_all) if self.values or self.lines else text

    def name_lines(self, text: str, kept: Iterable[str] = ()) -> str:
        """Return a caption with names for the lines of a loop; ``kept`` texts stay."""
        return replace_outside(text, kept, self._name_lines) if self.lines else text

    def _name_lines(self, text: str) -> str:
        return re.sub(NAME, lambda name: self.lines.get(name[0], name[0]), text)

    def _replace_all(self, text: str) -> str:
        """Return a text with all values and lines replaced."""
        for phrase in PHRASES:
            text = re.sub(phrase, self._replace_values, text)
        text = self._name_lines(text)
        for pattern, words in FOUND_LINES if self.lines else ():
            text = re.sub(pattern, words, text)
        return text

    def _replace_values(self, phrase: re.Match[str]) -> str:
        """Return a phrase with the words of its values.

        A value for which its variables have different words stays.
        """
        names = re.findall(NAME, phrase["names"])

        def replace_value(value: re.Match[str]) -> str:
            words = {self.values.get(name, {}).get(value[0], value[0]) for name in names}
            return words.pop() if len(words) == 1 else value[0]

        start, end = (place - phrase.start() for place in phrase.span("values"))
        return phrase[0][:start] + re.sub(VALUE, replace_value, phrase["values"]) + phrase[0][end:]


def shorten_lists(words: str, noun: str, helpers: Collection[str] = ()) -> str:
    """Return a caption with intervals and counts instead of long lists.

    A list of numbers becomes intervals, a list of names their number. Variables in ``helpers`` are counted apart.

    Examples
    --------
    >>> shorten_lists("step 1 · x(1) = 4: removes 0, 1, 2, 3, 5, 6, 8, 9, 10 from x(1); 0 from x(2)", "cell")
    'step 1 · x(1) = 4: removes 0 to 3, 5, 6, 8 to 10 from x(1); 0 from x(2)'
    >>> shorten_lists(f"removes 4 from {', '.join(f'x({i})' for i in range(9))}", "cell")
    'removes 4 from 9 cells'
    >>> shorten_lists(f"x(1) = 1, which removes 4 from {', '.join(f'y({i})' for i in range(9))}", "cell", ["y(3)"])
    'x(1) = 1, which removes 4 from 9 helpers (y)'
    >>> shorten_lists("r1c2-r1c3 = r1c3-r1c4 = r2c3-r3c3 = r3c3-r4c3 = r4c3 = no line, r2c3 = a line", "place")
    '5 places = no line, r2c3 = a line'
    """

    def show_intervals(match: re.Match[str]) -> str:
        pairs = intervals(map(int, match[0].split(", ")))
        return ", ".join(f"{a} to {b}" if b - a > 1 else listed(range(a, b + 1)) for a, b in pairs)

    def count_names(match: re.Match[str]) -> str:
        names = re.findall(PLACE, match[0])
        if helpers and not {*names}.isdisjoint(helpers):
            return f"{counted(len(names), 'helper')} ({', '.join({name.partition('(')[0]: 1 for name in names})})"
        return counted(len(names), noun)

    words = LONG_NAMES.sub(count_names, words)
    words = LONG_EQUALITY.sub(lambda match: f"{counted(match[0].count(' = '), noun)} = ", words)
    return LONG_NUMBERS.sub(show_intervals, words)


def name_kinds(constraints: Iterable[Constraint]) -> list[str]:
    """Return a name for each constraint: the words that all constraints of its line share.

    Without such words, it is the line; an implied constraint has none.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> name_kinds([AllDifferent.of("AB", label=label, line=5) for label in ("cage a: 3", "cage b: 4")])
    ['cage', 'cage']
    >>> name_kinds([AllDifferent.of("AB", label=label, line=5) for label in ("the 3 at 1,2", "the 1 at 4,4")])
    ['the … at …', 'the … at …']
    >>> name_kinds([AllDifferent.of("AB", line=7), AllDifferent.of("BC", line=7), AllDifferent.of("AC")])
    ['line 7', 'line 7', 'implied']
    """
    places = [(constraint.file, constraint.line) for constraint in constraints]
    names_at: dict[tuple[str, int], list[list[str]]] = {}
    for place, constraint in zip(places, constraints, strict=True):
        names_at.setdefault(place, []).append(constraint.name.split())
    kinds: dict[tuple[str, int], str] = {}
    for (file, line), names in names_at.items():
        columns = zip_longest(*names, fillvalue="")
        words = [next(iter(column)) if len({*column}) == 1 else "…" for column in columns]
        # Adjacent differences are one, and the last one after a single word is left out.
        shared = [word for word, _ in groupby(words)]
        shared = shared[:1] if shared[1:] == ["…"] else shared
        kind = (
            " ".join(shared) if any(re.search(r"[^\W\d]", word) for word in shared) else f"{file} line {line}".strip()
        )
        kinds[file, line] = kind if line else "implied"
    return [kinds[place] for place in places]


def show_acted(names: Sequence[str], kinds: Sequence[str]) -> str:
    """Return the names of constraints that acted.

    Of more constraints it has the kinds, each with its number. With many kinds, the constraints are only counted.

    Examples
    --------
    >>> show_acted(["row 1", "row 4"], ["row", "row"]), show_acted([f"row {i}" for i in range(9)], ["row"] * 9)
    ('row 1, row 4', 'row ×9')
    >>> show_acted(["row 2, column 3 and column 4"] * 9, ["row …, column … and column …, or a box"] * 9)
    '9 constraints'
    """
    if not names:
        return ""
    counts = Counter(kinds)
    texts = [", ".join(names), ", ".join(f"{kind} ×{count}" if count > 1 else kind for kind, count in counts.items())]
    return next((text for text in texts if len(text) <= MAX_KINDS), counted(len(names), "constraint"))


def replace_outside(text: str, kept: Iterable[str], replace: Callable[[str], str]) -> str:
    """Return a text after ``replace`` of its parts between the texts in ``kept``."""
    pattern = "|".join(map(re.escape, sorted(filter(None, kept), key=len, reverse=True)))
    # The odd parts are the kept texts.
    parts = re.split(f"({pattern})", text) if pattern else [text]
    return "".join(part if i % 2 else replace(part) for i, part in enumerate(parts))


def find_wording(model: Model) -> Wording:
    """Return the words for the values of a model, and the names of its lines.

    Examples
    --------
    >>> from csp import Equality
    >>> from csp.model import Drawn
    >>> dark = Variable("dark", 1, 1)
    >>> find_wording(Model({dark: (0, 1)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))])).values
    {'dark(1,1)': {'1': 'shaded', '0': 'white'}}
    """
    names, loops = ModelNames(model), loops_of(model)
    values: dict[str, Mapping[str, str]] = {
        v: {quoted(value): _show_word(word) for value, word in words.items()} for v, words in names.words.items()
    }
    # A loop has a line in a square, and on a step between two squares, or none.
    named, of_loops = names.legend(), [v for v in model.domains if v.family in loops]
    for v in of_loops:
        if v.family not in named and {*model.domains[v]} <= {0, 1}:
            values[v] = {"0": "no line", "1": "a line"}
    return Wording(values, {v: _show_line(v, names) for v in of_loops})


def _show_word(word: ValueWord) -> str:
    return word.text if word.at is None else f"part of the {word.text} at {_show_cell(word.at)}"


def _show_line(variable: Variable, names: ModelNames) -> str:
    """Return the name of a loop's square, or of a step between two squares.

    A step across the border of the board is a side of its square.
    """
    if is_square(variable):
        return _show_cell(names.cells[variable])
    first, second = names.lines[variable].cells
    is_row, outside = first[0] == second[0], {first, second} - names.board
    if outside == {first}:
        return f"{'left' if is_row else 'top'} of {_show_cell(second)}"
    if outside == {second}:
        return f"{'right' if is_row else 'bottom'} of {_show_cell(first)}"
    return f"{_show_cell(first)}-{_show_cell(second)}"


def _show_cell(cell: CellIndices) -> str:
    return "r{}c{}".format(*cell)


def common_beginning(texts: Iterable[str]) -> str:
    """Return the first words that texts have in common.

    Examples
    --------
    >>> common_beginning(["part of the 4", "part of the 5"])
    'part of the'
    """
    columns = zip(*map(str.split, texts), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len({*words}) == 1, columns))
