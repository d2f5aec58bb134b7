"""Converts Latin squares, and square boards with signs or numbers, to specs."""

from __future__ import annotations

from .boxes import clue_of, diagonals, numbers
from .gallery import fill, grid_text
from .records import PuzzleFields

VERTICAL_SIGNS = {">": "v", "<": "^"}
"""Futoshiki: the sign between a cell and the one below it, for the sign of a horizontal pair."""


def latin(record: PuzzleFields, title: str) -> str:
    """Return the spec of a Latin square to complete."""
    return fill("quasigroup", title, {"n": record.square()}, clue_of(record), more=diagonals(record))


def graeco_latin(record: PuzzleFields, title: str) -> str:
    """Return the spec of a Graeco-Latin square.

    It consists of two Latin squares whose pairs of values are all different.
    """
    n = record.square()
    pairs = [record.cells(row, "grid", n + 1, n + 1) for row in record.entries("grid", n)]
    if any(len(row) != n for row in pairs):
        record.fail(f"a row of grid does not have {n} pairs")
    clues = [grid_text([[pair[i] or None for pair in row] for row in pairs]) for i in range(2)]
    return fill("graeco_latin", title, {"n": n}, {"latin_clue": clues[0], "greek_clue": clues[1]})


def magic_square(record: PuzzleFields, title: str) -> str:
    """Return the spec of a magic square."""
    n = record.square()
    return fill("magic_square", title, {"n": n}, {"clue": grid_text(record.grid("grid", n, n, n * n))})


def futoshiki(record: PuzzleFields, title: str) -> str:
    """Return the spec of a futoshiki, with signs between neighbouring cells.

    The grid has the cells in odd rows and columns, counted from 1, and the signs between them.
    """
    n = record.square()
    # Cells are in rows and columns with even indices, the sign of two cells is between them.
    board: list[list[object]] = [[None] * (2 * n - 1) for _ in range(2 * n - 1)]
    for r, values in enumerate(numbers(record)):
        board[2 * r][::2] = values
    signs = [(a, b, "<" if a < b else ">") for a, b in record.pairs("less", n)]
    adjacent = [(a, b, "o") for a, b in record.pairs("adjacent", n)]
    for (r, c), (p, q), sign in signs + adjacent:
        board[r + p][c + q] = VERTICAL_SIGNS.get(sign, sign) if r != p else sign
    name = "futoshiki_adjacent" if "adjacent" in record else "futoshiki"
    return fill(name, title, {"n": n}, {"board": grid_text(board)}, more=diagonals(record))


def skyscrapers(record: PuzzleFields, title: str) -> str:
    """Return the spec of a skyscrapers puzzle.

    The numbers on its border are counts of visible towers.
    """
    n, empty = record.square(), record.flag("zero")
    inner = record.grid("grid", n, n, n - empty, low=1 - empty)
    left, right = record.numbers("left", n, n), record.numbers("right", n, n)
    # Surround the givens with the numbers of the border.
    rows = [[a, *row, b] for a, row, b in zip(left, inner, right, strict=True)]
    board = [[None, *record.numbers("top", n, n), None], *rows, [None, *record.numbers("bottom", n, n), None]]
    return fill(
        "skyscrapers", title, {"n": n, "empty": int(empty)}, {"board": grid_text(board)}, more=diagonals(record)
    )


def tenner(record: PuzzleFields, title: str) -> str:
    """Return the spec of a tenner grid, which has ten columns with sums."""
    rows = record.number("rows")
    clue, total = record.grid("grid", rows, 10, 9, low=0), record.numbers("colsums", 10, 9 * rows)
    return fill("tenner", title, {"rows": rows}, {"clue": grid_text(clue), "total": grid_text([total])})


def blocked_queens(record: PuzzleFields, title: str) -> str:
    """Return the spec of a queens puzzle with blocked squares."""
    n = record.square()
    board: list[list[object]] = [[None] * n for _ in range(n)]
    for row, col in record.cells(record.entries("blocked"), "blocked", n, n):
        board[row][col] = "x"
    return fill("blocked_queens", title, {"n": n}, {"blocked": grid_text(board)})
