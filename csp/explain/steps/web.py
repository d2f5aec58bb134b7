"""Chains: if this does not hold, then that does, so something else does not, and so on.

A node is a set of candidates: it holds if one of them does. A *strong* link joins two nodes of which at least one
holds, a *weak* one two of which at most one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ...engine.compiled.filters.base import bits
from ...ground.frozen import Frozen
from .board import Board
from .view import Deduction, Link, Outline, View


class Strong(NamedTuple):
    """Two nodes of which at least one holds, as masks, and why.

    Attributes
    ----------
    one, other : int
    cover : int or None
        The index of the cover that has no other candidates left.
    within : int
        Where there is none, the candidates of the almost locked set that they are in.
    number : int
        The constraint by which that is one.
    """

    one: int
    other: int
    cover: int | None
    within: int = 0
    number: int = 0


class Chain(Frozen):
    """If the first node does not hold, the second does, so the third does not, and so on; the last one does.

    Attributes
    ----------
    nodes : tuple of int
        As masks, an even number of them.
    """

    nodes: tuple[int, ...]

    @property
    def pattern(self) -> int:
        """All candidates of the nodes."""
        whole = 0
        for node in self.nodes:
            whole |= node
        return whole


class Web:
    """Strong links and the weak ones between them.

    ``most``: how many strong links a chain has at most; ``within``: the candidates that are looked at; all if not
    given.
    """

    def __init__(self, view: View, links: Iterable[Strong], most: int = 12, within: int | None = None) -> None:
        self.view = view
        self._within = view.live if within is None else view.live & within
        self.most = most
        self._levels: dict[int, list[int]] = {}
        self.board = view.board
        self._why: dict[tuple[int, int], Strong] = {}
        strong: dict[int, dict[int, None]] = {}
        for link in links:
            if (link.one, link.other) not in self._why:
                self._why[link.one, link.other] = self._why[link.other, link.one] = link
                strong.setdefault(link.one, {})[link.other] = None
                strong.setdefault(link.other, {})[link.one] = None
        self.nodes = list(strong)
        number = {node: i for i, node in enumerate(self.nodes)}
        self.seen = [self._seen(node) for node in self.nodes]
        self.strong = [sum([1 << number[other] for other in strong[node]]) for node in self.nodes]
        self.weak = self._weak()
        self.next = []
        for near in self.weak:
            after = 0
            for i in bits(near):
                after |= self.strong[i]
            self.next.append(after)

    def _seen(self, node: int) -> int:
        if not node & (node - 1):
            return self.board.sees[node.bit_length() - 1] & self._within
        return self.board.seen_by_all(node) & self._within

    def _weak(self) -> list[int]:
        by_low: dict[int, list[int]] = {}
        for i, node in enumerate(self.nodes):
            by_low.setdefault((node & -node).bit_length() - 1, []).append(i)
        lows = sum([1 << low for low in by_low])
        found = []
        for seen in self.seen:
            near = 0
            for low in bits(seen & lows):
                for i in by_low[low]:
                    if not self.nodes[i] & ~seen:
                        near |= 1 << i
            found.append(near)
        return found

    def levels(self, start: int) -> list[int]:
        """The nodes that hold if a node does not, by the number of strong links that it takes; each once."""
        kept = self._levels.get(start)
        if kept is not None:
            return kept
        found = [self.strong[start]]
        known, next_of = found[0], self.next
        while len(found) < self.most:
            after, rest = 0, found[-1]
            while rest:
                low = rest & -rest
                after |= next_of[low.bit_length() - 1]
                rest ^= low
            after &= ~known
            if not after:
                break
            known |= after
            found.append(after)
        self._levels[start] = found
        return found

    def path(self, start: int, end: int) -> Chain:
        """A shortest chain."""
        levels = self.levels(start)
        depth = next(i for i, level in enumerate(levels) if level >> end & 1)
        nodes = [end]
        while depth:
            after = nodes[-1]
            before = next(i for i in bits(levels[depth - 1]) if self.next[i] >> after & 1)
            middle = next(i for i in bits(self.weak[before]) if self.strong[i] >> after & 1)
            nodes += [middle, before]
            depth -= 1
        return Chain(tuple([self.nodes[i] for i in (start, *reversed(nodes))]))

    def chains(self, least: int = 2) -> Iterator[tuple[Chain, int]]:
        """Chains of so many strong links or more and what both ends exclude, the shortest first, each result once."""
        done = set()
        for depth, start, end, removed in self._hits:
            if depth >= least and removed not in done:
                done.add(removed)
                yield self.path(start, end), removed

    @cached_property
    def _hits(self) -> list[tuple[int, int, int, int]]:
        """Depth, ends and what these exclude."""
        hits = []
        for start, seen in enumerate(self.seen):
            useful = self._useful(seen) >> start + 1 << start + 1
            for depth, level in enumerate(self.levels(start), 1):
                rest = level & useful
                while rest:
                    low = rest & -rest
                    end = low.bit_length() - 1
                    rest ^= low
                    hits.append((depth, start, end, seen & self.seen[end]))
        return sorted(hits)

    def _useful(self, seen: int) -> int:
        """The nodes that see one of some candidates."""
        found = 0
        while seen:
            low = seen & -seen
            found |= self._seers[low.bit_length() - 1]
            seen ^= low
        return found

    @cached_property
    def _seers(self) -> dict[int, int]:
        """For every candidate the nodes that see it."""
        found: dict[int, int] = dict.fromkeys(bits(self.view.live), 0)
        for i, seen in enumerate(self.seen):
            mark = 1 << i
            while seen:
                low = seen & -seen
                found[low.bit_length() - 1] |= mark
                seen ^= low
        return found

    def returns(self) -> Iterator[tuple[Chain, int]]:
        """Chains that come back to where they began, which therefore holds; the shortest first."""
        hits = []
        for start in range(len(self.nodes)):
            hits += [(depth, start) for depth, level in enumerate(self.levels(start)) if level >> start & 1]
        for _, start in sorted(hits):
            yield self.path(start, start), self.nodes[start]

    def loops(self) -> Iterator[tuple[Chain, int]]:
        """Chains whose ends exclude each other: of two neighbours just one holds; with what that removes."""
        hits = []
        for start in range(len(self.nodes)):
            near = self.weak[start] >> start << start
            for depth, level in enumerate(self.levels(start)):
                if depth and level & near:
                    hits += [(depth, start, end) for end in bits(level & near)]
        done = set()
        for _, start, end in sorted(hits):
            chain = self.path(start, end)
            removed = self.around(chain)
            if removed and removed not in done:
                done.add(removed)
                yield chain, removed

    def around(self, chain: Chain) -> int:
        """What the weak links of a loop remove."""
        removed, nodes = 0, chain.nodes
        for i in range(1, len(nodes), 2):
            removed |= self._seen(nodes[i]) & self._seen(nodes[(i + 1) % len(nodes)])
        return removed & ~chain.pattern

    def deduction(self, chain: Chain, removed: int = 0, placed: int = 0, is_loop: bool = False) -> Deduction:
        """What follows from a chain, in words."""
        board, nodes = self.board, chain.nodes
        words, numbers, links, sets = [], dict[int, None](), list[Link](), list[Outline]()
        for i in range(0, len(nodes), 2):
            link = self._why[nodes[i], nodes[i + 1]]
            why, number = "", None
            if link.cover is None:
                why, number = f"the set {board.cells(link.within)}", link.number
                sets.append(Outline("set", link.within, board.constraints[number].place))
            elif (group := board.covers[link.cover].group) is not None:
                why, number = board.place(group), board.groups[group].number
            numbers |= {} if number is None else {number: None}
            links.append(Link(nodes[i], nodes[i + 1], True, number))
            lead = f"if not {board.said(nodes[0])}" if not i else f"so not {board.said(nodes[i])}"
            words.append(f"{lead}, then {board.said(nodes[i + 1])}" + (f" by {why}" if why else ""))
        for one, other in zip(nodes[1::2], (*nodes[2::2], *(nodes[:1] if is_loop else ())), strict=False):
            by = joining(board, one, other)
            numbers |= dict.fromkeys(by)
            links.append(Link(one, other, False, by[0] if by else None))
        text = ", ".join(words) + (", and round again" if is_loop else "")
        links.sort(key=lambda link: nodes.index(link.start))
        sides = {node: bool(i % 2) for i, node in enumerate(nodes)}
        return Deduction(
            text, placed=placed, removed=removed, pattern=chain.pattern, constraints=tuple(numbers),
            nodes=sides, links=tuple(links), sets=tuple(sets),
        )  # fmt: skip


def joining(board: Board, one: int, other: int) -> tuple[int, ...]:
    """The constraint by which two nodes exclude each other, where it is no variable's line."""
    whole, low = one | other, (one & -one).bit_length() - 1
    for index in board.covers_of[low]:
        cover = board.covers[index]
        if not whole & ~cover.mask:
            return () if cover.group is None else (board.groups[cover.group].number,)
    high = (other & -other).bit_length() - 1
    pair = min(low, high), max(low, high)
    return (board.pairs[pair],) if pair in board.pairs else ()


def conjugates(view: View, cells: bool = True, places: bool = True) -> Iterator[Strong]:
    """Lines with two candidates left."""
    for index, cover in enumerate(view.board.covers):
        left = view.covers[index]
        if cover.is_tight and left.bit_count() == 2 and (cells if cover.group is None else places):
            one = left & -left
            yield Strong(one, left ^ one, index)


def grouped(view: View) -> Iterator[Strong]:
    """Places of a value that are all in two other covers, or in one of them but for one place."""
    board = view.board
    parts = board.shared("parts", _parts)
    for index, others in parts.items():
        left = view.covers[index]
        if left.bit_count() < 3 or left & view.placed:
            continue
        pieces = dict.fromkeys([left & mask for mask in others])
        large = [piece for piece in pieces if piece & (piece - 1) and piece != left]
        for i, piece in enumerate(large):
            rest = left & ~piece
            if not rest & (rest - 1):
                yield Strong(piece, rest, index)
            for other in large[:i]:
                if piece | other == left:
                    yield Strong(piece, other, index)
            for small in bits(piece):
                if rest and (rest | 1 << small) in pieces and not rest & (rest - 1):
                    yield Strong(piece, rest | 1 << small, index)


def _parts(board: Board) -> dict[int, list[int]]:
    """For every tight place of a value, the masks of others that have several candidates in common with it."""
    found = {}
    for index, cover in enumerate(board.covers):
        if cover.group is None or not cover.is_tight:
            continue
        near = dict.fromkeys([other for bit in bits(cover.mask) for other in board.covers_of[bit] if other != index])
        masks = [board.covers[other].mask & cover.mask for other in near if board.covers[other].group is not None]
        found[index] = list(dict.fromkeys([mask for mask in masks if mask & (mask - 1)]))
    return found
