"""Pictures of facts: the text of a grid to cells."""

from __future__ import annotations

import re
from math import isqrt

from .errors import Mistake
from .syntax import Place

BLANKS = (".", "_")
DECORATION = "-+=| \t"
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cell = tuple[int, int, int | str]


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
    return int(token) if re.fullmatch(r"-?\d+", token) and token.isascii() else token


def read_grid(text: str, name: str, at: Place | None = None) -> dict[Cell, Place]:
    """The facts of a picture, each with its place.

    A row without inner blanks (other than around ``|``) is read character by character, a row with blanks token by
    token. ``.`` and ``_`` are blank. ``|`` and lines of ``-``, ``+`` and ``=`` are decoration. A single row of k*k characters is a k by k grid, in
    which ``0`` is blank too.

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
        If the rows differ in length.

    Examples
    --------
    >>> list(read_grid("1. | .2", "clue"))
    [(1, 1, 1), (1, 4, 2)]
    >>> list(read_grid("1..2", "clue"))
    [(1, 1, 1), (2, 2, 2)]
    """
    rows = _rows(text, at)
    if len(rows) == 1 and isqrt(len(rows[0])) ** 2 == len(rows[0]) and all(len(token) == 1 for token, _ in rows[0]):
        side = isqrt(len(rows[0]))
        one_line = [("." if token == "0" else token, place) for token, place in rows[0]]
        rows = [one_line[i : i + side] for i in range(0, len(one_line), side)]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise Mistake(
                f"row {number} of grid {name} has {len(row)} entries, and row 1 has {len(rows[0])}",
                row[0][1]._replace(width=row[-1][1].column + row[-1][1].width - row[0][1].column),
                "a row without inner blanks is read character by character, a row with blanks token by token",
                grid="" if at else name,
            )
    return {
        (r, c, token_value(token)): place
        for r, row in enumerate(rows, 1)
        for c, (token, place) in enumerate(row, 1)
        if token not in BLANKS
    }


def _rows(text: str, at: Place | None) -> list[list[tuple[str, Place]]]:
    rows = []
    for offset, line in enumerate(text.splitlines()):
        if not line.strip(DECORATION):
            continue
        spaced = any(len(part.split()) > 1 for part in line.split("|"))
        column = at.column + 1 if at and not offset else 1
        number = (at.line if at else 1) + offset
        tokens = re.finditer(r"\S+" if spaced else r"\S", line.replace("|", " "))
        rows.append([(t[0], Place(number, column + t.start(), len(t[0]))) for t in tokens])
    return rows
