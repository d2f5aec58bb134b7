"""Compute positions of vertices outside of grids: on a circle, or by graph distance.

Change it for another layout of graphs; ``layout.py`` decides which vertices are placed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, cos, hypot, pi, sin

from ...base.incidence import Incidence
from ...model import Model, Variable
from ..shapes import Point

AISLE = 60.0  # between cards
SMALL, WIDE = 20, 1.5  # up to 20 vertices have larger distances, with room for texts at their edges
MANY = 400  # above, a layout by distances takes seconds, and vertices are placed in rows instead


def circle(variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Return points of variables evenly spaced on a circle, clockwise from the top."""
    count, diagonal = len(variables), hypot(*card)
    # The circle must be large enough for all cards.
    radius = max(count * diagonal / 5, 1.1 * card[0]) if count > 1 else 0.0
    if count > 4:  # wide enough for an edge to pass behind the vertex between its ends, if that costs at most 40 %
        radius = max(radius, min((diagonal / 2 + 8) / (1 - cos(2 * pi / count)), 1.4 * radius))
    angles = (2 * pi * i / count for i in range(count))
    return {v: (radius * sin(angle), -radius * cos(angle)) for v, angle in zip(variables, angles, strict=True)}


def spread_out(model: Model, variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Return points of variables whose distances approximate those in the constraint graph.

    The result is deterministic: the stress is reduced from a fixed start. More than 400 variables are placed in rows.
    """
    width, height = card[0] + AISLE / 2, card[1] + AISLE / 2
    count = len(variables)
    if count > MANY:
        k = ceil(count**0.5)
        return {v: (i % k * width, i // k * height) for i, v in enumerate(variables)}
    # Wanted distances are the lengths of shortest paths; for unconnected variables, half of the longest one.
    members = set(variables)
    incidence = Incidence(variables, [[v for v in c.scope if v in members] for c in model.constraints])
    path_lengths = [_path_lengths(incidence, start) for start in range(count)]
    unconnected_distance = (max(max(lengths.values()) for lengths in path_lengths) + 1) / 2
    unit = hypot(width, height) * (WIDE if count <= SMALL else 0.95)
    distances = [[lengths.get(i, unconnected_distance) * unit for i in range(count)] for lengths in path_lengths]
    # Reduce the stress point by point (stress majorization), then separate overlapping cards.
    points = _initial_points(distances)
    for _ in range(max(15, min(150, 2_000_000 // count**2))):
        for i in range(count):
            points[i] = _least_stress(points, distances[i], i)
    _push_apart(points, width, height)
    return dict(zip(variables, points, strict=True))


def _path_lengths(incidence: Incidence[Variable], start: int) -> dict[int, int]:
    """Return the length of a shortest path from ``start`` to each variable it reaches."""
    lengths, queue = {start: 0}, [start]
    for variable in queue:
        for constraint in incidence.constraints[variable]:
            for neighbour in incidence.scopes[constraint]:
                if neighbour not in lengths:
                    lengths[neighbour] = lengths[variable] + 1
                    queue.append(neighbour)
    return lengths


def _initial_points(distances: Sequence[Sequence[float]]) -> list[Point]:
    """Return the points of all vertices from which stress is reduced.

    The coordinates come from the distances to four variables that are far from each other, so that the placement has no
    folds.
    """
    count = len(distances)
    # The first two span one axis, the next two the other.
    west = max(range(count), key=lambda i: distances[0][i])
    east = max(range(count), key=lambda i: distances[west][i])
    north = max(range(count), key=lambda i: min(distances[west][i], distances[east][i]))
    south = max(range(count), key=lambda i: min(distances[north][i], distances[west][i], distances[east][i]))
    return [  # plus a small circle, which separates points with equal distances
        (
            distances[west][i] - distances[east][i] + distances[0][1] * sin(2 * pi * i / count) / 4,
            distances[north][i] - distances[south][i] - distances[0][1] * cos(2 * pi * i / count) / 4,
        )
        for i in range(count)
    ]


def _least_stress(points: Sequence[Point], distances: Sequence[float], i: int) -> Point:
    """Return the point of vertex ``i`` with less stress (deviation from ``distances``).

    All other points are fixed.
    """
    x, y = points[i]
    sx = sy = total = 0.0
    # Each other point pulls to its wanted distance, with a weight that falls with the distance.
    for j, (p, q) in enumerate(points):
        if j != i:
            weight = distances[j] ** -2
            pull = distances[j] / (hypot(x - p, y - q) or 1)
            sx += weight * (p + (x - p) * pull)
            sy += weight * (q + (y - q) * pull)
            total += weight
    return sx / total, sy / total


def _push_apart(points: list[Point], width: float, height: float) -> None:
    """Move ``points`` apart until no vertices of this width and height overlap.

    It stops after 100 rounds. Two vertices move along the axis with the smaller overlap.
    """
    for _ in range(100):
        is_done = True
        for i, j in combinations(range(len(points)), 2):
            (x, y), (p, q) = points[i], points[j]
            dx, dy = width - abs(p - x), height - abs(q - y)
            if dx > 0.5 and dy > 0.5:
                is_done = False
                if dx < dy:
                    shift = dx / 2 if p >= x else -dx / 2
                    points[i], points[j] = (x - shift, y), (p + shift, q)
                else:
                    shift = dy / 2 if q >= y else -dy / 2
                    points[i], points[j] = (x, y - shift), (p, q + shift)
        if is_done:
            return
