"""The events that propagation and search append to an event log.

An event log is a list, or any object with ``append``. Events hold snapshots and numbers; ``csp.trace`` turns them into
records with names.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

SnapshotBits = int
"""A snapshot of ``csp.engine.compiled.kernel``: a wide integer. That module imports this one, so its type is not used
here."""


class PropagatorRan(NamedTuple):
    """A propagator has run: the number of its constraint, and the snapshots before and after.

    Without a removal ``before`` and ``after`` are equal. The mask of a unary constraint is logged in the same way.
    """

    propagator: int
    before: SnapshotBits
    after: SnapshotBits


class Queued(NamedTuple):
    """The pending propagators, the head first.

    The first ``turns`` of them run before the next sweep.
    """

    propagators: tuple[int, ...]
    turns: int


class Deferred(NamedTuple):
    """An expensive propagator popped without a call: too much of its scope is unfixed."""

    propagator: int


class Given(NamedTuple):
    """A given, a removed candidate, or a new bound on the objective."""

    before: SnapshotBits
    after: SnapshotBits


class Swept(NamedTuple):
    """A sweep over all exactly-one sets.

    ``singles``: the guards of the sets with a single candidate, which are fixed next.
    """

    singles: SnapshotBits


class Fixed(NamedTuple):
    """The fixing of the single candidate of an exactly-one set.

    ``guard``: of the set; ``bit``: of the candidate.
    """

    guard: int
    bit: int
    before: SnapshotBits
    after: SnapshotBits


class Failed(NamedTuple):
    """A failure: empty exactly-one sets, or a constraint that cannot hold.

    ``guards``: of the sets to blame; ``propagator``: the propagator that found the failure, if any.
    """

    snapshot: SnapshotBits
    guards: SnapshotBits
    propagator: int | None


class FixpointReached(NamedTuple):
    """The end of a propagation without a failure: nothing is marked."""

    snapshot: SnapshotBits


class Decided(NamedTuple):
    """A decision of the search, below ``depth`` other decisions: the candidate of a bit."""

    bit: int
    depth: int
    before: SnapshotBits
    after: SnapshotBits


class Completed(NamedTuple):
    """A solution: every variable is fixed and every constraint holds."""

    snapshot: SnapshotBits


class PartStarted(NamedTuple):
    """The start of an independent part; the solutions of earlier parts are kept."""


class Restarted(NamedTuple):
    """A restart of the search from its root, with the failure weights learned so far."""


Event = (
    PropagatorRan
    | Queued
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
    """An object to which events can be appended, such as a list."""

    def append(self, event: Event, /) -> object: ...
