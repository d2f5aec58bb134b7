"""Lines along the sides of the cells of a grid, in characters: the one place where text has borders."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from .grid import Position


class Pen(NamedTuple):
    """The characters of lines.

    Attributes
    ----------
    upright, level : mapping of str to str
        A line to the right of a cell and one below it, by what it is the border of.
    joints : str
        What stands where lines meet: from above counts 1, from below 2, from the left 4, from the right 8.
    """

    upright: Mapping[str, str]
    level: Mapping[str, str]
    joints: str


PLAIN = Pen({"region": "|"}, {"region": "-"}, "   | +++ +++-+++")
"""What the language reads as a grid."""
DRAWN = Pen({"region": "│", "cage": "┆", "both": "┃"}, {"region": "─", "cage": "┄", "both": "━"}, " ╵╷│╴┘┐┤╶└┌├─┴┬┼")


class Borders:
    """The lines of one grid.

    Examples
    --------
    >>> borders = Borders({(0, 0): "region"}, {(0, 0): "region", (0, 1): "region"}, {0: 3, 1: 3}, PLAIN)
    >>> print("  7" + borders.after(0, 0) + "  8" + borders.after(0, 1), borders.under(0), sep="\\n")
      7|  8
    ---+---
    """

    def __init__(
        self,
        right: Mapping[Position, str],
        below: Mapping[Position, str],
        widths: Mapping[int, int],
        pen: Pen,
        wide: Collection[int] = (),
        texts: Mapping[Position, str] | None = None,
    ) -> None:
        self._right, self._below, self._pen, self._wide, self._texts = right, below, pen, wide, texts or {}
        self._widths = widths
        self._between = {*[*widths][:-1], *(c for _, c in right)}
        self._lined = {r for r, _ in [*below, *self._texts]}

    def after(self, row: int, column: int) -> str:
        """What stands between a cell and the next, in its row; nothing where no column has anything."""
        if column not in self._between:
            return ""
        own = self._right.get((row, column), " ")
        sign = self._pen.upright.get(own, own)
        return f" {sign} " if column in self._wide else sign

    def under(self, row: int) -> str | None:
        """The line below a row, None where there is none."""
        if row not in self._lined:
            return None
        first = next(iter(self._widths)) - 1
        line = self._joint(row, first) if first in self._between else ""
        for column, width in self._widths.items():
            own, left = self._below.get((row, column), " "), (width - 1) // 2
            line_of = self._pen.level.get(own, "")
            side = line_of * width or " " * left + own + " " * (width - left - 1)
            words = self._texts.get((row, column), "")
            line += (words + side[len(words) :] if len(words) <= width else side) + self._joint(row, column)
        return line.rstrip()

    def _joint(self, row: int, column: int) -> str:
        if column not in self._between:
            return ""
        upright, level = self._pen.upright, self._pen.level
        up, down = (upright.get(self._right.get((r, column), "")) for r in (row, row + 1))
        left, right = (level.get(self._below.get((row, c), "")) for c in (column, column + 1))
        joint = self._pen.joints[bool(up) + 2 * bool(down) + 4 * bool(left) + 8 * bool(right)]
        if up and up == down and not (left or right):
            joint = up
        if left and left == right and not (up or down):
            joint = left
        if column not in self._wide:
            return joint
        before, after = (side if side and joint != " " else " " for side in (left, right))
        return before + joint + after
