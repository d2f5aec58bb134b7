"""The command ``csp propagate``: prints what propagation leaves, as a spec."""

from __future__ import annotations

from csp import Level, Solver

from ..asking import Ask, question
from ..options import level_option
from ..output import fail, put
from ..progress import NO_SOLUTION


@question()
@level_option
def propagate(ask: Ask, level: Level) -> None:
    """Print the domains of the spec FILE after propagation, as a spec.

    Exit code: 0 printed, 1 no solution, 2 malformed input.

    Example: csp propagate examples/shidoku.csp --level arc
    """
    from ...semantics.dumping import residual

    model = ask.model
    fixpoint = Solver(model, level).propagate(progress=ask.progress)
    ask.end()
    if not fixpoint.holds:
        fail("csp: no solution", NO_SOLUTION)
    put(residual(model, fixpoint.domains))
