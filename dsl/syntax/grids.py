"""Read, write and redraw the pictures of grids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isqrt
from typing import NamedTuple

from csp import counted

from .errors import Diagnostic
from .limits import LIMITS
from .nodes import Place

BLANKS = (".", "_")
"""The entries of a blank cell."""

DECORATION = re.compile(r"[-+=|\s]*")
"""A line without entries."""

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The digit of each number from 0 to 35."""

CAPITALS = frozenset(LETTERS[10:])

CHARACTERS = "write . for each empty cell; separate entries of several characters by blanks"

CellFact = tuple[int, int, int | str]
GridToken = tuple[str, Place]
GridRows = Sequence[Sequence[object]]

Cells = Mapping[tuple[int, int], int | str]
"""The entry of each cell that is not blank; rows and columns count from 1."""


class Size(NamedTuple):
    """The numbers of rows and columns of a grid."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{counted(self.rows, 'row')} of {self.columns:,}"


def token_value(token: str, digits: bool = True) -> int | str:
    """Return the value of an entry of a grid: an integer or a symbol.

    A decimal number is a number. If ``digits``, a single capital letter is a digit above nine, as in hexadecimal
    (A is 10). Any other token is a symbol.

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
    """Return the filled cells ``(row, column, value)`` of a grid's text, with their places.

    - If no row has inner blanks (except around ``|``), each character is an entry.
    - If a row has inner blanks, they separate the entries of all rows. A token such as ``53.`` or ``...`` shows that
      the blanks separate boxes instead; then each character is an entry.
    - ``.`` and ``_`` are blank cells. ``|`` and lines of ``-``, ``+`` and ``=`` are decoration.
    - A single row without blanks is the whole grid if it has a character for each cell of the size or, without a
      size, k*k characters. ``0`` is then a blank cell, too.

    Parameters
    ----------
    text : str
        The picture.
    name : str
        The name of the grid, for messages.
    at : Place, optional
        The place of the opening quote in the spec; None if the picture has a file of its own.
    size : Size, optional
        The declared size.
    digits : bool
        Whether a capital letter is a digit above nine.

    Raises
    ------
    Diagnostic
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
    # All rows must be equally long.
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = (
                f"row {number} of grid {name} has {counted(len(row), 'entry', 'entries')}, and row 1 has {len(rows[0])}"
            )
            raise Diagnostic("grid-shape", message, _span(row), CHARACTERS, grid)
    facts = {
        (r, c, token_value(token, digits)): place
        for r, row in enumerate(rows, 1)
        for c, (token, place) in enumerate(row, 1)
        if token not in BLANKS
    }
    # A picture without entries fits any size. For another size, point to the first row that is wrong.
    if facts and size and size != (actual := Size(len(rows), len(rows[0]))):
        if actual.columns != size.columns:
            entries = f"{counted(actual.columns, 'entry', 'entries')} in each row"
            message = f"grid {name} has {entries}, but {_declared(size.columns)}"
            raise Diagnostic("grid-shape", message, _span(rows[0]), f"{CHARACTERS}; | separates boxes", grid)
        message = f"grid {name} has {counted(actual.rows, 'row')}, but {_declared(size.rows)}"
        if actual.rows < size.rows:
            # A blank row has its dots where the last row has its entries.
            row, last = rows[-1], rows[-1][-1][1]
            blanks = [" "] * (last.column - row[0][1].column + 1)
            for _, place in row:
                blanks[place.column - row[0][1].column] = "."
            hint = f"add a row, for example {''.join(blanks)}"
        else:
            row, hint = (
                rows[size.rows],
                f"remove {counted(actual.rows - size.rows, 'row')}, or declare {actual.rows:,} rows",
            )
        raise Diagnostic("grid-shape", message, _span(row), hint, grid)
    return facts


def read_rows(text: str, name: str, at: Place | None = None, size: Size | None = None) -> list[list[GridToken]]:
    """Return the rows of a grid's text, as lists of ``(entry, place)``.

    Blank cells are entries, too. The parameters are described at ``read_grid``.

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
        return _split_one_line(rows[0], name, size, grid)
    return rows


def is_spaced(lines: Iterable[str]) -> bool:
    """Return whether blanks separate the entries of a grid's text, not only its boxes.

    Examples
    --------
    >>> [is_spaced([line]) for line in ("1 12 .", "1.2 | .3.", "1.2 .3.", "... ...")]
    [True, False, False, False]
    """
    parts = [part.split() for line in lines for part in line.split("|")]
    # A token such as "53." or "..." has several entries, so the blanks separate boxes.
    has_boxes = any(len(word) > 1 and ("." in word or not word.strip("_")) for words in parts for word in words)
    return not has_boxes and any(len(words) > 1 for words in parts)


def has_digits(text: str) -> bool:
    """Return whether any entry of a grid's text is an integer.

    Examples
    --------
    >>> has_digits("1.A"), has_digits("X.V"), has_digits("a1 b2")
    (True, False, False)
    """
    lines = [line for line in text.split("\n") if not DECORATION.fullmatch(line)]
    spaced, at = is_spaced(lines), Place(1, 1)
    return any(isinstance(token_value(token, False), int) for line in lines for token, _ in _tokens(line, at, spaced))


def grid_text(rows: GridRows, box: tuple[int, int] | None = None) -> str:
    """Return the text of a grid, one line per row, without quotes around it.

    ``box`` is the numbers of rows and columns of a box; lines separate boxes. The text is empty if all cells are
    blank (``None``).

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
    box_height, box_width = box or (len(rows), len(rows[0]))
    lines = []
    for number, row in enumerate(tokens):
        parts = [row[i : i + box_width] for i in range(0, len(row), box_width)]
        line = " | ".join(between.join(token.rjust(width) for token in part) for part in parts)
        if number and number % box_height == 0:
            lines.append("".join("+" if letter == "|" else "-" for letter in line))
        lines.append(line)
    return "\n" + "".join(f"  {line}\n" for line in lines)


def size_of(text: str, name: str) -> Size | None:
    """Return the numbers of rows and columns of a grid's text; None without rows.

    Examples
    --------
    >>> size_of("1. | .2\\n.. | 3.", "clue")
    Size(rows=2, columns=4)
    """
    rows = read_rows(text, name)
    return Size(len(rows), len(rows[0])) if rows else None


def redraw(text: str, name: str, size: Size, cells: Cells) -> str:
    """Return a grid's text with new cells, in the layout of ``text`` if possible.

    It is possible if ``text`` has the size ``size``, several rows and a line for each, and if all old and new entries
    have one character.

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
    """Return a grid's text in one line, one character per cell; None if impossible.

    It is impossible if one character cannot be read back as the entry. ``digits`` is whether a capital letter is a
    digit above nine.

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


def _split_one_line(row: list[GridToken], name: str, size: Size | None, grid: str) -> list[list[GridToken]]:
    """Split the entries of a one-line grid into rows, by ``size`` or as a square.

    The row is returned unchanged if it is a grid of one row. A wrong number of characters is an error; if all cells are
    blank, the result is empty instead.
    """
    # Without a size, k*k characters are a square grid.
    side = isqrt(len(row))
    expected = size or (Size(side, side) if side * side == len(row) else Size(1, len(row)))
    if expected.rows == 1:
        return [row]
    if len(row) != expected.rows * expected.columns:
        if all(token in (*BLANKS, "0") for token, _ in row):
            return []
        message = f"grid {name} has {counted(len(row), 'character')} in one line"
        hint = f"{expected} are {expected.rows * expected.columns:,} characters"
        raise Diagnostic("grid-shape", f"{message}, expected {expected}", _span(row), hint, grid)
    row = [("." if token == "0" else token, place) for token, place in row]
    return [row[i : i + expected.columns] for i in range(0, len(row), expected.columns)]


def _declared(number: int) -> str:
    return f"{number:,} {'is' if number == 1 else 'are'} declared"


def _span(row: list[GridToken]) -> Place:
    """Return the place from a row's first entry to its last."""
    first, last = row[0][1], row[-1][1]
    return first._replace(width=last.column + last.width - first.column)


def _lines(text: str, name: str, at: Place | None, grid: str) -> list[tuple[str, Place]]:
    """Return the lines of a grid's text that contain cells, each with its start.

    Too many cells are an error.
    """
    lines = []
    remaining_cells = LIMITS.cells
    for offset, line in enumerate(text.split("\n")):
        # The first line begins behind the opening quote, the others at the left margin.
        first = at.shifted(Place(1, 2)) if at else Place(1, 1)
        place = first._replace(line=first.line + offset, column=1 if offset else first.column)
        if not DECORATION.fullmatch(line):
            lines.append((line, place))
            remaining_cells -= len(line)
        if remaining_cells < 0:
            raise Diagnostic("too-large", f"grid {name} has more than {LIMITS.cells:,} cells", place, grid=grid)
    return lines


def _tokens(line: str, at: Place, spaced: bool) -> list[GridToken]:
    """Split a grid's line into entries: at blanks if ``spaced``, else into characters."""
    matches = re.finditer(r"\S+" if spaced else r"\S", line.replace("|", " "))
    return [(match[0], Place(at.line, at.column + match.start(), len(match[0]), at.file)) for match in matches]
