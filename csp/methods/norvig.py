"""Propagation and search after Peter Norvig."""

from __future__ import annotations

from ..board.answer import domains_text
from ..engine.ask.solver import Solver
from .base import Run
from .engine import search


def solve(run: Run) -> None:
    """Norvig's two rules, which are the engine's level ``singles``, and then its search for the fewest candidates.

    The rules: a variable with one value takes it from its neighbours; a value with one place in a group goes there.
    Where they do not finish, the log has the values that they leave, as he prints them. He then tries a variable with
    the fewest values; the engine tries it, or a value with fewer places in a group. An attempt is a node.

    References
    ----------
    .. [1] P. Norvig, "Solving Every Sudoku Puzzle", 2006.
    """
    solver = Solver(run.model, run.level, run.strategy)
    left = solver.propagate(watch=run.watch)
    if not left.holds:
        run.tell("the rules alone prove that there is no solution")
    elif left.solved:
        run.tell("the rules alone solve it")
    else:
        count = sum(len(domain) > 1 for domain in left.domains.values())
        run.tell(f"the rules leave {count} variables with several values")
        for line in domains_text(run.model, left.domains).splitlines():
            run.tell(line)
    search(run, solver)
