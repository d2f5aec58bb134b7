"""The base of all methods: a run, its result and errors, and its visits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from ..base.errors import CspError
from ..base.frozen import Frozen
from ..engine.effort import Budget, Effort, Progress
from ..engine.settings import Level, Settings
from ..engine.solver.answers import Solution
from ..model import Model, Value, Variable
from .groups import Groups

MAX_NODES = 200
"""Maximum number of nodes of the tree; the first ones are kept."""

MAX_POINTS = 1000
"""Maximum number of points of the annealing curve; beyond, every second point is dropped."""

CHECK_INTERVAL = 1024
"""Number of attempts between two checks of the limits."""

WriteLine = Callable[[str], None]
"""A function that is called with each line of a log."""


class NotApplicable(CspError):
    """Error raised if a method cannot solve this kind of model."""


class GaveUp(CspError):
    """Error raised if a method ends before its search is complete."""


class Result(Frozen):
    """The outcome of one method on one model: solutions, attempts, time.

    Attributes
    ----------
    method : str
    level : {"singles", "arc", "bounds", "domain"} or None
        The consistency level of the engine; None for a method that does not use the engine.
    solutions : int
        The number of solutions found, each verified by ``Model.check``.
    complete : bool
        Whether no other solutions exist.
    attempts : int
        The number of attempts, in the unit of the method.
    unit : str
    seconds : float
    note : str
        Why the method did not finish: stopped, gave up, or not for this model; empty if it did.
    first : Solution or None
        The first solution.
    """

    method: str
    level: Level | None
    solutions: int
    complete: bool
    attempts: int
    unit: str
    seconds: float
    note: str = ""
    first: Solution | None = field(default=None, repr=False)

    @property
    def solved(self) -> bool:
        """Whether the method found a solution."""
        return self.solutions > 0


class Run:
    """One run of a method: model, limits, and the solutions so far.

    Parameters
    ----------
    model : Model
    level : Level or None
    settings : Settings
        Its ``seconds`` limit the run.
    progress : function, optional
        Progress callback: called often with the effort so far, whose nodes are the attempts; an exception it raises
        ends the run.
    log : function
        Called with each line of the log.
    visits : Visits, optional
        Collects a sample of the visited nodes.
    """

    def __init__(
        self,
        model: Model,
        level: Level | None,
        settings: Settings,
        progress: Progress | None,
        log: WriteLine,
        visits: Visits | None = None,
    ) -> None:
        self.model, self.level, self.settings, self.log, self.visits = model, level, settings, log, visits
        self.attempts = self.solutions = 0
        self.first: Solution | None = None
        self._effort = Effort()
        self._budget = Budget(settings, self._effort, progress)

    @cached_property
    def groups(self) -> Groups:
        """The all-different groups of the model."""
        return Groups.of(self.model)

    @cached_property
    def only_groups(self) -> Groups:
        """The groups of the model; raises ``NotApplicable`` if it has other constraints.

        Constraints on a single variable are allowed: they narrow its domain.
        """
        for constraint in self.groups.other_constraints:
            raise NotApplicable(f"{constraint.place} is more than a not-equal constraint")
        return self.groups

    def is_possible(self) -> bool:
        """Return whether all constraints without variables hold."""
        return all(constraint.check({}) for constraint in self.model.constraints if not constraint.scope)

    def count_attempt(self) -> None:
        """Count one attempt; check the limits every ``CHECK_INTERVAL`` attempts."""
        self.attempts += 1
        if not self.attempts % CHECK_INTERVAL:
            self.check()

    def check(self) -> None:
        """Raise ``Stopped`` if a limit is reached."""
        self._effort.nodes, self._effort.solutions = self.attempts, self.solutions
        self._budget.check()

    def progress(self, effort: Effort) -> None:
        """Set ``attempts`` to the search nodes of an engine query, and check the limits."""
        self.attempts = effort.nodes
        self.check()

    def add_solution(self, values: Mapping[str, Value]) -> None:
        """Verify a solution, count it in ``solutions``, and keep the first one.

        Raises
        ------
        RuntimeError
            If the values are not a solution, so the method is wrong.
        """
        solution = Solution((variable, values[variable]) for variable in self.model.domains)
        if not self.model.check(solution):
            raise RuntimeError(f"no solution: {solution}")
        self.first = self.first or solution
        if self.visits is not None:
            self.visits.add_solution()
        self.solutions += 1


class TriedValue(NamedTuple):
    """A node of a method's search tree: a tried value, and its parent node's index.

    ``parent`` is -1 if the tree does not contain the parent node.
    """

    parent: int
    variable: Variable
    value: Value


class Visits:
    """A sample of the values that a method tries, for pictures.

    Methods record something only if an object is passed.

    Attributes
    ----------
    counts : Counter of Variable
        A number for each variable.
    about : str
        The meaning of the numbers.
    tree : list of TriedValue
        The first values that were tried.
    solutions : list of int
        The nodes of the tree that ended in a solution.
    matrix : sequence of (Variable, value, items)
        For exact cover: the options, each with its items.
    items : int
        For exact cover: the number of items.
    chosen : tuple of int
        For exact cover: the options of the first cover.
    course : list of (float, int)
        For annealing: the temperature and the cost, over time.
    passes : list of (str, int)
        For the human and the permutation method: the name of each pass, and how much it found or tested.

    Examples
    --------
    >>> visits = Visits()
    >>> for depth, name, value in [(0, "A", 1), (1, "B", 1), (1, "B", 2)]:
    ...     visits.add_value(depth, Variable(name), value)
    >>> visits.add_solution()
    >>> [node.parent for node in visits.tree], visits.solutions, visits.counts["B"]
    ([-1, 0, 0], [2], 2)
    """

    def __init__(self) -> None:
        self.counts: Counter[Variable] = Counter()
        self.about = "number of values tried for each variable"
        self.tree: list[TriedValue] = []
        self.solutions: list[int] = []
        self.matrix: Sequence[tuple[Variable, Value, Sequence[int]]] = ()
        self.items = 0
        self.chosen: tuple[int, ...] = ()
        self.course: list[tuple[float, int]] = []
        self.passes: list[tuple[str, int]] = []
        # The node at each depth; -1 for a node that is not in the tree.
        self._path: list[int] = []
        self._every, self._passed = 1, 0

    def add_value(self, depth: int, variable: Variable, value: Value) -> None:
        """Count a tried value; add it to ``tree`` below its parent while there is room."""
        self.counts[variable] += 1
        del self._path[depth:]
        above = self._path[-1] if self._path else -1
        # Keep a node only if its parent is in the tree.
        is_kept = len(self.tree) < MAX_NODES and (above >= 0 or not self._path)
        if is_kept:
            self.tree.append(TriedValue(above, variable, value))
        self._path.append(len(self.tree) - 1 if is_kept else -1)

    def add_solution(self) -> None:
        """Append the index in ``tree`` of the last tried value to ``solutions``, if ``tree`` contains it."""
        if self._path and self._path[-1] >= 0:
            self.solutions.append(self._path[-1])

    def add_cost(self, temperature: float, cost: int) -> None:
        """Append temperature and cost to ``course``; beyond ``MAX_POINTS``, drop every second point."""
        if not self._passed % self._every:
            self.course.append((temperature, cost))
            if len(self.course) > MAX_POINTS:
                # Thin out: keep every second point, and record half as often from now on.
                del self.course[1::2]
                self._every *= 2
        self._passed += 1
