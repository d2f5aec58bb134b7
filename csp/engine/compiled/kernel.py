"""Snapshots (wide integers), and the interface of the kernels that compute with them.

Every other package uses a snapshot only through ``& | ^ ~ >>``, as a key or a condition, and by the functions of this
file. ``wide`` implements the interface in Python, ``native`` in C.

Exactly one candidate of an *exactly-one set* holds. Such a set consists of the values of a variable, or the places of a
value in a permutation. Every exactly-one set is a field of bits in one wide integer, with a *candidate bit* for each
candidate and a *guard bit* above them::

    snapshot = ...[guard][cand n]...[cand 2][cand 1]  [guard][cand m]...[cand 1]
                  \\________ exactly-one set 1 _____/  \\__ exactly-one set 0 __/

A candidate bit is 1 if the candidate is live. To *fix* a candidate is to clear the guards of its sets and the bits of
all candidates that it excludes; so a guard bit is 1 while no candidate of the set has been fixed. A value of a variable
has one bit in the variable's set, its number, and another one in each permutation set that it belongs to. A snapshot is
one immutable integer, so the search can keep it without a copy.

Subtracting ``Layout.ones``, the lowest bit of every field, subtracts 1 from all fields at once. A field without
candidates borrows from its guard; if the guard is already 0, also from the next field above. So one subtraction finds
every empty set: its guard has changed. ``snapshot & (snapshot - ones)`` clears the lowest candidate of every field. The
sets that are then empty were *singles*, sets with one candidate. Repeated, this finds the sets with the fewest
candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from ..effort import Budget, Effort
from ..events import EventLog

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])


def mask(bits: Iterable[int]) -> Snapshot:
    """Return the snapshot in which exactly these bits are set.

    Examples
    --------
    >>> int(mask([0, 3]))
    9
    """
    positions = list(bits)
    content = bytearray(max(positions, default=0) // 8 + 1)
    for bit in positions:
        content[bit >> 3] |= 1 << (bit & 7)
    return Snapshot(int.from_bytes(content, "little"))


def next_bit(snapshot: Snapshot, start: int = 0) -> int | None:
    """Return the lowest set bit at or above ``start``, or None if there is none.

    Examples
    --------
    >>> next_bit(mask([2, 5]), 3), next_bit(mask([2]), 3)
    (5, None)
    """
    rest = snapshot >> start
    return start + (rest & -rest).bit_length() - 1 if rest else None


def has_bit(snapshot: Snapshot, bit: int) -> bool:
    """Return whether a bit is set.

    Examples
    --------
    >>> has_bit(mask([2]), 2), has_bit(mask([2]), 3)
    (True, False)
    """
    return bool(snapshot >> bit & 1)


if TYPE_CHECKING:
    from ._native import Snapshot as Snapshot
else:
    try:
        from ._native import Snapshot
    except ImportError:  # in a browser, or where the kernel in C is not built
        Snapshot = int
    else:  # the C code has these three functions, too, and they are faster
        mask, next_bit, has_bit = Snapshot.of_bits, Snapshot.next_bit, Snapshot.has_bit


class Stable:
    """The result of propagation or a sweep without contradiction: the final snapshot."""

    __slots__ = ("snapshot",)

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot


class Contradiction:
    """The result of failed propagation; ``guards`` marks the exactly-one sets whose failure weights grow."""

    __slots__ = ("guards",)

    def __init__(self, guards: Snapshot) -> None:
        self.guards = guards


class Kernel(Protocol):
    """The operations on snapshots that propagation and search need.

    ``first``: the guards of the sets that are fixed before others; only a sweep with an event log follows this order.
    """

    first: Sequence[int]

    def sweep(self, snapshot: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        """Fix every single of the swept sets, until nothing changes.

        All sets are swept; at level "arc" only those of variables.

        It fails as soon as a set has no candidate.
        """

    def order_singles(self, singles: Snapshot) -> Iterator[int]:
        """Yield the guard bits of sets with one candidate, in the order of fixing."""

    def fix(self, snapshot: Snapshot, bit: int) -> Snapshot:
        """Return the snapshot after fixing a bit's candidate and removing those that it excludes."""

    def assign(self, snapshot: Snapshot, candidates: list[int]) -> Snapshot:
        """Return the snapshot after removing all other values of these candidates' variables.

        There is at most one candidate for each variable. Guards stay 1: the next sweep fixes the candidates. A
        candidate that was removed before is not restored; its variable then has no candidates.
        """

    def without(self, snapshot: Snapshot, candidates: list[int]) -> Snapshot:
        """Return the snapshot after removing these candidates."""

    def pick(self, snapshot: Snapshot, items: list[T], keys: tuple[str, ...], into: D) -> D:
        """Store in ``into``, under each variable's key, the item of its lowest candidate.

        With values as items and names as keys, this makes a solution from a solved snapshot.

        ``items``: an item for each bit of the variables; ``keys``: the keys of the first variables, in order. Returns
        ``into``.
        """

    def empty(self, snapshot: Snapshot) -> Snapshot:
        """Return the guard bits of the exactly-one sets that have no candidate."""

    def smallest(self, snapshot: Snapshot, weights: list[Snapshot]) -> list[int]:
        """Return the candidate bits of an unfixed exactly-one set with the fewest candidates.

        Of several such sets, it is one with the largest failure weight.
        """

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
        """Return a tree search in the kernel, or None if the kernel has none.

        ``hidden``: the guards of the sets on which the search branches last, after the first solution; ``is_new``:
        whether to report a solved snapshot, or None to report all.
        """


class SearchPlan(NamedTuple):
    """The parameters of a tree search; see ``Search``.

    Attributes
    ----------
    max_depth : int
        Maximum number of decisions on a path.
    run_failures : int
        Number of failures that ends the shortest run.
    ordered_runs : int
        Number of runs that keep the order of the alternatives; later runs shuffle them.
    """

    max_depth: int
    run_failures: int
    ordered_runs: int


class Ordering(Protocol):
    """The weights and the random numbers that determine the order of branching.

    Attributes
    ----------
    weights : list of Snapshot
        The failure counts of all exactly-one sets: snapshot i holds the binary digit i of each count, at the guard.
    random : random.Random or None
        Shuffles the alternatives; None keeps their order.
    """

    weights: list[Snapshot]
    random: Random | None


@dataclass(slots=True)
class Turn:
    """The limit of work at which the tree search pauses, in units of ``Effort.propagated``.

    Attributes
    ----------
    until : int or None
        The turn ends when the total work reaches this number, or never if it is None.
    reward : int
        After a solution the turn lasts at least for this much more work.
    """

    until: int | None = None
    reward: int = 0


class Paused:
    """The item that a search yields between solved snapshots when its turn ends."""

    __slots__ = ()


PAUSED = Paused()


class TreeSearch(Iterable[Snapshot | Paused], Protocol):
    """A tree search below a fixpoint; iteration yields solved snapshots and pauses.

    After a pause, the next item begins another turn.

    Attributes
    ----------
    has_found : bool
        Whether the search has found a solution; from then on it does not restart.
    run : int
        The number of the present run, counted from 1.
    work_at_start : int
        The total work at the start of the present run, as ``Effort.propagated``.
    explored_share : float
        The explored share of the tree in the present run, from 0 to 1.
    """

    has_found: bool
    run: int
    work_at_start: int
    explored_share: float

    def frontier(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the path of decisions at the pause, and (depth, bit) of each untried alternative."""


def edit(snapshot: Snapshot, cleared: Iterable[int], added: Iterable[int] = ()) -> Snapshot:
    """Return the snapshot after clearing bits, then setting bits.

    Examples
    --------
    >>> int(edit(mask([0, 1, 2, 3, 4]), [0, 2, 3, 4], [0]))
    3
    """
    return snapshot & ~mask(cleared) | mask(added)


def ones(count: int) -> Snapshot:
    """Return the snapshot in which exactly the lowest ``count`` bits are set.

    Examples
    --------
    >>> int(ones(3))
    7
    """
    return (Snapshot(1) << count) - 1


def set_bits(snapshot: Snapshot) -> Iterator[int]:
    """Yield the positions of the set bits in ascending order.

    Examples
    --------
    >>> list(set_bits(mask([0, 3])))
    [0, 3]
    """
    bit = next_bit(snapshot)
    while bit is not None:
        yield bit
        bit = next_bit(snapshot, bit + 1)


def fields(places: list[tuple[int, int]], pattern: Callable[[int], int]) -> Snapshot:
    """Return the snapshot with a pattern in each field, chosen by the field's size.

    ``places``: the lowest bit and the size of each field, the highest field first; ``pattern``: returns the bits of a
    field of a given size.

    Examples
    --------
    >>> bin(fields([(3, 2), (0, 3)], lambda size: 1 << size - 1))
    '0b10100'
    """
    # Write the binary digits from the highest field down, with zeros between the fields.
    texts: dict[int, str] = {}
    digits: list[str] = []
    end = sum(places[0]) if places else 0
    for first, size in places:
        if size not in texts:
            texts[size] = f"{pattern(size):0{size}b}" if size else ""
        digits += "0" * (end - first - size), texts[size]
        end = first
    return Snapshot(int("".join([*digits, "0" * end]) or "0", 2))
