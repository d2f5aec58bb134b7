"""Run many small solver queries under one common time limit."""

from __future__ import annotations

from dataclasses import replace

from ...engine.ask.solver import Solver
from ...engine.effort import Budget, Effort, Watch
from ...model import Model


class LimitedQueries:
    """Solver queries that share a time limit, each with a node limit.

    Parameters
    ----------
    solver : Solver
        Its settings hold for the queries; its time limit holds for all queries together.
    nodes : int
        The maximum number of nodes, and of conflicts, per query; a lower limit of the solver applies.
    watch : function, optional
        Progress callback: called often with the effort so far.

    Attributes
    ----------
    effort : Effort
        The total effort of all queries.
    """

    def __init__(self, solver: Solver, nodes: int, watch: Watch | None) -> None:
        self._budget = Budget(solver.strategy, Effort(), watch)
        self._strategy = replace(solver.strategy, nodes=min(solver.strategy.nodes or nodes, nodes), seconds=None)
        self.effort = self._budget.effort

    def solver(self, model: Model) -> Solver:
        """Return a solver for the model with the limits of one query."""
        return Solver(model, strategy=self._strategy)

    def check(self) -> None:
        """Raise ``Stopped`` if the common time limit is reached."""
        self._budget.check()

    def watch(self, effort: Effort) -> None:
        """Check the common limits; the progress callback of the queries."""
        self._budget.check()
