"""Edges of a picture: the vertices that they join, their look and their curves.

Edges between variables come first, then lines between cells of a crowded grid, the spokes of constraint nodes, and the
shortest lines between the cells of one constraint. Lenses choose which of them a picture has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import hypot
from typing import Literal, NamedTuple

from ..model import AllDifferent, Constraint, Equality, Linear, Model, Variable
from .layout.layout import Placement, Places
from .layout.nodes import ConstraintNode
from .shapes import Point

Curve = tuple[Point, Point, Point, Point]
"""The four points of a cubic Bézier curve."""
Box = tuple[Point, Point]
"""The middle of a rectangle, and its width and height."""
Look = Literal["plain", "dashed"]
"""A plain edge states that its ends differ; a dashed one states any other constraint."""

BENDS = 10_000
"""Maximum number of pairs of an edge and a vertex; in a larger picture edges run straight, to stay readable."""


class Edge(NamedTuple):
    """An edge that joins two vertices of a picture and represents some constraints.

    Attributes
    ----------
    start : str
        A variable, or the name of a constraint node.
    end : Variable
        The other end.
    curve : tuple of points
        Successive cubic Bézier curves; each after the first one adds three points.
    look : {"plain", "dashed"}
    constraints : tuple of int
        The numbers of the constraints that the edge represents.
    """

    start: str
    end: Variable
    curve: tuple[Point, ...]
    look: Look
    constraints: tuple[int, ...]


def clique_edges(model: Model, layout: Placement, hidden: Collection[int] = ()) -> Iterator[Edge]:
    """Yield an edge between any two variables that share a visible constraint.

    Constraints in ``hidden``, and those whose vertices are all too close for edges, are omitted.

    Examples
    --------
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC"), AllDifferent.of("AB")])
    >>> [(edge.start, edge.end, edge.constraints) for edge in clique_edges(model, layout(model))]
    [('A', 'B', (0, 1)), ('A', 'C', (0,)), ('B', 'C', (0,))]
    """
    if layout.shows_no_edges(model.domains):
        return
    excluded = {n for n, constraint in enumerate(model.constraints) if layout.shows_no_edges(constraint.scope)}
    excluded.update(hidden)
    # Collect the constraints that two variables share, and keep the pairs that share one which is drawn.
    place = {variable: i for i, variable in enumerate(model.domains)}
    shared: dict[tuple[Variable, Variable], list[int]] = {}
    for number, constraint in enumerate(model.constraints):
        for first, second in combinations(constraint.scope, 2):
            pair = (first, second) if place[first] < place[second] else (second, first)
            shared.setdefault(pair, []).append(number)
    pairs = sorted(shared.items(), key=lambda item: place[item[0][0]])
    ends = [(*pair, drawn) for pair, numbers in pairs if (drawn := tuple(n for n in numbers if n not in excluded))]
    are_bent = len(ends) * len(layout.points) <= BENDS
    # Bend each edge around the vertices between its ends.
    for first, second, drawn in ends:
        blocks = [(p, layout.size(v)) for v, p in layout.points.items() if are_bent and v not in (first, second)]
        ends_boxes = [(layout.points[v], layout.size(v)) for v in (first, second)]
        curve_points = trimmed(curve(layout.points[first], layout.points[second], blocks), *ends_boxes)
        is_difference = any(states_difference(model.constraints[number], (first, second)) for number in drawn)
        yield Edge(first, second, curve_points, "plain" if is_difference else "dashed", drawn)


def states_difference(constraint: Constraint, variables: Collection[Variable] = ()) -> bool:
    """Return whether a constraint only states that ``variables`` differ.

    By default, these are all variables of the constraint.

    Examples
    --------
    >>> states_difference(AllDifferent.of("AB")), states_difference(Equality(Variable("A"), 1))
    (True, False)
    >>> from csp import Affine
    >>> a, b, c = map(Affine.variable, "ABC")
    >>> states_difference(AllDifferent((a, b - a, c - b))), states_difference(Linear(a, "!=", b + 1))
    (False, False)
    """
    members = variables or constraint.scope
    match constraint:
        case Equality():
            return not constraint.equal and len(members) == 2
        case AllDifferent() if not variables and not all(element.is_variable for element in constraint.apart()):
            return False
        case AllDifferent() | Linear(relation="!="):
            return any(all(variable in group for variable in members) for group in constraint.differing())
    return False


def look(constraint: Constraint) -> Look:
    """Return the line style of a constraint's edges: ``plain`` for differences, else ``dashed``."""
    return "plain" if states_difference(constraint) else "dashed"


def straight(start: Point, end: Point) -> Curve:
    """Return the straight line between two points as a cubic Bézier curve."""
    return _bow_curve(start, end, 0)


def curve(start: Point, end: Point, blocks: Sequence[tuple[Point, Point]]) -> Curve:
    """Return the flattest tried curve between two points that avoids boxes; else straight.

    Each box is a pair: its middle and its size.

    Examples
    --------
    >>> curve((0, 0), (90, 0), [((45, 0), (20, 20))])[1]
    (30.0, -24.0)
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    # Count the boxes before the start, in line with the edge.
    blocks_before = sum(
        (x - start[0]) * dx + (y - start[1]) * dy < 0 and abs((x - start[0]) * dy - (y - start[1]) * dx) < length
        for (x, y), _ in blocks
    )
    side = -1 if blocks_before % 2 else 1  # edges of neighbours on one line bend to alternating sides
    # Try the straight line, and then flat bows before deep ones.
    bulges = (sign * side * (0.14 + 0.02 * i) for i in range(30) for sign in (1, -1))
    straight_line = straight(start, end)
    if clear(straight_line, blocks):
        return straight_line
    return next((bow for bulge in bulges if clear(bow := _bow_curve(start, end, bulge), blocks)), straight_line)


def along(curve: Sequence[Point], share: float) -> Point:
    """Return a point of successive cubic Bézier curves, at a ``share`` of the parameter.

    Each curve after the first one adds three points.

    Examples
    --------
    >>> along(straight((0, 0), (8, 4)), 0.5), along((*straight((0, 0), (9, 0)), *straight((9, 0), (9, 6))[1:]), 0.75)
    ((4.0, 2.0), (9.0, 3.0))
    """
    if len(curve) > 4:
        count = len(curve) // 3
        number = min(int(share * count), count - 1)
        return along(curve[3 * number : 3 * number + 4], share * count - number)
    weights = ((1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share * share * (1 - share), share**3)
    x, y = (sum(weight * point[i] for weight, point in zip(weights, curve, strict=True)) for i in (0, 1))
    return x, y


def trimmed(curve: Curve, first: Box, second: Box) -> Curve:
    """Return the part of a curve outside of the boxes around its two ends.

    Examples
    --------
    >>> trimmed(straight((0, 0), (90, 0)), ((0, 0), (20, 20)), ((90, 0), (20, 20)))
    ((10.0, 0.0), (33.3, 0.0), (56.7, 0.0), (80.0, 0.0))
    """

    # Find the border by bisection.
    def find_border(box: Box, inner: float, outer: float) -> float:
        (left, top), (width, height) = box
        for _ in range(12):
            middle = (inner + outer) / 2
            x, y = along(curve, middle)
            is_inside = abs(x - left) < width / 2 and abs(y - top) < height / 2
            inner, outer = (middle, outer) if is_inside else (inner, middle)
        return inner

    def blossom(*shares: float) -> Point:
        points = list(curve)
        for share in shares:
            points = [((1 - share) * x + share * p, (1 - share) * y + share * q) for (x, y), (p, q) in pairwise(points)]
        return round(points[0][0], 1), round(points[0][1], 1)

    # Cut the curve at both borders; its blossom gives the control points of the part.
    start, end = find_border(first, 0, 0.5), find_border(second, 1, 0.5)
    return (
        blossom(start, start, start), blossom(start, start, end), blossom(start, end, end), blossom(end, end, end),
    )  # fmt: skip


def _bow_curve(start: Point, end: Point, bulge: float) -> Curve:
    """Return a curve bent to one side by ``bulge`` times the distance of its ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    first_control, second_control = (
        (start[0] + dx * t + dy * bulge * 4 / 3, start[1] + dy * t - dx * bulge * 4 / 3) for t in (1 / 3, 2 / 3)
    )
    return start, first_control, second_control, end


def clear(curve: Curve, blocks: Sequence[tuple[Point, Point]], margin: float = 5.0) -> bool:
    """Return whether a curve keeps a distance of ``margin`` points from all boxes.

    Each box is its middle and its size; the curve is tested at 31 points.

    Examples
    --------
    >>> line, box = straight((0, 0), (90, 0)), ((45, 14), (20, 20))
    >>> clear(line, [box]), clear(line, [box], 0)
    (False, True)
    """
    # A curve stays within the box around its four points.
    (left, right), (top, bottom) = ((min(lengths), max(lengths)) for lengths in zip(*curve, strict=True))
    close = [
        (p, q, w / 2 + margin, h / 2 + margin)
        for (p, q), (w, h) in blocks
        if left - w / 2 - margin < p < right + w / 2 + margin and top - h / 2 - margin < q < bottom + h / 2 + margin
    ]
    for step in range(1, 32) if close else ():
        x, y = along(curve, step / 32)
        if any(abs(x - p) < across and abs(y - q) < down for p, q, across, down in close):
            return False
    return True


INSET = 4.0
"""Points inside the border of a cell at which lines end; else the lines between neighbours would have no length."""

KEPT_CURVES = 1 << 14
"""Number of cached curves, for the next picture of one board: finding where a line leaves a cell is expensive."""


def outside(middle: Point, size: Point) -> Box:
    """Return a box enlarged by ``INSET`` on each side.

    Lines end ``INSET`` points inside of the border of a box; so they end at the original border.
    """
    return middle, (size[0] + 2 * INSET, size[1] + 2 * INSET)


@lru_cache(KEPT_CURVES)
def between(first: Box, second: Box, bend: Point | None = None) -> Curve:
    """Return the line between two boxes as a curve, cut slightly inside of their borders.

    The line runs between the middles of the boxes. ``bend`` is the control point of a bent line.

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


def spokes(model: Model, layout: Placement, nodes: Iterable[ConstraintNode]) -> Iterator[Edge]:
    """Yield straight edges (spokes) from each constraint node to its variables.

    Nodes that are drawn only while active, and nodes on a crowded grid, have none.
    """
    for node in nodes:
        if not node.quiet and not layout.shows_no_edges(model.constraints[node.number].scope):
            yield from node_spokes(model, layout, node)


def node_spokes(model: Model, layout: Placement, node: ConstraintNode) -> Iterator[Edge]:
    """Yield a straight edge from a constraint's node to each of its variables."""
    constraint = model.constraints[node.number]
    for v in constraint.scope:
        (x, y), (p, q) = node.point, layout.points[v]
        spoke = trimmed(straight((x, y), (p, q)), (node.point, node.size), (layout.points[v], layout.size(v)))
        yield Edge(f"group {node.number}", v, spoke, look(constraint), (node.number,))


Thread = tuple[Variable, Variable]
"""The two cells that a line joins."""
KEPT_JOINS = 1 << 10
"""Number of cached results, for the next picture of one board."""


def shortest_joins(
    scope: Sequence[Variable], node_point: Point | None, layout: Placement
) -> tuple[list[Variable], list[Thread]]:
    """Return the shortest lines that join the cells of a constraint and its node.

    The node is joined to the nearest cell, and each cell to the nearest one that is already joined: a minimum spanning
    tree. Lines that would cross other cells are omitted. The first result has the cell that is joined to the node, the
    second the pairs of joined cells.

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


@lru_cache(KEPT_JOINS)
def _cached_joins(
    scope: Sequence[Variable], node_point: Point | None, places: Places
) -> tuple[list[Variable], list[Thread]]:
    """Compute ``shortest_joins`` for positions and sizes of vertices, with a cache."""
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
