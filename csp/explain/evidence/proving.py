"""How it is proved that a puzzle has one solution, or none."""

from __future__ import annotations

from ...engine.ask.solver import Solver
from ...engine.effort import Effort, Watch
from ...engine.strategy import LEVELS, Level
from ...ground.frozen import Frozen
from .verdicts import Verdict

MANY = 1_000
"""Failures from which a proof by propagation alone is not tried."""


class Proof(Frozen):
    """What has proved how many solutions there are.

    Attributes
    ----------
    level : {"arc", "singles", "bounds", "domain"} or None
        The least one at which propagation alone does; None where that takes a search.
    effort : Effort
        What the search has cost.
    """

    level: Level | None
    effort: Effort

    @property
    def message(self) -> str:
        """The same in words."""
        if self.level:
            return f"by propagation alone, at level {self.level}"
        spent = [(getattr(self.effort, name), name) for name in ("nodes", "failures", "conflicts")]
        counts = [f"{count:,} {name[:-1] if count == 1 else name}" for count, name in spent]
        tree = f"by a search of {counts[0]} with {counts[1]}"
        return f"{tree}, and by clingo after {counts[2]}" if self.effort.conflicts else tree


def proof(solver: Solver, verdict: Verdict, watch: Watch | None = None) -> Proof:
    """How a verdict of none or one is proved.

    Parameters
    ----------
    solver : Solver
    verdict : Verdict
        What it has said of it.
    watch : function, optional
        Progress callback: called often with the effort so far.

    Returns
    -------
    Proof

    Raises
    ------
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Model, verdict
    >>> solver = Solver(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> proof(solver, verdict(solver)).message
    'by propagation alone, at level arc'
    """
    if solver.model.objective is None and not verdict.effort.conflicts and verdict.effort.failures < MANY:
        shows_all = len(solver.model.shown) == len(solver.model.domains)
        is_settled = (verdict.effort.nodes == 1 or not shows_all) and _is_settled(solver, watch)
        if not any(len(constraint.apart()) > 2 for constraint in solver.program.constraints):  # all levels are alike
            return Proof(LEVELS[0] if is_settled else None, verdict.effort)
        own = LEVELS.index(solver.level)
        for level in LEVELS[:own] if is_settled else LEVELS[own + 1 :]:
            if _is_settled(Solver(solver.model, level, solver.strategy), watch):
                return Proof(level, verdict.effort)
        return Proof(solver.level if is_settled else None, verdict.effort)
    return Proof(None, verdict.effort)


def _is_settled(solver: Solver, watch: Watch | None) -> bool:
    """Whether propagation leaves nothing, or one value to all that is shown."""
    fixpoint = solver.propagate(watch=watch)
    return not fixpoint.holds or all(len(fixpoint.domains[variable]) == 1 for variable in solver.model.shown)
