"""Decide whether constraints hold within given domains, without compiling a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.errors import Stopped
from ...model import Constraint, Domain, Variable
from ..compiled.propagators import Context
from ..memory import Memory
from ..settings import Settings


def deciding(domains: Mapping[Variable, Domain], most: int | None = None) -> Callable[[Constraint], bool | None]:
    """Return a function that decides whether a constraint certainly holds, or cannot hold, within domains.

    The function returns True if a constraint certainly holds, False if it cannot hold, None if neither is known.

    Parameters
    ----------
    domains : mapping from Variable to tuple
        The values of every variable of the constraints to decide.
    most : int, optional
        Maximum number of steps over all calls: the steps of propagators, and one for each value in a scope. Above that
        the function raises ``Stopped``.

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
    settings = Settings()
    context = Context(domains, settings, Memory(settings.max_cache_bytes))

    def decide(constraint: Constraint) -> bool | None:
        meter = context.meter
        meter.steps += sum([len(domains[variable]) for variable in constraint.scope])
        if most is not None and meter.steps > most:
            raise Stopped(f"the limit of {most} steps")
        return context.part(constraint).entailment([(1 << len(domains[variable])) - 1 for variable in constraint.scope])

    return decide
