"""Where propagation alone finds that there is no solution."""

from __future__ import annotations

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...engine.strategy import Level
from ...model import Constraint, Variable
from ...story import Failure, Record, Recorder, Removal

EXPLAINING: tuple[Level, ...] = ("singles", "domain")
"""The levels at which it is looked for."""

Takers = tuple[Constraint, ...]


def failing(solver: Solver, watch: Watch | None = None) -> tuple[Failure, Takers] | None:
    """The failure that propagation ends with, and the constraints that have taken values from its variables.

    Raises
    ------
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Model, caption
    >>> failure, takers = failing(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")])))
    >>> caption(failure), [one.name for one in takers]
    ('failure · B has no value left: 1 by pair', ['pair'])
    """
    for level in EXPLAINING:
        witness = _Witness()
        own = Solver(solver.model, level, solver.strategy)
        own.propagate(watch=watch, trail=Recorder(own.program, witness.hear, queue=False))
        if witness.failure is not None:
            return witness.failure, witness.takers(witness.failure)
    return None


class _Witness:
    """Remembers a failure, and which constraints have taken values from each variable."""

    def __init__(self) -> None:
        self.failure: Failure | None = None
        self._takers: dict[Variable, dict[str, Constraint]] = {}

    def hear(self, record: Record) -> None:
        """Take note of a record."""
        match record:
            case Failure():
                self.failure = self.failure or record
            case Removal(constraint=Constraint() as constraint, removed=removed):
                for variable, _ in removed:
                    self._takers.setdefault(variable, {}).setdefault(constraint.place, constraint)

    def takers(self, failure: Failure) -> Takers:
        """The constraints that have taken values from the variables of a failure."""
        what = failure.what
        variables = [what] if isinstance(what, Variable) else dict.fromkeys(v for v, _ in failure.cause)
        found = {name: one for variable in variables for name, one in self._takers.get(variable, {}).items()}
        return tuple([one for one in found.values() if one != failure.constraint])
