"""Fill the sentence patterns of a language with the facts of a step.

The record of a step (``Step``) has all facts; the files of the languages have all words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ...board.grid import find_grids, is_indexed, loops_of
from ...model import Candidate, Connected, Constraint, Linear, Model, Variable
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
    **dict.fromkeys(["neighbours", "single constraint", "parity", "combinations"], RULE),
    **dict.fromkeys(["joint constraints", "innies and outies"], RULE),
    **dict.fromkeys(["pointing", "claiming"], ("inside", "conclusion", "because")),
    **dict.fromkeys(["locked pair", "naked pair", "locked triple", "naked triple"], SUBSET),
    **dict.fromkeys(["hidden pair", "hidden triple"], ("look", "keeps", "conclusion", "because")),
    "direct exclusion": ("suppose", "then", "look", "conclusion", "because"),
    "shared counts": ("counts", "conclusion", "because"),
}
"""The parts of the explanation of each technique, in order. Other techniques have no short sentences."""

MAX_WORDS = 12
"""Maximum number of words in a sentence."""
MAX_WORDS_OF_PLACE = 7
"""Maximum number of words in the name of a constraint."""
MAX_CELLS, MAX_VALUES = 4, 4
"""Maximum number of cells that explain a conclusion, and of values that are listed for one of them."""


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
        # Read a cell as row and column if its name has them; name its grid if there are several.
        families = {v.family for grid in find_grids(model) if all(map(is_indexed, grid)) for v in grid}
        self._grids = families - loops_of(model)

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
            wrong = [self._write("wrong", cells=self.cells([v]), values=str(value)) for v, value in hint.wrong]
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

    def cells(self, variables: Sequence[Variable]) -> str:
        """Return one text that names the cells, by row and column in a grid.

        Several cells of a grid must share a row or a column.
        """
        first = variables[0]
        if first.family not in self._grids:
            return self._join(map(str, variables), "and")
        rows, columns = ([*dict.fromkeys([str(v.indices[i]) for v in variables])] for i in (0, 1))
        key = "cell" if len(variables) == 1 else "cells of row" if len(rows) == 1 else "cells of column"
        name = self._patterns[key].format(row=self._join(rows, "and"), column=self._join(columns, "and"))
        return name if len(self._grids) == 1 else self._patterns["cell of grid"].format(grid=first.family, cell=name)

    def place(self, text: str) -> str:
        """Return the name of a constraint or a cell in the language of the reader.

        ``text`` is the name with the line of the spec. A long name is replaced by its line.
        """
        if text in self._variables:
            return self.cells([self._variables[text]])
        match = re.fullmatch(r"(.*?)(?: \((.+ )?line (\d+)\))?", text, re.DOTALL)
        assert match is not None
        name, file, line = match.groups()
        if re.search(r"line \d+\)", name) or text.endswith(" more"):
            return self._patterns["implied rule"]
        if "(" in name or len(name.split()) > MAX_WORDS_OF_PLACE:
            return self._patterns["rule" if file or not line else "rule of line"].format(line=line)
        # Translate a label only if all its words are known.
        words = re.findall(r"[^\W\d_]+", name)
        if not all(word in self._words for word in words):
            return str(name)
        return re.sub(r"[^\W\d_]+", lambda word: self._words[word[0]], name)

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
            "suppose": lambda step: self._statements("suppose", step.removed[:1]),
            "then": self._consequences,
            "premises": self._premises,
        }

    def _looks(self, step: Step) -> Iterable[str]:
        """Return a sentence for each constraint of a step; comparisons are written out."""
        sentences = []
        for constraint in step.constraints:
            comparison = self._compare(constraint)
            if constraint.label or not comparison:
                sentences.append(self._write("look", place=self.place(constraint.place)))
            sentences += comparison
        return dict.fromkeys(sentences)

    def _compare(self, constraint: Constraint) -> list[str]:
        """Return a sentence that states a comparison of two cells, in a list.

        The list is empty for other constraints.
        """
        for x, y in ((0, 1), (1, 0)) if len(constraint.scope) == 2 else ():
            first, second = constraint.scope[x], constraint.scope[y]
            relation = str(constraint).removeprefix(f"{first} ").removesuffix(f" {second}")
            if relation in self._patterns:
                return [self._write(relation, cells=self.cells([first]), other=self.cells([second]))]
        return []

    def _inside(self, step: Step) -> Iterator[str]:
        base, cover = step.constraints
        yield self._write("look", place=self.place(base.place))
        yield self._write("inside", values=str(step.pattern[0][1]), place=self.place(cover.place))

    def _counts(self, step: Step) -> Iterable[str]:
        keys = {"base": "needs", "cover": "full"}
        return dict.fromkeys([self._write(keys[part.role], place=self.place(part.line)) for part in step.sets])

    def _conclusion(self, step: Step) -> Iterator[str]:
        yield from self._statements("is", step.placed, "are")
        placed = {variable for variable, _ in step.placed}
        removed = [(variable, value) for variable, value in step.removed if variable not in placed]
        # If more values are removed than remain, state the remaining ones.
        removed_values, few = _values_of(removed), set[Variable]()
        for variable, values in _values_of(step.left).items():
            sentence = self._write("can", cells=self.cells([variable]), values=self._join(values, "or"))
            if len(values) <= MAX_VALUES < len(removed_values[variable]) and len(sentence.split()) <= MAX_WORDS:
                few.add(variable)
        yield from self._statements(
            "can", [candidate for candidate in step.left if candidate[0] in few], "can, several"
        )
        yield from self._statements(
            "cannot", [candidate for candidate in removed if candidate[0] not in few], "cannot, several"
        )

    def _because(self, step: Step) -> Iterator[str]:
        key, value = step.technique, str((step.pattern or step.removed)[0][1])
        if key == "count":
            # A count that needs cells places all of its pattern.
            key = "count, needed" if {*step.placed} == {*step.pattern} else "count, full"
        elif key == "parity":
            key = "parity, even" if int(step.removed[0][1]) % 2 else "parity, odd"
        elif key == "neighbours" and _is_order(step.constraints[0]):
            key = "neighbours, order"
        elif key == "single constraint" and isinstance(step.constraints[0], Connected):
            key = "connected, outside" if step.constraints[0].selects(*step.removed[0]) else "connected, inside"
        elif key == "direct exclusion" and not step.sets[0].line.startswith(tuple([c.place for c in step.constraints])):
            key = "direct exclusion, empty"
        yield self._write(key, values=value)

    def _consequences(self, step: Step) -> Iterator[str]:
        """Yield sentences about the candidates that the excluded candidate would remove."""
        candidates = [candidate for candidate in step.pattern if candidate not in step.removed]
        yield from islice(self._statements("then", candidates, "then, several"), MAX_CELLS)

    def _premises(self, step: Step) -> Iterator[str]:
        """Yield sentences about the values of the cells that a constraint argues from.

        Cells with more than ``MAX_VALUES`` values are left out.
        """
        concluded = {variable for variable, _ in (*step.placed, *step.removed)}
        candidates = [candidate for candidate in step.pattern if candidate[0] not in concluded]
        values = _values_of(candidates)
        yield from self._statements("is", [candidate for candidate in candidates if len(values[candidate[0]]) == 1])
        several = {variable: its_values for variable, its_values in values.items() if len(its_values) > 1}
        if _is_order(step.constraints[0]):
            for variable in several:
                yield self._bound(step, variable)
        else:
            short = [
                candidate for candidate in candidates if len(several.get(candidate[0], ())) in range(2, MAX_VALUES + 1)
            ]
            yield from self._domains("can", short)

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
        for variable, values in _values_of(candidates).items():
            cell = self.cells([variable])
            sentence = self._write(key, cells=cell, values=self._join(values, "or"))
            is_short = len(sentence.split()) <= MAX_WORDS
            yield sentence if is_short else self._write("can, many", cells=cell, count=str(len(values)))

    def _statements(self, key: str, candidates: Iterable[Candidate], plural: str = "") -> Iterator[str]:
        """Yield sentences that state the values of each cell, by the pattern ``key``.

        With ``plural``, one sentence is about several cells of a row or a column.
        """
        values_of = _values_of(candidates)
        alike: dict[tuple[str, ...], list[Variable]] = {}
        for variable, values in values_of.items():
            alike.setdefault((*values, *([] if plural else [str(variable)])), []).append(variable)
        for variables in alike.values():
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
                is_cell = variable.family in self._grids
                lines.setdefault((variable.family, variable.indices[i]) if is_cell else None, []).append(variable)
            yield from [line for line in lines.values() if len(line) > 1 or i]
            variables = [variable for line in lines.values() if len(line) == 1 for variable in line]

    def _fitting(self, key: str, plural: str, variables: Sequence[Variable], values: Sequence[str]) -> Iterator[str]:
        """Yield a sentence, split by values or cells until each part is short enough.

        All values that a cell can have are in one sentence.
        """
        sentence = self._write(
            plural if len(variables) > 1 else key, cells=self.cells(variables), values=self._join(values, "or")
        )
        if len(sentence.split()) <= MAX_WORDS or len(values) == len(variables) == 1:
            yield sentence
        elif len(values) > 1 and key != "can":
            for part in (values[: len(values) // 2], values[len(values) // 2 :]):
                yield from self._fitting(key, plural, variables, part)
        else:
            for half in (variables[: len(variables) // 2], variables[len(variables) // 2 :]):
                yield from self._fitting(key, plural, half, values)

    def _write(self, key: str, **fields: str) -> str:
        """Return the pattern ``key`` filled in with ``fields``, beginning with a capital letter.

        The name of a variable at the beginning stays as it is.
        """
        sentence = self._patterns[key].format(**fields)
        is_name = sentence.split()[0].rstrip(",") in self._variables
        return sentence if is_name else sentence[:1].upper() + sentence[1:]

    def _join(self, words: Iterable[str], conjunction: str) -> str:
        *first, last = words
        return f"{', '.join(first)} {self._patterns[conjunction]} {last}" if first else last


def _is_order(constraint: Constraint) -> bool:
    """Return whether a constraint is a comparison of two cells by order."""
    if not isinstance(constraint, Linear) or constraint.relation[0] not in "<>":
        return False
    return sorted(factor for factor, _ in constraint.difference.terms) == [-1, 1]


def _values_of(candidates: Iterable[Candidate]) -> dict[Variable, list[str]]:
    """Map each variable to its values among ``candidates``, as text."""
    values: dict[Variable, list[str]] = {}
    for variable, value in candidates:
        values.setdefault(variable, []).append(str(value))
    return values
