"""Checks JSON values from a link, and reports every unexpected value."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from csp import counted

from ...syntax.errors import Diagnostic
from ...syntax.nodes import Place

MAX_ENTRIES = 5_000
"""Maximum number of entries of a list; a longer list is an error."""


SIZES = range(2, 17)
"""The supported numbers of rows and columns of a sudoku."""


class Reader:
    """A checker of JSON values from a link, which reports unexpected values.

    Its errors have the place of the link.

    Attributes
    ----------
    at : Place
        The place of the link, for messages.
    size : int
        The number of rows and columns of the puzzle.
    """

    def __init__(self, at: Place, size: int = 0) -> None:
        self.at, self.size = at, size

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise an error at the place of the link in the file."""
        raise Diagnostic("bad-link", message, self.at, hint)

    def entries(self, value: Any, name: str) -> list[Any]:
        """Return a JSON value that must be a list; null counts as empty."""
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(f"{name} is not a list")
        if len(value) > MAX_ENTRIES:
            self.fail(f"{name} has more than {MAX_ENTRIES:,} entries")
        return value

    def board(self, value: Any, name: str) -> list[Any]:
        """Return a JSON value that must be a list of rows; set ``size``.

        ``size`` becomes the number of rows, which is from 2 to 16.
        """
        rows = self.entries(value, name)
        if len(rows) not in SIZES:
            self.fail(f"the board has {counted(len(rows), 'row')}; there are {SIZES[0]} to {SIZES[-1]}")
        self.size = len(rows)
        return rows

    def objects(self, value: Any, name: str) -> list[dict[str, Any]]:
        """Return a JSON value that must be a list of objects."""
        objects = self.entries(value, name)
        if other := [entry for entry in objects if not isinstance(entry, dict)]:
            self.fail(f"{name} has {self._shorten(other[0])}, which is not an object")
        return objects

    def words(self, value: Any, name: str) -> list[str]:
        """Return a JSON value that must be a list of texts."""
        texts = self.entries(value, name)
        if non_texts := [entry for entry in texts if not isinstance(entry, str)]:
            self.fail(f"{name} has {self._shorten(non_texts[0])} where a text should be")
        return texts

    def place(self, value: Any, name: str, around: int = 0) -> tuple[int, int]:
        """Convert a cell name such as ``R3C4`` to row and column; refuse other values.

        The cell may be up to ``around`` rows or columns outside the board.
        """
        match = re.fullmatch("[rR]([0-9]{1,3})[cC]([0-9]{1,3})", value) if isinstance(value, str) else None
        if not match or not all(1 - around <= int(match[i]) <= self.size + around for i in (1, 2)):
            kind = "a place beside the board" if around else "a cell such as R1C1"
            self.fail(f"{name} has {self._shorten(value)} where {kind} should be")
        return int(match[1]), int(match[2])

    def cells(self, value: Any, name: str, around: int = 0) -> list[tuple[int, int]]:
        """Convert a list of cell names to rows and columns.

        The cells may be up to ``around`` rows or columns outside the board.
        """
        return [self.place(cell, name, around) for cell in self.entries(value, name)]

    def number(self, value: Any, name: str, low: int = 0, high: int = 10**6) -> int | None:
        """Return a JSON number from ``low`` to ``high``; None for null or an empty text.

        The number may be in quotes. Other values are refused.
        """
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        text = str(value).strip()
        if isinstance(value, bool) or not re.fullmatch("[0-9]{1,7}", text) or not low <= int(text) <= high:
            self.fail(f"{name} has {self._shorten(value)} where a number in {low}..{high} should be")
        return int(text)

    def _shorten(self, value: Any) -> str:
        """Return a value as JSON, shortened for a message."""
        text = json.dumps(value)
        return text if len(text) <= 40 else f"{text[:40]}..."
