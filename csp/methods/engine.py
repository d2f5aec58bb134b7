"""The method that uses the engine of this package."""

from __future__ import annotations

from ..base.errors import Stopped
from ..engine.solver.solver import Solver
from .base import Run


def solve(run: Run) -> None:
    """Propagate at a consistency level, then search.

    An attempt is a node of the search tree, including the root.
    """
    search(run, Solver(run.model, run.level, run.settings))


def search(run: Run, solver: Solver) -> None:
    """Find all solutions with the engine, and log its effort.

    Raises
    ------
    Stopped
        If a limit comes first.
    """
    answers = solver.solutions(progress=run.progress)
    for solution in answers:
        run.add_solution(solution)
    effort = answers.effort
    run.attempts = effort.nodes
    run.log(" · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__))
    if answers.stopped:
        raise Stopped(answers.stopped)
