"""Depth-first search over snapshots with an explicit stack, restarts and failure weights.

The same search exists in C; ``Search`` hands over to it when it can. Read ``Search._search_once`` for the algorithm.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from math import inf
from random import Random

from ..compiled.kernel import PAUSED, Contradiction, Paused, Snapshot, Solved, Stable, TreeSearch, Turn
from ..compiled.program import CompiledModel, Priority, Projection
from ..effort import Budget, Effort, TurnOver
from ..events import Decided, EventLog, Failed, Given, PartStarted, Restarted
from .branching import Branching
from .propagation import Propagation

CALLS_PER_FAILURE = 100
"""Calls of propagators that weigh as much as one failure when the search decides whether solutions come easily."""


class ShownSolutions:
    """A set of solutions that compares only the shown variables.

    A call adds a solution and returns whether it is new.
    """

    __slots__ = ("_shown_bits", "_solutions")

    def __init__(self, projection: Projection) -> None:
        self._shown_bits = projection.shown
        self._solutions: set[Snapshot] = set()

    def __contains__(self, solution: Snapshot) -> bool:
        return solution & self._shown_bits in self._solutions

    def __call__(self, solution: Snapshot) -> bool:
        size_before = len(self._solutions)
        self._solutions.add(solution & self._shown_bits)
        return len(self._solutions) > size_before


class Search:
    """A depth-first search for all solved snapshots below a fixpoint, with restarts.

    With a projection, solutions that differ only in hidden variables count as one: after the first solution the
    search branches on shown exactly-one sets first, and takes one solution below each of their assignments.

    Until the first solution the search restarts after a number of failures: ``Settings.restart_base`` times the Luby
    sequence, and at least the length of the longest path of decisions. Failure weights are kept. After the first
    solution a run continues to its end. The limits of the runs are unbounded, so the search is complete, and no
    solution comes twice.

    Attributes
    ----------
    turn : Turn
        The limit of work at which the search pauses for another search.
    bound_mask : Snapshot or None
        The candidates that further solutions may use; the caller narrows it to require better solutions.
    shown_solutions : ShownSolutions or None
        The solutions found so far; None without a projection.
    has_found : bool
        Whether the search has found a solution; from then on it does not restart.
    run : int
        The number of the present run, counted from 1.
    began : int
        The total work at the start of the present run, as ``Effort.propagated``.
    closed : float
        The explored share of the tree in the present run, from 0 to 1.

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    .. [2] M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
    """

    # Defaults of the class: thousands of puzzles have a search each, and most of them change no default.
    has_found = False
    run = began = 0
    closed = 0.0
    bound_mask: Snapshot | None = None
    _tree: TreeSearch | None = None
    _paused_at: tuple[list[int], list[tuple[int, int]]] = [], []
    _last_estimate = 0, 0, 0.0

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
        self.shown_solutions = projection and ShownSolutions(projection)
        self._program, self._propagation, self._budget, self._log = program, propagation, budget, log
        self._projection, self._priority = projection, priority

    def solutions(self, root: Snapshot) -> Iterator[Snapshot]:
        """Yield every solution in the search tree under a fixpoint."""
        return (item.snapshot for item in self.turns(root) if isinstance(item, Solved))

    def turns(self, root: Snapshot) -> Iterator[Solved | Paused]:
        """Yield every solution under a fixpoint, and each pause of the search.

        The next item after a pause begins another turn. The kernel runs the search itself if it can.

        Raises
        ------
        Stopped
            At a limit of the budget.
        """
        program, budget = self._program, self._budget
        preferred = program.branch if self._log is not None else ()
        branching = Branching(program.kernel, program.layout.guards, budget.random, preferred)
        if self._log is None and not program.priorities and self._propagation.needs_only_sweeps:
            hidden = self._projection and self._projection.guards
            self._tree = program.kernel.tree(
                root, budget, program.plan, branching, self.turn, hidden, self.shown_solutions
            )
        return self._tree or self._search_with_restarts(root, branching)

    def _search_with_restarts(self, root: Snapshot, branching: Branching) -> Iterator[Solved | Paused]:
        """Run the tree search from the root, and again after each restart."""
        plan = self._program.plan
        if self._log is not None:
            self._log.append(PartStarted())
        for self.run in count(1):
            # Later runs try the alternatives in a random order, seeded by the number of the run.
            random = Random(self.run) if self.run > plan.ordered_runs else None
            is_complete = yield from self._search_once(root, branching, plan.run_failures * luby(self.run), random)
            if is_complete:
                return
            self._budget.effort.restarts += 1
            if self._log is not None:
                self._log.append(Restarted())

    def _search_once(
        self, root: Snapshot, branching: Branching, max_failures: int, random: Random | None
    ) -> Generator[Solved | Paused, None, bool]:
        """Yield the solutions of one run; return False if the run ended for a restart.

        A run without a solution ends after ``max_failures``, and at least as many as its longest path has decisions.
        """
        budget, log, guards, turn = self._budget, self._log, self._program.layout.guards, self.turn
        is_new = self.shown_solutions
        effort, is_endless = budget.effort, budget.is_endless
        propagate, restrict = self._propagation.propagate, self._program.kernel.restrict
        hidden = self._projection.guards if self._projection else 0
        max_depth = self._program.plan.max_depth
        # Alternatives still to try: parent fixpoint, candidate bit, depth, share of the whole tree.
        stack: list[tuple[Snapshot, int, int, float]] = []
        path: list[int] = []
        snapshot, depth, longest, failures, share = root, 0, 0, 0, 1.0
        postponed: int | None = None
        self.closed, self.began = 0.0, effort.propagated
        while True:
            if snapshot & guards:
                # Branch: push the alternatives of the smallest exactly-one set, the first to try on top.
                if depth > max_depth:
                    budget.too_deep(depth)
                # After the first solution, branch on shown sets before hidden ones.
                shown_part = snapshot & ~hidden if hidden and self.has_found else snapshot
                alternatives = branching.choose(shown_part if shown_part & guards else snapshot)
                if random is not None:
                    random.shuffle(alternatives)
                share /= len(alternatives)
                stack.extend([(snapshot, bit, depth, share) for bit in reversed(alternatives)])
            else:
                # Solution: from now on this run continues until the whole tree is explored.
                self.has_found = True
                self.closed += share
                if is_new is None or is_new(snapshot):
                    effort.solutions += 1
                    yield Solved(snapshot)
                    if turn.until is not None:
                        turn.until = max(turn.until, effort.propagated + turn.reward)
                # Drop the alternatives that differ from this solution in hidden variables only.
                while hidden and stack and not stack[-1][0] & guards & ~hidden:
                    stack.pop()
            # Decide: try alternatives from the stack until one of them reaches a fixpoint.
            while True:
                if not stack:
                    return True
                # Pause when the work of this turn is used up.
                if turn.until is not None and effort.propagated >= turn.until:
                    self._paused_at = path, [(depth, bit) for _, bit, depth, _ in stack]
                    yield PAUSED
                # The stack keeps the parent's snapshot, so going back to it needs no undo.
                parent, bit, depth, share = stack.pop()
                if not is_endless:
                    budget.check_node()
                effort.nodes += 1
                snapshot = restrict(parent, bit)
                if log is not None:
                    log.append(Decided(bit, depth, parent, snapshot))
                # A node that was postponed once runs to its end in the next turn.
                work_limit = None if bit == postponed else turn.until
                try:
                    if self.bound_mask is None:
                        result = propagate(snapshot, parent, budget, log, work_limit=work_limit)
                    else:
                        result = self._propagate_better(snapshot, parent, work_limit)
                except TurnOver:
                    effort.nodes -= 1
                    stack.append((parent, bit, depth, share))
                    postponed = bit
                    continue
                postponed = None
                del path[depth:]
                path.append(bit)
                if isinstance(result, Stable):
                    snapshot = result.state
                    depth += 1
                    longest = max(longest, depth)
                    break
                # Failure: blame the conflicting sets, then backtrack to the next alternative or restart.
                effort.failures += 1
                failures += 1
                self.closed += share
                branching.blame(result.guards)
                if not self.has_found and failures >= max(max_failures, longest):
                    return False

    def _propagate_better(self, snapshot: Snapshot, parent: Snapshot, work_limit: int | None) -> Stable | Contradiction:
        """Propagate a node after removing objective values that are not better than the bound.

        The node fails at once if the bound leaves no value of the objective.
        """
        assert self.bound_mask is not None and self._priority is not None
        bounded, log, layout = snapshot & self.bound_mask, self._log, self._program.layout
        if log is not None:
            log.append(Given(snapshot, bounded))
        if layout.values(bounded, self._priority.variable):
            return self._propagation.propagate(bounded, parent, self._budget, log, work_limit=work_limit)
        conflict = Contradiction(layout.guards_of([self._priority.variable]))
        if log is not None:
            log.append(Failed(bounded, conflict.guards, None))
        return conflict

    def estimated_work(self) -> float:
        """Estimate the work that the present run still needs.

        It extrapolates the progress since the last call; the estimate is infinite without progress.
        """
        tree, now = self._tree or self, self._budget.effort.propagated
        run, work, explored_share = self._last_estimate
        if run != tree.run:
            work, explored_share = tree.began, 0.0
        self._last_estimate = tree.run, now, tree.closed
        progress = tree.closed - explored_share
        return (now - work) * (1 - tree.closed) / progress if progress > 0 else inf

    def left(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the path of decisions at the last pause, and the untried alternatives.

        Each alternative is its depth and its bit.
        """
        return self._paused_at

    def nogoods(self) -> list[tuple[int, ...]]:
        """Return sets of decisions whose subtree is completely searched.

        A nogood consists of the decisions down to a node of the path, and of an alternative there that no longer waits
        on the stack. The whole path is a nogood if nothing below it waits. Before the first solution there are none, as
        the run may restart.
        """
        tree, layout = self._tree or self, self._program.layout
        if not tree.has_found:
            return []
        path, alternatives = tree.left()
        waiting = set(alternatives)
        decided: list[int] = []
        nogoods = []
        for depth, bit in enumerate(path):
            # Alternatives of this decision that do not wait on the stack are closed.
            (guard,) = layout.guards_at([bit])
            exactly_one = layout.exactly_one_at[guard]
            for other, candidate in enumerate(exactly_one.candidates, exactly_one.first):
                if other != bit and (depth, other) not in waiting:
                    nogoods.append((*decided, candidate))
            decided.append(exactly_one.candidates[bit - exactly_one.first])
        # The node at the end of the path is closed unless its own alternatives wait.
        is_open = not path or alternatives[-1][0] == len(path)
        return nogoods if is_open else [*nogoods, tuple(decided)]


def failure_count(effort: Effort) -> int:
    """Return the number of failures, plus the calls of propagators in units of ``CALLS_PER_FAILURE``."""
    return effort.failures + effort.propagators // CALLS_PER_FAILURE


def luby(number: int) -> int:
    """Return the term with this number, from 1, of the Luby sequence.

    Examples
    --------
    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    length = number.bit_length()
    return 1 << (length - 1) if number == (1 << length) - 1 else luby(number - (1 << (length - 1)) + 1)
