"""The edges of a picture: the variables that an edge joins, and its curve."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import hypot
from typing import Literal, NamedTuple

from ...model import AllDifferent, Constraint, Equality, Linear, Model, Variable
from ...model.network import network, primal
from ..layout.layout import Placement, Point

Curve = tuple[Point, Point, Point, Point]
"""The four points of a cubic Bézier curve."""
Look = Literal["plain", "dashed"]
"""A plain edge states that its ends differ; a dashed one states any other constraint."""

BENDS = 10_000
"""Maximum number of pairs of an edge and a vertex; in a larger picture edges run straight, to stay readable."""


class Edge(NamedTuple):
    """An edge between two vertices, with the constraints that the edge represents.

    Attributes
    ----------
    start : str
        A variable, or the name of a constraint node.
    end : Variable
        The other end.
    curve : tuple of four points
        A cubic Bézier curve.
    look : {"plain", "dashed"}
    constraints : tuple of int
        The numbers of the constraints that the edge represents.
    """

    start: str
    end: Variable
    curve: Curve
    look: Look
    constraints: tuple[int, ...]


def clique_edges(model: Model, layout: Placement, hidden: Collection[int] = ()) -> Iterator[Edge]:
    """Yield an edge between any two variables that share a constraint.

    Constraints in ``hidden``, and those on a crowded grid alone, are omitted.

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
    # Keep the pairs of variables that share a constraint which is drawn.
    ends = [
        (first, second, drawn)
        for first, second, numbers in primal(network(model)).edges(data="constraints")
        if (drawn := tuple(n for n in numbers if n not in excluded))
    ]
    are_bent = len(ends) * len(layout.points) <= BENDS
    # Bend each edge around the vertices between its ends.
    for first, second, drawn in ends:
        blocks = [(p, layout.size(v)) for v, p in layout.points.items() if are_bent and v not in (first, second)]
        curve_points = curve(layout.points[first], layout.points[second], blocks)
        is_difference = any(states_difference(model.constraints[number], (first, second)) for number in drawn)
        yield Edge(first, second, curve_points, "plain" if is_difference else "dashed", drawn)


def states_difference(constraint: Constraint, variables: Collection[Variable] = ()) -> bool:
    """Return whether a constraint only states that variables differ.

    Without ``variables``, all variables of the constraint are meant.

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
    """Return the look of a constraint's edges: plain for differences, else dashed."""
    return "plain" if states_difference(constraint) else "dashed"


def straight(start: Point, end: Point) -> Curve:
    """Return the control points of a straight line between two points."""
    return _bow_curve(start, end, 0)


def curve(start: Point, end: Point, blocks: Sequence[tuple[Point, Point]]) -> Curve:
    """Return a curve between two points that avoids the boxes between them.

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


def along(curve: Curve, share: float) -> Point:
    """Return the point of a curve at a parameter from 0 to 1.

    Examples
    --------
    >>> along(straight((0, 0), (8, 4)), 0.5)
    (4.0, 2.0)
    """
    weights = ((1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share * share * (1 - share), share**3)
    x, y = (sum(weight * point[i] for weight, point in zip(weights, curve, strict=True)) for i in (0, 1))
    return x, y


def _bow_curve(start: Point, end: Point, bulge: float) -> Curve:
    """Return a curve bent to one side; ``bulge`` is relative to its length."""
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
    for step in range(1, 32):
        x, y = along(curve, step / 32)
        if any(abs(x - p) < w / 2 + margin and abs(y - q) < h / 2 + margin for (p, q), (w, h) in blocks):
            return False
    return True
