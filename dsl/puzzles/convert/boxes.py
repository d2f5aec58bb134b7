"""Converts sudokus with boxes or regions to specs."""

from __future__ import annotations

from collections.abc import Iterable

from .gallery import clauses_with_label, fill, grid_text
from .records import Cell, NumberRows, PuzzleFields


def sudoku(record: PuzzleFields, title: str) -> str:
    """Return the spec of a sudoku, with main diagonals if the record demands them."""
    if record.flag("diagonals"):
        return sudoku_x(record, title)
    return fill("sudoku", title, box_params(record), clue_of(record))


def sudoku_x(record: PuzzleFields, title: str) -> str:
    """Return the spec of a sudoku with both main diagonals."""
    return fill("sudoku_x", title, box_params(record), clue_of(record))


def windoku(record: PuzzleFields, title: str) -> str:
    """Return the spec of a windoku, a 9x9 sudoku with four additional boxes."""
    if record.square() != 9:
        record.fail("a windoku has nine rows")
    return fill("windoku", title, {}, clue_of(record), more=diagonals(record))


def jigsaw(record: PuzzleFields, title: str) -> str:
    """Return the spec of a jigsaw sudoku, with regions instead of boxes."""
    n = record.square()
    grids = {"region": grid_text(record.regions(n, n)), **clue_of(record)}
    return fill("jigsaw", title, {"n": n}, grids, more=diagonals(record))


def evenodd(record: PuzzleFields, title: str) -> str:
    """Return the spec of a sudoku whose marked cells are even or odd."""
    n = record.square()
    parity = [[token.lower() if token in "EO" else None for token in row] for row in record.strings("parity", n, n)]
    grids = {**clue_of(record), "parity": grid_text(parity, record.box())}
    return fill("evenodd", title, box_params(record), grids, more=diagonals(record))


def multi_sudoku(record: PuzzleFields, title: str) -> str:
    """Return the spec of several 9x9 sudokus that overlap.

    The grid has a space where no sudoku has a cell. Every group of ``extra`` is a set of cells with different values.
    """
    rows, cols = record.number("rows"), record.number("cols")
    corners = record.cells(record.non_empty("grids"), "grids", rows - 8, cols - 8)
    cells_of_sudokus = {(r, c) for top, left in corners for r in range(top, top + 9) for c in range(left, left + 9)}
    # The grid must have entries in exactly the cells of the sudokus.
    clue = record.strings("grid", rows, cols)
    for r, row in enumerate(clue):
        for c, token in enumerate(row):
            if token not in ".123456789" if (r, c) in cells_of_sudokus else token != " ":
                record.fail(f"grid has {token!r} in row {r + 1}, column {c + 1}")
    groups = [record.cells(group, "extra", rows, cols) for group in record.optional("extra")]
    if outside := {cell for group in groups for cell in group} - cells_of_sudokus:
        record.fail(f"extra has {list(min(outside))}, which is not a cell")
    return fill(
        "samurai",
        title,
        params={"rows": rows, "cols": cols},
        grids={"clue": grid_text([[{".": None, " ": "_"}.get(token, token) for token in row] for row in clue])},
        facts={"corner": [(top + 1, left + 1) for top, left in corners]},
        more=map(all_different, groups),
    )


def all_different(cells: Iterable[Cell]) -> str:
    """Return the clause ``all_different`` of cells, whose rows and columns count from 0."""
    return f"all_different([{', '.join(f'cell({r + 1}, {c + 1})' for r, c in cells)}])."


def box_params(record: PuzzleFields) -> dict[str, int]:
    """Return the params of a spec for the size of the record's boxes.

    They are ``box``, the number of columns, and ``rows`` if the box is not square.
    """
    rows, cols = record.box()
    return {"box": cols} if rows == cols else {"box": cols, "rows": rows}


def clue_of(record: PuzzleFields) -> dict[str, str]:
    """Return a dict from ``clue`` to the picture of the record's givens.

    If the record declares boxes, the text has separators between them.
    """
    return {"clue": grid_text(numbers(record), record.box() if "box" in record else None)}


def numbers(record: PuzzleFields) -> NumberRows:
    """Return the rows of givens of a square puzzle; None for an empty cell."""
    n = record.square()
    return record.grid("grid", n, n, n)


def givens(record: PuzzleFields) -> list[str]:
    """Return the givens of a square puzzle as clauses such as ``cell(1, 2) = 3.``

    This is for families whose specs have no grid of clues.
    """
    cells = [(r, c, value) for r, row in enumerate(numbers(record), 1) for c, value in enumerate(row, 1)]
    return [f"cell({r}, {c}) = {value}." for r, c, value in cells if value is not None]


def diagonals(record: PuzzleFields) -> list[str]:
    """Return the clauses for both main diagonals; empty unless the record demands them."""
    return clauses_with_label("sudoku_x", "diagonal") if record.flag("diagonals") else []
