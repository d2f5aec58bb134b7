"""Where the constraints stand in a picture that gives each of them a vertex of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin

from ...board.grid import Grid
from ...model import Constraint, Model, Variable
from .layout import CELL, Placement, Point

MARGIN = 32.0  # between a grid and the constraints beside it
BOARD = 76.0  # from a board to the middles of those beside it
CLUES = 24.0  # more, where clues stand there
GAP = 28.0  # between constraints
STACK = (58.0, 34.0)  # between those that stand at the end of one row, and of one column
STAIR = 34.0  # between those of one level, on the left
STRAY = 400  # beyond, constraints stay where they are even if something is in the way


def factor_places(model: Model, picture: Placement) -> dict[int, Point]:
    """The place of every constraint on two or more variables.

    One that lies in a row of a grid stands to the right of it, one that lies in a column below it. Any other
    stands on the left margin of a crowded grid, and otherwise in the middle of its variables, or as near to
    that as there is room.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2)}, [AllDifferent.of("AB")])
    >>> len(factor_places(model, layout(model)))
    1
    """
    places: dict[int, Point] = {}
    left: dict[int, list[int]] = {}
    loose: list[int] = []
    taken: dict[tuple[int, int, int], int] = {}
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) < 2:
            continue
        index = _grid_of(constraint, picture)
        if index is None:
            loose.append(number)
            continue
        grid = picture.tracks[index]
        if index >= len(picture.grids):
            places[number] = _by_the_board(picture, grid, constraint.scope, taken)
            continue
        rows, columns = (sorted({grid[v][axis] for v in constraint.scope}) for axis in (0, 1))
        if len(rows) > 1 < len(columns):
            (left.setdefault(index, []) if picture.crowded else loose).append(number)
            continue
        axis, line = (0, rows[0]) if len(rows) == 1 else (1, columns[0])
        nth = taken[index, axis, line] = taken.get((index, axis, line), -1) + 1
        places[number] = _beside(picture, grid, constraint.scope[0], axis, nth)
    for index, numbers in left.items():
        places.update(_on_the_left(model, picture, picture.tracks[index], numbers))
    places.update(_between(model, picture, loose, places))
    return dict(sorted(places.items()))


def _grid_of(constraint: Constraint, picture: Placement) -> int | None:
    for index, grid in enumerate(picture.tracks):
        if all(variable in grid for variable in constraint.scope):
            return index
    return None


def _beside(picture: Placement, grid: Grid, member: Variable, axis: int, nth: int) -> Point:
    """On the margin of a row or column, the nth one further out."""
    size = picture.size(member)
    margin = MARGIN + _outside(picture, grid)
    ends = [max(picture.points[v][i] for v in grid) + size[i] / 2 + margin + nth * STACK[i] for i in (0, 1)]
    x, y = picture.points[member]
    return (ends[0], y) if axis == 0 else (x, ends[1])


def _on_the_left(model: Model, picture: Placement, grid: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Evenly down the left margin, in the order of their middles; those on one level further to the right each."""
    middles = {n: _middle(model.constraints[n].scope, picture) for n in numbers}
    order = sorted(numbers, key=lambda n: (middles[n][1], middles[n][0], n))
    ys = [picture.points[v][1] for v in grid]
    x = min(picture.points[v][0] for v in grid) - CELL / 2 - 2 * MARGIN - 2 * _outside(picture, grid)
    step = (max(ys) - min(ys) + CELL) / len(order)
    levels = [middles[n][1] for n in order] if step >= STACK[1] else []  # or there is no room for any
    right = {n: i - levels.index(levels[i]) for i, n in enumerate(order)} if levels else {}
    most = max(right.values(), default=0)
    return {
        n: (x - STAIR * (most - right.get(n, 0)), min(ys) - CELL / 2 + step * (i + 0.5)) for i, n in enumerate(order)
    }


def _by_the_board(
    picture: Placement, board: Grid, scope: Sequence[Variable], taken: dict[tuple[int, int, int], int]
) -> Point:
    """On the right of a board, at the middle of the lines that it is about; one below the other."""
    right = max(picture.points[v][0] + picture.size(v)[0] / 2 for v in board)
    _, y = _middle(scope, picture)
    key = 2, round(right), round(y)
    nth = taken[key] = taken.get(key, -1) + 1
    return right + BOARD, y + nth * STACK[1]


def _outside(picture: Placement, grid: Grid) -> float:
    """The room for what stands beside a grid."""
    puzzle = next((one for one in picture.puzzles if one.grid is grid), None)
    return CLUES if puzzle and (puzzle.clues or puzzle.rays or puzzle.across or puzzle.down) else 0


def _between(model: Model, picture: Placement, numbers: Sequence[int], others: Mapping[int, Point]) -> dict[int, Point]:
    """In the middle of their variables, or on the nearest free spot of a spiral around it."""
    blocks = [(point, picture.size(v)) for v, point in picture.points.items()]
    placed = dict(others)
    for number in numbers:
        x, y = _middle(model.constraints[number].scope, picture)
        spots = [(x + GAP / 2 * r * cos(a), y + GAP / 2 * r * sin(a)) for r in range(9) for a in _angles(r)]
        crowd = list(placed.values())
        free = (spot for spot in spots if _is_free(spot, blocks, crowd))
        placed[number] = (x, y) if len(numbers) > STRAY else next(free, (x, y))
    return placed


def _angles(ring: int) -> list[float]:
    return [2 * pi * i / (6 * ring) for i in range(6 * ring)] if ring else [0.0]


def _is_free(spot: Point, blocks: Sequence[tuple[Point, Point]], crowd: Sequence[Point]) -> bool:
    x, y = spot
    return all(hypot(x - p, y - q) >= GAP for p, q in crowd) and not any(
        abs(x - p) < w / 2 + GAP / 2 and abs(y - q) < h / 2 + GAP / 2 for (p, q), (w, h) in blocks
    )


def _middle(scope: Sequence[Variable], picture: Placement) -> Point:
    points = [picture.points[variable] for variable in scope]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
