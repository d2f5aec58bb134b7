"""The learner: conflict-driven search by clingo for the solutions below a fixpoint."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from ...base.errors import CspError, Stopped, TooLarge
from ...base.notation import counted
from ...encoding.encoder import Encoder
from ...encoding.formula import Rules, TooHeavy, TooManyClauses
from ...encoding.objective import minimize
from ...model import Affine, Comparison, Value
from ...model.variable import integer
from ..compiled.kernel import PAUSED, Paused, Snapshot
from ..compiled.program import CompiledModel, Priority
from ..effort import WORK_PER_LITERAL, Budget, conflict_work
from .chains import chain_bounds

if TYPE_CHECKING:
    import clingo

POLL_SECONDS = 0.05
"""Seconds between two checks of the limits while clingo searches."""

MAX_CLINGO_CONFLICTS = 2**32 - 1
"""The conflict limit of a search of clingo without a limit."""

MIN_TURN_CONFLICTS = 200
"""Minimum number of conflicts in a turn."""

MANY_CANDIDATES = 40_000
"""With more candidates clingo branches by its Berkmin heuristic, which repairs conflicts locally."""


class Learner:
    """A conflict-driven search, by clingo, for the solved snapshots below a fixpoint.

    Candidates are atoms, exactly-one sets and exclusions are cardinality rules, and every other constraint is the rules
    that ``csp.encoding`` makes of its meaning. Removed values have no atoms. The formula is written during the first
    turns. Every answer is checked against the constraints.

    Parameters
    ----------
    program : CompiledModel
    fixpoint : Snapshot
        Only the exactly-one sets that wait in it are solved.
    budget : Budget
    priority : Priority, optional
        The priority of the objective to improve: each solution is better than the previous one, and the last is
        optimal. None yields all solutions.

    References
    ----------
    .. [1] M. Gebser, B. Kaufmann, T. Schaub, "Conflict-driven answer set solving: from theory to practice", 2012.
    .. [2] R. Kaminski, J. Romero, T. Schaub, P. Wanko, "How to build your own ASP-based system?!", 2023 (the backend).
    """

    def __init__(
        self,
        program: CompiledModel,
        fixpoint: Snapshot,
        budget: Budget,
        priority: Priority | None = None,
    ) -> None:
        from clingo import Control

        layout = program.layout
        self._program, self._fixpoint, self._budget = program, fixpoint, budget
        self._priority = priority
        self._solved = [v for v in layout.variables if layout.is_unfixed(fixpoint, layout.number[v])]
        solved = set(self._solved)
        # Unfixed objectives are encoded as weights; the constraints that define their variables are not needed.
        self._weighed = [each for each in program.priorities if priority and layout.is_unfixed(fixpoint, each.variable)]
        left_out = {each.definition for each in self._weighed}
        self._constraints = [
            c for n, c in program.kept_constraints() if n not in left_out and not solved.isdisjoint(c.scope)
        ]
        # A left-out definition also required a value; the objective in turn is bounded, which requires one, too.
        expressions = [each.objective.expression for each in self._weighed if each is not priority]
        self._constraints += [Comparison(partial, "=", partial) for partial in expressions if partial.partial]
        # Collect the domains of the variables that the formula names.
        named = solved.union(*[constraint.scope for constraint in self._constraints])
        for each in self._weighed:
            named.update(each.objective.expression.variables)
        named -= {layout.variables[each.variable] for each in self._weighed if each.definition is not None}
        domains = {v: domain for v, domain in layout.domains_in(fixpoint).items() if v in named}
        # Bounds on chains of differences narrow domains or become constraints.
        implied = list(chain_bounds(self._constraints, domains))
        for variable, bound in [(each.scope[0], each) for each in implied if len(each.scope) == 1]:
            domains[variable] = tuple([value for value in domains[variable] if bound.check({variable: value})])
        self._chain_bounds = [each for each in implied if len(each.scope) > 1]
        shown_variables = {v for v in program.model.shown if v in solved} if program.projection else solved
        self._shown = [v for v in domains if v in shown_variables]
        candidate_count = sum([len(domain) for domain in domains.values() if len(domain) > 1])
        options = [f"--parallel-mode={budget.settings.threads}", "--configuration=handy", "--models=0"]
        if candidate_count > MANY_CANDIDATES:
            options.append("--heuristic=Berkmin")
        if budget.random is not None:
            options += [f"--seed={budget.random.getrandbits(31)}", "--rand-freq=0.1", "--sign-def=rnd"]
        self._control = Control(options, logger=lambda code, text: None)
        self._backend = _Backend()
        self._encoder = Encoder(self._backend, domains, self._constraints)
        self._writing = self._write_formula()

    @property
    def price(self) -> int:
        """The work that one conflict costs, in units of ``Effort.work``."""
        return conflict_work(self._backend.atoms)

    def prepare(self, work: int | None) -> bool:
        """Write more of the formula; return whether the formula is complete.

        ``work``: None writes all of it.

        Raises
        ------
        TooLarge
            If the formula needs too many rules, or the objective a weight too great for clingo.
        """
        effort, backend = self._budget.effort, self._backend
        literals_before = backend.literals
        max_literals = inf if work is None else literals_before + work // WORK_PER_LITERAL
        try:
            with self._open_backend():
                for _ in self._writing:
                    self._budget.check()
                    if backend.literals > max_literals:
                        return False
                return True
        except (TooHeavy, TooManyClauses) as error:
            raise TooLarge(f"the search that learns would need {error}") from None
        finally:
            effort.literals += backend.literals - literals_before

    def _write_formula(self) -> Iterator[None]:
        """Write the formula, and yield before each constraint so that the caller can pause."""
        encoder = self._encoder
        for variable, domain in encoder.domains.items():
            if len(domain) == 1:
                encoder.terms[variable] = encoder.constant(domain[0])
            else:
                encoder.introduce(variable)
        for constraint in self._constraints:
            if len(constraint.scope) > 1:  # propagation has applied a constraint on one variable already
                yield
                encoder.require(constraint)
        for constraint in self._chain_bounds:
            yield
            encoder.require(constraint)
        if self._priority:
            # Bound the objective by the worst value that propagation leaves, and minimize it.
            objective, domain = (
                self._priority.objective,
                self._program.layout.domain(self._fixpoint, self._priority.variable),
            )
            relation, worst = ("<=", domain[-1]) if objective.sign > 0 else (">=", domain[0])
            encoder.require(Comparison(objective.expression, relation, Affine((), integer(worst))))
            if minimize(encoder, objective.expression, objective.sign, self._constraints):
                self._control.configuration.solver.opt_strategy = "bb,dec"  # type: ignore[union-attr]
        elif self._program.projection:
            self._backend.project([literal for v in self._shown for literal in encoder.terms[v].values()])
            self._control.configuration.solve.project = "project"  # type: ignore[union-attr]
        self._terms = [
            (v, [(value, literal) for value, literal in encoder.terms[v].items() if value is not None])
            for v in encoder.domains
        ]

    def exclude(self, nogoods: Iterable[Sequence[int]]) -> None:
        """Add nogoods between two turns: no further solution contains all candidates of a nogood."""
        encoder, layout = self._encoder, self._program.layout
        for candidates in nogoods:
            literals = [encoder.terms[v].get(value) for v, value in map(layout.candidate, candidates)]
            if None not in literals:  # a candidate without a literal is removed, so the nogood holds already
                encoder.formula.add(*[-literal for literal in literals if literal is not None])

    def solutions(self) -> Iterator[Snapshot]:
        """Yield the solved snapshots below the fixpoint, one per assignment of the shown variables.

        With an objective, each is better than the previous one.

        Raises
        ------
        TooLarge
            As ``prepare``.
        """
        self.prepare(None)
        return (item for item in self.turns(None) if not isinstance(item, Paused))

    def turns(self, work: int | None, nogoods: Iterable[Sequence[int]] = ()) -> Iterator[Snapshot | Paused]:
        """Yield the solutions of one turn; if it ends without any, yield a pause.

        ``work``: about the work of the turn; None has no end. The formula must be complete. A turn that has found a
        solution searches to the end.

        Learned clauses are kept for the next turn. ``nogoods``: as for ``exclude``.
        """
        with self._open_backend():
            self.exclude(nogoods)
        solutions: list[dict[str, Value]] = []
        max_conflicts = None if work is None else max(MIN_TURN_CONFLICTS, work // self.price)
        for item in self._models(max_conflicts):
            if isinstance(item, Paused):
                if solutions:
                    # Search to the end, without the solutions found already.
                    with self._open_backend():
                        for solution in solutions:
                            self._encoder.formula.add(*[-self._encoder.terms[v][solution[v]] for v in self._shown])
                    yield from self.turns(None)
                else:
                    yield item
                return
            if solutions and self._priority and not item.cost:
                return  # a solution without costs is optimal
            values: dict[str, Value] = {
                v: next(value for value, literal in terms if item.is_true(literal)) for v, terms in self._terms
            }
            yield self._check(values)
            solutions.append(values)

    @contextmanager
    def _open_backend(self) -> Iterator[None]:
        """Open clingo's backend, so that the encoder can add rules."""
        with self._control.backend() as backend:
            self._backend.use(backend)
            yield

    def _models(self, turn: int | None) -> Iterator[clingo.Model | Paused]:
        """Yield clingo's models, and a pause if the limit of conflicts ends the turn.

        ``turn``: the conflicts of the turn; None has no end.
        """
        budget = self._budget
        remaining = None if budget.settings.nodes is None else max(1, budget.settings.nodes - budget.effort.nodes)
        is_turn = turn is not None and (remaining is None or turn < remaining)
        limit = turn if is_turn else remaining
        self._control.configuration.solve.solve_limit = str(  # type: ignore[union-attr]
            min(limit or MAX_CLINGO_CONFLICTS, MAX_CLINGO_CONFLICTS)
        )
        with self._control.solve(yield_=True, async_=True) as handle:
            canceller = weakref.finalize(self, handle.cancel)  # an interpreter that exits must not wait for clingo
            try:
                while True:
                    # Check the limits until the next model is ready.
                    handle.resume()
                    while not handle.wait(POLL_SECONDS):
                        budget.check()
                    budget.check()
                    model = handle.model()
                    if model is None:
                        break
                    budget.effort.solutions += 1
                    yield model
                is_complete = handle.get().exhausted
            finally:
                canceller.detach()
                handle.cancel()
                conflicts = int(self._control.statistics["solving"]["solvers"]["conflicts"])
                budget.effort.conflicts += conflicts
                budget.effort.learning += conflicts * self.price
        if is_turn and not is_complete:
            yield PAUSED
        elif not is_complete:
            assert budget.settings.nodes is not None
            raise Stopped(f"the limit of {counted(budget.settings.nodes, 'node', form='')}")

    def _check(self, values: dict[str, Value]) -> Snapshot:
        """Return clingo's answer as a solved snapshot, after checking all constraints."""
        for each in self._weighed:
            values[self._program.layout.variables[each.variable]] = each.objective.value(values)
        for constraint in self._constraints:
            if not constraint.check(values):
                raise CspError(f"a wrong answer of the search that learns, which breaks {constraint.place}")
        layout, candidates = self._program.layout, []
        for variable in self._solved:
            candidate = layout.find(variable, values[variable])
            assert candidate is not None
            candidates.append(candidate)
        return self._program.kernel.assign(self._fixpoint, candidates) & ~layout.guards


class _Backend(Rules):
    """A formula that writes its rules directly into clingo."""

    def __init__(self) -> None:
        super().__init__()
        self.atoms = 0

    def use(self, backend: clingo.Backend) -> None:
        """Write all further rules into this backend of clingo."""
        self._backend = backend

    def atom(self) -> int:
        self.atoms += 1
        return self._backend.add_atom()

    def project(self, literals: Sequence[int]) -> None:
        """Add literals to clingo's projection.

        If it is on, models that agree on all of its literals count as one.
        """
        self._backend.add_project(literals)

    def choose(self, variables: Sequence[int]) -> None:
        self._backend.add_rule(variables, choice=True)

    def rule(self, head: int | None, body: Sequence[int]) -> None:
        self._backend.add_rule([head] if head else [], body)

    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        self._backend.add_weight_rule([head] if head else [], least, body)

    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        self._backend.add_minimize(0, [(literal, weight) for weight, literal in terms])
