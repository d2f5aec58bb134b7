"""Lines between cells that stand close: from border to border, so that they strike no value of the cells they join."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import hypot

from ..shapes import Point
from .edges import Curve

BEND = 0.16
"""How far a bow between two cells bends, as a part of its length."""
INSET = 4.0
"""How far within the borders of cells lines end, or neighbours would have none."""

KEPT = 1 << 14
"""So many ways are kept for the next picture of the same board: to find where a line leaves a cell takes long."""

Box = tuple[Point, Point]
"""The middle of something, and its width and height."""


def hull(boxes: Iterable[Box]) -> tuple[Point, Point]:
    """The corners of the smallest box around others.

    Examples
    --------
    >>> hull([((0, 0), (20, 20)), ((75, 0), (20, 20))])
    ((-10.0, -10.0), (85.0, 10.0))
    """
    ends = [(x + side * w / 2, y + side * h / 2) for (x, y), (w, h) in boxes for side in (-1, 1)]
    low, high = ((float(choose(x for x, _ in ends)), float(choose(y for _, y in ends))) for choose in (min, max))
    return low, high


def outside(point: Point, size: Point) -> Box:
    """A box that lines do not enter."""
    return point, (size[0] + 2 * INSET, size[1] + 2 * INSET)


@lru_cache(KEPT)
def bow(one: Box, other: Box, around: tuple[Point, Point]) -> Curve:
    """A flat bow between two boxes that bends towards the middle of what is around, and never leaves that.

    Examples
    --------
    >>> bow(((0, 0), (20, 20)), ((75, 0), (20, 20)), ((-10, -10), (85, 90)))
    ((6.0, 1.8), (27.0, 7.4), (48.0, 7.4), (69.0, 1.8))
    """
    (x, y), (p, q) = one[0], other[0]
    dx, dy = p - x, q - y
    (left, top), (right, bottom) = around
    inward = dy * (left + right - x - p) - dx * (top + bottom - y - q)
    side = -BEND if inward < -hypot(dx, dy) else BEND
    bend = (x + p) / 2 + dy * side, (y + q) / 2 - dx * side
    return between(one, other, (min(max(bend[0], left), right), min(max(bend[1], top), bottom)))


@lru_cache(KEPT)
def between(one: Box, other: Box, bend: Point | None = None) -> Curve:
    """The part of a line between the middles of two boxes that is outside of them, or nearly so.

    Examples
    --------
    >>> between(((0, 0), (20, 20)), ((75, 0), (20, 20)))
    ((6.0, 0.0), (27.0, 0.0), (48.0, 0.0), (69.0, 0.0))
    """
    (x, y), (p, q) = one[0], other[0]
    via = bend or ((x + p) / 2, (y + q) / 2)

    def blend(s: float, t: float) -> Point:
        weights = (1 - s) * (1 - t), s + t - 2 * s * t, s * t
        return (
            weights[0] * x + weights[1] * via[0] + weights[2] * p,
            weights[0] * y + weights[1] * via[1] + weights[2] * q,
        )

    def leaves(box: Box, inner: float, outer: float) -> float:
        (left, top), (wide, high) = box
        for _ in range(12):
            middle = (inner + outer) / 2
            a, b = blend(middle, middle)
            is_inside = abs(a - left) < wide / 2 - INSET and abs(b - top) < high / 2 - INSET
            inner, outer = (middle, outer) if is_inside else (inner, middle)
        return inner

    start, end = leaves(one, 0, 0.5), leaves(other, 1, 0.5)
    (x0, y0), (x1, y1), (x2, y2) = blend(start, start), blend(start, end), blend(end, end)
    way = (x0, y0), ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3), ((x2 + 2 * x1) / 3, (y2 + 2 * y1) / 3), (x2, y2)
    first, second, third, fourth = ((round(a, 1), round(b, 1)) for a, b in way)
    return first, second, third, fourth
