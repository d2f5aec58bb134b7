"""The edges of a picture: which variables are joined, what an edge means, and how it runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import hypot
from typing import Literal, NamedTuple

from ...model import AllDifferent, Constraint, Equality, Linear, Model, Variable
from ...model.network import network, primal
from ..layout.layout import Placement, Point

Curve = tuple[Point, Point, Point, Point]
Look = Literal["plain", "dashed"]

BENDS = 10_000
"""With more pairs of an edge and a vertex, edges run straight: nobody could follow a bow there."""


class Edge(NamedTuple):
    """An edge.

    Attributes
    ----------
    one : str
        A variable, or what a picture calls another vertex.
    other : Variable
    way : tuple of four points
        A cubic Bézier curve.
    look : {"plain", "dashed"}
    constraints : tuple of int
        The numbers of the constraints that it stands for.
    """

    one: str
    other: Variable
    way: Curve
    look: Look
    constraints: tuple[int, ...]


def clique_edges(model: Model, picture: Placement, hidden: Collection[int] = ()) -> Iterator[Edge]:
    """An edge wherever two variables share a constraint, but none for constraints on a crowded grid alone.

    Examples
    --------
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC"), AllDifferent.of("AB")])
    >>> [(edge.one, edge.other, edge.constraints) for edge in clique_edges(model, layout(model))]
    [('A', 'B', (0, 1)), ('A', 'C', (0,)), ('B', 'C', (0,))]
    """
    if picture.shows_no_edges(model.domains):
        return
    without = {n for n, constraint in enumerate(model.constraints) if picture.shows_no_edges(constraint.scope)}
    without.update(hidden)
    ends = [
        (one, other, shown)
        for one, other, numbers in primal(network(model)).edges(data="constraints")
        if (shown := tuple(n for n in numbers if n not in without))
    ]
    bends = len(ends) * len(picture.points) <= BENDS
    for one, other, shown in ends:
        blocks = [(p, picture.size(v)) for v, p in picture.points.items() if bends and v not in (one, other)]
        way = curve(picture.points[one], picture.points[other], blocks)
        differ = any(says_different(model.constraints[number], (one, other)) for number in shown)
        yield Edge(one, other, way, "plain" if differ else "dashed", shown)


def says_different(constraint: Constraint, variables: Collection[Variable] = ()) -> bool:
    """Whether all that a constraint says of some variables, or of all that it is about, is that they differ.

    Examples
    --------
    >>> says_different(AllDifferent.of("AB")), says_different(Equality(Variable("A"), 1))
    (True, False)
    >>> from csp import Affine
    >>> a, b, c = map(Affine.variable, "ABC")
    >>> says_different(AllDifferent((a, b - a, c - b))), says_different(Linear(a, "!=", b + 1))
    (False, False)
    """
    wanted = variables or constraint.scope
    match constraint:
        case Equality():
            return not constraint.equal and len(wanted) == 2
        case AllDifferent() if not variables and not all(element.is_variable for element in constraint.apart()):
            return False
        case AllDifferent() | Linear(relation="!="):
            return any(all(variable in group for variable in wanted) for group in constraint.differing())
    return False


def look(constraint: Constraint) -> Look:
    """A plain edge says that its ends differ, a dashed one anything else."""
    return "plain" if says_different(constraint) else "dashed"


def straight(one: Point, other: Point) -> Curve:
    """A straight line between two points."""
    return _bow(one, other, 0)


def curve(one: Point, other: Point, blocks: Sequence[tuple[Point, Point]]) -> Curve:
    """A way between two points that does not run through what stands between them.

    Examples
    --------
    >>> curve((0, 0), (90, 0), [((45, 0), (20, 20))])[1]
    (30.0, -24.0)
    """
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = hypot(dx, dy)
    before = sum(
        (x - one[0]) * dx + (y - one[1]) * dy < 0 and abs((x - one[0]) * dy - (y - one[1]) * dx) < length
        for (x, y), _ in blocks
    )
    side = -1 if before % 2 else 1  # neighbours on one line take turns
    bulges = (way * side * (0.14 + 0.02 * i) for i in range(30) for way in (1, -1))
    line = straight(one, other)
    if clear(line, blocks):
        return line
    return next((bow for bulge in bulges if clear(bow := _bow(one, other, bulge), blocks)), line)


def along(way: Curve, part: float) -> Point:
    """The point after a part of a curve, from 0 to 1.

    Examples
    --------
    >>> along(straight((0, 0), (8, 4)), 0.5)
    (4.0, 2.0)
    """
    weights = ((1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part * part * (1 - part), part**3)
    x, y = (sum(weight * point[i] for weight, point in zip(weights, way, strict=True)) for i in (0, 1))
    return x, y


def _bow(one: Point, other: Point, bulge: float) -> Curve:
    dx, dy = other[0] - one[0], other[1] - one[1]
    third, two = ((one[0] + dx * t + dy * bulge * 4 / 3, one[1] + dy * t - dx * bulge * 4 / 3) for t in (1 / 3, 2 / 3))
    return one, third, two, other


def clear(way: Curve, blocks: Sequence[tuple[Point, Point]], margin: float = 5.0) -> bool:
    """Whether a curve stays outside of boxes, by their middles and sizes, and this far from them.

    Examples
    --------
    >>> line, box = straight((0, 0), (90, 0)), ((45, 14), (20, 20))
    >>> clear(line, [box]), clear(line, [box], 0)
    (False, True)
    """
    for step in range(1, 32):
        x, y = along(way, step / 32)
        if any(abs(x - p) < w / 2 + margin and abs(y - q) < h / 2 + margin for (p, q), (w, h) in blocks):
            return False
    return True
