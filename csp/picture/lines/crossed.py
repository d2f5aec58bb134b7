"""Find the texts and signs that arrows cross, to draw them above the arrows.

``scripts/arrows.js`` of the page finds them by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, dist

from ..edges import Box, along
from ..shapes import Point, Shape
from .arrows import covered_box

TILE, SPACING = 20.0, 3.0
"""The side of a tile of the plane, by which boxes are looked up, and the distance of the tested points of an arrow."""
HALF_HEAD, HEAD, TAIL = 4.5, 10.0, 5.0
"""Half the width of an arrowhead, its length, and the length of a tail that begins at the text of its cause."""
STRUCK = {"gone", "spot-lost", "loss"}
"""Looks of removed values and their numbers, at which arrows end."""


def crossed_shapes(shapes: Iterable[Shape], curves: Iterable[Sequence[Point]]) -> Iterator[Shape]:
    """Yield the texts and signs that one of the arrows covers, in their order.

    Struck values are left out, because arrows end there. O(length of all arrows + number of shapes).

    Examples
    --------
    >>> from ..shapes import text
    >>> texts = [text(value, "possible", (20 * value, 0), 15) for value in range(4)]
    >>> [shape.text for shape in crossed_shapes(texts, [((-9, 0), (3, 0), (15, 0), (27, 0))])]
    ['0', '1']
    """
    tiles: dict[tuple[int, int], list[tuple[int, Box]]] = {}
    candidates = [shape for shape in shapes if STRUCK.isdisjoint(shape.look.split())]
    for i, shape in enumerate(candidates):
        (x, y), (width, height) = covered_box(shape)
        columns, rows = ((int((at - size / 2 - HALF_HEAD) // TILE), int((at + size / 2 + HALF_HEAD) // TILE))
                         for at, size in ((x, width), (y, height)))  # fmt: skip
        for column in range(columns[0], columns[1] + 1):
            for row in range(rows[0], rows[1] + 1):
                tiles.setdefault((column, row), []).append((i, ((x, y), (width, height))))
    crossed: set[int] = set()
    for curve in curves:
        for x, y in _points_of(curve):
            reach = HALF_HEAD if dist((x, y), curve[-1]) < HEAD else 0.0
            for i, ((p, q), (width, height)) in tiles.get((int(x // TILE), int(y // TILE)), ()):
                if abs(x - p) < width / 2 + reach and abs(y - q) < height / 2 + reach:
                    crossed.add(i)
    yield from (candidates[i] for i in sorted(crossed))


def _points_of(curve: Sequence[Point]) -> Iterator[Point]:
    """Yield points along a curve, without its tail."""
    corners = curve[::3] if len(curve) > 4 else [along(curve, i / 8) for i in range(9)]
    for (x, y), (p, q) in pairwise(corners):
        steps = ceil(dist((x, y), (p, q)) / SPACING)
        points = ((x + (p - x) * i / steps, y + (q - y) * i / steps) for i in range(1, steps + 1))
        yield from (point for point in points if dist(point, curve[0]) > TAIL)
