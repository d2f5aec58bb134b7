"""Find a minimal set of constraints that cannot hold together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from ...base.errors import Stopped, TooLarge
from ...base.frozen import Frozen
from ...base.shrinking import shrink_to_minimal
from ...encoding.shape import decompose_known
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from ...model import AllDifferent, Constraint, Equality, Model
from ...trace import Failure
from .shrinking import LimitedQueries
from .verdicts import find_failure

MAX_NODES = 100_000
"""Maximum number of nodes, and of conflicts, per query; the units of a query that reaches it stay in doubt."""


class Unit(Frozen):
    """Constraints that are dropped or kept together, such as all constraints of a labelled clause."""

    constraints: tuple[Constraint, ...]

    @property
    def name(self) -> str:
        """The label of the unit's first constraint, or its text if it has no label."""
        return self.constraints[0].name

    @property
    def place(self) -> str:
        """The name of the unit, with its line in the spec if it has one."""
        return self.constraints[0].place


class Conflict(Frozen):
    """Units (constraints or labelled clauses) of a model that cannot hold together.

    Attributes
    ----------
    units : tuple of Unit
        In the order of the model.
    doubts : int
        The number of units that may be superfluous, because a limit ended their query.
    stopped : str
        The limit that ended a query, or empty.
    failure : Failure or None
        The failure with which propagation refutes the units; None if only search does.
    is_fine : bool
        Whether groups are split into pairs.
    """

    units: tuple[Unit, ...]
    doubts: int = 0
    stopped: str = ""
    failure: Failure | None = None
    is_fine: bool = False

    @property
    def is_minimal(self) -> bool:
        """Whether each unit is proved to be necessary for the conflict."""
        return not self.doubts

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of all units of the conflict."""
        return tuple([constraint for unit in self.units for constraint in unit.constraints])

    @property
    def message(self) -> str:
        """A sentence that states how many units contradict each other, and whether all are needed.

        If a limit left that open, it names the limit.
        """
        if len(self.units) == 1:
            return "this constraint cannot hold"
        count = len(self.units)
        if not self.is_minimal:
            return f"these {count} constraints contradict each other (perhaps fewer suffice): stopped by {self.stopped}"
        return f"these {count} constraints contradict each other; without any one of them, the others do not"


def conflict(solver: Solver, fine: bool = False, progress: Progress | None = None) -> Conflict:
    """Find a minimal set of contradictory constraints in a model that has no solution.

    Without any one of them, the others have a solution.

    Parameters
    ----------
    solver : Solver
        A solver of a model without a solution. Its time limit holds for the whole call.
    fine : bool
        Split groups into not-equal pairs, and conjunctions into their parts. The instances of a labelled clause become
        separate units.
    progress : function, optional
        Progress callback: called often with the effort so far; a ``Stopped`` it raises ends the search for a
        smaller set.

    Returns
    -------
    Conflict
        A unit is dropped only if the others are proved to have no solution. If a query reaches a limit, its unit stays
        and counts as a doubt.

    Raises
    ------
    ValueError
        If there is a solution.

    Notes
    -----
    Units are dropped by bisection while propagation alone refutes the others, then one after the other while search
    does. If k of n units remain, O(k log n) programs are compiled, and k of the queries find a solution. The set is
    minimal by inclusion; another set may have fewer units.

    References
    ----------
    .. [1] U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", 2004.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Variable
    >>> rules = [AllDifferent.of("ABC", label="row"), AllDifferent.of("CD", label="pair")]
    >>> rules += [Equality(Variable(name), 1, line=3) for name in "AC"]
    >>> conflicting = conflict(Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules)))
    >>> [unit.place for unit in conflicting.units], conflicting.is_minimal
    (['row', 'A = 1 (line 3)', 'C = 1 (line 3)'], True)
    >>> [str(rule) for rule in conflict(Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules)), True).constraints]
    ['A != C', 'A = 1', 'C = 1']
    """
    search = _Search(solver, progress)
    search.shrink(units(solver.model.constraints))
    if fine and not search.stopped:
        search.shrink(
            [
                Unit((part,))
                for unit in search.smallest
                for constraint in unit.constraints
                for part in split_constraint(constraint)
            ]
        )
    return Conflict(tuple(search.smallest), len(search.doubtful), search.stopped, search.failure(), fine)


def units(constraints: Iterable[Constraint]) -> list[Unit]:
    """Group constraints into units by label and line; each unlabelled constraint is a unit.

    Examples
    --------
    >>> from csp import Variable
    >>> rules = [Equality(Variable(name), 1, line=1, label=label) for name, label in zip("ABCD", ("a", "a", "", ""))]
    >>> [len(unit.constraints) for unit in units(rules)]
    [2, 1, 1]
    """
    units_by_key: dict[object, list[Constraint]] = {}
    for number, constraint in enumerate(constraints):
        key = (constraint.label, constraint.line, constraint.file) if constraint.label else number
        units_by_key.setdefault(key, []).append(constraint)
    return [Unit(tuple(members)) for members in units_by_key.values()]


def split_constraint(constraint: Constraint) -> Iterable[Constraint]:
    """Split a constraint into weaker constraints that are together equivalent to it.

    The parts keep its label and its line.
    """
    for part in decompose_known(constraint):
        elements = part.elements if isinstance(part, AllDifferent) else ()
        if len(elements) < 3:
            yield part
        for left, right in combinations(elements, 2):
            pair: Constraint = AllDifferent((left, right))
            if left.is_variable and right.is_variable:
                pair = Equality(left.variables[0], right.variables[0], equal=False)
            yield replace(pair, **part.tags)


def model_with_units(model: Model, units: Iterable[Unit]) -> Model:
    """Return a copy of ``model`` that has only the constraints of ``units``.

    It has the domains, shown families and objective of the original.
    """
    return Model(
        model.domains, [constraint for unit in units for constraint in unit.constraints], model.show, model.objective
    )


class _Search:
    """A search for ever smaller sets of units that have no solution.

    Attributes
    ----------
    smallest : list of Unit
        The smallest set that is proved to have no solution.
    doubtful : list of Unit
        The units of ``smallest`` that are not proved to be necessary.
    stopped : str
        The limit that ended a query, or empty.
    """

    def __init__(self, solver: Solver, progress: Progress | None) -> None:
        self._queries = LimitedQueries(solver, MAX_NODES, progress)
        self._model = solver.model
        self.smallest: list[Unit] = []
        self.stopped = ""
        self._needed: set[int] = set()

    @property
    def doubtful(self) -> list[Unit]:
        return [unit for unit in self.smallest if id(unit) not in self._needed]

    def shrink(self, items: Sequence[Unit]) -> None:
        """Shrink ``items`` to a minimal set without a solution, stored as ``smallest``.

        At a limit, ``smallest`` is the smallest set so far, and ``stopped`` names the limit.

        Raises
        ------
        ValueError
            If the units have a solution.
        """
        self.smallest, self._needed = [*items], set()
        try:
            # If propagation refutes all units, keep to this cheap test; otherwise search.
            shrink_to_minimal(
                items,
                self._is_refuted_by_propagation
                if self._is_refuted_by_propagation(items)
                else self._is_refuted_by_search,
            )
            # For each unit, try to prove that it is necessary or drop it.
            for unit in reversed(self.smallest):
                if id(unit) not in self._needed:
                    self._is_refuted_by_search([remaining for remaining in self.smallest if remaining is not unit])
            # Nothing could be dropped: perhaps there was a solution from the start.
            if len(self.smallest) == len(items) and not self._is_refuted_by_search(items) and not self.stopped:
                raise ValueError("there is a solution")
        except Stopped as limit:
            self.stopped = str(limit)

    def failure(self) -> Failure | None:
        """Return the failure at which propagation of ``smallest`` ends; None otherwise or at a limit."""
        try:
            self._queries.check()
            failure_and_takers = find_failure(self._solver(self.smallest), self._queries.progress)
        except Stopped as limit:
            self.stopped = str(limit)
            return None
        return failure_and_takers and failure_and_takers[0]

    def _is_refuted_by_propagation(self, units: Sequence[Unit]) -> bool:
        """Return whether propagation refutes the units; if so, store them as ``smallest``."""
        self._queries.check()
        fixpoint = self._solver(units).propagate(progress=self._queries.progress)
        self._queries.effort.add(fixpoint.effort)
        if not fixpoint.holds:
            self.smallest = [*units]
        return not fixpoint.holds

    def _is_refuted_by_search(self, units: Sequence[Unit]) -> bool:
        """Return whether a search refutes the units; if so, store them as ``smallest``.

        If only one unit was dropped and a solution is found, the unit is stored as necessary. A limit is stored as
        ``stopped``.
        """
        self._queries.check()
        solver = self._solver(units)
        # Any solution is enough; with an objective, improving() yields one before the optimal one.
        answers = (
            solver.improving(progress=self._queries.progress)
            if solver.model.objective
            else solver.solutions(progress=self._queries.progress)
        )
        try:
            solution = next(answers, None)
        except TooLarge as error:
            answers.stopped = str(error)
            solution = None
        self._queries.effort.add(answers.effort)
        self._queries.check()
        if solution is not None:
            # A solution without one unit proves that this unit is necessary.
            dropped = {id(unit) for unit in self.smallest} - {id(unit) for unit in units}
            self._needed |= dropped if len(dropped) == 1 else set()
        elif answers.stopped:
            self.stopped = answers.stopped
        else:
            self.smallest = [*units]
        return solution is None and not answers.stopped

    def _solver(self, units: Sequence[Unit]) -> Solver:
        return self._queries.solver(model_with_units(self._model, units))
