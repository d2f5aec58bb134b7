"""Where everything stands in a picture: computed once for a model, and never moved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, cos, hypot, pi, sin

import networkx as nx

from ...model import Model, Variable
from ...model.network import network, primal
from .grid import Grid, find_grids, grid_gaps, is_indexed

Point = tuple[float, float]
Gaps = tuple[frozenset[int], frozenset[int]]

FEW = 20
"""Up to so many variables are drawn as the graph that they are; grids beyond show their state in cells."""

CELL = 60.0
SEAM = 4.0  # between cells
BOX_SEAM = 16.0  # more, at the border of a box
AISLE = 60.0  # between cards, and between families
GLYPH = 0.64  # the width of a digit in the widest font that may stand in, as a part of its size
MANY = 400  # from here a layout by distances takes seconds


@dataclass(frozen=True)
class Layout:
    """The pinned picture of a model, in points; x goes to the right, y **down** from the top.

    Attributes
    ----------
    points : mapping of Variable to (float, float)
        The middle of every vertex.
    grids : tuple of mapping of Variable to (int, int)
        Row and column, from 0, of the variables of each grid.
    crowded : bool
        Whether there are so many variables that a grid shows no edges.
    card : (float, float)
        Width and height of a vertex with its name and its domain, large enough for every variable.
    columns : mapping of Variable to int
        How many values stand side by side on the card of a variable.
    """

    points: Mapping[Variable, Point]
    grids: tuple[Grid, ...]
    crowded: bool
    card: Point
    columns: Mapping[Variable, int]

    def is_cell(self, variable: Variable) -> bool:
        """Whether the place of a vertex names it, so that its state fills a plain cell."""
        return self.crowded and is_indexed(variable) and self.on_grid(variable)

    def on_grid(self, variable: Variable) -> bool:
        """Whether a vertex stands on one of the grids."""
        return any(variable in grid for grid in self.grids)

    def shows_no_edges(self, variables: Iterable[Variable]) -> bool:
        """Whether all of some vertices stand on grids where edges would lie on top of each other."""
        return self.crowded and all(map(self.on_grid, variables))

    def size(self, variable: Variable) -> Point:
        """Width and height of a vertex."""
        return (CELL, CELL) if self.is_cell(variable) else self.card


def layout(model: Model, crowded: bool | None = None, seam: float = SEAM, hidden: Collection[int] = ()) -> Layout:
    """Everything about the places of a picture.

    A family of two integer indices lies on its grid, and so do k*k variables without such indices when every
    k of them in a row, and in a column, are a group. All else stands on a circle, or, beyond 20 variables,
    where the distances in the graph put it. Grids stand side by side.

    Parameters
    ----------
    model : Model
    crowded : bool, optional
        Whether a grid shows its state in cells that stand close; otherwise if there are more than 20 variables.
    seam : float
        The room between such cells.
    hidden : collection of int
        The numbers of constraints that make no boxes, since nobody has asked for them.

    Returns
    -------
    Layout
        O(n), and O(n squared) where distances are needed.

    References
    ----------
    .. [1] E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", 2004.

    Examples
    --------
    >>> picture = layout(Model({Variable("x", r, c): (1, 2) for r in (1, 2) for c in (1, 2)}))
    >>> (ax, ay), (bx, by), (cx, cy), _ = picture.points.values()
    >>> ax == cx < bx, ay == by < cy, picture.crowded
    (True, True, False)
    """
    grids = find_grids(model)
    rest = [v for v in model.domains if not any(v in grid for grid in grids)]
    if crowded is None:
        crowded = len(model.domains) > FEW
    columns = {variable: _columns(model, variable) for variable in model.domains}
    celled = {v for grid in grids for v in grid if crowded and is_indexed(v)}
    carded = [v for v in model.domains if v not in celled]
    card = _card(model, carded, columns)
    gaps = [grid_gaps(model, places, hidden) for places in grids]
    parts = [_grid_points(places, own, crowded, card, seam) for places, own in zip(grids, gaps, strict=True)]
    if rest:
        parts.append(_circle(rest, card) if len(rest) <= FEW else _spread(model, rest, card))
    points = _side_by_side(parts, card)
    return Layout({v: points[v] for v in model.domains}, tuple(grids), crowded, card, columns)


def _columns(model: Model, variable: Variable) -> int:
    """How many values stand side by side: all of a short row, one of a few long words, or as in a square."""
    domain = model.domains[variable]
    wide = max(len(str(value)) for value in domain)
    if len(domain) * (wide + 1) <= 10:
        return len(domain)
    return 1 if wide > 2 and len(domain) <= 4 else ceil(len(domain) ** 0.5)


def _card(model: Model, variables: Sequence[Variable], columns: Mapping[Variable, int]) -> Point:
    width, height = 64.0, 54.0
    for variable in variables:
        domain = model.domains[variable]
        wide = max(len(str(value)) for value in domain)
        rows = ceil(len(domain) / columns[variable])
        values = (columns[variable] * value_width(wide), rows * 21) if len(domain) <= 16 else (90, 44)
        width = max(width, values[0] + 14, (len(variable) + 2) * 15 * GLYPH + 14)
        height = max(height, values[1] + 32)
    return ceil(width), ceil(height)


def value_width(characters: int) -> int:
    """The width of a value on a card, in points."""
    return ceil(characters * 16 * GLYPH) + 7


def _grid_points(places: Grid, gaps: Gaps, crowded: bool, card: Point, seam: float) -> dict[Variable, Point]:
    row_gaps, column_gaps = gaps
    cells = crowded and all(map(is_indexed, places))
    wide, high = (CELL + seam, CELL + seam) if cells else (card[0] + AISLE, card[1] + AISLE)
    if crowded and not cells:
        wide, high = card[0] + BOX_SEAM, card[1] + BOX_SEAM
    return {
        v: (
            c * wide + BOX_SEAM * sum(gap < c for gap in column_gaps),
            r * high + BOX_SEAM * sum(gap < r for gap in row_gaps),
        )
        for v, (r, c) in places.items()
    }


def _circle(variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    n, across = len(variables), hypot(*card)
    radius = max(n * across / 5, 1.1 * card[0]) if n > 1 else 0.0
    if n > 4:  # far enough for an edge to pass behind the vertex between its ends, if that is not far
        radius = max(radius, min((across / 2 + 8) / (1 - cos(2 * pi / n)), 1.4 * radius))
    angles = (2 * pi * i / n for i in range(n))
    return {v: (radius * sin(a), -radius * cos(a)) for v, a in zip(variables, angles, strict=True)}


def _spread(model: Model, variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Distances on paper follow distances in the graph; nothing is left to chance."""
    wide, high = card[0] + AISLE / 2, card[1] + AISLE / 2
    n = len(variables)
    if n > MANY:
        k = ceil(n**0.5)
        return {v: (i % k * wide, i // k * high) for i, v in enumerate(variables)}
    steps = dict(nx.all_pairs_shortest_path_length(primal(network(model)).subgraph(variables)))
    far = max(max(own.values()) for own in steps.values()) + 1
    away = [[steps[v].get(w, far) * hypot(wide, high) * 0.95 for w in variables] for v in variables]
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


def _side_by_side(parts: Sequence[Mapping[Variable, Point]], card: Point) -> dict[Variable, Point]:
    """Each part to the right of the one before, level at the top; all coordinates from 0 and whole."""
    points: dict[Variable, Point] = {}
    right = 0.0
    for part in parts:
        left, top = (min(point[i] for point in part.values()) for i in (0, 1))
        for variable, (x, y) in part.items():
            points[variable] = float(round(right + x - left)), float(round(y - top))
        right = max(x for x, _ in points.values()) + max(card[0], CELL) + AISLE
    return points


def headers(grid: Grid, points: Mapping[Variable, Point]) -> Iterator[tuple[str, Point]]:
    """The index of every row and column of a grid, and where it stands on the margin."""
    left, top = (min(points[v][i] for v in grid) - CELL / 2 - 12 for i in (0, 1))
    done: set[tuple[int, int]] = set()
    for variable, place in grid.items():
        for axis, number in enumerate(place):
            if (axis, number) not in done:
                done.add((axis, number))
                x, y = points[variable]
                yield str(variable.indices[axis]), (left, y) if axis == 0 else (x, top)
