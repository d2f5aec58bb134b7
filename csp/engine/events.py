"""The events that propagation and search append to an event log.

An event log is a list, or any object with ``append``. Events hold snapshots and numbers; ``csp.trace`` turns them into
records with names.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

SnapshotBits = Any
"""A ``Snapshot`` of ``csp.engine.compiled.kernel``, which imports this module, so that its type is not used here."""


class PropagatorRan(NamedTuple):
    """The event that a propagator has run, with the snapshots before and after.

    Without a removal ``before`` and ``after`` are equal. The mask of a unary constraint is logged in the same way.
    """

    propagator: int
    before: SnapshotBits
    after: SnapshotBits


class Popped(NamedTuple):
    """The event that the queue has popped a propagator, to run or skip next.

    ``pending``: the propagators that remain in the queue, as bits in the order of ``CompiledModel.propagators``;
    ``batch``: the pending propagators that run before the next sweep.
    """

    propagator: int
    pending: int
    batch: int


class Deferred(NamedTuple):
    """The event that a propagator was skipped: long idle, with many unfixed variables."""

    propagator: int


class Given(NamedTuple):
    """The event that a given, a removal or an objective bound was applied."""

    before: SnapshotBits
    after: SnapshotBits


class Swept(NamedTuple):
    """The event that a sweep has found the exactly-one sets with one candidate.

    ``singles``: the guards of the sets with a single candidate, which are fixed next.
    """

    singles: SnapshotBits


class Fixed(NamedTuple):
    """The event that a sweep has fixed the single candidate of an exactly-one set.

    ``guard``: of the set; ``bit``: of the candidate.
    """

    guard: int
    bit: int
    before: SnapshotBits
    after: SnapshotBits


class Failed(NamedTuple):
    """The event of a failure: exactly-one sets are empty, or a constraint cannot hold.

    ``guards``: of the sets to blame; ``propagator``: the propagator that found the failure, if any.
    """

    snapshot: SnapshotBits
    guards: SnapshotBits
    propagator: int | None


class FixpointReached(NamedTuple):
    """The event that propagation has reached a fixpoint: no single candidates, no pending propagators."""

    snapshot: SnapshotBits


class Decided(NamedTuple):
    """The event that the search has fixed a candidate, below ``depth`` other decisions."""

    bit: int
    depth: int
    before: SnapshotBits
    after: SnapshotBits


class Completed(NamedTuple):
    """The event of a solution: every variable is fixed and every constraint holds."""

    snapshot: SnapshotBits


class PartStarted(NamedTuple):
    """The event that the search of an independent part of the model has started.

    The solutions of earlier parts are kept.
    """


class Restarted(NamedTuple):
    """The event that the tree search has restarted from its root, keeping failure weights."""


Event = (
    PropagatorRan
    | Popped
    | Deferred
    | Given
    | Swept
    | Fixed
    | Failed
    | FixpointReached
    | Decided
    | Completed
    | PartStarted
    | Restarted
)


class EventLog(Protocol):
    """An object such as a list, to which propagation and search append events."""

    def append(self, event: Event, /) -> object: ...
