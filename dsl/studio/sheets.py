"""What of a spec is set without writing: its params, as numbers, and its grids, cell by cell."""

from __future__ import annotations

from typing import Any

from ..editor.edits import offset
from ..syntax import nodes
from ..syntax.editing.redraw import redraw
from ..syntax.errors import Diagnostic
from ..syntax.grids import BLANKS, Size, read_rows, token_value
from ..syntax.parsing.parse import parse

LARGEST = 2_500
"""The most cells of a grid that is shown as one."""


def params_and_grids(text: str) -> dict[str, Any]:
    """The params of a text that are whole numbers, with their places, and the rows of its grids.

    Examples
    --------
    >>> found = params_and_grids('param n = 4. grid clue = "1. | .2".')
    >>> found["params"], found["grids"]
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
    try:
        rows = read_rows(picture, name)
    except Diagnostic:
        return []
    return [["" if token in BLANKS else token for token, _ in row] for row in rows]


def entered(text: str, name: str, row: int, column: int, token: str) -> str:
    """The text with another entry in a cell of a grid, counted from 1; an empty one is a blank.

    Raises
    ------
    Mistake
        If there is no such grid or cell, or a picture cannot hold the entry.

    Examples
    --------
    >>> print(entered('grid clue = "1. | .2".', "clue", 1, 2, "7"))
    grid clue = "17 | .2".
    """
    if any(letter.isspace() or letter in '"|%' for letter in token) or len(token) > 20:
        raise Diagnostic(f"{token!r:.30} is no entry of a grid")
    for clause in parse(text)[0]:
        if isinstance(clause, nodes.Grid) and clause.name == name and clause.text is not None:
            start = offset(text, clause.text_at.line, clause.text_at.column) + 1
            picture = _entered(clause.text, name, (row, column), token)
            return text[:start] + picture + text[start + len(clause.text) :]
    raise Diagnostic(f"there is no grid {name} with a picture")


def _entered(picture: str, name: str, cell: tuple[int, int], token: str) -> str:
    """A picture with another entry, in its place where it is as wide as the one before."""
    rows = read_rows(picture, name)
    places = {(r, c): one for r, row in enumerate(rows, 1) for c, one in enumerate(row, 1)}
    if cell not in places:
        raise Diagnostic(f"grid {name} has no cell {cell[0]}, {cell[1]}")
    old, at = places[cell]
    if len(old) == len(token or BLANKS[0]):
        start = offset(picture, at.line, at.column)
        return picture[:start] + (token or BLANKS[0]) + picture[start + len(old) :]
    tokens = {at: one for at, (one, _) in places.items()} | {cell: token or BLANKS[0]}
    cells = {at: token_value(one, digits=False) for at, one in tokens.items() if one not in BLANKS}
    return redraw(picture, name, Size(len(rows), len(rows[0])), cells)
