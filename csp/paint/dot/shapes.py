"""The marks of a plan as DOT: vertices without edges, and edges whose way is given."""

from __future__ import annotations

from itertools import pairwise

from ...board.widths import text_width
from ...picture.edges.edges import Curve
from ...picture.marks import LINES, Look, Mark, Point
from ...picture.style import ACTIVE, BLACK, CAUSE, IDLE, ODD, QUIET, SHADE, WIDER
from .quoting import escape, pos, quote

FILLS: dict[Look, str] = {"shade": SHADE, "odd": ODD, "black": BLACK, "dark": SHADE, "dot": "#FFFFFF"}
STROKES: dict[Look, str] = {"region": CAUSE, "cage": "#444444", "rule": IDLE, "thread": IDLE, "slash": IDLE}
INKS: dict[Look, str] = {"sum": "#FFFFFF", "header": QUIET, "title": QUIET}
ANCHOR = "ink"
"""A vertex that is not seen, from which lines go that are no edges of the graph."""


def anchor() -> str:
    """The vertex that lines need.

    Examples
    --------
    >>> print(anchor())
      "ink" [style=invis, label="", width=0, height=0, pos="0,0"];
    """
    return f'  {quote(ANCHOR)} [style=invis, label="", width=0, height=0, pos="0,0"];'


def shape(number: int, mark: Mark, lit: bool = False, backed: bool = False) -> str:
    """A mark as a line of DOT.

    Parameters
    ----------
    number : int
        What it is called in the text.
    mark : Mark
    lit : bool
        Whether a constraint that it stands for is at work.
    backed : bool
        Whether a sign hides the line behind it.

    Returns
    -------
    str

    Examples
    --------
    >>> print(shape(3, Mark("text", "clue", ((0, 9), (0, 18)), "7", 18)).split(", label=")[1])
    <<B>7</B>>, pos="0,-9"];
    """
    if mark.shape == "line":
        wide, dashed = LINES[mark.look]
        style = f'color="{CAUSE if lit else STROKES[mark.look]}", penwidth={wide * 2 if lit else wide:g}'
        return stroke(polyline(mark.points), style + (", style=dashed" if dashed and not lit else ""))
    if mark.shape == "text":
        bold = mark.look not in ("header", "sum", "said")
        words = f"<B>{escape(mark.text)}</B>" if bold else escape(mark.text)
        background = ACTIVE if lit and mark.look != "sum" else "#FFFFFF" if mark.look == "said" or backed else ""
        colour = INKS.get(mark.look, "#000000")
        return written(f"mark {number}", words, mark, colour, background)
    middle, size = mark.points
    kind = "circle" if mark.shape == "disc" else "box"
    fill = f'shape={kind}, style=filled, color="{FILLS[mark.look]}", fillcolor="{FILLS[mark.look]}", penwidth=0'
    room = f'label="", width={size[0] / 72:.4g}, height={size[1] / 72:.4g}, pos="{pos(middle)}"'
    return f'  "mark {number}" [{fill}, {room}];'


def written(name: str, words: str, mark: Mark, colour: str, background: str) -> str:
    """A text around a point, with room for it in a wider font."""
    fill = f'style=filled, color="{background}", fillcolor="{background}"' if background else 'style=""'
    size = mark.size
    wide = text_width(mark.text, size) * (WIDER if background else 1.5) / 72 + 0.1
    high = size / (50 if background else 36)
    return (
        f'  {quote(name)} [shape=plaintext, {fill}, fontcolor="{colour}", fontsize={size:g}, '
        f'width={wide:.3g}, height={high:.3g}, margin=0, label=<{words}>, pos="{pos(mark.points[0])}"];'
    )


def polyline(points: tuple[Point, ...]) -> list[Point]:
    """A way through points as curves that are straight.

    Examples
    --------
    >>> polyline(((0, 0), (3, 0)))
    [(0, 0), (1.0, 0.0), (2.0, 0.0), (3, 0)]
    """
    found = [points[0]]
    for (x, y), (p, q) in pairwise(points):
        found += [(x + (p - x) / 3, y + (q - y) / 3), (p - (p - x) / 3, q - (q - y) / 3), (p, q)]
    return found


def stroke(way: list[Point] | Curve, style: str) -> str:
    """A line that is no edge of the graph."""
    return f'  {quote(ANCHOR)} -- {quote(ANCHOR)} [pos="{" ".join(map(pos, way))}", {style}];'
