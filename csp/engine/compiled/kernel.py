"""What a kernel is, and the wide integers that it works on. The only file that knows how they are made.

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

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from ..effort import Budget, Effort
from ..events import EventLog

try:
    from gmpy2 import mpz, xmpz
except ImportError:  # a browser has none
    from .plain import mpz, xmpz

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])

Snapshot: TypeAlias = mpz
"""A wide integer; other rooms use it by ``& | ^ ~ >>`` and the functions of this one."""


class Stable:
    """Nothing is left to do in this state."""

    __slots__ = ("state",)

    def __init__(self, state: Snapshot) -> None:
        self.state = state


class Contradiction:
    """Nothing can hold: the guards of the lines to blame."""

    __slots__ = ("guards",)

    def __init__(self, guards: Snapshot) -> None:
        self.guards = guards


class Kernel(Protocol):
    """What propagation and search ask of whoever keeps the states.

    ``first``: the guards of lines that are fixed before others, for whoever keeps a trail.
    """

    first: Sequence[int]

    def sweep(self, state: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        """Fix the single candidate of every line that has one, until none is left or a line is empty."""

    def in_turn(self, singles: Snapshot) -> Iterator[int]:
        """The guards of lines with one candidate, in the order in which these are fixed."""

    def restrict(self, state: Snapshot, bit: int) -> Snapshot:
        """The state in which the candidate of a bit is fixed."""

    def narrowed(self, state: Snapshot, candidates: list[int]) -> Snapshot:
        """A state in which variables, each named once, have these candidates or none."""

    def without(self, state: Snapshot, candidates: list[int]) -> Snapshot:
        """A state without some candidates."""

    def pick(self, state: Snapshot, items: list[T], keys: tuple[str, ...], into: D) -> D:
        """Of the items of all bits of variables, those of the lowest candidates of the first ones, under these keys."""

    def empty(self, state: Snapshot) -> Snapshot:
        """The guards of the waiting lines without candidates."""

    def smallest(self, state: Snapshot, weights: list[Snapshot]) -> list[int]:
        """The candidates of the smallest waiting line; ties go to the one with the greatest weight."""

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
        """The search below a state at rest as ``Search`` does it, where the kernel can do it itself.

        ``hidden``: the guards of the lines that are branched on last, once there is a solution; ``is_new``: whether a
        solved state is wanted, where not all are.
        """


class SearchPlan(NamedTuple):
    """How a tree is searched; see ``Search``.

    Attributes
    ----------
    deepest : int
        So many decisions are possible.
    run : int
        How many failures the shortest run has.
    in_order : int
        So many runs keep the order of the alternatives.
    """

    deepest: int
    run: int
    in_order: int


class Ordering(Protocol):
    """What ``Branching`` says of the order in which it tries alternatives."""

    weights: list[Snapshot]
    random: Random | None


@dataclass(slots=True)
class Turn:
    """How long a tree may go on.

    Attributes
    ----------
    until : int or None
        The turn is over at so much work of propagation and of the tree.
    reward : int
        For so much work it may go on in any case after a solution.
    """

    until: int | None = None
    reward: int = 0


class TreeSearch(Iterator["Snapshot | None"], Protocol):
    """The solved states, each when it is asked for, and None wherever a turn is over."""

    has_found: bool
    run: int
    began: int
    """The work when the present run began."""
    closed: float
    """Which part of it is done."""

    def left(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The decisions of its last node, and what is to be tried, with how many decisions before it."""


def mask(bits: Iterable[int]) -> Snapshot:
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


def edited(
    state: Snapshot, gone: Iterable[slice], lacking: Iterable[int] = (), holding: Iterable[int] = ()
) -> Snapshot:
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


def ones(count: int) -> Snapshot:
    """The state with the lowest bits set.

    Examples
    --------
    >>> int(ones(3))
    7
    """
    return (mpz(1) << count) - 1


def next_bit(state: Snapshot, start: int = 0) -> int | None:
    """The lowest bit that is set, from a start on.

    Examples
    --------
    >>> next_bit(mask([2, 5]), 3), next_bit(mask([2]), 3)
    (5, None)
    """
    found: int | None = state.bit_scan1(start)
    return found


def set_bits(state: Snapshot) -> Iterator[int]:
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


def fields(lines: list[tuple[int, int]], pattern: Callable[[int], int]) -> Snapshot:
    """A state in which every field has the pattern of its size; the highest field is the first of the list.

    Examples
    --------
    >>> bin(fields([(3, 2), (0, 3)], lambda size: 1 << size - 1))
    '0b10100'
    """
    made = xmpz(0)
    patterns: dict[int, int] = {}
    for first, size in lines:
        if size not in patterns:
            patterns[size] = pattern(size)
        made[first : first + size] = patterns[size]
    return mpz(made)
