"""Fish with any bases and covers: Franken fish and mutant fish.

In general, let b and c be the numbers of bases and covers that contain a place. Each of n bases has the value once,
each of n covers at most once. So if no place with b > c (a *fin*) holds, then no place with c > b holds. A place with
c > b that sees all fins is removed.

Sets that have several places in common, such as a row and a box, make a *Franken* fish. A fish is *mutant* if two
bases, or two covers, have a single place in common, such as a row and a column. The counting argument was published by
"Obi-Wahn" on the forum sudoku.com in 2006 and is that of the fish of the program HoDoKu.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from ....base.frozen import Frozen
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Deduction, View
from ..value_sets import ValueSets, sets_of_values
from .fish import fish_deduction
from .templates import places_of, template_use

MAX_CHOICES = 50_000
"""Maximum number of choices of covers in a view, for each size of fish; further places are left out."""


class ComplexFish(Frozen):
    """A fish with overlapping sets: bases confine a value to covers, except for fins.

    ``bases`` and ``covers`` are indices in ``Board.covers``; ``fins`` and ``removed`` are masks.
    """

    bases: tuple[int, ...]
    covers: tuple[int, ...]
    fins: int
    removed: int
    is_mutant: bool


def franken_fish(view: View, size: int) -> Iterator[Deduction]:
    """Find groups that confine a value to as many others, overlapping in several places.

    No two bases, and no two covers, share exactly one place. Removes the places that are in more covers than bases and
    see all fins.
    """
    yield from _fish_deductions(view, size, is_mutant=False)


def mutant_fish(view: View, size: int) -> Iterator[Deduction]:
    """Find groups that confine a value to as many others, overlapping in single places.

    Two bases, or two covers, share exactly one place. Removes the places that are in more covers than bases and see all
    fins.
    """
    yield from _fish_deductions(view, size, is_mutant=True)


def _fish_deductions(view: View, size: int, is_mutant: bool) -> Iterator[Deduction]:
    for fish in complex_fish(view, size):
        if fish.is_mutant == is_mutant:
            yield fish_deduction(view, fish.bases, fish.covers, fish.fins, fish.removed)


def complex_fish(view: View, size: int) -> list[ComplexFish]:
    """Return all ``ComplexFish`` of the view with ``size`` bases, fewest fins first."""
    return view.compute_once(f"complex fish of {size}", lambda: _find_all(view, size))


def _find_all(view: View, size: int) -> list[ComplexFish]:
    """Find the ``ComplexFish`` of all values with ``size`` bases, fewest fins first.

    Of several fish with equal bases and conclusions, keep the fish with the fewest fins.
    """
    best: dict[tuple[int, tuple[int, ...], bool], ComplexFish] = {}
    budget = [MAX_CHOICES]
    for value, sets in view.board.compute_once("value sets", sets_of_values).items():
        for fish in _find_fish(view, value, sets, size, budget):
            key = fish.removed, fish.bases, fish.is_mutant
            if key not in best or fish.fins.bit_count() < best[key].fins.bit_count():
                best[key] = fish
    return sorted(best.values(), key=lambda fish: (fish.fins.bit_count(), fish.bases, fish.covers))


def _find_fish(view: View, value: Value, sets: ValueSets, size: int, budget: list[int]) -> Iterator[ComplexFish]:
    """Yield the ``ComplexFish`` of one value that have ``size`` bases.

    A fish argues from one value alone, so that it removes only places that no template of the value has. Suppose such a
    place: if it completes a cover, n bases without it have all their remaining places in n - 1 covers. The number of
    choices of these covers is a binomial coefficient; ``budget`` has the number of choices that remain.
    """
    board = view.board
    masks = [view.covers[index] for index in sets.covers]
    places = places_of(view, value)
    results: dict[tuple[int, Value, int, int], list[ComplexFish]] = board.compute_once("complex fish", lambda board: {})
    for target in bits(template_use(view, value).in_none):
        # With the target placed, its sets are complete, and the places that it sees are gone.
        around = sets.sets_of[target]
        remaining = ~board.sees[target]
        rests = {i: mask & remaining for i, mask in enumerate(masks) if not around >> i & 1 and mask & remaining}
        bases = [i for i in rests if board.covers[sets.covers[i]].is_exactly_one and masks[i] & (masks[i] - 1)]
        budget[0] -= comb(len(rests), size - 1)
        if budget[0] < 0:
            return
        # The places of the value determine the result, so that the board keeps it.
        key = size, value, places, target
        if key not in results:
            # Complete the fish by each cover that contains the target.
            results[key] = [
                fish
                for chosen_bases, covers in _choose_sets(rests, bases, size)
                for last in bits(around)
                if (fish := _fish_of(view, sets, chosen_bases, (*covers, last)))
            ]
        yield from results[key]


def _fish_of(view: View, sets: ValueSets, bases: tuple[int, ...], covers: tuple[int, ...]) -> ComplexFish | None:
    """Return the ``ComplexFish`` with these bases and covers; None without overlapping sets."""
    board = view.board
    # Simple fish have disjoint bases and disjoint covers that cross; the techniques of ``fish`` find them.
    is_mutant, is_simple = False, True
    for family in (bases, covers):
        for i, j in combinations(family, 2):
            is_mutant |= bool(sets.crossing[i] >> j & 1)
            is_simple &= bool(sets.disjoint[i] >> j & 1)
    is_simple &= not any(sets.overlapping[i] >> j & 1 for i in bases for j in covers)
    if is_simple:
        return None
    # Count the bases and the covers of each place.
    counts: dict[int, int] = {}
    for family, weight in ((bases, -1), (covers, 1)):
        for i in family:
            for bit in bits(view.covers[sets.covers[i]]):
                counts[bit] = counts.get(bit, 0) + weight
    fins = sum([1 << bit for bit, count in counts.items() if count < 0])
    removed = board.seen_by_all(fins) & sum([1 << bit for bit, count in counts.items() if count > 0])
    numbers = [tuple([sets.covers[i] for i in family]) for family in (bases, covers)]
    return ComplexFish(numbers[0], numbers[1], fins, removed, is_mutant)


def _choose_sets(
    rests: dict[int, int], bases: Sequence[int], size: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield choices of ``size`` bases and ``size - 1`` covers, which contain the bases' places.

    ``rests``: for each set its remaining places. The covers contain each place at least as often as the bases do.
    """
    for covers, likely in _choose_covers(rests, bases, size):
        once, twice = _count_sets(rests, covers)
        # Only bases inside the covers count; there must be n of them.
        inside = [bases[j] for j in bits(likely) if not rests[bases[j]] & ~once and bases[j] not in covers]
        if len(inside) < size:
            continue
        for chosen in combinations(inside, size):
            based_once, based_twice = _count_sets(rests, chosen)
            # No place is in three bases: three sets through one place give nothing that two do not.
            if not based_twice & ~twice and sum([rests[i].bit_count() for i in chosen]) == (
                based_once.bit_count() + based_twice.bit_count()
            ):
                yield chosen, covers


def _choose_covers(rests: dict[int, int], bases: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield choices of ``size - 1`` covers that may contain ``size`` bases, each with these bases as bits.

    A base inside the covers is inside one of them, or shares places with two of them.
    """
    sets = [
        (
            cover,
            sum([1 << j for j, base in enumerate(bases) if not rests[base] & ~rest]),
            sum([1 << j for j, base in enumerate(bases) if rests[base] & rest]),
        )
        for cover, rest in rests.items()
    ]

    def extend(
        chosen: tuple[int, ...], start: int, inside_one: int, once: int, twice: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        is_last = len(chosen) == size - 2
        for position in range(start, len(sets)):
            cover, inside, touched = sets[position]
            likely = inside_one | inside, twice | once & touched
            if not is_last:
                yield from extend((*chosen, cover), position + 1, likely[0], once | touched, likely[1])
            elif (likely[0] | likely[1]).bit_count() >= size:
                yield (*chosen, cover), likely[0] | likely[1]

    return extend((), 0, 0, 0, 0)


def _count_sets(rests: dict[int, int], chosen: Sequence[int]) -> tuple[int, int]:
    """Return masks of the places that one or more, and two or more, sets contain."""
    once = twice = 0
    for i in chosen:
        twice |= once & rests[i]
        once |= rests[i]
    return once, twice
