"""Generates a puzzle with one solution from which no clue can be dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random

from ...engine.ask.answers import Solution
from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...engine.strategy import Strategy
from ...ground.errors import ModelError, Stopped
from ...ground.frozen import Frozen
from ...model import Constraint, Model, Value, Variable
from ..steps.rating import rate

TRIES = 400
"""How many solutions are drawn until the clues of one leave no other; most after the first keep some of the best."""

SHARE = 4
"""One of how many groups of clues is taken away at first, all together."""


class Clue(Frozen):
    """What a puzzle may tell of its solution: constraints that come and go together.

    Parameters
    ----------
    fact : tuple
        What people call it: the name of a relation, and its arguments.
    constraints : tuple of Constraint
        What follows from it.
    """

    fact: tuple[Value, ...]
    constraints: tuple[Constraint, ...]

    @cached_property
    def values(self) -> Mapping[str, Value] | None:
        """The values that it gives to variables, if it says nothing else."""
        found: dict[str, Value] = {}
        for one in self.constraints:
            if one.given is None:
                return None
            found[one.given[0]] = one.given[1]
        return found


ClueGroup = Sequence[Clue]
"""Clues that come and go together, such as those of an orbit of a symmetry."""

Telling = Callable[[Solution, Random], Sequence[ClueGroup]]
"""All that may be told of a solution."""


class Puzzle(Frozen):
    """Clues that have one solution, and no group of which could go.

    Attributes
    ----------
    clues : tuple of Clue
    solution : Solution
    rating : float or None
        Where it was asked for.
    """

    clues: tuple[Clue, ...]
    solution: Solution
    rating: float | None = None


class Wanted(Frozen):
    """Which puzzles are wanted.

    Parameters
    ----------
    givens : (int, int), optional
        The least and the greatest number of clues.
    difficulty : (float, float), optional
        The least and the greatest rating, by ``csp.explain.rate``.
    """

    givens: tuple[int, int] | None = None
    difficulty: tuple[float, float] | None = None


class Setter:
    """Makes puzzles: draws a solution, tells all of it, and takes away what is not needed.

    Parameters
    ----------
    model : Model
        What all puzzles have in common, without clues.
    telling : function
        From a solution, and a source of random numbers, to the groups of clues that are true of it.
    strategy : Strategy, optional

    Raises
    ------
    ModelError
        If the model has an objective.

    Notes
    -----
    What is not needed with few other clues is not needed with more, so one pass over the clues is enough, and in
    the end none could go. As long as most can go, many are tried together; that changes no result. A question of
    uniqueness takes away the value that the clue gives.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Variable
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> def telling(solution, random):
    ...     return [[Clue((v, value), (Equality(Variable(v), value),))] for v, value in solution.items()]
    >>> puzzle = Setter(model, telling).attempt("any seed")
    >>> len(puzzle.clues)
    2

    References
    ----------
    .. [1] J. W. Chinneck, E. W. Dravnieks, "Locating minimal infeasible constraint sets in linear programs", 1991 (the
       deletion filter).
    """

    def __init__(self, model: Model, telling: Telling, strategy: Strategy | None = None) -> None:
        if model.objective is not None:
            raise ModelError("a puzzle is set for its one solution; this model says which of several is the best")
        self.model = model
        self._telling = telling
        self._solver = Solver(model, strategy=strategy)
        self._shown = model.shown
        self._last: tuple[tuple[Constraint, ...], Solver] = (), self._solver

    def attempt(self, seed: str, watch: Watch | None = None) -> Puzzle | None:
        """A puzzle that depends on the seed alone; None where no clues of the solutions that were tried are enough.

        Parameters
        ----------
        seed : str
        watch : function, optional
            Progress callback: called often with the effort so far; an exception it raises ends the attempt.

        Returns
        -------
        Puzzle or None

        Raises
        ------
        ModelError
            If the model has no solution.
        Stopped
            If a limit of the strategy comes first.
        """
        random = Random(seed)
        common: list[Variable] = []
        best, fewest = Solution(), len(self._shown) + 1
        for _ in range(TRIES):
            strategy = replace(self._solver.strategy, seed=random.getrandbits(32))
            share = random.random()
            kept: dict[str, Value] = {v: best[v] for v in common if random.random() < share}
            solution = self._solver.solve(kept, strategy, watch)
            if solution is None:
                raise ModelError("without clues there is no solution")
            if solution == best:
                continue
            groups = [tuple(group) for group in self._telling(solution, random)]
            other = self._other(solution, groups, (), watch)
            if other is None:
                left = self._dug(solution, groups, random, watch)
                return Puzzle(tuple([clue for group in left for clue in group]), solution)
            differing = sum(solution[v] != other[v] for v in self._shown)
            if differing <= fewest:
                best, fewest = solution, differing
                common = [v for v in self._shown if solution[v] == other[v]]
        return None

    def posed(self, clues: Sequence[Clue]) -> Model:
        """The model with the constraints of clues."""
        more = [constraint for clue in clues for constraint in clue.constraints]
        return Model(self.model.domains, [*self.model.constraints, *more], self.model.show)

    def rating(self, clues: Sequence[Clue], watch: Watch | None = None) -> float:
        """How hard the puzzle of some clues is, by ``csp.explain.rate``."""
        return rate(Solver(self.posed(clues), strategy=self._solver.strategy), watch=watch).rating

    def _dug(
        self, solution: Solution, groups: Sequence[ClueGroup], random: Random, watch: Watch | None
    ) -> list[ClueGroup]:
        """The groups without those that are not needed, tried in a random order."""
        order = list(range(len(groups)))
        random.shuffle(order)
        left = set(order)
        size, at = max(1, len(order) // SHARE), 0
        while at < len(order):
            some = order[at : at + size]
            kept = left.difference(some)
            rest = [group for i, group in enumerate(groups) if i in kept]
            if self._other(solution, rest, [groups[i] for i in some], watch) is None:
                left.difference_update(some)
                at += len(some)
            elif size > 1:
                size = (size + 1) // 2
            else:
                at += 1
        return [group for i, group in enumerate(groups) if i in left]

    def _other(
        self, solution: Solution, left: Sequence[ClueGroup], gone: Sequence[ClueGroup], watch: Watch | None
    ) -> Solution | None:
        """Another solution of what is left, if there is one, where a group that is gone was enough to exclude it."""
        givens: dict[str, Value] = {}
        constraints: list[Constraint] = []
        for clue in [clue for group in left for clue in group]:
            if (values := clue.values) is None:
                constraints += clue.constraints
            else:
                givens.update(values)
        solver = self._with(tuple(constraints))
        missing = _values(gone) or {}
        if len(missing) != 1:
            missing = {}
        elif missing.keys() <= givens.keys():
            return None
        answers = solver.solutions(givens, watch=watch, removed=[*missing.items()])
        for found in answers:
            if self._differs(solution, found):
                return found
        if answers.stopped:
            raise Stopped(answers.stopped)
        return None

    def _with(self, constraints: tuple[Constraint, ...]) -> Solver:
        if constraints != self._last[0]:
            model = Model(self.model.domains, [*self.model.constraints, *constraints], self.model.show)
            self._last = constraints, Solver(model, strategy=self._solver.strategy)
        return self._last[1]

    def _differs(self, one: Solution, other: Solution) -> bool:
        return any(one[variable] != other[variable] for variable in self._shown)


def _values(groups: Sequence[ClueGroup]) -> Mapping[str, Value] | None:
    """The value that a single clue gives, if all groups together are nothing else."""
    match [clue for group in groups for clue in group]:
        case [clue]:
            return clue.values
    return None
