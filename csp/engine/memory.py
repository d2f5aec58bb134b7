"""A common memory limit for all caches of a compiled model."""

from __future__ import annotations

from typing import Any


class Memory:
    """A set of caches that are emptied together above a limit of bytes.

    Parameters
    ----------
    max_bytes : int
        Above this many bytes all caches are emptied.

    Attributes
    ----------
    used : int
        Bytes in the caches, as their users have announced them.

    Examples
    --------
    >>> memory = Memory(100)
    >>> names = memory.cache()
    >>> for key in "abc":
    ...     memory.take(40)
    ...     names[key] = "a value of 40 bytes"
    >>> sorted(names)
    ['c']
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.used = 0
        self._caches: list[dict[Any, Any]] = []

    def cache(self) -> dict[Any, Any]:
        """Return a new cache: a dictionary that any call of ``take`` may empty."""
        self._caches.append({})
        return self._caches[-1]

    def take(self, size: int) -> None:
        """Count the bytes of a new cache entry; empty all caches beyond the limit."""
        self.used += size
        if self.used > self.max_bytes:
            for cache in self._caches:
                cache.clear()
            self.used = size
