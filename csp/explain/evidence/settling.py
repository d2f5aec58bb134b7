"""Find the fewest additional givens that make a solution the only one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...base.notation import quoted
from ...base.shrinking import shrink_to_minimal
from ...engine.effort import Effort, Progress
from ...engine.solver.answers import Solution
from ...engine.solver.solver import Solver
from ...model import Candidate, Variable
from .shrinking import LimitedQueries

MAX_QUERIED = 3_000_000
"""Maximum number of candidates, summed over all queries, for a smallest set; beyond, a minimal set must do."""

MAX_STEPS = 5_000
"""Maximum number of steps of one search for a smallest hitting set; beyond, the search gives up."""

MAX_LISTED = 12
"""Maximum number of givens that a message lists."""

MAX_NODES = 20_000
"""Maximum number of nodes, and of conflicts, per query."""


class WorkSpent(Stopped):
    """Error raised if the limit of search work is reached without a result."""


class Settling(Frozen):
    """Values of a solution that, added as givens, exclude all other solutions.

    Attributes
    ----------
    givens : tuple of Candidate
        The values; each of them is needed.
    least : int
        A lower bound of the number of values that are needed.
    """

    givens: tuple[Candidate, ...]
    least: int

    @property
    def is_smallest(self) -> bool:
        """Whether it is proved that fewer values are not enough."""
        return len(self.givens) == self.least

    @property
    def message(self) -> str:
        """A sentence that lists the values, and states whether fewer would be enough."""
        if not self.givens:
            return "there is one solution"
        listed = ", ".join([f"{variable} = {quoted(value)}" for variable, value in self.givens[:MAX_LISTED]])
        if len(self.givens) > MAX_LISTED:
            listed += f" and {len(self.givens) - MAX_LISTED} more values of this solution"
        minimality = (
            "fewer do not suffice"
            if self.is_smallest
            else f"each of them is needed, but another set of at least {self.least} might suffice"
        )
        return f"giving these values makes the solution unique; {minimality}: {listed}"


def settle(solver: Solver, solution: Solution, progress: Progress | None = None, work: int | None = None) -> Settling:
    """Find a smallest or minimal set of values of ``solution`` that excludes other solutions.

    Parameters
    ----------
    solver : Solver
        Its time limit holds for the whole call.
    solution : Solution
        A solution of the model; the values are taken from it.
    progress : function, optional
        Progress callback: called often with the effort so far.
    work : int, optional
        Maximum work of all queries together, as ``Effort.work`` counts it.

    Returns
    -------
    Settling
        A smallest set. If its search would need too many queries: a set without superfluous values, and a lower bound
        of the necessary number.

    Raises
    ------
    WorkSpent
        If the work reaches its limit first.
    Stopped
        If another limit comes first.

    Notes
    -----
    Any other solution must differ from this one in at least one of the values. So the variables of the values hit, for
    each other solution, the set of variables that differ. The method collects such sets. In each round it takes the
    smallest set of variables that hits all of them, and queries a solution with these values. If the solution is
    another one, its difference is first made as small as possible, and becomes the next set to hit.

    References
    ----------
    .. [1] E. Moreno-Centeno, R. M. Karp, "The implicit hitting set approach to solve combinatorial optimization
       problems", 2013.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> settle(solver, solver.solve()).message
    'giving these values makes the solution unique; fewer do not suffice: A = 1, B = 2'
    """
    return _Search(solver, solution, progress, work).find()


class _Search:
    """A search for the fewest values to give, by the implicit hitting set method."""

    def __init__(self, solver: Solver, solution: Solution, progress: Progress | None, max_work: int | None) -> None:
        model = solver.model
        plain_model = model.as_good_as(solution)
        self._queries = LimitedQueries(solver, MAX_NODES, progress)
        self._solver = self._queries.solver(plain_model)
        self._shown = [variable for variable in plain_model.shown if len(plain_model.domains[variable]) > 1]
        self._solution = solution
        self._candidate_count = sum(map(len, plain_model.domains.values()))
        self._queried_candidates = 0
        self._max_work, self._spent = max_work, 0
        self._sets_to_hit: list[Sequence[Variable]] = []

    def find(self) -> Settling:
        chosen: Sequence[Variable] = ()
        lower_bound = 0
        # Implicit hitting sets: hit all known differences, then look for a solution that escapes.
        while (differing := self._find_difference(chosen)) is not None:
            self._sets_to_hit.append(shrink_to_minimal(differing, self._can_differ_only_in))
            is_early = self._queried_candidates < MAX_QUERIED and (
                self._max_work is None or 2 * self._spent < self._max_work
            )
            smallest = smallest_hitting(self._sets_to_hit) if is_early else None
            if smallest is None:
                return self._settling_of(self._minimal_superset(chosen), lower_bound)
            chosen, lower_bound = smallest, len(smallest)
        return self._settling_of(chosen, lower_bound)

    def _can_differ_only_in(self, variables: Sequence[Variable]) -> bool:
        """Return whether another solution differs from the given one in these variables only."""
        free = set(variables)
        return self._find_difference([variable for variable in self._shown if variable not in free]) is not None

    def _minimal_superset(self, chosen: Sequence[Variable]) -> Sequence[Variable]:
        """Extend ``chosen`` until its values exclude other solutions, then return it without superfluous variables."""
        while (differing := self._find_difference(chosen)) is not None:
            # Add the variable that differs in most of the known solutions.
            frequency = {v: sum(v in variables for variables in self._sets_to_hit) for v in differing}
            chosen = [*chosen, max(differing, key=lambda v: frequency[v])]
        return shrink_to_minimal(chosen, lambda variables: self._find_difference(variables) is None)

    def _settling_of(self, chosen: Collection[Variable], least: int) -> Settling:
        return Settling(tuple([(v, self._solution[v]) for v in self._shown if v in chosen]), least)

    def _find_difference(self, fixed: Iterable[Variable]) -> list[Variable] | None:
        """Find another solution that agrees on ``fixed``; return its differing shown variables, or None."""
        self._queries.check()
        self._queried_candidates += self._candidate_count
        answers = self._solver.solutions({v: self._solution[v] for v in fixed}, progress=self._tick)
        # One of two solutions may be the given one, which does not differ.
        differing = ([v for v in self._shown if answer[v] != self._solution[v]] for answer in islice(answers, 2))
        first_difference = next(filter(None, differing), None)
        self._spent += answers.effort.work
        if first_difference is not None:
            return first_difference
        if answers.stopped:
            self._queries.check()
            if self._is_spent(0):
                raise WorkSpent(f"the work limit of {self._max_work:,} for the distinguishing values")
            raise Stopped(answers.stopped)
        return None

    def _tick(self, effort: Effort) -> None:
        self._queries.check()
        if self._is_spent(effort.work):
            raise Stopped("its work")

    def _is_spent(self, current_work: int) -> bool:
        return self._max_work is not None and self._spent + current_work > self._max_work


def smallest_hitting(sets: Sequence[Collection[Variable]]) -> list[Variable] | None:
    """Return a smallest set that hits each of ``sets``, or None beyond ``MAX_STEPS`` steps.

    A set hits another one if they have a common variable.

    Examples
    --------
    >>> a, b, c = map(Variable, "abc")
    >>> smallest_hitting([[a, b], [b, c]]), smallest_hitting([[a, b], [c]])
    (['b'], ['c', 'a'])
    """
    best: list[Variable] | None = None
    steps = 0
    stack: list[tuple[list[Variable], list[list[Variable]]]] = [([], [[*variables] for variables in sets])]
    while stack:
        chosen, missed = stack.pop()
        steps += 1
        if steps > MAX_STEPS:
            return None
        # A branch needs at least one more variable for each of the disjoint missed sets.
        if best is not None and len(chosen) + _count_disjoint(missed) >= len(best):
            continue
        if not missed:
            best = chosen
            continue
        # Branch on the variables of the shortest missed set, the most frequent one first.
        frequency = Counter(variable for variables in missed for variable in variables)
        shortest = min(missed, key=len)
        shortest = sorted(shortest, key=lambda v: -frequency[v])
        for position, variable in reversed([*enumerate(shortest)]):
            # A branch excludes the variables of the branches before it.
            excluded = set(shortest[:position])
            missed_below = [
                [v for v in variables if v not in excluded] for variables in missed if variable not in variables
            ]
            if all(missed_below):
                stack.append(([*chosen, variable], missed_below))
    return best


def _count_disjoint(sets: Sequence[Sequence[Variable]]) -> int:
    """Return how many pairwise disjoint sets a greedy choice, shortest first, finds."""
    used_variables: set[Variable] = set()
    count = 0
    for variables in sorted(sets, key=len):
        if used_variables.isdisjoint(variables):
            used_variables.update(variables)
            count += 1
    return count
