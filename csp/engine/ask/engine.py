"""Questions to a program: what follows, which solutions there are, and how many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from itertools import islice
from operator import and_
from typing import TypeVar

from ...ground.errors import Stopped
from ...model import Candidate, Domain, Variable
from ...model.operand import Domains, Givens, given_items
from ..compiled.kernel import Contradiction, Stable, State
from ..compiled.program import Aim, CompiledModel
from ..effort import Budget
from ..search.alternation import Alternation
from ..search.depth_first import Search, spent
from ..search.propagation import Propagation
from ..trail import Completed, Given, Narrowed, Trail
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

    def root(self, givens: Givens | None, removed: Iterable[Candidate] = (), trail: Trail | None = None) -> State:
        """The state after givens, removals and constraints on one variable."""
        program = self.program
        if trail is None:
            return self.restricted(program.root, givens, removed)
        state = program.layout.start
        for number, mask in program.narrowing:
            before, state = state, state & mask
            trail.append(Narrowed(number, before, state))
        return self.restricted(state, givens, removed, trail)

    def restricted(
        self,
        state: State,
        givens: Givens | None,
        removed: Iterable[Candidate] = (),
        trail: Trail | None = None,
    ) -> State:
        """A state with more givens and without some candidates."""
        program, kernel = self.program, self.program.kernel
        candidates = [] if givens is None else program.given(given_items(givens))
        gone = program.given(removed) if removed else []
        if trail is None:
            state = kernel.narrowed(state, candidates) if candidates else state
            return kernel.without(state, gone) if gone else state
        for step, some in ((kernel.narrowed, candidates), (kernel.without, gone)):
            for candidate in some:
                before, state = state, step(state, [candidate])
                trail.append(Given(before, state))
        return state

    def rest(
        self, state: State, before: State | None, budget: Budget, trail: Trail | None = None
    ) -> Stable | Contradiction:
        """Propagate a root, or what it was restricted to since it was at rest before; a node of its own."""
        effort = budget.effort
        effort.nodes += 1
        result = self._propagation.narrow(state, before, budget, trail, at_root=True)
        effort.failures += isinstance(result, Contradiction)
        return result

    def fixpoint(self, root: State, result: Stable | Contradiction, budget: Budget) -> Fixpoint:
        """What a result leaves to the variables of the model."""
        holds = isinstance(result, Stable)
        return Fixpoint(holds, self.domains(result.state if isinstance(result, Stable) else root), budget.effort)

    def domains(self, state: State) -> dict[Variable, Domain]:
        """What a state leaves to the variables of the model."""
        left = self.program.layout.domains_in(state)
        return Domains({v: left[v] for v in self.program.model.domains})

    def answers(self, root: State, budget: Budget, trail: Trail | None = None) -> Answers:
        """The solutions below a root that is not yet propagated; of an objective, the best ones."""
        below = self._best_below if self.program.aims else self._below
        return Answers(self._below_root(below, root, budget, trail), self._decode, budget.effort)

    def better_answers(
        self, root: State, budget: Budget, trail: Trail | None = None, bound: tuple[int, ...] | None = None
    ) -> Answers:
        """Solutions below a root that is not yet propagated, each better than the one before, and than a bound."""
        states = self._below_root(partial(self._better, known=bound), root, budget, trail)
        return Answers(states, self._decode, budget.effort, improving=True)

    def below_answers(self, state: State, budget: Budget) -> Answers:
        """The solutions below a state at rest; of an objective, the best ones."""
        below = self._best_below if self.program.aims else self._below
        return Answers(below(state, budget, None), self._decode, budget.effort)

    def _below_root(
        self, states: Callable[..., Iterator[State]], root: State, budget: Budget, trail: Trail | None
    ) -> Iterator[State]:
        result = self.rest(root, None, budget, trail)
        if isinstance(result, Stable):
            yield from states(result.state, budget, trail)

    def _best_below(self, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """The best solution that was found, and when more are wanted those that are as good."""
        best = last(self._better(state, budget, trail))
        if best is None:
            return
        yield best
        projection = self.program.projection
        shown = projection.shown if projection else self.program.layout.plain_bits
        others = self._below(self._as_good(best, state, budget), budget, None)
        yield from (other for other in others if (other ^ best) & shown)

    def _best_rest(self, state: State, budget: Budget) -> State | None:
        """What a state at rest leaves to the solutions that are as good as the best."""
        best = last(self._better(state, budget, None))
        return None if best is None else self._as_good(best, state, budget)

    def _as_good(self, best: State, state: State, budget: Budget) -> State:
        """What a state at rest leaves to the solutions that are as good as one."""
        program = self.program
        as_good = [program.aimed(program.worth(best, aim), aim, better=False) for aim in program.aims]
        result = self._propagation.narrow(reduce(and_, as_good, state), state, budget)
        assert isinstance(result, Stable)
        return result.state

    def _below(self, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        parts = [self._search(part, budget, trail) for part in self.program.parts(state)]
        found = parts[0] if len(parts) == 1 else product(parts)
        return found if trail is None else told(found, trail)

    def _better(
        self, state: State, budget: Budget, trail: Trail | None, known: tuple[int, ...] | None = None
    ) -> Iterator[State]:
        """Solved states below a state at rest, each better than the one before; the last one is the best.

        A level of the objective has its turn among what is as good as the best by the levels before it.
        """
        aims = self.program.aims
        for level, aim in enumerate(aims):
            below = state if known is None else self._aimed(state, known[level], aim, True, budget, trail)
            for solved in () if below is None else self._better_by(aim, below, budget, trail):
                known = tuple([self.program.worth(solved, one) for one in aims])
                yield solved
            if known is None or level + 1 == len(aims):
                return
            as_good = self._aimed(state, known[level], aim, False, budget, trail)
            if as_good is None:
                return
            state = as_good

    def _aimed(
        self, state: State, value: int, aim: Aim, better: bool, budget: Budget, trail: Trail | None
    ) -> State | None:
        """A state at rest where a level must be better than a value, or that value; None where nothing is."""
        bounded = state & self.program.aimed(value, aim, better)
        if not self.program.layout.values(bounded, aim.variable):
            return None
        if trail is not None:
            trail.append(Given(state, bounded))
        result = self._propagation.narrow(bounded, state, budget, trail)
        return result.state if isinstance(result, Stable) else None

    def _better_by(self, aim: Aim, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        layout = self.program.layout
        others = layout.start
        own = state
        for part in self.program.parts(state):
            if layout.waits(part, aim.variable):
                own = part
                continue
            solved = next(self._search(part, budget, trail), None)
            if solved is None:
                return
            others = others & solved
        if not layout.waits(state, aim.variable):
            own = others
        for solved in self._improve(own, aim, budget, trail):
            if trail is not None:
                trail.append(Completed(solved & others))
            yield solved & others

    def _improve(self, part: State, aim: Aim, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """As ``_better_by``, where everything belongs together."""
        program, strategy = self.program, budget.strategy
        if not program.layout.waits(part, aim.variable):
            yield part
            return
        search = Search(program, self._propagation, budget, trail, aim=aim)
        if strategy.search == "auto" and trail is None:
            yield from Alternation(program, search, budget).better(part, aim)
        elif strategy.search == "learn" and trail is None:
            from ..search.learner import Learner

            yield from Learner(program, part, budget, aim).solutions()
        else:
            for solved in search.solutions(part):
                yield solved
                search.keep = program.aimed(program.worth(solved, aim), aim, better=True)

    def count(self, root: State, before: State | None, budget: Budget) -> Count:
        """How many solutions there are below a root; independent parts are counted apart and multiplied."""
        effort = budget.effort
        try:
            result = self.rest(root, before, budget)
            if isinstance(result, Contradiction):
                return Count(0, True, effort)
            state = self._best_rest(result.state, budget) if self.program.aims else result.state
        except Stopped as limit:
            return Count(0, False, effort, str(limit))
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

    def estimate(self, root: State, probes: int, seed: int, budget: Budget) -> Estimate:
        """About how many solutions there are below a root that is not yet propagated."""
        try:
            result = self.rest(root, None, budget)
            state = result.state if isinstance(result, Stable) else None
            if state is not None and self.program.aims:
                state = self._best_rest(state, budget)
        except Stopped as limit:
            return Estimate(0, 0, 0, budget.effort, str(limit))
        if state is None:
            return Estimate(0, 0, 0, budget.effort)
        from .estimating import Estimating

        return Estimating(self.program, self._propagation, budget).estimate(state, probes, seed)

    def _count_part(self, part: State, budget: Budget) -> Count:
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
        except Stopped as limit:
            return Count(max(found, counting.least if counting else 0), False, effort, str(limit))
        return Count(found, True, effort)

    def _is_easy(self, budget: Budget, cost: int) -> bool:
        """Whether problems may meet: solutions come easily, and what they show is all that they have."""
        return cost <= FEW and self.program.projection is None and budget.strategy.search != "learn"

    def _search(self, part: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """The solved states below a part; whoever keeps a trail wants the tree."""
        if trail is None and not part & self.program.layout.guards:
            budget.effort.solutions += 1
            return iter([part])
        if trail is None and budget.strategy.search == "learn":
            return self._learn(part, budget)
        search = Search(self.program, self._propagation, budget, trail, self.program.projection)
        if trail is None and budget.strategy.search == "auto":
            return Alternation(self.program, search, budget).solutions(part)
        return search.solutions(part)

    def _learn(self, part: State, budget: Budget) -> Iterator[State]:
        from ..search.learner import Learner

        yield from Learner(self.program, part, budget).solutions()


def told(states: Iterator[State], trail: Trail) -> Iterator[State]:
    """Solved states, each of which a trail is told of."""
    for solved in states:
        trail.append(Completed(solved))
        yield solved


def last(items: Iterable[T]) -> T | None:
    """The last of some items, None where there is none."""
    found = deque(items, maxlen=1)
    return found[0] if found else None


def product(parts: list[Iterator[State]]) -> Iterator[State]:
    """The solved states of the whole, from those of its parts; each part is searched once, as far as it is needed."""
    found: list[list[State]] = []
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
