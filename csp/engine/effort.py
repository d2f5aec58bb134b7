"""Counters of the work of a query, and the limits on that work."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from random import Random
from typing import NoReturn

from ..base.errors import Stopped
from ..base.notation import counted
from .settings import Settings

WORDS_PER_WORK = 2_000
"""Machine words of snapshots read in one unit of work."""

WORK_PER_NODE, WORK_PER_LITERAL, MIN_CONFLICT_WORK = 4, 2, 6
"""Work of choosing an exactly-one set and copying a snapshot, of writing a literal, and of the cheapest conflict."""


def conflict_work(atoms: int) -> int:
    """Return the estimated work of one conflict in clingo's search over this many atoms."""
    return MIN_CONFLICT_WORK + 4 * isqrt(atoms) // 5


@dataclass(slots=True)
class Effort:
    """The work of a query, in counts that are the same on every machine.

    Attributes
    ----------
    sweeps : int
        Passes over all exactly-one sets.
    fixes : int
        Candidates fixed by propagation.
    words : int
        Machine words that sweeps and fixes have read: for each operation on a snapshot, the words of the snapshot.
    propagators : int
        Calls of propagators.
    steps : int
        Values, conditions, tuples and places that the propagators have examined in these calls.
    nodes : int
        Nodes of the search tree that were propagated, the root included.
    failures : int
        Nodes without a solution below them that propagation has found.
    restarts : int
        Restarts of the tree search.
    solutions : int
        Solutions found.
    conflicts : int
        Conflicts from which the learner has learned a clause.
    learning : int
        Work of these conflicts.
    literals : int
        Literals in the formula of the learner.
    """

    sweeps: int = 0
    fixes: int = 0
    words: int = 0
    propagators: int = 0
    steps: int = 0
    nodes: int = 0
    failures: int = 0
    restarts: int = 0
    solutions: int = 0
    conflicts: int = 0
    learning: int = 0
    literals: int = 0

    @property
    def propagated(self) -> int:
        """The work of propagation and of the tree search, without conflict-driven search."""
        return self.words // WORDS_PER_WORK + WORK_PER_NODE * self.nodes + self.steps // 2

    @property
    def work(self) -> int:
        """The total work of the query in one number, the same on every machine.

        A unit takes about half a microsecond on a usual machine.
        """
        return self.propagated + WORK_PER_LITERAL * self.literals + self.learning

    def add(self, other: Effort) -> None:
        """Add the counts of another query to these counts, in place."""
        self.sweeps += other.sweeps  # field by field, for speed: this runs for every puzzle of a file
        self.fixes += other.fixes
        self.words += other.words
        self.propagators += other.propagators
        self.steps += other.steps
        self.nodes += other.nodes
        self.failures += other.failures
        self.restarts += other.restarts
        self.solutions += other.solutions
        self.conflicts += other.conflicts
        self.learning += other.learning
        self.literals += other.literals


@dataclass(slots=True)
class Meter:
    """A counter of the steps of one propagator call, shared by propagators and their tables.

    Attributes
    ----------
    steps : int
        Values, conditions, tuples and places examined, without the domains that the propagator is called with.
    """

    steps: int = 0


class TurnOver(Exception):
    """Raised when a tree search's turn ends inside a node, which its next turn repeats."""


Progress = Callable[[Effort], None]
"""A callback that gets the effort so far, often; an exception that it raises ends the query."""


class Budget:
    """The limits of one query in nodes and seconds, counted from its creation.

    Parameters
    ----------
    settings : Settings
        Gives the limits ``nodes`` and ``seconds``, and the ``seed``.
    effort : Effort
        The counters of the query, compared with the limits.
    progress : function, optional
        Called with the effort at every check of the limits.

    Attributes
    ----------
    settings : Settings
    effort : Effort
    is_endless : bool
        Whether there is neither a limit nor a progress callback, so that checks can be omitted.
    idle : dict of int to int
        For each propagator, by its place in the queue, its steps since its last removal.
    random : random.Random or None
        The source of random orders; None without a seed.
    """

    def __init__(self, settings: Settings, effort: Effort, progress: Progress | None = None) -> None:
        self.settings = settings
        self.effort = effort
        self.is_endless = settings.nodes is None and settings.seconds is None and progress is None
        self.idle: dict[int, int] = {}
        self.random = None if settings.seed is None else Random(settings.seed)
        self._nodes, self._seconds, self._progress = settings.nodes, settings.seconds, progress
        self._deadline = None if settings.seconds is None else time.monotonic() + settings.seconds

    @property
    def remaining_seconds(self) -> float | None:
        """The seconds until the time limit; None without a limit."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def check_node(self) -> None:
        """Raise ``Stopped`` at the limit of nodes or of time, else call the progress callback."""
        if self._nodes is not None and self.effort.nodes >= self._nodes:
            raise Stopped(f"the limit of {counted(self._nodes, 'node', form='')}")
        self.check()

    def too_deep(self, depth: int) -> NoReturn:
        """Raise ``Stopped``, because the snapshots of this many decisions exceed the memory limit."""
        raise Stopped(f"the memory that {depth} decisions take")

    def check(self) -> None:
        """Raise ``Stopped`` if the time is over, else call the progress callback."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            assert self._seconds is not None
            raise Stopped(f"the limit of {counted(self._seconds, 'second', form='g')}")
        if self._progress is not None:
            self._progress(self.effort)
