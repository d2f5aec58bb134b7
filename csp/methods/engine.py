"""Solve by the engine of this package."""

from __future__ import annotations

from ..engine.ask.solver import Solver
from ..ground.errors import Stopped
from .base import Run


def solve(run: Run) -> None:
    """Propagate at a consistency level, then search.

    An attempt is a node of the search tree, including the root.
    """
    search(run, Solver(run.model, run.level, run.strategy))


def search(run: Run, solver: Solver) -> None:
    """Find all solutions with the engine, and log its effort.

    Raises
    ------
    Stopped
        If a limit comes first.
    """
    answers = solver.solutions(watch=run.watch)
    for solution in answers:
        run.add_solution(solution)
    effort = answers.effort
    run.attempts = effort.nodes
    run.log(" · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__))
    if answers.stopped:
        raise Stopped(answers.stopped)
