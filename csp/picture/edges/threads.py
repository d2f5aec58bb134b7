"""The edges of a constraint on a crowded grid, which must not run across cells that it is not about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...model import Variable
from ..layout.layout import Placement, Places, Point
from .edges import clear, straight

Thread = tuple[Variable, Variable]

KEPT = 1 << 10
"""So many are kept for the next picture of the same board."""


def threads(scope: Sequence[Variable], chip: Point | None, picture: Placement) -> tuple[list[Variable], list[Thread]]:
    """How a constraint is joined to its cells: it goes to the nearest one, and from there each to the next.

    Examples
    --------
    >>> from csp import Model
    >>> from csp.picture.layout.layout import layout
    >>> row = [Variable("x", 1, c) for c in range(1, 5)]
    >>> picture = layout(Model(dict.fromkeys(row, (1, 2))), crowded=True)
    >>> threads(row[:2], (400, 0), picture), threads(row[2:], (400, 0), picture)
    (([], [('x(1,2)', 'x(1,1)')]), (['x(1,4)'], [('x(1,4)', 'x(1,3)')]))
    """
    ends, links = _threads(tuple(scope), chip, picture.places)
    return [*ends], [*links]


@lru_cache(KEPT)
def _threads(scope: Sequence[Variable], chip: Point | None, places: Places) -> tuple[list[Variable], list[Thread]]:
    points, own = {v: point for v, point, _ in places}, set(scope)
    others = [(point, size) for v, point, size in places if v not in own]

    def is_free(one: Point, other: Point) -> bool:
        (left, right), (top, bottom) = (sorted((one[i], other[i])) for i in (0, 1))
        near = [
            ((x, y), (w, h)) for (x, y), (w, h) in others
            if left - w / 2 < x < right + w / 2 and top - h / 2 < y < bottom + h / 2
        ]  # fmt: skip
        return clear(straight(one, other), near, 0)

    def away(one: Point, other: Point) -> float:
        return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2

    first = min(scope, key=lambda v: away(points[v], chip)) if chip else scope[0]
    near = dict.fromkeys((v for v in scope if v != first), first)
    links = []
    while near:
        fresh = min(near, key=lambda v: away(points[v], points[near[v]]))
        links.append((near.pop(fresh), fresh))
        closer = [v for v, one in near.items() if away(points[v], points[fresh]) < away(points[v], points[one])]
        near.update(dict.fromkeys(closer, fresh))
    ends = [first] if chip and is_free(chip, points[first]) else []
    return ends, [(one, other) for one, other in links if is_free(points[one], points[other])]
