"""The search that learns: clingo, fed from a program at its fixpoint."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from ...base.errors import CspError, Stopped, TooLarge
from ...encoding.encoder import Encoder
from ...encoding.formula import TooManyClauses
from ...encoding.objective import minimize
from ...encoding.rules import Rules, TooHeavy
from ...model import Affine, Comparison, Value
from ...model.variable import integer
from ..compiled.kernel import Snapshot
from ..compiled.program import CompiledModel, Priority
from ..effort import LITERAL, Budget, conflict_work
from .chains import chained

if TYPE_CHECKING:
    import clingo

TICK = 0.05
"""Seconds between two looks at the limits."""

UMAX = 2**32 - 1
"""The conflicts of a search of clingo that has no limit."""

FEWEST = 200
"""Conflicts of a turn, at least."""

MANY = 40_000
"""Candidates from which clingo's phase saving keeps decisions and repairs conflicts locally."""


class Learner:
    """Conflict-driven search for the solved states below a state at rest.

    Candidates are atoms, lines and exclusions cardinality rules, and every other constraint the rules that
    ``csp.encoding`` makes of its meaning; what propagation has removed is not told at all. The formula is made in the
    first turns. Every answer is checked.

    ``state``: at rest; only the lines that wait in it are solved; ``aim``: the level of the objective by which better
    and better states are wanted, and the last one is the best.

    References
    ----------
    .. [1] M. Gebser, B. Kaufmann, T. Schaub, "Conflict-driven answer set solving: from theory to practice", 2012.
    .. [2] R. Kaminski, J. Romero, T. Schaub, P. Wanko, "How to build your own ASP-based system?!", 2023 (the backend).
    """

    def __init__(
        self,
        program: CompiledModel,
        state: Snapshot,
        budget: Budget,
        priority: Priority | None = None,
    ) -> None:
        from clingo import Control

        layout = program.layout
        self._program, self._state, self._budget = program, state, budget
        self._aim = priority
        self._solved = [v for v in layout.variables if layout.waits(state, layout.number[v])]
        solved = set(self._solved)
        self._weighed = [one for one in program.priorities if priority and layout.waits(state, one.variable)]
        left_out = {one.definition for one in self._weighed}
        self._constraints = [c for n, c in program.active() if n not in left_out and not solved.isdisjoint(c.scope)]
        # A left-out definition also required a value; the objective in turn is bounded, which requires one, too.
        others = [one.objective.expression for one in self._weighed if one is not priority]
        self._constraints += [Comparison(other, "=", other) for other in others if other.partial]
        named = solved.union(*[constraint.scope for constraint in self._constraints])
        for one in self._weighed:
            named.update(one.objective.expression.variables)
        named -= {layout.variables[one.variable] for one in self._weighed if one.definition is not None}
        domains = {v: domain for v, domain in layout.domains_in(state).items() if v in named}
        implied = list(chained(self._constraints, domains))
        for variable, bound in [(each.scope[0], each) for each in implied if len(each.scope) == 1]:
            domains[variable] = tuple([value for value in domains[variable] if bound.check({variable: value})])
        self._chained = [each for each in implied if len(each.scope) > 1]
        shown = {v for v in program.model.shown if v in solved} if program.projection else solved
        self._shown = [v for v in domains if v in shown]
        many = sum([len(domain) for domain in domains.values() if len(domain) > 1])
        options = [f"--parallel-mode={budget.settings.threads}", "--configuration=handy", "--models=0"]
        if many > MANY:
            options.append("--heuristic=Berkmin")
        if budget.random is not None:
            options += [f"--seed={budget.random.getrandbits(31)}", "--rand-freq=0.1", "--sign-def=rnd"]
        self._control = Control(options, logger=lambda code, text: None)
        self._backend = _Backend()
        self._encoder = Encoder(self._backend, domains, self._constraints)
        self._making = self._make()

    @property
    def price(self) -> int:
        """The work of a conflict."""
        return conflict_work(self._backend.atoms)

    def prepare(self, work: int | None) -> bool:
        """Make more of the formula, about as much as this work; whether it is done.

        Raises
        ------
        TooLarge
            If the rules would be too many, or a weight of the objective too great for clingo.
        """
        effort, backend = self._budget.effort, self._backend
        begun = backend.literals
        most = inf if work is None else begun + work // LITERAL
        try:
            with self._again():
                for _ in self._making:
                    self._budget.check()
                    if backend.literals > most:
                        return False
                return True
        except (TooHeavy, TooManyClauses) as error:
            raise TooLarge(f"the search that learns would need {error}") from None
        finally:
            effort.literals += backend.literals - begun

    def _make(self) -> Iterator[None]:
        """Make the formula, a constraint after another."""
        encoder = self._encoder
        for variable, domain in encoder.domains.items():
            if len(domain) == 1:
                encoder.terms[variable] = encoder.constant(domain[0])
            else:
                encoder.introduce(variable)
        for constraint in self._constraints:
            if len(constraint.scope) > 1:  # else propagation has said it all
                yield
                encoder.require(constraint)
        for constraint in self._chained:
            yield
            encoder.require(constraint)
        if self._aim:
            objective, domain = self._aim.objective, self._program.layout.domain(self._state, self._aim.variable)
            relation, worst = ("<=", domain[-1]) if objective.sign > 0 else (">=", domain[0])
            encoder.require(Comparison(objective.expression, relation, Affine((), integer(worst))))
            if minimize(encoder, objective.expression, objective.sign, self._constraints):
                self._control.configuration.solver.opt_strategy = "bb,dec"  # type: ignore[union-attr]
        elif self._program.projection:
            self._backend.project([literal for v in self._shown for literal in encoder.terms[v].values()])
            self._control.configuration.solve.project = "project"  # type: ignore[union-attr]
        self._terms = [(v, [(x, one) for x, one in encoder.terms[v].items() if x is not None]) for v in encoder.domains]

    def exclude(self, nogoods: Iterable[Sequence[int]]) -> None:
        """Between two turns: candidates that need not be looked at together, either."""
        encoder, layout = self._encoder, self._program.layout
        for candidates in nogoods:
            literals = [encoder.terms[v].get(value) for v, value in map(layout.candidate, candidates)]
            if None not in literals:  # else one of them is not left anyway
                encoder.formula.add(*[-literal for literal in literals if literal is not None])

    def solutions(self) -> Iterator[Snapshot]:
        """The solved states, each once; those that differ only in what is not shown count as one.

        Where better and better ones are wanted, none that is only as good comes after another.

        Raises
        ------
        TooLarge
            As ``prepare``.
        """
        self.prepare(None)
        return (state for state in self.turns(None) if state is not None)

    def turns(self, work: int | None, nogoods: Iterable[Sequence[int]] = ()) -> Iterator[Snapshot | None]:
        """As ``solutions``, when all is prepared; None where about so much work has found none.

        What has been learnt is kept. ``nogoods``: candidates that need not be looked at together.
        """
        with self._again():
            self.exclude(nogoods)
        found: list[dict[str, Value]] = []
        for model in self._models(None if work is None else max(FEWEST, work // self.price)):
            if model is None:
                break
            if found and self._aim and not model.cost:
                return  # nothing is left to be better in
            values: dict[str, Value] = {v: next(x for x, one in own if model.is_true(one)) for v, own in self._terms}
            yield self._checked(values)
            found.append(values)
        else:
            return
        if not found:
            yield None
            return
        with self._again():
            for values in found:
                self._encoder.formula.add(*[-self._encoder.terms[v][values[v]] for v in self._shown])
        yield from self.turns(None)

    @contextmanager
    def _again(self) -> Iterator[None]:
        """While more is added to the formula."""
        with self._control.backend() as backend:
            self._backend.use(backend)
            yield

    def _models(self, turn: int | None) -> Iterator[clingo.Model | None]:
        budget = self._budget
        left = None if budget.settings.nodes is None else max(1, budget.settings.nodes - budget.effort.nodes)
        is_turn = turn is not None and (left is None or turn < left)
        most = turn if is_turn else left
        self._control.configuration.solve.solve_limit = str(min(most or UMAX, UMAX))  # type: ignore[union-attr]
        with self._control.solve(yield_=True, async_=True) as handle:
            leaving = weakref.finalize(self, handle.cancel)  # also where the interpreter ends while answers are left
            try:
                while True:
                    handle.resume()
                    while not handle.wait(TICK):
                        budget.check()
                    budget.check()
                    model = handle.model()
                    if model is None:
                        break
                    budget.effort.solutions += 1
                    yield model
                is_complete = handle.get().exhausted
            finally:
                leaving.detach()
                handle.cancel()
                conflicts = int(self._control.statistics["solving"]["solvers"]["conflicts"])
                budget.effort.conflicts += conflicts
                budget.effort.learning += conflicts * self.price
            if is_turn and not is_complete:
                yield None
            elif not is_complete:
                raise Stopped(f"the limit of {budget.settings.nodes} nodes")

    def _checked(self, values: dict[str, Value]) -> Snapshot:
        for one in self._weighed:
            values[self._program.layout.variables[one.variable]] = one.objective.value(values)
        for constraint in self._constraints:
            if not constraint.check(values):
                raise CspError(f"a wrong answer of the search that learns, which breaks {constraint.place}")
        layout, candidates = self._program.layout, []
        for variable in self._solved:
            candidate = layout.find(variable, values[variable])
            assert candidate is not None
            candidates.append(candidate)
        return self._program.kernel.narrowed(self._state, candidates) & ~layout.guards


class _Backend(Rules):
    """Rules as they are handed to clingo."""

    def __init__(self) -> None:
        super().__init__()
        self.atoms = 0

    def use(self, backend: clingo.Backend) -> None:
        """Hand what comes to this one."""
        self._backend = backend

    def atom(self) -> int:
        self.atoms += 1
        return self._backend.add_atom()

    def project(self, literals: Sequence[int]) -> None:
        """Models that agree on these count as one."""
        self._backend.add_project(literals)

    def choose(self, variables: Sequence[int]) -> None:
        self._backend.add_rule(variables, choice=True)

    def rule(self, head: int | None, body: Sequence[int]) -> None:
        self._backend.add_rule([head] if head else [], body)

    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        self._backend.add_weight_rule([head] if head else [], least, body)

    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        self._backend.add_minimize(0, [(literal, weight) for weight, literal in terms])
