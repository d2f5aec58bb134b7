"""The queries of a solver, carried out on snapshots of a compiled model."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial, reduce
from itertools import islice
from math import isqrt
from operator import and_
from random import Random
from typing import TYPE_CHECKING, TypeVar

from ...base.errors import Stopped
from ...model import Candidate, Domain, Variable
from ...model.givens import Domains, Givens, given_items
from ..compiled.kernel import Contradiction, Snapshot, Stable
from ..compiled.program import CompiledModel, Priority
from ..effort import Budget
from ..events import Completed, EventLog, Given, PropagatorRan
from ..search.alternation import Alternation
from ..search.branching import Branching
from ..search.depth_first import Bound, Search, failure_count
from ..search.propagation import Propagation
from .answers import Answers, Count, Decoder, Estimate, Fixpoint

if TYPE_CHECKING:
    from ..search.counting import SolutionCounter

T = TypeVar("T")

MAX_ENUMERATED = 64
"""Solutions enumerated before counting by residual problems is tried; it is tried after at most as many failures."""


class Engine:
    """The queries to one compiled model, carried out by propagation and search on snapshots."""

    def __init__(self, program: CompiledModel) -> None:
        self.program = program
        self._propagation = Propagation(program)
        self._decode = Decoder(program)

    def root(self, givens: Givens | None, removed: Iterable[Candidate] = (), log: EventLog | None = None) -> Snapshot:
        """Return the snapshot after unary constraints, givens and removals, before propagation."""
        program = self.program
        if log is None:
            return self.add_givens(program.root, givens, removed)
        snapshot = program.layout.start
        for number, mask in program.unary_masks:
            before, snapshot = snapshot, snapshot & mask
            log.append(PropagatorRan(number, before, snapshot))
        return self.add_givens(snapshot, givens, removed, log)

    def add_givens(
        self,
        snapshot: Snapshot,
        givens: Givens | None,
        removed: Iterable[Candidate] = (),
        log: EventLog | None = None,
    ) -> Snapshot:
        """Return a snapshot after adding givens and removing candidates, before propagation."""
        program, kernel = self.program, self.program.kernel
        given = [] if givens is None else program.find_candidates(given_items(givens))
        removals = program.find_candidates(removed) if removed else []
        if log is None:
            snapshot = kernel.assign(snapshot, given) if given else snapshot
            return kernel.without(snapshot, removals) if removals else snapshot
        # An event log gets one event per candidate.
        for apply, candidates in ((kernel.assign, given), (kernel.without, removals)):
            for candidate in candidates:
                before, snapshot = snapshot, apply(snapshot, [candidate])
                log.append(Given(before, snapshot))
        return snapshot

    def reach_fixpoint(
        self, snapshot: Snapshot, previous: Snapshot | None, budget: Budget, log: EventLog | None = None
    ) -> Stable | Contradiction:
        """Propagate the root of a search; return its fixpoint or a contradiction.

        The root counts as a node.

        ``previous``: the fixpoint that the root restricts; None runs every propagator.
        """
        effort = budget.effort
        effort.nodes += 1
        result = self._propagation.propagate(snapshot, previous, budget, log, at_root=True)
        effort.failures += isinstance(result, Contradiction)
        return result

    def fixpoint(self, root: Snapshot, result: Stable | Contradiction, budget: Budget) -> Fixpoint:
        """Return the domains after propagation as a ``Fixpoint``; after a contradiction, the root's."""
        holds, model = isinstance(result, Stable), self.program.model
        return Fixpoint(
            holds, self.domains(result.snapshot if isinstance(result, Stable) else root), budget.effort, model
        )

    def domains(self, snapshot: Snapshot) -> dict[Variable, Domain]:
        """Return the domain of each variable of the model in a snapshot."""
        remaining = self.program.layout.domains_in(snapshot)
        return Domains({v: remaining[v] for v in self.program.model.domains})

    def answers(self, root: Snapshot, budget: Budget, log: EventLog | None = None) -> Answers:
        """Return the solutions below a root; with an objective, only the optimal ones.

        Both propagation and search run on demand.
        """
        search = self._optimal_solutions if self.program.priorities else self._solutions
        return Answers(self._solutions_of_root(search, root, budget, log), self._decode, budget.effort)

    def improving_answers(
        self, root: Snapshot, budget: Budget, log: EventLog | None = None, bound: tuple[int, ...] | None = None
    ) -> Answers:
        """Return solutions below a root on demand, each better than the previous one.

        ``bound``: a value for each priority; only better solutions count.
        """
        solved = self._solutions_of_root(partial(self._improving_solutions, bounds=bound), root, budget, log)
        return Answers(solved, self._decode, budget.effort, improving=True)

    def fixpoint_answers(self, fixpoint: Snapshot, budget: Budget) -> Answers:
        """Return the solutions below a fixpoint; with an objective, only the optimal ones."""
        search = self._optimal_solutions if self.program.priorities else self._solutions
        return Answers(search(fixpoint, budget, None), self._decode, budget.effort)

    def _solutions_of_root(
        self, search: Callable[..., Iterator[Snapshot]], root: Snapshot, budget: Budget, log: EventLog | None
    ) -> Iterator[Snapshot]:
        """Propagate a root, and yield the solved snapshots that a search finds below its fixpoint."""
        result = self.reach_fixpoint(root, None, budget, log)
        if isinstance(result, Stable):
            yield from search(result.snapshot, budget, log)

    def _optimal_solutions(self, fixpoint: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """Yield the optimal solution that is found first, then all other optimal solutions."""
        optimum = last(self._improving_solutions(fixpoint, budget, log))
        if optimum is None:
            return
        yield optimum
        projection = self.program.projection
        shown_bits = projection.shown_bits if projection else self.program.layout.plain_bits
        solutions = self._solutions(self._equally_good(optimum, fixpoint, budget), budget, None)
        yield from (solution for solution in solutions if (solution ^ optimum) & shown_bits)

    def _optimal_fixpoint(self, fixpoint: Snapshot, budget: Budget) -> Snapshot | None:
        """Return the fixpoint that contains only optimal solutions; None if there is no solution."""
        optimum = last(self._improving_solutions(fixpoint, budget, None))
        return None if optimum is None else self._equally_good(optimum, fixpoint, budget)

    def _equally_good(self, optimum: Snapshot, fixpoint: Snapshot, budget: Budget) -> Snapshot:
        """Return the fixpoint after requiring the objective values of an optimal solution."""
        program = self.program
        bounds = [
            program.objective_mask(program.objective_value(optimum, priority), priority, better=False)
            for priority in program.priorities
        ]
        result = self._propagation.propagate(reduce(and_, bounds, fixpoint), fixpoint, budget)
        assert isinstance(result, Stable)
        return result.snapshot

    def _solutions(self, fixpoint: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """Yield the solved snapshots below a fixpoint; combine those of independent parts."""
        parts = [self._search(part, budget, log) for part in self.program.parts(fixpoint)]
        solutions = parts[0] if len(parts) == 1 else combine_parts(parts)
        return solutions if log is None else log_solutions(solutions, log)

    def _improving_solutions(
        self, fixpoint: Snapshot, budget: Budget, log: EventLog | None, bounds: tuple[int, ...] | None = None
    ) -> Iterator[Snapshot]:
        """Yield solved snapshots below a fixpoint, each better than the previous one.

        The priorities of the objective are optimized one after another, each among the optimal solutions of the
        earlier ones. ``bounds``: a value for each priority; only better solutions count.
        """
        priorities = self.program.priorities
        for number, priority in enumerate(priorities):
            # Improve this priority.
            better = (
                fixpoint
                if bounds is None
                else self._propagate_bound(fixpoint, bounds[number], priority, True, budget, log)
            )
            for solution in () if better is None else self._improve_parts(priority, better, budget, log):
                bounds = tuple([self.program.objective_value(solution, each) for each in priorities])
                yield solution
            if bounds is None or number + 1 == len(priorities):
                return
            # Fix it at its optimal value for the next priorities.
            equal = self._propagate_bound(fixpoint, bounds[number], priority, False, budget, log)
            if equal is None:
                return
            fixpoint = equal

    def _propagate_bound(
        self, fixpoint: Snapshot, value: int, priority: Priority, better: bool, budget: Budget, log: EventLog | None
    ) -> Snapshot | None:
        """Propagate a bound on one priority; return the fixpoint, or None at a contradiction.

        ``better``: the priority must be better than ``value``; otherwise it must be equal.
        """
        bounded = fixpoint & self.program.objective_mask(value, priority, better)
        if not self.program.layout.values(bounded, priority.variable):
            return None
        if log is not None:
            log.append(Given(fixpoint, bounded))
        result = self._propagation.propagate(bounded, fixpoint, budget, log)
        return result.snapshot if isinstance(result, Stable) else None

    def _improve_parts(
        self, priority: Priority, fixpoint: Snapshot, budget: Budget, log: EventLog | None
    ) -> Iterator[Snapshot]:
        """Yield improving solutions; parts of the model without the objective are solved once.

        Only the part with the objective is improved.
        """
        layout = self.program.layout
        other_parts = layout.start
        objective_part = fixpoint
        # Solve the parts without the objective once.
        for part in self.program.parts(fixpoint):
            if layout.is_unfixed(part, priority.variable):
                objective_part = part
                continue
            solution = next(self._search(part, budget, log), None)
            if solution is None:
                return
            other_parts = other_parts & solution
        if not layout.is_unfixed(fixpoint, priority.variable):
            objective_part = other_parts
        for solution in self._improve(objective_part, priority, budget, log):
            if log is not None:
                log.append(Completed(solution & other_parts))
            yield solution & other_parts

    def _improve(self, part: Snapshot, priority: Priority, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """Yield solved snapshots of the independent part with the objective, each better than before."""
        program, settings = self.program, budget.settings
        if not program.layout.is_unfixed(part, priority.variable):
            yield part
            return
        if settings.search == "auto" and log is None:
            yield from Alternation(program, self._propagation, budget).improving(part, priority)
        elif settings.search == "learn" and log is None:
            from ..search.learner import Learner

            yield from Learner(program, part, budget, priority).solutions()
        else:
            # Branch and bound: each solution bounds the rest of the search.
            bound = Bound(program, priority)
            for solution in Search(program, self._propagation, part, budget, log, bound=bound).solutions():
                yield solution
                bound.tighten(solution)

    def count(self, root: Snapshot, previous: Snapshot | None, budget: Budget) -> Count:
        """Count the solutions below a root; with an objective, only the optimal ones.

        Counts of independent parts are multiplied.
        """
        effort = budget.effort
        try:
            result = self.reach_fixpoint(root, previous, budget)
            if isinstance(result, Contradiction):
                return Count(0, True, effort)
            fixpoint = self._optimal_fixpoint(result.snapshot, budget) if self.program.priorities else result.snapshot
        except Stopped as stop:
            return Count(0, False, effort, str(stop))
        if fixpoint is None:
            return Count(0, True, effort)
        total, stopped = 1, ""
        for part in self.program.parts(fixpoint):
            count = self._count_part(part, budget)
            # A part without solutions decides the count.
            if not count.value and count.complete:
                return count
            total *= count.value
            stopped = stopped or count.stopped
        return Count(total, not stopped, effort, stopped)

    def estimate(self, root: Snapshot, probes: int, seed: int, budget: Budget) -> Estimate:
        """Estimate the number of solutions below a root; with an objective, of optimal ones."""
        try:
            result = self.reach_fixpoint(root, None, budget)
            fixpoint = result.snapshot if isinstance(result, Stable) else None
            if fixpoint is not None and self.program.priorities:
                fixpoint = self._optimal_fixpoint(fixpoint, budget)
        except Stopped as stop:
            return Estimate(0, 0, 0, budget.effort, str(stop))
        if fixpoint is None:
            return Estimate(0, 0, 0, budget.effort)
        return Estimator(self.program, self._propagation, budget).estimate(fixpoint, probes, seed)

    def _count_part(self, part: Snapshot, budget: Budget) -> Count:
        """Count the solutions of an independent part, by enumeration or by residual problems."""
        effort = budget.effort
        number, failures_before, counter = 0, failure_count(effort), None
        solutions = self._search(part, budget, None)
        try:
            while next(solutions, None) is not None:
                number += 1
                if (
                    number == MAX_ENUMERATED
                    and counter is None
                    and self._may_count_residuals(budget, failure_count(effort) - failures_before)
                ):
                    counter = self._counter
                    if (total := counter.count(part, budget)) is not None:
                        return Count(total, True, effort)
                    # Residual problems repeat too seldom: enumerate from the beginning.
                    number, solutions = 0, self._search(part, budget, None)
        except Stopped as stop:
            return Count(max(number, counter.least if counter else 0), False, effort, str(stop))
        return Count(number, True, effort)

    @cached_property
    def _counter(self) -> SolutionCounter:
        """The ``SolutionCounter`` of the model, made on first use."""
        from ..search.counting import SolutionCounter

        return SolutionCounter(self.program, self._propagation)

    def _may_count_residuals(self, budget: Budget, failures: int) -> bool:
        """Return whether to try counting that caches residual problems (see ``counting``) instead of enumeration.

        The conditions are few failures, no projection, and settings that allow the tree search.
        """
        return failures <= MAX_ENUMERATED and self.program.projection is None and budget.settings.search != "learn"

    def _search(self, part: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """Yield the solved snapshots of an independent part; an event log needs the tree search."""
        if log is None and not part & self.program.layout.guards:
            budget.effort.solutions += 1
            return iter([part])
        if log is None and budget.settings.search == "learn":
            return self._learn(part, budget)
        if log is None and budget.settings.search == "auto":
            return Alternation(self.program, self._propagation, budget).solutions(part)
        return Search(self.program, self._propagation, part, budget, log, self.program.projection).solutions()

    def _learn(self, part: Snapshot, budget: Budget) -> Iterator[Snapshot]:
        """Yield the solved snapshots that a ``Learner`` finds; import clingo only then."""
        from ..search.learner import Learner

        yield from Learner(self.program, part, budget).solutions()


class Estimator:
    """An estimator of the number of solutions by random walks, after Knuth.

    A walk leads from a fixpoint to a leaf. It assumes that the alternatives it does not try have as many solutions as
    the one that it tries.

    References
    ----------
    .. [1] D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
    """

    def __init__(self, program: CompiledModel, propagation: Propagation, budget: Budget) -> None:
        self._program = program
        self._kernel = program.kernel
        self._propagation = propagation
        self._budget = budget
        self._branching = Branching(program.kernel, program.layout.guards)

    def estimate(self, root: Snapshot, probes: int, seed: int) -> Estimate:
        """Return the mean number of solutions that random walks estimate, and its standard error.

        The error is 0 for fewer than two walks. At a limit of the budget the walks so far count.
        """
        random = Random(seed)
        walks = total = squares = 0  # of the counts
        stopped = ""
        try:
            for _ in range(probes):
                solutions = self._walk(root, random)
                walks, total, squares = walks + 1, total + solutions, squares + solutions * solutions
        except Stopped as limit:
            stopped = str(limit)
        variance = (walks * squares - total * total) // (walks * walks * (walks - 1)) if walks > 1 else 0
        return Estimate(total // max(1, walks), isqrt(variance), walks, self._budget.effort, stopped)

    def _walk(self, snapshot: Snapshot, random: Random) -> int:
        """Walk at random to a leaf, and return the estimate of the number of solutions.

        The estimate is the product of the numbers of alternatives on the path, or 0 at a leaf without a solution.
        """
        budget, product = self._budget, 1
        while shown_part := self._shown_part(snapshot):
            budget.check_node()
            # Decide at random, and propagate the decision.
            alternatives = self._branching.choose(shown_part)
            product *= len(alternatives)
            budget.effort.nodes += 1
            result = self._propagation.propagate(
                self._kernel.fix(snapshot, random.choice(alternatives)), snapshot, budget
            )
            if not isinstance(result, Stable):
                budget.effort.failures += 1
                return 0
            snapshot = result.snapshot
        # All shown variables are fixed: the leaf counts if the hidden ones have a solution.
        return product if next(self._completions(snapshot), None) is not None else 0

    def _shown_part(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot without hidden guard bits; 0 if all shown variables are fixed."""
        projection, guards = self._program.projection, self._program.layout.guards
        shown_part = snapshot if projection is None else snapshot & ~projection.hidden_guards
        return shown_part if shown_part & guards else Snapshot(0)

    def _completions(self, snapshot: Snapshot) -> Iterator[Snapshot]:
        return Search(self._program, self._propagation, snapshot, self._budget).solutions()


def log_solutions(solutions: Iterator[Snapshot], log: EventLog) -> Iterator[Snapshot]:
    """Yield solved snapshots, and append a ``Completed`` event for each to a log."""
    for solution in solutions:
        log.append(Completed(solution))
        yield solution


def last(items: Iterable[T]) -> T | None:
    """Return the last item, or None if there are no items."""
    tail = deque(items, maxlen=1)
    return tail[0] if tail else None


def combine_parts(parts: list[Iterator[Snapshot]]) -> Iterator[Snapshot]:
    """Yield all combinations of one solved snapshot from each independent part.

    Each part is searched once, on demand.
    """
    # Keep the solutions of every part: all later parts combine with each of them.
    solutions: list[list[Snapshot]] = []
    for part in parts:
        first = next(part, None)
        if first is None:
            return
        solutions.append([first])
    chosen = [0] * len(parts)
    while True:
        yield reduce(and_, [of_part[choice] for of_part, choice in zip(solutions, chosen, strict=True)])
        # Count up like an odometer whose wheels grow: the last part turns first.
        for number in reversed(range(len(parts))):
            chosen[number] += 1
            if chosen[number] == len(solutions[number]):
                solutions[number] += islice(parts[number], 1)
            if chosen[number] < len(solutions[number]):
                break
            chosen[number] = 0
        else:
            return
