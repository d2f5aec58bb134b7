"""Write texts, lengths and positions in the syntax of DOT."""

from __future__ import annotations

from ...base.notation import visible


def quote(text: object) -> str:
    """Quote a text as a DOT string.

    Examples
    --------
    >>> print(quote('row "1"'))
    "row \\"1\\""
    """
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def escape(text: object) -> str:
    """Escape a text for use in an HTML-like label.

    Examples
    --------
    >>> escape("A < B")
    'A &lt; B'
    """
    return visible(str(text), keep="\n").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def inches(points: float) -> str:
    """Convert a length in points to inches, rounded up.

    Examples
    --------
    >>> inches(312)
    '4.33334'
    """
    return f"{max(points / 72, 0.001) + 0.000005:.6g}"  # Graphviz reads no exponents


def pos(point: tuple[float, float]) -> str:
    """Write a position in points for Graphviz, whose y axis points up.

    Examples
    --------
    >>> pos((1.25, 3))
    '1.2,-3'
    """
    x, y = point
    return f"{round(x, 1):g},{round(0 - y, 1):g}"
