"""Compile a model once; solve, count and propagate it for many sets of givens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...base.errors import Stopped
from ...model import Model, Value
from ...model.operand import Givens, candidates_of, named
from ..compiled.program import CompiledModel
from ..effort import Budget, Effort, Progress
from ..events import EventLog
from ..settings import Level, Settings, check_limit, check_settings, combine_settings, integer_setting
from .answers import Answers, Count, Estimate, Fixpoint, Solution
from .engine import Engine, last

if TYPE_CHECKING:
    from .session import Session


class Solver:
    """A compiled model. Asking again gives the same answer, whatever was asked before.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
        How much is propagated; short for a strategy with this level. Answers do not depend on it.
    settings : Settings, optional
        All settings and limits.
    **settings
        Those of ``Settings`` by their names, and ``timeout`` for its ``seconds``.

    Raises
    ------
    TooLarge
        If the model has more candidates than the engine holds.
    TypeError
        If there is no such setting, ``model`` is none, or givens are passed for a level.
    ValueError
        If there is no such level.

    Notes
    -----
    Compiling is O(candidates of all lines); every mask is made when it is first needed and then kept, so that a
    solver grows faster with use. All questions take ``settings``, another one whose limits hold for this question
    alone, and ``progress``, a progress callback: called often with the effort so far; an exception it raises ends the
    question.
    A solver pickles as its model and its strategy. One solver is for one thread: what it keeps is not locked.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> solver.solve({"A": 2, "B": 3})
    {'A': 2, 'B': 3, 'C': 1}
    >>> solver.count({"A": 2})
    Count(value=2, complete=True)
    """

    def __repr__(self) -> str:
        return f"<Solver of {self.model!r}>"

    def __init__(
        self, model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"{model!r} is no model: csp.Model(domains, constraints) is one, dsl.loads(text) reads one")
        if isinstance(level, Mapping):
            raise TypeError(
                f"{dict(level)} are givens, which stand in Solver(model).solve(givens); here a level stands"
            )
        if isinstance(level, Settings):
            raise TypeError("settings are passed by name: csp.Solver(model, settings=...)")
        self.model = model
        self.settings = combine_settings(settings, {**options, "level": level} if level else options)
        self.program = CompiledModel(model, self.settings)
        self._engine = Engine(self.program)

    def __reduce__(self) -> tuple[Any, ...]:
        return Solver, (self.model, None, self.settings)

    @property
    def level(self) -> Level:
        """How much is propagated."""
        return self.settings.level

    def solve(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Solution | None:
        """The first solution, of an objective the best; None when there is none.

        Parameters
        ----------
        givens : mapping from str or Expression to int or str, optional
            Values of variables, besides those that the model fixes.
        settings, progress
            See the class.

        Returns
        -------
        Solution or None
            A model without variables has an empty solution, so ask whether it ``is None``.

        Raises
        ------
        ModelError
            If a given names no variable, or a value outside its domain.
        Stopped
            If a limit ends the search before the answer is known.
        """
        is_plain = self.model.objective is None
        answers = self.solutions(givens, settings, progress) if is_plain else self.improving(givens, settings, progress)
        solution = next(answers, None) if is_plain else last(answers)
        if answers.stopped:
            raise Stopped(answers.stopped)
        return solution

    def improving(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        log: EventLog | None = None,
        bound: int | tuple[int, ...] | None = None,
    ) -> Answers:
        """Solutions of a model with an objective, each better than the one before; the last one is the best.

        Where the answers are complete, the last one is proved to be the best; where a limit has stopped them, it is
        the best that is known, and a loop that does not look at ``stopped`` ends in a warning, ``csp.Unfinished``.

        Parameters
        ----------
        givens, settings, progress, log
            As for ``solutions``.
        bound : int or tuple of int, optional
            What is not better than this is no solution; a number for each expression of the objective.

        Returns
        -------
        Answers

        Raises
        ------
        ValueError
            If the model has no objective.

        Examples
        --------
        >>> from csp import Affine, AllDifferent, Objective
        >>> total = Objective("maximize", Affine.variable("A") + Affine.variable("B"))
        >>> model = Model({v: range(1, 4) for v in "AB"}, [AllDifferent.of("AB")], objective=total)
        >>> answers = Solver(model).improving()
        >>> [model.objective.value(solution) for solution in answers][-1], answers.complete
        (5, True)

        References
        ----------
        .. [1] A. H. Land, A. G. Doig, "An automatic method of solving discrete programming problems", 1960.
        """
        if self.model.objective is None:
            raise ValueError("the model has no objective")
        root = self._engine.root(givens, log=log)
        known = (bound,) if isinstance(bound, int) else bound
        return self._engine.better_answers(root, self._budget(settings, progress), log, known)

    def solutions(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        log: EventLog | None = None,
        removed: Collection[tuple[str, Value]] = (),
    ) -> Answers:
        """All solutions, of an objective the best ones, and those that show alike once; the order is always the same.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        log : EventLog, optional
            A list, or whatever has ``append``: what happens until the first solution is written there.
        removed : collection of (str, value), optional
            Values that variables do not have.

        Returns
        -------
        Answers
        """
        root = self._engine.root(givens, candidates_of(removed), log)
        return self._engine.answers(root, self._budget(settings, progress), log)

    def count(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        limit: int | None = None,
    ) -> Count:
        """How many solutions ``solutions`` has; independent parts are counted apart and multiplied.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        most : int, optional
            Stop at this number.

        Returns
        -------
        Count
        """
        if limit is not None:
            limit = check_limit("limit", limit, 0)
            answers = self.solutions(givens, settings, progress)
            found = sum(1 for _ in islice(answers, limit))
            return Count(found, found < limit and not answers.stopped, answers.effort, answers.stopped)
        return self._engine.count(self._engine.root(givens), None, self._budget(settings, progress))

    def estimate(
        self,
        givens: Givens | None = None,
        probes: int = 1_000,
        seed: int = 0,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Estimate:
        """About how many solutions ``solutions`` has, where a count would take too long.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        probes : int
            How many walks down the tree, each O(depth) nodes.
        seed : int
            Of chance: the same seed gives the same estimate.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> from csp import AllDifferent
        >>> Solver(Model({v: range(1, 6) for v in "ABCDE"}, [AllDifferent.of("ABCDE")])).estimate(probes=10)
        Estimate(value=120, error=0, probes=10)

        References
        ----------
        .. [1] D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
        """
        probes, seed = check_limit("probes", probes, 1), integer_setting("seed", seed)
        return self._engine.estimate(self._engine.root(givens), probes, seed, self._budget(settings, progress))

    def propagate(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        log: EventLog | None = None,
    ) -> Fixpoint:
        """What follows without search.

        Parameters
        ----------
        givens, settings, progress, log
            As for ``solutions``.

        Returns
        -------
        Fixpoint

        Raises
        ------
        Stopped
            If a limit comes first.
        """
        root, budget = self._engine.root(givens, log=log), self._budget(settings, progress)
        return self._engine.fixpoint(root, self._engine.rest(root, None, budget, log), budget)

    def session(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Session:
        """The state that propagation leaves, to be restricted further and asked again.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``; the strategy holds for all questions of the session.

        Returns
        -------
        Session

        Raises
        ------
        Stopped
            If a limit comes first.
        """
        from .session import Session

        own = {} if givens is None else named(givens)
        return Session.begun(self._engine, check_settings(settings) or self.settings, own, progress)

    def _budget(self, settings: Settings | None, progress: Progress | None) -> Budget:
        return Budget(check_settings(settings) or self.settings, Effort(), progress)
