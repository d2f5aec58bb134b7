"""What a program keeps to be faster, counted in bytes and emptied when it is too much."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

SMALL = 4_000
"""So many bytes are kept at once."""

LARGE = 64_000
"""For every so many bytes something must have been wanted once more."""


class Memory:
    """Gives out dictionaries whose contents are counted together; a program has one, and it dies with it.

    Parameters
    ----------
    most : int
        How many bytes may be kept.

    Examples
    --------
    >>> memory = Memory(100)
    >>> some = memory.shelf()
    >>> for key in "abc":
    ...     memory.take(40)
    ...     some[key] = "what has 40 bytes"
    >>> sorted(some)
    ['c']
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.used = 0
        self._shelves: list[dict[Any, Any]] = []
        self._wanted: dict[Hashable, int] = {}

    def shelf(self) -> dict[Any, Any]:
        """A dictionary that may be emptied whenever something is added to any of them."""
        self._shelves.append({})
        return self._shelves[-1]

    def is_worth(self, key: Hashable, size: int) -> bool:
        """Whether to keep something of a size: what is large when it is wanted again and again, as most never is."""
        wanted = self._wanted[key] = self._wanted.get(key, 0) + 1
        return size <= SMALL or wanted > 1 + size // LARGE

    def take(self, size: int) -> None:
        """Make room for so many bytes, which are about to be kept."""
        self.used += size
        if self.used > self.most:
            for shelf in self._shelves:
                shelf.clear()
            self.used = size
