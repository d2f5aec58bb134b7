"""Depth-first search over snapshots with an explicit stack, restarts and failure weights.

The same search exists in C. ``Search`` uses it if there is no event log and no objective, and sweeps alone propagate
the model. Read ``PythonTree._search_once`` for the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from random import Random
from typing import NamedTuple

from ..compiled.kernel import PAUSED, Contradiction, Paused, Snapshot, Stable, TreeSearch, Turn
from ..compiled.program import CompiledModel, Priority, Projection
from ..effort import Budget, Effort, TurnOver
from ..events import Decided, EventLog, Failed, Given, PartStarted, Restarted
from .branching import Branching
from .propagation import Propagation

CALLS_PER_FAILURE = 100
"""Propagator calls that count as one failure, when the engine chooses between listing solutions and counting."""


class ShownSolutions:
    """A set of solutions that compares only the shown variables.

    A call adds a solution and returns whether it is new.
    """

    __slots__ = ("_shown_bits", "_solutions")

    def __init__(self, projection: Projection) -> None:
        self._shown_bits = projection.shown_bits
        self._solutions: set[Snapshot] = set()

    def __contains__(self, solution: Snapshot) -> bool:
        return solution & self._shown_bits in self._solutions

    def __call__(self, solution: Snapshot) -> bool:
        size_before = len(self._solutions)
        self._solutions.add(solution & self._shown_bits)
        return len(self._solutions) > size_before


class Bound:
    """A bound on one expression of the objective; each solution tightens it.

    Attributes
    ----------
    priority : Priority
    mask : Snapshot or None
        The candidates that better solutions may use; None before the first solution.
    """

    __slots__ = ("_program", "mask", "priority")

    def __init__(self, program: CompiledModel, priority: Priority) -> None:
        self._program, self.priority = program, priority
        self.mask: Snapshot | None = None

    def tighten(self, solution: Snapshot) -> None:
        """Require that further solutions are better than this one."""
        value = self._program.objective_value(solution, self.priority)
        self.mask = self._program.objective_mask(value, self.priority, better=True)


class Alternative(NamedTuple):
    """An untried branch of a search node: the candidate to fix there.

    Attributes
    ----------
    snapshot : Snapshot
        The fixpoint of the node.
    bit : int
        The candidate to fix.
    depth : int
        Number of decisions above the node.
    share : float
        The estimated share of the whole tree.
    """

    snapshot: Snapshot
    bit: int
    depth: int
    share: float


class PythonTree:
    """The tree search in Python, for every model, with or without an event log.

    ``hidden`` and ``is_new`` are those of ``Kernel.tree``. ``bound`` is the bound on the objective, if there is one.

    Attributes
    ----------
    has_found, run, work_at_start, explored_share
        As in ``TreeSearch``.
    """

    def __init__(
        self,
        program: CompiledModel,
        propagation: Propagation,
        root: Snapshot,
        budget: Budget,
        branching: Branching,
        turn: Turn,
        log: EventLog | None,
        hidden: Snapshot | None,
        is_new: Callable[[Snapshot], bool] | None,
        bound: Bound | None,
    ) -> None:
        self.has_found = False
        self.run = self.work_at_start = 0
        self.explored_share = 0.0
        self._program, self._propagation, self._root, self._budget = program, propagation, root, budget
        self._branching, self._turn, self._log = branching, turn, log
        self._hidden, self._is_new, self._bound = hidden, is_new, bound
        self._path: list[int] = []
        self._stack: list[Alternative] = []
        self._is_explored = False

    def __iter__(self) -> Iterator[Snapshot | Paused]:
        """Run the search from the root, and again after each restart."""
        if self._log is not None:
            self._log.append(PartStarted())
        yield from self._search_once()
        while not self._is_explored:
            self._budget.effort.restarts += 1
            if self._log is not None:
                self._log.append(Restarted())
            yield from self._search_once()

    def _search_once(self) -> Iterator[Snapshot | Paused]:
        """Yield the solutions and pauses of one run, until a restart or the end.

        The run ends when the tree is explored. A run without a solution also ends after ``run_failures * luby(run)``
        failures, or as many failures as its longest path has decisions, whichever is more.
        """
        budget, log, guards, turn = self._budget, self._log, self._program.layout.guards, self._turn
        plan, effort, is_endless = self._program.plan, budget.effort, budget.is_endless
        branching, fix, hidden = self._branching, self._program.kernel.fix, self._hidden
        self._path, self._stack = [], []
        path, stack = self._path, self._stack
        self.explored_share, self.work_at_start = 0.0, effort.propagated
        self.run += 1
        max_failures = plan.run_failures * luby(self.run)
        # Later runs try the alternatives in a random order, seeded by the number of the run.
        random = Random(self.run) if self.run > plan.ordered_runs else None
        snapshot, depth, longest, failures, share = self._root, 0, 0, 0, 1.0
        postponed: int | None = None
        while True:
            if snapshot & guards:
                # Branch: push the alternatives of the smallest exactly-one set, the first to try on top.
                if depth > plan.max_depth:
                    budget.too_deep(depth)  # raises Stopped
                # After the first solution, branch on shown sets before hidden ones.
                shown_part = snapshot & ~hidden if hidden and self.has_found else snapshot
                alternatives = branching.choose(shown_part if shown_part & guards else snapshot)
                if random is not None:
                    random.shuffle(alternatives)
                share /= len(alternatives)
                stack.extend([Alternative(snapshot, bit, depth, share) for bit in reversed(alternatives)])
            else:
                # Solution: from now on this run continues until the whole tree is explored.
                self.has_found = True
                self.explored_share += share
                if self._is_new is None or self._is_new(snapshot):
                    effort.solutions += 1
                    yield snapshot
                    if turn.until is not None:
                        turn.until = max(turn.until, effort.propagated + turn.reward)
                # Drop the alternatives that differ from this solution in hidden variables only; they count as explored.
                while hidden and stack and not stack[-1].snapshot & guards & ~hidden:
                    self.explored_share += stack.pop().share
            # Decide: try alternatives from the stack until one of them reaches a fixpoint.
            while True:
                if not stack:
                    self._is_explored = True
                    return
                # Pause when the work of this turn is used up.
                if turn.until is not None and effort.propagated >= turn.until:
                    yield PAUSED
                # The stack keeps the parent's snapshot, so going back to it needs no undo.
                alternative = stack.pop()
                parent, bit, depth, share = alternative
                if not is_endless:  # there are limits to check
                    budget.check_node()
                effort.nodes += 1
                snapshot = fix(parent, bit)
                if log is not None:
                    log.append(Decided(bit, depth, parent, snapshot))
                # A node that was postponed once runs to its end in the next turn.
                try:
                    result = self._propagate(snapshot, parent, None if bit == postponed else turn.until)
                except TurnOver:
                    effort.nodes -= 1
                    stack.append(alternative)
                    postponed = bit
                    continue
                postponed = None
                del path[depth:]
                path.append(bit)
                if isinstance(result, Stable):
                    snapshot = result.snapshot
                    depth += 1
                    longest = max(longest, depth)
                    break
                # Failure: blame the conflicting sets, then backtrack to the next alternative or restart.
                effort.failures += 1
                failures += 1
                self.explored_share += share
                branching.blame(result.guards)
                if not self.has_found and failures >= max(max_failures, longest):
                    return

    def _propagate(self, snapshot: Snapshot, parent: Snapshot, work_limit: int | None) -> Stable | Contradiction:
        """Remove objective values no better than the last solution's, then propagate the node.

        The node fails at once if the bound leaves no value of the objective.
        """
        log, bound = self._log, self._bound
        if bound is not None and bound.mask is not None:
            unbounded, snapshot, layout = snapshot, snapshot & bound.mask, self._program.layout
            if log is not None:
                log.append(Given(unbounded, snapshot))
            if not layout.values(snapshot, bound.priority.variable):
                conflict = Contradiction(layout.guards_of([bound.priority.variable]))
                if log is not None:
                    log.append(Failed(snapshot, conflict.guards, None))
                return conflict
        return self._propagation.propagate(snapshot, parent, self._budget, log, work_limit=work_limit)

    def frontier(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the path of decisions at the pause, and (depth, bit) of each untried alternative."""
        return self._path, [(alternative.depth, alternative.bit) for alternative in self._stack]


class Search:
    """A depth-first search for all solved snapshots below a fixpoint, with restarts.

    With a projection, solutions that differ only in hidden variables count as one: after the first solution the
    search branches on shown exactly-one sets first, and takes one solution below each of their assignments.

    Until the first solution the search restarts after a number of failures: ``Settings.restart_base`` times the Luby
    sequence, and at least the length of the longest path of decisions. Failure weights are kept. After the first
    solution a run continues to its end. The limits grow without bound, so some run explores the whole tree. Only
    the last run finds solutions, so none comes twice.

    Attributes
    ----------
    tree : TreeSearch
        The tree search of the kernel if there is one, no event log, no objective and no propagator below the root;
        else ``PythonTree``.
    turn : Turn
        The limit of work at which the search pauses for another search.
    shown_solutions : ShownSolutions or None
        The solutions found so far; None without a projection.

    References
    ----------
    .. [1] C. P. Gomes et al., "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", 2000.
    .. [2] M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
    """

    def __init__(
        self,
        program: CompiledModel,
        propagation: Propagation,
        root: Snapshot,
        budget: Budget,
        log: EventLog | None = None,
        projection: Projection | None = None,
        bound: Bound | None = None,
    ) -> None:
        self._layout, self._effort = program.layout, budget.effort
        self._last_estimate = 0, 0, 0.0  # run, work and explored share
        self.turn = turn = Turn()
        self.shown_solutions = is_new = projection and ShownSolutions(projection)
        hidden = projection and projection.hidden_guards
        preferred = program.branch if log is not None else ()
        branching = Branching(program.kernel, program.layout.guards, budget.random, preferred)
        native_tree = None
        if log is None and not program.priorities and propagation.needs_only_sweeps:
            native_tree = program.kernel.tree(root, budget, program.plan, branching, turn, hidden, is_new)
        self.tree: TreeSearch = native_tree or PythonTree(
            program, propagation, root, budget, branching, turn, log, hidden, is_new, bound
        )

    def solutions(self) -> Iterator[Snapshot]:
        """Yield every solved snapshot; with a bound, each is better than those before.

        Raises
        ------
        Stopped
            At a limit of the budget.
        """
        return (item for item in self.tree if not isinstance(item, Paused))

    def estimated_work(self) -> float:
        """Estimate the work that the present run still needs; infinite without progress.

        The progress since the last call, or since the start of the run, is extrapolated.
        """
        tree, now = self.tree, self._effort.propagated
        run, work, last_share = self._last_estimate
        if run != tree.run:
            work, last_share = tree.work_at_start, 0.0
        self._last_estimate = tree.run, now, tree.explored_share
        progress = tree.explored_share - last_share
        return (now - work) * (1 - tree.explored_share) / progress if progress > 0 else inf

    def nogoods(self) -> list[tuple[int, ...]]:
        """Return sets of candidates under which all solutions have been found already.

        A nogood consists of the decisions down to a node of the path, and of an alternative there that no longer waits
        on the stack. The whole path is a nogood if nothing below it waits. Before the first solution there are none, as
        the run may restart.
        """
        if not self.tree.has_found:
            return []
        layout = self._layout
        path, alternatives = self.tree.frontier()
        waiting = set(alternatives)
        decided: list[int] = []
        nogoods = []
        for depth, bit in enumerate(path):
            # Alternatives of this decision that do not wait on the stack are closed.
            (guard,) = layout.guards_at([bit])
            exactly_one = layout.exactly_one_at[guard]
            for other_bit, candidate in enumerate(exactly_one.candidates, exactly_one.first):
                if other_bit != bit and (depth, other_bit) not in waiting:
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
