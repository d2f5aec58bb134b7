"""Colouring techniques: conjugate pairs of one value, in two alternating colours.

In a connected component, all places of one colour hold, and none of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....engine.compiled.propagators.base import bits
from ..board import Deduction, Link, View
from ..inference import conjugate_pairs

Colours = tuple[int, int]
"""Two masks of candidates: all candidates of one colour hold, and none of the other."""


def _colour_components(view: View) -> list[Colours]:
    """Return each connected component of one value's strong links as two masks, by colour."""
    # For every place its partners in conjugate pairs.
    partners: dict[int, int] = {}
    for link in conjugate_pairs(view, variables=False):
        start, end = link.start.bit_length() - 1, link.end.bit_length() - 1
        partners[start] = partners.get(start, 0) | link.end
        partners[end] = partners.get(end, 0) | link.start
    # Depth-first search from every uncoloured place; a partner gets the opposite colour.
    components: list[Colours] = []
    done = 0
    for root in partners:
        if done >> root & 1:
            continue
        colours = [0, 0]
        todo = [(root, 0)]
        while todo:
            bit, colour = todo.pop()
            if colours[colour] >> bit & 1:
                continue
            colours[colour] |= 1 << bit
            todo += [(partner, 1 - colour) for partner in bits(partners[bit])]
        done |= colours[0] | colours[1]
        components.append((colours[0], colours[1]))
    return components


def _seen_by_any(view: View, mask: int) -> int:
    """Return the live candidates that at least one candidate of a mask excludes."""
    seen = 0
    for bit in bits(mask):
        seen |= view.board.sees[bit]
    return seen & view.live


def simple_colouring(view: View) -> Iterator[Deduction]:
    """Find candidates that a two-coloured component of a value's strong links excludes.

    Removes a colour that sees itself, or else the candidates that see both colours.
    """
    board = view.board
    for first, second in view.compute_once("colours", lambda: _colour_components(view)):
        if first & second:
            continue  # a candidate with both colours: the puzzle has no solution
        both = first | second
        # Colour wrap: two candidates of one colour exclude each other, so the colour is false.
        false_colours = [colour for colour in (first, second) if _seen_by_any(view, colour) & colour]
        lead = f"{board.values(both)} is in {board.cells(first)}, or else in {board.cells(second)}"
        for colour in false_colours:
            text = f"{lead}; it cannot be in all of {board.cells(colour)}"
            yield _colour_deduction(view, text, colour, (first, second))
        # Colour trap: one of the colours holds, so nothing holds that both exclude.
        if not false_colours and (removed := _seen_by_any(view, first) & _seen_by_any(view, second) & ~both):
            yield _colour_deduction(view, lead, removed, (first, second))


def _colour_deduction(view: View, text: str, removed: int, *components: Colours) -> Deduction:
    """Return the deduction that removes ``removed``, with a picture of the coloured components.

    Its nodes are on in one colour and off in the other; its links are the conjugate pairs.
    """
    board = view.board
    nodes = {
        1 << bit: not side for component in components for side, colour in enumerate(component) for bit in bits(colour)
    }
    links = [
        Link(link.start, link.end, True, board.groups[group].number)
        for link in conjugate_pairs(view, variables=False)
        if link.start in nodes and link.cover is not None and (group := board.covers[link.cover].group) is not None
    ]
    numbers = tuple(dict.fromkeys([link.number for link in links if link.number is not None]))
    return Deduction(text, removed=removed, pattern=sum(nodes), constraints=numbers, nodes=nodes, links=tuple(links))


def multi_colouring(view: View) -> Iterator[Deduction]:
    """Find two coloured components of one value with colours that exclude each other.

    Removes a colour that sees both colours of the other component. Or else removes the candidates that see both
    remaining colours, because one of these holds.
    """
    board = view.board
    for first, second in combinations(view.compute_once("colours", lambda: _colour_components(view)), 2):
        if first[0] & first[1] or second[0] & second[1]:
            continue
        both = first[0] | first[1] | second[0] | second[1]
        if len({board.candidates[bit][1] for bit in bits(both)}) > 1:
            continue
        lead = " and ".join(
            f"{board.values(colour)} is in {board.cells(colour)}, or else in {board.cells(opposite)}"
            for colour, opposite in (first, second)
        )
        # A colour that sees both colours of the second component is false.
        for component, opponent in ((first, second), (second, first)):
            for colour in component:
                seen = _seen_by_any(view, colour)
                if seen & opponent[0] and seen & opponent[1]:
                    text = f"{lead}; {board.cells(colour)} would leave neither of the latter"
                    yield _colour_deduction(view, text, colour, first, second)
        # Of two colours that exclude each other one is false, so the opposite of one holds.
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if _seen_by_any(view, first[i]) & second[j]:
                removed = _seen_by_any(view, first[1 - i]) & _seen_by_any(view, second[1 - j]) & ~both
                if removed:
                    text = f"{lead}; {board.cells(first[i])} and {board.cells(second[j])} exclude each other"
                    yield _colour_deduction(view, text, removed, first, second)
