"""This engine."""

from __future__ import annotations

from ..engine.ask.solver import Solver
from ..ground.errors import Stopped
from .base import Run


def solve(run: Run) -> None:
    """Propagate at a level, and search what is left; an attempt is a node of the search tree, the root included."""
    search(run, Solver(run.model, run.level, run.strategy))


def search(run: Run, solver: Solver) -> None:
    """Find all solutions, and tell what it has cost.

    Raises
    ------
    Stopped
        At a limit.
    """
    answers = solver.solutions(watch=run.watch)
    for solution in answers:
        run.found(solution)
    effort = answers.effort
    run.attempts = effort.nodes
    run.tell(" · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__))
    if answers.stopped:
        raise Stopped(answers.stopped)
