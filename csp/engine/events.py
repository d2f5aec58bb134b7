"""The events of the engine, which propagation and search append to an event log in order.

An event log is a list, or any object with ``append``. Events hold snapshots and numbers; ``csp.trace`` turns them into
records with names.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

SnapshotBits = int
"""A snapshot of ``csp.engine.compiled.kernel``: a wide integer. That module imports this one, so its type is not used
here."""


class Narrowed(NamedTuple):
    """A call of a propagator, by the number of its constraint; without a removal ``before`` and ``after`` are equal."""

    propagator: int
    before: SnapshotBits
    after: SnapshotBits


class Queued(NamedTuple):
    """The pending propagators, the head first; the first ``turns`` of them run before the next sweep."""

    propagators: tuple[int, ...]
    turns: int


class Deferred(NamedTuple):
    """An expensive propagator popped without a call, because its scope has too many unfixed variables."""

    propagator: int


class Given(NamedTuple):
    """A restriction from outside: a given, a removed candidate, or a new bound on the objective."""

    before: SnapshotBits
    after: SnapshotBits


class Swept(NamedTuple):
    """A sweep over all exactly-one sets: the guards of those with a single candidate, which are fixed next."""

    singles: SnapshotBits


class Fixed(NamedTuple):
    """The single candidate of an exactly-one set, given by its bit and the guard of the set, was fixed."""

    guard: int
    bit: int
    before: SnapshotBits
    after: SnapshotBits


class Failed(NamedTuple):
    """A failure: the guards of empty exactly-one sets, and the propagator that found it, if any."""

    snapshot: SnapshotBits
    guards: SnapshotBits
    propagator: int | None


class FixpointReached(NamedTuple):
    """The end of a propagation without a failure: nothing is marked."""

    snapshot: SnapshotBits


class Decided(NamedTuple):
    """A decision of the search: it fixed the candidate of a bit, below ``depth`` other decisions."""

    bit: int
    depth: int
    before: SnapshotBits
    after: SnapshotBits


class Completed(NamedTuple):
    """A solution: every variable is fixed and every constraint holds."""

    snapshot: SnapshotBits


class PartStarted(NamedTuple):
    """The search began an independent part; the solutions of the earlier parts are kept."""


class Restarted(NamedTuple):
    """A restart of the search from its root, with the failure weights learned so far."""


Event = (
    Narrowed
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
