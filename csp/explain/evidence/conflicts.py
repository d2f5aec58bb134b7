"""Why there is no solution: a smallest choice of what the spec says that cannot hold together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...formula.shape import known
from ...ground.errors import Stopped, TooLarge
from ...ground.frozen import Frozen
from ...model import AllDifferent, Constraint, Equality, Model
from ...story import Failure
from .asking import Asking
from .failing import failing
from .shrinking import shrunk

NODES = 100_000
"""The most nodes, and conflicts, that one question of many may take."""


class Unit(Frozen):
    """What stands or falls together: a constraint, or all that one clause says under one label."""

    constraints: tuple[Constraint, ...]

    @property
    def name(self) -> str:
        """The label, or the constraint itself."""
        return self.constraints[0].name

    @property
    def place(self) -> str:
        """The name and the line of the spec."""
        return self.constraints[0].place


class Conflict(Frozen):
    """What cannot hold together.

    Attributes
    ----------
    units : tuple of Unit
        In the order of the model.
    doubts : int
        How many of them may not be needed: a limit came before the answer.
    stopped : str
        Which limit that was, or empty.
    failure : Failure or None
        Where propagation finds that they cannot; None if only search does.
    is_fine : bool
        Whether groups are taken apart.
    """

    units: tuple[Unit, ...]
    doubts: int = 0
    stopped: str = ""
    failure: Failure | None = None
    is_fine: bool = False

    @property
    def is_minimal(self) -> bool:
        """Whether it is proved that without any one of them there is a solution."""
        return not self.doubts

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Those of all units."""
        return tuple([constraint for unit in self.units for constraint in unit.constraints])

    @property
    def message(self) -> str:
        """What is claimed of them, in a sentence."""
        if len(self.units) == 1:
            return "this cannot hold"
        count = len(self.units)
        if not self.is_minimal:
            return f"these {count} cannot all hold; not minimal: stopped by {self.stopped}"
        return f"these {count} cannot all hold; without any one of them there is a solution"


def conflict(solver: Solver, fine: bool = False, watch: Watch | None = None) -> Conflict:
    """A minimal set of what a model without a solution says: it cannot hold, but without any one of it the rest can.

    Parameters
    ----------
    solver : Solver
        Of a model without a solution. Its limit of seconds holds for the whole.
    fine : bool
        Whether groups and conjunctions are taken apart: a group into pairs that differ, and every instance of a clause
        is told apart even where they have one label.
    watch : function, optional
        Progress callback: called often with the effort so far; a ``Stopped`` it raises ends the search for a
        smaller set.

    Returns
    -------
    Conflict
        A unit is left out only where it is proved that the rest has no solution. Of what a question cannot answer
        within ``NODES`` nodes, or within the time, it is said that it may not be needed.

    Raises
    ------
    ValueError
        If there is a solution.

    Notes
    -----
    Constraints are dropped by halves as long as propagation alone sees that there is no solution, then one by one as
    long as search does: O(k log n) programs are compiled if k of n units stay, and k questions have an answer that is
    no refutation. It is a smallest set in that nothing can go; another one may have fewer.

    References
    ----------
    .. [1] U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", 2004.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Variable
    >>> rules = [AllDifferent.of("ABC", label="row"), AllDifferent.of("CD", label="pair")]
    >>> rules += [Equality(Variable(name), 1, line=3) for name in "AC"]
    >>> found = conflict(Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules)))
    >>> [unit.place for unit in found.units], found.is_minimal
    (['row', 'A = 1 (line 3)', 'C = 1 (line 3)'], True)
    >>> [str(one) for one in conflict(Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules)), True).constraints]
    ['A != C', 'A = 1', 'C = 1']
    """
    search = _Search(solver, watch)
    search.shrink(units(solver.model.constraints))
    if fine and not search.stopped:
        search.shrink([Unit((part,)) for unit in search.left for one in unit.constraints for part in taken_apart(one)])
    return Conflict(tuple(search.left), len(search.doubtful), search.stopped, search.failure(), fine)


def units(constraints: Iterable[Constraint]) -> list[Unit]:
    """What a spec says, as its author sees it: givens, groups, clauses with a label.

    Examples
    --------
    >>> from csp import Variable
    >>> rules = [Equality(Variable(name), 1, line=1, label=label) for name, label in zip("ABCD", ("a", "a", "", ""))]
    >>> [len(unit.constraints) for unit in units(rules)]
    [2, 1, 1]
    """
    found: dict[object, list[Constraint]] = {}
    for number, constraint in enumerate(constraints):
        key = (constraint.label, constraint.line, constraint.file) if constraint.label else number
        found.setdefault(key, []).append(constraint)
    return [Unit(tuple(own)) for own in found.values()]


def taken_apart(constraint: Constraint) -> Iterable[Constraint]:
    """Constraints that together mean the same and say less each, with the same label."""
    for one in known(constraint):
        elements = one.elements if isinstance(one, AllDifferent) else ()
        if len(elements) < 3:
            yield one
        for left, right in combinations(elements, 2):
            own: Constraint = AllDifferent((left, right))
            if left.is_variable and right.is_variable:
                own = Equality(left.variables[0], right.variables[0], equal=False)
            yield replace(own, **one.tags)


def model_of(model: Model, units: Iterable[Unit]) -> Model:
    """The model with the constraints of these units."""
    return Model(model.domains, [one for unit in units for one in unit.constraints], model.show, model.objective)


class _Search:
    """Looks for fewer and fewer units without a solution, as long as its limits allow.

    Attributes
    ----------
    left : list of Unit
        The fewest of which it is proved that they have no solution.
    doubtful : list of Unit
        Those of them of which it is not proved that they are needed.
    stopped : str
        Which limit is to blame for that.
    """

    def __init__(self, solver: Solver, watch: Watch | None) -> None:
        self._asking = Asking(solver, NODES, watch)
        self._model = solver.model
        self.left: list[Unit] = []
        self.stopped = ""
        self._needed: set[int] = set()

    @property
    def doubtful(self) -> list[Unit]:
        return [unit for unit in self.left if id(unit) not in self._needed]

    def shrink(self, items: Sequence[Unit]) -> None:
        """Come from units that have no solution to as few of them as possible."""
        self.left, self._needed = [*items], set()
        try:
            shrunk(items, self._fails if self._fails(items) else self._is_impossible)
            for unit in reversed(self.left):
                if id(unit) not in self._needed:
                    self._is_impossible([other for other in self.left if other is not unit])
            if len(self.left) == len(items) and not self._is_impossible(items) and not self.stopped:
                raise ValueError("there is a solution")
        except Stopped as limit:
            self.stopped = str(limit)

    def failure(self) -> Failure | None:
        """Where propagation finds that what is left cannot hold."""
        try:
            self._asking.check()
            found = failing(self._solver(self.left), self._asking.watch)
        except Stopped as limit:
            self.stopped = str(limit)
            return None
        return found and found[0]

    def _fails(self, some: Sequence[Unit]) -> bool:
        """Whether propagation sees that there is no solution."""
        self._asking.check()
        fixpoint = self._solver(some).propagate(watch=self._asking.watch)
        self._asking.effort.add(fixpoint.effort)
        if not fixpoint.holds:
            self.left = [*some]
        return not fixpoint.holds

    def _is_impossible(self, some: Sequence[Unit]) -> bool:
        """Whether it is proved that there is no solution."""
        self._asking.check()
        solver = self._solver(some)
        answers = (
            solver.better(watch=self._asking.watch)
            if solver.model.objective
            else solver.solutions(watch=self._asking.watch)
        )
        try:
            found = next(answers, None)
        except TooLarge as error:
            answers.stopped = str(error)
            found = None
        self._asking.effort.add(answers.effort)
        self._asking.check()
        if found is not None:
            gone = {id(unit) for unit in self.left} - {id(unit) for unit in some}
            self._needed |= gone if len(gone) == 1 else set()
        elif answers.stopped:
            self.stopped = answers.stopped
        else:
            self.left = [*some]
        return found is None and not answers.stopped

    def _solver(self, some: Sequence[Unit]) -> Solver:
        return self._asking.solver(model_of(self._model, some))
