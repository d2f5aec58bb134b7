"""Find the regions, cages, signs and clues that are printed on a grid.

They come from the constraints and drawings of a model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace

from ..base.frozen import Frozen
from ..model import AllDifferent, Constraint, Model, Variable
from .areas import Area, Areas, find_areas
from .clue_texts import parity
from .drawn.drawing import GridDrawing, grid_drawing, main_grid
from .drawn.facts import facts
from .drawn.skins import undrawn_variables
from .finder import Finder, LineClue
from .grid import Grid, find_grids, loops_of
from .signs import Sign


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
    parity: Mapping[Variable, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    facts: Mapping[Variable, str] = field(default_factory=dict)
    lean: int = 0
    drawing: GridDrawing = field(default_factory=GridDrawing)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the constraints whose signs or clues are printed."""
        numbers = [n for clue in (*self.clues, *self.across, *self.down, *self.rays) for n in clue.numbers]
        numbers += [area.number for area in (*self.cages, *self.corners)]
        return frozenset([*numbers, *(sign.number for sign in self.signs)])

    @property
    def is_plain(self) -> bool:
        """Whether nothing but boxes is printed."""
        return not (
            self.numbers
            or self.areas.regions
            or self.areas.shaded
            or self.parity
            or self.facts
            or self.drawing != GridDrawing()
        )


def find_puzzle(model: Model, grid: Grid, hidden: Collection[int] = ()) -> PrintedGrid:
    """Find everything that is printed on a grid.

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
        parity(model, grid),
        facts(model, grid),
        finder.lean,
        drawing,
    )
    return _without_partial(model, _without_covered(puzzle), constraints)


def _without_covered(puzzle: PrintedGrid) -> PrintedGrid:
    """Remove printed marks where the spec draws something itself."""
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
        parity={v: name for v, name in puzzle.parity.items() if grid[v] not in marked_places},
        facts={v: text for v, text in puzzle.facts.items() if grid[v] not in marked_places},
    )  # fmt: skip


def _without_partial(model: Model, puzzle: PrintedGrid, constraints: Mapping[int, Constraint]) -> PrintedGrid:
    """Remove the clues of each clause that is printed only in part.

    Printing only some of its constraints would mislead.
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
    )  # fmt: skip
