"""Independent parts: the connected components of a network of scopes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def independent(scopes: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """The numbers below a count, split where no scope connects them.

    Returns in order of their first members. O(size of the scopes), nearly.

    References
    ----------
    .. [1] R. E. Tarjan, "Efficiency of a good but not linear set union algorithm", 1975.

    Examples
    --------
    >>> independent([(0, 2), (3, 4)], 5)
    [[0, 2], [1], [3, 4]]
    """
    parent = list(range(count))

    def root(member: int) -> int:
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    for scope in scopes:
        for one, other in pairwise(scope):
            parent[root(one)] = root(other)
    parts: dict[int, list[int]] = {}
    for member in range(count):
        parts.setdefault(root(member), []).append(member)
    return list(parts.values())
