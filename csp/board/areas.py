"""Sets of the cells of a grid that must differ: its boxes, its other regions, and what is shaded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..ground.frozen import Frozen
from ..model import Model, Variable
from .grid import Grid, Position, grid_gaps, numbered_groups

MOST_SHADED = 0.6
"""Of a grid; where more would be, nothing is, for it would say nothing."""


class Area(Frozen):
    """Cells that a constraint is about.

    Attributes
    ----------
    number : int
        Of the constraint in the model.
    cells : tuple of Variable
    text : str
        What is asked of them, short, where that is more than to differ.
    """

    number: int
    cells: tuple[Variable, ...]
    text: str = ""


class Areas(Frozen):
    """The groups of a grid that are no lines of it.

    Attributes
    ----------
    boxes : tuple of Area
        Rectangles of one size that fill the grid; they stand apart.
    regions : tuple of Area
        Cells that touch, no two of them with a cell in common; they are outlined.
    shaded : tuple of Area
        All others: windows, diagonals.
    """

    boxes: tuple[Area, ...] = ()
    regions: tuple[Area, ...] = ()
    shaded: tuple[Area, ...] = ()


def find_areas(
    model: Model, grid: Grid, hidden: Collection[int] = (), caged: Collection[frozenset[Variable]] = ()
) -> Areas:
    """What the groups of a grid are, which lie in more than one row and more than one column.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> cell = {(r, c): Variable("cell", r, c) for r in (0, 1, 2) for c in (0, 1, 2)}
    >>> parts = [[(0, 0), (0, 1), (1, 0)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (0, 1), (0, 2)]]
    >>> groups = [AllDifferent.of([cell[at] for at in part]) for part in parts]
    >>> found = find_areas(Model({v: (1, 2, 3) for v in cell.values()}, groups), {v: at for at, v in cell.items()})
    >>> [one.number for one in found.regions], [one.number for one in found.shaded]
    ([0], [1])
    """
    groups = [
        Area(number, scope)
        for number, scope in numbered_groups(model, grid, hidden)
        if frozenset(scope) not in caged and 1 < len(scope) < len(grid)
    ]
    wide = [one for one in groups if min(len({grid[v][axis] for v in one.cells}) for axis in (0, 1)) > 1]
    gaps = grid_gaps(model, grid, hidden)
    boxes = [one for one in wide if any(gaps) and _is_box(one, grid, gaps)]
    rest = [one for one in wide if one not in boxes]
    touching = [one for one in rest if touches(one.cells, grid)]
    kept = list(_apart(touching))
    fills = sum(len(one.cells) for one in kept) == len(grid)
    regions = kept if not boxes and (fills or len(kept) == len(touching)) else []
    taken = {v for one in regions for v in one.cells}
    straight = [
        one for one in groups
        if one not in wide and taken.isdisjoint(one.cells) and not _is_whole(one, grid) and touches(one.cells, grid)
    ]  # fmt: skip
    part = list(_apart(straight))
    if regions or (not wide and len(part) == len(straight)):
        regions = sorted([*regions, *part], key=lambda one: one.number)
    shaded = [one for one in rest if one not in regions and (one not in touching or _is_full(one, grid))]
    covered = {v for one in shaded for v in one.cells}
    return Areas(tuple(boxes), tuple(regions), tuple(shaded if len(covered) <= MOST_SHADED * len(grid) else ()))


def touches(cells: Collection[Variable], grid: Grid) -> bool:
    """Whether every cell can be reached from every other, from neighbour to neighbour."""
    waiting = [next(iter(cells))]
    seen = set(waiting)
    at = {grid[v]: v for v in cells}
    while waiting:
        r, c = grid[waiting.pop()]
        beside = (at.get(place) for place in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)))
        fresh = [v for v in beside if v and v not in seen]
        seen.update(fresh)
        waiting += fresh
    return len(seen) == len(cells)


def sides(areas: Iterable[Area], grid: Grid) -> tuple[set[Position], set[Position]]:
    """The places with a border to their right, and those with one below: wherever another area, or none, begins.

    Examples
    --------
    >>> one, other = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> right, below = sides([Area(0, (one,))], {one: (0, 0), other: (0, 1)})
    >>> sorted(right), sorted(below)
    ([(0, -1), (0, 0)], [(-1, 0), (0, 0)])
    """
    of = {grid[v]: number for number, area in enumerate(areas) for v in area.cells}
    near = {(r - i, c - j) for r, c in of for i, j in ((0, 0), (0, 1), (1, 0))}
    right = {(r, c) for r, c in near if of.get((r, c)) != of.get((r, c + 1))}
    return right, {(r, c) for r, c in near if of.get((r, c)) != of.get((r + 1, c))}


def outline(places: Collection[Position]) -> list[list[Position]]:
    """The border of some cells as closed ways along their corners; (r, c) is the upper left corner of that cell.

    The cells lie to the right of the way. Where two of them meet in a corner alone, the way stays with one of them.

    Examples
    --------
    >>> outline([(0, 0), (0, 1)])
    [[(0, 0), (0, 2), (1, 2), (1, 0)]]
    """
    inside = set(places)
    edges: dict[Position, list[Position]] = {}
    for r, c in sorted(inside):
        for (dr, dc), start, end in (
            ((-1, 0), (r, c), (r, c + 1)),
            ((0, 1), (r, c + 1), (r + 1, c + 1)),
            ((1, 0), (r + 1, c + 1), (r + 1, c)),
            ((0, -1), (r + 1, c), (r, c)),
        ):
            if (r + dr, c + dc) not in inside:
                edges.setdefault(start, []).append(end)
    ways = []
    while edges:
        start = at = min(edges)
        way: list[Position] = []
        before = (0, 0)
        while True:
            ends = edges[at]
            end = next((e for e in ends if _turn(before, (e[0] - at[0], e[1] - at[1])) > 0), ends[0])
            ends.remove(end)
            if not ends:
                del edges[at]
            step = end[0] - at[0], end[1] - at[1]
            if step != before:
                way.append(at)
            at, before = end, step
            if at == start:
                break
        ways.append(way)
    return ways


def _turn(one: Position, other: Position) -> int:
    """Positive where the way turns to the right, so that it stays with its cell."""
    return one[1] * other[0] - one[0] * other[1]


def _apart(areas: Iterable[Area]) -> Iterator[Area]:
    """Those that have no cell in common with one before them."""
    taken: set[Variable] = set()
    for one in areas:
        if taken.isdisjoint(one.cells):
            taken.update(one.cells)
            yield one


def _is_full(area: Area, grid: Grid) -> bool:
    """Whether it is a whole rectangle."""
    lines = list(zip(*(grid[v] for v in area.cells), strict=True))
    high, wide = (max(line) - min(line) + 1 for line in lines)
    return bool(high * wide == len(area.cells))


def _is_box(area: Area, grid: Grid, gaps: Sequence[Collection[int]]) -> bool:
    """Whether it is all that is between gaps."""
    if not _is_full(area, grid):
        return False
    most = [max(line) for line in zip(*grid.values(), strict=True)]
    for axis, own in enumerate(gaps):
        line = [grid[v][axis] for v in area.cells]
        first, last = min(line), max(line)
        if (first and first - 1 not in own) or (last < most[axis] and last not in own):
            return False
        if any(first <= gap < last for gap in own):
            return False
    return True


def _is_whole(area: Area, grid: Mapping[Variable, Position]) -> bool:
    """Whether it is a whole row or column."""
    own = frozenset(area.cells)
    return any(
        own == {v for v, place in grid.items() if place[axis] == grid[area.cells[0]][axis]} for axis in (0, 1)
    )  # fmt: skip
