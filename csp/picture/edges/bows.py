"""Compute curves between neighbouring cells that do not cover the values in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import hypot

from ..shapes import Point
from .edges import Curve

BEND = 0.16
"""The deviation of a bow between two cells, as a share of its length."""
INSET = 4.0
"""Points inside the border of a cell at which lines end; else the lines between neighbours would have no length."""

KEPT = 1 << 14
"""Number of cached curves, for the next picture of one board: finding where a line leaves a cell is expensive."""

Box = tuple[Point, Point]
"""The middle of a rectangle, and its width and height."""


def hull(boxes: Iterable[Box]) -> tuple[Point, Point]:
    """Return the upper left and lower right corner of the box around boxes.

    Examples
    --------
    >>> hull([((0, 0), (20, 20)), ((75, 0), (20, 20))])
    ((-10.0, -10.0), (85.0, 10.0))
    """
    corners = [(x + side * w / 2, y + side * h / 2) for (x, y), (w, h) in boxes for side in (-1, 1)]
    low, high = ((float(choose(x for x, _ in corners)), float(choose(y for _, y in corners))) for choose in (min, max))
    return low, high


def outside(middle: Point, size: Point) -> Box:
    """Return the box enlarged, so that lines to it end at the original border.

    It is larger than the given one, because lines end inside of the border of a box.
    """
    return middle, (size[0] + 2 * INSET, size[1] + 2 * INSET)


@lru_cache(KEPT)
def bow(first: Box, second: Box, bounds: tuple[Point, Point]) -> Curve:
    """Return a flat curve (bow) between the borders of two boxes.

    It bends towards the middle of ``around``, the corners of a larger box, and never leaves that box.

    Examples
    --------
    >>> bow(((0, 0), (20, 20)), ((75, 0), (20, 20)), ((-10, -10), (85, 90)))
    ((6.0, 1.8), (27.0, 7.4), (48.0, 7.4), (69.0, 1.8))
    """
    (x, y), (p, q) = first[0], second[0]
    dx, dy = p - x, q - y
    (left, top), (right, bottom) = bounds
    # Choose the side that is nearer to the middle of the bounds.
    inward = dy * (left + right - x - p) - dx * (top + bottom - y - q)
    side = -BEND if inward < -hypot(dx, dy) else BEND
    bend = (x + p) / 2 + dy * side, (y + q) / 2 - dx * side
    return between(first, second, (min(max(bend[0], left), right), min(max(bend[1], top), bottom)))


@lru_cache(KEPT)
def between(first: Box, second: Box, bend: Point | None = None) -> Curve:
    """Return the part of the line between two boxes that lies outside of both.

    ``bend`` is the control point of a bent line. The line runs between the middles of the boxes; each end lies
    slightly inside of the border.

    Examples
    --------
    >>> between(((0, 0), (20, 20)), ((75, 0), (20, 20)))
    ((6.0, 0.0), (27.0, 0.0), (48.0, 0.0), (69.0, 0.0))
    """
    (x, y), (p, q) = first[0], second[0]
    control = bend or ((x + p) / 2, (y + q) / 2)

    # Evaluate the quadratic curve, in blossom form, which also gives the control points of a part of it.
    def blend(s: float, t: float) -> Point:
        weights = (1 - s) * (1 - t), s + t - 2 * s * t, s * t
        return (
            weights[0] * x + weights[1] * control[0] + weights[2] * p,
            weights[0] * y + weights[1] * control[1] + weights[2] * q,
        )

    # Find the border by bisection: 12 halvings are exact to a fraction of a point.
    def find_border(box: Box, inner: float, outer: float) -> float:
        (left, top), (width, height) = box
        for _ in range(12):
            middle = (inner + outer) / 2
            a, b = blend(middle, middle)
            is_inside = abs(a - left) < width / 2 - INSET and abs(b - top) < height / 2 - INSET
            inner, outer = (middle, outer) if is_inside else (inner, middle)
        return inner

    # Cut the curve at both borders, and write it as a cubic one.
    start, end = find_border(first, 0, 0.5), find_border(second, 1, 0.5)
    (x0, y0), (x1, y1), (x2, y2) = blend(start, start), blend(start, end), blend(end, end)
    points = (x0, y0), ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3), ((x2 + 2 * x1) / 3, (y2 + 2 * y1) / 3), (x2, y2)
    p0, p1, p2, p3 = ((round(a, 1), round(b, 1)) for a, b in points)
    return p0, p1, p2, p3
