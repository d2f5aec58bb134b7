"""Replace values and lines in captions by the names that the spec gives them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, takewhile, zip_longest

from ..base.frozen import Frozen
from ..base.notation import counted, intervals, listed, quoted
from ..model import (
    All,
    AllDifferent,
    AllDifferentExcept,
    Comparison,
    Constraint,
    DifferentTuples,
    Either,
    Equality,
    Iff,
    Linear,
    Model,
    Not,
    Variable,
)
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
SMALL_WORDS = frozenset(re.findall(r"\S+", "… and at before beside by from in is of on or the to with"))
"""Words of labels that name no kind of constraint."""
DEFINITION, EXPRESSION, GIVEN = "the value of ", "expression", "given"
"""The beginning of the label of an expression's definition, the name of its kind, and that of a given."""
KIND_LINE = re.compile(r" \([^()]*line \d+\)$")
"""The line at the end of the name of a kind."""
MAX_FIRST = 3
"""Maximum number of first words of labels that name a kind."""
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
        >>> wording.replace_in("x(1) = size(1) = x(2) = 0 removes 1 from size(2)")
        'x(1) = x(2) = sea, size(1) = 0 removes 1 from size(2)'
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

        A value for which its variables have different words stays; but equal variables are separated by these words.
        """
        names = re.findall(NAME, phrase["names"])
        if phrase["names"].endswith(" = "):
            equal: dict[str, list[str]] = {}
            for name in names:
                equal.setdefault(self.values.get(name, {}).get(phrase["values"], phrase["values"]), []).append(name)
            return ", ".join(f"{' = '.join(same_names)} = {word}" for word, same_names in equal.items())

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
    """Return a name for the kind of each constraint.

    It has the words that all labels of its line share. Without such words, the first label is an example, or their
    first words are the name. A constraint without a label has a word for its relation. The line follows if another line
    has this word, and replaces a missing word. An implied constraint has no line.

    Examples
    --------
    >>> from csp import AllDifferent, Equality
    >>> def kinds_of(*labels):
    ...     return name_kinds([AllDifferent.of("AB", label=label, line=5) for label in labels])
    >>> kinds_of("cage a: 3", "cage b: 4"), kinds_of("latin row 1", "latin row 2")
    (['cage', 'cage'], ['latin row', 'latin row'])
    >>> kinds_of("gap 1 to 2", "gap 3 to 4"), kinds_of("the 3 at 1,2", "the 1 at 4,4")
    (['gap', 'gap'], ['like the 3 at 1,2', 'like the 3 at 1,2'])
    >>> kinds_of("row 1", "column 1")
    ['row/column', 'row/column']
    >>> pairs = [Equality(Variable("A"), Variable(v), line=line) for v, line in (("B", 7), ("C", 7), ("D", 0))]
    >>> name_kinds([AllDifferent.of("AB", line=5), AllDifferent.of("BC", line=6), *pairs])
    ['different (line 5)', 'different (line 6)', 'equal', 'equal', 'implied equal']
    """
    all_constraints = list(constraints)
    # Constraints of one line may be a labelled one and the definitions of its expressions.
    words = [_relation_word(constraint) for constraint in all_constraints]
    places = [
        (constraint.file, constraint.line, None if constraint.line and _is_labelled(constraint) else word)
        for constraint, word in zip(all_constraints, words, strict=True)
    ]
    names_at: dict[tuple[str, int, str | None], list[str]] = {}
    for place, constraint in zip(places, all_constraints, strict=True):
        names_at.setdefault(place, []).append(constraint.name)
    uses = Counter(word for _, line, word in names_at if line)
    kinds: dict[tuple[str, int, str | None], str] = {}
    for place, names in names_at.items():
        (file, line, word), names_of_kind = place, _shared_words(names)
        own_line = f"{file} line {line}".strip()
        if not line:
            kinds[place] = f"implied {word or ''}".strip()
        elif word:
            kinds[place] = word if uses[word] == 1 or word == GIVEN else f"{word} ({own_line})"
        else:
            kinds[place] = names_of_kind or own_line
    return [kinds[place] for place in places]


def _shared_words(names: Sequence[str]) -> str:
    """Return the words that names share: the first ones, or others between ellipses.

    If they are small words, the first name is an example. Of names without a common word, the result has the few first
    words, or it is empty.
    """
    columns = zip_longest(*map(str.split, names), fillvalue="")
    words = [next(iter(column)) if len({*column}) == 1 else "…" for column in columns]
    # Adjacent differences are one.
    shared = [word for word, _ in groupby(words)]
    # The words before the first difference are enough if they say the kind, without small words at their end.
    first_shared = [*takewhile(lambda word: word != "…", shared)]
    while first_shared and first_shared[-1] in SMALL_WORDS:
        first_shared.pop()
    if any(map(_says_kind, first_shared)):
        return " ".join(first_shared)
    if any(map(_says_kind, shared)):
        return " ".join(shared)
    if any(word != "…" and word in SMALL_WORDS for word in shared):
        return f"like {names[0]}"
    first_words = dict.fromkeys(name.split()[0] for name in names)
    return "/".join(first_words) if len(first_words) <= MAX_FIRST and all(map(_says_kind, first_words)) else ""


def _says_kind(word: str) -> bool:
    """Return whether a word of labels can name a kind of constraint."""
    return word not in SMALL_WORDS and re.search(r"[^\W\d]", word) is not None


def _is_labelled(constraint: Constraint) -> bool:
    """Return whether the spec labels a constraint.

    The label of an expression's definition is by the engine.
    """
    return bool(constraint.label) and not constraint.label.startswith(DEFINITION)


def _relation_word(constraint: Constraint) -> str:
    """Return a word for the relation that a constraint states, or an empty text."""
    if constraint.label.startswith(DEFINITION):
        return EXPRESSION
    if constraint.given:
        return GIVEN
    match constraint:
        case AllDifferent() | AllDifferentExcept() | DifferentTuples():
            return "different"
        case Equality():
            return "equal" if constraint.equal else "different"
        case Comparison(relation="!="):
            return "different"
        case Comparison():
            return "sum" if _is_sum(constraint) else "equation" if constraint.relation == "=" else "comparison"
        case Either() | Iff() | Not() | All():
            return "condition"
    return ""


def _is_sum(constraint: Comparison) -> bool:
    """Return whether a comparison adds up variables, and does not only compare two."""
    if not isinstance(constraint, Linear):
        return False
    terms = (constraint.left - constraint.right).terms
    is_one_sign = len({coefficient > 0 for coefficient, _ in terms}) == 1
    return len(terms) > 2 or (is_one_sign and (len(terms) == 2 or constraint.relation == "="))


def show_acted(names: Sequence[str], kinds: Sequence[str]) -> str:
    """Return the names of constraints that acted.

    Of more constraints it has the kinds, each with its number, and without lines if these are too long. With many
    kinds, the constraints are only counted.

    Examples
    --------
    >>> show_acted(["row 1", "row 4"], ["row", "row"]), show_acted([f"row {i}" for i in range(9)], ["row"] * 9)
    ('row 1, row 4', 'row ×9')
    >>> show_acted(["A < B"] * 9, ["comparison (line 5)"] * 4 + ["comparison (line 6)"] * 5)
    'comparison ×9'
    >>> show_acted(["row 2, column 3 and column 4"] * 9, ["row …, column … and column …, or a box"] * 9)
    '9 constraints'
    """
    if not names:
        return ""
    counts = (Counter(kinds), Counter(KIND_LINE.sub("", kind) for kind in kinds))
    texts = [", ".join(names)]
    texts += [", ".join(f"{kind} ×{n}" if n > 1 else kind for kind, n in numbers.items()) for numbers in counts]
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
