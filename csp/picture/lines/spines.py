"""Spines: one faint line per constraint where edges between all its cells would cover them.

In a grid a spine runs through the cells; beside a board it is a rail with a stub to each row or column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from math import copysign

from ...board.areas import outline
from ...model import Model, Variable
from ..edges import Box, between, look, outside, shortest_joins
from ..layout.drawings import Geometry
from ..layout.forms import LINES
from ..layout.layout import BOX_SEAM, Placement
from ..layout.spots import outlined_cells
from ..shapes import SHADES, UNDER, Point, Shape, line

FRAME = 10 / 28
"""The distance of the frame of a box from its cells, as a share of the gap between two boxes."""
RAIL = 7.0
"""Distance between two rails, and of the first one from its board, in points."""
CHANNELS = (10.0, 6.0, 14.0)
"""Distances of a line between cells from the border of its last cell, in points, in the order of their use."""
HEADER = 12.0
"""Minimum distance of a line beside a grid from the middle of a header or clue, in points."""
CLEAR, APART = 5.0, 3.0
"""Minimum distances in points of such a line from a cell, and from another line beside it."""
TOUCHING = 1.25
"""Two cells touch at a corner if their distance is less than this many times their size, in both directions."""


def spines(model: Model, layout: Placement, numbers: Iterable[int], nodes: Mapping[int, Box]) -> Iterator[Shape]:
    """Yield one faint line (spine) for each constraint whose cells have no room for edges.

    A spine lies behind all cells, so that it shows between them and covers no value. It leads to the node of its
    constraint, if ``nodes`` has its place, and reaches a cell behind others through the gap between them. A box has a
    frame instead. Constraints on the same cells share a spine, without those that have the sign ≠ beside their clue.
    A constraint has none if its vertices have room for edges, if its variables are only partly on a board, or if a
    sign, a cage or the border of a region joins its cells.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from ..layout.layout import layout
    >>> row = [Variable("x", 1, c) for c in range(1, 4)]
    >>> model = Model(dict.fromkeys(row, (1, 2, 3)), [AllDifferent.of(row)])
    >>> [spine] = spines(model, layout(model, crowded=True), [0], {})
    >>> spine.look, spine.points
    ('spine', ((0.0, 0.0), (152.0, 0.0)))
    """
    taken: list[tuple[bool, float, float, int]] = []
    routes: list[tuple[Point, Point]] = []
    frames = dict(_frames(layout))
    joined, runs, signed = joined_cells(layout), numbers_of_runs(layout), numbers_with_signs(model, layout)
    # Collect the constraints on the same cells.
    members: dict[frozenset[Variable], list[int]] = {}
    for number in numbers:
        drawn = frozenset(v for v in model.constraints[number].scope if min(layout.size(v)))
        members.setdefault(drawn, []).append(number)
    for cells, numbers_of_cells in members.items():
        number = next((n for n in numbers_of_cells if n in nodes), numbers_of_cells[0])
        scope, start = [v for v in model.constraints[number].scope if v in cells], nodes.get(number)
        if len(scope) < 2 or not layout.shows_no_edges(scope) or cells in joined:
            continue
        is_plain = any(look(model.constraints[n]) == "plain" for n in numbers_of_cells)
        words = "spine" if is_plain else "spine dashed"
        if cells in frames:
            yield line(f"{words} framing", *frames[cells], constraints=tuple(numbers_of_cells))._replace(layer=SHADES)
            continue
        kinds = {layout.forms[v].kind for v in scope}
        if len(kinds) == 1 and kinds <= LINES and len(scope) == len(model.constraints[number].scope):
            points = _rail(layout, scope, start, taken)
        elif kinds.isdisjoint(LINES):
            blocks = [node for node in nodes.values() if node != start] if start else []
            points = _walk(layout, scope, start, blocks, routes)
        else:
            continue
        # The line to a clue is over its black square.
        is_stub = start is not None and number in runs
        represented = tuple(n for n in numbers_of_cells if not is_stub or n not in signed)
        shape = line(f"{words} stub" if is_stub else words, *points, constraints=represented)
        yield shape._replace(layer=UNDER if is_stub else SHADES)


def numbers_of_runs(layout: Placement) -> set[int]:
    """Return the constraints whose clues are in the black squares of a number crossword."""
    return {number for run in layout.runs for number in (*run.numbers, *run.rules)}


def numbers_with_signs(model: Model, layout: Placement) -> set[int]:
    """Return the constraints that have a sign beside the clue of their run."""
    return {number for run in layout.runs for number in run.rules if look(model.constraints[number]) == "plain"}


def joined_cells(layout: Placement) -> set[frozenset[Variable]]:
    """Return the sets of cells that a printed sign or border joins."""
    joined = {frozenset(area.cells) for puzzle in layout.puzzles for area in puzzle.cages}
    joined |= {frozenset((sign.first, sign.second)) for puzzle in layout.puzzles for sign in puzzle.signs}
    return joined.union(*map(outlined_cells, layout.puzzles))


def _frames(layout: Placement) -> Iterator[tuple[frozenset[Variable], list[Point]]]:
    """Yield the cells of each box of a crowded grid, with the frame around them.

    The frame is in the gap between two boxes, nearer to its middle than the arrows in it.
    """
    for puzzle in layout.puzzles if layout.crowded else ():
        geometry = Geometry(puzzle.grid, layout.points)
        for area in puzzle.areas.boxes:
            for corners in outline([puzzle.grid[v] for v in area.cells]):
                yield frozenset(area.cells), geometry.closed_line(corners, (geometry.seam + BOX_SEAM) * FRAME)


def _walk(
    layout: Placement,
    scope: Sequence[Variable],
    node: Box | None,
    blocks: Sequence[Box],
    routes: list[tuple[Point, Point]],
) -> list[Point]:
    """Return one line that follows all links between neighbouring cells of a constraint.

    It begins at the constraint node, if there is one, and goes back over links where it must. ``blocks`` are the other
    nodes, and ``routes`` the lines so far that run between cells.
    """
    points = layout.points
    ends, links = shortest_joins(scope, node[0] if node else None, layout)
    # Without a straight line to a cell, run between the other cells.
    route = _route(layout, scope, node, blocks, routes) if node and not ends else []
    if route:
        ends = [next(v for v in scope if points[v] == route[-1])]
        routes.append((route[1], route[2]))
    neighbours: dict[Variable, list[Variable]] = {v: [] for v in scope}
    for first, second in dict.fromkeys([*links, *_diagonal_links(layout, scope)]):
        neighbours[first].append(second)
        neighbours[second].append(first)
    # Begin at a cell beside the node, else at an end of the line.
    stack = [ends[0] if ends else min(scope, key=lambda v: len(neighbours[v]))]
    cell = points[stack[0]], layout.size(stack[0])
    has_clues = any(puzzle.clues or puzzle.rays for puzzle in layout.puzzles)
    path = route[:-1] or (_approach(node, cell, has_clues) if node and ends else [])
    path.append(cell[0])
    seen: set[frozenset[Variable]] = set()
    # Walk over every link; at a cell without new links, go back.
    while stack:
        v = stack[-1]
        following = next((w for w in neighbours[v] if frozenset((v, w)) not in seen), None)
        if following is None:
            stack.pop()
            path += [points[stack[-1]]] if stack and len(seen) < sum(map(len, neighbours.values())) / 2 else []
        else:
            seen.add(frozenset((v, following)))
            stack.append(following)
            path.append(points[following])
    return _without_middles(path)


def _approach(node: Box, cell: Box, has_clues: bool) -> list[Point]:
    """Return the line from a node to a cell, clear of headers and clues.

    It is level or upright if possible. Headers and clues are in the middle of rows and columns: headers on the left and
    above, clues on all sides.
    """
    (start, size), (end, cell_size) = node, cell
    along, across = (0, 1) if abs(start[0] - end[0]) > abs(start[1] - end[1]) else (1, 0)
    offset = start[across] - end[across]
    if abs(offset) >= 1 or has_clues:
        offset = copysign(max(abs(offset), HEADER), offset)
    level = end[across] + offset
    if abs(level - start[across]) > size[across] / 2 or abs(offset) > cell_size[across] / 2:
        return [between(outside(*node), cell)[0]]
    border = start[along] + copysign(size[along] / 2, end[along] - start[along])
    return [(border, level), (end[along], level)] if along == 0 else [(level, border), (level, end[along])]


def _route(
    layout: Placement,
    scope: Sequence[Variable],
    node: Box,
    blocks: Sequence[Box],
    routes: Sequence[tuple[Point, Point]],
) -> list[Point]:
    """Return the shortest line in three parts from a node to a cell.

    The list is empty without one.

    The first part leads from the node to a gap between cells, the second part along the gap, and the last one into the
    cell. No part touches another cell or node, and no second part touches that of another line.
    """
    (x, y), (width, height) = node
    lows = [min(point[i] for point in layout.points.values()) for i in (0, 1)]
    candidates: list[tuple[float, list[Point]]] = []
    for v in scope:
        (p, q), size = layout.points[v], layout.size(v)
        for side, distance in product((-1, 1), CHANNELS):
            across, down = p + side * (size[0] / 2 + distance), q + side * (size[1] / 2 + distance)
            ends = x + width / 2 if across > x else x - width / 2, y + height / 2 if down > y else y - height / 2
            paths = [[(x, ends[1]), (x, down), (p, down), (p, q)]] if down > lows[1] else []
            # Headers are above the first row and left of the first column.
            paths += [[(ends[0], y), (across, y), (across, q), (p, q)]] if across > lows[0] else []
            candidates += ((sum(abs(c - a) + abs(d - b) for (a, b), (c, d) in pairwise(path)), path) for path in paths)
    # Take the shortest free line.
    boxes = [*blocks, *((point, size) for v, point, size in layout.places if v not in scope)]
    corners = [(x - w / 2 - CLEAR, y - h / 2 - CLEAR, x + w / 2 + CLEAR, y + h / 2 + CLEAR) for (x, y), (w, h) in boxes]
    for _, path in sorted(candidates):
        if not any(_overlap(path[1:3], other) for other in routes) and not any(map(partial(_meets, path), corners)):
            return path
    return []


def _meets(line: Sequence[Point], corners: tuple[float, float, float, float]) -> bool:
    """Return whether a line of horizontal and vertical parts meets a box.

    ``corners`` are the left, top, right and bottom of the box.
    """
    left, top, right, bottom = corners
    return any(
        (x < right or p < right) and (x > left or p > left) and (y < bottom or q < bottom) and (y > top or q > top)
        for (x, y), (p, q) in pairwise(line)
    )


def _overlap(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Return whether two horizontal or vertical lines are nearly at the same place."""
    (x, y), (p, q) = second
    return _meets(first, (min(x, p) - APART, min(y, q) - APART, max(x, p) + APART, max(y, q) + APART))


def _diagonal_links(layout: Placement, scope: Sequence[Variable]) -> Iterator[tuple[Variable, Variable]]:
    """Yield the pairs of a constraint's cells that touch at a corner."""
    points, size = layout.points, layout.size
    for v, w in combinations(scope, 2):
        offsets = [abs(points[v][i] - points[w][i]) / size(v)[i] for i in (0, 1)]
        if min(offsets) > 0 and max(offsets) < TOUCHING:
            yield v, w


def _without_middles(path: Sequence[Point]) -> list[Point]:
    """Return a line without the points at which its direction stays the same."""
    kept = [*path[:1]]
    for (x, y), (p, q) in pairwise(path[1:]):
        (a, b) = kept[-1]
        if abs((x - a) * (q - y) - (y - b) * (p - x)) > 0.1 or (x - a) * (p - x) + (y - b) * (q - y) < 0:
            kept.append((x, y))
    return [*kept, *path[-1:]]


def _rail(
    layout: Placement, scope: Sequence[Variable], node: Box | None, rails: list[tuple[bool, float, float, int]]
) -> list[Point]:
    """Return a line beside a board with branches to variables; add it to ``rails``.

    A node on the right of the board has a branch, too.
    """
    is_down = layout.forms[scope[0]].kind == "row"
    along, across = (1, 0) if is_down else (0, 1)
    stops = sorted(layout.points[v][along] for v in scope)
    border = max(layout.points[v][across] + layout.size(v)[across] / 2 for v in scope)
    # Take the first track without another rail in this range.
    used = {track for down, first, last, track in rails if down == is_down and first <= stops[-1] and last >= stops[0]}
    track = next(i for i in range(len(used) + 1) if i not in used)
    rails.append((is_down, stops[0], stops[-1], track))
    rail = border + RAIL * (track + 1)
    path = [point for stop in stops for point in ((stop, rail), (stop, border), (stop, rail))][1:]
    path = [(y, x) for x, y in path] if is_down else path
    if not node:
        return path[:-1]
    # Turn upwards beside the board, or leave a rail on the right where it passes the node.
    (x, y), (width, _) = node
    turn = rail if is_down else max(p + layout.size(v)[0] / 2 for v, (p, _) in layout.points.items()) + rail - border
    return [*path, (turn, path[-1][1]), (turn, y), (x - width / 2, y)]
