"""Find routes of arrows between cells, through the streets: the gaps between cells.

``scripts/streets.js`` of the page finds the same routes by the same rules.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist, floor, inf
from typing import NamedTuple

from ..edges import Box, straight
from ..shapes import Point

TEXT, OVER_CELL, OVER_ARROW, OVER_HEAD, CROSSING, BEND = 1000.0, 200.0, 40.0, 200.0, 6.0, 12.0
"""The costs of crossing a text or a cell, of lying on another arrow, of crossing its head or its line, and of a bend.
They are added to the length of a route."""
SHARED = 0.2
"""The cost of a point of a route that lies on an earlier arrow of the same cause."""
NEAR, CLOSE = 2.4, 6.0
"""Distances below which two parallel arrows of different causes lie on each other, or are hard to distinguish."""
APART = 4.0
"""Distance below which the ends of two arrows on one line are hard to distinguish."""
TINTS, PASSES = 6, 4
"""Number of colours of arrows, and of the passes that choose them."""
TOGETHER = 1000.0
"""The weight of two keys whose arrows begin or end in one cell, as a length on which they meet."""
PAD = 2.5
"""Minimum distance of an arrow from a text, in points."""
TOUCHING = 12.0
"""Distance below which the end of an arrow lies on the end of another one, in points."""
CLOSE_COST = 0.6
"""The cost of a point of a route that is close to an arrow of another cause."""
OUTSIDE = 1.0
"""The additional cost of a point of a route along the outer side of all cells."""
LANE = 16.0
"""The width of a lane of the plane; arrows along an axis are looked up by lane."""
TILE = 64.0
"""The side of a tile of the plane; boxes are looked up by tile."""
NEIGHBOUR = 1.5
"""Maximum distance of two cells with a straight arrow, in cells."""
SHORT = 13.0
"""Minimum length of a straight arrow, in points; its head covers 8 of them."""
WITHIN = 40.0
"""Maximum distance of a street from a cell beside it, in points."""
LARGE = 28.0
"""Minimum side of a box with room for several lines, in points."""
SHIFT = 8.0
"""The distance of a straight line from the middle of large boxes, if another arrow is there, in points."""
ROUND = 4.0
"""The radius of a bend, in points."""
SIDES = ((1, -1), (1, 1), (0, -1), (0, 1))
"""The sides of a box: the axis on which they lie, and the direction on it."""

Route = tuple[Point, ...]
"""The corners of an arrow, from its start to its head."""


class _Run(NamedTuple):
    """A straight part of an arrow along an axis.

    ``at`` is its coordinate on the axis where all its points agree. The others are on the other axis: its two ends, and
    the one at which it starts.
    """

    key: Hashable
    at: float
    low: float
    high: float
    start: float
    is_last: bool


class Streets:
    """The streets of a picture, with the routes of its arrows.

    Parameters
    ----------
    cells, texts : iterable of Box
        Obstacles that a route avoids. It crosses only the cells at its ends.
    tracks : sequence of float
        The distances of streets from the borders of cells, the best first.

    Examples
    --------
    >>> cells = [((70 * i, 0), (60, 60)) for i in range(3)]
    >>> streets = Streets(cells, [], [5])
    >>> streets.find_route(cells[0], cells[2], ((0.0, 0.0), (30, 30)), [((120.0, -18.0), (14, 18))], "A")
    ((0.0, -15.0), (0.0, -35.0), (120.0, -35.0), (120.0, -27.0))
    """

    def __init__(self, cells: Iterable[Box], texts: Iterable[Box], tracks: Sequence[float]) -> None:
        boxes = list(cells)
        self._cells, self._texts = (
            _by_tile(boxes),
            _by_tile(((x, y), (w + 2 * PAD, h + 2 * PAD)) for (x, y), (w, h) in texts),
        )
        # The range of the cells on each axis; a single row has no street inside.
        borders = [
            sorted({middle[i] + side * size[i] / 2 for middle, size in boxes for side in (-1, 1)}) for i in (0, 1)
        ]
        self._bounds = [(ends[0], ends[-1]) if ends[2:] else (-inf, inf) for ends in borders]
        self._tracks = tracks
        self._own: set[Point] = set()
        self._lanes: dict[tuple[int, int], list[_Run]] = {}
        self._rivals: dict[Hashable, dict[Hashable, float]] = {}
        self._visits: dict[Box, list[tuple[Hashable, Point]]] = {}

    def find_route(self, cause: Box, target: Box, start: Box, ends: Sequence[Box], key: Hashable) -> Route:
        """Return the cheapest route from a box in one cell to one in another cell.

        Arrows with the same key, such as their cause, may lie on each other.
        """
        cells = cause, target
        self._own = {middle for middle, _ in _find_inside(self._texts, (start, *ends))}
        routes = [route for end in ends for route in self._straight_routes(*cells, start, end)]
        routes += self._routes(*cells, start, ends, self._tracks[:1])
        best, best_cost = self._cheapest(routes, cells, key)
        if best_cost > sum(map(dist, best, best[1:])) + BEND * len(best):
            # The first track is the best one, unless another saves a bend.
            detour, detour_cost = self._cheapest(self._routes(*cells, start, ends, self._tracks), cells, key)
            best = detour if detour_cost < best_cost - BEND else best
        self.visit(cells, best, key)
        for first, second in pairwise(best):
            if (axis := _axis(first, second)) is not None:
                low, high = sorted((first[1 - axis], second[1 - axis]))
                run = _Run(key, first[axis], low, high, first[1 - axis], second == best[-1])
                for beside in self._beside(axis, run.at, low, high):
                    self._add_rival(key, beside.key, max(CROSSING, min(high, beside.high) - max(low, beside.low)))
                for across in self._across(axis, run.at, low, high):
                    self._add_rival(key, across.key, CROSSING)
                self._lanes.setdefault((axis, floor(run.at / LANE)), []).append(run)
        return best

    def visit(self, cells: Iterable[Box], route: Route, key: Hashable) -> None:
        """Record the first and the last cell of an arrow."""
        self._rivals.setdefault(key, {})
        for cell, point in zip(cells, (route[0], route[-1]), strict=True):
            visits = self._visits.setdefault(cell, [])
            for rival in dict.fromkeys(rival for rival, _ in visits):
                self._add_rival(key, rival, TOGETHER)
            visits.append((key, point))

    def _add_rival(self, key: Hashable, rival: Hashable, length: float) -> None:
        """Record that the lines of two keys meet on some length."""
        for first, second in ((key, rival), (rival, key)) if rival != key else ():
            self._rivals[first][second] = self._rivals[first].get(second, 0) + length

    def tints(self) -> dict[Hashable, int]:
        """Return the number of a tint for each key.

        If possible, keys whose arrows meet, or begin or end in one cell, have different tints.
        """
        result: dict[Hashable, int] = {}
        # Later passes mend the choices that did not know the tints of later keys.
        for _ in range(PASSES):
            for key, lengths in self._rivals.items():
                met = [sum(length for rival, length in lengths.items() if result.get(rival) == i) for i in range(TINTS)]
                if key not in result or met[result[key]] > min(met):
                    result[key] = met.index(min(met))
        return result

    def _cheapest(self, routes: Iterable[Route], cells: Collection[Box], key: Hashable) -> tuple[Route, float]:
        """Return the first route of the lowest cost, and its cost."""
        best: Route = ()
        best_cost = inf
        for route in routes:
            cost = BEND * (len(route) - 2)
            for cell, point in zip(cells, (route[0], route[-1]), strict=True):
                visits = self._visits.get(cell, ())
                cost += OVER_HEAD * any(rival != key and dist(point, end) < TOUCHING for rival, end in visits)
            if cost + SHARED * sum(map(dist, route, route[1:])) >= best_cost:
                continue
            # The last parts have the most obstacles.
            for first, second in reversed([*pairwise(route)]):
                cost += self._cost(first, second, cells, key)
                if cost >= best_cost:
                    break
            else:
                best, best_cost = route, cost
        return best, best_cost

    def _straight_routes(self, cause: Box, target: Box, start: Box, end: Box) -> Iterator[Route]:
        """Yield straight lines between two neighbours.

        They run through the middles, and beside them if there is room.
        """
        if all(abs(target[0][i] - cause[0][i]) <= NEIGHBOUR * cause[1][i] for i in (0, 1)):
            straight = _clip(start, end)
            if dist(*straight) >= SHORT:
                yield straight
                if (axis := _axis(*straight)) is not None and min(*start[1], *end[1]) > LARGE:
                    for offset in (-SHIFT, SHIFT):
                        yield tuple(_put(point, axis, point[axis] + offset) for point in straight)

    def _routes(
        self, cause: Box, target: Box, start: Box, ends: Sequence[Box], tracks: Sequence[float]
    ) -> Iterator[Route]:
        """Yield routes for each pair of sides and of tracks."""
        # A line begins in the middle of a side of a small text, and ends anywhere on a side of the box of a value.
        exits = [self._gate(cause, [start], *side, target, min(start[1]) > LARGE) for side in SIDES]
        entries = [self._gate(target, ends, *side, cause) for side in SIDES]
        for (j, entry_sign), last in zip(SIDES, entries, strict=True):
            for (i, exit_sign), first in zip(SIDES, exits, strict=True):
                for track in tracks:
                    street = _beside(target, j, entry_sign, track)
                    if i == j:
                        # One street joins both cells, if it lies beside both; else a third one joins two streets.
                        if 0 < exit_sign * (street - _beside(cause, i, exit_sign, 0)) < WITHIN:
                            yield _corners(first, _put(first, i, street), _put(last, i, street), last)
                            continue
                        turn = _put(first, i, _beside(cause, i, exit_sign, track))
                        for sign in (-1, 1):
                            crossing = _put(turn, 1 - i, _beside(target, 1 - i, sign, track))
                            yield _corners(
                                first, turn, crossing, _put(crossing, i, street), _put(last, i, street), last
                            )
                    else:
                        for exit_track in tracks:
                            crossing = _put(_put(first, j, street), i, _beside(cause, i, exit_sign, exit_track))
                            yield _corners(first, _put(crossing, j, first[j]), crossing, _put(last, j, street), last)

    def _gate(
        self, cell: Box, boxes: Iterable[Box], axis: int, sign: int, other: Box, is_movable: bool = True
    ) -> Point:
        """Return the best point on a side of the boxes to leave their cell.

        The way to the border of the cell crosses the fewest texts; then it is short, and beside the other cell.
        """
        outer = _beside(cell, axis, sign, 2)
        best, least = cell[0], (inf, inf)
        for middle, size in boxes:
            inner, aside = middle[axis] + sign * size[axis] / 2, size[1 - axis] / 4
            for offset in (0.0, -aside, aside) if is_movable else (0.0,):
                place = middle[1 - axis] + offset
                gate, border = ((place, edge) if axis else (edge, place) for edge in (inner, outer))
                length = abs(outer - inner) + abs(middle[1 - axis] - other[0][1 - axis])
                cost = self._count_texts(gate, border), round(length, 1)
                if cost < least:
                    best, least = gate, cost
        return best

    def _cost(self, first: Point, second: Point, cells: Collection[Box], key: Hashable) -> float:
        """Return the cost of a straight part of a route."""
        cost = dist(first, second) + TEXT * self._count_texts(first, second)
        cost += OVER_CELL * sum(cell not in cells for cell in _find_crossed(self._cells, first, second))
        axis = _axis(first, second)
        if axis is None:
            return cost
        if not self._bounds[axis][0] < first[axis] < self._bounds[axis][1]:
            cost += OUTSIDE * dist(first, second)
        return cost + self._cost_beside(axis, first, second, key)

    def _count_texts(self, first: Point, second: Point) -> int:
        """Return the number of texts that a straight line crosses, or touches with its head.

        It may touch the texts at its ends.
        """
        crossed = _find_crossed(self._texts, first, second)
        return sum(
            middle not in self._own or _is_crossed((middle, (width - 2 * PAD, height - 2 * PAD)), first, second)
            for middle, (width, height) in crossed
        )

    def _cost_beside(self, axis: int, first: Point, second: Point, key: Hashable) -> float:
        """Return the cost of a part along an axis because of earlier arrows.

        It is negative where the part lies on arrows with the same key.
        """
        at, low, high = first[axis], min(first[1 - axis], second[1 - axis]), max(first[1 - axis], second[1 - axis])
        cost = shared = 0.0
        # Parallel arrows: of those that may share this part, only the longest one reduces the cost.
        for run in self._beside(axis, at, low, high):
            gap, common = abs(run.at - at), max(0.0, min(high, run.high) - max(low, run.low))
            if run.key != key:
                cost += OVER_ARROW + 12 * common if gap < NEAR else CLOSE_COST * common
            elif gap < 0.1:
                shared = max(shared, common)
        # Arrows across: a branch of the own line is no crossing.
        for run in self._across(axis, at, low, high):
            is_branch = abs(at - run.start) < 0.1 and run.key == key
            cost += 0 if is_branch else OVER_HEAD if run.is_last else CROSSING
        return cost - (1 - SHARED) * shared

    def _beside(self, axis: int, at: float, low: float, high: float) -> Iterator[_Run]:
        """Yield the earlier arrows along a part that are close to it."""
        for lane in range(floor((at - CLOSE) / LANE), floor((at + CLOSE) / LANE) + 1):
            for run in self._lanes.get((axis, lane), ()):
                if abs(run.at - at) < CLOSE and min(high, run.high) - max(low, run.low) > -APART:
                    yield run

    def _across(self, axis: int, at: float, low: float, high: float) -> Iterator[_Run]:
        """Yield the earlier arrows that cross a part."""
        for lane in range(floor(low / LANE), floor(high / LANE) + 1):
            for run in self._lanes.get((1 - axis, lane), ()):
                if low + 0.1 < run.at < high - 0.1 and run.low - 0.1 < at < run.high + 0.1:
                    yield run


def _axis(first: Point, second: Point) -> int | None:
    """Return the axis whose coordinate is constant on a line, if there is one."""
    return 0 if abs(first[0] - second[0]) < 0.1 else 1 if abs(first[1] - second[1]) < 0.1 else None


def curved(route: Route) -> Route:
    """Return the Bézier curves of a route, with round bends.

    After the first point, each curve has three points.

    Examples
    --------
    >>> len(curved(((0, 0), (0, 30), (30, 30))))
    10
    """
    points = [route[0]]
    for before, corner, after in zip(route, route[1:], route[2:], strict=False):
        radius = min(ROUND, dist(before, corner) / 2, dist(corner, after) / 2)
        first, second = _towards(corner, before, radius), _towards(corner, after, radius)
        points += [*straight(points[-1], first)[1:], _between(first, corner), _between(second, corner), second]
    points += straight(points[-1], route[-1])[1:]
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


def _towards(start: Point, end: Point, length: float) -> Point:
    """Return the point at some distance from ``start`` on the way to ``end``."""
    share = length / (dist(start, end) or 1)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _between(start: Point, corner: Point) -> Point:
    """Return the control point of the round bend at a corner."""
    return (start[0] + 2 * corner[0]) / 3, (start[1] + 2 * corner[1]) / 3


def _beside(cell: Box, axis: int, sign: int, distance: float) -> float:
    """Return the coordinate of a line beside one side of a cell."""
    return cell[0][axis] + sign * (cell[1][axis] / 2 + distance)


def _put(point: Point, axis: int, value: float) -> Point:
    """Return a point with another coordinate on one axis."""
    return (point[0], value) if axis else (value, point[1])


def _corners(*points: Point) -> Route:
    """Return the points at which a line through ``points`` bends, and its ends."""
    corners = [points[0]]
    for point, after in zip(points[1:], (*points[2:], None), strict=True):
        before = corners[-1]
        is_bend = after is None or not any(
            abs(before[i] - point[i]) < 0.1 and abs(point[i] - after[i]) < 0.1 for i in (0, 1)
        )
        if is_bend and dist(before, point) > 0.1:
            corners.append(point)
    return tuple(corners)


def _clip(start: Box, end: Box) -> Route:
    """Return the part of the line between two boxes that lies outside of them.

    It runs along an axis if this leads from the middle of the first box to a side of the other one.
    """
    (x, y), (p, q) = start[0], end[0]
    if abs(x - p) < end[1][0] / 2 - 1:
        p = x
    elif abs(y - q) < end[1][1] / 2 - 1:
        q = y

    def share(size: Point) -> float:
        return min((size[i] / 2 / abs(side) for i, side in enumerate((p - x, q - y)) if side), default=0.5)

    first, last = min(0.5, share(start[1])), max(0.5, 1 - share(end[1]))
    return tuple((x + (p - x) * part, y + (q - y) * part) for part in (first, last))


def _by_tile(boxes: Iterable[Box]) -> dict[tuple[int, int], list[Box]]:
    """Return boxes by the tiles of the plane that they touch."""
    tiles: dict[tuple[int, int], list[Box]] = {}
    for (x, y), (width, height) in boxes:
        for column in range(floor((x - width / 2) / TILE), floor((x + width / 2) / TILE) + 1):
            for row in range(floor((y - height / 2) / TILE), floor((y + height / 2) / TILE) + 1):
                tiles.setdefault((column, row), []).append(((x, y), (width, height)))
    return tiles


def _find_crossed(tiles: dict[tuple[int, int], list[Box]], first: Point, second: Point) -> set[Box]:
    """Return the boxes that a straight line crosses."""
    (left, right), (top, bottom) = (sorted((first[i], second[i])) for i in (0, 1))
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    is_diagonal = min(width, height) > 0
    crossed = set()
    for column in range(floor(left / TILE), floor(right / TILE) + 1):
        for row in range(floor(top / TILE), floor(bottom / TILE) + 1):
            for box in tiles.get((column, row), ()):
                (p, q), (w, h) = box
                # A line along an axis crosses a box if it overlaps the box.
                is_near = abs(p - x) < (w + width) / 2 and abs(q - y) < (h + height) / 2
                if is_near and (not is_diagonal or _is_crossed(box, first, second)):
                    crossed.add(box)
    return crossed


def _find_inside(tiles: dict[tuple[int, int], list[Box]], boxes: Iterable[Box]) -> Iterator[Box]:
    """Yield the boxes on tiles whose middles are inside of one of ``boxes``."""
    for (x, y), (width, height) in boxes:
        for (p, q), size in _find_crossed(tiles, (x - width / 2, y), (x + width / 2, y)):
            if abs(p - x) < width / 2 and abs(q - y) < height / 2:
                yield (p, q), size


def _is_crossed(box: Box, first: Point, second: Point) -> bool:
    """Return whether a straight line crosses a box."""
    low, high = 0.0, 1.0
    for i in (0, 1):
        start, side = first[i] - box[0][i], second[i] - first[i]
        if not side:
            high = high if abs(start) < box[1][i] / 2 else 0.0
            continue
        ends = sorted(((-box[1][i] / 2 - start) / side, (box[1][i] / 2 - start) / side))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high
