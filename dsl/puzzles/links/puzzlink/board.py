"""Stores the data of a link as params and grids of a spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....syntax.grids import grid_text
from .codes import GridEntry, Unwritable

MAX_SIDE = 60
"""Maximum number of rows or columns of a puzzle; a larger board is an error."""

GridShape = tuple[int, int]
"""Rows and columns."""

BoardSquare = tuple[int, int]
"""Row and column, from 1."""


@dataclass
class LinkBoard:
    """The data of a puzz.link puzzle: its size, params and grids.

    Attributes
    ----------
    rows, cols : int
        The size in the link.
    params : dict of str to int
    grids : dict of str to dict
        The entries of each grid, by row and column.
    shapes : dict of str to pair
        The numbers of rows and columns of each grid.
    unread : list of str
        Descriptions of data without a grid in the spec.
    """

    rows: int
    cols: int
    params: dict[str, int] = field(default_factory=dict)
    grids: dict[str, dict[BoardSquare, GridEntry]] = field(default_factory=dict)
    shapes: dict[str, GridShape] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list, compare=False)

    def put(self, name: str, shape: GridShape, values: Sequence[GridEntry]) -> None:
        """Store a grid whose values are listed row by row; None is a blank cell."""
        squares = [(r, c) for r in range(1, shape[0] + 1) for c in range(1, shape[1] + 1)]
        self.shapes[name] = shape
        self.grids[name] = {square: value for square, value in zip(squares, values, strict=True) if value is not None}

    def row_by_row(self, name: str, shape: GridShape) -> list[GridEntry]:
        """Return the values of a grid, row by row; None if blank.

        Raises
        ------
        Unwritable
            If the grid has an entry outside of its shape.
        """
        cells = self.grids.get(name, {})
        if outside := [square for square in cells if not (1 <= square[0] <= shape[0] and 1 <= square[1] <= shape[1])]:
            raise Unwritable(f"links have no place for {name}({outside[0][0]}, {outside[0][1]})")
        return [cells.get((r, c)) for r in range(1, shape[0] + 1) for c in range(1, shape[1] + 1)]

    def pictures(self) -> dict[str, str]:
        """Return a dict from the name of each grid to its picture, a text."""
        texts = {}
        for name, (rows, cols) in self.shapes.items():
            values = self.row_by_row(name, (rows, cols))
            texts[name] = grid_text(
                [values[start : start + cols] for start in range(0, rows * cols, cols)] if cols else []
            )
        return texts


def size_error(rows: int, cols: int) -> str:
    """Return the message that a board has a wrong size, or an empty text."""
    if 1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE:
        return ""
    return f"the board has {rows} rows and {cols} columns; there are 1 to {MAX_SIDE} of each"


def cells(board: LinkBoard) -> GridShape:
    """Return the rows and columns of a grid with an entry for each cell."""
    return board.rows, board.cols


def corners(board: LinkBoard) -> GridShape:
    """Return the rows and columns of a grid with an entry for each corner."""
    return board.rows + 1, board.cols + 1


def middles(board: LinkBoard) -> GridShape:
    """Return the size of a grid with entries for cells, inner borders and inner corners."""
    return 2 * board.rows - 1, 2 * board.cols - 1


def right(board: LinkBoard) -> GridShape:
    """Return the size of a grid of borders between horizontal neighbours."""
    return board.rows, board.cols - 1


def below(board: LinkBoard) -> GridShape:
    """Return the size of a grid of borders between vertical neighbours."""
    return board.rows - 1, board.cols


def above(board: LinkBoard) -> GridShape:
    """Return the size of a grid with an entry above each column."""
    return 1, board.cols


def beside(board: LinkBoard) -> GridShape:
    """Return the size of a grid with an entry beside each row."""
    return board.rows, 1
