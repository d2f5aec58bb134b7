"""Defines a puzzle in a foreign format, which is converted on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

from ...syntax.nodes import Place


@dataclass(frozen=True)
class ForeignPuzzle:
    """A puzzle in a foreign format, with a function that converts it to a spec.

    Attributes
    ----------
    name : str
        Its name in the file, or its number.
    at : Place
        Its beginning in the file.
    spec : callable
        Returns the text of the spec; raises ``Diagnostic`` if the puzzle is malformed.
    """

    name: str
    at: Place
    spec: Callable[[], str]


def box_shape(n: int) -> tuple[int, int]:
    """Return the usual numbers of rows and columns of a sudoku's box.

    ``n`` is the number of rows of the sudoku.

    The box is as square as possible, and has at least as many columns as rows.

    Examples
    --------
    >>> box_shape(9), box_shape(6), box_shape(15)
    ((3, 3), (2, 3), (3, 5))
    """
    rows = next(rows for rows in range(isqrt(n), 0, -1) if n % rows == 0)
    return rows, n // rows
