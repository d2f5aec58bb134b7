"""Solver queries under one time limit, by which sets are shrunk to minimal ones."""

from __future__ import annotations

from dataclasses import replace

from ...engine.effort import Budget, Effort, Progress
from ...engine.solver.solver import Solver
from ...model import Model


class LimitedQueries:
    """A common time limit for several solver queries, with a node limit for each.

    Parameters
    ----------
    solver : Solver
        Its settings hold for the queries; its time limit holds for all queries together.
    nodes : int
        The maximum number of nodes, and of conflicts, per query; a lower limit of the solver applies.
    progress : function, optional
        Progress callback: called often with the effort so far.

    Attributes
    ----------
    effort : Effort
        The total effort of all queries.
    """

    def __init__(self, solver: Solver, nodes: int, progress: Progress | None) -> None:
        self._budget = Budget(solver.settings, Effort(), progress)
        self._settings = replace(solver.settings, nodes=min(solver.settings.nodes or nodes, nodes), seconds=None)
        self.effort = self._budget.effort

    def solver(self, model: Model) -> Solver:
        """Return a solver for the model with the limits of one query."""
        return Solver(model, settings=self._settings)

    def check(self) -> None:
        """Raise ``Stopped`` if the common time limit is reached."""
        self._budget.check()

    def progress(self, effort: Effort) -> None:
        """Raise ``Stopped`` at the common time limit; called during each query."""
        self._budget.check()
