"""Many questions under one limit of time, each small."""

from __future__ import annotations

from dataclasses import replace

from ...engine.ask.solver import Solver
from ...engine.effort import Budget, Effort, Watch
from ...model import Model


class Asking:
    """Questions about models that have little time in all, and few nodes each.

    ``solver``: its seconds are those of all questions together; ``nodes``: the most nodes, and conflicts, of one
    question; fewer where the solver has fewer; ``watch``: progress callback: called often with the effort so far.

    Attributes
    ----------
    effort : Effort
        What all have cost.
    """

    def __init__(self, solver: Solver, nodes: int, watch: Watch | None) -> None:
        self._budget = Budget(solver.strategy, Effort(), watch)
        self._strategy = replace(solver.strategy, nodes=min(solver.strategy.nodes or nodes, nodes), seconds=None)
        self.effort = self._budget.effort

    def solver(self, model: Model) -> Solver:
        """Who is asked about a model."""
        return Solver(model, strategy=self._strategy)

    def check(self) -> None:
        """Raise ``Stopped`` if the time is over."""
        self._budget.check()

    def watch(self, effort: Effort) -> None:
        """What each question tells its effort to."""
        self._budget.check()
