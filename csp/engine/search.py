"""Depth-first search over snapshots, with an explicit stack."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count

from ..errors import Stopped
from .branching import Branching
from .effort import Budget
from .kernel import Rest, State
from .program import Program
from .propagation import Propagation
from .trail import Decided, Restarted, Trail


class Search:
    """All solved states below a root, each once.

    Until the first solution is found the search starts over after a number of failures (``Strategy.run`` times the
    Luby sequence), with the failure weights it has learnt; from then on the run goes on to its end. The sequence is
    unbounded, so the search is complete, and no solution comes twice.

    Parameters
    ----------
    program : Program
    propagation : Propagation
    budget : Budget
    trail : Trail, optional

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    .. [2] M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
    """

    def __init__(self, program: Program, propagation: Propagation, budget: Budget, trail: Trail | None = None) -> None:
        self._kernel = program.kernel
        self._guards = program.layout.guards
        self._run_length = program.strategy.run
        self._deepest = 8 * program.strategy.stack // max(1, program.layout.length)
        self._propagation = propagation
        self._budget = budget
        self._trail = trail

    def solutions(self, root: State) -> Iterator[State]:
        """The solved states below a fixpoint.

        Parameters
        ----------
        root : State
            A state at rest.

        Raises
        ------
        Stopped
            At a limit.
        """
        branching = Branching(self._kernel)
        for number in count(1):
            is_over = yield from self._run(root, branching, self._run_length * luby(number))
            if is_over:
                return
            self._budget.effort.restarts += 1
            if self._trail is not None:
                self._trail.append(Restarted())

    def _run(self, root: State, branching: Branching, most: int | None) -> Generator[State, None, bool]:
        """Solved states; returns False if it has given up, after so many failures before the first."""
        budget, trail = self._budget, self._trail
        effort, is_endless = budget.effort, budget.is_endless
        narrow, restrict = self._propagation.narrow, self._kernel.restrict
        stack: list[tuple[State, int, int]] = []
        state, depth, failures = root, 0, 0
        while True:
            if state & self._guards:
                if depth > self._deepest:
                    raise Stopped(f"the memory that {depth} decisions take")
                stack.extend([(state, bit, depth) for bit in reversed(branching.choose(state))])
            else:
                effort.solutions += 1
                most = None
                yield state
            while True:
                if not stack:
                    return True
                parent, bit, depth = stack.pop()
                if not is_endless:
                    budget.check_node()
                effort.nodes += 1
                state = restrict(parent, bit)
                if trail is not None:
                    trail.append(Decided(bit, depth, parent, state))
                result = narrow(state, parent, budget, trail)
                if isinstance(result, Rest):
                    state = result.state
                    depth += 1
                    break
                effort.failures += 1
                failures += 1
                branching.blame(result.guards)
                if failures == most:
                    return False


def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., counted from 1.

    Examples
    --------
    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    length = number.bit_length()
    return 1 << (length - 1) if number == (1 << length) - 1 else luby(number - (1 << (length - 1)) + 1)
