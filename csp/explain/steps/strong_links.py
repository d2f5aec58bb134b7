"""Find strong links: conjugate pairs, and links between groups of candidates.

A node is a set of candidates, given as a mask. It holds if one of its candidates does. A strong link joins two nodes
and says that at least one holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...engine.compiled.propagators.base import bits
from .board import Board
from .view import View


class StrongLink(NamedTuple):
    """A strong link between two nodes: if one does not hold, the other does.

    Attributes
    ----------
    start, end : int
        The nodes, as masks.
    cover : int or None
        The index of the exactly-one set that has no candidates beside the two nodes; None for a set of variables.
    within : int
        Without ``cover``, the candidates of the almost locked set that the nodes belong to.
    number : int
        Without ``cover``, the constraint of the almost locked set.
    """

    start: int
    end: int
    cover: int | None
    within: int = 0
    number: int = 0


def conjugate_pairs(view: View, variables: bool = True, places: bool = True) -> Iterator[StrongLink]:
    """Find the strong links of exactly-one sets with two live candidates.

    These are the bivalue variables, and the values with two places in a group.
    """
    for index, cover in enumerate(view.board.covers):
        candidates = view.covers[index]
        if cover.is_exactly_one and candidates.bit_count() == 2 and (variables if cover.group is None else places):
            low = candidates & -candidates
            yield StrongLink(low, candidates ^ low, index)


def grouped_links(view: View) -> Iterator[StrongLink]:
    """Find strong links between nodes of several candidates.

    A grouped node is several places of a value in a group that lie in a second cover set. The two nodes of a link
    contain all places of the value in the group. One of them may be a single place, and the two may share a place.
    """
    board = view.board
    intersections = board.compute_once("intersections", _intersections)
    for index, masks in intersections.items():
        candidates = view.covers[index]
        if candidates.bit_count() < 3 or candidates & view.placed:
            continue
        parts = dict.fromkeys([candidates & mask for mask in masks])
        grouped = [part for part in parts if part & (part - 1) and part != candidates]
        for i, part in enumerate(grouped):
            # The other node is a single place.
            rest = candidates & ~part
            if not rest & (rest - 1):
                yield StrongLink(part, rest, index)
            # The other node is grouped, too.
            for second in grouped[:i]:
                if part | second == candidates:
                    yield StrongLink(part, second, index)
            # The other node is the remaining place and one place of the first node, if both lie in a second cover set.
            for bit in bits(part):
                if rest and (rest | 1 << bit) in parts and not rest & (rest - 1):
                    yield StrongLink(part, rest | 1 << bit, index)


def _intersections(board: Board) -> dict[int, list[int]]:
    """Return the possible grouped nodes: intersections of exactly-one sets with groups.

    For each such set these are the intersections of several candidates with other cover sets.
    """
    intersections = {}
    for index, cover in enumerate(board.covers):
        if cover.group is None or not cover.is_exactly_one:
            continue
        crossing = dict.fromkeys([i for bit in bits(cover.mask) for i in board.covers_of[bit] if i != index])
        masks = [board.covers[i].mask & cover.mask for i in crossing if board.covers[i].group is not None]
        intersections[index] = list(dict.fromkeys([mask for mask in masks if mask & (mask - 1)]))
    return intersections
