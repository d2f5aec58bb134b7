"""Which expressions have no value to spare: the matching behind ``all_different``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from ....model import Value

TightSet = tuple[tuple[int, ...], frozenset[Value]]
"""The positions of some expressions, and the values that they use up."""


def tight_sets(images: Sequence[Sequence[Value]]) -> list[TightSet]:
    """The sets of expressions that use up values between them, which no other expression can take.

    The expressions are matched with values. An arc leads from an expression to each one whose value it could take
    instead of its own, and to a spare place if it could take a value that nobody has; from there, an arc leads to all.
    Then an expression can take a value in some matching if and only if it lies on a cycle with the one that has it.
    So every strongly connected component is a set of expressions that keeps its values to itself.

    Parameters
    ----------
    images : sequence of sequences of values
        The values of each expression.

    Returns
    -------
    list of (tuple of int, frozenset of values)
        No two sets share an expression or a value. One that lacks some of its values, because others use those up,
        comes somewhere in the list with them. If there is no matching, there is one set alone, of more expressions
        than values.

    Notes
    -----
    With n expressions and m pairs of expression and value, O(m * n), and n * n operations on sets of n bits.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.
    .. [3] A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 10, 1958
       (the sets are the same whichever matching is found).

    Examples
    --------
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (2, 3, 4)])]
    [((0, 1), [1, 2])]
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (1, 2)])]
    [((0, 1, 2), [1, 2])]
    """
    return matched_sets(images)[1]


def matched_sets(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[TightSet]]:
    """A matching of as many expressions as can be, with values of their own, and the tight sets that it shows.

    ``images``: as for ``tight_sets``. Returns the value of each expression that is matched, the same for the same
    images; and what ``tight_sets`` gives.

    Examples
    --------
    >>> matched_sets([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((0,), frozenset({2})), ((1,), frozenset({1}))])
    """
    count = len(images)
    taken: dict[int, Value] = {}
    owner: dict[Value, int] = {}
    unmatched = [i for i in range(count) if _match(i, images, taken, owner)]
    own = [1 << i for i in range(count)]
    spare = 1 << count  # whoever could take a value that nobody has is on a cycle with all that could
    reached = [
        reduce(or_, [own[owner[value]] if value in owner else spare for value in image], bit)
        for bit, image in zip(own, images, strict=True)
    ]
    for bit, i in zip(own, range(count), strict=True):
        more = reached[i]
        reached = [some | more if some & bit else some for some in reached]
    if unmatched:
        lacking = reduce(or_, [reached[i] for i in unmatched])
        members = tuple([i for i in range(count) if lacking & own[i]])
        return taken, [(members, frozenset([value for i in members for value in images[i]]))]
    cycles: dict[int, list[int]] = {}
    for i, some in enumerate(reached):
        if not some & spare:
            cycles.setdefault(some, []).append(i)
    return taken, [(tuple(members), frozenset([taken[i] for i in members])) for members in cycles.values()]


def _match(start: int, images: Sequence[Sequence[Value]], taken: dict[int, Value], owner: dict[Value, int]) -> bool:
    """Give one more expression a value, along a shortest path of others that change theirs; whether there is none."""
    by: dict[Value, int] = {}
    ahead = [start]
    for i in ahead:
        for value in images[i]:
            if value in by:
                continue
            by[value] = i
            if value in owner:
                ahead.append(owner[value])
                continue
            while True:
                i = by[value]
                before = taken.get(i)
                taken[i], owner[value] = value, i
                if before is None:
                    return False
                value = before
    return True
