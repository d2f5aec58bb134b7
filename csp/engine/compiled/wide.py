"""The kernel in Python: wide integers sweep all exactly-one sets at once.

It is the reference for the kernel in C (``_native.c``), and the only kernel that writes an event log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import repeat
from typing import Any, TypeVar, cast

from ..effort import Budget, Effort
from ..events import EventLog, Failed, Fixed, Swept
from .exclusions import Exclusions
from .kernel import (
    Contradiction,
    Ordering,
    SearchPlan,
    Snapshot,
    Stable,
    TreeSearch,
    Turn,
    fields,
    has_bit,
    next_bit,
    set_bits,
)
from .layout import Layout

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])

find_bit = cast(Callable[..., int], next_bit)
"""``next_bit`` where the snapshot certainly has such a bit."""

STRIPPED = 8
"""Number of candidates stripped from every exactly-one set before the remaining ones are counted."""

SWEEP = 3
"""The cost of a sweep of the C kernel, in passes over a snapshot; the unit of ``Effort.words`` is one word."""

CALL = 30
"""The fixed cost of a wide operation, in words that could be read in the same time."""


class Popcount:
    """A finder of the exactly-one sets with the fewest candidates, by counting bits in parallel.

    It adds neighbouring bits to pairs, pairs to fours, and so on.

    ``begin``: for every guard bit, the lowest bit of its exactly-one set.

    Notes
    -----
    O(log(size of the largest set)) wide operations, independent of the number of candidates.

    References
    ----------
    .. [1] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (sideways addition).

    Examples
    --------
    >>> popcount = Popcount({3: 0, 7: 4})
    >>> states = (0b1011_1111, 0b1111_1101, 0b1111_1111)
    >>> [bin(popcount.fewest(Snapshot(state), Snapshot(0b1000_1000))) for state in states]
    ['0b10000000', '0b1000', '0b10001000']
    """

    def __init__(self, begin: Mapping[int, int]) -> None:
        places = sorted([(first, guard - first) for guard, first in begin.items()], reverse=True)
        digits = max([size for _, size in places], default=0).bit_length()
        self._candidate_bits = fields(places, lambda size: (1 << size) - 1)
        self._guards = fields([(first, size + 1) for first, size in places], lambda size: 1 << size - 1)
        self._digits = [
            (digit, fields(places, partial(_every_other, 1 << digit)), fields(places, partial(_has_digit, digit)))
            for digit in range(digits)
        ]

    def fewest(self, snapshot: Snapshot, unfixed: Snapshot) -> Snapshot:
        """Return the guard bits among ``unfixed`` whose sets have the fewest candidates."""
        # Add neighbouring groups of bits, until each field holds the number of its candidates in binary.
        totals = snapshot & self._candidate_bits
        for digit, half, _ in self._digits:
            low = totals & half
            totals = low + ((totals ^ low) >> (1 << digit))
        # From the highest digit on, keep the guards whose count has a 0 there, if there are any.
        for digit, _, lowest in reversed(self._digits):
            unfixed = unfixed & self._guards - (totals >> digit & lowest) or unfixed  # a digit 1 borrows from the guard
        return unfixed


class WideKernel:
    """A kernel in Python, which computes on whole snapshots as wide integers.

    Parameters
    ----------
    layout : Layout
    exclusions : Exclusions
        Makes the masks that fix a candidate.
    active : Snapshot
        The guards of the sets whose singles are fixed; the other sets are only checked for emptiness.
    first : sequence of int
        See ``Kernel``.

    References
    ----------
    .. [1] P. Norvig, "Solving every Sudoku puzzle", 2006 (the two rules: single values and single places).
    .. [2] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (arithmetic on fields within a word).
    """

    def __init__(self, layout: Layout, exclusions: Exclusions, active: Snapshot, first: Sequence[int]) -> None:
        self.guards, self.ones, self.begin = layout.guards, layout.ones, layout.begin
        self.active, self.first = active, first
        self.keep, self.make_keep = exclusions.keep, exclusions.make_keep
        self.assign, self.without = layout.assign, layout.without
        self.words = layout.guards.bit_length() // 64 + CALL

    def sweep(self, snapshot: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        guards, ones, active, keep, begin = self.guards, self.ones, self.active, self.keep, self.begin
        sweeps = fixes = 0
        while True:
            sweeps += 1
            # Subtract 1 from all fields at once: the guard of every set without candidates changes.
            less = snapshot - ones
            empty = (less ^ snapshot) & guards
            if empty:
                break
            # Clear the lowest candidate of every set and subtract 1 again: the guards that change are singles.
            singles = snapshot & active & ~((snapshot & less | guards) - ones)
            if log is not None:
                log.append(Swept(singles))
            if not singles:
                break
            if log is not None:
                snapshot, fixes_done = self._fix_singles(snapshot, singles, log)
                fixes += fixes_done
                continue
            # Fix all singles of this sweep. Fixing one also clears the guards of the other sets with its candidate.
            while singles:
                fixes += 1
                bit = find_bit(snapshot, begin[find_bit(singles)])
                try:
                    snapshot &= keep[bit]
                except KeyError:
                    snapshot &= self.make_keep(bit)
                singles &= snapshot
        effort.sweeps += sweeps
        effort.fixes += fixes
        effort.words += (SWEEP * sweeps + fixes) * self.words
        if not empty:
            return Stable(snapshot)
        if log is not None:
            log.append(Failed(snapshot, empty, None))
        return Contradiction(empty)

    def _fix_singles(self, snapshot: Snapshot, singles: Snapshot, log: EventLog) -> tuple[Snapshot, int]:
        """Fix the candidates of one-candidate sets, and log an event for each."""
        fixes = 0
        while singles:
            fixes += 1
            guard = next(self.order_singles(singles))
            bit = find_bit(snapshot, self.begin[guard])
            after = self.fix(snapshot, bit)
            log.append(Fixed(guard, bit, snapshot, after))
            snapshot = after
            singles = singles & snapshot
        return snapshot, fixes

    def order_singles(self, singles: Snapshot) -> Iterator[int]:
        yield from (guard for guard in self.first if has_bit(singles, guard))
        yield from (guard for guard in set_bits(singles) if guard not in self.first)

    @cached_property
    def sizes(self) -> Popcount:
        """The ``Popcount`` that finds the smallest sets when all sets are large."""
        return Popcount(self.begin)

    def fix(self, snapshot: Snapshot, bit: int) -> Snapshot:
        return snapshot & (self.keep.get(bit) or self.make_keep(bit))

    def pick(self, snapshot: Snapshot, items: list[T], keys: tuple[str, ...], into: D) -> D:
        candidates = map(find_bit, repeat(snapshot), self.begin.values())
        into.update(zip(keys, map(items.__getitem__, candidates), strict=False))
        return into

    def empty(self, snapshot: Snapshot) -> Snapshot:
        return (snapshot - self.ones ^ snapshot) & self.guards

    def smallest(self, snapshot: Snapshot, weights: list[Snapshot]) -> list[int]:
        smallest = self.fewest(snapshot)
        # The weights are bit-sliced, so compare them digit by digit, the highest first.
        for digit in reversed(weights):
            smallest = smallest & digit or smallest
        guard = next(set_bits(smallest))
        return [bit for bit in range(self.begin[guard], guard) if has_bit(snapshot, bit)]

    def fewest(self, snapshot: Snapshot) -> Snapshot:
        """Return the guard bits of the smallest sets that are unfixed and active.

        Strips the lowest candidate from all sets until one is empty. After ``STRIPPED`` steps it counts instead.
        """
        guards, ones = self.guards, self.ones
        unfixed = snapshot & self.active
        rest, smallest, stripped = snapshot, Snapshot(0), 0
        less = (rest | guards) - ones
        while not smallest:
            if stripped == STRIPPED:
                return self.sizes.fewest(rest, unfixed)
            stripped += 1
            # Clear the lowest candidate of every set; a set that is now empty loses its guard to the subtraction.
            rest = rest & less
            less = (rest | guards) - ones
            smallest = unfixed & ~less
        return smallest

    def tree(
        self,
        root: Snapshot,
        budget: Budget,
        plan: SearchPlan,
        order: Ordering,
        turn: Turn,
        hidden: Snapshot | None,
        is_new: Callable[[Snapshot], bool] | None,
    ) -> TreeSearch | None:
        return None


def _has_digit(digit: int, size: int) -> int:
    """Return 1 if counts up to ``size`` need the binary digit ``digit``, else 0."""
    return int(size.bit_length() > digit)


def _every_other(step: int, size: int) -> int:
    """Return ``size`` bits in alternating runs of ``step`` ones and ``step`` zeros."""
    return sum([((1 << min(step, size - place)) - 1) << place for place in range(0, size, 2 * step)])
