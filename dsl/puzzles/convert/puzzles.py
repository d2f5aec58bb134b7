"""What the readers of files make: puzzles, each of which turns into a spec when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

from ...text.syntax import Place


@dataclass(frozen=True)
class ForeignPuzzle:
    """One puzzle of a file.

    Attributes
    ----------
    name : str
        What the file calls it, or its number.
    at : Place
        Where it begins.
    spec : callable
        Makes the text of the spec; raises ``Mistake`` if the puzzle is malformed.
    """

    name: str
    at: Place
    spec: Callable[[], str]


def box_shape(n: int) -> tuple[int, int]:
    """Rows and columns of the usual box of an n by n sudoku: as square as can be, and wide rather than high.

    Examples
    --------
    >>> box_shape(9), box_shape(6), box_shape(15)
    ((3, 3), (2, 3), (3, 5))
    """
    rows = next(rows for rows in range(isqrt(n), 0, -1) if n % rows == 0)
    return rows, n // rows
