"""Fish techniques: a value in n base sets that lie inside n cover sets.

A base set has exactly one place that holds, a cover set at most one. In the classical X-wing the bases are two rows and
the covers two columns. The bases have the value n times, and the covers at most n times, so that the covers do not have
it outside the bases. *Fins* are places of the bases outside the covers. If no fin holds, this is still true; if a fin
holds, the candidates that it sees do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....base.notation import quoted
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Deduction, Outline, View, join_words
from ..value_sets import ValueSets, sets_of_values
from .templates import places_of, removable_places

MAX_FINS = 5
"""Maximum number of fins of a fish; fish with more are not found."""


def basic_fish(view: View, size: int) -> Iterator[Deduction]:
    """Find ``size`` groups whose places of a value all lie in ``size`` other groups.

    The former are the bases, the latter the covers. Removes the other candidates of the covers.
    """
    for value in view.board.compute_once("value sets", sets_of_values):
        for bases, covers, fins, removed in find_fish(view, value, size, 0):
            yield fish_deduction(view, bases, covers, fins, removed)


def finned_fish(view: View, size: int) -> Iterator[Deduction]:
    """Find ``size`` groups whose places of a value, except fins, lie in ``size`` others.

    Removes those other candidates of the covers that see all fins.
    """
    yield from _fish_with_fins(view, size, sashimi=False)


def sashimi_fish(view: View, size: int) -> Iterator[Deduction]:
    """Find finned fish with a base group that has a single place outside the fins.

    Removes those other candidates of the covers that see all fins.
    """
    yield from _fish_with_fins(view, size, sashimi=True)


def _fish_with_fins(view: View, size: int, sashimi: bool) -> Iterator[Deduction]:
    """Find finned fish: the sashimi fish if ``sashimi``, otherwise all others."""
    for value in view.board.compute_once("value sets", sets_of_values):
        for bases, covers, fins, removed in find_fish(view, value, size, MAX_FINS):
            # The body of a base is its places without the fins; it is a single place in a sashimi fish.
            bodies = [view.covers[index] & ~fins for index in bases]
            if fins and all(bodies) and any(not body & (body - 1) for body in bodies) == sashimi:
                yield fish_deduction(view, bases, covers, fins, removed)


def find_fish(
    view: View, value: Value, size: int, max_fins: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int, int]]:
    """Find all fish of one value with ``size`` bases and at most ``max_fins`` fins.

    Yields the bases and the covers as indices in ``Board.covers``, the fins and the removed candidates as masks.

    The bases are disjoint, and so are the covers. A base and a cover have at most one candidate in common. Endo-fins,
    which belong to two bases, do not occur.
    """
    board, value_sets = view.board, view.board.compute_once("value sets", sets_of_values)[value]
    # The places of the value determine the result: remember a search without any.
    key = size, max_fins, value, places_of(view, value)
    # A fish argues from one value alone, so that it removes only places that no template has.
    removable = removable_places(view, value)
    if not removable or key in board.failed_searches:
        return
    masks = [view.covers[index] for index in value_sets.covers]
    # Possible bases: exactly-one sets whose places, except the fins, cross other sets with several places.
    unplaced = sum([1 << i for i, mask in enumerate(masks) if mask & (mask - 1)])
    bases = 0
    for i in bits(unplaced):
        crossed = sum([1 for bit in bits(masks[i]) if value_sets.sets_of[bit] & value_sets.crossing[i] & unplaced])
        fits = masks[i].bit_count() <= size + max_fins and crossed >= masks[i].bit_count() - max_fins
        if board.covers[value_sets.covers[i]].is_exactly_one and fits and crossed:
            bases |= 1 << i
    is_found = False
    for chosen, candidates in _choose_bases(value_sets, bases, size):
        union = 0
        for i in chosen:
            union |= masks[i]
        if not removable & ~union:
            continue
        for covers, fins in _choose_covers(view, value_sets, candidates & unplaced, union, removable, size, max_fins):
            # Remove the candidates of the covers outside the bases, with fins only those that all fins see.
            removed = ~union
            covered = 0
            for i in covers:
                covered |= masks[i]
            removed &= covered
            if fins:
                removed &= board.seen_by_all(fins)
            if removed:
                is_found = True
                yield (
                    tuple([value_sets.covers[i] for i in chosen]),
                    tuple([value_sets.covers[i] for i in covers]),
                    fins,
                    removed,
                )
    if not is_found:
        board.failed_searches.add(key)


def _choose_bases(value_sets: ValueSets, bases: int, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield choices of disjoint, connected base sets, each with its possible cover sets.

    Bases are connected if common crossing sets join them. A cover crosses a base and overlaps none in several places.
    """

    def extend(
        chosen: tuple[int, ...], crossing: int, overlapping: int, free: int, banned: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if (crossing & ~overlapping).bit_count() >= size:
                yield chosen, crossing & ~overlapping
            return
        for i in bits(free):
            if value_sets.crossing[i] & crossing or not chosen:
                yield from extend(
                    (*chosen, i),
                    crossing | value_sets.crossing[i],
                    overlapping | value_sets.overlapping[i],
                    free & value_sets.disjoint[i] & ~banned & ~(1 << i),
                    banned,
                )
            # Each set of bases is built once: later branches do not use this base.
            banned |= 1 << i

    return extend((), 0, 0, bases, 0)


def _choose_covers(
    view: View, value_sets: ValueSets, candidates: int, union: int, removable: int, size: int, max_fins: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield choices of disjoint cover sets that contain ``union`` except at most ``max_fins`` places.

    Yields the covers, and the candidates that they do not contain, the fins. All fins see a place of ``removable``
    outside the bases.
    """
    board, masks = view.board, view.covers

    def extend(
        chosen: tuple[int, ...], uncovered: int, covered: int, free: int, fins: int, seen: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if (fins | uncovered).bit_count() <= max_fins:
                yield chosen, fins | uncovered
            return
        # A bound: each further cover contains at most one place of each base.
        room = (size - len(chosen)) * size + max_fins - fins.bit_count()
        if not uncovered or uncovered.bit_count() > room:
            return
        # Cover the lowest candidate by each of its sets in turn.
        bit = (uncovered & -uncovered).bit_length() - 1
        for i in bits(value_sets.sets_of[bit] & free):
            mask = masks[value_sets.covers[i]]
            if not mask & covered:
                yield from extend((*chosen, i), uncovered & ~mask, covered | mask, free, fins, seen)
        # Or make it a fin, if all fins so far still see a common removable place outside the bases.
        if fins.bit_count() < max_fins and (seen_by_fins := seen & board.sees[bit]):
            yield from extend(
                chosen,
                uncovered & ~(1 << bit),
                covered,
                free & ~value_sets.sets_of[bit],
                fins | 1 << bit,
                seen_by_fins,
            )

    return extend((), union, 0, candidates, 0, removable & ~union)


def fish_deduction(view: View, bases: tuple[int, ...], covers: tuple[int, ...], fins: int, removed: int) -> Deduction:
    board = view.board
    pattern = 0
    for index in bases:
        pattern |= view.covers[index]
    base_names = join_words([board.place(board.covers[index].group) for index in bases])
    cover_names = join_words([board.place(board.covers[index].group) for index in covers])
    text = f"{quoted(board.covers[bases[0]].subject)} in {base_names} fits only {cover_names}"
    if fins:
        text += f", or else {board.cells(fins)}"
    numbers = [board.groups[board.covers[index].group].number for index in (*bases, *covers)]  # type: ignore[index]
    sets = [Outline("base", view.covers[index], board.name(board.covers[index])) for index in bases]
    sets += [
        Outline("cover", view.covers[index] & pattern & ~fins, board.name(board.covers[index])) for index in covers
    ]
    sets += [Outline("fin", fins, "")] if fins else []
    return Deduction(text, removed=removed, pattern=pattern, constraints=tuple(numbers), sets=tuple(sets))
