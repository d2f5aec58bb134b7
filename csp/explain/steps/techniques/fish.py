"""Fish: n lines of one value, covered by n others that cross them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....engine.compiled.filters.base import bits
from ....ground.frozen import Frozen
from ....ground.notation import quoted
from ....model import Value
from ..board import Board, joined
from ..view import Deduction, Outline, View

MOST_FINS = 5
"""How many fins are looked for."""


def basic(view: View, size: int) -> Iterator[Deduction]:
    """All places of a value in some lines are in as many others that cross them: there it has no further place."""
    for value in view.board.shared("waters", _waters):
        for bases, covers, fins, removed in _swim(view, value, size, 0):
            yield _told(view, bases, covers, fins, removed)


def finned(view: View, size: int) -> Iterator[Deduction]:
    """A fish but for a few places, the fins: what the fins and the fish exclude alike goes."""
    yield from _finned(view, size, sashimi=False)


def sashimi(view: View, size: int) -> Iterator[Deduction]:
    """A finned fish in which, without the fins, one of the lines would have a single place."""
    yield from _finned(view, size, sashimi=True)


def _finned(view: View, size: int, sashimi: bool) -> Iterator[Deduction]:
    for value in view.board.shared("waters", _waters):
        for bases, covers, fins, removed in _swim(view, value, size, MOST_FINS):
            bodies = [view.covers[index] & ~fins for index in bases]
            if fins and all(bodies) and any(not body & (body - 1) for body in bodies) == sashimi:
                yield _told(view, bases, covers, fins, removed)


class Water(Frozen):
    """The places of one value in groups, and how they lie to each other.

    Attributes
    ----------
    covers : tuple of int
        Indices in ``Board.covers``; the attributes below have a bit for each of these.
    crossing, apart, along : tuple of int
        For each, those that have one candidate in common with it, none, or several.
    at : mapping from int to int
        For every candidate those that it is in.
    """

    covers: tuple[int, ...]
    crossing: tuple[int, ...]
    apart: tuple[int, ...]
    along: tuple[int, ...]
    at: Mapping[int, int]


def _waters(board: Board) -> dict[Value, Water]:
    """The places of every value."""
    found: dict[Value, list[int]] = {}
    for index, cover in enumerate(board.covers):
        if cover.group is not None:
            found.setdefault(cover.what, []).append(index)
    return {value: _water(board, indices) for value, indices in found.items()}


def _water(board: Board, indices: list[int]) -> Water:
    masks = [board.covers[index].mask for index in indices]
    crossing, apart, along, at = [0] * len(masks), [0] * len(masks), [0] * len(masks), dict[int, int]()
    for i, mask in enumerate(masks):
        for bit in bits(mask):
            at[bit] = at.get(bit, 0) | 1 << i
        for j, other in enumerate(masks):
            common = (mask & other).bit_count()
            kind = crossing if common == 1 else along if common else apart
            kind[i] |= (i != j) << j
    return Water(tuple(indices), tuple(crossing), tuple(apart), tuple(along), at)


def _swim(
    view: View, value: Value, size: int, most_fins: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int, int]]:
    """Bases, covers, fins and what goes. Bases are disjoint, and so are covers; where they cross is one candidate."""
    board, water = view.board, view.board.shared("waters", _waters)[value]
    masks = [view.covers[index] for index in water.covers]
    whole = 0
    for mask in masks:
        whole |= mask
    key = size, most_fins, value, whole
    if key in board.barren:
        return
    waiting = sum([1 << i for i, mask in enumerate(masks) if mask & (mask - 1)])
    bases = 0
    for i in bits(waiting):
        crossed = sum([1 for bit in bits(masks[i]) if water.at[bit] & water.crossing[i] & waiting])
        fits = masks[i].bit_count() <= size + most_fins and crossed >= masks[i].bit_count() - most_fins
        if board.covers[water.covers[i]].is_tight and fits and crossed:
            bases |= 1 << i
    found = False
    for chosen, near in _schools(water, bases, size):
        union = 0
        for i in chosen:
            union |= masks[i]
        for covers, fins in _covered(view, water, near & waiting, union, whole, size, most_fins):
            removed = ~union
            covered = 0
            for i in covers:
                covered |= masks[i]
            removed &= covered
            if fins:
                removed &= board.seen_by_all(fins)
            if removed:
                found = True
                yield tuple([water.covers[i] for i in chosen]), tuple([water.covers[i] for i in covers]), fins, removed
    if not found:
        board.barren.add(key)


def _schools(water: Water, bases: int, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """So many disjoint bases that hang together, with the covers that cross one of them and lie along none."""

    def extend(
        chosen: tuple[int, ...], near: int, along: int, free: int, banned: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if (near & ~along).bit_count() >= size:
                yield chosen, near & ~along
            return
        for i in bits(free):
            if water.crossing[i] & near or not chosen:
                yield from extend(
                    (*chosen, i),
                    near | water.crossing[i],
                    along | water.along[i],
                    free & water.apart[i] & ~banned & ~(1 << i),
                    banned,
                )
            banned |= 1 << i

    return extend((), 0, 0, bases, 0)


def _covered(
    view: View, water: Water, near: int, union: int, whole: int, size: int, most_fins: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """So many disjoint covers for all candidates but a few, the fins, which see another one together."""
    board, masks = view.board, view.covers

    def extend(
        chosen: tuple[int, ...], left: int, taken: int, near: int, fins: int, seen: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if (fins | left).bit_count() <= most_fins:
                yield chosen, fins | left
            return
        room = (size - len(chosen)) * size + most_fins - fins.bit_count()
        if not left or left.bit_count() > room:
            return
        bit = (left & -left).bit_length() - 1
        for i in bits(water.at[bit] & near):
            mask = masks[water.covers[i]]
            if not mask & taken:
                yield from extend((*chosen, i), left & ~mask, taken | mask, near, fins, seen)
        if fins.bit_count() < most_fins and (narrower := seen & board.sees[bit]):
            yield from extend(chosen, left & ~(1 << bit), taken, near & ~water.at[bit], fins | 1 << bit, narrower)

    return extend((), union, 0, near, 0, whole & ~union)


def _told(view: View, bases: tuple[int, ...], covers: tuple[int, ...], fins: int, removed: int) -> Deduction:
    board = view.board
    pattern = 0
    for index in bases:
        pattern |= view.covers[index]
    names = joined([board.place(board.covers[index].group) for index in bases])
    over = joined([board.place(board.covers[index].group) for index in covers])
    text = f"{quoted(board.covers[bases[0]].what)} in {names} fits only {over}"
    if fins:
        text += f", or else {board.cells(fins)}"
    numbers = [board.groups[board.covers[index].group].number for index in (*bases, *covers)]  # type: ignore[index]
    sets = [Outline("base", view.covers[index], board.name(board.covers[index])) for index in bases]
    sets += [
        Outline("cover", view.covers[index] & pattern & ~fins, board.name(board.covers[index])) for index in covers
    ]
    sets += [Outline("fin", fins, "")] if fins else []
    return Deduction(text, removed=removed, pattern=pattern, constraints=tuple(numbers), sets=tuple(sets))
