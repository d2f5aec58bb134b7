"""Find the places of constraint nodes.

They are at the ends of rows and columns, on borders, beside boards, or between variables. ``nodes.py`` makes the nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import cos, hypot, inf, pi, sin

from ...board.areas import is_connected
from ...board.grid import Grid
from ...board.puzzle import PrintedGrid
from ...model import Constraint, Model, Variable
from .drawings import Geometry
from .layout import CELL, Placement, Point

MARGIN = 40.0  # between a grid and the constraints beside it
FAR = 48.0  # the same for a crowded grid, whose boxes have frames
BOARD = (110.0, 90.0)  # from a board to the left ends of the constraints beside it, and to the middles below it
TITLE = 32.0  # the height of the title of a board
STEP = 26.0  # between constraints beside a board
BUS = 30.0  # between constraints with buses
CORNER = (30.0, 24.0)  # from the corner of a board to the node of its first bus, along its lines and across them
MAX_BUSES = 8  # maximum number of constraints beside a board that have buses; one has straight edges
CLUES = 24.0  # additional margin for printed clues
GAP = 28.0  # between constraints
NODE = (62.0, 30.0)  # the room of a constraint beside a grid
STACK = (66.0, 34.0)  # between constraints at the end of one row, and of one column
STAIR = 42.0  # between constraints of one level, on the left
TAB = 14.0  # the height of a constraint node on the border of a box or region
ROOMY, LOW_TAB = 7.0, 12.0  # the gap between cells that such a node needs, and the height of a node in a narrower gap
STRAY = 400  # with more constraints, their places are not checked for overlaps


def factor_places(model: Model, layout: Placement) -> dict[int, Point]:
    """Return the position of a node for each constraint on two or more variables.

    A constraint in a row of a grid is to the right of the row, and a constraint in a column below it. On a crowded
    grid, a box or region has a tab on its upper border, and any other constraint is on the left margin. Without a
    crowded grid, it is in the middle of its variables or on the nearest free spot.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2)}, [AllDifferent.of("AB")])
    >>> len(factor_places(model, layout(model)))
    1
    """
    places: dict[int, Point] = {}
    on_left: dict[int, list[int]] = {}
    on_boards: dict[int, list[int]] = {}
    elsewhere: list[int] = []
    tabs = tab_places(layout)
    # Sort the constraints by region: a board, a tab, the end of a row or column, the left margin, or elsewhere.
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) < 2:
            continue
        index = grid_of(constraint, layout)
        if index is None:
            elsewhere.append(number)
            continue
        grid = layout.tracks[index]
        if index >= len(layout.grids):
            on_boards.setdefault(index, []).append(number)
            continue
        if frozenset(constraint.scope) in tabs:
            places[number] = tabs[frozenset(constraint.scope)][0]
            continue
        rows, columns = (sorted({grid[v][axis] for v in constraint.scope}) for axis in (0, 1))
        if len(rows) > 1 < len(columns):
            (on_left.setdefault(index, []) if layout.crowded else elsewhere).append(number)
            continue
        places[number] = _beside(layout, grid, constraint.scope, 0 if len(rows) == 1 else 1, places.values())
    # Place the remaining ones together, since their places depend on each other.
    for index, numbers in on_boards.items():
        places.update(_by_the_board(model, layout, layout.tracks[index], numbers))
    for index, numbers in on_left.items():
        places.update(_on_the_left(model, layout, layout.tracks[index], numbers))
    places.update(_between(model, layout, elsewhere, places))
    return dict(sorted(places.items()))


def tab_places(layout: Placement) -> dict[frozenset[Variable], tuple[Point, float]]:
    """Return the middle and height of each tab of a crowded grid, by its cells.

    Boxes, regions and windows have one. A tab is on the upper border of the first cells. It is beside the lines of the
    columns, which leave cells in their middles.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> cells = [Variable("x", r, c) for r in range(4) for c in range(4)]
    >>> box = [[v for i, v in enumerate(cells) if (i // 8, i % 4 // 2) == (r, c)] for r in (0, 1) for c in (0, 1)]
    >>> picture = layout(Model(dict.fromkeys(cells, (1, 2, 3, 4)), map(AllDifferent.of, box)), crowded=True)
    >>> list(tab_places(picture).values())[:2]
    [((38.0, -38.0), 14.0), ((202.0, -38.0), 14.0)]
    """
    places: dict[frozenset[Variable], tuple[Point, float]] = {}
    for puzzle in layout.puzzles if layout.crowded else ():
        seam = Geometry(puzzle.grid, layout.points).seam
        boxes = [frozenset(area.cells) for area in puzzle.areas.boxes]
        windows = [frozenset(area.cells) for area in puzzle.areas.shaded if is_connected(area.cells, puzzle.grid)]
        for cells in (*boxes, *filter(None, outlined_cells(puzzle)), *windows):
            first, *following = sorted(cells, key=puzzle.grid.__getitem__)
            (x, y), (_, height) = layout.points[first], layout.size(first)
            is_pair = following and puzzle.grid[following[0]] == (puzzle.grid[first][0], puzzle.grid[first][1] + 1)
            right = layout.points[following[0]][0] if is_pair else x
            # Between neighbouring cells there is less space than between boxes.
            above = TAB / 2 + 1 if cells in boxes else seam / 2
            tab_height = TAB if cells in boxes or seam >= ROOMY else LOW_TAB
            places[cells] = ((x + right) / 2, y - height / 2 - above), tab_height
    return places


def outlined_cells(puzzle: PrintedGrid) -> list[frozenset[Variable]]:
    """Return the sets of cells inside the borders of regions, those of the spec included."""
    variable_at = {at: v for v, at in puzzle.grid.items()}
    rooms = ([variable_at[at] for at in room.places if at in variable_at] for room in puzzle.drawing.rooms)
    return [*(frozenset(area.cells) for area in puzzle.areas.regions), *map(frozenset, rooms)]


def grid_of(constraint: Constraint, layout: Placement) -> int | None:
    """Return the index of the grid or board that contains a constraint's scope, or None."""
    for index, grid in enumerate(layout.tracks):
        if all(variable in grid for variable in constraint.scope):
            return index
    return None


def _beside(layout: Placement, grid: Grid, scope: Sequence[Variable], axis: int, taken: Collection[Point]) -> Point:
    """Return a free point at the end of the cells in ``scope``.

    If there is none, it is beyond the end of their row or column. It is clear of the points in ``taken``, and of the
    cells of another grid.
    """
    size, (x, y) = layout.size(scope[0]), layout.points[scope[0]]
    margin = size[axis] / 2 + (FAR if layout.crowded else MARGIN) + _outside(layout, grid)
    blocks = [*((point, layout.size(v)) for v, point in layout.points.items()), *((at, NODE) for at in taken)]
    end, grid_end = (max(layout.points[v][axis] for v in cells) + margin for cells in (scope, grid))
    while True:
        spot = (end, y) if axis == 0 else (x, end)
        if not any(
            abs(spot[0] - p) < (width + NODE[0]) / 2 and abs(spot[1] - q) < (height + NODE[1]) / 2
            for (p, q), (width, height) in blocks
        ):
            return spot
        end = grid_end if end < grid_end else end + STACK[axis]


def _on_the_left(model: Model, layout: Placement, grid: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Return points of constraints in a grid's left margin, from top to bottom.

    Constraints on one level are shifted to the right, one by one.
    """
    middles = {number: _middle(model.constraints[number].scope, layout) for number in numbers}
    order = sorted(numbers, key=lambda number: (middles[number][1], middles[number][0], number))
    ys = [layout.points[v][1] for v in grid]
    x = min(layout.points[v][0] for v in grid) - CELL / 2 - 2 * MARGIN - 2 * _outside(layout, grid)
    step = (max(ys) - min(ys) + CELL) / len(order)
    # Shift only if the margin has room for separate levels.
    levels = [middles[number][1] for number in order] if step >= STACK[1] else []
    column_of = {number: i - levels.index(levels[i]) for i, number in enumerate(order)} if levels else {}
    rightmost = max(column_of.values(), default=0)
    return {
        number: (x - STAIR * (rightmost - column_of.get(number, 0)), min(ys) - CELL / 2 + step * (i + 0.5))
        for i, number in enumerate(order)
    }


def room_beside(layout: Placement, v: Variable) -> float:
    """Return the space beside the board of a line, for edges and nodes.

    It is right of a board of rows, and below a board of columns. The title of another board needs a part of it.
    """
    along = 1 if layout.forms[v].kind == "row" else 0
    across = 1 - along
    border = layout.points[v][across] + layout.size(v)[across] / 2
    ahead = (
        point[across] - layout.size(w)[across] / 2 - border
        for w, point in layout.points.items()
        if point[across] - layout.size(w)[across] / 2 > border and min(layout.size(w))
    )
    return min(ahead, default=inf) - TITLE


def _by_the_board(model: Model, layout: Placement, board: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Return points of constraints beside a board.

    A few constraints are at the lower right corner, where buses lead to them. More are below a board of columns with
    room there. Their order is that of the middles of their variables, and they are as near to these as distinct places
    allow.
    """
    first = next(iter(board))
    along = 1 if layout.forms[first].kind == "row" else 0
    if corner := _at_the_corner(layout, board, along, numbers):
        return corner
    along = 1 if along == 0 and room_beside(layout, first) < BOARD[1] else along
    middles = {number: _middle(model.constraints[number].scope, layout)[along] for number in numbers}
    order = sorted(numbers, key=lambda number: (middles[number], number))
    low, high = (
        choose(layout.points[v][along] + side * layout.size(v)[along] / 2 for v in board)
        for choose, side in ((min, -1), (max, 1))
    )
    border = max(layout.points[v][1 - along] + layout.size(v)[1 - along] / 2 for v in board) + BOARD[1 - along]
    if along == 0:
        # Spread the nodes below a board over its whole width, since their texts are wide.
        levels = [low + (high - low) * (i + 0.5) / len(order) for i in range(len(order))]
        return {number: (level, border) for number, level in zip(order, levels, strict=True)}
    # Move each node below the preceding one, and then all back above the end of the board.
    levels = []
    for number in order:
        levels.append(max([middles[number], *(level + STEP for level in levels[-1:])]))
    for i in reversed(range(len(levels))):
        levels[i] = min(
            levels[i], levels[i + 1] - STEP if i + 1 < len(levels) else max(high - STEP / 2, middles[order[i]])
        )
    return {number: (border, level) for number, level in zip(order, levels, strict=True)}


def _at_the_corner(layout: Placement, board: Grid, along: int, numbers: Sequence[int]) -> dict[int, Point]:
    """Return points at the lower right corner of a board, one for each bus.

    A board of columns has its nodes one below the other. A board of rows has them on a stair, so that no bus passes
    another node. The result is empty if they do not fit.
    """
    across = 1 - along
    end, border = (max(layout.points[v][i] + layout.size(v)[i] / 2 for v in board) for i in (along, across))
    is_last = all(point[along] < end for point in layout.points.values())
    depth = CORNER[1] + BUS * len(numbers)
    if not is_last or not 1 < len(numbers) <= MAX_BUSES or room_beside(layout, next(iter(board))) < depth:
        return {}
    levels = [border + CORNER[1] + BUS * i for i in range(len(numbers))]
    stairs = [end + CORNER[0] + (BUS * i if along == 1 else 0) for i in reversed(range(len(numbers)))]
    points = zip(stairs, levels, strict=True) if along == 0 else zip(levels, stairs, strict=True)
    return dict(zip(numbers, points, strict=True))


def _outside(layout: Placement, grid: Grid) -> float:
    """Return how much wider a grid's margin is because of printed clues."""
    puzzle = next((candidate for candidate in layout.puzzles if candidate.grid is grid), None)
    return CLUES if puzzle and (puzzle.clues or puzzle.rays or puzzle.runs) else 0


def _between(
    model: Model, layout: Placement, numbers: Sequence[int], placed_before: Mapping[int, Point]
) -> dict[int, Point]:
    """Return ``placed_before``, and a free point near each constraint's variables.

    The spots lie on rings around the middle. The middle is used if none is free, or if the constraints are many.
    """
    blocks = [(point, layout.size(v)) for v, point in layout.points.items()]
    placed = dict(placed_before)
    for number in numbers:
        x, y = _middle(model.constraints[number].scope, layout)
        # Try rings of spots around the middle, from the inside out.
        spots = [(x + GAP / 2 * r * cos(angle), y + GAP / 2 * r * sin(angle)) for r in range(9) for angle in _angles(r)]
        neighbours = list(placed.values())
        free = (spot for spot in spots if _is_free(spot, blocks, neighbours))
        placed[number] = (x, y) if len(numbers) > STRAY else next(free, (x, y))
    return placed


def _angles(ring: int) -> list[float]:
    """Return the angles of the points on a ring that ``_between`` tries."""
    return [2 * pi * i / (6 * ring) for i in range(6 * ring)] if ring else [0.0]


def _is_free(spot: Point, blocks: Sequence[tuple[Point, Point]], neighbours: Sequence[Point]) -> bool:
    """Return whether a point has enough distance from all vertices and nodes."""
    x, y = spot
    return all(hypot(x - p, y - q) >= GAP for p, q in neighbours) and not any(
        abs(x - p) < w / 2 + GAP / 2 and abs(y - q) < h / 2 + GAP / 2 for (p, q), (w, h) in blocks
    )


def _middle(scope: Sequence[Variable], layout: Placement) -> Point:
    """Return the mean of the points of the variables in ``scope``."""
    points = [layout.points[variable] for variable in scope]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
