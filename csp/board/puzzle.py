"""What is printed on a grid of a puzzle: its regions, cages, signs and clues, found in its constraints."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace

from ..ground.frozen import Frozen
from ..model import AllDifferent, Constraint, Model, Variable
from .areas import Area, Areas, find_areas
from .asked import parity
from .drawn.facts import facts
from .drawn.said import Said, main_grid, said
from .drawn.skins import undrawn
from .finder import Finder, LineClue
from .grid import Grid, find_grids, loops_of
from .signs import Sign


class PrintedGrid(Frozen):
    """What is printed on a grid.

    Attributes
    ----------
    grid : mapping of Variable to (int, int)
    areas : Areas
        The groups that are no lines.
    cages : tuple of Area
        Cells that touch, no two of them with a cell in common, of which a total or the like is asked.
    signs : tuple of Sign
        Between neighbours.
    corners : tuple of Area
        What is asked of the cells around one, which is the first.
    clues : tuple of LineClue
        Beside whole lines.
    across, down : tuple of LineClue
        Beside runs that cross, in the black cells before them.
    rays : tuple of LineClue
        Beside lines that are drawn, since they go through cells that are no neighbours.
    parity : mapping of Variable to (str, tuple of int)
        The cells that are ``even`` or ``odd``, and the numbers of the constraints that say so.
    facts : mapping of Variable to str
        What the spec shows in cells, whatever their values.
    lean : int
        1 or -1 where every row stands half a cell further to the right, or left, than the one above: a hexagon.
    said : Said
        What the spec draws, whatever the values.
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
    said: Said = field(default_factory=Said)

    @property
    def numbers(self) -> frozenset[int]:
        """The constraints that are seen, groups that differ not among them."""
        lines = [n for one in (*self.clues, *self.across, *self.down, *self.rays) for n in one.numbers]
        lines += [one.number for one in (*self.cages, *self.corners)]
        return frozenset([*lines, *(one.number for one in self.signs)])

    @property
    def is_plain(self) -> bool:
        """Whether nothing is printed but boxes."""
        return not (
            self.numbers or self.areas.regions or self.areas.shaded or self.parity or self.facts or self.said != Said()
        )


def find_puzzle(model: Model, grid: Grid, hidden: Collection[int] = ()) -> PrintedGrid:
    """What the constraints of a grid show on it.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> row = [Variable("x", 1, c) for c in (1, 2)]
    >>> nine = Linear(Affine.variable(row[0]) + Affine.variable(row[1]), "=", Affine((), 9))
    >>> puzzle = find_puzzle(Model(dict.fromkeys(row, range(9)), [nine]), {row[0]: (0, 0), row[1]: (0, 1)})
    >>> [(clue.text, clue.cells) for clue in puzzle.clues]
    [('9', ('x(1,1)', 'x(1,2)'))]
    """
    own = {
        number: constraint
        for number, constraint in enumerate(model.constraints)
        if number not in hidden and not isinstance(constraint, AllDifferent) and len(constraint.scope) > 1
        and all(v in grid for v in constraint.scope)
    }  # fmt: skip
    found = Finder(model, grid, own)
    caged = {frozenset(one.cells) for one in found.cages}
    areas = find_areas(model, grid, hidden, caged)
    areas = areas if areas.boxes or areas.regions else replace(areas, regions=tuple(found.regions))
    away = undrawn(model)
    is_main = bool(model.drawn) and grid == main_grid(model, find_grids(model, away))
    drawn = said(model.drawn, grid, loops_of(model)) if is_main else Said()
    puzzle = PrintedGrid(
        grid,
        areas,
        tuple(found.cages),
        tuple(found.signs),
        tuple(found.corners),
        tuple(found.clues),
        tuple(found.across),
        tuple(found.down),
        tuple(found.rays),
        parity(model, grid),
        facts(model, grid),
        found.lean,
        drawn,
    )
    return _whole(model, _uncovered(puzzle), own)


def _uncovered(puzzle: PrintedGrid) -> PrintedGrid:
    """Without the guesses in whose place something is drawn."""
    drawn, grid = puzzle.said, puzzle.grid
    if drawn == Said():
        return puzzle

    def free(cells: Iterable[Variable]) -> bool:
        return not drawn.covers([grid[v] for v in cells])

    is_even = bool(drawn.rooms) and len({one.text for one in puzzle.clues}) == 1  # as many stars in every line
    marked = {one.places[0] for one in drawn.spots if len(one.places) == 1} | {*drawn.shades}
    return replace(
        puzzle,
        areas=replace(
            puzzle.areas, regions=tuple(one for one in puzzle.areas.regions if not drawn.rooms and free(one.cells)),
            shaded=tuple(one for one in puzzle.areas.shaded if free(one.cells) and not drawn.shades),
        ),
        cages=tuple(one for one in puzzle.cages if free(one.cells)),
        signs=tuple(one for one in puzzle.signs if free((one.one, one.other))),
        corners=tuple(one for one in puzzle.corners if free(one.cells) and grid[one.cells[0]] not in marked),
        clues=tuple(one for one in puzzle.clues if free(one.cells) and not is_even),
        rays=tuple(one for one in puzzle.rays if free(one.cells)),
        parity={v: told for v, told in puzzle.parity.items() if grid[v] not in marked},
        facts={v: words for v, words in puzzle.facts.items() if grid[v] not in marked},
    )  # fmt: skip


def _whole(model: Model, puzzle: PrintedGrid, own: Mapping[int, Constraint]) -> PrintedGrid:
    """Without the marks of clauses of which some constraints have none: half of them would say what is not true."""
    numbers = puzzle.numbers.union(one.number for one in puzzle.areas.regions)
    partly = {(c.file, c.line) for n, c in own.items() if c.line and n not in numbers}
    if not partly:
        return puzzle

    def kept(*own: int) -> bool:
        return not any((model.constraints[n].file, model.constraints[n].line) in partly for n in own)

    return replace(
        puzzle,
        cages=tuple(one for one in puzzle.cages if kept(one.number)),
        signs=tuple(one for one in puzzle.signs if kept(one.number)),
        corners=tuple(one for one in puzzle.corners if kept(one.number)),
        clues=tuple(one for one in puzzle.clues if len(one.numbers) > 1 or kept(*one.numbers)),
        rays=tuple(one for one in puzzle.rays if kept(*one.numbers)),
    )  # fmt: skip
