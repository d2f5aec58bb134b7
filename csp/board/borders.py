"""Draw the borders of a grid's cells with text characters.

Answers draw them in ASCII, which the language reads again; the terminal player draws box-drawing lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from .grid import Position


class Pen(NamedTuple):
    """The characters with which the borders of a grid are drawn.

    Attributes
    ----------
    upright, level : mapping of str to str
        The character of a vertical and of a horizontal line, by the kind of border.
    joints : str
        The character where lines meet, at the sum of 1 for a line from above, 2 from below, 4 from the left and 8 from
        the right.
    """

    upright: Mapping[str, str]
    level: Mapping[str, str]
    joints: str


PLAIN = Pen({"region": "|"}, {"region": "-"}, "   | +++ +++-+++")
"""ASCII lines, which the language can read as a grid."""
DRAWN = Pen({"region": "│", "cage": "┆", "both": "┃"}, {"region": "─", "cage": "┄", "both": "━"}, " ╵╷│╴┘┐┤╶└┌├─┴┬┼")
"""Box-drawing lines."""


class Borders:
    """The borders of one grid, drawn with characters.

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
        """Return the characters of the border to the right of a cell.

        Between two columns without a border, it is a space; at an edge of the grid without borders, it is empty.
        """
        if column not in self._between:
            return ""
        kind = self._right.get((row, column), " ")
        sign = self._pen.upright.get(kind, kind)
        return f" {sign} " if column in self._wide else sign

    def under(self, row: int) -> str | None:
        """Return the characters below a row of cells; None without a border or text there."""
        if row not in self._lined:
            return None
        first = next(iter(self._widths)) - 1
        line = self._joint(row, first) if first in self._between else ""
        for column, width in self._widths.items():
            kind, left_width = self._below.get((row, column), " "), (width - 1) // 2
            line_character = self._pen.level.get(kind, "")
            side = line_character * width or " " * left_width + kind + " " * (width - left_width - 1)
            text = self._texts.get((row, column), "")
            line += (text + side[len(text) :] if len(text) <= width else side) + self._joint(row, column)
        return line.rstrip()

    def _joint(self, row: int, column: int) -> str:
        """Return the characters at a cell's lower right corner, where four borders meet."""
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
