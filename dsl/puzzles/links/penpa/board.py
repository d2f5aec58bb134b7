"""Where things stand that the tools of penpa have drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..reading import Reader
from ..variant import Square

THICK = 2
"""The style of a thick line."""
MARGIN = 2
"""Rows and columns around the board, on each side, that places are counted with."""


class PenpaBoard:
    """The numbers of places: the middles of squares first, then corners and sides, then quarters of squares."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.wide = rows, cols, cols + 2 * MARGIN
        self.corners = self.wide * (rows + 2 * MARGIN)
        self.quarters = 4 * self.corners

    def square(self, place: int) -> Square | None:
        """The square in whose middle a place is, if it is on the board."""
        row, column = divmod(place, self.wide)
        found = row - MARGIN + 1, column - MARGIN + 1
        return found if 1 <= found[0] <= self.rows and 1 <= found[1] <= self.cols else None

    def quarter(self, place: int) -> Square | None:
        """The square that a place is a quarter of."""
        return self.square((place - self.quarters) // 4) if place >= self.quarters else None

    def beside(self, corner: int, other: int) -> tuple[Square, Square]:
        """The squares on both sides of the line from a corner to the next."""
        row, column = divmod(corner - self.corners, self.wide)
        r, c = row - MARGIN + 2, column - MARGIN + 2
        return ((r, c - 1), (r, c)) if other - corner == self.wide else ((r - 1, c), (r, c))


def marked(fields: dict[str, Any], name: str, reader: Reader, least: int = 1) -> dict[int, list[Any]]:
    """What stands at places, by their numbers."""
    found = fields.get(name) or {}
    places = isinstance(found, dict) and all(re.fullmatch("[0-9]{1,6}", one) for one in found)
    if not places or any(not isinstance(one, list) or len(one) < least for one in found.values()):
        reader.fail(f"{name} has something that stands nowhere")
    return {int(place): one for place, one in found.items()}


def lines_between(fields: dict[str, Any], name: str, reader: Reader) -> Iterator[tuple[int, int, Any]]:
    """The two places of each line, and its style."""
    lines = fields.get(name) or {}
    if not isinstance(lines, dict):
        reader.fail(f"{name} is no table of lines")
    for key, style in lines.items():
        if found := re.fullmatch("([0-9]{1,6}),([0-9]{1,6})", key):
            yield int(found[1]), int(found[2]), style
