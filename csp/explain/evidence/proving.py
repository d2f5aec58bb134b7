"""Find the weakest method that proves how many solutions a model has."""

from __future__ import annotations

from ...base.frozen import Frozen
from ...engine.effort import Effort, Progress
from ...engine.settings import LEVELS, Level
from ...engine.solver.solver import Solver
from .verdicts import Verdict

MAX_FAILURES = 1_000
"""Number of failures of the search; from there on, no proof by propagation alone is tried."""


class Proof(Frozen):
    """The weakest method that proves whether a model has none or one solution.

    Attributes
    ----------
    level : {"arc", "singles", "bounds", "domain"} or None
        The lowest consistency level at which propagation alone is a proof; None if a search is necessary.
    effort : Effort
        The effort of the search.
    """

    level: Level | None
    effort: Effort

    @property
    def message(self) -> str:
        """The method of the proof, and the effort of a search, in words."""
        if self.level:
            return f"by propagation alone, at level {self.level}"
        spent = [(getattr(self.effort, name), name) for name in ("nodes", "failures", "conflicts")]
        counts = [f"{count:,} {name[:-1] if count == 1 else name}" for count, name in spent]
        tree = f"by a search of {counts[0]} with {counts[1]}"
        return f"{tree}, and by clingo after {counts[2]}" if self.effort.conflicts else tree


def proof(solver: Solver, verdict: Verdict, progress: Progress | None = None) -> Proof:
    """Find the weakest method that proves the verdict on a model.

    Parameters
    ----------
    solver : Solver
    verdict : Verdict
        The verdict of no solution or of one, for the model of this solver.
    progress : function, optional
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
    if solver.model.objective is None and not verdict.effort.conflicts and verdict.effort.failures < MAX_FAILURES:
        # Try propagation at the level of the solver, if the search was short enough.
        shows_all = len(solver.model.shown) == len(solver.model.domains)
        is_proved = (verdict.effort.nodes == 1 or not shows_all) and _is_proved_by_propagation(solver, progress)
        # Without groups of three or more, all levels remove the same values.
        if not any(len(constraint.apart()) > 2 for constraint in solver.program.constraints):
            return Proof(LEVELS[0] if is_proved else None, verdict.effort)
        # The lowest level that proves it is below this one if this one proves it, else above.
        own_level = LEVELS.index(solver.level)
        for level in LEVELS[:own_level] if is_proved else LEVELS[own_level + 1 :]:
            if _is_proved_by_propagation(Solver(solver.model, level, solver.settings), progress):
                return Proof(level, verdict.effort)
        return Proof(solver.level if is_proved else None, verdict.effort)
    return Proof(None, verdict.effort)


def _is_proved_by_propagation(solver: Solver, progress: Progress | None) -> bool:
    """Return whether propagation alone fails or fixes all shown variables."""
    fixpoint = solver.propagate(progress=progress)
    return not fixpoint.holds or all(len(fixpoint.domains[variable]) == 1 for variable in solver.model.shown)
