"""Depth-first search over snapshots, with an explicit stack."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count

from gmpy2 import mpz

from .branching import Branching
from .events import Observer
from .propagation import Effort, Propagation

RUN = 128
"""How many failures the shortest run may have before the search starts over."""


STACK_BYTES = 4 << 30
"""How many bytes the snapshots of a branch may take."""


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
        """Raise ``Stopped`` if a limit is reached and no further node may be tried."""
        if self.nodes is not None and effort.nodes >= self.nodes:
            raise Stopped(f"the limit of {self.nodes} nodes")
        self.check_time(effort)

    def check_time(self, effort: Effort) -> None:
        """Raise ``Stopped`` if the time is over."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise Stopped(f"the limit of {self.seconds:g} seconds")


class Search:
    """All solved states below a root, each once.

    Until the first solution is found the search starts over after a number of failures (``RUN`` times the Luby
    sequence), with the failure weights it has learnt; from then on the run goes on to its end. The sequence is
    unbounded, so the search is complete, and no solution comes twice.

    Parameters
    ----------
    propagation : Propagation
    limits : Limits
    effort : Effort
    observer : Observer, optional

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    .. [2] M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
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
        for number in count(1):
            finished = True
            for state in self._run(root, branching, RUN * luby(number)):
                finished = state is not None
                if state is not None:
                    yield state
            if finished:
                return
            self._effort.restarts += 1
            if self._observer is not None:
                self._observer.restarted()

    def _run(self, root: mpz, branching: Branching, most: int | None) -> Iterator[mpz | None]:
        """Solved states; None, and no more, when there are so many failures before the first."""
        effort, observer = self._effort, self._observer
        narrow = self._propagation.narrow
        lines = self._propagation.lines
        guards = lines.guards
        check_time = partial(self._limits.check_time, effort)
        stack: list[tuple[mpz, int, int]] = []
        deepest = 8 * STACK_BYTES // max(1, lines.length)
        state, depth, failures = root, 0, 0
        while True:
            if state & guards:
                if depth > deepest:
                    raise Stopped(f"the memory that {depth} decisions take")
                bits = branching.choose(state)
                stack.extend((state, bit, depth) for bit in reversed(bits))
            else:
                effort.solutions += 1
                most = None
                yield state
            while True:
                if not stack:
                    return
                parent, bit, depth = stack.pop()
                self._limits.check(effort)
                effort.nodes += 1
                state = parent & (lines.keep.get(bit) or lines.fixing(bit))
                if observer is not None:
                    observer.decided(parent, state, bit, depth)
                holds, state = narrow(state, parent, effort, observer, check_time)
                if holds:
                    depth += 1
                    break
                effort.failures += 1
                failures += 1
                branching.blame(state)
                if failures == most:
                    yield None
                    return


def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., counted from 1.

    Examples
    --------
    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    length = number.bit_length()
    return 1 << (length - 1) if number == (1 << length) - 1 else luby(number - (1 << (length - 1)) + 1)
