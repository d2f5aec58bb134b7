"""Places for vertices that stand on no grid: on a circle, or where the distances in the graph put them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, cos, hypot, pi, sin

import networkx as nx

from ...model import Model, Variable
from ...model.network import network, primal
from ..shapes import Point

AISLE = 60.0  # between cards
SMALL, WIDE = 20, 1.5  # so few stand further apart, with room for what is at their edges
MANY = 400  # from here a layout by distances takes seconds


def circle(variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Vertices of one size on a circle, from the top to the right."""
    n, across = len(variables), hypot(*card)
    radius = max(n * across / 5, 1.1 * card[0]) if n > 1 else 0.0
    if n > 4:  # far enough for an edge to pass behind the vertex between its ends, if that is not far
        radius = max(radius, min((across / 2 + 8) / (1 - cos(2 * pi / n)), 1.4 * radius))
    angles = (2 * pi * i / n for i in range(n))
    return {v: (radius * sin(a), -radius * cos(a)) for v, a in zip(variables, angles, strict=True)}


def spread_out(model: Model, variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Distances on paper follow distances in the graph; nothing is left to chance."""
    wide, high = card[0] + AISLE / 2, card[1] + AISLE / 2
    n = len(variables)
    if n > MANY:
        k = ceil(n**0.5)
        return {v: (i % k * wide, i // k * high) for i, v in enumerate(variables)}
    steps = dict(nx.all_pairs_shortest_path_length(primal(network(model)).subgraph(variables)))
    far = (max(max(own.values()) for own in steps.values()) + 1) / 2
    apart = hypot(wide, high) * (WIDE if n <= SMALL else 0.95)
    away = [[steps[v].get(w, far) * apart for w in variables] for v in variables]
    points = _unfolded(away)
    for _ in range(max(15, min(150, 2_000_000 // n**2))):
        for i in range(n):
            points[i] = _drawn(points, away[i], i)
    _push_apart(points, wide, high)
    return dict(zip(variables, points, strict=True))


def _unfolded(away: Sequence[Sequence[float]]) -> list[Point]:
    """A beginning without folds: how far each point is from two that are far apart, and across that."""
    n = len(away)
    west = max(range(n), key=lambda i: away[0][i])
    east = max(range(n), key=lambda i: away[west][i])
    north = max(range(n), key=lambda i: min(away[west][i], away[east][i]))
    south = max(range(n), key=lambda i: min(away[north][i], away[west][i], away[east][i]))
    return [  # with a small circle, for points that are alike
        (
            away[west][i] - away[east][i] + away[0][1] * sin(2 * pi * i / n) / 4,
            away[north][i] - away[south][i] - away[0][1] * cos(2 * pi * i / n) / 4,
        )
        for i in range(n)
    ]


def _drawn(points: Sequence[Point], away: Sequence[float], i: int) -> Point:
    """Where the stress of one point is least while the others stand still."""
    x, y = points[i]
    sx = sy = total = 0.0
    for j, (p, q) in enumerate(points):
        if j != i:
            weight = away[j] ** -2
            pull = away[j] / (hypot(x - p, y - q) or 1)
            sx += weight * (p + (x - p) * pull)
            sy += weight * (q + (y - q) * pull)
            total += weight
    return sx / total, sy / total


def _push_apart(points: list[Point], wide: float, high: float) -> None:
    """Move cards that overlap, along the axis on which less is missing."""
    for _ in range(100):
        still = True
        for i, j in combinations(range(len(points)), 2):
            (x, y), (p, q) = points[i], points[j]
            dx, dy = wide - abs(p - x), high - abs(q - y)
            if dx > 0.5 and dy > 0.5:
                still = False
                if dx < dy:
                    shift = dx / 2 if p >= x else -dx / 2
                    points[i], points[j] = (x - shift, y), (p + shift, q)
                else:
                    shift = dy / 2 if q >= y else -dy / 2
                    points[i], points[j] = (x, y - shift), (p, q + shift)
        if still:
            return
