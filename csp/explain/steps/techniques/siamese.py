"""Siamese fish: two fish with the same bases and different covers.

Each of the two removes candidates of its own. Published under this name in the forum sudoku.com; the description
followed here is that of the program HoDoKu.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ..board import Deduction, Outline, View
from ..value_sets import sets_of_values
from .complex_fish import complex_fish
from .fish import MAX_FINS, find_fish, fish_deduction


class _Fish(NamedTuple):
    """A fish: bases and covers as indices in ``Board.covers``, fins and removed candidates as masks."""

    bases: tuple[int, ...]
    covers: tuple[int, ...]
    fins: int
    removed: int


def siamese_fish(view: View) -> Iterator[Deduction]:
    """Find two finned fish that have the same bases and remove different candidates.

    The fish have two to four bases. Removes the candidates of both. The time is that of the search for fish.
    """
    for size in (2, 3, 4):
        # All fish with fins, by their bases; of equal conclusions the first.
        by_bases: dict[tuple[int, ...], dict[int, _Fish]] = {}
        for fish in _all_fish(view, size):
            if fish.fins:
                by_bases.setdefault(fish.bases, {}).setdefault(fish.removed, fish)
        done = set()
        for twins in by_bases.values():
            for first, second in combinations(twins.values(), 2):
                removed = first.removed | second.removed
                if removed not in (first.removed, second.removed) and removed not in done:
                    done.add(removed)
                    yield _siamese_deduction(view, first, second)


def _all_fish(view: View, size: int) -> Iterator[_Fish]:
    """Find all fish with ``size`` bases, simple fish first."""
    for value in view.board.compute_once("value sets", sets_of_values):
        for fish in find_fish(view, value, size, MAX_FINS):
            yield _Fish(*fish)
    for complex_one in complex_fish(view, size):
        yield _Fish(complex_one.bases, complex_one.covers, complex_one.fins, complex_one.removed)


def _siamese_deduction(view: View, first: _Fish, second: _Fish) -> Deduction:
    """Return one deduction that removes the candidates of both fish."""
    halves = [fish_deduction(view, *fish) for fish in (first, second)]
    # The picture shows the common covers; the fins of one fish may lie in a cover of the other.
    sets = dict.fromkeys([outline for outline in halves[0].sets if outline.role == "base"])
    covers = [{outline.line: outline for outline in half.sets if outline.role == "cover"} for half in halves]
    sets |= dict.fromkeys([outline for line, outline in covers[0].items() if line in covers[1]])
    return Deduction(
        "; ".join([half.text for half in halves]),
        removed=first.removed | second.removed,
        pattern=halves[0].pattern,
        constraints=tuple(dict.fromkeys(halves[0].constraints + halves[1].constraints)),
        sets=(*sets, Outline("fin", first.fins | second.fins, "")),
    )
