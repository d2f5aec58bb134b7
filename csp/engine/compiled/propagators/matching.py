"""Maximum matchings of elements with values, and the Hall sets that follow from a matching."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from ....model import Value

TightSet = tuple[tuple[int, ...], frozenset[Value]]
"""A Hall set: the indices of some elements, and the values that they use up together."""


def tight_sets(images: Sequence[Sequence[Value]]) -> list[TightSet]:
    """Return the Hall sets of elements that must differ, each with its values.

    A Hall set uses up all values of its members. The elements are matched with values. An arc leads from an element to
    each element whose value it could have instead of its own. If an element could have an unmatched value, an arc leads
    to a spare vertex, and from the spare vertex to all elements. An element can have a value in some matching if and
    only if it is on a cycle with the element that has the value. So every strongly connected component without the
    spare vertex is a Hall set (Régin).

    Parameters
    ----------
    images : sequence of sequences of values
        The values of each element.

    Returns
    -------
    list of (tuple of int, frozenset of values)
        The sets share no elements and no values. A set whose members have values of other sets may be listed before
        those. Without a matching of all elements the list has one set, with more elements than values.

    Notes
    -----
    With n elements and m pairs of element and value: O(m * n), and n * n operations on sets of n bits.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.
    .. [3] A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 10, 1958
       (the sets do not depend on the matching).

    Examples
    --------
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (2, 3, 4)])]
    [((0, 1), [1, 2])]
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (1, 2)])]
    [((0, 1, 2), [1, 2])]
    """
    return matched_sets(images)[1]


def matched_sets(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[TightSet]]:
    """Find a maximum matching of elements with values; return the matching and its Hall sets.

    ``images``: the values of each element. The matching maps an element to its value, and is the same for the same
    images. The Hall sets are the result of ``tight_sets``.

    Examples
    --------
    >>> matched_sets([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((0,), frozenset({2})), ((1,), frozenset({1}))])
    """
    count = len(images)
    value_of: dict[int, Value] = {}
    element_of: dict[Value, int] = {}
    # Step 1: a maximum matching, by augmenting paths.
    unmatched = [i for i in range(count) if _match(i, images, value_of, element_of)]
    element_bit = [1 << i for i in range(count)]
    # Step 2: the elements that each one reaches. An unmatched value is the spare vertex, which reaches all.
    spare = 1 << count
    reached = [
        reduce(or_, [element_bit[element_of[value]] if value in element_of else spare for value in image], bit)
        for bit, image in zip(element_bit, images, strict=True)
    ]
    # Transitive closure, one vertex at a time.
    for bit, i in zip(element_bit, range(count), strict=True):
        new_reach = reached[i]
        reached = [reach | new_reach if reach & bit else reach for reach in reached]
    # Step 3: without a full matching, the elements that an unmatched one reaches have too few values.
    if unmatched:
        deficient = reduce(or_, [reached[i] for i in unmatched])
        members = tuple([i for i in range(count) if deficient & element_bit[i]])
        return value_of, [(members, frozenset([value for i in members for value in images[i]]))]
    # Step 4: elements that reach the same set are a strongly connected component.
    components: dict[int, list[int]] = {}
    for i, reach in enumerate(reached):
        if not reach & spare:
            components.setdefault(reach, []).append(i)
    return value_of, [(tuple(members), frozenset([value_of[i] for i in members])) for members in components.values()]


def _match(
    start: int, images: Sequence[Sequence[Value]], value_of: dict[int, Value], element_of: dict[Value, int]
) -> bool:
    """Extend a matching by one element along an augmenting path; return False on success."""
    reached_from: dict[Value, int] = {}
    queue = [start]
    for i in queue:
        for value in images[i]:
            if value in reached_from:
                continue
            reached_from[value] = i
            if value in element_of:
                queue.append(element_of[value])
                continue
            while True:
                i = reached_from[value]
                previous = value_of.get(i)
                value_of[i], element_of[value] = value, i
                if previous is None:
                    return False
                value = previous
    return True
