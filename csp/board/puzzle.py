"""Find the regions, cages, signs and clues that are printed on a grid.

``Finder`` sorts the constraints of a model by how they are printed, and ``find_puzzle`` adds the drawings of the spec.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from math import gcd
from typing import Any

from ..base.frozen import Frozen
from ..model import Affine, All, AllDifferent, Constraint, Increasing, Model, Variable
from .areas import Area, Areas, find_areas, is_connected
from .clues import Sign, dot_of, find_clue, find_sign, parity, sandwiches, total_text
from .drawn.drawing import GridDrawing, grid_drawing, main_grid
from .drawn.layouts import facts
from .drawn.skins import undrawn_variables
from .grid import Grid, Position, find_grids, loops_of
from .widths import text_width

MAX_CLUE_WIDTH = 52.0
"""Maximum width of a clue in points; a wider text does not fit into a cell, and the constraint has no clue."""


class LineClue(Frozen):
    """The clue of a row, column or other line, printed beyond its first cell.

    Attributes
    ----------
    numbers : tuple of int
        The numbers of the constraints that its text states.
    cells : tuple of Variable
    text : str
    rules : tuple of int
        The numbers of other constraints on the cells of a run. A picture has no other sign for them.
    """

    numbers: tuple[int, ...]
    cells: tuple[Variable, ...]
    text: str
    rules: tuple[int, ...] = ()


class Finder:
    """A sorter of a grid's constraints by how they are printed.

    Attributes
    ----------
    signs, corners, clues, cages, across, down, rays, regions, thermometers : list
        The constraints of each sort, as in ``PrintedGrid``.
    lean : int
        The direction in which the rows of a hexagon are shifted, as in ``PrintedGrid``.
    """

    def __init__(self, model: Model, grid: Grid, constraints: Mapping[int, Constraint]) -> None:
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
        self.thermometers: list[LineClue] = []
        self.everywhere: dict[int, bool] = {}
        whole_lines: list[LineClue] = []
        runs: list[LineClue] = []
        touching: list[Area] = []
        self.regions = _regions(constraints, grid)
        apart = {area.number for area in self.regions}
        # Find the first sort that fits the place and the text of each constraint.
        for number, constraint in constraints.items():
            if number in apart:
                continue
            if chain := _strict_chain(constraint, grid):
                self.thermometers.append(LineClue((number,), chain, ""))
                continue
            if sign := find_sign(number, constraint, grid):
                self.signs.append(sign)
                continue
            if (found_clue := find_clue(constraint)) is None or text_width(found_clue[0], 12) > MAX_CLUE_WIDTH:
                continue
            (text, seen_from), is_total = found_clue, bool(total_text(constraint))
            cells = tuple(sorted(constraint.scope, key=grid.__getitem__))
            step = _step([grid[v] for v in cells])
            middle = self._middle(constraint)
            if middle and _has_conjunction(constraint):
                continue
            if middle and not (middle in cells and (is_total or not text.isdigit())):
                self.corners.append(Area(number, (middle, *(v for v in cells if v != middle)), text))
            elif step and self._is_whole(cells, step):
                whole_lines.append(LineClue((number,), cells[::-1] if seen_from == cells[-1] else cells, text))
            elif is_total and step in ((0, 1), (1, 0)):
                runs.append(LineClue((number,), cells, text))
            elif is_total and step and len(cells) > 2:
                self.rays.append(LineClue((number,), cells, text))
            elif is_total and is_connected(cells, grid):
                touching.append(Area(number, cells, text))
        self.signs = [sign for sign in self.signs if sign.text != "≠" or not self._is_everywhere(sign, model)]
        # Clues of the same cells with equal texts are ambiguous.
        count = Counter((line.cells, line.text) for line in whole_lines)
        self._place([line for line in whole_lines if count[line.cells, line.text] == 1], runs, touching)

    def _place(self, whole_lines: list[LineClue], runs: list[LineClue], touching: list[Area]) -> None:
        """Store each sum as a crossword run, a clue outside the grid, or a cage.

        Lines that cross are runs or have their clues outside; all other constraints are cages.
        """
        straight = [*whole_lines, *runs]
        # Runs of a crossword cross, and have a black place before them.
        if runs and _cross(straight) and all(self._before(line) not in self.at for line in straight):
            self.across = [line for line in straight if self._axis(line) == 0]
            self.down = [line for line in straight if self._axis(line) == 1]
            whole_lines, runs = [], []
        # Whole lines are cages, too, if no cages overlap then.
        candidates = [*touching, *(Area(line.numbers[0], line.cells, line.text) for line in runs)]
        as_cages = [Area(line.numbers[0], line.cells, line.text) for line in whole_lines]
        if candidates and not _overlapping([*candidates, *as_cages]):
            candidates, whole_lines = [*candidates, *as_cages], []
        # Overlapping pairs with a difference of 1 or a ratio of 2 are dots; other overlapping cages are not shown.
        overlapping = _overlapping(candidates)
        dots = {area.text for area in overlapping if len(area.cells) == 2 and dot_of(area.text)}
        for area in candidates:
            if len(area.cells) == 2 and area.text in dots:
                self.signs.append(Sign(area.number, *area.cells, dot_of(area.text)))
        self.cages = _with_plus_signs(
            [area for area in candidates if area not in overlapping and area.text not in dots]
        )
        # Totals of columns alone are printed below them.
        if whole_lines and all(self._axis(line) == 1 for line in whole_lines) and not self.rays and not self.clues:
            whole_lines = [
                LineClue(line.numbers, line.cells[::-1], line.text) if _is_total(line) else line for line in whole_lines
            ]
        self.clues += whole_lines
        # Rays along diagonals have their clues outside; with rays in one direction, an incomplete grid is a hexagon.
        slants = {step for ray in self.rays if (step := _step([self.grid[v] for v in ray.cells]))}
        slanted = list(self.rays)
        if slants <= {(1, 1), (1, -1)}:
            self.clues += slanted
            if len(slants) == 1 and len(self.rays) > 2 and not self._is_full():
                self.lean = -1 if slants == {(1, 1)} else 1
            self.rays = []
        if self.lean:  # three lines through each cell: clues are above, on the right, and below
            self.clues = [
                line if line in slanted else LineClue(line.numbers, line.cells[::-1], line.text) for line in self.clues
            ]
        self.signs.sort(key=lambda sign: sign.number)
        self.cages.sort(key=lambda cage: cage.number)

    def _is_whole(self, cells: Sequence[Variable], step: Position) -> bool:
        """Return whether neighbouring cells fill a whole row or column."""
        if step not in ((0, 1), (1, 0)):
            return False
        axis = step.index(0)
        index = self.grid[cells[0]][axis]
        return len(cells) == sum(place[axis] == index for place in self.grid.values())

    def _is_everywhere(self, sign: Sign, model: Model) -> bool:
        """Return whether all neighbours in a sign's direction, across or down, must differ.

        If they do, the sign is not printed, because it would distinguish nothing.
        """
        axis = 1 if self.grid[sign.first][0] == self.grid[sign.second][0] else 0
        if axis not in self.everywhere:
            pairs = {frozenset((other_sign.first, other_sign.second)) for other_sign in self.signs}
            groups = [
                set(c.scope) for c in model.constraints if isinstance(c, AllDifferent) and c.scope in c.differing()
            ]
            neighbours = [(v, self.at.get((r + 1 - axis, c + axis))) for v, (r, c) in self.grid.items()]
            self.everywhere[axis] = all(
                frozenset((v, w)) in pairs or any(v in group and w in group for group in groups)
                for v, w in neighbours if w
            )  # fmt: skip
        return self.everywhere[axis]

    def _is_full(self) -> bool:
        """Return whether the grid is a full rectangle."""
        height, width = (len({place[axis] for place in self.at}) for axis in (0, 1))
        return height * width == len(self.at)

    def _middle(self, constraint: Constraint) -> Variable | None:
        """Return the cell that all other cells of a constraint surround, or None.

        The others are its four neighbours, or the eight cells around it.
        """
        places = {self.grid[v] for v in constraint.scope}
        if not 3 <= len(places) <= 9:
            return None
        for r, c in sorted(places | {(r + i, c + j) for r, c in places for i, j in SIDE_STEPS}):
            for around in (SIDE_STEPS, KING_STEPS):
                ring = {(r + i, c + j) for i, j in around if (r + i, c + j) in self.at}
                if (
                    (r, c) in self.at
                    and len(ring) > 2
                    and places - {(r, c)} == ring
                    and self.at[r, c] not in self.symbols
                ):
                    return self.at[r, c]
        return None

    def _axis(self, line: LineClue) -> int:
        """Return 0 for a line in a row, 1 for a column."""
        return 0 if self.grid[line.cells[0]][0] == self.grid[line.cells[-1]][0] else 1

    def _before(self, line: LineClue) -> Position:
        """Return the place just before the first cell of a line."""
        r, c = self.grid[line.cells[0]]
        return (r, c - 1) if self._axis(line) == 0 else (r - 1, c)


def _strict_chain(constraint: Constraint, grid: Grid) -> tuple[Variable, ...]:
    """Return the cells of a strictly increasing chain of touching cells; () for other constraints."""
    match constraint:
        case Increasing(elements=elements) if len(elements) > 2 and all(map(_is_cell, elements)):
            cells = tuple(element.variables[0] for element in elements)
            steps = {element.constant - following.constant for element, following in pairwise(elements)}
            offsets = [(grid[w][0] - grid[v][0], grid[w][1] - grid[v][1]) for v, w in pairwise(cells)]
            return cells if steps == {1} and all(offset in KING_STEPS for offset in offsets) else ()
    return ()


def _is_cell(element: Affine) -> bool:
    """Return whether an expression is a single variable, up to a constant."""
    return len(element.terms) == 1 and element.terms[0][0] == 1 and isinstance(element.terms[0][1], Variable)


def _has_conjunction(constraint: Constraint) -> bool:
    """Return whether a constraint contains a conjunction.

    A clue cannot show its meaning.
    """
    pending: list[Any] = [*constraint.parts()]
    while pending:
        part = pending.pop()
        if isinstance(part, All):
            return True
        pending += part.atoms if isinstance(part, Affine) else part.parts()
    return False


def _regions(constraints: Mapping[int, Constraint], grid: Grid) -> list[Area]:
    """Find connected areas of equal clues that divide the grid, unless they are lines.

    The clues are sums or counts of one clause. Without such a clause, the list is empty.
    """
    clauses: dict[tuple[str, int | str], list[Area]] = {}
    for number, constraint in constraints.items():
        if constraint.line and (found_clue := find_clue(constraint)) and total_text(constraint):
            clauses.setdefault((constraint.file, constraint.line), []).append(
                Area(number, constraint.scope, found_clue[0])
            )
    for areas in clauses.values():
        cells = sorted(v for area in areas for v in area.cells)
        if len({area.text for area in areas}) == 1 and len(areas) > 1 and cells == sorted(grid):
            are_lines = any(all(len({grid[v][axis] for v in area.cells}) == 1 for area in areas) for axis in (0, 1))
            if not are_lines and all(is_connected(area.cells, grid) for area in areas):
                return areas
    return []


SIDE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The steps to the four neighbours of a cell."""

KING_STEPS = (*SIDE_STEPS, (1, 1), (1, -1), (-1, 1), (-1, -1))
"""The steps to the eight cells around a cell."""


def _step(places: Sequence[Position]) -> Position | None:
    """Return the common step between successive cells; (0, 0) with gaps, else None."""
    steps = {(s - r, d - c) for (r, c), (s, d) in pairwise(places)}
    directions = {(i // gcd(i, j), j // gcd(i, j)) for i, j in steps}
    if len(directions) != 1:
        return None
    return steps.pop() if len(steps) == 1 else (0, 0)


def _cross(lines: Iterable[LineClue]) -> bool:
    """Return whether two lines have a cell in common."""
    cells_so_far: set[Variable] = set()
    for line in lines:
        if not cells_so_far.isdisjoint(line.cells):
            return True
        cells_so_far.update(line.cells)
    return False


def _overlapping(areas: Sequence[Area]) -> list[Area]:
    """Return the areas that share a cell with another area."""
    count: dict[Variable, int] = {}
    for area in areas:
        for v in area.cells:
            count[v] = count.get(v, 0) + 1
    return [area for area in areas if any(count[v] > 1 for v in area.cells)]


def _with_plus_signs(cages: list[Area]) -> list[Area]:
    """Return the cages, with a plus sign after sums if other operations occur."""
    if not any(cage.text[-1] in "×−÷" for cage in cages):
        return cages
    return [Area(cage.number, cage.cells, f"{cage.text}+") if cage.text.isdigit() else cage for cage in cages]


def _is_total(line: LineClue) -> bool:
    """Return whether the clue of a line is a plain number."""
    return line.text.isdigit()


class PrintedGrid(Frozen):
    """A grid with all regions, cages, signs and clues printed on it.

    Attributes
    ----------
    grid : mapping of Variable to (int, int)
    areas : Areas
        The groups that are not rows or columns.
    cages : tuple of Area
        Connected and disjoint sets of cells with a total or a similar clue.
    signs : tuple of Sign
        Signs between neighbours.
    corners : tuple of Area
        Clues of the cells around one, which is the first.
    clues : tuple of LineClue
        Clues beside whole lines.
    across, down : tuple of LineClue
        Clues of runs that cross, in the black places before them.
    rays : tuple of LineClue
        Clues beside lines that are drawn, because their cells are not neighbours.
    thermometers : tuple of LineClue
        Strictly increasing chains of touching cells, from the least value on.
    parity : mapping of Variable to (str, tuple of int)
        The cells that are ``even`` or ``odd``, with the numbers of the constraints that say so.
    facts : mapping of Variable to str
        Constants that the spec shows in cells.
    lean : int
        1 or -1 if every row is half a cell further to the right, or left, than the row above: a hexagon. Else 0.
    drawing : GridDrawing
        Drawings of the spec that do not depend on values.
    """

    grid: Grid
    areas: Areas = field(default_factory=Areas)
    cages: tuple[Area, ...] = ()
    signs: tuple[Sign, ...] = ()
    corners: tuple[Area, ...] = ()
    clues: tuple[LineClue, ...] = ()
    across: tuple[LineClue, ...] = ()
    down: tuple[LineClue, ...] = ()
    rays: tuple[LineClue, ...] = ()
    thermometers: tuple[LineClue, ...] = ()
    parity: Mapping[Variable, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    facts: Mapping[Variable, str] = field(default_factory=dict)
    lean: int = 0
    drawing: GridDrawing = field(default_factory=GridDrawing)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the constraints whose signs or clues are printed."""
        lines = (*self.clues, *self.runs, *self.rays, *self.thermometers)
        numbers = [number for clue in lines for number in (*clue.numbers, *clue.rules)]
        numbers += [area.number for area in (*self.cages, *self.corners)]
        return frozenset([*numbers, *(sign.number for sign in self.signs)])

    @property
    def runs(self) -> tuple[LineClue, ...]:
        """The runs of a number crossword."""
        return (*self.across, *self.down)

    @property
    def is_plain(self) -> bool:
        """Whether only boxes are printed: no regions, signs, clues or drawings."""
        return not (
            self.numbers
            or self.areas.regions
            or self.areas.shaded
            or self.parity
            or self.facts
            or self.drawing != GridDrawing()
        )


def find_puzzle(model: Model, grid: Grid, hidden: Collection[int] = ()) -> PrintedGrid:
    """Return all that is printed on a grid: regions, cages, signs, clues and drawings.

    ``hidden`` are numbers of constraints to ignore.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> row = [Variable("x", 1, c) for c in (1, 2)]
    >>> nine = Linear(Affine.variable(row[0]) + Affine.variable(row[1]), "=", Affine((), 9))
    >>> puzzle = find_puzzle(Model(dict.fromkeys(row, range(9)), [nine]), {row[0]: (0, 0), row[1]: (0, 1)})
    >>> [(clue.text, clue.cells) for clue in puzzle.clues]
    [('9', ('x(1,1)', 'x(1,2)'))]
    """
    constraints = {
        number: constraint
        for number, constraint in enumerate(model.constraints)
        if number not in hidden and not isinstance(constraint, AllDifferent) and len(constraint.scope) > 1
        and all(v in grid for v in constraint.scope)
    }  # fmt: skip
    # Sort the constraints on the grid; cages are not regions.
    finder = Finder(model, grid, constraints)
    caged = {frozenset(cage.cells) for cage in finder.cages}
    areas = find_areas(model, grid, hidden, caged)
    areas = areas if areas.boxes or areas.regions else replace(areas, regions=tuple(finder.regions))
    # Drawings of the spec are on the main grid.
    undrawn_cells = undrawn_variables(model)
    is_main = bool(model.drawn) and grid == main_grid(model, find_grids(model, undrawn_cells))
    drawing = grid_drawing(model.drawn, grid, loops_of(model)) if is_main else GridDrawing()
    puzzle = PrintedGrid(
        grid,
        areas,
        tuple(finder.cages),
        tuple(finder.signs),
        tuple(finder.corners),
        tuple(finder.clues),
        tuple(finder.across),
        tuple(finder.down),
        tuple(finder.rays),
        tuple(finder.thermometers),
        parity(model, grid),
        facts(model, grid),
        finder.lean,
        drawing,
    )
    return _with_rules_of_runs(model, _without_partial(model, _without_covered(puzzle), constraints))


def _with_rules_of_runs(model: Model, puzzle: PrintedGrid) -> PrintedGrid:
    """Return a printed grid whose runs have the other constraints on their cells, too."""
    numbers_on: dict[frozenset[Variable], list[int]] = {}
    for number, constraint in enumerate(model.constraints) if puzzle.runs else ():
        numbers_on.setdefault(frozenset(constraint.scope), []).append(number)

    def with_rules(run: LineClue) -> LineClue:
        """Return a run with the constraints on its cells that its text does not state."""
        return replace(run, rules=tuple(n for n in numbers_on[frozenset(run.cells)] if n not in run.numbers))

    return replace(puzzle, across=tuple(map(with_rules, puzzle.across)), down=tuple(map(with_rules, puzzle.down)))


def _without_covered(puzzle: PrintedGrid) -> PrintedGrid:
    """Return a printed grid without its own marks where the spec already draws something."""
    drawing, grid = puzzle.drawing, puzzle.grid
    if drawing == GridDrawing():
        return puzzle

    def is_free(cells: Iterable[Variable]) -> bool:
        """Return whether the spec draws nothing over the cells."""
        return not drawing.covers([grid[v] for v in cells])

    # Rooms with equal clues beside all lines: a puzzle of stars, whose clues say nothing.
    is_even = bool(drawing.rooms) and len({clue.text for clue in puzzle.clues}) == 1
    marked_places = {spot.places[0] for spot in drawing.spots if len(spot.places) == 1} | {*drawing.shades}
    return replace(
        puzzle,
        areas=replace(
            puzzle.areas,
            regions=tuple(area for area in puzzle.areas.regions if not drawing.rooms and is_free(area.cells)),
            shaded=tuple(area for area in puzzle.areas.shaded if is_free(area.cells) and not drawing.shades),
        ),
        cages=tuple(cage for cage in puzzle.cages if is_free(cage.cells)),
        signs=tuple(sign for sign in puzzle.signs if is_free((sign.first, sign.second))),
        corners=tuple(
            area for area in puzzle.corners if is_free(area.cells) and grid[area.cells[0]] not in marked_places
        ),
        clues=tuple(clue for clue in puzzle.clues if is_free(clue.cells) and not is_even),
        rays=tuple(ray for ray in puzzle.rays if is_free(ray.cells)),
        thermometers=tuple(chain for chain in puzzle.thermometers if is_free(chain.cells)),
        parity={v: name for v, name in puzzle.parity.items() if grid[v] not in marked_places},
        facts={v: text for v, text in puzzle.facts.items() if grid[v] not in marked_places},
    )  # fmt: skip


def _without_partial(model: Model, puzzle: PrintedGrid, constraints: Mapping[int, Constraint]) -> PrintedGrid:
    """Return a printed grid without the clues of clauses that are printed only in part.

    A clause with only some of its constraints printed would mislead a reader.
    """
    numbers = puzzle.numbers.union(area.number for area in puzzle.areas.regions)
    partly_printed = {(c.file, c.line) for number, c in constraints.items() if c.line and number not in numbers}
    if not partly_printed:
        return puzzle

    def is_kept(*numbers_of_mark: int) -> bool:
        """Return whether all clauses of these constraints are printed completely."""
        return not any(
            (model.constraints[number].file, model.constraints[number].line) in partly_printed
            for number in numbers_of_mark
        )

    return replace(
        puzzle,
        cages=tuple(cage for cage in puzzle.cages if is_kept(cage.number)),
        signs=tuple(sign for sign in puzzle.signs if is_kept(sign.number)),
        corners=tuple(area for area in puzzle.corners if is_kept(area.number)),
        clues=tuple(clue for clue in puzzle.clues if len(clue.numbers) > 1 or is_kept(*clue.numbers)),
        rays=tuple(ray for ray in puzzle.rays if is_kept(*ray.numbers)),
        thermometers=tuple(chain for chain in puzzle.thermometers if is_kept(*chain.numbers)),
    )  # fmt: skip
