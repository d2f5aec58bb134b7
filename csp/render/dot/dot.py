"""Write shapes as DOT text: vertices, edges, and printed signs around them.

Graphviz draws the text (``drawing.py``) without moving a shape. Shapes below the vertices are its background, with the
fills of the vertices. Above them it draws the nodes in their order, each with the edges that begin at it: the printed
lines, the outline of each vertex, each area and text at its own place, and the lines and signs over all vertices. Nodes
and edges of the classes ``part`` and ``caption`` are not those of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

from ...base.notation import visible
from ...picture.shapes import BEHIND, JOINS, OVER, Point, Shape, bounding_box
from ...picture.style import EDGE, FONT, IDLE, PAPER, combine_styles
from ...picture.tree import tree_picture
from ...trace import Trace

ROUNDED = 5
"""Minimum radius of corners, in points, that Graphviz draws round; its own radius is 12."""
CUT = 7.0
"""Length that the fill below a round corner loses on each side, in points."""
MARGIN = 10
"""Empty space around a picture, in points."""
HEAD = 8.0
"""Length of an arrowhead, in points."""
STATES = ("marked", "active", "failed", "cause")
"""The states of vertices, which are classes of their nodes."""
MAX_STRING = 8_000
"""Characters of a quoted string before escapes, which can double them; Graphviz reads at most 16,384."""
ANCHORS = {"part": "ink", "caption": "caption ink"}
"""Names of invisible nodes by class; lines that are not edges of the graph lead from one of them to itself."""
OVER_ANCHOR = "over ink"
"""The name of the invisible node of lines over the vertices."""


class CommonRoom(NamedTuple):
    """The size shared by all pictures of a sequence, so that no vertex moves.

    Attributes
    ----------
    picture : Shape
        A box as large as the largest picture.
    below : Shape
        A box as large as the largest caption, below the other one.
    """

    picture: Shape
    below: Shape


def common_room(pictures: Iterable[tuple[Iterable[Shape], Sequence[Shape]]]) -> CommonRoom:
    """Return the size that fits every picture and every caption of a sequence.

    Examples
    --------
    >>> from csp.picture.shapes import box
    >>> room = common_room([([box("body", (0, 0), (20, 10))], ()), ([box("body", (5, 0), (20, 30))], ())])
    >>> room.picture.points
    ((2.5, 0.0), (25.0, 30.0))
    """
    corners: list[Shape] = []
    captions = [Shape("line", "", ((0, 0), (0, 0)))]
    for shapes, caption in pictures:
        corners = [Shape("line", "", bounding_box([*corners, *shapes]))]
        captions = [Shape("line", "", bounding_box([*captions, *caption]))]
    (left, top), (right, bottom) = bounding_box(corners)
    body = Shape("box", "room", (((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)))
    _, (width, height) = bounding_box(captions)
    return CommonRoom(body, Shape("box", "room", ((left + width / 2, bottom + height / 2), (width, height))))


def dot(shapes: Iterable[Shape], title: str, caption: Sequence[Shape] = (), room: CommonRoom | None = None) -> str:
    """Return a picture as DOT text for ``dot -Tsvg``, which keeps all positions.

    Parameters
    ----------
    shapes : iterable of Shape
    title : str
        The name of the graph.
    caption : sequence of Shape
        The shapes below the picture.
    room : CommonRoom, optional
        The common size of all pictures of a sequence.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> print(dot([text("7", "clue", (0, 9), 18)], "hello").splitlines()[0])
    // hello
    """
    title, drawn = " ".join(title.split()), sorted(shapes, key=lambda shape: shape.layer)
    room = room or common_room([(drawn, caption)])
    # Edges run over the fills of vertices and of their boxes, and under all texts.
    low_shapes = [shape for shape in drawn if _is_background(shape)]
    boxes = (_xdot_shape(shape, is_outlined=False) for shape in drawn if _has_low_fill(shape))
    strokes = " ".join([*map(_xdot_shape, low_shapes), *filter(None, boxes)])
    background = f"\n    _background={_quote_long(strokes)}," if strokes.strip() else ""
    # An edge in the background is only a part of the graph.
    drawn = [shape for shape in drawn if not _is_background(shape) or len(shape.of) == 2]
    lines = [
        f"// {title}",
        f"graph {quote(title)} {{",
        f"  graph [layout=nop2, outputorder=breadthfirst, bgcolor=white, pad=0,{background}",
        f'    fontname="{FONT}"];',
        f'  node [shape=box, fixedsize=true, fontname="{FONT}", fillcolor=white,',
        f'    color="{IDLE}", penwidth=1, margin=0];',
        f'  edge [color="{EDGE}"];',
        *map(_anchor_line, ANCHORS.values()),
        f'  "room" [style=invis, label="", {_place_attributes(_with_margin(room))}];',
    ]
    # A shape with one owner is part of a vertex, with two owners an edge, without owner a printed sign.
    number = 0
    for owner, same_owner in groupby(drawn, key=lambda shape: shape.of):
        if len(owner) == 1:
            lines += _vertex_lines(owner[0], list(same_owner))
            continue
        for shape in same_owner:
            is_over = shape.layer == OVER and shape.kind == "line"
            if shape.layer == OVER and _anchor_line(OVER_ANCHOR) not in lines:
                lines.append(_anchor_line(OVER_ANCHOR))
            # An edge that is drawn in the background, or over the vertices, is invisible between its own vertices.
            if owner:
                line = _edge_line(owner, shape)
                lines.append(line.replace("];", ", style=invis];") if is_over or _is_background(shape) else line)
            if is_over or not owner:
                lines.append(_part_line("part", f"mark {number}", shape))
                number += 1
    # The caption is below the picture.
    (left, _), (_, bottom) = bounding_box([room.picture])
    placed = (shape.shifted((left, bottom)) for shape in caption)
    lines += (_part_line("caption", f"caption {number}", shape) for number, shape in enumerate(placed))
    return "\n".join([*lines, "}", ""])


def _is_background(shape: Shape) -> bool:
    """Return whether a shape lies below the vertices; texts, and frames behind edges, are nodes."""
    return shape.layer < (JOINS if shape.kind == "line" else BEHIND) and shape.kind != "text"


def _has_low_fill(shape: Shape) -> bool:
    """Return whether a shape is the body, the shade or a box of a vertex."""
    return len(shape.of) == 1 and JOINS <= shape.layer < OVER and shape.look.startswith(("body", "ramp", "boxed"))


def is_frame(path: Path) -> bool:
    """Return whether a file begins like a DOT text that this module writes."""
    with path.open("rb") as file:
        return re.match(rb"// [^\n]*\ngraph [^\n]*\{\n  graph \[layout=nop2,", file.read(100_000)) is not None


def _with_margin(shapes: Iterable[Shape]) -> Shape:
    """Return a box around shapes, with empty space on all sides."""
    (left, top), (right, bottom) = bounding_box(shapes)
    size = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    return Shape("box", "room", (((left + right) / 2, (top + bottom) / 2), size))


def _anchor_line(name: str) -> str:
    """Return the DOT statement of an invisible node."""
    return f'  {quote(name)} [style=invis, label="", width=0, height=0, pos="0,0"];'


def _vertex_lines(name: str, shapes: Sequence[Shape]) -> Iterator[str]:
    """Yield the lines of DOT text for a vertex: its body, then its other shapes."""
    body, *others = shapes
    # A plain text in the middle of the body is its label.
    label = ""
    is_text = len(others) == 1 and others[0].kind == "text" and not combine_styles(others[0].look)
    if is_text and others[0].points[0] == body.points[0]:
        label, others = f"fontsize={others[0].size:g}, label={quote(others[0].text)}", []
    states = " ".join(word for word in body.look.split() if word in STATES)
    tooltip = (f', class="{states}"' if states else "") + (f", tooltip={quote(body.text)}" if body.text else "")
    body = body._replace(fill="none") if _has_low_fill(body) else body
    yield f"  {quote(name)} [{_area_attributes(body, label)}{tooltip}];"
    for number, shape in enumerate(others):
        yield _part_line("part", f"{name} part {number}", shape)


def _part_line(kind: str, name: str, shape: Shape) -> str:
    """Return the DOT statement for a shape that is not a vertex.

    A line is a loop at an anchor. A strike is a thin area, because the lines of an anchor are drawn together.
    """
    if shape.look == "strike":
        (x, y), (p, q) = bounding_box([shape])
        look = combine_styles(shape.look)
        shape = Shape("box", "", (((x + p) / 2, (y + q) / 2), (p - x, look["width"])), fill=look["line"])
    if shape.kind == "line":
        anchor = OVER_ANCHOR if kind == "part" and shape.layer == OVER else ANCHORS[kind]
        return _edge_line((anchor, anchor), shape, "").replace(" [", f" [class={kind}, ", 1)
    shape = shape._replace(fill="none") if _has_low_fill(shape) else shape
    attributes = _text_attributes(shape) if shape.kind == "text" else _area_attributes(shape)
    return f"  {quote(name)} [class={kind}, {attributes}];"


def _area_attributes(shape: Shape, label: str = "") -> str:
    """Return the attributes of a box, disc or closed line that differ from the defaults."""
    look = combine_styles(shape.look)
    fill = shape.fill or look.get("fill", "none")
    words = ["rounded"] if shape.kind == "box" and shape.size >= ROUNDED else []
    words += ["dashed"] if look.get("dashed") else []
    words += ["filled"] if fill != "none" else []
    style = ",".join(words)
    attributes = [] if shape.kind == "box" else [f"shape={look.get('outline', 'circle')}"]
    attributes += [f'style="{style}"'] if style else []
    if fill not in ("none", PAPER):
        opacity = f"{round(255 * shape.share):02X}" if shape.share != 1 else ""
        attributes.append(f'fillcolor="{fill}{opacity}"')
    if look.get("line", "none") == "none":
        attributes.append("penwidth=0")
    elif (look["line"], look["width"]) != (IDLE, 1):
        attributes.append(f'color="{look["line"]}", penwidth={look["width"]:g}')
    return ", ".join([*attributes, _place_attributes(shape), label or 'label=""'])


def _place_attributes(shape: Shape) -> str:
    """Return the DOT attributes for the middle and the size of a shape."""
    (left, top), (right, bottom) = bounding_box([shape])
    middle = (left + right) / 2, (top + bottom) / 2
    return f'pos="{pos(middle)}", width={inches(right - left)}, height={inches(bottom - top)}'


def _text_attributes(shape: Shape) -> str:
    """Return the DOT attributes of a node that is as large as its text."""
    look, (middle, (width, _)) = combine_styles(shape.look), shape.points
    words = escape(shape.text)
    for name, tag in (("bold", "B"), ("italic", "I")):
        words = f"<{tag}>{words}</{tag}>" if look.get(name) else words
    label, min_width = f"<{words}>", 0.0
    if look.get("start"):
        # The letter after a backslash moves the text to the left end of its room.
        label, min_width = quote(shape.text.replace("&", "&amp;"))[:-1] + '\\l"', width
    backing = look.get("behind", "")
    style = f', style=filled, fillcolor="{backing}"' if backing else ""
    ink = f', fontcolor="{look["ink"]}"' if "ink" in look else ""
    size = f"fixedsize=false, width={inches(min_width)}, height=0, fontsize={shape.size:.3g}"
    return f'shape=plaintext{style}{ink}, {size}, label={label}, pos="{pos(middle)}"'


def _edge_line(ends: tuple[str, ...], shape: Shape, default_color: str = EDGE) -> str:
    """Return a line as the DOT statement of an edge between two nodes."""
    first, second = ends
    points = [*(shape.points if shape.is_curve else polyline(shape.points))]
    place = ""
    if combine_styles(shape.look).get("arrow"):
        # Graphviz draws the head from the end of the curve to the point after "e,".
        (x, y), (p, q) = points[-2:]
        share = min(0.5, HEAD / max(hypot(p - x, q - y), 0.1))
        place = f"e,{pos((p, q))} "
        points[-1] = p - (p - x) * share, q - (q - y) * share
    place += " ".join(map(pos, points))
    return f'  {quote(first)} -- {quote(second)} [pos="{place}"{_pen_attributes(shape, default_color)}];'


def _xdot_shape(shape: Shape, is_outlined: bool = True) -> str:
    """Return a background shape in xdot, Graphviz's drawing language.

    The result is empty for a shape that would not be seen.
    """
    look = combine_styles(shape.look)
    fill, ink = shape.fill or look.get("fill", "none"), look.get("line", "none") if is_outlined else "none"
    is_open = shape.kind == "line" and "outline" not in look
    if (fill == "none" or is_open) and ink == "none":
        return ""
    # Choose the pen and the colour of the area.
    opacity = f"{round(255 * shape.share):02X}" if shape.share != 1 else ""
    style = f"setlinewidth({look.get('width', 0) if ink != 'none' else 0:g})"
    words = [f"c {_xdot_text(ink if ink != 'none' else '#00000000')}", f"S {_xdot_text(style)}"]
    words += [f"S {_xdot_text('dashed' if look.get('dashed') else 'solid')}"]
    words += [f"C {_xdot_text(fill + opacity)}"] if fill != "none" else []
    # Draw a curve, a line, an ellipse or a polygon.
    if shape.kind == "disc":
        (x, y), (width, height) = shape.points
        return " ".join(
            [*words, f"{'e' if fill == 'none' else 'E'} {_xdot_points([(x, y)])} {width / 2:g} {height / 2:g}"]
        )
    if is_open:
        letter, points = "B" if shape.is_curve else "L", [*shape.points]
        if look.get("arrow"):
            words = [*_xdot_head(points, ink), *words]
    else:
        letter, points = "p" if fill == "none" else "P", [*_corners(shape)]
    return " ".join([*words, f"{letter} {len(points)} {_xdot_points(points)}"])


def _xdot_head(points: Sequence[Point], ink: str) -> list[str]:
    """Return the arrowhead at the last of ``points`` as words of xdot."""
    (x, y), (p, q) = points[-2:]
    share = HEAD / max(hypot(p - x, q - y), 0.1)
    dx, dy = (p - x) * share, (q - y) * share
    corners = (p, q), (p - dx - dy / 3, q - dy + dx / 3), (p - dx + dy / 3, q - dy - dx / 3)
    return [f"c {_xdot_text(ink)} C {_xdot_text(ink)} P 3 {_xdot_points(corners)}"]


def _corners(shape: Shape) -> Sequence[Point]:
    """Return the corners of a closed line or box; a radius cuts corners off."""
    if shape.kind == "line":
        return shape.points
    (left, top), (right, bottom) = bounding_box([shape])
    cut = CUT if shape.size >= ROUNDED else 0.0
    upper = (left, top + cut), (left + cut, top), (right - cut, top), (right, top + cut)
    lower = (right, bottom - cut), (right - cut, bottom), (left + cut, bottom), (left, bottom - cut)
    return list(dict.fromkeys((*upper, *lower)))


def _xdot_text(words: str) -> str:
    """Return a text of xdot, after its length."""
    return f"{len(words)} -{words}"


def _xdot_points(points: Iterable[Point]) -> str:
    """Return points as numbers of xdot."""
    return " ".join(pos(point).replace(",", " ") for point in points)


def _pen_attributes(shape: Shape, default_color: str) -> str:
    """Return those DOT attributes of a line that differ from the defaults, as text."""
    look = combine_styles(shape.look)
    attributes = ", style=dashed" if look.get("dashed") else ""
    attributes += f', color="{look["line"]}"' if look["line"] != default_color else ""
    attributes += f", dir=forward, arrowsize={HEAD / 10:g}" if look.get("arrow") else ""
    return attributes + (f", penwidth={look['width']:g}" if look["width"] != 1 or not default_color else "")


def polyline(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the control points of the Bézier curves that join points by straight lines.

    Examples
    --------
    >>> list(polyline(((0, 0), (3, 0))))
    [(0, 0), (1.0, 0.0), (2.0, 0.0), (3, 0)]
    """
    yield points[0]
    for (x, y), (p, q) in pairwise(points):
        yield from ((x + (p - x) / 3, y + (q - y) / 3), (p - (p - x) / 3, q - (q - y) / 3), (p, q))


def tree_dot(trace: Trace) -> str:
    """Return the search tree of a trace as DOT text with fixed positions.

    A circle is a branching node, a diamond a solution, a square a failure, and a triangle a collapsed subtree without
    solutions. The path to the solution is thick. The label of an edge is its decision, and the text below a failure is
    its reason. The tooltip of a node lists the values that it removed and, for at most 20 variables, its domains before
    and after propagation. In a tree of more than 40 nodes, failed subtrees are collapsed.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = ("AB", "BC", "CD", "DE", "EA")
    >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
    >>> text = tree_dot(record(model, nodes=None))
    >>> text.count(" -- "), "A = 0" in text
    (2, True)
    """
    title, shapes = tree_picture(trace)
    return dot(shapes, title)


def quote(text: object) -> str:
    """Return a text as a quoted DOT string.

    Examples
    --------
    >>> print(quote('row "1"'))
    "row \\"1\\""
    """
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _quote_long(text: str) -> str:
    """Return a long text as a sum of quoted DOT strings."""
    starts = range(0, len(text), MAX_STRING)
    return " + ".join([quote(text[start : start + MAX_STRING]) for start in starts])


def escape(text: object) -> str:
    """Escape a text for use in an HTML-like label.

    Examples
    --------
    >>> escape("A < B")
    'A &lt; B'
    """
    return visible(str(text), keep="\n").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def inches(points: float) -> str:
    """Convert a length in points to inches, as text, rounded up.

    Examples
    --------
    >>> inches(312)
    '4.33334'
    """
    return f"{max(points / 72, 0.001) + 0.000005:.6g}"  # Graphviz reads no exponents


def pos(point: tuple[float, float]) -> str:
    """Return a point as text for Graphviz, whose y axis points up.

    Examples
    --------
    >>> pos((1.25, 3))
    '1.2,-3'
    """
    x, y = point
    return f"{round(x, 1):g},{round(0 - y, 1):g}"
