"""What an answer has cost, and when to give up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from random import Random
from typing import NoReturn

from ..base.errors import Stopped
from .settings import Settings

WORDS = 2_000
"""How many words of states are read in the unit of work."""

NODE, LITERAL, CONFLICT = 4, 2, 6
"""The work of choosing a line and taking a snapshot, of making a literal and handing it over, and of the least
conflict."""


def conflict_work(atoms: int) -> int:
    """The work of a conflict of a formula with so many atoms."""
    return CONFLICT + 4 * isqrt(atoms) // 5


@dataclass(slots=True)
class Effort:
    """What an answer has cost, in counts that do not depend on the machine.

    Attributes
    ----------
    sweeps : int
        Passes over all lines.
    fixes : int
        Candidates fixed by propagation.
    words : int
        Machine words that these have read: those of a state, for each operation on it.
    filters : int
        Calls of constraint filters.
    steps : int
        What the filters have looked at in these calls: values, conditions, tuples, places.
    nodes : int
        States of the search tree that were propagated, the root included.
    failures, restarts, solutions : int
    conflicts : int
        What the search that learns has learnt from.
    learning : int
        The work that these have been.
    literals : int
        How many literals its formula has.
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
        """The work of propagation and of the tree."""
        return self.words // WORDS + NODE * self.nodes + self.steps // 2

    @property
    def work(self) -> int:
        """What all of it takes, about half a microsecond each on a usual machine; the same number on every machine."""
        return self.propagated + LITERAL * self.literals + self.learning

    def add(self, other: Effort) -> None:
        """Count what another answer has cost, too."""
        self.sweeps += other.sweeps  # one by one, as this is done for every puzzle of a file
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


class TurnOver(Exception):
    """A node has taken so much that another search has its turn before it is done."""


Progress = Callable[[Effort], None]
"""Told what has been spent so far, often; what it raises ends the question."""


class Budget:
    """The limits of one question, whose clock runs from now on.

    ``settings``: its ``nodes`` and ``seconds``; ``effort``: what is spent; ``progress``: called with the
    effort whenever the limits are checked.

    Attributes
    ----------
    settings : Settings
    effort : Effort
    is_endless : bool
        Whether there is nothing to look at.
    idle : dict of int to int
        What each filter has looked at since it last found something.
    random : random.Random or None
        What draws the order of the search, where the strategy has a seed.
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
    def left(self) -> float | None:
        """The seconds that are left, None where there is no limit."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def check_node(self) -> None:
        """Raise ``Stopped`` if a limit is reached and no further node may be tried."""
        if self._nodes is not None and self.effort.nodes >= self._nodes:
            raise Stopped(f"the limit of {self._nodes} nodes")
        self.check()

    def too_deep(self, depth: int) -> NoReturn:
        """Raise ``Stopped``: there is no memory for so many decisions, one below the other."""
        raise Stopped(f"the memory that {depth} decisions take")

    def check(self) -> None:
        """Raise ``Stopped`` if the time is over."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise Stopped(f"the limit of {self._seconds:g} seconds")
        if self._progress is not None:
            self._progress(self.effort)
