"""Compute the positions of constraint nodes, beside grids and between variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin

from ...board.grid import Grid
from ...model import Constraint, Model, Variable
from .layout import CELL, Placement, Point

MARGIN = 32.0  # between a grid and the constraints beside it
BOARD = 76.0  # from a board to the middles of the constraints beside it
CLUES = 24.0  # additional margin for printed clues
GAP = 28.0  # between constraints
STACK = (58.0, 34.0)  # between constraints at the end of one row, and of one column
STAIR = 34.0  # between constraints of one level, on the left
STRAY = 400  # with more constraints, their places are not checked for overlaps


def factor_places(model: Model, layout: Placement) -> dict[int, Point]:
    """Return the position of the node of each constraint on several variables.

    A constraint in a row of a grid is to the right of the row, and a constraint in a column below it. Any other is on
    the left margin of a crowded grid; without one, it is in the middle of its variables or on the nearest free spot.

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
    elsewhere: list[int] = []
    stacked: dict[tuple[int, int, int], int] = {}
    # Sort the constraints by region: a board, the end of a row or column, the left margin, or elsewhere.
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) < 2:
            continue
        index = _grid_of(constraint, layout)
        if index is None:
            elsewhere.append(number)
            continue
        grid = layout.tracks[index]
        if index >= len(layout.grids):
            places[number] = _by_the_board(layout, grid, constraint.scope, stacked)
            continue
        rows, columns = (sorted({grid[v][axis] for v in constraint.scope}) for axis in (0, 1))
        if len(rows) > 1 < len(columns):
            (on_left.setdefault(index, []) if layout.crowded else elsewhere).append(number)
            continue
        axis, line = (0, rows[0]) if len(rows) == 1 else (1, columns[0])
        position = stacked[index, axis, line] = stacked.get((index, axis, line), -1) + 1
        places[number] = _beside(layout, grid, constraint.scope[0], axis, position)
    # Place the remaining ones together, since their places depend on each other.
    for index, numbers in on_left.items():
        places.update(_on_the_left(model, layout, layout.tracks[index], numbers))
    places.update(_between(model, layout, elsewhere, places))
    return dict(sorted(places.items()))


def _grid_of(constraint: Constraint, layout: Placement) -> int | None:
    """Return the index of the grid with all variables of a constraint, or None."""
    for index, grid in enumerate(layout.tracks):
        if all(variable in grid for variable in constraint.scope):
            return index
    return None


def _beside(layout: Placement, grid: Grid, cell: Variable, axis: int, position: int) -> Point:
    """Return a point beyond the end of a row or column, by position number."""
    size = layout.size(cell)
    margin = MARGIN + _outside(layout, grid)
    ends = [max(layout.points[v][i] for v in grid) + size[i] / 2 + margin + position * STACK[i] for i in (0, 1)]
    x, y = layout.points[cell]
    return (ends[0], y) if axis == 0 else (x, ends[1])


def _on_the_left(model: Model, layout: Placement, grid: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Return evenly spaced points in the left margin, ordered like their constraints.

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


def _by_the_board(
    layout: Placement, board: Grid, scope: Sequence[Variable], stacked: dict[tuple[int, int, int], int]
) -> Point:
    """Return a point right of a board, level with the constraint's variables.

    Constraints with one middle are below each other.
    """
    right = max(layout.points[v][0] + layout.size(v)[0] / 2 for v in board)
    _, y = _middle(scope, layout)
    key = 2, round(right), round(y)
    position = stacked[key] = stacked.get(key, -1) + 1
    return right + BOARD, y + position * STACK[1]


def _outside(layout: Placement, grid: Grid) -> float:
    """Return the extra margin that clues printed beside a grid need."""
    puzzle = next((candidate for candidate in layout.puzzles if candidate.grid is grid), None)
    return CLUES if puzzle and (puzzle.clues or puzzle.rays or puzzle.across or puzzle.down) else 0


def _between(
    model: Model, layout: Placement, numbers: Sequence[int], placed_before: Mapping[int, Point]
) -> dict[int, Point]:
    """Return a free point near the middle of each constraint's variables.

    The spots lie on rings around the middle.
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
    """Return the angles of the candidate spots on a ring around a middle."""
    return [2 * pi * i / (6 * ring) for i in range(6 * ring)] if ring else [0.0]


def _is_free(spot: Point, blocks: Sequence[tuple[Point, Point]], neighbours: Sequence[Point]) -> bool:
    """Return whether a spot touches neither a vertex nor another constraint node."""
    x, y = spot
    return all(hypot(x - p, y - q) >= GAP for p, q in neighbours) and not any(
        abs(x - p) < w / 2 + GAP / 2 and abs(y - q) < h / 2 + GAP / 2 for (p, q), (w, h) in blocks
    )


def _middle(scope: Sequence[Variable], layout: Placement) -> Point:
    """Return the mean of the points of variables."""
    points = [layout.points[variable] for variable in scope]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
