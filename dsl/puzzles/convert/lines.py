"""Reads sudokus from text with one puzzle or one row per line.

The formats are files with 81-character lines, ``.sdk``, ``.sdm`` and ``.ss``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isqrt, sqrt
from pathlib import PurePath

from ...syntax.errors import Diagnostic, Source, counted
from ...syntax.grids import BLANKS, LETTERS, is_spaced
from ...syntax.nodes import Place
from .puzzles import ForeignPuzzle
from .records import Family, PuzzleFields, make_spec

DECORATION = re.compile(r"[-+=*|\s]*")
"""A line of separators, which holds no cells."""

SECTION = re.compile(r"\[(\w+)\]\s*")
"""The header of a section, such as ``[Puzzle]``."""

BLANK = (*BLANKS, "0", "X", "x")
"""Entries of an empty cell."""

MIN_PUZZLE_LENGTH = 16
"""Minimum length of a puzzle in one line: 16 characters are a 4x4."""

LONG_LINE = 36
"""From this number of entries on, a line is a puzzle rather than a row."""
FORMS = "a puzzle is a line of k*k characters, or k lines of k entries"
"""The hint of errors about the form of a puzzle."""

PlacedRow = tuple[Place, list[str]]
"""The entries of a line, with its place in the file."""


def read_lines(source: Source, families: Mapping[str, Family], family: str | None) -> list[ForeignPuzzle]:
    """Return the square puzzles of a text; without ``family`` they are sudokus.

    - ``#`` begins a comment.
    - In a file with sections, only those called ``[Puzzle]`` are read.
    - ``|`` and lines of ``-``, ``+``, ``=`` and ``*`` are decoration.
    - A line of k*k characters is a puzzle; text after it is ignored.
    - Otherwise k lines with k entries each are a puzzle.
    """
    file = PurePath(source.name).name
    return [
        _puzzle(rows, str(number), f"number {number} of {file}", families, family or "sudoku")
        for number, rows in enumerate(_blocks([*_rows(source)]), 1)
    ]


def _rows(source: Source) -> Iterator[PlacedRow]:
    """Yield the place and the entries of each line that contains cells."""
    section = "puzzle"
    for number, line in enumerate(source.text.split("\n"), 1):
        if match := SECTION.fullmatch(line):
            section = match[1].lower()
        elif section == "puzzle" and not line.startswith("#") and not DECORATION.fullmatch(line):
            yield Place(number, 1, len(line.rstrip())), _entries(line)


def _entries(line: str) -> list[str]:
    """Split a line into entries; only its first word if that may be a puzzle."""
    first_word = line.split()[0]
    if _is_puzzle(len(first_word)):
        return [*first_word]
    # Entries are words if some have spaces between them, else characters.
    parts = [part.strip() for part in line.strip(" *").split("|") if part.strip()]
    has_spaces = is_spaced(parts)
    return [entry for part in parts for entry in (part.split() if has_spaces else "".join(part.split()))]


def _is_puzzle(length: int) -> bool:
    """Return whether ``length`` cells can be a puzzle: k*k, with k at least 4."""
    return length >= MIN_PUZZLE_LENGTH and isqrt(length) ** 2 == length


def _blocks(rows: list[PlacedRow]) -> Iterator[list[PlacedRow]]:
    """Yield the lines of each puzzle: one line, or one for each row."""
    start = 0
    while start < len(rows):
        n = len(rows[start][1])
        block = rows[start : start + n]
        is_cut_short = len(block) < n
        # A line may be a row of n entries or a whole puzzle: decide by its length and by what follows.
        if (_is_puzzle(n) and (n >= LONG_LINE or is_cut_short or _are_small(block, isqrt(n)))) or (
            n >= LONG_LINE and is_cut_short
        ):
            block = block[:1]
        yield block
        start += len(block)


def _are_small(rows: list[PlacedRow], k: int) -> bool:
    """Return whether no value in lines of k*k entries exceeds k.

    Then each line is a whole puzzle of k rows, and not a row.
    """
    return not {entry for _, row in rows for entry in row} & {*LETTERS[k + 1 :]}


def _puzzle(rows: list[PlacedRow], name: str, title: str, families: Mapping[str, Family], family: str) -> ForeignPuzzle:
    at = rows[0][0]
    return ForeignPuzzle(name, at, lambda: make_spec(PuzzleFields(_fields(rows), at), title, families, family))


def _fields(rows: list[PlacedRow]) -> dict[str, object]:
    """Return a record's fields ``n`` and ``grid`` for a puzzle in one or more lines.

    Raises
    ------
    Diagnostic
        If the rows do not form a square, or an entry is not a value.
    """
    first_place, entries = rows[0]
    side = isqrt(len(entries))
    if len(rows) == 1 and side * side == len(entries):
        # Cut a puzzle in one line into its rows.
        rows = [(first_place, entries[i : i + side]) for i in range(0, len(entries), side)]
    n = len(rows[0][1])
    if len(rows) == 1 and n >= MIN_PUZZLE_LENGTH // 2 and all(len(entry) == 1 for entry in entries):
        k = max(4, round(sqrt(n)))
        raise Diagnostic(
            "bad-puzzle", f"the line has {n} characters; {k * k} are needed for {k}x{k}", first_place, FORMS
        )
    if len(rows) != n:
        raise Diagnostic(
            "bad-puzzle",
            f"this is not a puzzle: {counted(len(rows), 'row')}, the first of {n} entries",
            first_place,
            FORMS,
        )
    for place, row in rows:
        if len(row) != n:
            raise Diagnostic("bad-puzzle", f"the row has {len(row)} entries, and the puzzle {n} columns", place)
    return {"n": n, "grid": [[_value(entry, n, place) for entry in row] for place, row in rows]}


def _value(entry: str, n: int, at: Place) -> int:
    """Return an entry's number, or 0 if blank; refuse all outside 1..``n``."""
    if entry in BLANK:
        return 0
    value = LETTERS.find(entry) if len(entry) == 1 else int(entry) if re.fullmatch("[0-9]{1,4}", entry) else -1
    if not 1 <= value <= n:
        raise Diagnostic("bad-puzzle", f"{entry[:20]} is not a value of a puzzle with {n} rows", at)
    return value
