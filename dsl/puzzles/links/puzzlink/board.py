"""What a link holds, as params and grids of a spec, and the shapes of its grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....text.grids import grid_text
from .codes import GridEntry, Unwritable

GridShape = tuple[int, int]
BoardSquare = tuple[int, int]


@dataclass
class LinkBoard:
    """What a link holds: the size that it says, and params and grids of the spec.

    ``shapes``: rows and columns of each grid; ``unread``: what the spec has no grid for.
    """

    rows: int
    cols: int
    params: dict[str, int] = field(default_factory=dict)
    grids: dict[str, dict[BoardSquare, GridEntry]] = field(default_factory=dict)
    shapes: dict[str, GridShape] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list, compare=False)

    def put(self, name: str, shape: GridShape, values: Sequence[GridEntry]) -> None:
        """A grid of values row by row."""
        squares = [(r, c) for r in range(1, shape[0] + 1) for c in range(1, shape[1] + 1)]
        self.shapes[name] = shape
        self.grids[name] = {square: one for square, one in zip(squares, values, strict=True) if one is not None}

    def row_by_row(self, name: str, shape: GridShape) -> list[GridEntry]:
        """The values of a grid."""
        cells = self.grids.get(name, {})
        if outside := [one for one in cells if not (1 <= one[0] <= shape[0] and 1 <= one[1] <= shape[1])]:
            raise Unwritable(f"links have no place for {name}({outside[0][0]}, {outside[0][1]})")
        return [cells.get((r, c)) for r in range(1, shape[0] + 1) for c in range(1, shape[1] + 1)]

    def pictures(self) -> dict[str, str]:
        """The texts of the grids."""
        texts = {}
        for name, (rows, cols) in self.shapes.items():
            values = self.row_by_row(name, (rows, cols))
            texts[name] = grid_text([values[at : at + cols] for at in range(0, rows * cols, cols)] if cols else [])
        return texts


def cells(board: LinkBoard) -> GridShape:
    """A place for each cell."""
    return board.rows, board.cols


def corners(board: LinkBoard) -> GridShape:
    """A place for each corner of a cell."""
    return board.rows + 1, board.cols + 1


def middles(board: LinkBoard) -> GridShape:
    """A place for each cell, each border inside and each corner inside."""
    return 2 * board.rows - 1, 2 * board.cols - 1


def right(board: LinkBoard) -> GridShape:
    """A place for each border between a cell and the one to its right."""
    return board.rows, board.cols - 1


def below(board: LinkBoard) -> GridShape:
    """A place for each border between a cell and the one below."""
    return board.rows - 1, board.cols


def above(board: LinkBoard) -> GridShape:
    """A place above each column."""
    return 1, board.cols


def beside(board: LinkBoard) -> GridShape:
    """A place beside each row."""
    return board.rows, 1
