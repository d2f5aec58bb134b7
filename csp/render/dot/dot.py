"""Marks as DOT text: vertices of a graph with labels in HTML, edges between them, and what is printed around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from ...board.widths import text_width
from ...picture.shapes import UNDER, VERTICES, Point, Shape, bounding_box, line
from ...picture.style import EDGE, FONT, HATCH, IDLE, PAPER, WIDER, painted, shade
from .label import TABLE, label
from .quoting import escape, inches, pos, quote

STRIPES = ":".join([HATCH, PAPER] * 5)
"""The hatching of what has failed, as Graphviz knows it."""
STROKES = ("chain-", "path-", "shaft", "way")
"""Lines on which values stand; as edges they would lie over them."""
SPARE, SPARE_ROWS = 12, 1.1
"""Fonts and frames of tables take up a little more than captions are planned with: in points, and as a factor."""
ANCHOR = "ink"
"""A vertex that is not seen, from which lines go that are no edges of the graph."""


class CommonRoom(NamedTuple):
    """The room that all pictures of a sequence take up, so that nothing moves from one to the next.

    Attributes
    ----------
    picture : Mark
        A box that is not seen.
    below : Mark
        The box of the largest caption.
    """

    picture: Shape
    below: Shape


def common_room(pictures: Iterable[tuple[Iterable[Shape], Sequence[Shape]]]) -> CommonRoom:
    """Return the room of the largest of some pictures and of the largest of their captions.

    Examples
    --------
    >>> from csp.picture.shapes import box
    >>> room = common_room([([box("body", (0, 0), (20, 10))], ()), ([box("body", (5, 0), (20, 30))], ())])
    >>> room.picture.points
    ((2.5, 0.0), (25.0, 30.0))
    """
    corners: list[Shape] = []
    captions = [Shape("line", "", ((0, 0), (0, 0)))]
    for marks, caption in pictures:
        corners = [Shape("line", "", bounding_box([*corners, *map(_laid_out, marks)]))]
        captions = [Shape("line", "", bounding_box([*captions, *caption]))]
    (left, top), (right, bottom) = bounding_box(corners)
    body = Shape("box", "room", (((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)), of=("room",))
    return CommonRoom(body, _room(captions))


def _laid_out(mark: Shape) -> Shape:
    """A mark with the room that Graphviz is told to keep for it."""
    if mark.kind != "text" or mark.of:
        return mark
    wide, high = _text_size(mark)
    return mark._replace(points=(mark.points[0], (72 * wide, 72 * high)))


def _text_size(mark: Shape) -> Point:
    """The width and height of a printed text, in inches."""
    is_backed = "behind" in painted(mark.look)
    wide = text_width(mark.text, mark.size) * (WIDER if is_backed else 1.5) / 72 + 0.1
    return wide, mark.size / (50 if is_backed else 36)


def dot(marks: Iterable[Shape], title: str, caption: Sequence[Shape] = (), room: CommonRoom | None = None) -> str:
    """A picture as DOT text for ``dot -Tsvg``: it asks for the engine that keeps the places.

    Parameters
    ----------
    marks : iterable of Mark
    title : str
    caption : sequence of Mark
        What stands below.
    room : CommonRoom, optional
        As much as all pictures of a sequence take up.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> print(dot([text("7", "clue", (0, 9), 18)], "hello").splitlines()[0])
    // hello
    """
    title, drawn = " ".join(title.split()), list(marks)
    over = all(mark.layer > VERTICES for mark in drawn if len(mark.of) == 2)
    if room:
        drawn.append(room.picture)
    words = f", labelloc=b,\n    label=<{_below(caption, room)}>" if caption else ""
    low = [mark for mark in drawn if mark.layer == UNDER and mark.look.startswith(STROKES)]
    drawn = [mark for mark in drawn if mark not in low]
    ground = f"\n    _background={quote(' '.join(map(_stroke, low)))}," if low else ""
    lines = [
        f"// {title}",
        f"graph {quote(title)} {{",
        f"  graph [layout=nop2, outputorder={'nodesfirst' if over else 'edgesfirst'}, bgcolor=white, pad=0.2,{ground}",
        f'    fontname="{FONT}"{words}];',
        f'  node [shape=box, style="rounded,filled", fixedsize=true, fontname="{FONT}", fillcolor=white,',
        f'    color="{IDLE}", penwidth=1, margin=0];',
        f'  edge [color="{EDGE}"];',
        f'  {quote(ANCHOR)} [style=invis, label="", width=0, height=0, pos="0,0"];',
    ]
    number = 0
    for of, own in groupby(drawn, key=lambda mark: mark.of):
        if len(of) == 1:
            lines += _vertex(of[0], list(own))
            continue
        for mark in own:
            lines.append(_edge(mark) if of else _printed(f"mark {number}", mark))
            number += not of
    return "\n".join([*lines, "}", ""])


def _room(caption: Sequence[Shape]) -> Shape:
    """What a caption takes up, from where the picture ends."""
    _, (right, bottom) = bounding_box(caption)
    return Shape("box", "", ((right / 2, bottom / 2), (right, bottom)))


def _below(caption: Sequence[Shape], room: CommonRoom | None) -> str:
    """A caption as a table; in a room, in a cell that is as large as the largest, whatever the font."""
    if room is None:
        return label(caption, _room(caption))
    wide, high = room.below.points[1]
    table = label(caption, _room([*caption, line("", (wide, 0), (wide, 0))]))
    size = f'FIXEDSIZE="TRUE" WIDTH="{wide + SPARE:.0f}" HEIGHT="{high * SPARE_ROWS + SPARE:.0f}" VALIGN="TOP"'
    return f"{TABLE}<TR><TD {size}>{table}</TD></TR></TABLE>"


def is_frame(path: Path) -> bool:
    """Whether a file begins as the DOT texts do that are written here."""
    with path.open("rb") as file:
        return re.match(rb"// [^\n]*\ngraph [^\n]*\{\n  graph \[layout=nop2,", file.read(100_000)) is not None


def _vertex(name: str, marks: Sequence[Shape]) -> Iterator[str]:
    """A vertex: its first mark is its body, those within are its label, and others are printed beside it."""
    body, *others = marks
    (left, top), (right, bottom) = bounding_box([body])
    middle, w, h = ((left + right) / 2, (top + bottom) / 2), right - left, bottom - top
    place = [f'pos="{pos(middle)}"', f"width={inches(w)}", f"height={inches(h)}"]
    if body.look == "room":
        yield f'  {quote(name)} [style=invis, label="", {", ".join(place)}];'
        return
    inside = [mark for mark in others if mark.kind == "line" or left <= mark.points[0][0] <= right]
    inside = [mark for mark in inside if mark.kind == "line" or top <= mark.points[0][1] <= bottom]
    look, filled = painted(body.look), [mark for mark in inside if mark.look == "ramp"]
    is_square = body.size < 5 and body.constraints == ()
    style = ("filled" if is_square else "rounded,filled") + (",dashed" if look.get("dashed") else "")
    if body.kind != "box":
        place.append(f"shape={look.get('outline', 'circle')}")
    if look.get("fill", "none") == "none":
        place.append('style=""')
    elif look.get("hatched"):
        place.append(f'style=striped, fillcolor="{STRIPES}"')
    elif "active" in body.look.split() or filled:
        place.append(f'style="{style}"')
        place.append(f'fillcolor="{look["fill"] if not filled or "active" in body.look else shade(filled[0].share)}"')
    else:
        place += [f'style="{style}"'] if style != "rounded,filled" else []
        place += [f'fillcolor="{look["fill"]}"'] if look["fill"] != PAPER else []
    if look["line"] != IDLE:
        place.append(f'color="{look["line"]}", penwidth={look["width"]:g}')
    within = [mark for mark in inside if mark.look != "ramp" and mark.kind != "line"]
    if len(within) > 1 or any(painted(mark.look) for mark in within):
        room = Shape("box", "", (middle, (w - 4, h - 4) if body.size else (w, h)))
        place.append(f"label=<{label(within, room)}>")
    else:
        place += [f"fontsize={mark.size:g}" for mark in within]
        place.append(f"label={quote(within[0].text if within else '')}")
        place += [f"tooltip={quote(body.text)}"] if body.text else []
    yield f"  {quote(name)} [{', '.join(place)}];"
    for number, mark in enumerate(mark for mark in others if mark not in inside):
        yield _printed(f"{name} text {number}", mark)


def _edge(mark: Shape) -> str:
    one, other = mark.of
    points = mark.points if mark.is_curve else polyline(mark.points)
    return f'  {quote(one)} -- {quote(other)} [pos="{" ".join(map(pos, points))}"{_pen(mark, EDGE)}];'


def _stroke(mark: Shape) -> str:
    """A line under everything, in the language of Graphviz's drawings."""
    look = painted(mark.look)
    style = f"setlinewidth({look['width']:g})"
    points = " ".join(pos(point).replace(",", " ") for point in mark.points)
    return f"c {len(look['line'])} -{look['line']} S {len(style)} -{style} L {len(mark.points)} {points}"


def _pen(mark: Shape, plain: str = "") -> str:
    look = painted(mark.look)
    found = ", style=dashed" if look.get("dashed") else ""
    found += f', color="{look["line"]}"' if look["line"] != plain else ""
    return found + (f", penwidth={look['width']:g}" if look["width"] != 1 or not plain else "")


def _printed(name: str, mark: Shape) -> str:
    """What is no part of the graph: lines that go from nowhere to nowhere, and vertices without edges."""
    if mark.kind == "line":
        return f'  {quote(ANCHOR)} -- {quote(ANCHOR)} [pos="{" ".join(map(pos, polyline(mark.points)))}"{_pen(mark)}];'
    look, (middle, (w, h)) = painted(mark.look), mark.points
    if mark.kind == "text":
        behind = look.get("behind", "")
        wide, high = _text_size(mark)
        fill = f'style=filled, color="{behind}", fillcolor="{behind}"' if behind else 'style=""'
        words = f"<B>{escape(mark.text)}</B>" if look.get("bold") else escape(mark.text)
        return (
            f'  {quote(name)} [shape=plaintext, {fill}, fontcolor="{look.get("ink", "#000000")}", '
            f"fontsize={mark.size:g}, width={wide:.3g}, height={high:.3g}, margin=0, "
            f'label=<{words}>, pos="{pos(middle)}"];'
        )
    if "line" in look and "fill" not in look:
        kind = f'style="rounded{",dashed" if look.get("dashed") else ""}", color="{look["line"]}"'
        return f'  {quote(name)} [{kind}, label="", width={inches(w)}, height={inches(h)}, pos="{pos(middle)}"];'
    if look.get("hatched"):
        room = f'width={inches(w)}, height={inches(h)}, pos="{pos(middle)}"'
        return f'  {quote(name)} [style=striped, fillcolor="{STRIPES}", color="{look["line"]}", label="", {room}];'
    kind = "circle" if mark.kind == "disc" else "box"
    style = 'style=""' if look["fill"] == "none" else f'style=filled, fillcolor="{look["fill"]}"'
    fill = f'shape={kind}, {style}, color="{look.get("line", look["fill"])}", penwidth={look.get("width", 0):g}'
    room = f'label="", width={w / 72:.4g}, height={h / 72:.4g}, pos="{pos(middle)}"'
    return f"  {quote(name)} [{fill}, {room}];"


def polyline(points: Sequence[Point]) -> Iterator[Point]:
    """A way through points as curves that are straight.

    Examples
    --------
    >>> list(polyline(((0, 0), (3, 0))))
    [(0, 0), (1.0, 0.0), (2.0, 0.0), (3, 0)]
    """
    yield points[0]
    for (x, y), (p, q) in pairwise(points):
        yield from ((x + (p - x) / 3, y + (q - y) / 3), (p - (p - x) / 3, q - (q - y) / 3), (p, q))
