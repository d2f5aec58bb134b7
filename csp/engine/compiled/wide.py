"""The sweep over all lines at once, by Python and wide integers: the reference for the one in machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from ..effort import Budget, Effort
from ..events import EventLog, Failed, Fixed, Swept
from .kernel import Contradiction, Ordering, SearchPlan, Snapshot, Stable, TreeSearch, Turn, fields, set_bits

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])

STRIPPED = 8
"""Candidates stripped off all lines before the rest is added up."""

SWEEP = 3
"""How many passes over a state a sweep takes by the kernel in machine code, with what goes with it."""

CALL = 30
"""How many words are read in the time that an operation takes to begin."""


class Popcount:
    """Adds up the bits of all fields sideways: neighbouring bits to pairs, pairs to fours, and so on.

    ``begin``: for the bit of every guard, the lowest bit of its line.

    Notes
    -----
    O(log(size of the longest line)) wide operations, however much the lines have left.

    References
    ----------
    .. [1] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (sideways addition).

    Examples
    --------
    >>> lines = Popcount({3: 0, 7: 4})
    >>> [bin(lines.fewest(Snapshot(state), Snapshot(0b1000_1000))) for state in (0b1011_1111, 0b1111_1101, 0b1111_1111)]
    ['0b10000000', '0b1000', '0b10001000']
    """

    def __init__(self, begin: Mapping[int, int]) -> None:
        lines = sorted([(first, guard - first) for guard, first in begin.items()], reverse=True)
        digits = max([size for _, size in lines], default=0).bit_length()
        self._whole = fields(lines, lambda size: (1 << size) - 1)
        self._guards = fields([(first, size + 1) for first, size in lines], lambda size: 1 << size - 1)
        self._digits = [
            (digit, fields(lines, partial(_every_other, 1 << digit)), fields(lines, partial(_has_digit, digit)))
            for digit in range(digits)
        ]

    def fewest(self, state: Snapshot, waiting: Snapshot) -> Snapshot:
        """The guards of those waiting lines that have the fewest candidates."""
        total = state & self._whole
        for digit, half, _ in self._digits:
            low = total & half
            total = low + ((total ^ low) >> (1 << digit))
        for digit, _, lowest in reversed(self._digits):
            waiting = waiting & self._guards - (total >> digit & lowest) or waiting  # a borrow takes the guard
        return waiting


class WideKernel:
    """Sweeps states that are wide integers.

    ``guards``, ``ones``: the guard bit, and the lowest candidate bit, of every line; ``acting``: the guards of the
    lines that are acted upon; the others are only seen to be empty; ``begin``: for the bit of a guard, the lowest bit
    of its line; ``keep``: what may stay when the candidate of a bit is fixed, as far as known; ``fixing``: makes the
    mask of a bit that ``keep`` has not; ``narrowed``, ``without``: what the layout makes of a state and of candidates.

    References
    ----------
    .. [1] P. Norvig, "Solving every Sudoku puzzle", 2006 (the two rules that singles in both kinds of lines are).
    .. [2] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (arithmetic on fields within a word).
    """

    def __init__(
        self,
        guards: Snapshot,
        ones: Snapshot,
        acting: Snapshot,
        begin: dict[int, int],
        keep: dict[int, Snapshot],
        fixing: Callable[[int], Snapshot],
        narrowed: Callable[[Snapshot, list[int]], Snapshot],
        without: Callable[[Snapshot, list[int]], Snapshot],
    ) -> None:
        self.guards, self.ones, self.acting = guards, ones, acting
        self.begin, self.keep, self.fixing = begin, keep, fixing
        self.words = guards.bit_length() // 64 + CALL
        self.narrowed, self.without = narrowed, without
        self.first: Sequence[int] = ()

    def sweep(self, state: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        guards, ones, acting, keep, begin = self.guards, self.ones, self.acting, self.keep, self.begin
        sweeps = fixes = 0
        while True:
            sweeps += 1
            less = state - ones
            empty = (less ^ state) & guards
            if empty:
                break
            singles = state & acting & ~((state & less | guards) - ones)
            if log is not None:
                log.append(Swept(singles))
            if not singles:
                break
            if log is not None:
                state, told = self._fix(state, singles, log)
                fixes += told
                continue
            while singles:
                fixes += 1
                bit = state.bit_scan1(begin[singles.bit_scan1()])
                try:
                    state &= keep[bit]
                except KeyError:
                    state &= self.fixing(bit)
                singles &= state
        effort.sweeps += sweeps
        effort.fixes += fixes
        effort.words += (SWEEP * sweeps + fixes) * self.words
        if not empty:
            return Stable(state)
        if log is not None:
            log.append(Failed(state, empty, None))
        return Contradiction(empty)

    def _fix(self, state: Snapshot, singles: Snapshot, log: EventLog) -> tuple[Snapshot, int]:
        """The state in which all singles are fixed, and their number, for whoever keeps a trail."""
        fixes = 0
        while singles:
            fixes += 1
            guard = next(self.in_turn(singles))
            bit = state.bit_scan1(self.begin[guard])
            after = self.restrict(state, bit)
            log.append(Fixed(guard, bit, state, after))
            state = after
            singles = singles & state
        return state, fixes

    def in_turn(self, singles: Snapshot) -> Iterator[int]:
        yield from (guard for guard in self.first if singles.bit_test(guard))
        yield from (guard for guard in set_bits(singles) if guard not in self.first)

    @cached_property
    def sizes(self) -> Popcount:
        """What adds up the candidates of lines, made when lines are found to be long."""
        return Popcount(self.begin)

    def restrict(self, state: Snapshot, bit: int) -> Snapshot:
        return state & (self.keep.get(bit) or self.fixing(bit))

    def pick(self, state: Snapshot, items: list[T], keys: tuple[str, ...], into: D) -> D:
        into.update(zip(keys, map(items.__getitem__, map(state.bit_scan1, self.begin.values())), strict=False))
        return into

    def empty(self, state: Snapshot) -> Snapshot:
        return (state - self.ones ^ state) & self.guards

    def smallest(self, state: Snapshot, weights: list[Snapshot]) -> list[int]:
        smallest = self.fewest(state)
        for digit in reversed(weights):
            smallest = smallest & digit or smallest
        guard = smallest.bit_scan1()
        bits = []
        bit = state.bit_scan1(self.begin[guard])
        while bit < guard:
            bits.append(bit)
            bit = state.bit_scan1(bit + 1)
        return bits

    def fewest(self, state: Snapshot) -> Snapshot:
        """The guards of the waiting lines with the fewest candidates.

        Strips the lowest candidate off all lines until one is empty; where that takes long, adds them up.
        """
        guards, ones = self.guards, self.ones
        waiting = state & self.acting
        rest, smallest, stripped = state, Snapshot(0), 0
        less = (rest | guards) - ones
        while not smallest:
            if stripped == STRIPPED:
                return self.sizes.fewest(rest, waiting)
            stripped += 1
            rest = rest & less
            less = (rest | guards) - ones
            smallest = waiting & ~less
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
    """Whether a count of at most ``size`` candidates may have a binary digit."""
    return int(size.bit_length() > digit)


def _every_other(step: int, size: int) -> int:
    """A field in which every other piece of some bits is set, the lowest first."""
    return sum([((1 << min(step, size - place)) - 1) << place for place in range(0, size, 2 * step)])
