"""Find the failure with which propagation alone refutes a model."""

from __future__ import annotations

from ...engine.effort import Progress
from ...engine.settings import Level
from ...engine.solver.solver import Solver
from ...model import Constraint, Variable
from ...trace import Failure, Record, Recorder, Removal

FAILURE_LEVELS: tuple[Level, ...] = ("singles", "domain")
"""The consistency levels that are tried, in this order."""

RemovedBy = tuple[Constraint, ...]


def find_failure(solver: Solver, progress: Progress | None = None) -> tuple[Failure, RemovedBy] | None:
    """Find the failure at which propagation ends, and the constraints that led to it.

    Returns the failure, and the constraints that removed values from its variables; None if propagation does not fail.

    Raises
    ------
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Model, caption
    >>> failure, removed_by = find_failure(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")])))
    >>> caption(failure), [constraint.name for constraint in removed_by]
    ('failure · B has no value left: 1 by pair', ['pair'])
    """
    for level in FAILURE_LEVELS:
        witness = _Witness()
        solver_at_level = Solver(solver.model, level, solver.settings)
        solver_at_level.propagate(
            progress=progress, log=Recorder(solver_at_level.program, witness.on_record, queue=False)
        )
        if witness.failure is not None:
            return witness.failure, witness.removing_constraints(witness.failure)
    return None


class _Witness:
    """A listener that stores the first failure and the constraints of earlier removals."""

    def __init__(self) -> None:
        self.failure: Failure | None = None
        self._removed_by: dict[Variable, dict[str, Constraint]] = {}

    def on_record(self, record: Record) -> None:
        """Store the first failure, or the constraint that removed values."""
        match record:
            case Failure():
                self.failure = self.failure or record
            case Removal(constraint=Constraint() as constraint, removed=removed):
                for variable, _ in removed:
                    self._removed_by.setdefault(variable, {}).setdefault(constraint.place, constraint)

    def removing_constraints(self, failure: Failure) -> RemovedBy:
        """Return the other constraints that removed values from a failure's variables."""
        subject = failure.subject
        variables = [subject] if isinstance(subject, Variable) else dict.fromkeys(v for v, _ in failure.cause)
        # One constraint for each place in the spec.
        removed_by = {
            name: constraint
            for variable in variables
            for name, constraint in self._removed_by.get(variable, {}).items()
        }
        return tuple([constraint for constraint in removed_by.values() if constraint != failure.constraint])
