"""The sweep over all lines at once. The only file that knows how wide integers are made.

A *line* is a set of candidates of which exactly one holds. Every line is a field of bits in one wide integer, a bit per
candidate and a *guard* bit above them::

    state = ...[guard][cand n]...[cand 2][cand 1]  [guard][cand m]...[cand 1]
               \\______________ line 1 _________/  \\________ line 0 _______/

A candidate bit says that the candidate is live, a guard bit that the line still waits for its candidate. A state is
one immutable integer, so a snapshot is free.

Subtracting ``ones`` (the lowest bit of every field) takes one from all fields at once; a borrow reaches the guard
where a field was empty. So a handful of wide operations finds every empty line, every line with a single candidate,
and, repeated, every line with the fewest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Protocol, TypeAlias

from gmpy2 import mpz, xmpz

from ..effort import Effort
from ..trail import Failed, Fixed, Swept, Trail

State: TypeAlias = mpz
"""A wide integer; other rooms use it by ``& | ^ ~ >>`` and the functions of this one."""


STRIPPED = 8
"""So many candidates are stripped off all lines before those that are left are added up."""


class Rest:
    """Nothing is left to do in this state."""

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state


class Conflict:
    """Nothing can hold: the guards of the lines to blame."""

    __slots__ = ("guards",)

    def __init__(self, guards: State) -> None:
        self.guards = guards


class Kernel(Protocol):
    """What propagation and search ask of whoever keeps the states."""

    def sweep(self, state: State, effort: Effort, trail: Trail | None) -> Rest | Conflict:
        """Fix the single candidate of every line that has one, until none is left or a line is empty."""

    def restrict(self, state: State, bit: int) -> State:
        """The state in which the candidate of a bit is fixed."""

    def empty(self, state: State) -> State:
        """The guards of the waiting lines without candidates."""

    def smallest(self, state: State, weights: list[State]) -> list[int]:
        """The candidates of the smallest waiting line; ties go to the one with the greatest weight."""


class Sizes:
    """Adds up the bits of all fields sideways: neighbouring bits to pairs, pairs to fours, and so on.

    Parameters
    ----------
    begin : mapping from int to int
        For the bit of every guard, the lowest bit of its line.

    Notes
    -----
    O(log(size of the longest line)) wide operations, however much the lines have left.

    References
    ----------
    .. [1] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (sideways addition).

    Examples
    --------
    >>> lines = Sizes({3: 0, 7: 4})
    >>> [bin(lines.fewest(State(state), State(0b1000_1000))) for state in (0b1011_1111, 0b1111_1101, 0b1111_1111)]
    ['0b10000000', '0b1000', '0b10001000']
    """

    def __init__(self, begin: Mapping[int, int]) -> None:
        lines = sorted([(first, guard - first) for guard, first in begin.items()], reverse=True)
        digits = max([size for _, size in lines], default=0).bit_length()
        self._whole = _fields(lines, lambda size: (1 << size) - 1)
        self._guards = _fields([(first, size + 1) for first, size in lines], lambda size: 1 << size - 1)
        self._digits = [
            (digit, _fields(lines, partial(_every_other, 1 << digit)), _fields(lines, partial(_has_digit, digit)))
            for digit in range(digits)
        ]

    def fewest(self, state: State, waiting: State) -> State:
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

    Parameters
    ----------
    guards, ones : State
        The guard bit, and the lowest candidate bit, of every line.
    acting : State
        The guards of the lines that are acted upon; the others are only seen to be empty.
    begin : dict of int to int
        For the bit of a guard, the lowest bit of its line.
    keep : dict of int to State
        What may stay when the candidate of a bit is fixed, as far as known.
    fixing : function
        Makes the mask of a bit that ``keep`` has not.

    References
    ----------
    .. [1] P. Norvig, "Solving every Sudoku puzzle", 2006 (the two rules that singles in both kinds of lines are).
    .. [2] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (arithmetic on fields within a word).
    """

    def __init__(
        self,
        guards: State,
        ones: State,
        acting: State,
        begin: dict[int, int],
        keep: dict[int, State],
        fixing: Callable[[int], State],
    ) -> None:
        self.guards, self.ones, self.acting = guards, ones, acting
        self.begin, self.keep, self.fixing = begin, keep, fixing

    def sweep(self, state: State, effort: Effort, trail: Trail | None) -> Rest | Conflict:
        guards, ones, acting, keep, begin = self.guards, self.ones, self.acting, self.keep, self.begin
        sweeps = fixes = 0
        while True:
            sweeps += 1
            less = state - ones
            empty = (less ^ state) & guards
            if empty:
                break
            singles = state & acting & ~((state & less | guards) - ones)
            if trail is not None:
                trail.append(Swept(singles))
            if not singles:
                break
            if trail is not None:
                state, told = self._fix(state, singles, trail)
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
        if not empty:
            return Rest(state)
        if trail is not None:
            trail.append(Failed(state, empty, None))
        return Conflict(empty)

    def _fix(self, state: State, singles: State, trail: Trail) -> tuple[State, int]:
        """The state in which all singles are fixed, and their number, for whoever keeps a trail."""
        fixes = 0
        while singles:
            fixes += 1
            guard = singles.bit_scan1()
            bit = state.bit_scan1(self.begin[guard])
            after = self.restrict(state, bit)
            trail.append(Fixed(guard, bit, state, after))
            state = after
            singles = singles & state
        return state, fixes

    @cached_property
    def sizes(self) -> Sizes:
        """What adds up the candidates of lines, made when lines are found to be long."""
        return Sizes(self.begin)

    def restrict(self, state: State, bit: int) -> State:
        return state & (self.keep.get(bit) or self.fixing(bit))

    def empty(self, state: State) -> State:
        return (state - self.ones ^ state) & self.guards

    def smallest(self, state: State, weights: list[State]) -> list[int]:
        """Strips the lowest candidate off all lines until one is empty; where that takes long, adds them up."""
        guards, ones = self.guards, self.ones
        waiting = state & self.acting
        rest, smallest, stripped = state, mpz(0), 0
        less = (rest | guards) - ones
        while not smallest:
            if stripped == STRIPPED:
                smallest = self.sizes.fewest(rest, waiting)
                break
            stripped += 1
            rest = rest & less
            less = (rest | guards) - ones
            smallest = waiting & ~less
        for digit in reversed(weights):
            smallest = smallest & digit or smallest
        guard = smallest.bit_scan1()
        bits = []
        bit = state.bit_scan1(self.begin[guard])
        while bit < guard:
            bits.append(bit)
            bit = state.bit_scan1(bit + 1)
        return bits


def mask(bits: Iterable[int]) -> State:
    """The state with these bits set.

    Examples
    --------
    >>> int(mask([0, 3]))
    9
    """
    every = list(bits)
    if len(every) < 9:
        few = mpz(0)
        for bit in every:
            few = few.bit_set(bit)
        return few
    made = xmpz(0)
    made[max(every)] = 1  # so that the integer grows once
    for bit in every:
        made[bit] = 1
    return mpz(made)


def edited(state: State, gone: Iterable[slice], lacking: Iterable[int] = (), holding: Iterable[int] = ()) -> State:
    """The state without the bits of some slices and without some others, and then with some.

    A slice, however long, takes little more than a bit.

    Examples
    --------
    >>> int(edited(mask([0, 1, 2, 3, 4]), [slice(0, 5, 2)], [3], [0]))
    3
    """
    made = xmpz(state)
    for bits in gone:
        made[bits] = 0
    for bit in lacking:
        made[bit] = 0
    for bit in holding:
        made[bit] = 1
    return mpz(made)


def ones(count: int) -> State:
    """The state with the lowest bits set.

    Examples
    --------
    >>> int(ones(3))
    7
    """
    return (mpz(1) << count) - 1


def next_bit(state: State, start: int = 0) -> int | None:
    """The lowest bit that is set, from a start on.

    Examples
    --------
    >>> next_bit(mask([2, 5]), 3), next_bit(mask([2]), 3)
    (5, None)
    """
    found: int | None = state.bit_scan1(start)
    return found


def lowest(state: State, starts: Iterable[int]) -> Iterator[int]:
    """The lowest bit that is set from each start on, where there is one.

    Examples
    --------
    >>> list(lowest(mask([2, 5]), [0, 3]))
    [2, 5]
    """
    return map(state.bit_scan1, starts)


def set_bits(state: State) -> Iterator[int]:
    """The bits that are set, from the lowest.

    Examples
    --------
    >>> list(set_bits(mask([0, 3])))
    [0, 3]
    """
    bit = state.bit_scan1()
    while bit is not None:
        yield bit
        bit = state.bit_scan1(bit + 1)


def _has_digit(digit: int, size: int) -> int:
    """Whether the number of so many candidates may have a digit."""
    return int(size.bit_length() > digit)


def _every_other(step: int, size: int) -> int:
    """A field in which every other piece of some bits is set, the lowest first."""
    return sum([((1 << min(step, size - place)) - 1) << place for place in range(0, size, 2 * step)])


def _fields(lines: list[tuple[int, int]], pattern: Callable[[int], int]) -> State:
    """A state in which every field has the pattern of its size; the highest field is the first of the list."""
    made = xmpz(0)
    patterns: dict[int, int] = {}
    for first, size in lines:
        if size not in patterns:
            patterns[size] = pattern(size)
        made[first : first + size] = patterns[size]
    return mpz(made)
