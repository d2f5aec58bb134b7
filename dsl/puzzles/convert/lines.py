"""Sudokus as text: a puzzle a line, or a line a row, as the programs of the sudoku community write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isqrt, sqrt
from pathlib import PurePath

from ...text.errors import Mistake, Source, counted
from ...text.grids import BLANKS, LETTERS, is_spaced
from ...text.syntax import Place
from .puzzles import ForeignPuzzle
from .records import Family, PuzzleFields, make_spec

DECORATION = re.compile(r"[-+=*|\s]*")
SECTION = re.compile(r"\[(\w+)\]\s*")
BLANK = (*BLANKS, "0", "X", "x")
ONE_LINE = 16
"""The fewest characters of a puzzle in one line, which is 4x4."""

LONG = 36
"""The fewest entries of a line that is rather a puzzle than a row."""
FORMS = "a puzzle is a line of k*k characters, or k lines of k entries"

PlacedRow = tuple[Place, list[str]]


def read_lines(source: Source, families: Mapping[str, Family], family: str | None) -> list[ForeignPuzzle]:
    """The puzzles of a text.

    ``#`` begins a comment, and of a file with sections only those called ``[Puzzle]`` are read. ``|`` and lines of
    ``-``, ``+``, ``=`` and ``*`` are decoration. A line of k*k characters is a puzzle, whatever follows it; otherwise
    k rows with k entries each are one.
    """
    file = PurePath(source.name).name
    return [
        _puzzle(rows, str(number), f"number {number} of {file}", families, family or "sudoku")
        for number, rows in enumerate(_blocks([*_rows(source)]), 1)
    ]


def _rows(source: Source) -> Iterator[PlacedRow]:
    """The lines that hold cells, each as its entries."""
    section = "puzzle"
    for number, line in enumerate(source.text.split("\n"), 1):
        if found := SECTION.fullmatch(line):
            section = found[1].lower()
        elif section == "puzzle" and not line.startswith("#") and not DECORATION.fullmatch(line):
            yield Place(number, 1, len(line.rstrip())), _entries(line)


def _entries(line: str) -> list[str]:
    first = line.split()[0]
    if _is_puzzle(len(first)):
        return [*first]
    parts = [part.strip() for part in line.strip(" *").split("|") if part.strip()]
    spaced = is_spaced(parts)
    return [entry for part in parts for entry in (part.split() if spaced else "".join(part.split()))]


def _is_puzzle(length: int) -> bool:
    return length >= ONE_LINE and isqrt(length) ** 2 == length


def _blocks(rows: list[PlacedRow]) -> Iterator[list[PlacedRow]]:
    """The rows of each puzzle."""
    start = 0
    while start < len(rows):
        n = len(rows[start][1])
        block = rows[start : start + n]
        too_few = len(block) < n
        if (_is_puzzle(n) and (n >= LONG or too_few or _are_small(block, isqrt(n)))) or (n >= LONG and too_few):
            block = block[:1]
        yield block
        start += len(block)


def _are_small(rows: list[PlacedRow], k: int) -> bool:
    """Whether rows of k*k entries are rather puzzles of k rows, for no value is above k."""
    return not {entry for _, row in rows for entry in row} & {*LETTERS[k + 1 :]}


def _puzzle(rows: list[PlacedRow], name: str, title: str, families: Mapping[str, Family], family: str) -> ForeignPuzzle:
    at = rows[0][0]
    return ForeignPuzzle(name, at, lambda: make_spec(PuzzleFields(_fields(rows), at), title, families, family))


def _fields(rows: list[PlacedRow]) -> dict[str, object]:
    """The puzzle as a record."""
    first, entries = rows[0]
    side = isqrt(len(entries))
    if len(rows) == 1 and side * side == len(entries):
        rows = [(first, entries[i : i + side]) for i in range(0, len(entries), side)]
    n = len(rows[0][1])
    if len(rows) == 1 and n >= ONE_LINE // 2 and all(len(entry) == 1 for entry in entries):
        k = max(4, round(sqrt(n)))
        raise Mistake(f"the line has {n} characters; {k * k} are needed for {k}x{k}", first, FORMS)
    if len(rows) != n:
        raise Mistake(f"this is no puzzle: {counted(len(rows), 'row')}, the first of {n} entries", first, FORMS)
    for place, row in rows:
        if len(row) != n:
            raise Mistake(f"the row has {len(row)} entries, and the puzzle {n} columns", place)
    return {"n": n, "grid": [[_value(entry, n, place) for entry in row] for place, row in rows]}


def _value(entry: str, n: int, at: Place) -> int:
    if entry in BLANK:
        return 0
    value = LETTERS.find(entry) if len(entry) == 1 else int(entry) if re.fullmatch("[0-9]{1,4}", entry) else -1
    if not 1 <= value <= n:
        raise Mistake(f"{entry[:20]} is no value of a puzzle with {n} rows", at)
    return value
