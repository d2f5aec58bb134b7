"""Depth-first search over snapshots, with an explicit stack."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from math import inf
from random import Random

from ..compiled.kernel import Contradiction, Snapshot, Stable, TreeSearch, Turn
from ..compiled.program import CompiledModel, Priority, Projection
from ..effort import Budget, Effort, TurnOver
from ..events import Decided, EventLog, Failed, Given, Restarted, Turned
from .branching import Branching
from .propagation import Propagation

FILTERS = 100
"""How many calls of filters count as a failure, where solutions are asked whether they come easily."""


class Seen:
    """Whether a solution shows what none before has shown."""

    __slots__ = ("_found", "_shown")

    def __init__(self, projection: Projection) -> None:
        self._shown = projection.shown
        self._found: set[Snapshot] = set()

    def __contains__(self, state: Snapshot) -> bool:
        return state & self._shown in self._found

    def __call__(self, state: Snapshot) -> bool:
        before = len(self._found)
        self._found.add(state & self._shown)
        return len(self._found) > before


class Search:
    """All solved states below a root, each once.

    Solved states that differ only in what is not shown count as one: below the first solution the shown lines are
    branched on first, and when they are settled one solution is enough.

    Until the first solution is found the search starts over after a number of failures (``Settings.restart_base`` times
    the Luby sequence, and at least as often as its longest path has decisions), with the failure weights it has learnt;
    from then on the run goes on to its end. The sequence is unbounded, so the search is complete, and no solution comes
    twice.

    ``projection``: what is shown of a solution, where solutions that show alike are one.

    Attributes
    ----------
    turn : Turn
    keep : State or None
        What may stay of all that is tried from now on; whoever wants better and better solutions narrows it.
    seen : Seen or None
        The solutions found, as far as they are shown; None where everything is.

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    .. [2] M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
    """

    has_found = False  # these are the class's until they change, as there is a search for each of thousands of puzzles
    run = began = 0
    closed = 0.0
    keep: Snapshot | None = None
    _tree: TreeSearch | None = None
    _left: tuple[list[int], list[tuple[int, int]]] = [], []
    _seen = 0, 0, 0.0

    def __init__(
        self,
        program: CompiledModel,
        propagation: Propagation,
        budget: Budget,
        log: EventLog | None = None,
        projection: Projection | None = None,
        priority: Priority | None = None,
    ) -> None:
        self.turn = Turn()
        self.seen = projection and Seen(projection)
        self._program, self._propagation, self._budget, self._log = program, propagation, budget, log
        self._projection, self._aim = projection, priority

    def solutions(self, root: Snapshot) -> Iterator[Snapshot]:
        """The solved states below a fixpoint, whatever they take."""
        return (state for state in self.turns(root) if state is not None)

    def turns(self, root: Snapshot) -> Iterator[Snapshot | None]:
        """The solved states below a fixpoint; None where a turn is over, and asking for more begins another one.

        The kernel searches where it can do it itself.

        ``root``: a state at rest.

        Raises
        ------
        Stopped
            At a limit.
        """
        program, budget = self._program, self._budget
        first = program.branch if self._log is not None else ()
        branching = Branching(program.kernel, program.layout.guards, budget.random, first)
        if self._log is None and not program.priorities and self._propagation.is_sweeping:
            hidden = self._projection and self._projection.guards
            self._tree = program.kernel.tree(root, budget, program.plan, branching, self.turn, hidden, self.seen)
        return self._tree or self._runs(root, branching)

    def _runs(self, root: Snapshot, branching: Branching) -> Iterator[Snapshot | None]:
        plan = self._program.plan
        if self._log is not None:
            self._log.append(Turned())
        for self.run in count(1):
            random = Random(self.run) if self.run > plan.ordered_runs else None
            is_over = yield from self._run(root, branching, plan.run_failures * luby(self.run), random)
            if is_over:
                return
            self._budget.effort.restarts += 1
            if self._log is not None:
                self._log.append(Restarted())

    def _run(
        self, root: Snapshot, branching: Branching, most: int | None, random: Random | None
    ) -> Generator[Snapshot | None, None, bool]:
        """Yield solved states; return False after ``most`` failures without one, and as many as its path was long."""
        budget, log, guards, turn, seen = self._budget, self._log, self._program.layout.guards, self.turn, self.seen
        effort, is_endless = budget.effort, budget.is_endless
        narrow, restrict = self._propagation.narrow, self._program.kernel.restrict
        hidden = self._projection.guards if self._projection else 0
        deepest = self._program.plan.max_depth
        stack: list[tuple[Snapshot, int, int, float]] = []
        path: list[int] = []
        state, depth, longest, failures, part = root, 0, 0, 0, 1.0
        postponed: int | None = None
        self.closed, self.began = 0.0, effort.propagated
        while True:
            if state & guards:
                if depth > deepest:
                    budget.too_deep(depth)
                projected = state & ~hidden if hidden and most is None else state
                chosen = branching.choose(projected if projected & guards else state)
                if random is not None:
                    random.shuffle(chosen)
                part /= len(chosen)
                stack.extend([(state, bit, depth, part) for bit in reversed(chosen)])
            else:
                most, self.has_found = None, True
                self.closed += part
                if seen is None or seen(state):
                    effort.solutions += 1
                    yield state
                    if turn.until is not None:
                        turn.until = max(turn.until, effort.propagated + turn.reward)
                while hidden and stack and not stack[-1][0] & guards & ~hidden:
                    stack.pop()
            while True:
                if not stack:
                    return True
                if turn.until is not None and effort.propagated >= turn.until:
                    self._left = path, [(depth, bit) for _, bit, depth, _ in stack]
                    yield None
                parent, bit, depth, part = stack.pop()
                if not is_endless:
                    budget.check_node()
                effort.nodes += 1
                state = restrict(parent, bit)
                if log is not None:
                    log.append(Decided(bit, depth, parent, state))
                until = None if bit == postponed else turn.until
                try:
                    if self.keep is None:
                        result = narrow(state, parent, budget, log, until=until)
                    else:
                        result = self._narrow_better(state, parent, until)
                except TurnOver:
                    effort.nodes -= 1
                    stack.append((parent, bit, depth, part))
                    postponed = bit
                    continue
                postponed = None
                del path[depth:]
                path.append(bit)
                if isinstance(result, Stable):
                    state = result.state
                    depth += 1
                    longest = max(longest, depth)
                    break
                effort.failures += 1
                failures += 1
                self.closed += part
                branching.blame(result.guards)
                if most is not None and failures >= max(most, longest):
                    return False

    def _narrow_better(self, state: Snapshot, parent: Snapshot, until: int | None) -> Stable | Contradiction:
        """Propagate what is left where the objective must be better; its variable may be settled already, too bad."""
        assert self.keep is not None and self._aim is not None
        bounded, log, layout = state & self.keep, self._log, self._program.layout
        if log is not None:
            log.append(Given(state, bounded))
        if layout.values(bounded, self._aim.variable):
            return self._propagation.narrow(bounded, parent, self._budget, log, until=until)
        conflict = Contradiction(layout.guards_of([self._aim.variable]))
        if log is not None:
            log.append(Failed(bounded, conflict.guards, None))
        return conflict

    def remaining(self) -> float:
        """About how much work the present run would still take, if it went on as since this was asked before."""
        tree, now = self._tree or self, self._budget.effort.propagated
        run, work, closed = self._seen
        if run != tree.run:
            work, closed = tree.began, 0.0
        self._seen = tree.run, now, tree.closed
        return (now - work) * (1 - tree.closed) / (tree.closed - closed) if tree.closed > closed else inf

    def left(self) -> tuple[list[int], list[tuple[int, int]]]:
        return self._left

    def nogoods(self) -> list[tuple[int, ...]]:
        """Where a turn is over: candidates of which the run has seen all that they have together.

        These are below each decision of its path what is not on the stack, and the path. A run without an answer begins
        anew.
        """
        tree, layout = self._tree or self, self._program.layout
        if not tree.has_found:
            return []
        path, opened = tree.left()
        open_bits = set(opened)
        decided: list[int] = []
        closed = []
        for depth, bit in enumerate(path):
            (guard,) = layout.guards_at([bit])
            line = layout.exactly_one_at[guard]
            for other, candidate in enumerate(line.candidates, line.first):
                if other != bit and (depth, other) not in open_bits:
                    closed.append((*decided, candidate))
            decided.append(line.candidates[bit - line.first])
        is_open = not path or opened[-1][0] == len(path)
        return closed if is_open else [*closed, tuple(decided)]


def spent(effort: Effort) -> int:
    """Failures, and calls of filters, of which many are like one."""
    return effort.failures + effort.propagators // FILTERS


def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., counted from 1.

    Examples
    --------
    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    length = number.bit_length()
    return 1 << (length - 1) if number == (1 << length) - 1 else luby(number - (1 << (length - 1)) + 1)
