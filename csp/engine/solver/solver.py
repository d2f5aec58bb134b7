"""The solver of a model, and functions for a single query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...base.errors import Stopped
from ...base.notation import counted
from ...model import Constraint, Domain, Model, Value, Variable
from ...model.givens import Givens, candidates_of, named
from ..compiled.program import CompiledModel
from ..compiled.propagators import Context
from ..effort import Budget, Effort, Progress
from ..events import EventLog
from ..memory import Memory
from ..settings import Level, Settings, check_limit, check_settings, combine_settings, integer_setting
from .answers import Answers, Count, Estimate, Fixpoint, Solution
from .engine import Engine, last

if TYPE_CHECKING:
    from .session import Session


class Solver:
    """A solver that compiles a model once and answers many independent queries.

    Earlier queries change only the speed of later ones.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
        Consistency level of propagation, short for ``settings`` with this level. Solutions do not depend on it; the
        domains that ``propagate`` returns do.
    settings : Settings, optional
        All settings and limits.
    **options
        Fields of ``Settings`` by name, and ``timeout`` for ``seconds``.

    Raises
    ------
    ModelError
        If ``first`` or ``branch`` of the settings names an unknown variable or value, or an expression can have too
        many values.
    TooLarge
        If a snapshot of the model needs more bits than ``Settings.max_bits`` allows.
    TypeError
        If there is no such setting, ``model`` is not a ``Model``, or givens are passed for the level.
    ValueError
        If the level is unknown.

    Notes
    -----
    Compiling takes time for each constraint and its scope, and for the candidates of all exactly-one sets. Masks are
    made on first use and then cached, so that later queries are faster. All queries take ``settings``, whose limits
    hold for this query alone; the model stays compiled for the level of the solver, whatever level a query names. All
    queries take ``progress``, a callback that gets the effort so far, often; an exception that it raises ends the
    query.
    A solver pickles as its model and its settings. Use a solver in one thread only: its caches have no locks.

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
            raise TypeError(f"{model!r} is not a model: make one by csp.Model(domains, constraints) or dsl.loads(text)")
        if isinstance(level, Mapping):
            raise TypeError(
                f"{dict(level)} are givens, which Solver(model).solve(givens) takes; the second argument is the level"
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
        """The consistency level of propagation."""
        return self.settings.level

    def solve(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Solution | None:
        """Return a solution or None; with an objective, an optimal solution.

        Parameters
        ----------
        givens : mapping from str or Expression to int or str, optional
            Values of variables, in addition to those that the model fixes.
        settings, progress
            See the class.

        Returns
        -------
        Solution or None
            Compare it with ``is None``: a model without variables has an empty solution.

        Raises
        ------
        ModelError
            If a given names an unknown variable, or a value outside its domain.
        Stopped
            If a limit is reached before the answer is known.
        """
        has_objective = self.model.objective is not None
        search = self.improving if has_objective else self.solutions
        answers = search(givens, settings, progress)
        solution = last(answers) if has_objective else next(answers, None)
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
        """Return solutions of a model with an objective, each better than the previous one.

        If the answers are ``complete``, the last one is optimal. If a limit has stopped them, it is the best known;
        code that reads neither ``stopped`` nor ``complete`` then gets a warning, ``csp.Unfinished``.

        Parameters
        ----------
        givens, settings, progress, log
            As for ``solutions``.
        bound : int or tuple of int, optional
            Only solutions better than this bound count; a number for each expression of the objective.

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
        bounds = (bound,) if isinstance(bound, int) else bound
        return self._engine.improving_answers(root, self._budget(settings, progress), log, bounds)

    def solutions(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        log: EventLog | None = None,
        removed: Collection[tuple[str, Value]] = (),
    ) -> Answers:
        """Return all solutions in a reproducible order; with an objective, only the optimal ones.

        They are found on demand. At a limit they end early, and ``stopped`` of the answers says why. Solutions that
        differ only in hidden variables count as one.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        log : EventLog, optional
            A list, or an object with ``append``, to which every event of propagation and search is appended.
        removed : collection of (str, value), optional
            Candidates to remove before the search.

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
        """Count the solutions, perhaps up to a limit; with an objective, only optimal ones.

        Without ``limit``, the counts of independent parts are multiplied.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        limit : int, optional
            Stop at this number of solutions.

        Returns
        -------
        Count
            The exact number if ``complete``, else a lower bound. It is not complete at a limit of the settings, or
            once ``limit`` solutions are found, even if these are all.
        """
        if limit is not None:
            limit = check_limit("limit", limit, 0)
            answers = self.solutions(givens, settings, progress)
            number = sum(1 for _ in islice(answers, limit))
            return Count(number, number < limit and not answers.stopped, answers.effort, answers.stopped)
        return self._engine.count(self._engine.root(givens), None, self._budget(settings, progress))

    def estimate(
        self,
        givens: Givens | None = None,
        probes: int = 1_000,
        seed: int = 0,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Estimate:
        """Estimate the number of solutions, for models that take too long to count.

        With an objective, only optimal solutions count.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``.
        probes : int
            Number of random walks down the search tree, each of O(depth) nodes.
        seed : int
            Seed of the random walks; the same seed gives the same estimate.

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
        """Propagate without search, and return the remaining domains.

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
            If a limit is reached first.
        """
        root, budget = self._engine.root(givens, log=log), self._budget(settings, progress)
        return self._engine.fixpoint(root, self._engine.reach_fixpoint(root, None, budget, log), budget)

    def session(
        self,
        givens: Givens | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Session:
        """Propagate and return an immutable session; its methods return narrower sessions.

        Parameters
        ----------
        givens, settings, progress
            As for ``solve``; the settings hold for all queries of the session.

        Returns
        -------
        Session

        Raises
        ------
        Stopped
            If a limit is reached first.
        """
        from .session import Session

        values = {} if givens is None else named(givens)
        return Session.start(self._engine, check_settings(settings) or self.settings, values, progress)

    def _budget(self, settings: Settings | None, progress: Progress | None) -> Budget:
        return Budget(check_settings(settings) or self.settings, Effort(), progress)


def solve(
    model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any
) -> Solution | None:
    """Return a solution of a model, or None; see ``Solver.solve``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Solution or None

    Raises
    ------
    Stopped
        If a limit is reached before the answer.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solve(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")]), timeout=10)
    {'A': 2, 'B': 1}
    """
    return Solver(model, level, settings, **options).solve()


def count(model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any) -> Count:
    """Count the solutions of a model, with an objective only the optimal ones; see ``Solver.count``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Count
        A lower bound if a limit was reached.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> count(Model({v: range(3) for v in "ABC"}, [AllDifferent.of("ABC")])).value
    6
    """
    return Solver(model, level, settings, **options).count()


def propagate(model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any) -> Fixpoint:
    """Return the domains of a model after propagation, without search; see ``Solver.propagate``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Fixpoint

    Examples
    --------
    >>> from csp import AllDifferent
    >>> propagate(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")])).domains
    {'A': (2,), 'B': (1,)}
    """
    return Solver(model, level, settings, **options).propagate()


def deciding(domains: Mapping[Variable, Domain], most: int | None = None) -> Callable[[Constraint], bool | None]:
    """Return a function that tests whether all or no assignments satisfy a constraint.

    The function returns True if the constraint holds for all assignments, False if it holds for none, and None if
    neither is known.

    Parameters
    ----------
    domains : mapping from Variable to tuple
        The values of every variable of the constraints to decide.
    most : int, optional
        Maximum number of steps over all calls: the steps of propagators, and one for each value in a scope. Above that
        the function raises ``Stopped``.

    Returns
    -------
    function

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> below = Linear(Affine.variable("x"), "<", Affine.variable("y"))
    >>> deciding({"x": (1, 2), "y": (3,)})(below), deciding({"x": (3,), "y": (1, 2)})(below)
    (True, False)
    """
    settings = Settings()
    context = Context(domains, settings, Memory(settings.max_cache_bytes))

    def decide(constraint: Constraint) -> bool | None:
        meter = context.meter
        meter.steps += sum([len(domains[variable]) for variable in constraint.scope])
        if most is not None and meter.steps > most:
            raise Stopped(f"the limit of {counted(most, 'step', form='')}")
        return context.part(constraint).entailment([(1 << len(domains[variable])) - 1 for variable in constraint.scope])

    return decide
