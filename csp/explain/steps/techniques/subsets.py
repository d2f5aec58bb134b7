"""Subset techniques: n variables of a group that share n values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....base.notation import listed
from ....engine.compiled.propagators.base import bits
from ..board import Deduction, Outline, View
from ..cover_sets import BoardGroup


def naked_subset(view: View, size: int) -> Iterator[Deduction]:
    """Find ``size`` variables of a group that together have only ``size`` values.

    Removes these values from the other variables of the group.
    """
    board = view.board
    masks_of_groups = view.compute_once("value masks", lambda: [*map(view.value_masks, range(len(board.groups)))])
    for group, masks in zip(board.groups, masks_of_groups, strict=True):
        small = [item for item in masks if 2 <= item[1].bit_count() <= size]
        if len(small) < size:
            continue
        for variables, union in choices_of_size(small, size):
            pattern = sum([view.cells[variable] for variable in variables])
            # Remove the live places of the n values, except those in the n variables.
            places = [group.places[place] for place in bits(union)]
            removed = 0
            for place in places:
                removed |= place.mask & view.live
            for variable in variables:
                removed &= ~board.domain_masks[variable]
            if removed:
                value_names = listed([place.subject for place in places])
                text = f"{board.cells(pattern)} have only {value_names} in {board.constraints[group.number].place}"
                outline = Outline("set", pattern, board.constraints[group.number].place)
                yield Deduction(text, removed=removed, pattern=pattern, constraints=(group.number,), sets=(outline,))


def locked_subset(view: View, size: int) -> Iterator[Deduction]:
    """Find a naked subset that removes candidates from at least two groups.

    Removes its values from the other variables of these groups.
    """
    by_pattern: dict[int, list[Deduction]] = {}
    for deduction in naked_subset(view, size):
        by_pattern.setdefault(deduction.pattern, []).append(deduction)
    for pattern, deductions in by_pattern.items():
        if len(deductions) > 1:
            removed, numbers = 0, list[int]()
            for subset in deductions:
                removed |= subset.removed
                numbers += subset.constraints
            places = " and ".join([view.board.constraints[number].place for number in numbers])
            text = f"{view.board.cells(pattern)} have only {view.board.values(pattern)} in {places}"
            sets = tuple([outline for subset in deductions for outline in subset.sets])
            yield Deduction(text, removed=removed, pattern=pattern, constraints=tuple(numbers), sets=sets)


def hidden_subset(view: View, size: int) -> Iterator[Deduction]:
    """Find ``size`` values of a permutation group that together have only ``size`` places.

    Removes the other values of these variables.
    """
    board = view.board
    for group, variable_masks in view.compute_once("places of values", lambda: _places_of_values(view)):
        small = [item for item in variable_masks if 2 <= item[1].bit_count() <= size]
        if len(small) < size:
            continue
        for indices, union in choices_of_size(small, size):
            pattern = 0
            for index in indices:
                pattern |= group.places[index].mask & view.live
            removed = sum([view.cells[variable] for variable in bits(union)]) & ~pattern
            if removed:
                value_names = listed([group.places[index].subject for index in indices])
                label = board.constraints[group.number].place
                text = f"{value_names} fit only {board.cells(pattern)} in {label}"
                outline = Outline("set", pattern, label)
                yield Deduction(text, removed=removed, pattern=pattern, constraints=(group.number,), sets=(outline,))


def _places_of_values(view: View) -> list[tuple[BoardGroup, list[tuple[int, int]]]]:
    """Return the unplaced values of each permutation group, with the variables that can take them.

    A value is given by its index in the group.
    """
    result = []
    for group in view.board.groups:
        if not group.is_permutation:
            continue
        variable_masks: list[tuple[int, int]] = []
        for index, place in enumerate(group.places):
            candidates = place.mask & view.live
            if candidates and not candidates & view.placed:
                variables = 0
                for bit in bits(candidates):
                    variables |= 1 << view.board.owner[bit]
                variable_masks.append((index, variables))
        result.append((group, variable_masks))
    return result


def choices_of_size(
    masks: Sequence[tuple[int, int]], size: int, width: int | None = None
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the combinations of ``size`` masks whose union has ``width`` bits.

    The union of ``size`` chosen masks must have ``width`` bits, by default ``size``.

    Yields the keys of each choice, and the union.
    """
    target = size if width is None else width

    def extend(start: int, keys: tuple[int, ...], union: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(keys) == size - 1:
            for key, mask in masks[start:]:
                if (union | mask).bit_count() == target:
                    yield (*keys, key), union | mask
            return
        for i in range(start, len(masks) - size + len(keys) + 1):
            key, mask = masks[i]
            if (union | mask).bit_count() <= target:
                yield from extend(i + 1, (*keys, key), union | mask)

    return extend(0, (), 0)
