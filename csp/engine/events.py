"""The events that propagation and search append to an event log.

An event log is a list, or any object with ``append``. Events hold snapshots and numbers; ``csp.trace`` turns them into
records with names.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

SnapshotBits = Any
"""A ``Snapshot`` of ``csp.engine.compiled.kernel``, which imports this module, so that its type is not used here."""


class PropagatorRan(NamedTuple):
    """A propagator has run: the number of its constraint, and the snapshots before and after.

    Without a removal ``before`` and ``after`` are equal. The mask of a unary constraint is logged in the same way.
    """

    propagator: int
    before: SnapshotBits
    after: SnapshotBits


class Popped(NamedTuple):
    """The queue has popped a propagator, which runs next or is skipped.

    ``pending``: the propagators that remain in the queue, as bits in the order of ``CompiledModel.propagators``;
    ``batch``: the pending propagators that run before the next sweep.
    """

    propagator: int
    pending: int
    batch: int


class Deferred(NamedTuple):
    """A propagator was skipped: it was idle for long, and too many variables are unfixed."""

    propagator: int


class Given(NamedTuple):
    """A given, a removed candidate or a bound on the objective was applied."""

    before: SnapshotBits
    after: SnapshotBits


class Swept(NamedTuple):
    """A sweep has found the exactly-one sets that have a single candidate.

    ``singles``: the guards of the sets with a single candidate, which are fixed next.
    """

    singles: SnapshotBits


class Fixed(NamedTuple):
    """A sweep has fixed the single candidate of an exactly-one set.

    ``guard``: of the set; ``bit``: of the candidate.
    """

    guard: int
    bit: int
    before: SnapshotBits
    after: SnapshotBits


class Failed(NamedTuple):
    """Propagation has failed: exactly-one sets are empty, or a constraint cannot hold.

    ``guards``: of the sets to blame; ``propagator``: the propagator that found the failure, if any.
    """

    snapshot: SnapshotBits
    guards: SnapshotBits
    propagator: int | None


class FixpointReached(NamedTuple):
    """Propagation has reached a fixpoint: no candidate to fix, no pending propagator."""

    snapshot: SnapshotBits


class Decided(NamedTuple):
    """The search has fixed a candidate, as a decision below ``depth`` other decisions."""

    bit: int
    depth: int
    before: SnapshotBits
    after: SnapshotBits


class Completed(NamedTuple):
    """The search has found a solution: every variable is fixed and every constraint holds."""

    snapshot: SnapshotBits


class PartStarted(NamedTuple):
    """The search of an independent part has started; the solutions of earlier parts are kept."""


class Restarted(NamedTuple):
    """The search has restarted from its root, with the failure weights learned so far."""


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
