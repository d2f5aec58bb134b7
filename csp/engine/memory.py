"""What a program keeps to be faster, counted in bytes and emptied when it is too much."""

from __future__ import annotations

from typing import Any


class Memory:
    """Gives out dictionaries whose contents are counted together; a program has one, and it dies with it.

    ``most``: how many bytes may be kept.

    Attributes
    ----------
    steps : int
        What the filters that share it have looked at so far, besides the domains that they were called with.

    Examples
    --------
    >>> memory = Memory(100)
    >>> some = memory.cache()
    >>> for key in "abc":
    ...     memory.take(40)
    ...     some[key] = "what has 40 bytes"
    >>> sorted(some)
    ['c']
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.used = 0
        self.steps = 0
        self._caches: list[dict[Any, Any]] = []

    def cache(self) -> dict[Any, Any]:
        """A dictionary that may be emptied whenever something is added to any of them."""
        self._caches.append({})
        return self._caches[-1]

    def take(self, size: int) -> None:
        """Make room for this many bytes, which are about to be kept."""
        self.used += size
        if self.used > self.most:
            for cache in self._caches:
                cache.clear()
            self.used = size
