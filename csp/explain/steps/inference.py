"""The graph of strong and weak links in which techniques find chains.

A node is a set of candidates, given as a mask. It holds if one of its candidates does. A *strong link* joins two nodes
and says that at least one holds, a *weak link* says that at most one does. A chain begins and ends with a strong link,
and strong and weak links alternate: if its first node does not hold, its last node does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ...base.frozen import Frozen
from ...engine.compiled.propagators.base import bits
from .board import Board, Deduction, Link, Outline, View


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
    """Yield a strong link for each exactly-one set with exactly two live candidates.

    ``variables``: include the variables with two values; ``places``: include the values with two places in a group.
    """
    for index, cover in enumerate(view.board.covers):
        candidates = view.covers[index]
        if cover.is_exactly_one and candidates.bit_count() == 2 and (variables if cover.group is None else places):
            low = candidates & -candidates
            yield StrongLink(low, candidates ^ low, index)


def grouped_links(view: View) -> Iterator[StrongLink]:
    """Yield strong links with a node that is a group of places of a value.

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
    """Map each exactly-one set of a group, by index, to its possible grouped nodes.

    A node is its intersection with another cover set of a group, if this has at least two candidates.
    """
    intersections = {}
    for index, cover in enumerate(board.covers):
        if cover.group is None or not cover.is_exactly_one:
            continue
        crossing = dict.fromkeys([i for bit in bits(cover.mask) for i in board.covers_of[bit] if i != index])
        masks = [board.covers[i].mask & cover.mask for i in crossing if board.covers[i].group is not None]
        intersections[index] = list(dict.fromkeys([mask for mask in masks if mask & (mask - 1)]))
    return intersections


class Chain(Frozen):
    """An alternating inference chain: at least one of its two end nodes holds.

    If the first node does not hold, the second does, so the third does not, and so on; then the last one holds.

    Attributes
    ----------
    nodes : tuple of int
        As masks, an even number of them.
    """

    nodes: tuple[int, ...]

    @property
    def pattern(self) -> int:
        """The mask of all candidates in the nodes of the chain."""
        mask = 0
        for node in self.nodes:
            mask |= node
        return mask


class InferenceGraph:
    """A graph of strong and weak links between nodes of one or more candidates.

    Nodes are numbered; sets of nodes are masks of these numbers.

    Parameters
    ----------
    view : View
    links : iterable of StrongLink
    max_links : int
        Maximum number of strong links in a chain; longer chains are not found.
    within : int, optional
        The candidates that chains may remove; all live candidates if not given.
    """

    def __init__(self, view: View, links: Iterable[StrongLink], max_links: int = 12, within: int | None = None) -> None:
        self.view = view
        self._within = view.live if within is None else view.live & within
        self.max_links = max_links
        self._levels: dict[int, list[int]] = {}
        self.board = view.board

        # Keep the first of several strong links between the same nodes; a dict serves as an ordered set.
        self._link_of: dict[tuple[int, int], StrongLink] = {}
        neighbours: dict[int, dict[int, None]] = {}
        for link in links:
            if (link.start, link.end) not in self._link_of:
                self._link_of[link.start, link.end] = self._link_of[link.end, link.start] = link
                neighbours.setdefault(link.start, {})[link.end] = None
                neighbours.setdefault(link.end, {})[link.start] = None

        # Number the nodes; every relation between nodes becomes a list of masks over these numbers.
        self.nodes = list(neighbours)
        index_of = {node: i for i, node in enumerate(self.nodes)}
        self.seen = [self._seen_by(node) for node in self.nodes]
        self.strong = [sum([1 << index_of[neighbour] for neighbour in neighbours[node]]) for node in self.nodes]
        self.weak = self._weak_links()

        # A step of a chain is a weak link and then a strong one.
        self.next = []
        for weak_neighbours in self.weak:
            after = 0
            for i in bits(weak_neighbours):
                after |= self.strong[i]
            self.next.append(after)

    def _seen_by(self, node: int) -> int:
        """Return the removable candidates that ``node`` excludes if it holds, as a mask."""
        if not node & (node - 1):
            return self.board.sees[node.bit_length() - 1] & self._within
        return self.board.seen_by_all(node) & self._within

    def _weak_links(self) -> list[int]:
        """Return for each node a mask of the nodes that cannot hold together with it."""
        by_lowest_bit: dict[int, list[int]] = {}
        for i, node in enumerate(self.nodes):
            by_lowest_bit.setdefault((node & -node).bit_length() - 1, []).append(i)
        lowest_bits = sum([1 << bit for bit in by_lowest_bit])
        weak = []
        for seen in self.seen:
            neighbours = 0
            for bit in bits(seen & lowest_bits):
                for i in by_lowest_bit[bit]:
                    if not self.nodes[i] & ~seen:
                        neighbours |= 1 << i
            weak.append(neighbours)
        return weak

    def levels(self, start: int) -> list[int]:
        """Return the nodes that hold if ``start`` does not, grouped by number of strong links.

        Level i has the nodes at a distance of i + 1 strong links. A node is only in its first level.
        """
        cached = self._levels.get(start)
        if cached is not None:
            return cached
        # Breadth-first search over sets of nodes.
        levels = [self.strong[start]]
        reached, next_of = levels[0], self.next
        while len(levels) < self.max_links:
            after, todo = 0, levels[-1]
            while todo:
                low = todo & -todo
                after |= next_of[low.bit_length() - 1]
                todo ^= low
            after &= ~reached
            if not after:
                break
            reached |= after
            levels.append(after)
        self._levels[start] = levels
        return levels

    def shortest_chain(self, start: int, end: int) -> Chain:
        """Return a shortest chain between two nodes, given by numbers; one must exist."""
        levels = self.levels(start)
        depth = next(i for i, level in enumerate(levels) if level >> end & 1)
        # Go back from the end, level by level, to any node that leads to the node after it.
        nodes = [end]
        while depth:
            after = nodes[-1]
            before = next(i for i in bits(levels[depth - 1]) if self.next[i] >> after & 1)
            middle = next(i for i in bits(self.weak[before]) if self.strong[i] >> after & 1)
            nodes += [middle, before]
            depth -= 1
        return Chain(tuple([self.nodes[i] for i in (start, *reversed(nodes))]))

    def chains(self, min_links: int = 2) -> Iterator[tuple[Chain, int]]:
        """Yield chains whose ends exclude common candidates, each with these candidates.

        A chain has at least ``min_links`` strong links. The shortest chains come first. Of several chains with
        the same removed candidates, only the first is yielded.
        """
        removals = set()
        for depth, start, end, removed in self._chain_ends:
            if depth >= min_links and removed not in removals:
                removals.add(removed)
                yield self.shortest_chain(start, end), removed

    @cached_property
    def _chain_ends(self) -> list[tuple[int, int, int, int]]:
        """Pairs of chain ends that remove candidates: (length, start, end, removed), shortest first.

        Each has the number of strong links, the start and the end, and the removed candidates.
        """
        chains = []
        for start, seen in enumerate(self.seen):
            # Chains are symmetric, so only ends with higher numbers count; they must see a candidate that start sees.
            useful = self._nodes_seeing(seen) >> start + 1 << start + 1
            for depth, level in enumerate(self.levels(start), 1):
                ends = level & useful
                while ends:
                    low = ends & -ends
                    end = low.bit_length() - 1
                    ends ^= low
                    chains.append((depth, start, end, seen & self.seen[end]))
        return sorted(chains)

    def _nodes_seeing(self, seen: int) -> int:
        """Return the nodes that exclude at least one candidate of the mask ``seen``."""
        nodes = 0
        while seen:
            low = seen & -seen
            nodes |= self._seers[low.bit_length() - 1]
            seen ^= low
        return nodes

    @cached_property
    def _seers(self) -> dict[int, int]:
        """For each live candidate, the nodes that exclude it."""
        seers: dict[int, int] = dict.fromkeys(bits(self.view.live), 0)
        for i, seen in enumerate(self.seen):
            node_bit = 1 << i
            while seen:
                low = seen & -seen
                seers[low.bit_length() - 1] |= node_bit
                seen ^= low
        return seers

    def returning_chains(self) -> Iterator[tuple[Chain, int]]:
        """Yield chains from a node back to itself; each proves that the node holds.

        Yields each chain with this node. The shortest chains come first.
        """
        returns = []
        for start in range(len(self.nodes)):
            returns += [(depth, start) for depth, level in enumerate(self.levels(start)) if level >> start & 1]
        for _, start in sorted(returns):
            yield self.shortest_chain(start, start), self.nodes[start]

    def loops(self) -> Iterator[tuple[Chain, int]]:
        """Yield continuous loops (closed alternating chains), each with the candidates that it removes.

        A continuous loop is a chain with a weak link between its ends. Of two adjacent nodes exactly one holds.
        """
        ends_of_loops = []
        for start in range(len(self.nodes)):
            neighbours = self.weak[start] >> start << start
            for depth, level in enumerate(self.levels(start)):
                if depth and level & neighbours:
                    ends_of_loops += [(depth, start, end) for end in bits(level & neighbours)]
        removals = set()
        for _, start, end in sorted(ends_of_loops):
            chain = self.shortest_chain(start, end)
            removed = self.loop_removals(chain)
            if removed and removed not in removals:
                removals.add(removed)
                yield chain, removed

    def loop_removals(self, chain: Chain) -> int:
        """Return the candidates outside a continuous loop that the loop excludes.

        Both nodes of one of its weak links exclude them.
        """
        removed, nodes = 0, chain.nodes
        for i in range(1, len(nodes), 2):
            removed |= self._seen_by(nodes[i]) & self._seen_by(nodes[(i + 1) % len(nodes)])
        return removed & ~chain.pattern

    def deduction(self, chain: Chain, removed: int = 0, placed: int = 0, is_loop: bool = False) -> Deduction:
        """Convert a chain and its conclusion into a deduction with text."""
        board, nodes = self.board, chain.nodes
        words, numbers, links, sets = [], dict[int, None](), list[Link](), list[Outline]()
        # Strong links: the sentence names each with its constraint or its almost locked set.
        for i in range(0, len(nodes), 2):
            link = self._link_of[nodes[i], nodes[i + 1]]
            reason, number = "", None
            if link.cover is None:
                reason, number = f"the set {board.cells(link.within)}", link.number
                sets.append(Outline("set", link.within, board.constraints[number].place))
            elif (group := board.covers[link.cover].group) is not None:
                reason, number = board.place(group), board.groups[group].number
            numbers |= {} if number is None else {number: None}
            links.append(Link(nodes[i], nodes[i + 1], True, number))
            lead = f"if not {board.describe(nodes[0])}" if not i else f"so not {board.describe(nodes[i])}"
            words.append(f"{lead}, then {board.describe(nodes[i + 1])}" + (f" by {reason}" if reason else ""))
        # Weak links: between the strong ones, and in a loop from the last node to the first.
        for start, end in zip(nodes[1::2], (*nodes[2::2], *(nodes[:1] if is_loop else ())), strict=False):
            by = excluding_constraints(board, start, end)
            numbers |= dict.fromkeys(by)
            links.append(Link(start, end, False, by[0] if by else None))
        text = ", ".join(words) + (", and round again" if is_loop else "")
        links.sort(key=lambda link: nodes.index(link.start))
        is_on = {node: bool(i % 2) for i, node in enumerate(nodes)}
        return Deduction(
            text, placed=placed, removed=removed, pattern=chain.pattern, constraints=tuple(numbers),
            nodes=is_on, links=tuple(links), sets=tuple(sets),
        )  # fmt: skip


def excluding_constraints(board: Board, start: int, end: int) -> tuple[int, ...]:
    """Return a constraint number by which two nodes exclude each other, in a tuple.

    The tuple is empty if the nodes belong to one variable, or if no group or binary constraint excludes them.
    """
    both, low = start | end, (start & -start).bit_length() - 1
    for index in board.covers_of[low]:
        cover = board.covers[index]
        if not both & ~cover.mask:
            return () if cover.group is None else (board.groups[cover.group].number,)
    high = (end & -end).bit_length() - 1
    pair = min(low, high), max(low, high)
    return (board.excluded_pairs[pair],) if pair in board.excluded_pairs else ()
