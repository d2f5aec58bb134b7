"""Generate puzzles that have one solution and no superfluous clue."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from random import Random

from ...base.errors import ModelError, Stopped
from ...base.frozen import Frozen
from ...engine.effort import Progress
from ...engine.settings import Settings
from ...engine.solver.answers import Solution
from ...engine.solver.solver import Solver
from ...model import Constraint, Model, Value, Variable
from ..steps.board import Board
from ..steps.rating import rate_path
from ..steps.techniques import LADDER, TECHNIQUES, Technique
from ..steps.walk import Walker

MAX_TRIES = 400
"""Maximum number of solutions that one attempt draws, until all clues of one of them leave no other solution."""

INITIAL_SHARES = 4
"""The first removals try one of this number of equal shares of the clue groups at once."""


REPLACING = {
    "X-wing": ("skyscraper",),
    "dual two-string kite": ("two-string kite",),
    "dual empty rectangle": ("empty rectangle",),
    "alternating inference chain": ("discontinuous nice loop",),
    "grouped alternating inference chain": ("grouped discontinuous nice loop",),
    "chain with sets": ("discontinuous loop with sets",),
}
"""Easier techniques that find each conclusion of a harder one, so that the harder one is never needed beside them."""


class Clue(Frozen):
    """A fact that a puzzle may state about its solution, as constraints.

    Parameters
    ----------
    fact : tuple
        The name of a relation, and its arguments.
    constraints : tuple of Constraint
        The constraints that the fact implies.
    """

    fact: tuple[Value, ...]
    constraints: tuple[Constraint, ...]

    @cached_property
    def values(self) -> Mapping[str, Value] | None:
        """The values that the clue fixes; None unless all its constraints are givens."""
        values_by_name: dict[str, Value] = {}
        for constraint in self.constraints:
            if constraint.given is None:
                return None
            values_by_name[constraint.given[0]] = constraint.given[1]
        return values_by_name


ClueGroup = Sequence[Clue]
"""Clues that are kept or removed together, such as the clues of an orbit of a symmetry."""

ClueMaker = Callable[[Solution, Random], Sequence[ClueGroup]]
"""A function from a solution to all groups of clues that are true of it."""


class Puzzle(Frozen):
    """A generated puzzle: clues that have exactly one solution.

    Without required techniques, no clue is superfluous. With them, some clues may only serve the techniques.

    Attributes
    ----------
    clues : tuple of Clue
    solution : Solution
    rating : float or None
        The difficulty, if it was computed.
    """

    clues: tuple[Clue, ...]
    solution: Solution
    rating: float | None = None


class Draft(Frozen):
    """A solution, all groups of clues about it, and the groups that a puzzle keeps.

    Attributes
    ----------
    solution : Solution
    groups : tuple of sequence of Clue
    kept : frozenset of int
        The indices of the groups that the puzzle keeps. They have one solution.
    random : Random
        The source of random numbers after the draft is made.
    """

    solution: Solution
    groups: tuple[ClueGroup, ...]
    kept: frozenset[int]
    random: Random = field(repr=False, compare=False)

    def clues_of(self, kept: Collection[int]) -> tuple[Clue, ...]:
        """Return the clues of the groups with indices in ``kept``, in order of groups."""
        return tuple([clue for number, group in enumerate(self.groups) if number in kept for clue in group])


class Wanted(Frozen):
    """Requirements for generated puzzles: number of clues, difficulty, techniques.

    Parameters
    ----------
    givens : (int, int), optional
        The minimum and the maximum number of clues.
    difficulty : (float, float), optional
        The minimum and the maximum rating, by ``csp.explain.rate``.
    needed : tuple of str
        The names of techniques without any of which the others do not solve the puzzle.
    allowed : tuple of str, optional
        The names of the techniques that must solve the puzzle; by default all up to the hardest needed one, except
        those that always replace a needed one (``REPLACING``).
    """

    givens: tuple[int, int] | None = None
    difficulty: tuple[float, float] | None = None
    needed: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None

    @property
    def ladder(self) -> tuple[Technique, ...]:
        """The techniques that must solve the puzzle, from the easiest to the hardest.

        It is empty if no technique is required.
        """
        names = [*TECHNIQUES]
        end = max([names.index(name) + 1 for name in self.needed], default=0)
        replacing = {easier for name in self.needed for easier in REPLACING.get(name, ())}
        defaults = [t.name for t in LADDER if t.name in names[:end] and t.name not in replacing]
        chosen = {*self.needed, *(defaults if self.allowed is None else self.allowed)}
        return tuple([technique for name, technique in TECHNIQUES.items() if name in chosen])


class Setter:
    """A generator of puzzles: it draws a solution, then removes superfluous clues.

    Parameters
    ----------
    model : Model
        The rules that all puzzles have in common, without clues.
    make_clues : function
        Returns the groups of clues that are true of a solution; a second argument is a source of random numbers.
    settings : Settings, optional

    Raises
    ------
    ModelError
        If the model has an objective.

    Notes
    -----
    A clue that is superfluous with few other clues is also superfluous with more, so one pass over the clues gives a
    minimal set. While most clues can be removed, many are tried at once; this does not change the result. To test
    whether a clue is superfluous, the solver excludes the value of the clue and searches for a solution.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Variable
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> def make_clues(solution, random):
    ...     return [[Clue((v, value), (Equality(Variable(v), value),))] for v, value in solution.items()]
    >>> puzzle = Setter(model, make_clues).attempt("any seed")
    >>> len(puzzle.clues)
    2

    References
    ----------
    .. [1] J. W. Chinneck, E. W. Dravnieks, "Locating minimal infeasible constraint sets in linear programs", 1991 (the
       deletion filter).
    """

    def __init__(self, model: Model, make_clues: ClueMaker, settings: Settings | None = None) -> None:
        if model.objective is not None:
            raise ModelError("puzzles are set for models without an objective")
        self.model = model
        self._make_clues = make_clues
        self._solver = Solver(model, settings=settings)
        self._shown = model.shown
        self._last: tuple[tuple[Constraint, ...], Solver] = (), self._solver
        self._board: Board | None = None

    def attempt(self, seed: str, progress: Progress | None = None) -> Puzzle | None:
        """Generate a puzzle that depends on the seed only, or return None on failure.

        The arguments and the errors are as for ``draw``, which also says when the result is None.
        """
        draft = self.draw(seed, progress)
        return None if draft is None else Puzzle(draft.clues_of(draft.kept), draft.solution)

    def draw(self, seed: str, progress: Progress | None = None) -> Draft | None:
        """Draw a random solution, and choose a minimal set of clues that determines it.

        Parameters
        ----------
        seed : str
        progress : function, optional
            Progress callback: called often with the effort so far; an exception it raises ends the attempt.

        Returns
        -------
        Draft or None
            None if the clues of every tried solution allowed another solution.

        Raises
        ------
        ModelError
            If the model has no solution.
        Stopped
            If a limit of the settings comes first.
        """
        random = Random(seed)
        agreeing_variables: list[Variable] = []
        nearest, fewest_differences = Solution(), len(self._shown) + 1
        for _ in range(MAX_TRIES):
            # Draw a random solution that shares values with the nearest miss.
            settings = replace(self._solver.settings, seed=random.getrandbits(32))
            share = random.random()
            kept_values: dict[str, Value] = {v: nearest[v] for v in agreeing_variables if random.random() < share}
            solution = self._solver.solve(kept_values, settings, progress)
            if solution is None:
                raise ModelError("the spec has no solution without clues")
            if solution == nearest:
                continue
            groups = tuple([tuple(group) for group in self._make_clues(solution, random)])
            other_solution = self._second_solution(solution, groups, (), progress)
            # Unique with all clues: remove the superfluous ones.
            if other_solution is None:
                order = list(range(len(groups)))
                random.shuffle(order)
                kept = self.remove_superfluous(solution, groups, order, progress)
                return Draft(solution, groups, frozenset(kept), random)
            # Not unique: remember the solution whose rival differs in the fewest variables.
            difference_count = sum(solution[v] != other_solution[v] for v in self._shown)
            if difference_count <= fewest_differences:
                nearest, fewest_differences = solution, difference_count
                agreeing_variables = [v for v in self._shown if solution[v] == other_solution[v]]
        return None

    def rating(self, clues: Sequence[Clue], progress: Progress | None = None) -> float:
        """Return the difficulty of the puzzle that consists of these clues."""
        walker = self.walker(clues, LADDER, progress)
        walker.run()
        return rate_path(walker).rating

    def is_unique_without(self, draft: Draft, kept: frozenset[int], number: int, progress: Progress | None) -> bool:
        """Return whether the clue groups ``kept`` without ``number`` have exactly one solution."""
        remaining = [draft.groups[other] for other in sorted(kept - {number})]
        return self._second_solution(draft.solution, remaining, [draft.groups[number]], progress) is None

    def walker(self, clues: Sequence[Clue], ladder: Sequence[Technique], progress: Progress | None = None) -> Walker:
        """Return a ``Walker`` that follows the solution path of the puzzle with these clues.

        The puzzle must have one solution.
        """
        givens, constraints = _split(clues)
        solver = self._solver_with(constraints)
        # Paths of one model share the tables of its board.
        if self._board is None or self._board.program is not solver.program:
            self._board = Board(solver.program)
        return Walker(solver, givens, ladder, is_unique=True, progress=progress, board=self._board)

    def remove_superfluous(
        self, solution: Solution, groups: Sequence[ClueGroup], order: Sequence[int], progress: Progress | None
    ) -> set[int]:
        """Return the indices of a minimal set of clue groups that has one solution.

        Groups that come first in the order are removed first.
        """
        remaining = set(order)
        size, at = max(1, len(order) // INITIAL_SHARES), 0
        while at < len(order):
            # Try to remove a chunk; if a second solution appears, halve the size, down to one group.
            chunk = order[at : at + size]
            kept_numbers = remaining.difference(chunk)
            kept_groups = [group for i, group in enumerate(groups) if i in kept_numbers]
            if self._second_solution(solution, kept_groups, [groups[i] for i in chunk], progress) is None:
                remaining.difference_update(chunk)
                at += len(chunk)
            elif size > 1:
                size = (size + 1) // 2
            else:
                at += 1
        return remaining

    def _second_solution(
        self,
        solution: Solution,
        remaining: Sequence[ClueGroup],
        removed: Sequence[ClueGroup],
        progress: Progress | None,
    ) -> Solution | None:
        """Return a solution with the ``remaining`` groups that differs from ``solution``, or None.

        With the removed groups, if there are any, the solution was the only one.
        """
        # The remaining clues: givens are passed to the solver, other constraints are compiled.
        givens, constraints = _split([clue for group in remaining for clue in group])
        solver = self._solver_with(constraints)
        # After the removal of one given, a second solution has another value there.
        missing = _single_clue_values(removed) or {}
        if len(missing) != 1:
            missing = {}
        elif missing.keys() <= givens.keys():
            return None
        answers = solver.solutions(givens, progress=progress, removed=[*missing.items()])
        for answer in answers:
            if self._differs(solution, answer):
                return answer
        if answers.stopped:
            raise Stopped(answers.stopped)
        return None

    def _solver_with(self, constraints: tuple[Constraint, ...]) -> Solver:
        # Keep the last solver: most queries differ only in their givens.
        if constraints != self._last[0]:
            model = Model(self.model.domains, [*self.model.constraints, *constraints], self.model.show)
            self._last = constraints, Solver(model, settings=self._solver.settings)
        return self._last[1]

    def _differs(self, first: Solution, second: Solution) -> bool:
        return any(first[variable] != second[variable] for variable in self._shown)


def _split(clues: Sequence[Clue]) -> tuple[dict[str, Value], tuple[Constraint, ...]]:
    """Return the values that clues fix, and the constraints of the other clues."""
    givens: dict[str, Value] = {}
    constraints: list[Constraint] = []
    for clue in clues:
        if (values := clue.values) is None:
            constraints += clue.constraints
        else:
            givens.update(values)
    return givens, tuple(constraints)


def _single_clue_values(groups: Sequence[ClueGroup]) -> Mapping[str, Value] | None:
    """Return the values that the only clue of ``groups`` fixes, or None.

    None: there are several clues or no clue, or the clue is more than givens.
    """
    match [clue for group in groups for clue in group]:
        case [clue]:
            return clue.values
    return None
