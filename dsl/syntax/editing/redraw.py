"""A picture with other entries in it."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import Diagnostic
from ..grids import BLANKS, LETTERS, Size, grid_text, read_rows, token_value

Cells = Mapping[tuple[int, int], int | str]
"""What stands in rows and columns counted from 1."""


def size_of(text: str, name: str) -> Size | None:
    """How many rows and columns a picture has; None if it has none.

    Examples
    --------
    >>> size_of("1. | .2\\n.. | 3.", "clue")
    Size(rows=2, columns=4)
    """
    rows = read_rows(text, name)
    return Size(len(rows), len(rows[0])) if rows else None


def redraw(text: str, name: str, size: Size, cells: Cells) -> str:
    """A picture of a size with these entries, with the decoration of another where they fit into it.

    Examples
    --------
    >>> redraw("1. | .2\\n.. | 3.", "clue", Size(2, 4), {(1, 2): 4, (2, 1): 1})
    '.4 | ..\\n1. | ..'
    >>> redraw("", "clue", Size(2, 2), {(1, 2): 14})
    '\\n   . 14\\n   .  .\\n'
    """
    try:
        rows = read_rows(text, name)
    except Diagnostic:
        rows = []
    lines = text.split("\n")
    tokens = {at: str(value) for at, value in cells.items()}
    places = {(r, c): place for r, row in enumerate(rows, 1) for c, (_, place) in enumerate(row, 1)}
    is_folded = len({place.line for place in places.values()}) == size.rows > 1
    short = all(len(token) == 1 for token in [*tokens.values(), *[token for row in rows for token, _ in row]])
    if not is_folded or not short or len(places) != size.rows * size.columns:
        return grid_text([[cells.get((r, c)) for c in range(1, size.columns + 1)] for r in range(1, size.rows + 1)])
    for at, place in places.items():
        old = lines[place.line - 1]
        lines[place.line - 1] = old[: place.column - 1] + tokens.get(at, BLANKS[0]) + old[place.column :]
    return "\n".join(lines)


def unfolded(size: Size, cells: Cells, digits: bool) -> str | None:
    """A picture in one line, a character for each cell; None where that cannot say what stands there.

    Examples
    --------
    >>> unfolded(Size(2, 2), {(1, 2): 1, (2, 2): 12}, digits=True)
    '.1.C'
    """
    found = ""
    for at in ((r, c) for r in range(1, size.rows + 1) for c in range(1, size.columns + 1)):
        value = cells.get(at)
        if value is None:
            found += BLANKS[0]
            continue
        fits = isinstance(value, int) and 0 < value < len(LETTERS)
        token = LETTERS[value] if fits and isinstance(value, int) else str(value)
        if len(token) != 1 or token == "0" or token_value(token, digits) != value:
            return None
        found += token
    return found
