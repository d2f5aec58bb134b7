"""Converts puzzles with cages, regions or runs: killer, kenken, suguru, kakuro."""

from __future__ import annotations

import re
from collections import Counter

from .boxes import box_params, diagonals, givens
from .gallery import fill, grid_text
from .records import PuzzleFields

LETTERS = "abcdefghijklmopqrstuvwxyz"
"""Names of cages; ``n`` is missing because it names the size of the board."""

OPERATIONS = {"+": "plus", "-": "minus", "*": "times", "/": "over", "=": "plus", "?": "some"}
"""The name in the spec of each operation in a record of kenken."""


def killer(record: PuzzleFields, title: str) -> str:
    """Return the spec of a killer sudoku; at least one cage must have a sum."""
    named_cages = zip(cage_names(record), record.dicts("cages"), strict=True)
    sums = [(name, cage.number("sum", 0, 10**6)) for name, cage in named_cages if "sum" in cage]
    if not sums:
        record.fail("no cage has a sum")
    clauses = [*diagonals(record), *givens(record)]
    return fill("killer", title, box_params(record), {"cage": cages(record)}, {"total": sums}, clauses)


def kenken(record: PuzzleFields, title: str) -> str:
    """Return the spec of a kenken, a Latin square with arithmetic cages."""
    clue = []
    for name, cage in zip(cage_names(record), record.dicts("cages"), strict=True):
        operation = cage.text("op")
        if operation not in OPERATIONS:
            record.fail(f"a cage has the operation {operation}, which is not one of {' '.join(OPERATIONS)}")
        clue.append((name, OPERATIONS[operation], cage.number("target", 0, 10**18 - 1)))
    clauses = givens(record) + diagonals(record)
    return fill("kenken", title, {"n": record.square()}, {"cage": cages(record)}, {"clue": clue}, clauses)


def suguru(record: PuzzleFields, title: str) -> str:
    """Return the spec of a suguru, whose regions have different sizes."""
    rows, cols = record.number("rows"), record.number("cols")
    region = record.regions(rows, cols)
    sizes = Counter(name for row in region for name in row)
    clue = record.grid("grid", rows, cols, max(sizes.values()))
    grids = {"region": grid_text(region), "clue": grid_text(clue)}
    return fill("suguru", title, {"rows": rows, "cols": cols}, grids)


def kakuro(record: PuzzleFields, title: str) -> str:
    """Return the spec of a kakuro, whose black cells contain sums."""
    rows, cols = record.number("rows"), record.number("cols")
    across: list[list[object]] = []
    down: list[list[object]] = []
    for number, entry in enumerate(record.entries("grid", rows), 1):
        tokens = str(entry).split()
        if len(tokens) != cols:
            record.fail(f"row {number} of grid has {len(tokens)} entries, not {cols}")
        sums = [_sums(record, token) for token in tokens]
        across.append([right for _, right in sums])
        down.append([below for below, _ in sums])
    return fill("kakuro", title, {"rows": rows, "cols": cols}, {"across": grid_text(across), "down": grid_text(down)})


def _sums(record: PuzzleFields, token: str) -> tuple[object, object]:
    """Parse the sums in a black cell: below it, and to the right.

    Both are None for a white cell. ``#`` means that a black cell has no sum in that direction.
    """
    if token == ".":
        return None, None
    match = re.fullmatch(r"#|([0-9]{0,3})\\([0-9]{0,3})", token)
    if not match:
        record.fail(f"grid has {token[:20]}, which is neither . nor # nor a sum such as 16\\ or 4\\11")
    return match[1] or "#", match[2] or "#"


def cage_names(record: PuzzleFields) -> list[int | str]:
    """Return a letter for each cage, or a number if the letters do not suffice."""
    count = len(record.non_empty("cages"))
    return [*LETTERS[:count]] if count <= len(LETTERS) else [*range(1, count + 1)]


def cages(record: PuzzleFields) -> str:
    """Return the picture with each cell's cage name; a cell without a cage is blank."""
    n = record.square()
    rows: list[list[int | str | None]] = [[None] * n for _ in range(n)]
    for name, cage in zip(cage_names(record), record.dicts("cages"), strict=True):
        for r, c in cage.cells(cage.field("cells"), "cells", n, n):
            if rows[r][c] is not None:
                record.fail(f"two cages share the cell {[r, c]}")
            rows[r][c] = name
    return grid_text(rows)
