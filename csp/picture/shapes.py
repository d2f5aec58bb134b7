"""Marks: a picture is a list of lines, boxes, discs and texts, and painters know nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from ..board.widths import text_width
from .style import WIDER

Point = tuple[float, float]
"""x to the right and y down, in points."""

ShapeKind = Literal["line", "box", "disc", "text"]
UNDER, BEHIND, JOINS, VERTICES, PRINTED, OVER = range(6)
"""Layers: printed under all; edges far below; edges and the vertices of constraints; vertices; printed; over all."""
LOW = frozenset({"shade", "odd", "black", "slash", "dark", "thread", "way", "shaft", "ring", "lamp", "quad", "orb"})
"""The looks of what is printed under the vertices, which let it show through."""


class Shape(NamedTuple):
    """One thing that is drawn.

    Attributes
    ----------
    kind : {"line", "box", "disc", "text"}
    look : str
        What it means, in words; ``csp.picture.style`` gives each word its colours, and later words win.
    points : tuple of (float, float)
        The corners of a line, or of an ``edge`` the four points of a cubic Bézier curve; the middle, and the width and
        height, of all else.
    text : str
        Of a box, what is told where a pointer rests on it.
    size : float
        Of the font; of a box, the radius of its corners.
    constraints : tuple of int
        The numbers of those that it stands for, which light it when they are at work.
    layer : int
    of : tuple of str
        The vertex that it is part of, or the two that an edge joins.
    fill : str
        The colour of a value.
    share : float
        How much is seen of the colour of its look.

    Examples
    --------
    >>> text(7, "clue", (30, -20), 16, (3,)).constraints
    (3,)
    """

    kind: ShapeKind
    look: str
    points: tuple[Point, ...]
    text: str = ""
    size: float = 0
    constraints: tuple[int, ...] = ()
    layer: int = PRINTED
    of: tuple[str, ...] = ()
    fill: str = ""
    share: float = 1

    @property
    def is_curve(self) -> bool:
        """Whether the points of a line are those of a Bézier curve."""
        return self.look.startswith("edge")

    def shifted(self, by: Point) -> Shape:
        """The same elsewhere."""
        points = self.points if self.kind == "line" else self.points[:1]
        return self._replace(points=tuple((x + by[0], y + by[1]) for x, y in points) + self.points[len(points) :])

    def moved(self, by: Point, of: tuple[str, ...] = ()) -> Shape:
        """The same elsewhere, as a part of a vertex."""
        return self.shifted(by)._replace(layer=VERTICES, of=of)


def text(words: object, look: str, at: Point, size: float, constraints: tuple[int, ...] = (), room: float = 0) -> Shape:
    """A text around a point, with the height of the room that it has."""
    wide = text_width(str(words), size) * WIDER
    return Shape("text", look, (at, (wide, room or size)), str(words), size, constraints)


def line(look: str, *points: Point, constraints: tuple[int, ...] = ()) -> Shape:
    """A line through points."""
    return _placed(Shape("line", look, points, constraints=constraints))


def box(look: str, middle: Point, size: Point, constraints: tuple[int, ...] = (), corner: float = 0) -> Shape:
    """A filled rectangle."""
    return _placed(Shape("box", look, (middle, size), "", corner, constraints))


def disc(look: str, middle: Point, across: float, constraints: tuple[int, ...] = ()) -> Shape:
    """A filled circle."""
    return _placed(Shape("disc", look, (middle, (across, across)), "", 0, constraints))


def _placed(shape: Shape) -> Shape:
    return (
        shape._replace(layer=UNDER)
        if shape.look in LOW or shape.look.startswith(("tint-", "chain-", "path-"))
        else shape
    )


def bounding_box(shapes: Iterable[Shape]) -> tuple[Point, Point]:
    """The corners of the smallest box around marks.

    Examples
    --------
    >>> bounding_box([box("shade", (0, 0), (20, 10)), line("rule", (0, 0), (30, 0))])
    ((-10.0, -5.0), (30, 5.0))
    """
    ends: list[Point] = []
    for shape in shapes:
        if shape.kind == "line":
            ends += shape.points
        else:
            (x, y), (w, h) = shape.points
            ends += [(x - w / 2, y - h / 2), (x + w / 2, y + h / 2)]
    low, high = ((pick(x for x, _ in ends), pick(y for _, y in ends)) if ends else (0.0, 0.0) for pick in (min, max))
    return low, high
