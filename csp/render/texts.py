"""What stands between the vertices of a picture, as vertices of its DOT text that have no edges."""

from __future__ import annotations

from .plan.layout import Point
from .style import CAUSE, WIDER, pos, quote, text_of, text_width

THICK = 2.5
"""A line between two regions."""


def halfway(one: Point, other: Point) -> Point:
    """The point in the middle between two."""
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def written(name: str, text: str, point: Point, size: int, colour: str = "#000000", background: str = "") -> str:
    """A text around a point, in HTML, with room for it in a wider font.

    Examples
    --------
    >>> print(written("sum", "<B>7</B>", (0, 0), 12).split(", label=")[1])
    <<B>7</B>>, pos="0,0"];
    """
    fill = f'style=filled, color="{background}", fillcolor="{background}"' if background else 'style=""'
    wide = text_width(text_of(text), size) * (WIDER if background else 1.5) / 72 + 0.1
    high = size / (50 if background else 36)
    return (
        f'  {quote(name)} [shape=plaintext, {fill}, fontcolor="{colour}", fontsize={size}, '
        f'width={wide:.3g}, height={high:.3g}, margin=0, label=<{text}>, pos="{pos(point)}"];'
    )


def box(name: str, point: Point, size: Point, colour: str) -> str:
    """A box of one colour around a point.

    Examples
    --------
    >>> print(box("hole", (0, 0), (36, 36), "white"))
      "hole" [style=filled, color="white", fillcolor="white", penwidth=0, label="", width=0.5, height=0.5, pos="0,0"];
    """
    fill = f'style=filled, color="{colour}", fillcolor="{colour}", penwidth=0, label=""'
    return f'  {quote(name)} [{fill}, width={size[0] / 72:.4g}, height={size[1] / 72:.4g}, pos="{pos(point)}"];'


def stroke(name: str, x: float, y: float, p: float, q: float) -> str:
    """A line across or down from one point to another: a thin box, since an edge would need two vertices.

    Examples
    --------
    >>> '"border" [' in stroke("border", 0, 0, 0, 72)
    True
    """
    return box(name, halfway((x, y), (p, q)), (abs(p - x) + THICK, abs(q - y) + THICK), CAUSE)
