"""Find the names that a spec gives to cells, lines and values.

They come from the drawings of the spec: ``word`` names a value, ``shade`` a shaded cell, and ``border``, ``join`` and
``loop`` the lines between two cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..model import Drawn, Model, Value, Variable, ordered
from .drawn.skins import drawings, undrawn_variables
from .drawn.texts import HIGHLIGHTS
from .grid import find_grids, is_indexed, is_square, loops_of

CellIndices = tuple[int, int]
"""Row and column, as in the spec."""

PAIR = re.compile(r"(?<![\w,.-])(\d+),(\d+)(?![\w.]|,\d)")
"""A row and a column in a label."""


class ValueWord(NamedTuple):
    """The name of a value, in the words of the spec.

    ``at`` is a cell if the value means a group that this cell names, such as the island of a number.
    """

    text: str
    at: CellIndices | None = None


class Line(NamedTuple):
    """A line between two cells that the values of one or two variables decide.

    Attributes
    ----------
    cells : (CellIndices, CellIndices)
    drawn : Drawn
    is_border : bool
        Whether the line is the side between the cells; otherwise it joins them.
    """

    cells: tuple[CellIndices, CellIndices]
    drawn: Drawn
    is_border: bool

    @property
    def joins_neighbours(self) -> bool:
        """Whether the two cells have a common side."""
        (r, c), (s, d) = self.cells
        return abs(r - s) + abs(c - d) == 1

    def is_drawn(self, values: Mapping[str, Value]) -> bool:
        """Return whether the line is drawn if its variables have these values."""
        condition, number = self.drawn.condition, self.drawn.shown(values)
        return number != 0 and (condition is None or condition.check(values))


class ModelNames:
    """The names of a model's cells, lines, values and labels.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    cells : mapping of Variable to CellIndices
        The cell of each variable on a grid, and of each square of a loop.
    board : set of CellIndices
        The cells that pictures draw.
    families : set of str
        The families of the cells.
    lines : mapping of Variable to Line
        The line of each variable that decides a line alone.
    sides : mapping of Variable to list of Line
        The lines that the variable of a cell decides together with a neighbour.
    words : mapping of Variable to mapping of Value to ValueWord
        Values without a word are missing.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        loops = loops_of(model)
        variables = {v for grid in find_grids(model) if all(map(is_indexed, grid)) for v in grid}
        self.cells = {v: _cell(v, 2 if v.family in loops else 1) for v in model.domains if v in variables}
        self.families = {v.family for v in variables}
        self._helpers = undrawn_variables(model)
        self._givens = {constraint.given[0] for constraint in model.constraints if constraint.given}
        self.board = {cell for v, cell in self.cells.items() if v not in self._helpers}
        self.lines: dict[Variable, Line] = {}
        self.sides: dict[Variable, list[Line]] = {}
        self._find_lines()
        self.words = {v: words for v, words in self._find_words(loops).items() if _are_different(words)}
        families_of: dict[ValueWord, set[str]] = {}
        for v, words in self.words.items():
            for word in words.values():
                families_of.setdefault(word, set()).add(v.family)
        self._families_of = {word: frozenset(families) for word, families in families_of.items()}
        self._cells_in_labels = self._find_cells_in_labels()

    def is_ambiguous(self, variable: Variable) -> bool:
        """Return whether a cell needs the name of its grid.

        There are several grids, and not all values of the cell have words that no other grid uses.
        """
        words = self.words.get(variable, {})
        has_words = len(words) == len(self._model.domains[variable]) and self._families_of.items() >= {
            (word, frozenset([variable.family])) for word in words.values()
        }
        return len(self.families) > 1 and not has_words

    def is_seen(self, variable: Variable) -> bool:
        """Return whether a reader of the pictures knows a variable.

        A helper with a given value is part of the frame.
        """
        return variable in self.lines or variable not in self._helpers or variable not in self._givens

    def is_line(self, variable: Variable) -> bool:
        """Return whether a variable decides by two values whether neighbours are joined by a line."""
        line = self.lines.get(variable)
        if line is None or not line.joins_neighbours:
            return False
        domain = self._model.domains[variable]
        return len(domain) == 2 and len({line.is_drawn({variable: value}) for value in domain}) == 2

    def legend(self) -> dict[str, dict[Value, ValueWord]]:
        """Return the words of each family's values, in the order of the values."""
        legend: dict[str, dict[Value, ValueWord]] = {}
        for v in self._worded:
            for value, word in self.words.get(v, {}).items():
                legend.setdefault(v.family, {}).setdefault(value, word)
        return {family: {value: words[value] for value in ordered(words)} for family, words in legend.items()}

    def cells_in_label(self, label: str) -> list[re.Match[str]]:
        """Return the places in a label that mean cells.

        They do if each constraint with a label of this form has a variable at that cell, or beside it.
        """
        is_cell = self._cells_in_labels.get(PAIR.sub("", label), ())
        return [match for match, is_one in zip(PAIR.finditer(label), is_cell, strict=False) if is_one]

    def _find_lines(self) -> None:
        """Find the lines between two cells that values decide.

        A line that two variables decide needs two values in each.
        """
        lines_of: dict[tuple[Variable, ...], list[Line]] = {}
        for drawn in drawings(self._model):
            if drawn.name in ("border", "join") and len(drawn.indices) == 4 and drawn.variables:
                numbers = [index for index in drawn.indices if isinstance(index, int)]
                if len(numbers) == 4:
                    cells = (numbers[0], numbers[1]), (numbers[2], numbers[3])
                    lines_of.setdefault(drawn.variables, []).append(Line(cells, drawn, drawn.name == "border"))
        for variables, lines in lines_of.items():
            first = variables[0]
            if len(variables) == len(lines) == 1 and (first not in self.cells or not is_square(first)):
                if not is_indexed(first) or first.family in loops_of(self._model):
                    self.lines[first] = lines[0]
            elif len(variables) == 2 and all(len(self._model.domains[v]) == 2 for v in variables):
                for v in variables:
                    self.sides.setdefault(v, []).extend(
                        [line for line in lines if line.is_border and line.joins_neighbours]
                    )

    def _find_words(self, loops: Iterable[str]) -> dict[Variable, dict[Value, ValueWord]]:
        """Return the words of values.

        Values without a word in the spec have the words of shaded cells and loops. A cell with other colours for other
        values is not shaded.
        """
        words: dict[Variable, dict[Value, ValueWord]] = {}
        shaded: dict[Variable, dict[Value, ValueWord]] = {}
        coloured: dict[Variable, set[Value]] = {}
        for drawn in self._model.drawn:
            if drawn.name not in ("word", "shade") or len(drawn.variables) != 1:
                continue
            [v] = drawn.variables
            for value in self._model.domains[v]:
                if drawn.condition is None or not drawn.condition.check({v: value}):
                    continue
                if drawn.value in HIGHLIGHTS:
                    coloured.setdefault(v, set()).add(value)
                elif drawn.name == "shade":
                    shaded.setdefault(v, {})[value] = ValueWord("shaded")
                else:
                    row, column = drawn.indices[2:] or (None, None)
                    at = (row, column) if isinstance(row, int) and isinstance(column, int) else None
                    words.setdefault(v, {})[value] = ValueWord(str(drawn.shown({v: value})), at)
        # Of two values, the other one is white.
        self._worded = [*words]
        for v, named in shaded.items():
            if not coloured.get(v, set()) <= named.keys():
                continue
            domain = self._model.domains[v]
            whites = [value for value in domain if value not in named] if len(domain) == 2 else []
            words[v] = {**named, **dict.fromkeys(whites, ValueWord("white")), **words.get(v, {})}
        for v in self.cells:
            if v.family in loops and {*self._model.domains[v]} <= {0, 1}:
                words.setdefault(v, {0: ValueWord("off the line"), 1: ValueWord("on the line")})
        return words

    def _find_cells_in_labels(self) -> dict[str, list[bool]]:
        """Return for each form of label which of its pairs of numbers mean cells."""
        forms: dict[str, list[bool]] = {}
        for constraint in self._model.constraints:
            pairs = [(int(row), int(column)) for row, column in PAIR.findall(constraint.label or "")]
            if not pairs:
                continue
            cells = {cell for v in constraint.scope for cell in self._cells_of(v)}
            is_cell = [any(abs(r - i) + abs(c - j) <= 1 for i, j in cells) for r, c in pairs]
            form = forms.setdefault(PAIR.sub("", constraint.label or ""), is_cell)
            form[:] = [old and new for old, new in zip(form, is_cell, strict=False)]
        return forms

    def _cells_of(self, variable: Variable) -> Iterable[CellIndices]:
        if variable in self.lines:
            return self.lines[variable].cells
        return [self.cells[variable]] if variable in self.cells else []


def _cell(variable: Variable, scale: int) -> CellIndices:
    row, column = (int(index) // scale for index in variable.indices)
    return row, column


def _are_different(words: Mapping[Value, ValueWord]) -> bool:
    """Return whether no two values have the same word."""
    return len({*words.values()}) == len(words)
