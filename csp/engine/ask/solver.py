"""Compile a model once; solve, count and propagate it for many sets of givens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...ground.errors import Stopped
from ...model import Model, Value
from ...model.operand import Givens, candidates_of, named
from ..compiled.program import CompiledModel
from ..effort import Budget, Effort, Watch
from ..strategy import Level, Strategy, checked, chosen, integer_setting, limit
from ..trail import Trail
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
    strategy : Strategy, optional
        All settings and limits.
    **settings
        Those of ``Strategy`` by their names, and ``timeout`` for its ``seconds``.

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
    solver grows faster with use. All questions take ``strategy``, another one whose limits hold for this question
    alone, and ``watch``, a progress callback: called often with the effort so far; an exception it raises ends the
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
        self, model: Model, level: Level | None = None, strategy: Strategy | None = None, **settings: Any
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"{model!r} is no model: csp.Model(domains, constraints) is one, dsl.loads(text) reads one")
        if isinstance(level, Mapping):
            raise TypeError(
                f"{dict(level)} are givens, which stand in Solver(model).solve(givens); here a level stands"
            )
        if isinstance(level, Strategy):
            raise TypeError("a strategy is passed by its name: csp.Solver(model, strategy=...)")
        self.model = model
        self.strategy = chosen(strategy, {**settings, "level": level} if level else settings)
        self.program = CompiledModel(model, self.strategy)
        self._engine = Engine(self.program)

    def __reduce__(self) -> tuple[Any, ...]:
        return Solver, (self.model, None, self.strategy)

    @property
    def level(self) -> Level:
        """How much is propagated."""
        return self.strategy.level

    def solve(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
    ) -> Solution | None:
        """The first solution, of an objective the best; None when there is none.

        Parameters
        ----------
        givens : mapping from str or Expression to int or str, optional
            Values of variables, besides those that the model fixes.
        strategy, watch
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
        answers = self.solutions(givens, strategy, watch) if is_plain else self.better(givens, strategy, watch)
        solution = next(answers, None) if is_plain else last(answers)
        if answers.stopped:
            raise Stopped(answers.stopped)
        return solution

    def better(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
        trail: Trail | None = None,
        bound: int | tuple[int, ...] | None = None,
    ) -> Answers:
        """Solutions of a model with an objective, each better than the one before; the last one is the best.

        Where the answers are complete, the last one is proved to be the best; where a limit has stopped them, it is
        the best that is known, and a loop that does not look at ``stopped`` ends in a warning, ``csp.Unfinished``.

        Parameters
        ----------
        givens, strategy, watch, trail
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
        >>> answers = Solver(model).better()
        >>> [model.objective.value(solution) for solution in answers][-1], answers.complete
        (5, True)

        References
        ----------
        .. [1] A. H. Land, A. G. Doig, "An automatic method of solving discrete programming problems", 1960.
        """
        if self.model.objective is None:
            raise ValueError("the model has no objective")
        root = self._engine.root(givens, trail=trail)
        known = (bound,) if isinstance(bound, int) else bound
        return self._engine.better_answers(root, self._budget(strategy, watch), trail, known)

    def solutions(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
        trail: Trail | None = None,
        removed: Collection[tuple[str, Value]] = (),
    ) -> Answers:
        """All solutions, of an objective the best ones, and those that show alike once; the order is always the same.

        Parameters
        ----------
        givens, strategy, watch
            As for ``solve``.
        trail : Trail, optional
            A list, or whatever has ``append``: what happens until the first solution is written there.
        removed : collection of (str, value), optional
            Values that variables do not have.

        Returns
        -------
        Answers
        """
        root = self._engine.root(givens, candidates_of(removed), trail)
        return self._engine.answers(root, self._budget(strategy, watch), trail)

    def count(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
        most: int | None = None,
    ) -> Count:
        """How many solutions ``solutions`` has; independent parts are counted apart and multiplied.

        Parameters
        ----------
        givens, strategy, watch
            As for ``solve``.
        most : int, optional
            Stop at this number.

        Returns
        -------
        Count
        """
        if most is not None:
            most = limit("most", most, 0)
            answers = self.solutions(givens, strategy, watch)
            found = sum(1 for _ in islice(answers, most))
            return Count(found, found < most and not answers.stopped, answers.effort, answers.stopped)
        return self._engine.count(self._engine.root(givens), None, self._budget(strategy, watch))

    def estimate(
        self,
        givens: Givens | None = None,
        probes: int = 1_000,
        seed: int = 0,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
    ) -> Estimate:
        """About how many solutions ``solutions`` has, where a count would take too long.

        Parameters
        ----------
        givens, strategy, watch
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
        probes, seed = limit("probes", probes, 1), integer_setting("seed", seed)
        return self._engine.estimate(self._engine.root(givens), probes, seed, self._budget(strategy, watch))

    def propagate(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
        trail: Trail | None = None,
    ) -> Fixpoint:
        """What follows without search.

        Parameters
        ----------
        givens, strategy, watch, trail
            As for ``solutions``.

        Returns
        -------
        Fixpoint

        Raises
        ------
        Stopped
            If a limit comes first.
        """
        root, budget = self._engine.root(givens, trail=trail), self._budget(strategy, watch)
        return self._engine.fixpoint(root, self._engine.rest(root, None, budget, trail), budget)

    def session(
        self,
        givens: Givens | None = None,
        strategy: Strategy | None = None,
        watch: Watch | None = None,
    ) -> Session:
        """The state that propagation leaves, to be restricted further and asked again.

        Parameters
        ----------
        givens, strategy, watch
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
        return Session.begun(self._engine, checked(strategy) or self.strategy, own, watch)

    def _budget(self, strategy: Strategy | None, watch: Watch | None) -> Budget:
        return Budget(checked(strategy) or self.strategy, Effort(), watch)
