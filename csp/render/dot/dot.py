"""Write shapes as DOT text: vertices, edges, and printed signs around them.

Graphviz draws the text (``drawing.py``) without moving a vertex. ``label.py`` writes the inside of a vertex.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

from ...board.widths import text_width
from ...picture.shapes import UNDER, VERTICES, Point, Shape, bounding_box, line
from ...picture.style import EDGE, FONT, HATCH, IDLE, PAPER, WIDER, combine_styles, shade
from ...picture.tree import tree_picture
from ...trace import Trace
from .label import TABLE, escape, label

STRIPES = ":".join([HATCH, PAPER] * 5)
"""The fill of a failed vertex, as a list of colours for Graphviz."""
BACKGROUND_LOOKS = ("chain-", "path-", "shaft", "way")
"""Looks of lines that are drawn into the background, because Graphviz would draw edges over values."""
SPARE_POINTS, SPARE_FACTOR = 12, 1.1
"""Extra room for a caption, because Graphviz needs more than planned: in points, and as a factor on its height."""
HEAD = 7.0
"""Length of an arrowhead, in points."""
ANCHOR = "ink"
"""Name of an invisible vertex; lines that are not edges of the graph lead from it to itself."""


class CommonRoom(NamedTuple):
    """The size shared by all pictures of a sequence, so that no vertex moves.

    Attributes
    ----------
    picture : Shape
        An invisible box as large as the largest picture.
    below : Shape
        A box as large as the largest caption.
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
        corners = [Shape("line", "", bounding_box([*corners, *map(_with_text_room, shapes)]))]
        captions = [Shape("line", "", bounding_box([*captions, *caption]))]
    (left, top), (right, bottom) = bounding_box(corners)
    body = Shape("box", "room", (((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)), of=("room",))
    return CommonRoom(body, _caption_room(captions))


def _with_text_room(shape: Shape) -> Shape:
    """Return the shape; a printed text gets the size that DOT reserves for it."""
    if shape.kind != "text" or shape.of:
        return shape
    width, height = _text_size(shape)
    return shape._replace(points=(shape.points[0], (72 * width, 72 * height)))


def _text_size(shape: Shape) -> Point:
    """Return the width and height, in inches, that DOT reserves for a printed text."""
    is_backed = "behind" in combine_styles(shape.look)
    width = text_width(shape.text, shape.size) * (WIDER if is_backed else 1.5) / 72 + 0.1
    return width, shape.size / (50 if is_backed else 36)


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
    # Edges lie below the vertices, unless all of them are drawn on top.
    title, drawn = " ".join(title.split()), list(shapes)
    is_over = all(shape.layer > VERTICES for shape in drawn if len(shape.of) == 2)
    if room:
        drawn.append(room.picture)
    label_attributes = f", labelloc=b,\n    label=<{_caption_label(caption, room)}>" if caption else ""
    background_shapes = [shape for shape in drawn if shape.layer == UNDER and shape.look.startswith(BACKGROUND_LOOKS)]
    drawn = [shape for shape in drawn if shape not in background_shapes]
    background = (
        f"\n    _background={quote(' '.join(map(_xdot_stroke, background_shapes)))}," if background_shapes else ""
    )
    lines = [
        f"// {title}",
        f"graph {quote(title)} {{",
        f"  graph [layout=nop2, outputorder={'nodesfirst' if is_over else 'edgesfirst'}, "
        f"bgcolor=white, pad=0.2,{background}",
        f'    fontname="{FONT}"{label_attributes}];',
        f'  node [shape=box, style="rounded,filled", fixedsize=true, fontname="{FONT}", fillcolor=white,',
        f'    color="{IDLE}", penwidth=1, margin=0];',
        f'  edge [color="{EDGE}"];',
        f'  {quote(ANCHOR)} [style=invis, label="", width=0, height=0, pos="0,0"];',
    ]
    # A shape with one owner is part of a vertex, with two owners an edge, without owner a printed sign.
    number = 0
    for owner, same_owner in groupby(drawn, key=lambda shape: shape.of):
        if len(owner) == 1:
            lines += _vertex_lines(owner[0], list(same_owner))
            continue
        for shape in same_owner:
            lines.append(_edge_line(shape) if owner else _printed_lines(f"mark {number}", shape))
            number += not owner
    return "\n".join([*lines, "}", ""])


def _caption_room(caption: Sequence[Shape]) -> Shape:
    """Return a box as large as a caption, from the caption's origin."""
    _, (right, bottom) = bounding_box(caption)
    return Shape("box", "", ((right / 2, bottom / 2), (right, bottom)))


def _caption_label(caption: Sequence[Shape], room: CommonRoom | None) -> str:
    """Return a caption as an HTML-like Graphviz table.

    With a common room, the table is in a cell of that size.
    """
    if room is None:
        return label(caption, _caption_room(caption))
    width, height = room.below.points[1]
    table = label(caption, _caption_room([*caption, line("", (width, 0), (width, 0))]))
    size = (
        f'FIXEDSIZE="TRUE" WIDTH="{width + SPARE_POINTS:.0f}" '
        f'HEIGHT="{height * SPARE_FACTOR + SPARE_POINTS:.0f}" VALIGN="TOP"'
    )
    return f"{TABLE}<TR><TD {size}>{table}</TD></TR></TABLE>"


def is_frame(path: Path) -> bool:
    """Return whether a file begins like a DOT text that this module writes."""
    with path.open("rb") as file:
        return re.match(rb"// [^\n]*\ngraph [^\n]*\{\n  graph \[layout=nop2,", file.read(100_000)) is not None


def _vertex_lines(name: str, shapes: Sequence[Shape]) -> Iterator[str]:
    """Yield the lines of DOT text for the vertex ``name`` with its shapes.

    Its first shape is the body. Shapes inside the body are its label, and others are printed beside it.
    """
    body, *others = shapes
    (left, top), (right, bottom) = bounding_box([body])
    middle, width, height = ((left + right) / 2, (top + bottom) / 2), right - left, bottom - top
    attributes = [f'pos="{pos(middle)}"', f"width={inches(width)}", f"height={inches(height)}"]
    if body.look == "room":
        yield f'  {quote(name)} [style=invis, label="", {", ".join(attributes)}];'
        return
    # Keep the shapes whose middle is inside the body, and all lines.
    inside = [shape for shape in others if shape.kind == "line" or left <= shape.points[0][0] <= right]
    inside = [shape for shape in inside if shape.kind == "line" or top <= shape.points[0][1] <= bottom]
    look, ramps = combine_styles(body.look), [shape for shape in inside if shape.look == "ramp"]
    fills = [shape.fill for shape in inside if shape.look == "paint fill"]
    is_square = body.size < 5 and body.constraints == ()
    # Write only the attributes that differ from the defaults of the graph.
    style = ("filled" if is_square else "rounded,filled") + (",dashed" if look.get("dashed") else "")
    if body.kind != "box":
        attributes.append(f"shape={look.get('outline', 'circle')}")
    if look.get("fill", "none") == "none":
        attributes.append('style=""')
    elif look.get("hatched"):
        attributes.append(f'style=striped, fillcolor="{STRIPES}"')
    elif fills:
        attributes.append(f'fillcolor="{fills[0]}"')
    elif "active" in body.look.split() or ramps:
        attributes.append(f'style="{style}"')
        attributes.append(
            f'fillcolor="{look["fill"] if not ramps or "active" in body.look else shade(ramps[0].share)}"'
        )
    else:
        attributes += [f'style="{style}"'] if style != "rounded,filled" else []
        attributes += [f'fillcolor="{look["fill"]}"'] if look["fill"] != PAPER else []
    if look["line"] != IDLE:
        attributes.append(f'color="{look["line"]}", penwidth={look["width"]:g}')
    label_shapes = [shape for shape in inside if shape.look not in ("ramp", "paint fill") and shape.kind != "line"]
    if len(label_shapes) > 1 or any(combine_styles(shape.look) for shape in label_shapes):
        label_room = Shape("box", "", (middle, (width - 4, height - 4) if body.size else (width, height)))
        attributes.append(f"label=<{label(label_shapes, label_room)}>")
    else:
        attributes += [f"fontsize={shape.size:g}" for shape in label_shapes]
        attributes.append(f"label={quote(label_shapes[0].text if label_shapes else '')}")
        attributes += [f"tooltip={quote(body.text)}"] if body.text else []
    yield f"  {quote(name)} [{', '.join(attributes)}];"
    for number, shape in enumerate(shape for shape in others if shape not in inside):
        yield _printed_lines(f"{name} text {number}", shape)


def _edge_line(shape: Shape) -> str:
    first, second = shape.of
    points = [*(shape.points if shape.is_curve else polyline(shape.points))]
    place = ""
    if combine_styles(shape.look).get("arrow"):
        # Graphviz draws the head from the end of the curve to the point after "e,".
        (x, y), (p, q) = points[-2:]
        share = min(0.5, HEAD / max(hypot(p - x, q - y), 0.1))
        place = f"e,{pos((p, q))} "
        points[-1] = p - (p - x) * share, q - (q - y) * share
    place += " ".join(map(pos, points))
    return f'  {quote(first)} -- {quote(second)} [pos="{place}"{_pen_attributes(shape, EDGE)}];'


def _xdot_stroke(shape: Shape) -> str:
    """Return a background line in xdot, Graphviz's drawing language."""
    look = combine_styles(shape.look)
    style = f"setlinewidth({look['width']:g})"
    points = " ".join(pos(point).replace(",", " ") for point in shape.points)
    return f"c {len(look['line'])} -{look['line']} S {len(style)} -{style} L {len(shape.points)} {points}"


def _pen_attributes(shape: Shape, default_color: str = "") -> str:
    """Return those DOT attributes of a line that differ from the defaults, as text."""
    look = combine_styles(shape.look)
    attributes = ", style=dashed" if look.get("dashed") else ""
    attributes += f', color="{look["line"]}"' if look["line"] != default_color else ""
    attributes += f", dir=forward, arrowsize={HEAD / 10:g}" if look.get("arrow") else ""
    return attributes + (f", penwidth={look['width']:g}" if look["width"] != 1 or not default_color else "")


def _printed_lines(name: str, shape: Shape) -> str:
    """Return the DOT statement for a printed shape, such as a clue or a border.

    A line is a loop at the anchor, and any other sign is a vertex without edges.
    """
    if shape.kind == "line":
        return (
            f"  {quote(ANCHOR)} -- {quote(ANCHOR)} "
            f'[pos="{" ".join(map(pos, polyline(shape.points)))}"{_pen_attributes(shape)}];'
        )
    look, (middle, (w, h)) = combine_styles(shape.look), shape.points
    if shape.kind == "text":
        backing = look.get("behind", "")
        width, height = _text_size(shape)
        fill = f'style=filled, color="{backing}", fillcolor="{backing}"' if backing else 'style=""'
        html_text = f"<B>{escape(shape.text)}</B>" if look.get("bold") else escape(shape.text)
        return (
            f'  {quote(name)} [shape=plaintext, {fill}, fontcolor="{look.get("ink", "#000000")}", '
            f"fontsize={shape.size:g}, width={width:.3g}, height={height:.3g}, margin=0, "
            f'label=<{html_text}>, pos="{pos(middle)}"];'
        )
    if "line" in look and "fill" not in look:
        frame = f'style="rounded{",dashed" if look.get("dashed") else ""}", color="{look["line"]}"'
        return f'  {quote(name)} [{frame}, label="", width={inches(w)}, height={inches(h)}, pos="{pos(middle)}"];'
    if look.get("hatched"):
        room = f'width={inches(w)}, height={inches(h)}, pos="{pos(middle)}"'
        return f'  {quote(name)} [style=striped, fillcolor="{STRIPES}", color="{look["line"]}", label="", {room}];'
    outline = "circle" if shape.kind == "disc" else "box"
    style = 'style=""' if look["fill"] == "none" else f'style=filled, fillcolor="{look["fill"]}"'
    fill = f'shape={outline}, {style}, color="{look.get("line", look["fill"])}", penwidth={look.get("width", 0):g}'
    room = f'label="", width={w / 72:.4g}, height={h / 72:.4g}, pos="{pos(middle)}"'
    return f"  {quote(name)} [{fill}, {room}];"


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
