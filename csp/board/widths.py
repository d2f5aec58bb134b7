"""Estimate the width of texts before anything is drawn.

The result decides whether a text fits into a cell. The font is Helvetica.
"""

from __future__ import annotations

_LETTERS = {
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
"""The letters of each width, in thousandths of the font size; all others are as wide as a digit."""

_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text in Helvetica, in points.

    Examples
    --------
    >>> text_width("ill", 10) < text_width("www", 10)
    True
    """
    return sum(_WIDTHS.get(letter, 556) for letter in text) * size / 1000


def wrap_text(text: str, size: float, width: float, max_lines: int) -> list[str]:
    """Break a text between words into lines of at most ``width`` points.

    There are at most ``max_lines`` lines; the last one ends with ``…`` if words are omitted. A word is never broken.

    Examples
    --------
    >>> wrap_text("one two three four five", 10, 45, 2)
    ['one two', 'three …']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) <= max_lines:
        return lines
    last = lines[max_lines - 1].split()
    while len(last) > 1 and text_width(" ".join([*last, "…"]), size) > width:
        last.pop()
    return [*lines[: max_lines - 1], " ".join([*last, "…"])]
