"""Turbot fish techniques: skyscrapers, kites, empty rectangles and their relatives.

All are chains of two strong links of one value, joined by a weak link. The *far ends* are the two nodes that the weak
link does not join. Groups are parallel if they share no variable, and cross if they share one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ....base.frozen import Frozen
from ....engine.compiled.propagators.base import bits
from ..board import Board, Deduction, View
from ..inference import Chain, InferenceGraph, StrongLink, conjugate_pairs, grouped_links


class TurbotFish(Frozen):
    """A chain of two strong links of one value, joined by a weak link.

    Attributes
    ----------
    kind : {"skyscraper", "kite", "turbot", "rectangle"}
    chain : Chain
        Its four nodes: far end, near end, near end, far end. The weak link joins the near ends.
    links : tuple of StrongLink
    removed : int
        The candidates that both far ends exclude.
    """

    kind: str
    chain: Chain
    links: tuple[StrongLink, StrongLink]
    removed: int


def skyscraper(view: View) -> Iterator[Deduction]:
    """Find two parallel groups with two places each for a value, joined by a third.

    Removes the value where both far ends see it.
    """
    yield from _turbot_deductions(view, "skyscraper")


def two_string_kite(view: View) -> Iterator[Deduction]:
    """Find two crossing groups with two places each for a value, joined by a box.

    Removes the value where both far ends see it. Two groups cross if they share one variable; a box shares several
    variables with each.
    """
    yield from _turbot_deductions(view, "kite")


def turbot_fish(view: View) -> Iterator[Deduction]:
    """Find two linked groups with two places each for a value, not skyscrapers or kites.

    Removes the value where both far ends see it.
    """
    yield from _turbot_deductions(view, "turbot")


def empty_rectangle(view: View) -> Iterator[Deduction]:
    """Find a box whose candidates of a value lie in two crossing groups (empty rectangle).

    All places of the value in the box lie in two groups. One end of the pair sees all places in the first group.
    Removes the value where the other end of the pair and all places in the second group see it.
    """
    for fish in _empty_rectangles(view):
        yield _graph(view).deduction(fish.chain, fish.removed)


def dual_two_string_kite(view: View) -> Iterator[Deduction]:
    """Find two two-string kites that a box joins at the same variables.

    The kites may have different values. Removes all candidates that one of them removes.
    """
    kites = [fish for fish in _turbot_fish(view) if fish.kind == "kite"]
    yield from _dual_deductions(
        view, kites, lambda fish: frozenset(view.board.variables_of(fish.chain.nodes[1] | fish.chain.nodes[2]))
    )


def dual_empty_rectangle(view: View) -> Iterator[Deduction]:
    """Find two empty rectangles that use the same places of a box.

    Removes all candidates that one of them removes.
    """
    yield from _dual_deductions(view, _empty_rectangles(view), lambda fish: frozenset(fish.chain.nodes[:2]))


def _dual_deductions(
    view: View, patterns: list[TurbotFish], key: Callable[[TurbotFish], frozenset[int]]
) -> Iterator[Deduction]:
    """Yield one joint deduction for each two patterns with equal keys and different removals."""
    by_key: dict[frozenset[int], list[TurbotFish]] = {}
    for fish in patterns:
        by_key.setdefault(key(fish), []).append(fish)
    for fish, second_fish in (pair for group in by_key.values() for pair in combinations(group, 2)):
        if fish.removed != second_fish.removed:
            graph = _graph(view)
            first, second = (
                graph.deduction(fish.chain, fish.removed),
                graph.deduction(second_fish.chain, second_fish.removed),
            )
            yield Deduction(
                f"{first.text}; and {second.text}",
                removed=fish.removed | second_fish.removed,
                pattern=first.pattern | second.pattern,
                constraints=tuple(dict.fromkeys(first.constraints + second.constraints)),
                nodes={**first.nodes, **second.nodes},
                links=tuple(dict.fromkeys(first.links + second.links)),
            )


def _graph(view: View) -> InferenceGraph:
    """Return the inference graph of conjugate pairs, grouped links and box links."""
    return view.compute_once(
        "turbot graph",
        lambda: InferenceGraph(view, [*conjugate_pairs(view, variables=False), *grouped_links(view), *box_links(view)]),
    )


def _turbot_deductions(view: View, kind: str) -> Iterator[Deduction]:
    """Yield the deductions of all turbot fish whose ``TurbotFish.kind`` is ``kind``."""
    for fish in _turbot_fish(view):
        if fish.kind == kind:
            yield _graph(view).deduction(fish.chain, fish.removed)


def _turbot_fish(view: View) -> list[TurbotFish]:
    return view.compute_once("turbot fish", lambda: list(_join_conjugate_pairs(view)))


def _join_conjugate_pairs(view: View) -> Iterator[TurbotFish]:
    """Yield a ``TurbotFish`` for each two conjugate pairs of a value, joined at one end.

    The joined ends exclude each other. Their opposite ends must exclude a common candidate.
    """
    board = view.board
    # For every end of a conjugate pair: the pair, this end, and the opposite end.
    links = list(conjugate_pairs(view, variables=False))
    links_at: dict[int, list[tuple[StrongLink, int, int]]] = {}
    for link in links:
        links_at.setdefault(link.start, []).append((link, link.start, link.end))
        links_at.setdefault(link.end, []).append((link, link.end, link.start))
    ends = sum(links_at)
    for near, near_links in links_at.items():
        # Near ends that see each other, each pair of ends once.
        seen = board.sees[near.bit_length() - 1] & ends
        for bit in bits(seen >> near.bit_length() << near.bit_length()):
            for first, _, far in near_links:
                for second, second_near, second_far in links_at[1 << bit]:
                    if first.cover == second.cover or far == second_near or not _have_same_value(view, first, second):
                        continue
                    removed = board.sees[far.bit_length() - 1] & board.sees[second_far.bit_length() - 1] & view.live
                    if not removed:
                        continue
                    chain = Chain((far, near, second_near, second_far))
                    yield TurbotFish(_kind(view, first, second, near | second_near), chain, (first, second), removed)


def _have_same_value(view: View, first: StrongLink, second: StrongLink) -> bool:
    """Return whether two conjugate pairs are about the same value."""
    assert first.cover is not None and second.cover is not None
    return view.board.covers[first.cover].subject == view.board.covers[second.cover].subject


def _kind(view: View, first: StrongLink, second: StrongLink, near_ends: int) -> str:
    """Return the kind of a turbot fish: ``skyscraper``, ``kite`` or ``turbot``.

    It depends on how many candidates the groups of its links, and a group that joins them, have in common.
    """
    covers = view.board.covers
    assert first.cover is not None and second.cover is not None
    first_mask, second_mask = covers[first.cover].mask, covers[second.cover].mask
    low = (near_ends & -near_ends).bit_length() - 1
    joining_masks = [covers[i].mask for i in view.board.covers_of[low] if not near_ends & ~covers[i].mask]
    common = (first_mask & second_mask).bit_count()
    for mask in joining_masks:
        shared = (mask & first_mask).bit_count(), (mask & second_mask).bit_count()
        if not common and shared == (1, 1):
            return "skyscraper"
        if common == 1 and min(shared) > 1:
            return "kite"
    return "turbot"


def box_links(view: View) -> Iterator[StrongLink]:
    """Yield strong links in boxes whose places of a value lie in two groups.

    The places in the one and in the other group are the two nodes of a strong link.

    The two groups share several variables with the box; they may share one of the places.
    """
    for index, masks_at in view.board.compute_once("box intersections", _box_intersections).items():
        live = view.covers[index]
        if live.bit_count() < 2 or live & view.placed:
            continue
        parts = dict.fromkeys([live & mask for bit in bits(live) for mask in masks_at[bit]])
        for first, second in combinations([part for part in parts if part != live], 2):
            if first | second == live:
                yield StrongLink(first, second, index)


def _box_intersections(board: Board) -> dict[int, dict[int, list[int]]]:
    """Return for each place of each box the places that crossing groups share with it.

    A box is an exactly-one set of a group, by index. A crossing group shares two or more places with it.
    """
    return {
        index: {
            bit: [
                mask
                for i in board.covers_of[bit]
                if i != index
                and board.covers[i].group is not None
                and (mask := board.covers[i].mask & box.mask).bit_count() > 1
            ]
            for bit in bits(box.mask)
        }
        for index, box in enumerate(board.covers)
        if box.group is not None and box.is_exactly_one
    }


def _empty_rectangles(view: View) -> list[TurbotFish]:
    return view.compute_once("empty rectangles", lambda: list(_join_box_links(view)))


def _join_box_links(view: View) -> Iterator[TurbotFish]:
    """Yield a ``TurbotFish`` for each empty rectangle: a box link and a conjugate pair.

    A box link is a strong link of ``box_links``. One end of the pair sees all places of one of its nodes.
    """
    board = view.board
    # For every end of a conjugate pair: the pair, and the opposite end.
    pairs_at: dict[int, list[tuple[StrongLink, int]]] = {}
    for link in conjugate_pairs(view, variables=False):
        pairs_at.setdefault(link.start.bit_length() - 1, []).append((link, link.end))
        pairs_at.setdefault(link.end.bit_length() - 1, []).append((link, link.start))
    ends = sum([1 << bit for bit in pairs_at])
    for link in box_links(view):
        for near_side, far_side in ((link.start, link.end), (link.end, link.start)):
            seen, seen_by_far = board.seen_by_all(near_side) & ends, board.seen_by_all(far_side) & view.live
            for near in bits(seen):
                for pair, far in pairs_at[near]:
                    if pair.cover == link.cover or (1 << near | far) & (near_side | far_side):
                        continue
                    if removed := seen_by_far & board.sees[far.bit_length() - 1] & ~(1 << near):
                        yield TurbotFish(
                            "rectangle", Chain((far_side, near_side, 1 << near, far)), (link, pair), removed
                        )
