"""Colouring: places of one value, two in a group, that hold by turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....engine.compiled.filters.base import bits
from ..view import Deduction, Link, View
from ..web import conjugates

Colours = tuple[int, int]
"""Candidates all of which hold, or those of the other colour."""


def _coloured(view: View) -> list[Colours]:
    """The connected places, in two colours."""
    near: dict[int, int] = {}
    for link in conjugates(view, cells=False):
        one, other = link.one.bit_length() - 1, link.other.bit_length() - 1
        near[one] = near.get(one, 0) | link.other
        near[other] = near.get(other, 0) | link.one
    found: list[Colours] = []
    done = 0
    for start in near:
        if done >> start & 1:
            continue
        colours = [0, 0]
        todo = [(start, 0)]
        while todo:
            bit, colour = todo.pop()
            if colours[colour] >> bit & 1:
                continue
            colours[colour] |= 1 << bit
            todo += [(other, 1 - colour) for other in bits(near[bit])]
        done |= colours[0] | colours[1]
        found.append((colours[0], colours[1]))
    return found


def _seen(view: View, mask: int) -> int:
    """What sees any of some candidates."""
    seen = 0
    for bit in bits(mask):
        seen |= view.board.sees[bit]
    return seen & view.live


def simple(view: View) -> Iterator[Deduction]:
    """What sees both colours goes; and a colour goes that sees itself."""
    board = view.board
    for one, other in view.kept("colours", lambda: _coloured(view)):
        if one & other:
            continue  # nothing can hold
        whole = one | other
        wrong = [colour for colour in (one, other) if _seen(view, colour) & colour]
        lead = f"{board.values(whole)} is in {board.cells(one)}, or else in {board.cells(other)}"
        for colour in wrong:
            text = f"{lead}; it cannot be in all of {board.cells(colour)}"
            yield _painted(view, text, colour, (one, other))
        if not wrong and (removed := _seen(view, one) & _seen(view, other) & ~whole):
            yield _painted(view, lead, removed, (one, other))


def _painted(view: View, text: str, removed: int, *pairs: Colours) -> Deduction:
    """What follows from colours: those of one kind are on, the others off, and lines with two places join them."""
    board = view.board
    nodes = {1 << bit: not side for pair in pairs for side, colour in enumerate(pair) for bit in bits(colour)}
    links = [
        Link(link.one, link.other, True, board.groups[group].number)
        for link in conjugates(view, cells=False)
        if link.one in nodes and link.cover is not None and (group := board.covers[link.cover].group) is not None
    ]
    numbers = tuple(dict.fromkeys([link.number for link in links if link.number is not None]))
    return Deduction(text, removed=removed, pattern=sum(nodes), constraints=numbers, nodes=nodes, links=tuple(links))


def multiple(view: View) -> Iterator[Deduction]:
    """Two pairs of colours, of which one of one pair and one of the other exclude each other."""
    board = view.board
    for first, second in combinations(view.kept("colours", lambda: _coloured(view)), 2):
        if first[0] & first[1] or second[0] & second[1]:
            continue
        whole = first[0] | first[1] | second[0] | second[1]
        if len({board.candidates[bit][1] for bit in bits(whole)}) > 1:
            continue
        lead = " and ".join(
            f"{board.values(one)} is in {board.cells(one)}, or else in {board.cells(other)}"
            for one, other in (first, second)
        )
        for mine, its in ((first, second), (second, first)):
            for colour in mine:
                seen = _seen(view, colour)
                if seen & its[0] and seen & its[1]:
                    text = f"{lead}; {board.cells(colour)} would leave neither of the latter"
                    yield _painted(view, text, colour, first, second)
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if _seen(view, first[i]) & second[j]:
                removed = _seen(view, first[1 - i]) & _seen(view, second[1 - j]) & ~whole
                if removed:
                    text = f"{lead}; {board.cells(first[i])} and {board.cells(second[j])} exclude each other"
                    yield _painted(view, text, removed, first, second)
