"""Write shapes as SVG text, without Graphviz.

Notebooks, pages and worksheets need it; numbered picture files are drawn by Graphviz.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby, pairwise
from math import hypot

from ..picture.shapes import VERTICES, Shape, bounding_box
from ..picture.style import FONT, PAPER, combine_styles

MARGIN = 10.0
"""Empty space around a picture, in points."""
HEAD = 8.0
"""Length of an arrowhead, in points."""
VERTEX_ORDER = {"box": 0, "disc": 0, "text": 1, "line": 2}
"""Drawing order inside the layer of vertices. Vertices do not overlap, so equal shapes can be drawn together."""


def svg(shapes: Iterable[Shape], scale: float = 1, attributes: str = "") -> str:
    """Return shapes as an SVG element; ``scale`` is a factor on its size.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> svg([text("7", "clue", (0, 0), 20)]).count("<text")
    1
    """
    drawn = list(shapes)
    (left, top), (right, bottom) = bounding_box(drawn)
    left, top, width, height = left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    size = f'width="{width * scale:.0f}" height="{height * scale:.0f}" viewBox="{left:g} {top:g} {width:g} {height:g}"'
    background = f'<path fill="#FFFFFF" d="M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}z"/>'
    text_attributes = f'font-family="{FONT}" text-anchor="middle"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {text_attributes}{attributes}>'
    layered = sorted(drawn, key=_order)
    return "\n".join([head, background, *shape_elements(layered), "</svg>", ""])


def _order(shape: Shape) -> tuple[int, int, bool]:
    """Return a shape's sort key for drawing: by layer; vertices by kind, bodies first."""
    is_vertex = shape.layer == VERTICES
    return shape.layer, is_vertex and VERTEX_ORDER[shape.kind], is_vertex and not shape.look.startswith("body")


def shape_elements(shapes: Iterable[Shape]) -> Iterator[str]:
    """Yield SVG groups of shapes; successive shapes of equal style share a group.

    Shapes with the look ``room`` are invisible and omitted.
    """
    for style, same_style in groupby((shape for shape in shapes if shape.look != "room"), _style_attributes):
        yield f"<g{style}>{''.join(''.join(_elements(row)) for _, row in groupby(same_style, _text_row))}</g>"


def _text_row(shape: Shape) -> tuple[float, float] | None:
    """Return the font size and y coordinate of a one-letter text, else None.

    One element can write all letters of equal font size and y coordinate.
    """
    is_letter = shape.kind == "text" and len(shape.text) == 1 and "!" <= shape.text <= "~"
    return (shape.size, shape.points[0][1]) if is_letter else None


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    """Yield the SVG elements of shapes; letters in one row share an element."""
    first, *more_letters = shapes
    if not more_letters or _text_row(first) is None:
        yield from map(_element, (first, *more_letters))
        return
    letters = "".join([shape.text for shape in (first, *more_letters)])
    places = " ".join([_one_digit(_text_x(shape)) for shape in (first, *more_letters)])
    yield f'<text x="{places}" y="{_baseline(first)}">{escape(letters, quote=False)}</text>'


def _style_attributes(shape: Shape) -> str:
    """Return a shape's look (its style words) as SVG attributes."""
    look = combine_styles(shape.look)
    if shape.kind == "text":
        attributes = {"font-size": f"{shape.size:.3g}"}
        attributes |= {"fill": look["ink"]} if "ink" in look else {}
        attributes |= {"font-weight": "bold"} if look.get("bold") else {}
        attributes |= {"font-style": "italic"} if look.get("italic") else {}
        attributes |= {"text-anchor": "start"} if look.get("start") else {}
        if "behind" in look:
            attributes |= {"paint-order": "stroke", "stroke": look["behind"], "stroke-width": "6"}
    else:
        attributes = {"fill": shape.fill or look.get("fill", "none")}
        if "line" in look:
            attributes |= {"stroke": look["line"], "stroke-width": f"{look['width']:g}"}
        attributes |= {"stroke-linecap": "round", "stroke-linejoin": "round"} if look.get("round") else {}
        attributes |= {"stroke-dasharray": "5 4"} if look.get("dashed") else {}
        attributes |= {"fill-opacity": f"{shape.share:.2g}"} if shape.share != 1 else {}
    return "".join(f' {name}="{value}"' for name, value in attributes.items())


def _element(shape: Shape) -> str:
    """Return one shape as an SVG element without style attributes."""
    if shape.kind == "line":
        return f'<path d="{path_data(shape)}"/>{_arrowhead(shape)}'
    (x, y), (w, h) = shape.points
    if shape.kind == "disc":
        return f'<circle cx="{_one_digit(x)}" cy="{_one_digit(y)}" r="{_one_digit(w / 2)}"/>'
    if shape.kind == "text":
        return f'<text x="{_one_digit(_text_x(shape))}" y="{_baseline(shape)}">{escape(shape.text, quote=False)}</text>'
    corner = f' rx="{_one_digit(shape.size)}"' if shape.size else ""
    place = f'x="{_one_digit(x - w / 2)}" y="{_one_digit(y - h / 2)}"'
    return f'<rect {place} width="{_one_digit(w)}" height="{_one_digit(h)}"{corner}/>'


def _arrowhead(shape: Shape) -> str:
    """Return an arrow's head as an SVG triangle with a white rim; empty without one."""
    look = combine_styles(shape.look)
    if not look.get("arrow"):
        return ""
    (x, y), (p, q) = shape.points[-2:]
    share = HEAD / max(hypot(p - x, q - y), 0.1)
    dx, dy = (p - x) * share, (q - y) * share
    corners = (p, q), (p - dx - dy / 2, q - dy + dx / 2), (p - dx + dy / 2, q - dy - dx / 2)
    path = "L".join(" ".join(map(_one_digit, corner)) for corner in corners)
    return f'<path fill="{look["line"]}" stroke="{PAPER}" stroke-width="0.8" d="M{path}z"/>'


def _text_x(shape: Shape) -> float:
    """Return the x coordinate at which SVG aligns a text: its start or middle."""
    (x, _), (width, _) = shape.points
    return x - width / 2 if combine_styles(shape.look).get("start") else x


def _baseline(shape: Shape) -> str:
    return _one_digit(shape.points[0][1] + 0.36 * shape.size)


def path_data(shape: Shape) -> str:
    """Return the SVG path data of a line shape: straight segments, or an edge's curve.

    Examples
    --------
    >>> path_data(Shape("line", "rule", ((0, 0), (10, 2.5))))
    'M0 0L10 2.5'
    """
    # A curve whose control point lies on the line between its ends is drawn as a line.
    points = shape.points
    if shape.is_curve and len(points) > 4:
        curves = (
            "C" + " ".join([_one_digit(length) for point in points[i : i + 3] for length in point])
            for i in range(1, len(points), 3)
        )
        return "M{} {}".format(*map(_one_digit, points[0])) + "".join(curves)
    if shape.is_curve:
        start, control, _, end = points
        is_bent = any(abs(control[i] - start[i] - (end[i] - start[i]) / 3) > 0.1 for i in (0, 1))
        points = points if is_bent else (start, end)
    if shape.is_curve and len(points) > 2:
        return "M{} {}C{} {} {} {} {} {}".format(*(_one_digit(coordinate) for point in points for coordinate in point))
    # Use the short commands for horizontal and vertical segments.
    path = "M{} {}".format(*map(_one_digit, points[0]))
    for (x, y), (p, q) in pairwise(points):
        path += (
            f"H{_one_digit(p)}" if y == q else f"V{_one_digit(q)}" if x == p else f"L{_one_digit(p)} {_one_digit(q)}"
        )
    return path


def _one_digit(number: float) -> str:
    return f"{round(number, 1) + 0:g}"
