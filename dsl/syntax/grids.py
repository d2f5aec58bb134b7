"""Pictures of facts: the text of a grid to cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import NamedTuple

from csp import counted

from .errors import Diagnostic
from .limits import LIMITS
from .nodes import Place

BLANKS = (".", "_")
DECORATION = re.compile(r"[-+=|\s]*")
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CAPITALS = frozenset(LETTERS[10:])

CHARACTERS = "a row without inner blanks is read character by character, a row with blanks token by token"

CellFact = tuple[int, int, int | str]
GridToken = tuple[str, Place]
GridRows = Sequence[Sequence[object]]


class Size(NamedTuple):
    """How many rows and columns a grid has."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{counted(self.rows, 'row')} of {self.columns:,}"


def token_value(token: str, digits: bool = True) -> int | str:
    """What a token of a grid stands for.

    Numbers are numbers, and one capital letter is a digit above nine (A is 10, as in hexadecimal) where letters are
    digits; all else is a symbol.

    Examples
    --------
    >>> [token_value(token) for token in ("7", "12", "A", "G", "a", "#")]
    [7, 12, 10, 16, 'a', '#']
    >>> token_value("A", digits=False)
    'A'
    """
    if token in CAPITALS:
        return LETTERS.index(token) if digits else token
    return int(token) if re.fullmatch(r"-?[0-9]{1,18}", token) else token


def read_grid(
    text: str, name: str, at: Place | None = None, *, size: Size | None = None, digits: bool = True
) -> dict[CellFact, Place]:
    """The facts of a picture, each with its place.

    Rows without inner blanks (other than around ``|``) are read character by character; if any row has blanks, all
    are read token by token, unless a token such as ``53.`` or ``...`` shows that the blanks set boxes apart. ``.`` and
    ``_`` are blank. ``|`` and lines of ``-``, ``+`` and ``=`` are decoration. A single unbroken row with a character
    for each cell of the size, or without a size with k*k characters, is the whole grid, in which ``0`` is blank too.

    Raises
    ------
    Mistake
        If the rows differ in length, the picture has another size, or there are too many cells.

    Examples
    --------
    >>> list(read_grid("1. | .2", "clue"))
    [(1, 1, 1), (1, 4, 2)]
    >>> list(read_grid("1..2", "clue"))
    [(1, 1, 1), (2, 2, 2)]
    """
    grid = "" if at else name
    rows = read_rows(text, name, at, size)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"row {number} of grid {name} has {len(row)} entries, and row 1 has {len(rows[0])}"
            raise Diagnostic(message, _span(row), CHARACTERS, grid)
    found = {
        (r, c, token_value(token, digits)): place
        for r, row in enumerate(rows, 1)
        for c, (token, place) in enumerate(row, 1)
        if token not in BLANKS
    }
    if found and size and size != (known := Size(len(rows), len(rows[0]))):
        wide = known.columns != size.columns
        row = rows[0] if wide else rows[min(size.rows, len(rows) - 1)]
        hint = f"{CHARACTERS}; between boxes stands |" if wide else "a row in which all is blank is written as dots"
        raise Diagnostic(f"grid {name} has {known}, and {size} are declared", _span(row), hint, grid)
    return found


def read_rows(text: str, name: str, at: Place | None = None, size: Size | None = None) -> list[list[GridToken]]:
    """What stands in the rows of a picture, and where, blanks included; for the parameters see ``read_grid``.

    Examples
    --------
    >>> [[token for token, _ in row] for row in read_rows("1. | .2", "clue")]
    [['1', '.', '.', '2']]
    """
    grid = "" if at else name
    lines = _lines(text, name, at, grid)
    spaced = is_spaced(line for line, _ in lines)
    rows = [_tokens(line, place, spaced) for line, place in lines]
    if len(lines) == 1 and re.fullmatch(r"[^\s|]+", lines[0][0].strip()):
        return _unfolded(rows[0], name, size, grid)
    return rows


def is_spaced(lines: Iterable[str]) -> bool:
    """Whether blanks stand between the entries of a picture, and not only between its boxes.

    Examples
    --------
    >>> [is_spaced([line]) for line in ("1 12 .", "1.2 | .3.", "1.2 .3.", "... ...")]
    [True, False, False, False]
    """
    parts = [part.split() for line in lines for part in line.split("|")]
    boxes = any(len(word) > 1 and ("." in word or not word.strip("_")) for words in parts for word in words)
    return not boxes and any(len(words) > 1 for words in parts)


def has_digits(text: str) -> bool:
    """Whether numbers stand in a picture.

    Examples
    --------
    >>> has_digits("1.A"), has_digits("X.V"), has_digits("a1 b2")
    (True, False, False)
    """
    lines = [line for line in text.split("\n") if not DECORATION.fullmatch(line)]
    spaced, at = is_spaced(lines), Place(1, 1)
    return any(isinstance(token_value(token, False), int) for line in lines for token, _ in _tokens(line, at, spaced))


def grid_text(rows: GridRows, box: tuple[int, int] | None = None) -> str:
    """The text of a grid that stands between the quotes, with boxes set off; empty if all of it is blank.

    Examples
    --------
    >>> grid_text([[1, None], ["a", 10]])
    '\\n   1  .\\n   a 10\\n'
    """
    if all(token is None for row in rows for token in row):
        return ""
    tokens = [["." if token is None else str(token) for token in row] for row in rows]
    width = max(len(token) for row in tokens for token in row)
    between = " " if width > 1 or len(rows) == 1 else ""
    high, wide = box or (len(rows), len(rows[0]))
    lines = []
    for number, row in enumerate(tokens):
        parts = [row[i : i + wide] for i in range(0, len(row), wide)]
        line = " | ".join(between.join(token.rjust(width) for token in part) for part in parts)
        if number and number % high == 0:
            lines.append("".join("+" if letter == "|" else "-" for letter in line))
        lines.append(line)
    return "\n" + "".join(f"  {line}\n" for line in lines)


def _unfolded(row: list[GridToken], name: str, size: Size | None, grid: str) -> list[list[GridToken]]:
    """The rows of a grid written in one line; any other row as it is."""
    side = isqrt(len(row))
    wanted = size or (Size(side, side) if side * side == len(row) else Size(1, len(row)))
    if wanted.rows == 1:
        return [row]
    if len(row) != wanted.rows * wanted.columns:
        if all(token in (*BLANKS, "0") for token, _ in row):
            return []
        message = f"grid {name} has {counted(len(row), 'character')} in one line"
        hint = f"{wanted} are {wanted.rows * wanted.columns:,} characters"
        raise Diagnostic(f"{message}, and {wanted} are declared", _span(row), hint, grid)
    row = [("." if token == "0" else token, place) for token, place in row]
    return [row[i : i + wanted.columns] for i in range(0, len(row), wanted.columns)]


def _span(row: list[GridToken]) -> Place:
    first, last = row[0][1], row[-1][1]
    return first._replace(width=last.column + last.width - first.column)


def _lines(text: str, name: str, at: Place | None, grid: str) -> list[tuple[str, Place]]:
    """The lines that hold cells, each with the place of its first character."""
    lines = []
    left = LIMITS.cells
    for offset, line in enumerate(text.split("\n")):
        first = at.shifted(Place(1, 2)) if at else Place(1, 1)
        place = first._replace(line=first.line + offset, column=1 if offset else first.column)
        if not DECORATION.fullmatch(line):
            lines.append((line, place))
            left -= len(line)
        if left < 0:
            raise Diagnostic(f"grid {name} has more than {LIMITS.cells:,} cells", place, grid=grid)
    return lines


def _tokens(line: str, at: Place, spaced: bool) -> list[GridToken]:
    found = re.finditer(r"\S+" if spaced else r"\S", line.replace("|", " "))
    return [(t[0], Place(at.line, at.column + t.start(), len(t[0]), at.file)) for t in found]
