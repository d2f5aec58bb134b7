"""Marks as SVG, without Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby, pairwise

from ..picture.shapes import VERTICES, Shape, bounding_box
from ..picture.style import FAILED, FONT, REMOVED, painted

MARGIN = 10.0
HATCH = (
    '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<path fill="{FAILED}" d="M0 0h8v8h-8z"/><path stroke="{REMOVED}" stroke-width="3" d="M0 0v8"/></pattern></defs>'
)
ORDER = {"box": 0, "disc": 0, "text": 1, "line": 2}
"""Within vertices, which lie apart: what is alike is painted together."""


def svg(marks: Iterable[Shape], scale: float = 1, attributes: str = "") -> str:
    """A picture as an SVG element.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> svg([text("7", "clue", (0, 0), 20)]).count("<text")
    1
    """
    drawn = list(marks)
    (left, top), (right, bottom) = bounding_box(drawn)
    left, top, wide, high = left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    size = f'width="{wide * scale:.0f}" height="{high * scale:.0f}" viewBox="{left:g} {top:g} {wide:g} {high:g}"'
    ground = f'<path fill="#FFFFFF" d="M{left:g} {top:g}h{wide:g}v{high:g}h{-wide:g}z"/>'
    names = f'font-family="{FONT}" text-anchor="middle"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {names}{attributes}>'
    layered = sorted(drawn, key=_order)
    hatch = [HATCH] if any(painted(mark.look).get("hatched") for mark in drawn) else []
    return "\n".join([head, *hatch, ground, *painted_marks(layered), "</svg>", ""])


def _order(mark: Shape) -> tuple[int, int, bool]:
    """Of vertices, bodies come first."""
    inside = mark.layer == VERTICES
    return mark.layer, inside and ORDER[mark.kind], inside and not mark.look.startswith("body")


def painted_marks(marks: Iterable[Shape]) -> Iterator[str]:
    """The elements of marks, those beside each other that are alike in a group."""
    for style, alike in groupby((mark for mark in marks if mark.look != "room"), _style):
        yield f"<g{style}>{''.join(''.join(_elements(one)) for _, one in groupby(alike, _row))}</g>"


def _row(mark: Shape) -> tuple[float, float] | None:
    """The size and height of a letter: one element can write many, each at a place of its own."""
    is_letter = mark.kind == "text" and len(mark.text) == 1 and "!" <= mark.text <= "~"
    return (mark.size, mark.points[0][1]) if is_letter else None


def _elements(marks: Iterable[Shape]) -> Iterator[str]:
    """Elements of marks, of which letters beside each other are one."""
    first, *others = marks
    if not others or _row(first) is None:
        yield from map(_element, (first, *others))
        return
    letters = "".join([mark.text for mark in (first, *others)])
    places = " ".join([_n(_left(mark)) for mark in (first, *others)])
    yield f'<text x="{places}" y="{_base(first)}">{escape(letters, quote=False)}</text>'


def _style(mark: Shape) -> str:
    look = painted(mark.look)
    if mark.kind == "text":
        found = {"font-size": f"{mark.size:.3g}"}
        found |= {"fill": look["ink"]} if "ink" in look else {}
        found |= {"font-weight": "bold"} if look.get("bold") else {}
        found |= {"font-style": "italic"} if look.get("italic") else {}
        found |= {"text-anchor": "start"} if look.get("start") else {}
        if "behind" in look:
            found |= {"paint-order": "stroke", "stroke": look["behind"], "stroke-width": "6"}
    else:
        found = {"fill": "url(#hatch)" if look.get("hatched") else mark.fill or look.get("fill", "none")}
        if "line" in look:
            found |= {"stroke": look["line"], "stroke-width": f"{look['width']:g}"}
        found |= {"stroke-linecap": "round", "stroke-linejoin": "round"} if look.get("round") else {}
        found |= {"stroke-dasharray": "5 4"} if look.get("dashed") else {}
        found |= {"fill-opacity": f"{mark.share:.2g}"} if mark.share != 1 else {}
    return "".join(f' {name}="{value}"' for name, value in found.items())


def _element(mark: Shape) -> str:
    if mark.kind == "line":
        return f'<path d="{way(mark)}"/>'
    (x, y), (w, h) = mark.points
    if mark.kind == "disc":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(w / 2)}"/>'
    if mark.kind == "text":
        return f'<text x="{_n(_left(mark))}" y="{_base(mark)}">{escape(mark.text, quote=False)}</text>'
    corner = f' rx="{_n(mark.size)}"' if mark.size else ""
    return f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}"{corner}/>'


def _left(mark: Shape) -> float:
    """Where a text begins, or its middle."""
    (x, _), (wide, _) = mark.points
    return x - wide / 2 if painted(mark.look).get("start") else x


def _base(mark: Shape) -> str:
    return _n(mark.points[0][1] + 0.36 * mark.size)


def way(mark: Shape) -> str:
    """The points of a line as the data of a path.

    Examples
    --------
    >>> way(Shape("line", "rule", ((0, 0), (10, 2.5))))
    'M0 0L10 2.5'
    """
    points = mark.points
    if mark.is_curve:
        start, one, _, end = points
        bends = any(abs(one[i] - start[i] - (end[i] - start[i]) / 3) > 0.1 for i in (0, 1))
        points = points if bends else (start, end)
    if mark.is_curve and len(points) > 2:
        return "M{} {}C{} {} {} {} {} {}".format(*(_n(o) for point in points for o in point))
    found = "M{} {}".format(*map(_n, points[0]))
    for (x, y), (p, q) in pairwise(points):
        found += f"H{_n(p)}" if y == q else f"V{_n(q)}" if x == p else f"L{_n(p)} {_n(q)}"
    return found


def _n(number: float) -> str:
    return f"{round(number, 1) + 0:g}"
