"""Death blossom: an exactly-one set, and an almost locked set for each of its candidates.

The *stem* is a set with exactly one candidate that holds. Each of its candidates takes a value from an almost locked
set, its *petal*, that then has all its other values. Candidates that all petals exclude are removed. Published as
"Death Blossom" by Mike Barker in the Eureka forum in 2007; the description followed here is that of the program HoDoKu.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....base.notation import listed
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Deduction, Link, Outline, View
from ..cover_sets import CoverSet
from ..inference import excluding_constraints
from .als import AlmostLockedSet, almost_locked_sets

MAX_STEM = 5
"""Maximum number of candidates of a stem."""


Petal = tuple[AlmostLockedSet, Value]
"""An almost locked set, and its value that a stem candidate takes away."""


def death_blossom(view: View) -> Iterator[Deduction]:
    """Find an exactly-one set (stem) with an almost locked set (petal) for each candidate.

    Removes the candidates that each petal excludes. For a candidates and s sets with v values, the petals take O(a s v)
    time; then each stem is one intersection of masks.
    """
    petals = view.compute_once("petals", lambda: _petals(view))
    done = set()
    for stem, candidates in view.unplaced_sets:
        if not 2 <= candidates.bit_count() <= MAX_STEM:
            continue
        # The candidates that some petal of each stem candidate excludes.
        common = view.live & ~candidates
        for bit in bits(candidates):
            excluded = 0
            for mask in petals.get(bit, {}):
                excluded |= mask
            common &= excluded
        # For each of them choose the petals that exclude it and most others.
        while common:
            target = common & -common
            chosen, removed = _choose_petals(petals, candidates, target, common)
            common &= ~removed
            if removed not in done:
                done.add(removed)
                yield _deduction(view, stem, chosen, removed)


def _petals(view: View) -> dict[int, dict[int, Petal]]:
    """Map each candidate to its possible petals (almost locked sets), by excluded candidates.

    Of petals with equal masks the smallest is kept.
    """
    petals: dict[int, dict[int, Petal]] = {}
    for als in almost_locked_sets(view):
        for value, seen in als.seen.items():
            # Without this value the set has all others, each in one of its places.
            excluded = 0
            for other, seen_by_other in als.seen.items():
                if other != value:
                    excluded |= seen_by_other
            if excluded:
                for bit in bits(seen):
                    petals.setdefault(bit, {}).setdefault(excluded, (als, value))
    return petals


def _choose_petals(
    petals: dict[int, dict[int, Petal]], candidates: int, target: int, common: int
) -> tuple[dict[int, Petal], int]:
    """Return a petal for each stem candidate, and the candidates that all these petals exclude.

    Each petal excludes ``target`` and, if possible, further candidates of ``common``.
    """
    removed, chosen = common, dict[int, Petal]()
    for bit in bits(candidates):
        suitable = [mask for mask in petals[bit] if mask & target]
        best = max(suitable, key=lambda mask: (mask & removed).bit_count())
        removed &= best
        chosen[bit] = petals[bit][best]
    return chosen, removed


def _deduction(view: View, stem: CoverSet, chosen: dict[int, Petal], removed: int) -> Deduction:
    board = view.board
    words, numbers, links, pattern = [], dict[int, None](), list[Link](), 0
    outlines = [Outline("pivot", sum([1 << bit for bit in chosen]), "" if stem.group is None else board.name(stem))]
    if stem.group is not None:
        numbers[board.groups[stem.group].number] = None
    for bit, (als, value) in chosen.items():
        # The stem candidate excludes the places of its value in the petal.
        part = als.parts[value]
        by = excluding_constraints(board, 1 << bit, part)
        links.append(Link(1 << bit, part, False, by[0] if by else None))
        numbers |= dict.fromkeys([*by, als.number])
        outlines.append(Outline("set", als.mask, board.constraints[als.number].place))
        others = listed([other for other in als.parts if other != value])
        words.append(f"with {board.assignment(bit)}, {board.cells(als.mask)} have {others}")
        pattern |= als.mask | 1 << bit
    return Deduction(
        f"{board.name(stem)}: {'; '.join(words)}", removed=removed, pattern=pattern, constraints=tuple(numbers),
        nodes={node: False for link in links for node in link[:2]}, links=tuple(links),
        sets=tuple(dict.fromkeys(outlines)),
    )  # fmt: skip
