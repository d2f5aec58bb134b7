"""Converts the numbers by which penpa stores places to squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..reading import Reader
from ..variant import Square

THICK = 2
"""The style of a thick line."""
MARGIN = 2
"""Number of rows and columns around the board, on each side, that have places, too."""


class PenpaBoard:
    """A penpa board, which converts place numbers to squares.

    The middles of squares come first, then corners and sides, then quarters of squares.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.wide = rows, cols, cols + 2 * MARGIN
        self.corners = self.wide * (rows + 2 * MARGIN)
        self.quarters = 4 * self.corners

    def square(self, place: int) -> Square | None:
        """Return the square whose centre has a place number, or None.

        Returns None if it is not on the board.
        """
        row, column = divmod(place, self.wide)
        square = row - MARGIN + 1, column - MARGIN + 1
        return square if 1 <= square[0] <= self.rows and 1 <= square[1] <= self.cols else None

    def quarter(self, place: int) -> Square | None:
        """Return the square to whose quarter a place number belongs, or None."""
        return self.square((place - self.quarters) // 4) if place >= self.quarters else None

    def beside(self, corner: int, next_corner: int) -> tuple[Square, Square]:
        """Return the squares on both sides of the edge between two neighbouring corners."""
        row, column = divmod(corner - self.corners, self.wide)
        r, c = row - MARGIN + 2, column - MARGIN + 2
        return ((r, c - 1), (r, c)) if next_corner - corner == self.wide else ((r - 1, c), (r, c))


def entries_by_place(fields: dict[str, Any], name: str, reader: Reader, min_length: int = 1) -> dict[int, list[Any]]:
    """Return the drawings of a penpa tool by their place numbers.

    Each is a list of at least ``min_length`` values.
    """
    entries = fields.get(name) or {}
    is_valid = isinstance(entries, dict) and all(re.fullmatch("[0-9]{1,6}", key) for key in entries)
    if not is_valid or any(not isinstance(value, list) or len(value) < min_length for value in entries.values()):
        reader.fail(f"{name} has something that stands nowhere")
    return {int(place): value for place, value in entries.items()}


def lines_between(fields: dict[str, Any], name: str, reader: Reader) -> Iterator[tuple[int, int, Any]]:
    """Yield the two end places and the style of each drawn line."""
    lines = fields.get(name) or {}
    if not isinstance(lines, dict):
        reader.fail(f"{name} is no table of lines")
    for key, style in lines.items():
        if match := re.fullmatch("([0-9]{1,6}),([0-9]{1,6})", key):
            yield int(match[1]), int(match[2]), style
