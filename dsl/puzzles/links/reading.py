"""JSON of which nothing is known, read with a message for everything that does not fit."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ...text.errors import Mistake
from ...text.syntax import Place

MOST_ENTRIES = 5_000
"""The most entries of a list."""


class Reader:
    """Values of JSON, checked as they are taken.

    ``at``: where the link stands, for messages; ``size``: how many rows and columns the puzzle has.
    """

    def __init__(self, at: Place, size: int = 0) -> None:
        self.at, self.size = at, size

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Say what is wrong with the puzzle of the link."""
        raise Mistake(message, self.at, hint)

    def entries(self, value: Any, name: str) -> list[Any]:
        """A list; empty if there is null."""
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(f"{name} is not a list")
        if len(value) > MOST_ENTRIES:
            self.fail(f"{name} has more than {MOST_ENTRIES:,} entries")
        return value

    def objects(self, value: Any, name: str) -> list[dict[str, Any]]:
        """A list of objects."""
        found = self.entries(value, name)
        if not all(isinstance(one, dict) for one in found):
            self.fail(
                f"{name} has {self._shown(next(o for o in found if not isinstance(o, dict)))}, which is no object"
            )
        return found

    def words(self, value: Any, name: str) -> list[str]:
        """A list of texts."""
        found = self.entries(value, name)
        if wrong := [entry for entry in found if not isinstance(entry, str)]:
            self.fail(f"{name} has {self._shown(wrong[0])} where a text should be")
        return found

    def place(self, value: Any, name: str, around: int = 0) -> tuple[int, int]:
        """A cell such as ``R3C4``, or a place so far around the board."""
        found = re.fullmatch("[rR]([0-9]{1,3})[cC]([0-9]{1,3})", value) if isinstance(value, str) else None
        if not found or not all(1 - around <= int(found[i]) <= self.size + around for i in (1, 2)):
            kind = "a place beside the board" if around else "a cell such as R1C1"
            self.fail(f"{name} has {self._shown(value)} where {kind} should be")
        return int(found[1]), int(found[2])

    def cells(self, value: Any, name: str, around: int = 0) -> list[tuple[int, int]]:
        """A list of cells, or of places so far around the board."""
        return [self.place(one, name, around) for one in self.entries(value, name)]

    def number(self, value: Any, name: str, low: int = 0, high: int = 10**6) -> int | None:
        """A number, perhaps in quotes; None where there is none."""
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        text = str(value).strip()
        if isinstance(value, bool) or not re.fullmatch("[0-9]{1,7}", text) or not low <= int(text) <= high:
            self.fail(f"{name} has {self._shown(value)} where a number in {low}..{high} should be")
        return int(text)

    def _shown(self, value: Any) -> str:
        text = json.dumps(value)
        return text if len(text) <= 40 else f"{text[:40]}..."
