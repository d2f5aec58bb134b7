"""Puzzles of ``csp generate``, and all small squares that could be their solutions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

from .commands import run
from .conftest import ROOT

Square = list[list[int]]
Fact = Sequence[Any]
SUDOKU = str(ROOT / "examples" / "sudoku.csp")


def puzzles(*arguments: object) -> list[dict[str, Any]]:
    """Run ``csp generate`` and return its puzzles."""
    result = run("generate", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@cache
def latin(n: int) -> list[Square]:
    """Return all Latin squares of a side."""
    squares: list[Square] = [[]]
    for _ in range(n):
        squares = [
            [*rows, list(row)]
            for rows in squares
            for row in permutations(range(1, n + 1))
            if all(a != b for above in rows for a, b in zip(row, above, strict=True))
        ]
    return squares


@cache
def squares_with_boxes() -> list[Square]:
    """Return the 288 grids of four by four with boxes."""
    boxes = [[(r + i, c + j) for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]
    return [grid for grid in latin(4) if all(len({grid[r][c] for r, c in box}) == 4 for box in boxes)]
