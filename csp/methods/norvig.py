"""The method of Peter Norvig's essay on sudoku: two rules, then search."""

from __future__ import annotations

from ..board.answer import domains_text
from ..engine.solver.solver import Solver
from .base import Run
from .engine import search


def solve(run: Run) -> None:
    """Apply Norvig's two rules, then search with them.

    An attempt is a node. The rules are the level ``singles`` of the engine: a fixed variable removes its value from its
    neighbours; a value with one place in a group is assigned there. If the rules do not solve the model, the log shows
    the remaining domains, in his format. His search branches on a variable with the fewest values; the engine also
    branches on a value with fewer places in a group.

    References
    ----------
    .. [1] P. Norvig, "Solving Every Sudoku Puzzle", 2006.
    """
    solver = Solver(run.model, run.level, run.settings)
    fixpoint = solver.propagate(progress=run.progress)
    if not fixpoint.holds:
        run.log("the rules alone prove that there is no solution")
    elif fixpoint.solved:
        run.log("the rules alone solve it")
    else:
        unfixed_count = sum(len(domain) > 1 for domain in fixpoint.domains.values())
        run.log(f"the rules leave {unfixed_count} variables with several values")
        for line in domains_text(run.model, fixpoint.domains).splitlines():
            run.log(line)
    search(run, solver)
