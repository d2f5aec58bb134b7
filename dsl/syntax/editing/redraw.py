"""Redraw the picture of a grid with other entries in the same layout."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import Diagnostic
from ..grids import BLANKS, LETTERS, Size, grid_text, read_rows, token_value

Cells = Mapping[tuple[int, int], int | str]
"""The entry of each cell that is not blank; rows and columns count from 1."""


def size_of(text: str, name: str) -> Size | None:
    """Return the numbers of rows and columns of a picture, or None.

    Examples
    --------
    >>> size_of("1. | .2\\n.. | 3.", "clue")
    Size(rows=2, columns=4)
    """
    rows = read_rows(text, name)
    return Size(len(rows), len(rows[0])) if rows else None


def redraw(text: str, name: str, size: Size, cells: Cells) -> str:
    """Draw cells in the layout of an existing picture, including its separators.

    If they do not fit, a new picture is drawn. They fit if the existing picture has the size, a line for each row,
    and one character for each entry, and so do the cells.

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
    # Draw a new picture unless each entry replaces exactly one character.
    has_line_per_row = len({place.line for place in places.values()}) == size.rows > 1
    is_narrow = all(len(token) == 1 for token in [*tokens.values(), *[token for row in rows for token, _ in row]])
    if not has_line_per_row or not is_narrow or len(places) != size.rows * size.columns:
        return grid_text([[cells.get((r, c)) for c in range(1, size.columns + 1)] for r in range(1, size.rows + 1)])
    for at, place in places.items():
        old = lines[place.line - 1]
        lines[place.line - 1] = old[: place.column - 1] + tokens.get(at, BLANKS[0]) + old[place.column :]
    return "\n".join(lines)


def write_in_one_line(size: Size, cells: Cells, digits: bool) -> str | None:
    """Write a picture in one line, one character for each cell.

    Returns None if an entry has no such character. ``digits`` is whether a capital letter is a digit above nine.

    Examples
    --------
    >>> write_in_one_line(Size(2, 2), {(1, 2): 1, (2, 2): 12}, digits=True)
    '.1.C'
    """
    line = ""
    for at in ((r, c) for r in range(1, size.rows + 1) for c in range(1, size.columns + 1)):
        value = cells.get(at)
        if value is None:
            line += BLANKS[0]
            continue
        has_digit = isinstance(value, int) and 0 < value < len(LETTERS)
        token = LETTERS[value] if has_digit and isinstance(value, int) else str(value)
        # In one line, 0 is a blank cell; the character must be read back as the entry.
        if len(token) != 1 or token == "0" or token_value(token, digits) != value:
            return None
        line += token
    return line
