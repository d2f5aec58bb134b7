"""What methods have in common: what they are given to work with, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property

from ..engine.ask.answers import Solution
from ..engine.effort import Budget, Effort, Watch
from ..engine.strategy import Level, Strategy
from ..ground.errors import CspError
from ..ground.frozen import Frozen
from ..model import Model, Value
from .groups import Groups
from .visits import Visits

Tell = Callable[[str], None]
"""Takes a line of a log."""

PAUSE = 1024
"""Attempts after which the limits are worth a look."""


class NotForThis(CspError):
    """A model that a method cannot treat; the message says why."""


class GaveUp(CspError):
    """A method that ends without having searched everything; the message says why."""


class Result(Frozen):
    """What a method has made of a model.

    Attributes
    ----------
    method : str
    level : {"singles", "arc", "bounds", "domain"} or None
        How much the engine propagates, where the method is one of the engine's.
    solutions : int
        How many were found, each verified by ``Model.check``.
    complete : bool
        Whether there are no more.
    attempts : int
        What was tried, in the method's own unit.
    unit : str
    seconds : float
    note : str
        Why it came to no end: stopped, gave up, or not for this model; empty if it did.
    first : Solution or None
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
        """Whether a solution was found."""
        return self.solutions > 0


class Run:
    """One run of a method: the model, the limits, and what has been found.

    ``strategy``: its ``seconds`` are the most for the run; ``watch``: progress callback: called often with the effort
    so far, whose nodes are the attempts; an exception it raises ends the run; ``tell``: takes the lines of the log;
    ``visits``: takes what is visited, if anybody wants to see it.
    """

    def __init__(
        self,
        model: Model,
        level: Level | None,
        strategy: Strategy,
        watch: Watch | None,
        tell: Tell,
        visits: Visits | None = None,
    ) -> None:
        self.model, self.level, self.strategy, self.tell, self.visits = model, level, strategy, tell, visits
        self.attempts = self.solutions = 0
        self.first: Solution | None = None
        self._effort = Effort()
        self._budget = Budget(strategy, self._effort, watch)

    @cached_property
    def groups(self) -> Groups:
        """The model as groups."""
        return Groups.of(self.model)

    @cached_property
    def only_groups(self) -> Groups:
        """The same, for methods that know nothing else.

        Raises
        ------
        NotForThis
            If there is something else.
        """
        for constraint in self.groups.others:
            raise NotForThis(f"{constraint.place} is more than that variables differ")
        return self.groups

    def is_possible(self) -> bool:
        """Whether the constraints that are about no variable hold; no method looks at them again."""
        return all(constraint.check({}) for constraint in self.model.constraints if not constraint.scope)

    def step(self) -> None:
        """Count an attempt."""
        self.attempts += 1
        if not self.attempts % PAUSE:
            self.check()

    def check(self) -> None:
        """Raise ``Stopped`` if a limit is reached."""
        self._effort.nodes, self._effort.solutions = self.attempts, self.solutions
        self._budget.check()

    def watch(self, effort: Effort) -> None:
        """The watch of a question to the engine, whose nodes are the attempts."""
        self.attempts = effort.nodes
        self.check()

    def found(self, values: Mapping[str, Value]) -> None:
        """Count a solution, if it is one.

        Raises
        ------
        RuntimeError
            If it is none, so that the method is wrong.
        """
        solution = Solution((variable, values[variable]) for variable in self.model.domains)
        if not self.model.check(solution):
            raise RuntimeError(f"no solution: {solution}")
        self.first = self.first or solution
        if self.visits is not None:
            self.visits.found()
        self.solutions += 1
