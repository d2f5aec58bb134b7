"""Read and change params and grids that users edit outside of the text."""

from __future__ import annotations

from typing import Any

from ..editor.edits import offset
from ..syntax import nodes
from ..syntax.errors import Diagnostic
from ..syntax.grids import BLANKS, Size, read_rows, redraw, token_value
from ..syntax.parse import parse

LARGEST = 2_500
"""Maximum number of cells of a grid in the sheets; a larger grid is omitted."""


def params_and_grids(text: str) -> dict[str, Any]:
    """Return a spec's integer params, and its grids of at most ``LARGEST`` cells.

    A param is a name, a value and the place of the value. A blank cell is an empty text.

    Examples
    --------
    >>> sheets = params_and_grids('param n = 4. grid clue = "1. | .2".')
    >>> sheets["params"], sheets["grids"]
    ([{'name': 'n', 'value': 4, 'line': 1, 'column': 11, 'width': 1}], [{'name': 'clue', 'rows': [['1', '', '', '2']]}])
    """
    params, grids = [], []
    for clause in parse(text)[0]:
        match clause:
            case nodes.Param(_, name, nodes.Constant(at, int() as value)):
                place = {"line": at.line, "column": at.column, "width": at.width}
                params.append({"name": name, "value": value, **place})
            case nodes.Grid(_, name, str() as picture):
                rows = _rows(picture, name)
                if rows and len(rows) * len(rows[0]) <= LARGEST:
                    grids.append({"name": name, "rows": rows})
    return {"params": params, "grids": grids}


def _rows(picture: str, name: str) -> list[list[str]]:
    """Return the rows of a picture; empty if it has an error."""
    try:
        rows = read_rows(picture, name)
    except Diagnostic:
        return []
    return [["" if token in BLANKS else token for token, _ in row] for row in rows]


def enter_value(text: str, name: str, row: int, column: int, token: str) -> str:
    """Return a spec's text with ``token`` as the entry of a grid's cell.

    Rows and columns count from 1. An empty token makes the cell blank.

    Raises
    ------
    Diagnostic
        If the text has no such grid or cell, or a picture cannot contain the token.

    Examples
    --------
    >>> print(enter_value('grid clue = "1. | .2".', "clue", 1, 2, "7"))
    grid clue = "17 | .2".
    """
    if any(letter.isspace() or letter in '"|%' for letter in token) or len(token) > 20:
        raise Diagnostic("grid-entry", f"{token!r:.30} is not an entry of a grid")
    for clause in parse(text)[0]:
        if isinstance(clause, nodes.Grid) and clause.name == name and clause.text is not None:
            start = offset(text, clause.text_at.line, clause.text_at.column) + 1
            picture = _enter_in_picture(clause.text, name, (row, column), token)
            return text[:start] + picture + text[start + len(clause.text) :]
    raise Diagnostic("unknown-input", f"unknown grid: {name}")


def _enter_in_picture(picture: str, name: str, cell: tuple[int, int], token: str) -> str:
    """Return a grid's picture with ``token`` as the entry of a cell.

    If the new entry has another width, all entries of the grid are aligned again.
    """
    rows = read_rows(picture, name)
    entries = {(r, c): entry for r, row in enumerate(rows, 1) for c, entry in enumerate(row, 1)}
    if cell not in entries:
        raise Diagnostic("grid-shape", f"grid {name} has no cell {cell[0]}, {cell[1]}")
    old, at = entries[cell]
    if len(old) == len(token or BLANKS[0]):
        start = offset(picture, at.line, at.column)
        return picture[:start] + (token or BLANKS[0]) + picture[start + len(old) :]
    tokens = {cell_at: entry for cell_at, (entry, _) in entries.items()} | {cell: token or BLANKS[0]}
    cells = {cell_at: token_value(entry, digits=False) for cell_at, entry in tokens.items() if entry not in BLANKS}
    return redraw(picture, name, Size(len(rows), len(rows[0])), cells)
