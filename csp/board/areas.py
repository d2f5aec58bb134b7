"""Find the boxes, regions and shaded groups of a grid, and their borders.

Look here if a picture or an answer has borders at wrong places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..base.frozen import Frozen
from ..model import Model, Variable
from .grid import Grid, Position, grid_gaps, numbered_groups

MAX_SHADED = 0.6
"""Maximum share of a grid's cells that is shaded; if it would be more, nothing is shaded."""


class Area(Frozen):
    """The cells of one constraint, with the text of its clue.

    Attributes
    ----------
    number : int
        The number of the constraint in the model.
    cells : tuple of Variable
    text : str
        The clue of the constraint; empty for all_different.
    """

    number: int
    cells: tuple[Variable, ...]
    text: str = ""


class Areas(Frozen):
    """The all_different groups of a grid, sorted into boxes, regions and shaded groups.

    Attributes
    ----------
    boxes : tuple of Area
        Rectangles of one size that fill the grid; they have gaps between them.
    regions : tuple of Area
        Connected cells; regions are disjoint and have an outline.
    shaded : tuple of Area
        All other groups, such as windows and diagonals.
    """

    boxes: tuple[Area, ...] = ()
    regions: tuple[Area, ...] = ()
    shaded: tuple[Area, ...] = ()


def find_areas(
    model: Model, grid: Grid, hidden: Collection[int] = (), caged: Collection[frozenset[Variable]] = ()
) -> Areas:
    """Sort the all_different groups of a grid into boxes, regions and shaded groups.

    ``hidden`` are numbers of constraints to ignore, and ``caged`` sets of cells that are cages.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> cell = {(r, c): Variable("cell", r, c) for r in (0, 1, 2) for c in (0, 1, 2)}
    >>> parts = [[(0, 0), (0, 1), (1, 0)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (0, 1), (0, 2)]]
    >>> groups = [AllDifferent.of([cell[at] for at in part]) for part in parts]
    >>> areas = find_areas(Model({v: (1, 2, 3) for v in cell.values()}, groups), {v: at for at, v in cell.items()})
    >>> [area.number for area in areas.regions], [area.number for area in areas.shaded]
    ([0], [1])
    """
    groups = [
        Area(number, scope)
        for number, scope in numbered_groups(model, grid, hidden)
        if frozenset(scope) not in caged and 1 < len(scope) < len(grid)
    ]
    # Candidates for boxes, regions and shades have more than one row and more than one column.
    wide = [area for area in groups if min(len({grid[v][axis] for v in area.cells}) for axis in (0, 1)) > 1]
    gaps = grid_gaps(model, grid, hidden)
    boxes = [area for area in wide if any(gaps) and _is_box(area, grid, gaps)]
    others = [area for area in wide if area not in boxes]
    touching = [area for area in others if is_connected(area.cells, grid)]
    # Regions do not overlap; they fill the grid, or all connected groups are regions.
    disjoint = list(_disjoint(touching))
    fills = sum(len(area.cells) for area in disjoint) == len(grid)
    regions = disjoint if not boxes and (fills or len(disjoint) == len(touching)) else []
    taken = {v for area in regions for v in area.cells}
    # Connected parts of rows and columns may be regions, too.
    straight = [
        area for area in groups
        if area not in wide and taken.isdisjoint(area.cells) and not _is_whole(area, grid)
        and is_connected(area.cells, grid)
    ]  # fmt: skip
    disjoint_lines = list(_disjoint(straight))
    if regions or (not wide and len(disjoint_lines) == len(straight)):
        regions = sorted([*regions, *disjoint_lines], key=lambda area: area.number)
    shaded = [area for area in others if area not in regions and (area not in touching or _is_full(area, grid))]
    covered = {v for area in shaded for v in area.cells}
    return Areas(tuple(boxes), tuple(regions), tuple(shaded if len(covered) <= MAX_SHADED * len(grid) else ()))


def is_connected(cells: Collection[Variable], grid: Grid) -> bool:
    """Return whether the cells are connected by common sides."""
    pending = [next(iter(cells))]
    reached = set(pending)
    cell_at = {grid[v]: v for v in cells}
    while pending:
        r, c = grid[pending.pop()]
        neighbours = (cell_at.get(place) for place in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)))
        new_cells = [v for v in neighbours if v and v not in reached]
        reached.update(new_cells)
        pending += new_cells
    return len(reached) == len(cells)


def border_places(areas: Iterable[Area], grid: Grid) -> tuple[set[Position], set[Position]]:
    """Return the places where an area ends on the right, and where one ends below.

    A border is wherever an area ends, towards another area or no area.

    Examples
    --------
    >>> first, second = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> right, below = border_places([Area(0, (first,))], {first: (0, 0), second: (0, 1)})
    >>> sorted(right), sorted(below)
    ([(0, -1), (0, 0)], [(-1, 0), (0, 0)])
    """
    area_of = {grid[v]: number for number, area in enumerate(areas) for v in area.cells}
    places = {(r - i, c - j) for r, c in area_of for i, j in ((0, 0), (0, 1), (1, 0))}
    right = {(r, c) for r, c in places if area_of.get((r, c)) != area_of.get((r, c + 1))}
    return right, {(r, c) for r, c in places if area_of.get((r, c)) != area_of.get((r + 1, c))}


def outline(places: Collection[Position]) -> list[list[Position]]:
    """Return the outlines of a set of cells as closed paths, listed by their corners.

    A corner (r, c) is the upper left corner of the cell (r, c). The cells are to the right of the path. Where two cells
    meet only in a corner, the path stays with one of them.

    Examples
    --------
    >>> outline([(0, 0), (0, 1)])
    [[(0, 0), (0, 2), (1, 2), (1, 0)]]
    """
    inside = set(places)
    # The sides of cells that border on no other cell, each with its cell to the right.
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
    # Follow the sides from corner to corner until the path closes; keep the corners where it turns.
    paths = []
    while edges:
        start = corner = min(edges)
        path: list[Position] = []
        last_step = (0, 0)
        while True:
            ends = edges[corner]
            end = next(
                (
                    corner_after
                    for corner_after in ends
                    if _turn(last_step, (corner_after[0] - corner[0], corner_after[1] - corner[1])) > 0
                ),
                ends[0],
            )
            ends.remove(end)
            if not ends:
                del edges[corner]
            step = end[0] - corner[0], end[1] - corner[1]
            if step != last_step:
                path.append(corner)
            corner, last_step = end, step
            if corner == start:
                break
        paths.append(path)
    return paths


def _turn(step: Position, next_step: Position) -> int:
    """Return the turn between two steps: positive for right, negative for left, 0 for none."""
    return step[1] * next_step[0] - step[0] * next_step[1]


def _disjoint(areas: Iterable[Area]) -> Iterator[Area]:
    """Yield each area that shares no cell with the areas yielded before."""
    taken: set[Variable] = set()
    for area in areas:
        if taken.isdisjoint(area.cells):
            taken.update(area.cells)
            yield area


def _is_full(area: Area, grid: Grid) -> bool:
    """Return whether the cells of an area fill a rectangle."""
    lines = list(zip(*(grid[v] for v in area.cells), strict=True))
    height, width = (max(line) - min(line) + 1 for line in lines)
    return bool(height * width == len(area.cells))


def _is_box(area: Area, grid: Grid, gaps: Sequence[Collection[int]]) -> bool:
    """Return whether an area is a rectangle that ``gaps`` bound but do not divide.

    ``gaps``: the rows and the columns after which a box ends.
    """
    if not _is_full(area, grid):
        return False
    last_index = [max(line) for line in zip(*grid.values(), strict=True)]
    for axis, gaps_of_axis in enumerate(gaps):
        line = [grid[v][axis] for v in area.cells]
        first, last = min(line), max(line)
        if (first and first - 1 not in gaps_of_axis) or (last < last_index[axis] and last not in gaps_of_axis):
            return False
        if any(first <= gap < last for gap in gaps_of_axis):
            return False
    return True


def _is_whole(area: Area, grid: Mapping[Variable, Position]) -> bool:
    """Return whether an area is a whole row or column of the grid."""
    cells = frozenset(area.cells)
    return any(
        cells == {v for v, place in grid.items() if place[axis] == grid[area.cells[0]][axis]} for axis in (0, 1)
    )  # fmt: skip
