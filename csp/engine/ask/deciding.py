"""What is known of a constraint within domains, without a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...model import Constraint, Domain, Variable
from ..compiled.context import FilterContext
from ..memory import Memory
from ..strategy import Strategy


def deciding(domains: Mapping[Variable, Domain]) -> Callable[[Constraint], bool | None]:
    """A function that tells whether a constraint holds for certain, cannot hold, or may do either (None).

    Parameters
    ----------
    domains : mapping from Variable to tuple
        The values of every variable of the constraints that will be asked about.

    Returns
    -------
    function

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> below = Linear(Affine.variable("x"), "<", Affine.variable("y"))
    >>> deciding({"x": (1, 2), "y": (3,)})(below), deciding({"x": (3,), "y": (1, 2)})(below)
    (True, False)
    """
    strategy = Strategy()
    context = FilterContext(domains, strategy, Memory(strategy.memory), None)

    def decided(constraint: Constraint) -> bool | None:
        return context.part(constraint).decided([(1 << len(domains[variable])) - 1 for variable in constraint.scope])

    return decided
