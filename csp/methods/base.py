"""The base of all methods: a run, its result and its errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property

from ..base.errors import CspError
from ..base.frozen import Frozen
from ..engine.effort import Budget, Effort, Progress
from ..engine.settings import Level, Settings
from ..engine.solver.answers import Solution
from ..model import Model, Value
from .groups import Groups
from .visits import Visits

WriteLine = Callable[[str], None]
"""A function that is called with each line of a log."""

CHECK_INTERVAL = 1024
"""Number of attempts between two checks of the limits."""


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
        """The groups of a model that has no other constraints.

        Raises
        ------
        NotApplicable
            If the model has another constraint on several variables.
        """
        for constraint in self.groups.other_constraints:
            raise NotApplicable(f"{constraint.place} is more than that variables differ")
        return self.groups

    def is_possible(self) -> bool:
        """Return whether all constraints without variables hold."""
        return all(constraint.check({}) for constraint in self.model.constraints if not constraint.scope)

    def count_attempt(self) -> None:
        """Count one attempt; check the limits from time to time."""
        self.attempts += 1
        if not self.attempts % CHECK_INTERVAL:
            self.check()

    def check(self) -> None:
        """Raise ``Stopped`` if a limit is reached."""
        self._effort.nodes, self._effort.solutions = self.attempts, self.solutions
        self._budget.check()

    def progress(self, effort: Effort) -> None:
        """Count the search nodes of an engine query as attempts."""
        self.attempts = effort.nodes
        self.check()

    def add_solution(self, values: Mapping[str, Value]) -> None:
        """Verify and count a solution.

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
