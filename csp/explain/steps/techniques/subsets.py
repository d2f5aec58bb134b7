"""Naked and hidden subsets: n variables for n values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....engine.compiled.filters.base import bits
from ....ground.notation import listed
from ..view import Deduction, Outline, View

NAMES = {2: "pair", 3: "triple", 4: "quadruple"}


def naked(view: View, size: int) -> Iterator[Deduction]:
    """Some variables of a group have only as many values as they are: no other variable of the group takes these."""
    board = view.board
    for index, group in enumerate(board.groups):
        fields = view.fields(index)
        small = [(number, field) for number, field in fields if 2 <= field.bit_count() <= size]
        for numbers, union in choices_of_size(small, size):
            pattern = sum([view.cells[number] for number in numbers])
            places = [group.places[place] for place in bits(union)]
            removed = 0
            for place in places:
                removed |= place.mask & view.live
            for number in numbers:
                removed &= ~board.own[number]
            if removed:
                values = listed([place.what for place in places])
                text = f"{board.cells(pattern)} have only {values} in {board.constraints[group.number].place}"
                outline = Outline("set", pattern, board.constraints[group.number].place)
                yield Deduction(text, removed=removed, pattern=pattern, constraints=(group.number,), sets=(outline,))


def locked(view: View, size: int) -> Iterator[Deduction]:
    """A naked subset in two groups at once, so that its values go from the rest of both."""
    found: dict[int, list[Deduction]] = {}
    for deduction in naked(view, size):
        found.setdefault(deduction.pattern, []).append(deduction)
    for pattern, several in found.items():
        if len(several) > 1:
            removed, numbers = 0, list[int]()
            for one in several:
                removed |= one.removed
                numbers += one.constraints
            places = " and ".join([view.board.constraints[number].place for number in numbers])
            text = f"{view.board.cells(pattern)} have only {view.board.values(pattern)} in {places}"
            sets = tuple([outline for one in several for outline in one.sets])
            yield Deduction(text, removed=removed, pattern=pattern, constraints=tuple(numbers), sets=sets)


def hidden(view: View, size: int) -> Iterator[Deduction]:
    """Some values of a group have only as many places as they are: these variables take no other value."""
    board = view.board
    for group in board.groups:
        if not group.is_tight:
            continue
        fields: list[tuple[int, int]] = []
        for place, line in enumerate(group.places):
            left = line.mask & view.live
            if left and not left & view.placed:
                owners = 0
                for bit in bits(left):
                    owners |= 1 << board.owner[bit]
                fields.append((place, owners))
        small = [(place, owners) for place, owners in fields if 2 <= owners.bit_count() <= size]
        for chosen_places, union in choices_of_size(small, size):
            kept = 0
            for place in chosen_places:
                kept |= group.places[place].mask & view.live
            removed = sum([view.cells[number] for number in bits(union)]) & ~kept
            if removed:
                values = listed([group.places[place].what for place in chosen_places])
                place_name = board.constraints[group.number].place
                text = f"{values} fit only {board.cells(kept)} in {place_name}"
                outline = Outline("set", kept, place_name)
                yield Deduction(text, removed=removed, pattern=kept, constraints=(group.number,), sets=(outline,))


def choices_of_size(
    fields: Sequence[tuple[int, int]], size: int, width: int | None = None
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every choice of so many fields with exactly so many bits in all, or another number: their names, and the bits."""
    wide = size if width is None else width

    def extend(start: int, names: tuple[int, ...], union: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(names) == size:
            yield names, union
            return
        for i in range(start, len(fields) - size + len(names) + 1):
            name, field = fields[i]
            if (union | field).bit_count() <= wide:
                yield from extend(i + 1, (*names, name), union | field)

    return (one for one in extend(0, (), 0) if one[1].bit_count() == wide)
