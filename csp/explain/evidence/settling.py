"""Which values, as givens, would leave a puzzle of several solutions a single one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from ...engine.ask.answers import Solution
from ...engine.ask.solver import Solver
from ...engine.effort import Effort, Watch
from ...ground.errors import Stopped
from ...ground.frozen import Frozen
from ...ground.notation import quoted
from ...model import Candidate, Variable
from .asking import Asking
from .shrinking import shrunk

WORK = 3_000_000
"""How many candidates may be asked about, all questions together, until what is small must do."""

STEPS = 5_000
"""The most steps of the search for the fewest variables that hit some sets."""

TOLD = 12
"""The most givens that a sentence lists."""

NODES = 20_000
"""The most nodes, and conflicts, of a question."""


class WorkSpent(Stopped):
    """The work that finding values which settle a puzzle may take is done, and they are not found."""


class Settling(Frozen):
    """Values of a solution of which, were they given, it would be the only one.

    Attributes
    ----------
    givens : tuple of Candidate
        None of them can go.
    least : int
        A lower bound of how many are needed.
    """

    givens: tuple[Candidate, ...]
    least: int

    @property
    def is_smallest(self) -> bool:
        """Whether it is proved that no fewer values of this solution would do."""
        return len(self.givens) == self.least

    @property
    def message(self) -> str:
        """The same in a sentence."""
        if not self.givens:
            return "there is one solution"
        told = ", ".join([f"{variable} = {quoted(value)}" for variable, value in self.givens[:TOLD]])
        if len(self.givens) > TOLD:
            told += f" and {len(self.givens) - TOLD} more values of this solution"
        most = (
            "no fewer do"
            if self.is_smallest
            else f"none of these can go, but fewer others might do, {self.least} at least"
        )
        return f"{told} would leave one solution; {most}"


def settle(solver: Solver, solution: Solution, watch: Watch | None = None, work: int | None = None) -> Settling:
    """The smallest set of values that a solution shows and no other solution has together.

    Parameters
    ----------
    solver : Solver
        Its limit of seconds holds for the whole.
    solution : Solution
        One of its solutions, which the values are those of.
    watch : function, optional
        Progress callback: called often with the effort so far.
    work : int, optional
        How much work, as ``Effort.work`` counts it, all questions together may take.

    Returns
    -------
    Settling
        The smallest one, or, where that would take too many questions, one of which no value can go, and how many
        are needed at least.

    Raises
    ------
    WorkSpent
        If the work is done first.
    Stopped
        If another limit comes first.

    Notes
    -----
    Every other solution must differ in one of the values, so they hit the set of variables where it differs. The
    smallest set that hits those known so far either leaves one solution, or leaves another one, which is brought as
    near as possible to the first one, and whose differences are the next to be hit.

    References
    ----------
    .. [1] E. Moreno-Centeno, R. M. Karp, "The implicit hitting set approach to solve combinatorial optimization
       problems", 2013.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> settle(solver, solver.solve()).message
    'A = 1, B = 2 would leave one solution; no fewer do'
    """
    return _Search(solver, solution, watch, work).find()


class _Search:
    """Asks for other solutions, each nearer to the first one."""

    def __init__(self, solver: Solver, solution: Solution, watch: Watch | None, most: int | None) -> None:
        model = solver.model
        plain = model.as_good_as(solution)
        self._asking = Asking(solver, NODES, watch)
        self._solver = self._asking.solver(plain)
        self._shown = [variable for variable in plain.shown if len(plain.domains[variable]) > 1]
        self._solution = solution
        self._size = sum(map(len, plain.domains.values()))
        self._work = 0
        self._most, self._spent = most, 0
        self._sets: list[Sequence[Variable]] = []

    def find(self) -> Settling:
        chosen: Sequence[Variable] = ()
        least = 0
        while (found := self._differences(chosen)) is not None:
            self._sets.append(shrunk(found, self._may_differ))
            is_early = self._work < WORK and (self._most is None or 2 * self._spent < self._most)
            hitting = smallest_hitting(self._sets) if is_early else None
            if hitting is None:
                return self._settling(self._some(chosen), least)
            chosen, least = hitting, len(hitting)
        return self._settling(chosen, least)

    def _may_differ(self, some: Sequence[Variable]) -> bool:
        """Whether a solution differs in nothing but some of these variables."""
        free = set(some)
        return self._differences([variable for variable in self._shown if variable not in free]) is not None

    def _some(self, chosen: Sequence[Variable]) -> Sequence[Variable]:
        """More and more values, until they are enough, and then only those of them that are needed."""
        while (found := self._differences(chosen)) is not None:
            often = {v: sum(v in own for own in self._sets) for v in found}
            chosen = [*chosen, max(found, key=lambda v: often[v])]
        return shrunk(chosen, lambda some: self._differences(some) is None)

    def _settling(self, chosen: Collection[Variable], least: int) -> Settling:
        return Settling(tuple([(v, self._solution[v]) for v in self._shown if v in chosen]), least)

    def _differences(self, fixed: Iterable[Variable]) -> list[Variable] | None:
        """Where a solution differs that has these values in common with the first one; None if there is no other."""
        self._asking.check()
        self._work += self._size
        answers = self._solver.solutions({v: self._solution[v] for v in fixed}, watch=self._tick)
        differing = ([v for v in self._shown if other[v] != self._solution[v]] for other in islice(answers, 2))
        found = next(filter(None, differing), None)
        self._spent += answers.effort.work
        if found is not None:
            return found
        if answers.stopped:
            self._asking.check()
            if self._is_spent(0):
                raise WorkSpent(f"the work of {self._most:,} that finding the values which settle it may take")
            raise Stopped(answers.stopped)
        return None

    def _tick(self, effort: Effort) -> None:
        self._asking.check()
        if self._is_spent(effort.work):
            raise Stopped("its work")

    def _is_spent(self, now: int) -> bool:
        return self._most is not None and self._spent + now > self._most


def smallest_hitting(sets: Sequence[Collection[Variable]]) -> list[Variable] | None:
    """The fewest variables of which every set has one; None where that takes too many steps to prove.

    Examples
    --------
    >>> a, b, c = map(Variable, "abc")
    >>> smallest_hitting([[a, b], [b, c]]), smallest_hitting([[a, b], [c]])
    (['b'], ['c', 'a'])
    """
    best: list[Variable] | None = None
    steps = 0
    stack: list[tuple[list[Variable], list[list[Variable]]]] = [([], [[*own] for own in sets])]
    while stack:
        chosen, missed = stack.pop()
        steps += 1
        if steps > STEPS:
            return None
        if best is not None and len(chosen) + _disjoint(missed) >= len(best):
            continue
        if not missed:
            best = chosen
            continue
        often = Counter(variable for own in missed for variable in own)
        shortest = min(missed, key=len)
        shortest = sorted(shortest, key=lambda v: -often[v])
        for number, variable in reversed([*enumerate(shortest)]):  # those before it are left to other branches
            before = set(shortest[:number])
            rest = [[v for v in own if v not in before] for own in missed if variable not in own]
            if all(rest):
                stack.append(([*chosen, variable], rest))
    return best


def _disjoint(sets: Sequence[Sequence[Variable]]) -> int:
    """How many sets have nothing in common, the shortest first: so many variables it takes at least."""
    seen: set[Variable] = set()
    count = 0
    for own in sorted(sets, key=len):
        if seen.isdisjoint(own):
            seen.update(own)
            count += 1
    return count
