"""Sudokus and what people have made of them."""

from __future__ import annotations

from collections.abc import Iterable

from .gallery import fill, grid_text, labelled
from .records import Cell, NumberRows, PuzzleFields


def sudoku(record: PuzzleFields, title: str) -> str:
    """Rows, columns and boxes."""
    if record.flag("diagonals"):
        return sudoku_x(record, title)
    return fill("sudoku", title, box_params(record), clue_of(record))


def sudoku_x(record: PuzzleFields, title: str) -> str:
    """Both main diagonals too."""
    return fill("sudoku_x", title, box_params(record), clue_of(record))


def windoku(record: PuzzleFields, title: str) -> str:
    """Four more boxes, between the others."""
    if record.square() != 9:
        record.fail("a windoku has nine rows")
    return fill("windoku", title, {}, clue_of(record), more=diagonals(record))


def jigsaw(record: PuzzleFields, title: str) -> str:
    """Regions of any form instead of boxes."""
    n = record.square()
    grids = {"region": grid_text(record.regions(n, n)), **clue_of(record)}
    return fill("jigsaw", title, {"n": n}, grids, more=diagonals(record))


def evenodd(record: PuzzleFields, title: str) -> str:
    """Some cells are even, some odd."""
    n = record.square()
    parity = [[token.lower() if token in "EO" else None for token in row] for row in record.strings("parity", n, n)]
    grids = {**clue_of(record), "parity": grid_text(parity, record.box())}
    return fill("evenodd", title, box_params(record), grids, more=diagonals(record))


def multi_sudoku(record: PuzzleFields, title: str) -> str:
    """Sudokus that overlap."""
    rows, cols = record.number("rows"), record.number("cols")
    corners = record.cells(record.some("grids"), "grids", rows - 8, cols - 8)
    shape = {(r, c) for top, left in corners for r in range(top, top + 9) for c in range(left, left + 9)}
    clue = record.strings("grid", rows, cols)
    for r, row in enumerate(clue):
        for c, token in enumerate(row):
            if token not in ".123456789" if (r, c) in shape else token != " ":
                record.fail(f"grid has {token!r} in row {r + 1}, column {c + 1}")
    groups = [record.cells(group, "extra", rows, cols) for group in record.optional("extra")]
    if outside := {cell for group in groups for cell in group} - shape:
        record.fail(f"extra has {list(min(outside))}, which is no cell")
    return fill(
        "samurai",
        title,
        params={"rows": rows, "cols": cols},
        grids={"clue": grid_text([[{".": None, " ": "_"}.get(token, token) for token in row] for row in clue])},
        facts={"corner": [(top + 1, left + 1) for top, left in corners]},
        more=map(all_different, groups),
    )


def all_different(cells: Iterable[Cell]) -> str:
    """The clause for some cells, which count from 0."""
    return f"all_different([{', '.join(f'cell({r + 1}, {c + 1})' for r, c in cells)}])."


def box_params(record: PuzzleFields) -> dict[str, int]:
    """The params of a box; it is square, unless they say how many rows it has."""
    rows, cols = record.box()
    return {"box": cols} if rows == cols else {"box": cols, "rows": rows}


def clue_of(record: PuzzleFields) -> dict[str, str]:
    """The picture of the givens, its boxes set off if there are any."""
    return {"clue": grid_text(numbers(record), record.box() if "box" in record else None)}


def numbers(record: PuzzleFields) -> NumberRows:
    """The givens of a square puzzle."""
    n = record.square()
    return record.grid("grid", n, n, n)


def givens(record: PuzzleFields) -> list[str]:
    """The givens as clauses, for a family whose puzzles have none as a rule."""
    cells = [(r, c, value) for r, row in enumerate(numbers(record), 1) for c, value in enumerate(row, 1)]
    return [f"cell({r}, {c}) = {value}." for r, c, value in cells if value is not None]


def diagonals(record: PuzzleFields) -> list[str]:
    """The rule of the main diagonals, if the puzzle has it."""
    return labelled("sudoku_x", "diagonal") if record.flag("diagonals") else []
