"""Independent parts of a model: connected components of variables that share constraints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def independent(scopes: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """Return the connected components of the numbers below ``count``; a scope joins its numbers.

    Returns the parts in the order of their first members. The time is nearly linear in the size of the scopes.

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
        # Halve the path on the way to the root.
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    # Join the parts of successive members of every scope.
    for scope in scopes:
        for member, next_member in pairwise(scope):
            parent[root(member)] = root(next_member)
    # Collect the members of each root; a dictionary keeps the order of the first members.
    parts: dict[int, list[int]] = {}
    for member in range(count):
        parts.setdefault(root(member), []).append(member)
    return list(parts.values())
