"""Pictures of facts: the text of a grid to cells."""

from __future__ import annotations

import re
from math import isqrt

from ..errors import Mistake
from ..syntax import Place

BLANKS = (".", "_")
DECORATION = re.compile(r"[-+=|\s]*")
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

MAX_CELLS = 1_000_000
"""The most cells of a grid, blanks included."""

Cell = tuple[int, int, int | str]
Token = tuple[str, Place]


def token_value(token: str) -> int | str:
    """What a token of a grid stands for.

    Numbers are numbers, and one capital letter is a digit above nine (A is 10, as in hexadecimal); all else is a
    symbol.

    Examples
    --------
    >>> [token_value(token) for token in ("7", "12", "A", "G", "a", "#")]
    [7, 12, 10, 16, 'a', '#']
    """
    if len(token) == 1 and token in LETTERS:
        return LETTERS.index(token)
    return int(token) if re.fullmatch(r"-?[0-9]{1,18}", token) else token


def read_grid(text: str, name: str, at: Place | None = None) -> dict[Cell, Place]:
    """The facts of a picture, each with its place.

    Rows without inner blanks (other than around ``|``) are read character by character; if any row has blanks, all
    are read token by token. ``.`` and ``_`` are blank. ``|`` and lines of ``-``, ``+`` and ``=`` are decoration. A
    single unbroken row of k*k characters is a k by k grid, in which ``0`` is blank too.

    Parameters
    ----------
    text : str
    name : str
        What the grid is called, for messages.
    at : Place, optional
        Where the text opens in the spec; without it, places count from the text's own first line.

    Returns
    -------
    dict of (row, column, value) to Place
        Row and column count from 1.

    Raises
    ------
    Mistake
        If the rows differ in length, or there are too many cells.

    Examples
    --------
    >>> list(read_grid("1. | .2", "clue"))
    [(1, 1, 1), (1, 4, 2)]
    >>> list(read_grid("1..2", "clue"))
    [(1, 1, 1), (2, 2, 2)]
    """
    grid = "" if at else name
    lines = _lines(text, name, at, grid)
    spaced = any(len(part.split()) > 1 for line, _ in lines for part in line.split("|"))
    rows = [_tokens(line, place, spaced) for line, place in lines]
    if len(lines) == 1 and re.fullmatch(r"[^\s|]+", lines[0][0].strip()):
        rows = _square(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"row {number} of grid {name} has {len(row)} entries, and row 1 has {len(rows[0])}"
            hint = "a row without inner blanks is read character by character, a row with blanks token by token"
            raise Mistake(message, _span(row), hint, grid)
    return {
        (r, c, token_value(token)): place
        for r, row in enumerate(rows, 1)
        for c, (token, place) in enumerate(row, 1)
        if token not in BLANKS
    }


def _square(row: list[Token]) -> list[list[Token]]:
    """The rows of a grid written in one line; any other row as it is."""
    side = isqrt(len(row))
    if side * side != len(row):
        return [row]
    row = [("." if token == "0" else token, place) for token, place in row]
    return [row[i : i + side] for i in range(0, len(row), side)]


def _span(row: list[Token]) -> Place:
    first, last = row[0][1], row[-1][1]
    return first._replace(width=last.column + last.width - first.column)


def _lines(text: str, name: str, at: Place | None, grid: str) -> list[tuple[str, Place]]:
    """The lines that hold cells, each with the place of its first character."""
    lines = []
    left = MAX_CELLS
    for offset, line in enumerate(text.split("\n")):
        first = at.shifted(Place(1, 2)) if at else Place(1, 1)
        place = first._replace(line=first.line + offset, column=1 if offset else first.column)
        if not DECORATION.fullmatch(line):
            lines.append((line, place))
            left -= len(line)
        if left < 0:
            raise Mistake(f"grid {name} has more than {MAX_CELLS:,} cells", place, grid=grid)
    return lines


def _tokens(line: str, at: Place, spaced: bool) -> list[Token]:
    found = re.finditer(r"\S+" if spaced else r"\S", line.replace("|", " "))
    return [(t[0], Place(at.line, at.column + t.start(), len(t[0]), at.file)) for t in found]
