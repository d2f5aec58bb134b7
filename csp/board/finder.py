"""Sums, comparisons and the like on a grid, sorted by how they lie on it: clues, runs, cages, signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import gcd
from typing import Any

from ..ground.frozen import Frozen
from ..model import Affine, All, AllDifferent, Constraint, Model, Variable
from .areas import Area, touches
from .asked import asked, clue, sandwiches
from .grid import Grid, Position
from .signs import Sign, dot_of, find_sign
from .widths import text_width

WIDEST = 52.0
"""A cage is named by a text no wider than a cell."""


class LineClue(Frozen):
    """What is asked of a line of cells, and stands beyond the first of them.

    Attributes
    ----------
    numbers : tuple of int
        Of the constraints in the model.
    cells : tuple of Variable
    text : str
    """

    numbers: tuple[int, ...]
    cells: tuple[Variable, ...]
    text: str


class Finder:
    """Sorts the relations of a grid by how they lie on it."""

    def __init__(self, model: Model, grid: Grid, own: Mapping[int, Constraint]) -> None:
        self.grid = grid
        self.at = {place: v for v, place in grid.items()}
        self.symbols = {v for v in grid if len(model.domains[v]) == 1 and isinstance(model.domains[v][0], str)}
        self.signs: list[Sign] = []
        self.corners: list[Area] = []
        self.clues = [LineClue(numbers, line, text) for numbers, line, text in sandwiches(model, grid)]
        self.across: list[LineClue] = []
        self.down: list[LineClue] = []
        self.rays: list[LineClue] = []
        self.lean = 0
        self.everywhere: dict[int, bool] = {}
        whole: list[LineClue] = []
        runs: list[LineClue] = []
        touching: list[Area] = []
        self.regions = _regions(own, grid)
        apart = {one.number for one in self.regions}
        for number, constraint in own.items():
            if number in apart:
                continue
            if sign := find_sign(number, constraint, grid):
                self.signs.append(sign)
                continue
            if (found := asked(constraint)) is None or text_width(found[0], 12) > WIDEST:
                continue
            (words, near), is_total = found, bool(clue(constraint))
            cells = tuple(sorted(constraint.scope, key=grid.__getitem__))
            step = _step([grid[v] for v in cells])
            middle = self._middle(constraint)
            if middle and _has_conjunction(constraint):
                continue
            if middle and not (middle in cells and (is_total or not words.isdigit())):
                self.corners.append(Area(number, (middle, *(v for v in cells if v != middle)), words))
            elif step and self._is_whole(cells, step):
                whole.append(LineClue((number,), cells[::-1] if near == cells[-1] else cells, words))
            elif is_total and step in ((0, 1), (1, 0)):
                runs.append(LineClue((number,), cells, words))
            elif is_total and step and len(cells) > 2:
                self.rays.append(LineClue((number,), cells, words))
            elif is_total and touches(cells, grid):
                touching.append(Area(number, cells, words))
        self.signs = [one for one in self.signs if one.text != "≠" or not self._is_everywhere(one, model)]
        alike = Counter((one.cells, one.text) for one in whole)  # of which no one knows what is meant
        self._place([one for one in whole if alike[one.cells, one.text] == 1], runs, touching)

    def _place(self, whole: list[LineClue], runs: list[LineClue], touching: list[Area]) -> None:
        """Lines that cross are runs of a crossword or have their clues outside; all else is a cage."""
        straight = [*whole, *runs]
        if runs and _cross(straight) and all(self._before(one) not in self.at for one in straight):
            self.across = [one for one in straight if self._axis(one) == 0]
            self.down = [one for one in straight if self._axis(one) == 1]
            whole, runs = [], []
        candidates = [*touching, *(Area(one.numbers[0], one.cells, one.text) for one in runs)]
        as_cages = [Area(one.numbers[0], one.cells, one.text) for one in whole]
        if candidates and not _overlapping([*candidates, *as_cages]):
            candidates, whole = [*candidates, *as_cages], []
        crowded = _overlapping(candidates)
        dots = {one.text for one in crowded if len(one.cells) == 2 and dot_of(one.text)}
        for one in candidates:
            if len(one.cells) == 2 and one.text in dots:
                self.signs.append(Sign(one.number, *one.cells, dot_of(one.text)))
        self.cages = _signed([one for one in candidates if one not in crowded and one.text not in dots])
        if whole and all(self._axis(one) == 1 for one in whole) and not self.rays and not self.clues:
            whole = [LineClue(one.numbers, one.cells[::-1], one.text) if _is_total(one) else one for one in whole]
        self.clues += whole
        slants = {step for one in self.rays if (step := _step([self.grid[v] for v in one.cells]))}
        slanted = list(self.rays)
        if slants <= {(1, 1), (1, -1)}:
            self.clues += slanted
            if len(slants) == 1 and len(self.rays) > 2 and not self._is_full():
                self.lean = -1 if slants == {(1, 1)} else 1
            self.rays = []
        if self.lean:  # three ways through each cell: what is asked stands above, on the right, and below
            self.clues = [
                one if one in slanted else LineClue(one.numbers, one.cells[::-1], one.text) for one in self.clues
            ]
        self.signs.sort(key=lambda one: one.number)
        self.cages.sort(key=lambda one: one.number)

    def _is_whole(self, cells: Sequence[Variable], step: Position) -> bool:
        """Whether cells are all of a row or of a column, and neighbours."""
        if step not in ((0, 1), (1, 0)):
            return False
        axis = step.index(0)
        index = self.grid[cells[0]][axis]
        return len(cells) == sum(place[axis] == index for place in self.grid.values())

    def _is_everywhere(self, sign: Sign, model: Model) -> bool:
        """Whether any two neighbours of its direction differ, so that a sign at each of them would say nothing."""
        axis = 1 if self.grid[sign.one][0] == self.grid[sign.other][0] else 0
        if axis not in self.everywhere:
            pairs = {frozenset((one.one, one.other)) for one in self.signs}
            groups = [
                set(c.scope) for c in model.constraints if isinstance(c, AllDifferent) and c.scope in c.differing()
            ]
            beside = [(v, self.at.get((r + 1 - axis, c + axis))) for v, (r, c) in self.grid.items()]
            self.everywhere[axis] = all(
                frozenset((v, w)) in pairs or any(v in group and w in group for group in groups)
                for v, w in beside if w
            )  # fmt: skip
        return self.everywhere[axis]

    def _is_full(self) -> bool:
        high, wide = (len({place[axis] for place in self.at}) for axis in (0, 1))
        return high * wide == len(self.at)

    def _middle(self, constraint: Constraint) -> Variable | None:
        """The cell around which all those of a constraint are: its four neighbours, or its eight."""
        places = {self.grid[v] for v in constraint.scope}
        if not 3 <= len(places) <= 9:
            return None
        for r, c in sorted(places | {(r + i, c + j) for r, c in places for i, j in STEPS}):
            for around in (STEPS, KING):
                ring = {(r + i, c + j) for i, j in around if (r + i, c + j) in self.at}
                if (
                    (r, c) in self.at
                    and len(ring) > 2
                    and places - {(r, c)} == ring
                    and self.at[r, c] not in self.symbols
                ):
                    return self.at[r, c]
        return None

    def _axis(self, one: LineClue) -> int:
        return 0 if self.grid[one.cells[0]][0] == self.grid[one.cells[-1]][0] else 1

    def _before(self, one: LineClue) -> Position:
        r, c = self.grid[one.cells[0]]
        return (r, c - 1) if self._axis(one) == 0 else (r - 1, c)


def _has_conjunction(constraint: Constraint) -> bool:
    """Whether it is about several things at once, of which a number says nothing."""
    waiting: list[Any] = [*constraint.parts()]
    while waiting:
        part = waiting.pop()
        if isinstance(part, All):
            return True
        waiting += part.atoms if isinstance(part, Affine) else part.parts()
    return False


def _regions(own: Mapping[int, Constraint], grid: Grid) -> list[Area]:
    """Regions that are told by sums or numbers of cells: those of one clause, all alike, that part the whole grid."""
    clauses: dict[tuple[str, int | str], list[Area]] = {}
    for number, one in own.items():
        if one.line and (found := asked(one)) and clue(one):
            clauses.setdefault((one.file, one.line), []).append(Area(number, one.scope, found[0]))
    for areas in clauses.values():
        parts = sorted(v for one in areas for v in one.cells)
        if len({one.text for one in areas}) == 1 and len(areas) > 1 and parts == sorted(grid):
            lines = any(all(len({grid[v][axis] for v in one.cells}) == 1 for one in areas) for axis in (0, 1))
            if not lines and all(touches(one.cells, grid) for one in areas):
                return areas
    return []


STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
KING = (*STEPS, (1, 1), (1, -1), (-1, 1), (-1, -1))


def _step(places: Sequence[Position]) -> Position | None:
    """From each cell to the next, if that is the same for all; with holes between, the shortest way between two."""
    steps = {(s - r, d - c) for (r, c), (s, d) in pairwise(places)}
    ways = {(i // gcd(i, j), j // gcd(i, j)) for i, j in steps}
    if len(ways) != 1:
        return None
    return steps.pop() if len(steps) == 1 else (0, 0)


def _cross(lines: Iterable[LineClue]) -> bool:
    seen: set[Variable] = set()
    for one in lines:
        if not seen.isdisjoint(one.cells):
            return True
        seen.update(one.cells)
    return False


def _overlapping(areas: Sequence[Area]) -> list[Area]:
    """Those that have a cell in common with another."""
    count: dict[Variable, int] = {}
    for one in areas:
        for v in one.cells:
            count[v] = count.get(v, 0) + 1
    return [one for one in areas if any(count[v] > 1 for v in one.cells)]


def _signed(cages: list[Area]) -> list[Area]:
    """Where some are products or the like, sums have their sign too."""
    if not any(one.text[-1] in "×−÷" for one in cages):
        return cages
    return [Area(one.number, one.cells, f"{one.text}+") if one.text.isdigit() else one for one in cages]


def _is_total(one: LineClue) -> bool:
    return one.text.isdigit()
