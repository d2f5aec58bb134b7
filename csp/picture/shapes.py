"""Shapes: lines, boxes, discs and texts. All pictures are lists of them.

A painter of a new format needs only this module and ``style.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ..board.widths import text_width
from .style import WIDER

Point = tuple[float, float]
"""Coordinates in points: x to the right and y down."""

ShapeKind = Literal["line", "box", "disc", "text"]
SHADES, GROUND, UNDER, BEHIND, JOINS, VERTICES, PRINTED, OVER = range(8)
"""Layers, from the lowest: shades of cells; states of vertices above a shape; other print under the vertices; edges
behind all others; edges and constraint nodes; vertices; print on top of the vertices; shapes over everything."""
COUNT = 10.0
"""The size of the font of counts of removals, in points."""
LETTER, HIGH = 0.64, 0.75
"""The width and the height of a letter, as shares of the size of its font."""
LOW = frozenset(
    {"shade", "odd", "black", "slash", "dark", "thread", "way", "shaft", "ring", "lamp", "quad", "orb", "slot"}
)
"""The looks that belong to the layer under the vertices; vertices above them are transparent."""
FULL = ("tint-", "shade", "dark", "black")
"""Beginnings of the looks of boxes that fill a cell; they are below the state of the vertex."""


class Shape(NamedTuple):
    """A line, box, disc or text of a picture, with its look and position.

    Attributes
    ----------
    kind : {"line", "box", "disc", "text"}
        The geometric kind.
    look : str
        Words for the meaning of the shape. ``csp.picture.style`` gives each word its colours; later words win.
    points : tuple of (float, float)
        For a line its corners, or for an ``edge`` the points of cubic Bézier curves: four, and three more for each
        further curve. For all other kinds the middle, and then the width and height.
    text : str
        The text of a text; the tooltip of any other kind.
    size : float
        The size of a font in points; for a box, the radius of its corners.
    constraints : tuple of int
        The numbers of the constraints that the shape represents; it is highlighted while one of them is at work.
    layer : int
        One of the eight layers, from ``SHADES`` to ``OVER``.
    of : tuple of str
        The vertex that the shape is a part of, or the two vertices that an edge joins.
    fill : str
        The colour of a value, which replaces the colour of the look; empty without one.
    share : float
        The opacity of the colour, from 0 to 1.

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
        """Whether the shape is an edge, so that its points define Bézier curves."""
        return self.look.startswith("edge")

    def shifted(self, by: Point) -> Shape:
        """Return a copy of the shape, moved by the vector ``by``."""
        # Width and height, which follow the middle, do not move.
        points = self.points if self.kind == "line" else self.points[:1]
        return self._replace(points=tuple((x + by[0], y + by[1]) for x, y in points) + self.points[len(points) :])

    def moved(self, by: Point, of: tuple[str, ...] = ()) -> Shape:
        """Return a copy that belongs to ``of``, moved by ``by``.

        Its layer is at most that of vertices.
        """
        return self.shifted(by)._replace(layer=min(self.layer, VERTICES), of=of)


def text(words: object, look: str, at: Point, size: float, constraints: tuple[int, ...] = (), room: float = 0) -> Shape:
    """Make a text shape whose middle is at a point.

    ``room`` is the height of its place, by default that of the font.
    """
    width = text_width(str(words), size) * WIDER
    return Shape("text", look, (at, (width, room or size)), str(words), size, constraints)


def line(look: str, *points: Point, constraints: tuple[int, ...] = ()) -> Shape:
    """Make a line shape through points; ``look`` names its style."""
    return _in_its_layer(Shape("line", look, points, constraints=constraints))


def box(look: str, middle: Point, size: Point, constraints: tuple[int, ...] = (), corner: float = 0) -> Shape:
    """Make a filled rectangle from its middle and size; ``look`` names its style."""
    return _in_its_layer(Shape("box", look, (middle, size), "", corner, constraints))


def disc(look: str, middle: Point, diameter: float, constraints: tuple[int, ...] = ()) -> Shape:
    """Make a filled circle from its middle and diameter; ``look`` names its style."""
    return _in_its_layer(Shape("disc", look, (middle, (diameter, diameter)), "", 0, constraints))


def pill(look: str, words: str, middle: Point) -> list[Shape]:
    """Return a count of removals: a text on a box with round ends."""
    size = len(words) * COUNT * LETTER + 5, COUNT + 2
    return [box(look, middle, size, corner=size[1] / 2), text(words, look, middle, COUNT)]


def _in_its_layer(shape: Shape) -> Shape:
    """Return the shape; shades, paths and other low looks move under the vertices."""
    if shape.kind == "box" and shape.look.startswith(FULL):
        return shape._replace(layer=SHADES)
    is_low = shape.look in LOW or shape.look.startswith(("tint-", "chain-", "path-"))
    return shape._replace(layer=UNDER) if is_low else shape


def bounding_box(shapes: Iterable[Shape]) -> tuple[Point, Point]:
    """Return the upper left and lower right corners of the box around shapes.

    An edge counts with its control points. Without shapes, both corners are (0, 0).

    Examples
    --------
    >>> bounding_box([box("shade", (0, 0), (20, 10)), line("rule", (0, 0), (30, 0))])
    ((-10.0, -5.0), (30, 5.0))
    """
    corners: list[Point] = []
    for shape in shapes:
        if shape.kind == "line":
            corners += shape.points
        else:
            (x, y), (width, height) = shape.points
            corners += [(x - width / 2, y - height / 2), (x + width / 2, y + height / 2)]
    low, high = (
        (choose(x for x, _ in corners), choose(y for _, y in corners)) if corners else (0.0, 0.0)
        for choose in (min, max)
    )
    return low, high


def shared_area(first: tuple[Point, Point], second: tuple[Point, Point]) -> float:
    """Return the area of the common part of two boxes (middle and size).

    Examples
    --------
    >>> shared_area(((0, 0), (20, 10)), ((15, 0), (20, 20)))
    50.0
    """
    (x, y), (width, height) = first
    (p, q), (other_width, other_height) = second
    level = min((width + other_width) / 2 - abs(x - p), width, other_width)
    upright = min((height + other_height) / 2 - abs(y - q), height, other_height)
    return level * upright if level > 0 and upright > 0 else 0.0


def most_free(boxes: Iterable[tuple[Point, Point]], occupied: Sequence[tuple[Point, Point]]) -> tuple[Point, Point]:
    """Return the first box that covers the smallest area of the occupied ones.

    Examples
    --------
    >>> most_free([((0, 0), (20, 10)), ((30, 0), (20, 10)), ((60, 0), (20, 10))], [((5, 0), (20, 10))])
    ((30, 0), (20, 10))
    """
    areas: dict[tuple[Point, Point], float] = {}
    for place in boxes:
        areas[place] = round(sum(shared_area(place, other) for other in occupied), 1)
        if not areas[place]:
            break
    return min(areas, key=areas.__getitem__)
