"""Sessions: results of propagation to which givens can be added."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import NoReturn

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...model import Candidate, Domain, Value, Variable
from ...model.givens import Givens, candidates_of, named
from ..compiled.kernel import Contradiction, Snapshot
from ..effort import Budget, Effort, Progress
from ..settings import Settings
from .answers import Answers, Count, Solution
from .engine import Engine


class Session(Frozen):
    """The fixpoint of a model under some givens; immutable, made by ``Solver.session``.

    Every restriction propagates from this fixpoint and returns a new session; dropping that session undoes it.

    Parameters
    ----------
    engine : Engine
    settings : Settings
        The limits hold for each query separately.
    givens : mapping from str to int or str
    removed : tuple of Candidate
        The candidates removed so far.

    Attributes
    ----------
    holds : bool
        False if propagation has found a contradiction.
    effort : Effort
        The cost of this restriction.

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
    _fixpoint: Snapshot | None = field(default=None, repr=False, compare=False)

    @classmethod
    def start(
        cls, engine: Engine, settings: Settings, givens: Mapping[str, Value], progress: Progress | None
    ) -> Session:
        """Propagate a model with givens, and return the first session."""
        session = cls(engine, settings, dict(givens))
        return session._propagate(engine.root(givens), None, session.givens, (), progress)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session is not pickled; its solver is, and solver.session(givens) makes it again")

    @property
    def holds(self) -> bool:
        """Whether propagation has found no contradiction."""
        return self._fixpoint is not None

    @property
    def domains(self) -> dict[Variable, Domain]:
        """The remaining domain of each variable; after a contradiction, those before propagation."""
        assert self._root is not None
        return self.engine.domains(self._root if self._fixpoint is None else self._fixpoint)

    @property
    def left_out(self) -> frozenset[int]:
        """The numbers of the constraints of the model that this session ignores."""
        return self.engine.program.ignored

    def given(self, values: Givens, progress: Progress | None = None) -> Session:
        """Propagate values of variables as further givens, and return the new session.

        Parameters
        ----------
        values : mapping from str or Expression to int or str
        progress : function, optional
            Progress callback: called often with the effort so far; an exception it raises ends the propagation.

        Raises
        ------
        ModelError
            If a variable or a value is unknown.
        Stopped
            If the time limit of the settings is reached first.
        """
        return self._restrict(named(values), (), progress)

    def removing(self, candidates: Collection[tuple[str, Value]], progress: Progress | None = None) -> Session:
        """Propagate the removal of some candidates, and return the new session.

        Parameters
        ----------
        candidates : collection of (str, value)
        progress : function, optional

        Raises
        ------
        ModelError, Stopped
            As ``given``.
        """
        return self._restrict({}, candidates_of(candidates), progress)

    def leaving_out(self, constraints: Collection[int], progress: Progress | None = None) -> Session:
        """Return a session with the same givens that ignores some constraints of the model.

        Parameters
        ----------
        constraints : collection of int
            Their numbers in ``model.constraints``, in addition to those left out already. The remaining constraints
            are compiled again, as implied constraints of those left out must go, too.
        progress : function, optional

        Raises
        ------
        IndexError
            If a number is not one of a constraint.
        Stopped
            As ``given``.
        """
        program = self.engine.program
        for number in constraints:
            if number not in range(len(program.model.constraints)):
                raise IndexError(f"unknown constraint: {number}; numbers are indices of model.constraints")
        remaining = set(range(len(program.model.constraints))) - self.left_out - set(constraints)
        engine = Engine(program.keeping(remaining))
        session = Session(engine, self.settings)
        root = engine.root(self.givens, self.removed)
        return session._propagate(root, None, self.givens, self.removed, progress)

    def solve(self, progress: Progress | None = None) -> Solution | None:
        """Return a solution or None; with an objective, an optimal solution.

        Raises
        ------
        Stopped
            If a limit is reached first.
        """
        answers = self.solutions(progress)
        solution = next(answers, None)
        if answers.stopped:
            raise Stopped(answers.stopped)
        return solution

    def solutions(self, progress: Progress | None = None) -> Answers:
        """Return all solutions in a reproducible order; with an objective, only the optimal ones."""
        budget = Budget(self.settings, Effort(), progress)
        if self._fixpoint is None:
            return Answers(iter(()), lambda snapshot: Solution(), budget.effort)
        return self.engine.fixpoint_answers(self._fixpoint, budget)

    def count(self, progress: Progress | None = None) -> Count:
        """Count the solutions; with an objective, only the optimal ones.

        Counts of independent parts are multiplied.
        """
        budget = Budget(self.settings, Effort(), progress)
        if self._fixpoint is None:
            return Count(0, True, budget.effort)
        return self.engine.count(self._fixpoint, self._fixpoint, budget)

    def _restrict(
        self, values: Mapping[str, Value], removed: tuple[Candidate, ...], progress: Progress | None
    ) -> Session:
        """Add givens and removals to this session, propagate, and return the new session."""
        assert self._root is not None
        root = self.engine.add_givens(self._root if self._fixpoint is None else self._fixpoint, values, removed)
        return self._propagate(root, self._fixpoint, {**self.givens, **values}, self.removed + removed, progress)

    def _propagate(
        self,
        root: Snapshot,
        previous: Snapshot | None,
        givens: Mapping[str, Value],
        removed: tuple[Candidate, ...],
        progress: Progress | None,
    ) -> Session:
        """Propagate a root and return its session; ``previous`` is a fixpoint above the root."""
        budget = Budget(self.settings, Effort(), progress)
        result = self.engine.reach_fixpoint(root, previous, budget)
        fixpoint = None if isinstance(result, Contradiction) else result.snapshot
        return Session(self.engine, self.settings, givens, removed, budget.effort, root, fixpoint)
