"""Questions to a program: what follows, which solutions there are, and how many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import islice
from operator import and_
from typing import TypeVar

from ...ground.errors import Stopped, TooLarge
from ...model import Candidate, Domain, Value, Variable
from ..compiled.kernel import Conflict, Rest, State
from ..compiled.program import SMALL, Program, Projection
from ..effort import Budget
from ..search.propagation import Propagation
from ..search.reduced import completed, reduced
from ..search.search import Search, spent
from ..trail import Given, Narrowed, Solved, Trail, Turned
from .answers import Answers, Count, Estimate, Fixpoint
from .decoding import Code, Decoder

T = TypeVar("T")

FEW = 64
"""So many solutions are looked at, one by one, before they are counted in another way."""


class Engine:
    """Propagates and searches a program. Its questions do not change each other's answers.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._propagation = Propagation(program)
        self._given: dict[tuple[str, Value], State] = program.memory.shelf()
        self._code = Code(program)

    def root(
        self, givens: Mapping[str, Value] | None, removed: Iterable[Candidate] = (), trail: Trail | None = None
    ) -> State:
        """The state after givens, removals and constraints on one variable."""
        program = self.program
        state = program.layout.start
        for number, mask in program.narrowing:
            before, state = state, state & mask
            if trail is not None:
                trail.append(Narrowed(number, before, state))
        return self.restricted(state, givens, removed, trail)

    def restricted(
        self,
        state: State,
        givens: Mapping[str, Value] | None,
        removed: Iterable[Candidate] = (),
        trail: Trail | None = None,
    ) -> State:
        """A state with more givens and without some candidates."""
        known = self._given
        new: list[int] = []
        for given in (givens or {}).items():
            mask = known.get(given) or self._given_mask(*given, new if trail is None else None)
            if mask is None:
                continue
            before, state = state, state & mask
            if trail is not None:
                trail.append(Given(before, state))
        state = self.program.layout.narrowed(state, new) if new else state
        for variable, value in removed:
            before, state = state, state & self.program.layout.without([self.program.given(variable, value)])
            if trail is not None:
                trail.append(Given(before, state))
        return state

    def _given_mask(self, variable: str, value: Value, new: list[int] | None) -> State | None:
        """What a given leaves; None, and its candidate is among the new ones, where masks are large."""
        program = self.program
        candidate = program.given(variable, value)
        size = program.layout.length // 8
        if new is not None and size > SMALL:
            new.append(candidate)
            return None
        mask = program.layout.only(program.layout.owner(candidate), [candidate])
        program.memory.take(size + 200)
        self._given[variable, value] = mask
        return mask

    def rest(self, state: State, before: State | None, budget: Budget, trail: Trail | None = None) -> Rest | Conflict:
        """Propagate a root, or what it was restricted to since it was at rest before; a node of its own."""
        effort = budget.effort
        effort.nodes += 1
        if before is None and trail is None and self.program.presolve:
            state = self.program.presolve.presolved(state, effort)
        result = self._propagation.narrow(state, before, budget, trail, at_root=True)
        effort.failures += isinstance(result, Conflict)
        return result

    def fixpoint(self, root: State, result: Rest | Conflict, budget: Budget) -> Fixpoint:
        """What a result leaves to the variables of the model."""
        holds = isinstance(result, Rest)
        return Fixpoint(holds, self.domains(result.state if isinstance(result, Rest) else root), budget.effort)

    def domains(self, state: State) -> dict[Variable, Domain]:
        """What a state leaves to the variables of the model."""
        layout = self.program.layout
        return {variable: layout.domain(state, layout.number[variable]) for variable in self.program.model.domains}

    def answers(self, root: State, budget: Budget, trail: Trail | None = None) -> Answers:
        """The solutions below a root that is not yet propagated; of an objective, the best ones."""
        return Answers(self._below_root(self._best_below, root, budget, trail), Decoder(self._code), budget.effort)

    def better_answers(self, root: State, budget: Budget, trail: Trail | None = None) -> Answers:
        """Solutions below a root that is not yet propagated, each better than the one before, up to the best."""
        return Answers(self._below_root(self._better, root, budget, trail), Decoder(self._code), budget.effort)

    def below_answers(self, state: State, budget: Budget) -> Answers:
        """The solutions below a state at rest; of an objective, the best ones."""
        return Answers(self._best_below(state, budget, None), Decoder(self._code), budget.effort)

    def _below_root(
        self, states: Callable[..., Iterator[State]], root: State, budget: Budget, trail: Trail | None
    ) -> Iterator[State]:
        result = self.rest(root, None, budget, trail)
        if isinstance(result, Rest):
            yield from states(result.state, budget, trail)

    def _best_below(self, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        if self.program.aim is None:
            yield from self._below(state, budget, trail)
        elif (best := self._best_rest(state, budget, trail)) is not None:
            yield from self._below(best, budget, None)

    def _best_rest(self, state: State, budget: Budget, trail: Trail | None = None) -> State | None:
        """What a state at rest leaves to the solutions that are as good as the best."""
        best = last(self._better(state, budget, trail))
        if best is None:
            return None
        as_good = self.program.aimed(self.program.worth(best), better=False)
        result = self._propagation.narrow(state & as_good, state, budget)
        assert isinstance(result, Rest)
        return result.state

    def _below(self, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        parts = [self._search(part, budget, trail) for part in self.program.parts(state)]
        for solved in parts[0] if len(parts) == 1 else product(parts):
            if trail is not None:
                trail.append(Solved(solved))
            yield solved

    def _better(self, state: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """Solved states below a state at rest, each better than the one before; the last one is the best."""
        aim, layout = self.program.aim, self.program.layout
        assert aim is not None
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
        for solved in self._improve(own, budget, trail):
            if trail is not None:
                trail.append(Solved(solved & others))
            yield solved & others

    def _improve(self, part: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """As ``_better``, where everything belongs together."""
        program, strategy = self.program, budget.strategy
        if not program.aim or not program.layout.waits(part, program.aim.variable):
            yield part
            return
        search = None
        if strategy.search != "learn" or trail is not None:
            search = self._tree(budget, trail, None)
            yield from self._rising(search, part)
            if search.explored is None:
                return
            part = part if search.keep is None else part & search.keep
            if not program.layout.values(part, program.aim.variable):
                return
        from ..search.learner import Learner

        try:
            yield from Learner(program, part, (), budget, is_aiming=True).solutions()
        except TooLarge:
            if search is None:
                raise
            patient = self._tree(budget, None, None, is_patient=True)
            patient.keep = search.keep
            yield from self._rising(patient, part)

    def _rising(self, search: Search, part: State) -> Iterator[State]:
        """Solved states, after each of which only better ones are wanted."""
        for solved in search.solutions(part):
            yield solved
            search.keep = self.program.aimed(self.program.worth(solved), better=True)

    def count(self, root: State, before: State | None, budget: Budget) -> Count:
        """How many solutions there are below a root; independent parts are counted apart and multiplied."""
        effort = budget.effort
        try:
            result = self.rest(root, before, budget)
            if isinstance(result, Conflict):
                return Count(0, True, effort)
            state = self._best_rest(result.state, budget) if self.program.aim else result.state
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
            state = result.state if isinstance(result, Rest) else None
            if state is not None and self.program.aim:
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
                    from ..search.counting import Counting

                    counting = Counting(self.program, self._propagation, budget)
                    if (all_of_them := counting.count(part)) is not None:
                        return Count(all_of_them, True, effort)
                    found, states = 0, self._search(part, budget, None)
        except Stopped as limit:
            return Count(max(found, counting.least if counting else 0), False, effort, str(limit))
        return Count(found, True, effort)

    def _is_easy(self, budget: Budget, cost: int) -> bool:
        """Whether problems may meet: solutions come easily, and what they show is all that they have."""
        return cost <= FEW and self.program.projection is None and budget.strategy.search != "learn"

    def _tree(
        self, budget: Budget, trail: Trail | None, projection: Projection | None, *, is_patient: bool = False
    ) -> Search:
        """A tree whose patience ends where the other search may take over."""
        strategy = budget.strategy
        if trail is not None:
            trail.append(Turned())
        may_end = strategy.search == "auto" and trail is None and not is_patient
        patience = strategy.patience if may_end else None
        return Search(self.program, self._propagation, budget, trail, patience, projection)

    def _search(self, part: State, budget: Budget, trail: Trail | None) -> Iterator[State]:
        """The solved states below a part; whoever keeps a trail wants the tree."""
        if budget.strategy.search == "learn" and trail is None:
            yield from self._learn(part, [], set(), budget)
            return
        small = reduced(self.program, part) if trail is None else None
        if small is not None:
            engine = Engine(Program(small, self.program.strategy))
            decode = Decoder(engine._code)
            for solved in engine._search(engine.program.layout.start, budget, None):
                yield completed(self.program.layout, part, decode(solved))
            return
        projection = self.program.projection
        search = self._tree(budget, trail, projection)
        found = 0
        for solved in search.solutions(part):
            found += 1
            yield solved
        if search.explored is None:
            return
        try:
            yield from self._learn(part, search.explored, search.seen, budget)
        except TooLarge:  # the same tree, with the same answers first
            patient = self._tree(budget, None, projection, is_patient=True)
            patient.seen = search.seen
            yield from islice(patient.solutions(part), 0 if projection else found, None)

    def _learn(self, part: State, explored: list[tuple[int, ...]], seen: set[State], budget: Budget) -> Iterator[State]:
        if not part & self.program.layout.guards:
            yield part
            return
        from ..search.learner import Learner

        projection = self.program.projection
        for state in Learner(self.program, part, explored, budget).solutions():
            if projection is None or state & projection.shown not in seen:
                yield state


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
