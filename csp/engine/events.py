"""What the engine did, in order, written down by the engine itself while it works.

A trail is a list, or whatever has ``append``. It holds states and numbers; ``csp.trace`` makes words of them.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

SnapshotBits = int
"""As of ``csp.engine.compiled.kernel``, which writes here, too: a wide integer."""


class Narrowed(NamedTuple):
    """A filter took its turn: the number of its constraint; before and after are equal where it had nothing to tell."""

    propagator: int
    before: SnapshotBits
    after: SnapshotBits


class Queued(NamedTuple):
    """The filters that wait, the head first; the first of them, so many, have turns before lines are swept again."""

    propagators: tuple[int, ...]
    turns: int


class Deferred(NamedTuple):
    """A dear filter was taken off the queue without being called: too many variables of its scope are open."""

    propagator: int


class Given(NamedTuple):
    """What was asked came with a value for a variable or without a candidate, or the objective has a new bound."""

    before: SnapshotBits
    after: SnapshotBits


class Swept(NamedTuple):
    """All lines were looked at: these guards are of those with a single candidate, which are fixed in turn."""

    singles: SnapshotBits


class Fixed(NamedTuple):
    """The line of a guard had the single candidate of a bit, which was fixed."""

    guard: int
    bit: int
    before: SnapshotBits
    after: SnapshotBits


class Failed(NamedTuple):
    """The lines of these guards have no candidate left, or, where it is named, a filter found that nothing can hold."""

    state: SnapshotBits
    guards: SnapshotBits
    propagator: int | None


class Rested(NamedTuple):
    """Nothing is marked any more."""

    state: SnapshotBits


class Decided(NamedTuple):
    """The search fixed the candidate of a bit, below ``depth`` decisions."""

    bit: int
    depth: int
    before: SnapshotBits
    after: SnapshotBits


class Completed(NamedTuple):
    """Every variable is fixed and every constraint holds."""

    state: SnapshotBits


class Turned(NamedTuple):
    """The search turned to the next independent part, keeping what it has found for those before."""


class Restarted(NamedTuple):
    """The search began again from the root, with the failure weights that it has learnt."""


Event = (
    Narrowed | Queued | Deferred | Given | Swept | Fixed | Failed | Rested | Decided | Completed | Turned | Restarted
)


class EventLog(Protocol):
    """Whatever events can be appended to."""

    def append(self, event: Event, /) -> object: ...
