"""Depth-first search over snapshots, with an explicit stack."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpz

from .branching import Branching
from .events import Observer
from .propagation import Effort, Propagation

FIRST_RUN = 256
"""Failures before the first restart; each later run is allowed twice as many."""


class Stopped(Exception):
    """A limit ended the search; the message says which."""


@dataclass
class Limits:
    """When to give up.

    Parameters
    ----------
    nodes : int, optional
        The most states of the search tree to propagate.
    seconds : float, optional
        The most wall-clock time, from now on.
    """

    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        self._deadline = None if self.seconds is None else time.monotonic() + self.seconds

    def check(self, effort: Effort) -> None:
        """Raise ``Stopped`` if a limit is reached."""
        if self.nodes is not None and effort.nodes >= self.nodes:
            raise Stopped(f"the limit of {self.nodes} nodes")
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise Stopped(f"the limit of {self.seconds:g} seconds")


class Search:
    """All solved states below a root, each once.

    Until the first solution is found the search starts over after a growing number of failures, with the failure
    weights it has learnt; from then on the run goes on to its end. So it is complete, and no solution comes twice.

    Parameters
    ----------
    propagation : Propagation
    limits : Limits
    effort : Effort
    observer : Observer, optional

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    """

    def __init__(
        self, propagation: Propagation, limits: Limits, effort: Effort, observer: Observer | None = None
    ) -> None:
        self._propagation = propagation
        self._limits = limits
        self._effort = effort
        self._observer = observer

    def solutions(self, root: mpz) -> Iterator[mpz]:
        """The solved states below a fixpoint.

        Parameters
        ----------
        root : mpz
            A state at rest.

        Raises
        ------
        Stopped
            At a limit.
        """
        branching = Branching(self._propagation.lines)
        budget: int | None = FIRST_RUN
        while True:
            failures = self._effort.failures
            for state in self._run(root, branching, budget):
                if state is None:
                    break
                budget = None
                yield state
            else:
                return
            assert budget is not None
            budget += self._effort.failures - failures
            self._effort.restarts += 1
            if self._observer:
                self._observer.restarted()

    def _run(self, root: mpz, branching: Branching, budget: int | None) -> Iterator[mpz | None]:
        """Solved states; None when the budget of failures is used up before the first."""
        effort, observer = self._effort, self._observer
        narrow = self._propagation.narrow
        guards, keep = self._propagation.lines.guards, self._propagation.lines.keep
        stack: list[tuple[mpz, int, int]] = []
        state, depth, failures = root, 0, 0
        while True:
            if state & guards:
                bits = branching.choose(state)
                stack.extend((state, bit, depth) for bit in reversed(bits))
            else:
                effort.solutions += 1
                if observer:
                    observer.solved(state)
                budget = None
                yield state
            while True:
                if not stack:
                    return
                parent, bit, depth = stack.pop()
                self._limits.check(effort)
                effort.nodes += 1
                state = parent & keep[bit]
                if observer:
                    observer.decided(parent, state, bit, depth)
                holds, state = narrow(state, parent, effort, observer)
                if holds:
                    depth += 1
                    break
                effort.failures += 1
                failures += 1
                branching.blame(state)
                if failures == budget:
                    yield None
                    return
