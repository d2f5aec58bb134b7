"""Questions to a program: what follows, which solutions there are, and how many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from itertools import islice
from operator import and_
from typing import TypeVar

from ...base.errors import Stopped
from ...model import Candidate, Domain, Variable
from ...model.operand import Domains, Givens, given_items
from ..compiled.kernel import Contradiction, Snapshot, Stable
from ..compiled.program import CompiledModel, Priority
from ..effort import Budget
from ..events import Completed, EventLog, Given, Narrowed
from ..search.alternation import Alternation
from ..search.depth_first import Search, spent
from ..search.propagation import Propagation
from .answers import Answers, Count, Estimate, Fixpoint
from .decoding import Decoder

T = TypeVar("T")

FEW = 64
"""Solutions that are enumerated before counting by residual problems is tried."""


class Engine:
    """Propagates and searches a program. Its questions do not change each other's answers."""

    def __init__(self, program: CompiledModel) -> None:
        self.program = program
        self._propagation = Propagation(program)
        self._decode = Decoder(program)

    def root(self, givens: Givens | None, removed: Iterable[Candidate] = (), log: EventLog | None = None) -> Snapshot:
        """The state after givens, removals and constraints on one variable."""
        program = self.program
        if log is None:
            return self.restricted(program.root, givens, removed)
        state = program.layout.start
        for number, mask in program.narrowing:
            before, state = state, state & mask
            log.append(Narrowed(number, before, state))
        return self.restricted(state, givens, removed, log)

    def restricted(
        self,
        state: Snapshot,
        givens: Givens | None,
        removed: Iterable[Candidate] = (),
        log: EventLog | None = None,
    ) -> Snapshot:
        """A state with more givens and without some candidates."""
        program, kernel = self.program, self.program.kernel
        candidates = [] if givens is None else program.find_candidates(given_items(givens))
        gone = program.find_candidates(removed) if removed else []
        if log is None:
            state = kernel.narrowed(state, candidates) if candidates else state
            return kernel.without(state, gone) if gone else state
        for step, some in ((kernel.narrowed, candidates), (kernel.without, gone)):
            for candidate in some:
                before, state = state, step(state, [candidate])
                log.append(Given(before, state))
        return state

    def rest(
        self, state: Snapshot, before: Snapshot | None, budget: Budget, log: EventLog | None = None
    ) -> Stable | Contradiction:
        """Propagate a root, or what it was restricted to since it was at rest before; a node of its own."""
        effort = budget.effort
        effort.nodes += 1
        result = self._propagation.narrow(state, before, budget, log, at_root=True)
        effort.failures += isinstance(result, Contradiction)
        return result

    def fixpoint(self, root: Snapshot, result: Stable | Contradiction, budget: Budget) -> Fixpoint:
        """What a result leaves to the variables of the model."""
        holds = isinstance(result, Stable)
        return Fixpoint(holds, self.domains(result.state if isinstance(result, Stable) else root), budget.effort)

    def domains(self, state: Snapshot) -> dict[Variable, Domain]:
        """What a state leaves to the variables of the model."""
        left = self.program.layout.domains_in(state)
        return Domains({v: left[v] for v in self.program.model.domains})

    def answers(self, root: Snapshot, budget: Budget, log: EventLog | None = None) -> Answers:
        """The solutions below a root that is not yet propagated; of an objective, the best ones."""
        below = self._best_below if self.program.priorities else self._below
        return Answers(self._below_root(below, root, budget, log), self._decode, budget.effort)

    def better_answers(
        self, root: Snapshot, budget: Budget, log: EventLog | None = None, bound: tuple[int, ...] | None = None
    ) -> Answers:
        """Solutions below a root that is not yet propagated, each better than the one before, and than a bound."""
        states = self._below_root(partial(self._better, known=bound), root, budget, log)
        return Answers(states, self._decode, budget.effort, improving=True)

    def below_answers(self, state: Snapshot, budget: Budget) -> Answers:
        """The solutions below a state at rest; of an objective, the best ones."""
        below = self._best_below if self.program.priorities else self._below
        return Answers(below(state, budget, None), self._decode, budget.effort)

    def _below_root(
        self, states: Callable[..., Iterator[Snapshot]], root: Snapshot, budget: Budget, log: EventLog | None
    ) -> Iterator[Snapshot]:
        result = self.rest(root, None, budget, log)
        if isinstance(result, Stable):
            yield from states(result.state, budget, log)

    def _best_below(self, state: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """The best solution that was found, and when more are wanted those that are as good."""
        best = last(self._better(state, budget, log))
        if best is None:
            return
        yield best
        projection = self.program.projection
        shown = projection.shown if projection else self.program.layout.plain_bits
        others = self._below(self._as_good(best, state, budget), budget, None)
        yield from (other for other in others if (other ^ best) & shown)

    def _best_rest(self, state: Snapshot, budget: Budget) -> Snapshot | None:
        """What a state at rest leaves to the solutions that are as good as the best."""
        best = last(self._better(state, budget, None))
        return None if best is None else self._as_good(best, state, budget)

    def _as_good(self, best: Snapshot, state: Snapshot, budget: Budget) -> Snapshot:
        """What a state at rest leaves to the solutions that are as good as one."""
        program = self.program
        as_good = [
            program.objective_mask(program.worth(best, priority), priority, better=False)
            for priority in program.priorities
        ]
        result = self._propagation.narrow(reduce(and_, as_good, state), state, budget)
        assert isinstance(result, Stable)
        return result.state

    def _below(self, state: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        parts = [self._search(part, budget, log) for part in self.program.parts(state)]
        found = parts[0] if len(parts) == 1 else product(parts)
        return found if log is None else told(found, log)

    def _better(
        self, state: Snapshot, budget: Budget, log: EventLog | None, known: tuple[int, ...] | None = None
    ) -> Iterator[Snapshot]:
        """Solved states below a state at rest, each better than the one before; the last one is the best.

        A level of the objective has its turn among what is as good as the best by the levels before it.
        """
        priorities = self.program.priorities
        for level, priority in enumerate(priorities):
            below = state if known is None else self._aimed(state, known[level], priority, True, budget, log)
            for solved in () if below is None else self._better_by(priority, below, budget, log):
                known = tuple([self.program.worth(solved, one) for one in priorities])
                yield solved
            if known is None or level + 1 == len(priorities):
                return
            as_good = self._aimed(state, known[level], priority, False, budget, log)
            if as_good is None:
                return
            state = as_good

    def _aimed(
        self, state: Snapshot, value: int, priority: Priority, better: bool, budget: Budget, log: EventLog | None
    ) -> Snapshot | None:
        """A state at rest where a level must be better than a value, or that value; None where nothing is."""
        bounded = state & self.program.objective_mask(value, priority, better)
        if not self.program.layout.values(bounded, priority.variable):
            return None
        if log is not None:
            log.append(Given(state, bounded))
        result = self._propagation.narrow(bounded, state, budget, log)
        return result.state if isinstance(result, Stable) else None

    def _better_by(
        self, priority: Priority, state: Snapshot, budget: Budget, log: EventLog | None
    ) -> Iterator[Snapshot]:
        layout = self.program.layout
        others = layout.start
        own = state
        for part in self.program.parts(state):
            if layout.waits(part, priority.variable):
                own = part
                continue
            solved = next(self._search(part, budget, log), None)
            if solved is None:
                return
            others = others & solved
        if not layout.waits(state, priority.variable):
            own = others
        for solved in self._improve(own, priority, budget, log):
            if log is not None:
                log.append(Completed(solved & others))
            yield solved & others

    def _improve(self, part: Snapshot, priority: Priority, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """As ``_better_by``, where everything belongs together."""
        program, settings = self.program, budget.settings
        if not program.layout.waits(part, priority.variable):
            yield part
            return
        search = Search(program, self._propagation, budget, log, priority=priority)
        if settings.search == "auto" and log is None:
            yield from Alternation(program, search, budget).improving(part, priority)
        elif settings.search == "learn" and log is None:
            from ..search.learner import Learner

            yield from Learner(program, part, budget, priority).solutions()
        else:
            for solved in search.solutions(part):
                yield solved
                search.keep = program.objective_mask(program.worth(solved, priority), priority, better=True)

    def count(self, root: Snapshot, before: Snapshot | None, budget: Budget) -> Count:
        """How many solutions there are below a root; independent parts are counted apart and multiplied."""
        effort = budget.effort
        try:
            result = self.rest(root, before, budget)
            if isinstance(result, Contradiction):
                return Count(0, True, effort)
            state = self._best_rest(result.state, budget) if self.program.priorities else result.state
        except Stopped as stop:
            return Count(0, False, effort, str(stop))
        if state is None:
            return Count(0, True, effort)
        total, stopped = 1, ""
        for part in self.program.parts(state):
            found = self._count_part(part, budget)
            if not found.value and found.complete:
                return found
            total *= found.value
            stopped = stopped or found.stopped
        return Count(total, not stopped, effort, stopped)

    def estimate(self, root: Snapshot, probes: int, seed: int, budget: Budget) -> Estimate:
        """About how many solutions there are below a root that is not yet propagated."""
        try:
            result = self.rest(root, None, budget)
            state = result.state if isinstance(result, Stable) else None
            if state is not None and self.program.priorities:
                state = self._best_rest(state, budget)
        except Stopped as stop:
            return Estimate(0, 0, 0, budget.effort, str(stop))
        if state is None:
            return Estimate(0, 0, 0, budget.effort)
        from .estimating import Estimating

        return Estimating(self.program, self._propagation, budget).estimate(state, probes, seed)

    def _count_part(self, part: Snapshot, budget: Budget) -> Count:
        """Look at each solution, or, where there are more than a few and they come easily, count what is left once."""
        effort = budget.effort
        found, before, counting = 0, spent(effort), None
        states = self._search(part, budget, None)
        try:
            while next(states, None) is not None:
                found += 1
                if found == FEW and counting is None and self._is_easy(budget, spent(effort) - before):
                    from ..search.counting import SolutionCounter

                    counting = SolutionCounter(self.program, self._propagation, budget)
                    if (all_of_them := counting.count(part)) is not None:
                        return Count(all_of_them, True, effort)
                    found, states = 0, self._search(part, budget, None)
        except Stopped as stop:
            return Count(max(found, counting.least if counting else 0), False, effort, str(stop))
        return Count(found, True, effort)

    def _is_easy(self, budget: Budget, cost: int) -> bool:
        """Whether problems may meet: solutions come easily, and what they show is all that they have."""
        return cost <= FEW and self.program.projection is None and budget.settings.search != "learn"

    def _search(self, part: Snapshot, budget: Budget, log: EventLog | None) -> Iterator[Snapshot]:
        """The solved states below a part; whoever keeps a trail wants the tree."""
        if log is None and not part & self.program.layout.guards:
            budget.effort.solutions += 1
            return iter([part])
        if log is None and budget.settings.search == "learn":
            return self._learn(part, budget)
        search = Search(self.program, self._propagation, budget, log, self.program.projection)
        if log is None and budget.settings.search == "auto":
            return Alternation(self.program, search, budget).solutions(part)
        return search.solutions(part)

    def _learn(self, part: Snapshot, budget: Budget) -> Iterator[Snapshot]:
        from ..search.learner import Learner

        yield from Learner(self.program, part, budget).solutions()


def told(states: Iterator[Snapshot], log: EventLog) -> Iterator[Snapshot]:
    """Solved states, each of which a trail is told of."""
    for solved in states:
        log.append(Completed(solved))
        yield solved


def last(items: Iterable[T]) -> T | None:
    """The last of some items, None where there is none."""
    found = deque(items, maxlen=1)
    return found[0] if found else None


def product(parts: list[Iterator[Snapshot]]) -> Iterator[Snapshot]:
    """The solved states of the whole, from those of its parts; each part is searched once, as far as it is needed."""
    found: list[list[Snapshot]] = []
    for part in parts:
        first = next(part, None)
        if first is None:
            return
        found.append([first])
    chosen = [0] * len(parts)
    while True:
        yield reduce(and_, [states[choice] for states, choice in zip(found, chosen, strict=True)])
        for number in reversed(range(len(parts))):
            chosen[number] += 1
            if chosen[number] == len(found[number]):
                found[number] += islice(parts[number], 1)
            if chosen[number] < len(found[number]):
                break
            chosen[number] = 0
        else:
            return
