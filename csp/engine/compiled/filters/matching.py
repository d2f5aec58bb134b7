"""Which expressions have no value to spare: the matching behind ``all_different``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....model import Value

Tight = tuple[tuple[int, ...], frozenset[Value]]
"""The positions of some expressions, and the values that they use up."""


def tight_sets(images: Sequence[Sequence[Value]]) -> list[Tight]:
    """The sets of expressions that use up values between them, which no other expression can take.

    The expressions are matched with values. An arc leads from an expression to each one whose value it could take
    instead of its own, and to ``SPARE`` if it could take a value that nobody has; from there, an arc leads to all.
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
    With n expressions and m pairs of expression and value, O(m * sqrt(n)).

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    .. [2] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM Journal
       on Computing 2, 1973.
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


def matched_sets(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[Tight]]:
    """A matching of as many expressions as can be, with values of their own, and the tight sets that it shows.

    ``images``: as for ``tight_sets``. Returns the value of each expression that is matched, the same for the same
    images; and what ``tight_sets`` gives.

    Examples
    --------
    >>> matched_sets([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((1,), frozenset({1})), ((0,), frozenset({2}))])
    """
    import networkx as nx  # takes longer to import than most puzzles take to solve

    count = len(images)
    everyone = range(count)
    number = {value: i for i, value in enumerate(dict.fromkeys(value for own in images for value in own), count)}
    pairs = nx.Graph()
    pairs.add_nodes_from(everyone)
    pairs.add_edges_from((i, number[value]) for i, own in enumerate(images) for value in own)
    with _deep_recursion(len(pairs)):
        partner = nx.bipartite.hopcroft_karp_matching(pairs, everyone)
    arcs = nx.DiGraph()
    arcs.add_nodes_from(everyone)
    arcs.add_edges_from((i, partner.get(number[value], SPARE)) for i, own in enumerate(images) for value in own)
    values = list(number)
    taken = {i: values[partner[i] - count] for i in everyone if i in partner}
    unmatched = [i for i in everyone if i not in partner]
    if unmatched:
        members = set(unmatched).union(*(nx.descendants(arcs, i) for i in unmatched))
        return taken, [(tuple(sorted(members)), frozenset(value for i in members for value in images[i]))]
    if SPARE in arcs:
        arcs.add_edges_from((SPARE, i) for i in everyone)
    return taken, [
        (tuple(sorted(members)), frozenset(taken[i] for i in members))
        for members in nx.strongly_connected_components(arcs)
        if SPARE not in members
    ]


SPARE = -1


@contextmanager
def _deep_recursion(depth: int) -> Iterator[None]:
    """Let networkx follow a path through the whole graph, which it does by recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 2 * depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
