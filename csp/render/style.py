"""What all pictures have in common: colours, the font and its widths, and how texts and places stand in DOT."""

from __future__ import annotations

import re
from html import unescape

MARKED, REMOVED, ACTIVE, IDLE, CAUSE = "#0072B2", "#D55E00", "#F0E442", "#999999", "#000000"
"""A colour for each state, and never alone: an asterisk, a struck-out value, a fill with an outline, a thick border."""

FOUND = "#1D4E89"
"""A value that the spec does not tell, told from one that it does, which is bold."""
STRUCK = "#A84A00"
"""The hue of ``REMOVED``, dark enough for small text."""
QUIET = "#555555"
"""Text that is no state: indices, numbers of values."""
EDGE = "#B4B4B4"
SHADE, ODD, BLACK = "#E2E2E2", "#D2D2D2", "#444444"
"""Cells that a puzzle shades, and those that are none."""
BIT = "#666666"
"""A value that is still possible, where it is shown as a small square."""
RAMP = ((0xF6, 0xEF, 0xF5), (0xA8, 0x6E, 0xA2))
"""The ends of the one ramp of one hue: few values left, and all of them."""

FONT = "Helvetica,Arial,sans-serif"
WIDER = 1.15
"""Where there is no Helvetica another font stands in, whose texts are longer by so much."""

_LETTERS = {  # with the same width, in thousandths of the size of the font; all others are as wide as a digit
    222: "ijl'",
    278: " ftI.,:;/|![]()\\·",
    333: 'r-`*"{}',
    389: "^",
    500: "cksvxyzJ",
    584: "+<>=~−",
    611: "FTZL≠≤≥∧∨‖×",
    667: "ABEKPSVXY&",
    722: "CDHNRUw",
    778: "GOQ",
    833: "mM",
    944: "W%",
    1000: "…@←↑→↓",
}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}


def text_width(text: str, size: float) -> float:
    """The width of a text in Helvetica, about, in points.

    Parameters
    ----------
    text : str
    size : float
        Of the font, in points.

    Returns
    -------
    float

    Examples
    --------
    >>> text_width("ill", 10) < text_width("www", 10)
    True
    """
    return sum(_WIDTHS.get(letter, 556) for letter in text) * size / 1000


def wrapped(text: str, size: float, width: float, most: int) -> list[str]:
    """A text in lines that are not wider than a width, as far as its words allow, and not more than so many.

    Examples
    --------
    >>> wrapped("one two three four five", 10, 45, 2)
    ['one two', 'three …']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) <= most:
        return lines
    last = lines[most - 1].split()
    while len(last) > 1 and text_width(" ".join([*last, "…"]), size) > width:
        last.pop()
    return [*lines[: most - 1], " ".join([*last, "…"])]


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(2, "value")
    ('1 vertex', '2 values')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def shade(part: float) -> str:
    """The colour at a part of the ramp, from 0 to 1.

    Examples
    --------
    >>> shade(0), shade(1)
    ('#F6EFF5', '#A86EA2')
    """
    return "#" + "".join(f"{round(low + (high - low) * part):02X}" for low, high in zip(*RAMP, strict=True))


def quote(text: object) -> str:
    """A text as a quoted DOT string.

    Examples
    --------
    >>> print(quote('row "1"'))
    "row \\"1\\""
    """
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def escape(text: object) -> str:
    """A text for an HTML-like label.

    Examples
    --------
    >>> escape("A < B")
    'A &lt; B'
    """
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_of(label: str) -> str:
    """The text of an HTML-like label, without its looks.

    Examples
    --------
    >>> text_of("<U>A &lt; B</U>")
    'A < B'
    """
    return unescape(re.sub("<[^>]*>", "", label))


def inches(points: float) -> str:
    """A length as Graphviz has it, never less than it is.

    Examples
    --------
    >>> inches(312)
    '4.33334'
    """
    return f"{points / 72 + 0.000005:.6g}"


def pos(point: tuple[float, float]) -> str:
    """A point, y down, as Graphviz has it, y up.

    Examples
    --------
    >>> pos((1.25, 3))
    '1.2,-3'
    """
    x, y = point
    return f"{round(x, 1):g},{round(0 - y, 1):g}"
