"""Fill the sentence patterns of a language with the facts of a step.

The record of a step (``Step``) has all facts; the files of the languages have all words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ...base.notation import quoted
from ...board.names import CellIndices, Line, ModelNames, ValueWord
from ...model import AllDifferent, Candidate, Connected, Constraint, Linear, Model, Value, Variable
from ..steps.hints import Hint, HintDetail
from ..steps.techniques.constraints import uses_least
from ..steps.walk import Step
from . import LANGUAGES

RULE = ("look", "conclusion", "because", "premises")
SUBSET = ("look", "can", "conclusion", "because")
PARTS: Mapping[str, tuple[str, ...]] = {
    "full house": ("look", "conclusion", "because"),
    "naked single": ("conclusion", "because"),
    "hidden single": ("look", "conclusion", "because"),
    "count": ("look", "conclusion", "because"),
    **dict.fromkeys(["neighbours", "single constraint", "parity"], RULE),
    "combinations": ("look", "sums", "conclusion", "because", "premises"),
    **dict.fromkeys(["joint constraints", "innies and outies"], RULE),
    **dict.fromkeys(["pointing", "claiming"], ("inside", "conclusion", "because")),
    **dict.fromkeys(["locked pair", "naked pair", "locked triple", "naked triple"], SUBSET),
    **dict.fromkeys(["hidden pair", "hidden triple"], ("look", "keeps", "conclusion", "because")),
    "direct exclusion": ("suppose", "then", "look", "conclusion", "because"),
    "shared counts": ("counts", "conclusion", "because"),
    "small reason": ("search", "rules", "conclusion", "because", "cases", "premises"),
}
"""The parts of the explanation of each technique, in order. Other techniques have no short sentences."""

MAX_WORDS = 12
"""Maximum number of words in a sentence."""
MAX_WORDS_OF_PLACE = 7
"""Maximum number of words in the name of a constraint."""
MAX_CELLS, MAX_VALUES = 4, 4
"""Maximum number of cells that explain a conclusion, and of values that are listed for one of them."""
MAX_RULES = 8
"""Maximum number of constraints that a small reason names; more are only counted."""
DIRECTIONS = {
    (-1, 0): ("above", "up"),
    (1, 0): ("below", "down"),
    (0, -1): ("left of", "left"),
    (0, 1): ("right of", "right"),
}
"""For the step from a cell to its neighbour, the keys of the words for the side between them, and for the way there."""


class SimpleWords:
    """A writer of solution steps in sentences of at most 12 words each.

    Parameters
    ----------
    model : Model
        The puzzle, for the names of its cells.
    language : str
        A key of ``LANGUAGES``.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver, Variable
    >>> from csp.explain import Walker
    >>> cells = [Variable("cell", 1, c) for c in (1, 2, 3)]
    >>> model = Model(dict(zip(cells, [(1, 2), (1, 2), (1, 2, 3)])), [AllDifferent.of(cells, label="row 1")])
    >>> [step] = Walker(Solver(model))
    >>> print(*SimpleWords(model).sentences(step), *SimpleWords(model, "de").sentences(step), sep="\\n")
    Look at row 1.
    Row 1, column 3 is 3.
    That is because 3 fits nowhere else there.
    Schau auf Zeile 1.
    Zeile 1, Spalte 3 ist 3.
    Das gilt, weil 3 dort sonst nirgends passt.
    """

    def __init__(self, model: Model, language: str = "en") -> None:
        self.language = language
        self._patterns, self._words = LANGUAGES[language]
        self._variables = {str(variable): variable for variable in model.domains}
        self._domains_of = model.domains
        # Read a cell as row and column if its name has them; name its grid if there are several.
        self._names = ModelNames(model)
        self._lower_names = {*self._variables, *map(self._short, self._names.cells.values())}

    def sentences(self, step: Step) -> list[str]:
        """Return the sentences of a step; none for a technique that is not in ``PARTS``."""
        return [sentence for part in PARTS.get(step.technique, ()) for sentence in self._writers[part](step)]

    def lines(self, step: Step) -> list[str]:
        """Return a list of lines: the sentences of a step joined, or its normal lines.

        A technique without sentences gets a notice and the normal lines.
        """
        sentences = self.sentences(step)
        return [" ".join(sentences)] if sentences else [self._write("other"), *step.lines]

    def hint_text(self, hint: Hint, detail: HintDetail = 3) -> str:
        """Return a hint in short sentences; hints without step or wrong values stay unchanged."""
        if hint.kind == "wrong":
            wrong = [self._write("not", cells=self.cells([v]), values=self.value(v, value)) for v, value in hint.wrong]
            return "\n".join([" ".join(wrong), *hint.why])
        if hint.step is None:
            return hint.text(detail)
        look = " ".join([self._write("look", place=self.place(place)) for place in hint.named_places[:MAX_CELLS]])
        return (look, f"{hint.step.technique} · {look}", "\n".join(self.lines(hint.step)))[detail - 1]

    @property
    def opening(self) -> str:
        """The sentence that begins an explanation, before its first step."""
        return self._write("opening")

    def write_solved(self, steps: int) -> str:
        """Return the sentence that the puzzle is solved in ``steps`` steps."""
        return self._write("solved, one" if steps == 1 else "solved", count=f"{steps:,}")

    @property
    def legend(self) -> list[str]:
        """A line for each family of variables with the words of its values."""
        return [
            f"{family}: {', '.join([f'{quoted(value)} = {self._named(word)}' for value, word in words.items()])}"
            for family, words in self._names.legend().items()
        ]

    def cells(self, variables: Sequence[Variable]) -> str:
        """Return one text that names the cells, by row and column in a grid.

        A line between two cells has the names of these. Several cells of a grid must share a row or a column.
        """
        first, names = variables[0], self._names
        if first not in names.cells:
            return self._join(map(self._name, variables), "and")
        rows, columns = ([*dict.fromkeys([str(names.cells[v][i]) for v in variables])] for i in (0, 1))
        key = "cell" if len(variables) == 1 else "cells of row" if len(rows) == 1 else "cells of column"
        name = self._patterns[key].format(row=self._join(rows, "and"), column=self._join(columns, "and"))
        return self._on_grid(first, name)

    def value(self, variable: Variable, value: Value) -> str:
        """Return a value in the words of the spec; without a word, the value itself."""
        word = self._names.words.get(variable, {}).get(value)
        if word is None:
            return str(value)
        if word.at is not None and self._names.cells.get(variable) == word.at:
            return self._patterns["part, itself"].format(value=self.translate(word.text))
        return self._named(word)

    def _named(self, word: ValueWord) -> str:
        text = self.translate(word.text)
        return text if word.at is None else self._patterns["part"].format(value=text, cell=self._short(word.at))

    def translate(self, text: str) -> str:
        """Return a text of the spec in the language, if its words are known."""
        if text in self._words:
            return self._words[text]
        words = re.findall(r"[^\W\d_]+", text)
        if not all(word in self._words for word in words):
            return text
        return re.sub(r"[^\W\d_]+", lambda word: self._words[word[0]], text)

    def _name(self, variable: Variable) -> str:
        """Return the name of a line between cells, or of another variable."""
        line = self._names.lines.get(variable)
        if line is None:
            return str(variable)
        start, end = map(self._short, line.cells)
        return self._patterns["line"].format(family=self.translate(variable.family), start=start, end=end)

    def short_name(self, variable: Variable) -> str:
        """Return the short name of a variable's cell, or the name of another variable."""
        if variable not in self._names.cells:
            return self._name(variable)
        return self._on_grid(variable, self._short(self._names.cells[variable]))

    def _on_grid(self, variable: Variable, name: str) -> str:
        """Return the name of a cell, with that of its grid if there are several."""
        if not self._names.is_ambiguous(variable):
            return name
        return self._patterns["cell of grid"].format(grid=self.translate(variable.family), cell=name)

    def _short(self, cell: CellIndices) -> str:
        return self._patterns["short cell"].format(row=cell[0], column=cell[1])

    def place(self, text: str) -> str:
        """Return the name of a constraint or a cell in the language of the reader.

        ``text`` is the name with the line of the spec. A long name is replaced by its line.
        """
        if text in self._variables:
            return self.cells([self._variables[text]])
        # An implied constraint is called by its own label, if it has one, at a cell.
        if implied := re.fullmatch(r"([\w ]+ at )\[(\d+), (\d+)\] from .*", text, re.DOTALL):
            return self.translate(implied[1]) + self._short((int(implied[2]), int(implied[3])))
        match = re.fullmatch(r"(.*?)(?: \((.+ )?line (\d+)\))?", text, re.DOTALL)
        assert match is not None
        name, file, line = match.groups()
        if re.search(r"line \d+\)", name) or text.endswith(" more"):
            return self._patterns["implied rule"]
        if "(" in name or len(name.split()) > MAX_WORDS_OF_PLACE:
            return self._patterns["rule" if file or not line else "rule of line"].format(line=line)
        # Pairs of numbers that mean cells get the short name of the cell.
        parts, end = list[str](), 0
        for pair in self._names.cells_in_label(name):
            parts += [self.translate(name[end : pair.start()]), self._short((int(pair[1]), int(pair[2])))]
            end = pair.end()
        return "".join([*parts, self.translate(name[end:])]) if parts else self.translate(name)

    @property
    def _writers(self) -> Mapping[str, Callable[[Step], Iterable[str]]]:
        """For each part name in ``PARTS``, the function that writes its sentences."""
        return {
            "look": self._looks,
            "inside": self._inside,
            "counts": self._counts,
            "conclusion": self._conclusion,
            "because": self._because,
            "can": lambda step: self._domains("can", step.pattern),
            "keeps": lambda step: self._domains("keeps", step.pattern),
            "suppose": lambda step: self._statements(step, "suppose", step.removed[:1]),
            "then": self._consequences,
            "premises": self._premises,
            "search": lambda step: [self._write(key) for key in ("search", "no technique") if step.is_searched],
            "rules": self._rules,
            "sums": self._sums,
            "cases": lambda step: [self._write("cases", cells=self.cells([v])) for v in step.cases],
        }

    def _looks(self, step: Step) -> Iterable[str]:
        """Return a sentence for each constraint of a step; comparisons are written out."""
        sentences = []
        first = step.constraints[0] if step.constraints else None
        for constraint in step.constraints:
            # The variables of the first constraint may also be a group.
            is_group = isinstance(constraint, AllDifferent) and constraint is not first
            if is_group and first is not None and {*constraint.scope} == {*first.scope}:
                sentences.append(self._write("differ"))
                continue
            # Values that have words are not compared by size.
            has_words = any(v in self._names.words or self._names.is_line(v) for v in constraint.scope)
            comparison = [] if has_words else self._compare(constraint)
            if constraint.label or not comparison:
                sentences.append(self._write("look", place=self.place(constraint.place)))
            sentences += comparison
        return dict.fromkeys(sentences)

    def _rules(self, step: Step) -> Iterator[str]:
        count = len(step.constraints)
        if count > 1:
            yield self._write("rules" if count <= MAX_RULES else "rules, many", count=str(count))
        if count <= MAX_RULES:
            yield from self._looks(step)

    def _sums(self, step: Step) -> Iterator[str]:
        if step.sums:
            sums = self._join(["+".join(map(str, values)) for values in step.sums], "or")
            yield self._write("sums" if len(step.sums) > 1 else "sums, one", values=sums)

    def _compare(self, constraint: Constraint) -> list[str]:
        """Return a sentence that states a comparison of two cells, in a list.

        The list is empty for other constraints.
        """
        for x, y in ((0, 1), (1, 0)) if len(constraint.scope) == 2 else ():
            first, second = constraint.scope[x], constraint.scope[y]
            relation = str(constraint).removeprefix(f"{first} ").removesuffix(f" {second}")
            if relation in self._patterns:
                names = [(self.cells([first]), self.cells([second])), (self.short_name(first), self.short_name(second))]
                sentences = [self._write(relation, cells=name, other=other_name) for name, other_name in names]
                return [next(filter(_is_short, sentences), sentences[-1])]
        return []

    def _inside(self, step: Step) -> Iterator[str]:
        base, cover = step.constraints
        yield self._write("look", place=self.place(base.place))
        yield self._write("inside", values=self.value(*step.pattern[0]), place=self.place(cover.place))

    def _counts(self, step: Step) -> Iterable[str]:
        keys = {"base": "needs", "cover": "full"}
        return dict.fromkeys([self._write(keys[part.role], place=self.place(part.line)) for part in step.sets])

    def _conclusion(self, step: Step) -> Iterator[str]:
        yield from self._sides(step)
        yield from self._statements(step, "is", step.placed, "are")
        placed = {variable for variable, _ in step.placed}
        removed = [(variable, value) for variable, value in step.removed if variable not in placed]
        # If more values are removed than remain, or than fit into a sentence, state the remaining ones.
        removed_values, few = self._values_of(removed), set[Variable]()
        for variable, values in self._values_of(step.left).items():
            sentence, lost_values = self._state("can", [variable], values), removed_values[variable]
            removal = self._state("cannot", [variable], lost_values)
            is_long = len(lost_values) > max(MAX_VALUES, len(values)) or not _is_short(removal)
            if is_long and len(values) <= MAX_VALUES and _is_short(sentence):
                few.add(variable)
        remaining = [candidate for candidate in step.left if candidate[0] in few]
        yield from self._statements(step, "can", remaining, "can, several")
        removed = [candidate for candidate in removed if candidate[0] not in few]
        yield from self._statements(step, "cannot", removed, "cannot, several")

    def _sides(self, step: Step) -> Iterator[str]:
        """Yield sentences about the sides of cells that the placed values decide."""
        values: dict[str, Value] = {v: value for v, value in step.known}
        lines = dict.fromkeys([line for v, _ in step.placed for line in self._names.sides.get(v, ())])
        decided_lines = [line for line in lines if values.keys() >= {*line.drawn.variables}]
        yield from self._lines(step, [(line, line.is_drawn(values)) for line in decided_lines], decided_lines)

    def _lines(
        self, step: Step, lines: Sequence[tuple[Line, bool]], step_lines: Sequence[Line], key: str = ""
    ) -> Iterator[str]:
        """Yield sentences that state which lines are drawn, and which are not.

        A line is described from one of its cells: from that of the clue, or from the one at which most lines of the
        step meet. ``key``: the pattern for the sentence about a supposition or its consequence.
        """
        labels = [constraint.label or "" for constraint in step.constraints]
        clues = {(int(pair[1]), int(pair[2])) for label in labels for pair in self._names.cells_in_label(label)}
        counts = Counter([cell for line in step_lines for cell in line.cells])
        sides: dict[tuple[CellIndices, bool, bool], list[CellIndices]] = {}
        for line, is_drawn in lines:
            cells = [cell for cell in line.cells if cell in self._names.board] or line.cells
            cell = max(cells, key=lambda each: (each in clues, counts[each]))
            neighbour = line.cells[line.cells[0] == cell]
            direction = neighbour[0] - cell[0], neighbour[1] - cell[1]
            sides.setdefault((cell, line.is_border, is_drawn), []).append(direction)
        for (cell, is_border, is_drawn), directions in sorted(sides.items(), key=lambda side: side[0][0] not in clues):
            words_of_cell = [self._patterns[DIRECTIONS[way][not is_border]] for way in DIRECTIONS if way in directions]
            pattern = ("side" if is_border else "way") if is_drawn else ("no side" if is_border else "no way")
            name = self._patterns["cell"].format(row=cell[0], column=cell[1])
            half = (len(words_of_cell) + 1) // 2
            for words in ([words_of_cell], [words_of_cell[:half], words_of_cell[half:]]):
                clauses = [
                    self._patterns[pattern].format(side=self._join(part, "and" if is_drawn else "or"), cell=name)
                    for part in words
                    if part
                ]
                sentences = [self._write(key or "clause", clause=clause) for clause in clauses]
                if all(map(_is_short, sentences)):
                    break
            yield from sentences

    def _because(self, step: Step) -> Iterator[str]:
        key, value = step.technique, self.value(*(step.pattern or step.removed)[0])
        if key == "count":
            # A count that needs cells places all of its pattern.
            key = "count, needed" if {*step.placed} == {*step.pattern} else "count, full"
        elif key in ("parity", "combinations") and all(
            max(map(int, self._domains_of[v])) <= 1 for v in step.constraints[0].scope
        ):
            key = "count"
        elif key == "parity":
            key = "parity, even" if int(step.removed[0][1]) % 2 else "parity, odd"
        elif key == "small reason" and len(step.constraints) == 1:
            key = "single constraint"
        elif key == "neighbours" and _is_order(step.constraints[0]):
            key = "neighbours, order"
        elif key == "single constraint" and isinstance(step.constraints[0], Connected):
            key = "connected, outside" if step.constraints[0].selects(*step.removed[0]) else "connected, inside"
        elif key == "direct exclusion" and not step.sets[0].line.startswith(tuple([c.place for c in step.constraints])):
            key = "direct exclusion, empty"
        yield self._write(key, values=value)

    def _consequences(self, step: Step) -> Iterator[str]:
        """Yield sentences about the candidates that the excluded candidate would remove."""
        [supposed] = {variable for variable, _ in step.removed}
        candidates = [candidate for candidate in step.pattern if candidate[0] != supposed]
        yield from islice(self._statements(step, "then", candidates, "then, several"), MAX_CELLS)

    def _premises(self, step: Step) -> Iterator[str]:
        """Yield sentences about the values of the cells that a constraint argues from.

        Cells with more than ``MAX_VALUES`` values, or with all values, are left out.
        """
        if step.names_places:
            yield from self._places(step)
            return
        concluded = {variable for variable, _ in (*step.placed, *step.removed)}
        candidates = [candidate for candidate in step.pattern if candidate[0] not in concluded]
        values = self._values_of(candidates)
        fixed = [candidate for candidate in candidates if len(values[candidate[0]]) == 1]
        fixed = [candidate for candidate in fixed if self._names.is_seen(candidate[0])]
        yield from self._statements(step, "is", fixed, "are")
        several = {v: texts for v, texts in values.items() if 1 < len(texts) < len(self._domains_of[v])}
        # A comparison alone argues from a bound; a small reason names all values.
        if _is_order(step.constraints[0]) and step.technique != "small reason":
            for variable in several:
                yield self._bound(step, variable)
        else:
            short = [
                candidate for candidate in candidates if len(several.get(candidate[0], ())) in range(2, MAX_VALUES + 1)
            ]
            yield from self._domains("can", short)

    def _places(self, step: Step) -> Iterator[str]:
        """Yield a sentence about the places of each value in the pattern.

        It has only their number if it would be too long.
        """
        cells_of: dict[str, list[Variable]] = {}
        for variable, value in step.pattern:
            cells_of.setdefault(self.value(variable, value), []).append(variable)
        for value, variables in cells_of.items():
            names = [self._join([self.cells([v]) for v in variables], "or")]
            names.append(self._join(map(self.short_name, variables), "or"))
            sentences = [self._write("only", values=value, cells=name) for name in names]
            sentences.append(self._write("only, many", values=value, count=str(len(variables))))
            yield next(filter(_is_short, sentences), sentences[-1])

    def _bound(self, step: Step, variable: Variable) -> str:
        """Return a sentence about the bound of a cell that a comparison uses."""
        (comparison,) = [constraint for constraint in step.constraints if _is_order(constraint)]
        assert isinstance(comparison, Linear)
        factor = next(factor for factor, atom in comparison.difference.terms if atom == variable)
        values = [int(value) for name, value in step.pattern if name == variable]
        relation, bound = (">=", min(values)) if uses_least(comparison, factor) else ("<=", max(values))
        return self._write(relation, cells=self.cells([variable]), other=str(bound))

    def _domains(self, key: str, candidates: Iterable[Candidate]) -> Iterator[str]:
        """Yield a sentence about each cell: its values, or only their number if too long.

        ``key``: the sentence pattern to fill in.
        """
        for variable, values in self._values_of(candidates).items():
            # The excluded values may be fewer than the remaining ones.
            excluded = [text for x in self._domains_of[variable] if (text := self.value(variable, x)) not in values]
            sentences = [self._state(key, [variable], values)]
            sentences += [self._state("not", [variable], excluded)] if excluded else []
            sentences.append(self._write("can, many", cells=self.cells([variable]), count=str(len(values))))
            yield next(filter(_is_short, sentences), sentences[-1])

    def _statements(self, step: Step, key: str, candidates: Iterable[Candidate], plural: str = "") -> Iterator[str]:
        """Yield sentences that state the values of each cell, by the pattern ``key``.

        With ``plural``, one sentence is about several cells of a row or a column.
        """
        names, candidates = self._names, [*candidates]
        if key == "then":
            # Of two values, the other one is left, or none.
            binary = [v for v, _ in candidates if len(self._domains_of[v]) == 2]
            remaining = {v: [x for x in self._domains_of[v] if (v, x) not in candidates] for v in binary}
            yield from [self._write("then nothing", cells=self.cells([v])) for v, x in remaining.items() if not x]
            opposites = [(v, value) for v, values in remaining.items() for value in values]
            if opposites:
                yield from self._statements(step, "then is", opposites, "then are")
            candidates = [candidate for candidate in candidates if candidate[0] not in binary]
        lines = [(names.lines[v], v, value) for v, value in candidates if names.is_line(v)]
        if lines:
            # A line that cannot be drawn is not drawn, and the reverse.
            drawn = [(line, line.is_drawn({v: value}) != (key == "cannot")) for line, v, value in lines]
            step_lines = [names.lines[v] for v, _ in (*step.placed, *step.pattern) if v in names.lines]
            yield from self._lines(
                step, drawn, step_lines, {"suppose": "suppose that", "then is": "then that"}.get(key, "")
            )
            candidates = [candidate for candidate in candidates if not names.is_line(candidate[0])]
        values_of = self._values_of(candidates)
        alike: dict[tuple[str, ...], list[Variable]] = {}
        for variable, values in values_of.items():
            alike.setdefault((*values, *([] if plural else [str(variable)])), []).append(variable)
        for variables in alike.values():
            # The lines between two cells are several.
            if key == "is" and variables[0] in names.lines:
                key = "are"
            values = values_of[variables[0]]
            for line in self._lines_of(variables):
                yield from self._fitting(key, plural, line, values)

    def _lines_of(self, variables: Sequence[Variable]) -> Iterator[Sequence[Variable]]:
        """Yield the cells grouped by row; single cells of rows are grouped by column.

        Other variables stay together.
        """
        for i in (0, 1):
            lines: dict[object, list[Variable]] = {}
            for variable in variables:
                cell = self._names.cells.get(variable)
                lines.setdefault((variable.family, cell[i]) if cell else None, []).append(variable)
            yield from [line for line in lines.values() if len(line) > 1 or i]
            variables = [variable for line in lines.values() if len(line) == 1 for variable in line]

    def _fitting(self, key: str, plural: str, variables: Sequence[Variable], values: Sequence[str]) -> Iterator[str]:
        """Yield a sentence, split by values or cells until each part is short enough.

        All values that a cell can have are in one sentence.
        """
        sentence = self._state(plural if len(variables) > 1 else key, variables, values)
        if _is_short(sentence) or len(values) == len(variables) == 1:
            yield sentence
        elif len(values) > 1 and key != "can":
            for part in (values[: len(values) // 2], values[len(values) // 2 :]):
                yield from self._fitting(key, plural, variables, part)
        else:
            for half in (variables[: len(variables) // 2], variables[len(variables) // 2 :]):
                yield from self._fitting(key, plural, half, values)

    def _state(self, key: str, variables: Sequence[Variable], values: Sequence[str]) -> str:
        """Return the sentence ``key`` about cells and values.

        The cells have short names if it would be too long.
        """
        names = [self.cells(variables), self._join(map(self.short_name, variables), "and")]
        sentences = [self._write(key, cells=name, values=self._join(values, "or")) for name in names]
        return next(filter(_is_short, sentences), sentences[0])

    def _write(self, key: str, **fields: str) -> str:
        """Return the pattern ``key`` filled in with ``fields``, beginning with a capital letter.

        The name of a variable at the beginning stays as it is.
        """
        sentence = self._patterns[key].format(**fields)
        is_name = sentence.split()[0].rstrip(",") in self._lower_names
        return sentence if is_name else sentence[:1].upper() + sentence[1:]

    def _values_of(self, candidates: Iterable[Candidate]) -> dict[Variable, list[str]]:
        """Map each variable to its values among ``candidates``, in words."""
        values: dict[Variable, list[str]] = {}
        for variable, value in candidates:
            values.setdefault(variable, []).append(self.value(variable, value))
        return values

    def _join(self, words: Iterable[str], conjunction: str) -> str:
        *first, last = words
        return f"{', '.join(first)} {self._patterns[conjunction]} {last}" if first else last


def _is_short(sentence: str) -> bool:
    """Return whether a sentence has at most ``MAX_WORDS`` words."""
    return len(sentence.split()) <= MAX_WORDS


def _is_order(constraint: Constraint) -> bool:
    """Return whether a constraint is a comparison of two cells by order."""
    if not isinstance(constraint, Linear) or constraint.relation[0] not in "<>":
        return False
    return sorted(factor for factor, _ in constraint.difference.terms) == [-1, 1]
