"""The regions of a grid that are no boxes, and the lines between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from ...model import Model, Variable
from .grid import Grid, grid_gaps, groups_on

Line = tuple[float, float, float, float]
"""From where to where, in points: x and y of both ends."""


def region_lines(
    model: Model, grid: Grid, points: Mapping[Variable, tuple[float, float]], hidden: Collection[int] = ()
) -> list[Line]:
    """The lines that part a grid into its regions.

    Regions are groups of cells that touch, other than whole rows and columns. They have lines only where no two of them
    share a cell, and none where they are boxes, which stand apart by gaps.

    Parameters
    ----------
    model : Model
    grid : mapping of Variable to (int, int)
        Row and column of every cell.
    points : mapping of Variable to (float, float)
        The middle of every cell.
    hidden : collection of int
        As for ``csp.render.plan.grid.groups_on``.

    Returns
    -------
    list of (x, y, x, y)

    Examples
    --------
    >>> from csp import AllDifferent
    >>> cell = {(r, c): Variable("cell", r, c) for r in (0, 1) for c in (0, 1)}
    >>> model = Model({v: (1, 2, 3) for v in cell.values()}, [AllDifferent.of([cell[0, 0], cell[0, 1], cell[1, 0]])])
    >>> region_lines(model, {v: at for at, v in cell.items()}, {v: (9 * c, 9 * r) for (r, c), v in cell.items()})
    [(4.5, 4.5, 4.5, 13.5), (4.5, 4.5, 13.5, 4.5)]
    """
    at = {place: variable for variable, place in grid.items()}
    lines = {frozenset(v for v, place in grid.items() if place[axis] == i) for axis in (0, 1) for i in range(len(grid))}
    regions = {frozenset(group) for group in groups_on(model, grid, hidden)} - lines
    of = {variable: region for region in regions for variable in region}
    if sum(map(len, regions)) != len(of) or any(grid_gaps(model, grid, hidden)):
        return []
    if not all(_touches(region, grid, at) for region in regions):
        return []
    borders = {
        (axis, i, j)
        for (i, j), one in at.items()
        for axis, beside in ((0, (i, j + 1)), (1, (i + 1, j)))
        if (other := at.get(beside)) and (of.get(one) or of.get(other)) and of.get(one) is not of.get(other)
    }
    return list(_joined(borders, at, points))


def _touches(region: Collection[Variable], grid: Grid, at: Mapping[tuple[int, int], Variable]) -> bool:
    """Whether every cell of a region can be reached from every other within it."""
    start = next(iter(region))
    seen, waiting = {start}, [start]
    while waiting:
        r, c = grid[waiting.pop()]
        beside = (at.get(place) for place in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)))
        fresh = [v for v in beside if v and v in region and v not in seen]
        seen.update(fresh)
        waiting += fresh
    return len(seen) == len(region)


def _joined(
    borders: Collection[tuple[int, int, int]],
    at: Mapping[tuple[int, int], Variable],
    points: Mapping[Variable, tuple[float, float]],
) -> Iterator[Line]:
    """Borders as lines as long as they go; (0, r, c) is to the right of a cell, and (1, r, c) below it."""
    half = [_pitch({points[v][axis] for v in at.values()}) / 2 for axis in (0, 1)]
    for axis, r, c in sorted(borders):
        if (axis, r - 1, c) in borders if axis == 0 else (axis, r, c - 1) in borders:
            continue
        last_r, last_c = r, c
        while (axis, last_r + (axis == 0), last_c + (axis == 1)) in borders:
            last_r, last_c = last_r + (axis == 0), last_c + (axis == 1)
        (x, y), (p, q) = points[at[r, c]], points[at[last_r, last_c]]
        if axis == 0:
            yield x + half[0], y - half[1], p + half[0], q + half[1]
        else:
            yield x - half[0], y + half[1], p + half[0], q + half[1]


def _pitch(ordinates: Collection[float]) -> float:
    """How far apart neighbours stand."""
    order = sorted(ordinates)
    return min((b - a for a, b in pairwise(order)), default=0.0)
