"""Compute the lines that join the cells of a constraint without crossing other cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...model import Variable
from ..layout.layout import Placement, Places, Point
from .edges import clear, straight

Thread = tuple[Variable, Variable]
"""The two cells that a line joins."""
KEPT = 1 << 10
"""Number of cached results, for the next picture of one board."""


def shortest_joins(
    scope: Sequence[Variable], node_point: Point | None, layout: Placement
) -> tuple[list[Variable], list[Thread]]:
    """Find the shortest lines that join the cells of a constraint to its node.

    The node is joined to the nearest cell, and each cell to the nearest one that is already joined: a minimum spanning
    tree. Lines that would cross other cells are omitted.

    Examples
    --------
    >>> from csp import Model
    >>> from csp.picture.layout.layout import layout
    >>> row = [Variable("x", 1, c) for c in range(1, 5)]
    >>> picture = layout(Model(dict.fromkeys(row, (1, 2))), crowded=True)
    >>> shortest_joins(row[:2], (400, 0), picture), shortest_joins(row[2:], (400, 0), picture)
    (([], [('x(1,2)', 'x(1,1)')]), (['x(1,4)'], [('x(1,4)', 'x(1,3)')]))
    """
    ends, links = _cached_joins(tuple(scope), node_point, layout.places)
    return [*ends], [*links]


@lru_cache(KEPT)
def _cached_joins(
    scope: Sequence[Variable], node_point: Point | None, places: Places
) -> tuple[list[Variable], list[Thread]]:
    """Compute ``shortest_joins`` for the places of a layout, with a cache."""
    points, members = {v: point for v, point, _ in places}, set(scope)
    obstacles = [(point, size) for v, point, size in places if v not in members]

    def is_free(start: Point, end: Point) -> bool:
        (left, right), (top, bottom) = (sorted((start[i], end[i])) for i in (0, 1))
        nearby = [
            ((x, y), (w, h)) for (x, y), (w, h) in obstacles
            if left - w / 2 < x < right + w / 2 and top - h / 2 < y < bottom + h / 2
        ]  # fmt: skip
        return clear(straight(start, end), nearby, 0)

    def distance(start: Point, end: Point) -> float:
        return (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2

    # Grow a minimum spanning tree from the cell that is nearest to the node (Prim's algorithm).
    first = min(scope, key=lambda v: distance(points[v], node_point)) if node_point else scope[0]
    nearest = dict.fromkeys((v for v in scope if v != first), first)
    links = []
    while nearest:
        added = min(nearest, key=lambda v: distance(points[v], points[nearest[v]]))
        links.append((nearest.pop(added), added))
        closer = [
            v
            for v, parent in nearest.items()
            if distance(points[v], points[added]) < distance(points[v], points[parent])
        ]
        nearest.update(dict.fromkeys(closer, added))
    # Omit lines that cross other cells.
    ends = [first] if node_point and is_free(node_point, points[first]) else []
    return ends, [(parent, second) for parent, second in links if is_free(points[parent], points[second])]
