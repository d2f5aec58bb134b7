"""A state at rest that can be restricted further, and is undone by dropping it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import NoReturn

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...model import Candidate, Domain, Value, Variable
from ...model.operand import Givens, candidates_of, named
from ..compiled.kernel import Contradiction, Snapshot
from ..effort import Budget, Effort, Progress
from ..settings import Settings
from .answers import Answers, Count, Solution
from .engine import Engine


class Session(Frozen):
    """What propagation makes of a model under some givens; immutable, so that nothing has to be taken back.

    Made by ``Solver.session``. Every restriction gives a new session at its own fixpoint, from where this one rests;
    dropping it undoes it.

    Parameters
    ----------
    engine : Engine
    settings : Settings
        Its limits hold for each question apart.
    givens : mapping from str to int or str
    removed : tuple of Candidate
        What has been taken away so far.

    Attributes
    ----------
    holds : bool
        False if propagation alone proves that there is no solution.
    effort : Effort
        What this step has cost.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> session = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])).session()
    >>> narrower = session.given({"A": 1}).removing([("B", 2)])
    >>> narrower.domains["C"], session.domains["C"], session.given({"A": 1, "B": 1}).holds
    ((2,), (1, 2, 3), False)
    >>> narrower.leaving_out([0]).count().value
    6
    """

    engine: Engine = field(repr=False)
    settings: Settings = field(repr=False)
    givens: Mapping[str, Value] = field(default_factory=dict)
    removed: tuple[Candidate, ...] = ()
    effort: Effort = field(default_factory=Effort, compare=False)
    _root: Snapshot | None = field(default=None, repr=False, compare=False)
    _rest: Snapshot | None = field(default=None, repr=False, compare=False)

    @classmethod
    def begun(
        cls, engine: Engine, settings: Settings, givens: Mapping[str, Value], progress: Progress | None
    ) -> Session:
        """The first session of an engine."""
        session = cls(engine, settings, dict(givens))
        return session._propagated(engine.root(givens), None, session.givens, (), progress)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session is not pickled; its solver is, and solver.session(givens) makes it again")

    @property
    def holds(self) -> bool:
        """False if propagation alone proves that there is no solution."""
        return self._rest is not None

    @property
    def domains(self) -> dict[Variable, Domain]:
        """The values left to every variable of the model; where it does not hold, those that it was asked with."""
        assert self._root is not None
        return self.engine.domains(self._root if self._rest is None else self._rest)

    @property
    def left_out(self) -> frozenset[int]:
        """The numbers of the constraints of the model that are left out."""
        return self.engine.program.without

    def given(self, values: Givens, progress: Progress | None = None) -> Session:
        """The session in which variables have these values, as givens or as assumptions.

        Parameters
        ----------
        values : mapping from str or Expression to int or str
        progress : function, optional
            Progress callback: called often with the effort so far; an exception it raises ends the propagation.

        Raises
        ------
        ModelError
            If there is no such variable or no such value.
        Stopped
            If the time of the strategy is over first.
        """
        return self._restricted(named(values), (), progress)

    def removing(self, candidates: Collection[tuple[str, Value]], progress: Progress | None = None) -> Session:
        """The session in which variables do not have these values.

        Parameters
        ----------
        candidates : collection of (str, value)
        progress : function, optional

        Raises
        ------
        ModelError, Stopped
            As ``given``.
        """
        return self._restricted({}, candidates_of(candidates), progress)

    def leaving_out(self, constraints: Collection[int], progress: Progress | None = None) -> Session:
        """The session with the same givens and removals, in which constraints of the model do not count.

        Parameters
        ----------
        constraints : collection of int
            Their numbers in ``model.constraints``, besides those that are left out already. All that follows from them
            goes too, so the rest is compiled anew.
        progress : function, optional

        Raises
        ------
        IndexError
            If there is no such constraint.
        Stopped
            As ``given``.
        """
        program = self.engine.program
        for number in constraints:
            if number not in range(len(program.model.constraints)):
                raise IndexError(f"there is no constraint {number}; they are numbered from 0, as in model.constraints")
        kept = set(range(len(program.model.constraints))) - self.left_out - set(constraints)
        engine = Engine(program.relax(kept))
        session = Session(engine, self.settings)
        root = engine.root(self.givens, self.removed)
        return session._propagated(root, None, self.givens, self.removed, progress)

    def solve(self, progress: Progress | None = None) -> Solution | None:
        """The first solution, or None when there is none.

        Raises
        ------
        Stopped
            If a limit comes first.
        """
        answers = self.solutions(progress)
        solution = next(answers, None)
        if answers.stopped:
            raise Stopped(answers.stopped)
        return solution

    def solutions(self, progress: Progress | None = None) -> Answers:
        """All solutions, each once, in an order that is always the same."""
        budget = Budget(self.settings, Effort(), progress)
        if self._rest is None:
            return Answers(iter(()), lambda state: Solution(), budget.effort)
        return self.engine.below_answers(self._rest, budget)

    def count(self, progress: Progress | None = None) -> Count:
        """How many solutions there are; independent parts are counted apart and multiplied."""
        budget = Budget(self.settings, Effort(), progress)
        if self._rest is None:
            return Count(0, True, budget.effort)
        return self.engine.count(self._rest, self._rest, budget)

    def _restricted(
        self, values: Mapping[str, Value], removed: tuple[Candidate, ...], progress: Progress | None
    ) -> Session:
        assert self._root is not None
        state = self.engine.restricted(self._root if self._rest is None else self._rest, values, removed)
        return self._propagated(state, self._rest, {**self.givens, **values}, self.removed + removed, progress)

    def _propagated(
        self,
        state: Snapshot,
        before: Snapshot | None,
        givens: Mapping[str, Value],
        removed: tuple[Candidate, ...],
        progress: Progress | None,
    ) -> Session:
        budget = Budget(self.settings, Effort(), progress)
        result = self.engine.rest(state, before, budget)
        rest = None if isinstance(result, Contradiction) else result.state
        return Session(self.engine, self.settings, givens, removed, budget.effort, state, rest)
