"""Techniques with almost locked sets (ALS): pairs, wings, chains and loops.

An *almost locked set* is a set of n variables of a group that have n + 1 values in all. If none of the variables has
one of these values, they have all the others. So of any two of the values, at least one occurs in the set.

A *restricted common candidate* of two sets is a value that only one of them can have, because all its places in one set
see all its places in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from ....base.frozen import Frozen
from ....base.notation import listed, quoted
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Deduction, Link, Outline, View
from ..inference import InferenceGraph, StrongLink, conjugate_pairs, excluding_constraints, grouped_links
from .chains import discontinuous_loops

MAX_LINKS, MAX_SIZE = 6, 5
"""Maximum number of strong links in a chain with almost locked sets, and of variables in such a set.

Longer chains and larger sets are not searched.
"""


class AlmostLockedSet(Frozen):
    """An almost locked set: n variables of a group with n + 1 values.

    Attributes
    ----------
    mask : int
        The candidates of its variables.
    number : int
        The constraint by which the variables differ.
    parts : mapping from value to int
        For every value its candidates in the set.
    seen : mapping from value to int
        For every value the live candidates outside the set that all candidates of this value exclude.
    """

    mask: int
    number: int
    parts: dict[Value, int]
    seen: dict[Value, int]


def almost_locked_sets(view: View) -> list[AlmostLockedSet]:
    """Return the view's almost locked sets of at most ``MAX_SIZE`` variables, smallest first.

    A set that belongs to several groups occurs once.
    """
    return view.compute_once("almost locked sets", lambda: _find_sets(view))


def _find_sets(view: View) -> list[AlmostLockedSet]:
    """Compute the view's almost locked sets of at most ``MAX_SIZE`` variables, smallest first."""
    board = view.board
    by_mask: dict[int, AlmostLockedSet] = {}
    for index, group in enumerate(board.groups):
        for size in range(1, MAX_SIZE + 1):
            for variables, union in _choices_with_one_more(view.value_masks(index), size):
                mask = sum([view.cells[variable] for variable in variables])
                if mask not in by_mask:
                    parts = {group.places[place].subject: group.places[place].mask & mask for place in bits(union)}
                    seen = {value: board.seen_by_all(part) & view.live & ~mask for value, part in parts.items()}
                    by_mask[mask] = AlmostLockedSet(mask, group.number, parts, seen)
    return sorted(by_mask.values(), key=lambda als: len(als.parts))


def _choices_with_one_more(masks: list[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the choices of ``size`` masks whose union has one bit more than ``size``.

    Yields the keys of the chosen masks, and their union.
    """

    def extend(start: int, keys: tuple[int, ...], union: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(keys) == size:
            if union.bit_count() == size + 1:
                yield keys, union
            return
        for i in range(start, len(masks)):
            key, mask = masks[i]
            if (union | mask).bit_count() <= size + 1:
                yield from extend(i + 1, (*keys, key), union | mask)

    return extend(0, (), 0)


def _strong_links(view: View) -> Iterator[StrongLink]:
    """Yield a strong link for each two values of an almost locked set: one occurs."""
    for als in almost_locked_sets(view):
        if als.mask.bit_count() == 2 and len(als.parts) == 2:
            continue  # a bivalue variable is a conjugate pair already
        for first, second in combinations(als.parts.values(), 2):
            yield StrongLink(first, second, None, als.mask, als.number)


class RestrictedCommon(Frozen):
    """A value that at most one of two almost locked sets can have.

    ``partner`` is the index of the second set; ``value`` is the value that only one of the two can have.
    """

    partner: int
    value: Value


def _restricted_commons(view: View) -> list[list[RestrictedCommon]]:
    """Return for every almost locked set its ``RestrictedCommon`` values with the other sets."""
    # All parts of sets, by value and lowest candidate: a part is seen only if its lowest candidate is.
    by_lowest_bit: dict[tuple[Value, int], list[tuple[int, int]]] = {}
    sets = almost_locked_sets(view)
    for i, als in enumerate(sets):
        for value, part in als.parts.items():
            by_lowest_bit.setdefault((value, (part & -part).bit_length() - 1), []).append((i, part))
    lowest_bits: dict[Value, int] = {}
    for value, bit in by_lowest_bit:
        lowest_bits[value] = lowest_bits.get(value, 0) | 1 << bit
    return [
        [
            RestrictedCommon(j, value)
            for value, seen in als.seen.items()
            for bit in bits(seen & lowest_bits[value])
            for j, part in by_lowest_bit[value, bit]
            if not part & ~seen
        ]
        for als in sets
    ]


def als_xz(view: View) -> Iterator[Deduction]:
    """Find two almost locked sets, linked by a value that only one can have.

    With one such candidate x, every other common value z is in one of the sets. Removes z where both sets see it. With
    two, the sets form a continuous loop. Removes each value where all its places in the loop see it.
    """
    sets = almost_locked_sets(view)
    for i, commons in enumerate(view.compute_once("restricted commons", lambda: _restricted_commons(view))):
        values_of: dict[int, list[Value]] = {}
        for common in commons:
            if common.partner > i:
                values_of.setdefault(common.partner, []).append(common.value)
        for j, restricted in values_of.items():
            if removed := _removed_by_two(sets[i], sets[j], restricted):
                yield _sets_deduction(view, [sets[i], sets[j]], restricted[:2], removed)


def als_wing(view: View, size: int, largest: tuple[int, ...]) -> Iterator[Deduction]:
    """Find the pairs of ``als_xz`` in which one set is a bivalue variable.

    The sets have ``size`` variables in all. The maximum number of candidates of a variable in the larger set is one of
    ``largest``. With four variables, this is a WXYZ-wing.
    """
    for deduction in view.compute_once("ALS-XZ", lambda: list(als_xz(view))):
        sizes = [
            [view.cells[variable].bit_count() for variable in view.board.variables_of(outline.mask)]
            for outline in deduction.sets
        ]
        small, large = sorted(sizes, key=len)
        if len(small) == 1 and len(large) == size - 1 and max(large) in largest:
            yield deduction


def _removed_by_two(first: AlmostLockedSet, second: AlmostLockedSet, restricted: list[Value]) -> int:
    """Return the candidates that two linked almost locked sets exclude."""
    removed = 0
    if len(restricted) == 1:
        # One restricted value: every other common value is in one of the sets.
        for value, seen in first.seen.items():
            if value not in restricted and value in second.seen:
                removed |= seen & second.seen[value]
    else:
        # Two restricted values: each set has exactly one of them, and so all its other values.
        for als in (first, second):
            for value, seen in als.seen.items():
                if value not in restricted[:2]:
                    removed |= seen
        for value in restricted[:2]:
            removed |= first.seen[value] & second.seen[value]
    return removed & ~first.mask & ~second.mask


def als_xy_wing(view: View) -> Iterator[Deduction]:
    """Find two almost locked sets, each linked by a value to a third one.

    The middle set has a restricted common candidate x with the first set, and y with the second. It lacks at most one
    of x and y. So the first set lacks x or the second lacks y, and that set has all its other values. Removes a common
    value z of the first and the second set where both see it.
    """
    sets = almost_locked_sets(view)
    for middle, commons in enumerate(view.compute_once("restricted commons", lambda: _restricted_commons(view))):
        for x, y in combinations(commons, 2):
            if x.value == y.value:
                continue
            first, second = sets[x.partner], sets[y.partner]
            removed = 0
            for value, seen in first.seen.items():
                if value != x.value and value != y.value and value in second.seen:
                    removed |= seen & second.seen[value]
            removed &= ~sets[middle].mask
            if removed:
                yield _sets_deduction(view, [first, sets[middle], second], [x.value, y.value], removed)


def _graph_of_sets(view: View) -> InferenceGraph:
    """Return the view's inference graph over almost locked sets and two-valued cells."""
    return view.compute_once(
        "graph of sets",
        lambda: InferenceGraph(view, [*conjugate_pairs(view, places=False), *_strong_links(view)], MAX_LINKS),
    )


def als_chain(view: View) -> Iterator[Deduction]:
    """Find a chain through almost locked sets whose two ends have the same value.

    Neighbours in the chain have a restricted common candidate. The ends of the chain have the same value. Removes this
    value where both ends see it.
    """
    graph, board = _graph_of_sets(view), view.board
    for chain, removed in graph.chains(3):
        values = [board.candidates[node.bit_length() - 1][1] for node in (chain.nodes[0], chain.nodes[-1])]
        if values[0] == values[1]:
            yield graph.deduction(chain, removed)


def _full_graph(view: View) -> InferenceGraph:
    """Return the inference graph of conjugate pairs, grouped links and almost locked sets."""
    return view.compute_once(
        "graph of all links",
        lambda: InferenceGraph(view, [*conjugate_pairs(view), *grouped_links(view), *_strong_links(view)], MAX_LINKS),
    )


def chain_with_sets(view: View) -> Iterator[Deduction]:
    """Find a chain of alternating links that may pass through almost locked sets.

    Removes the candidates that both ends exclude.
    """
    graph = _full_graph(view)
    for chain, removed in graph.chains():
        yield graph.deduction(chain, removed)


def continuous_loop_with_sets(view: View) -> Iterator[Deduction]:
    """Find a closed chain of alternating links that may pass through almost locked sets.

    Removes the candidates that both nodes of a weak link exclude.
    """
    graph = _full_graph(view)
    for chain, removed in graph.loops():
        yield graph.deduction(chain, removed, is_loop=True)


def discontinuous_loop_with_sets(view: View) -> Iterator[Deduction]:
    """Find a chain back to its first candidate, possibly through almost locked sets.

    Removes the same candidates as ``chains.discontinuous_loop``.
    """
    yield from discontinuous_loops(_full_graph(view))


def _sets_deduction(view: View, sets: list[AlmostLockedSet], restricted: list[Value], removed: int) -> Deduction:
    """Convert two or three linked almost locked sets into a deduction.

    ``restricted`` has the restricted values of two sets, or of each pair of neighbours of three.
    """
    board = view.board
    pattern = 0
    for als in sets:
        pattern |= als.mask
    names = [f"{board.cells(als.mask)} have {listed(als.parts)} except one" for als in sets]
    words = [quoted(value) for value in restricted]
    if len(sets) == 3:
        between = f"the first two cannot both have {words[0]}, nor the last two {words[1]}"
    else:
        between = f"both cannot have {' nor '.join(words)}"
    numbers = tuple(dict.fromkeys([als.number for als in sets]))
    # A weak link for each restricted value joins its places in the two sets.
    pairs = [*pairwise(sets)] if len(sets) == 3 else [(sets[0], sets[1])] * len(restricted)
    links = []
    for (als, next_als), value in zip(pairs, restricted, strict=True):
        by = excluding_constraints(board, als.parts[value], next_als.parts[value])
        links.append(Link(als.parts[value], next_als.parts[value], False, by[0] if by else None))
    return Deduction(
        f"{'; '.join(names)}; {between}", removed=removed, pattern=pattern, constraints=numbers,
        nodes={node: False for link in links for node in link[:2]}, links=tuple(links),
        sets=tuple([Outline("set", als.mask, board.constraints[als.number].place) for als in sets]),
    )  # fmt: skip
