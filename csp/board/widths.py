"""How wide texts are: all that must be known of letters before anything is drawn."""

from __future__ import annotations

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
