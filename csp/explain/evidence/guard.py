"""Find where propagation removes a value of the solution that an author intends."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.errors import ModelError
from ...base.frozen import Frozen
from ...base.notation import counted, quoted
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Value, Variable
from ...model.givens import given_items
from ...model.operand import variable_of
from ...trace import Failure, Record, Recorder, Removal, Rest, caption


class Guard(Frozen):
    """A report whether propagation keeps the solution that an author intends.

    Attributes
    ----------
    record : Removal or Failure or None
        The first removal of a value of the solution, or the failure; None if propagation keeps the solution.
    lost : tuple of Candidate
        The values of the solution that the record removes.
    removing_constraints : tuple of Constraint
        The constraints of the model that the record comes from.
    broken : tuple of Constraint
        The constraints of the model that the solution violates.
    foreign : tuple of Candidate
        Values of the solution that are not in the domains of their variables.
    is_open : bool
        True if a partial solution survives propagation and violates nothing, but a search cannot complete it.
    open : int
        The number of variables that are unfixed after propagation.
    """

    record: Removal | Failure | None = None
    lost: tuple[Candidate, ...] = ()
    removing_constraints: tuple[Constraint, ...] = ()
    broken: tuple[Constraint, ...] = ()
    foreign: tuple[Candidate, ...] = ()
    is_open: bool = False
    open: int = 0

    @property
    def is_valid(self) -> bool:
        """Whether the solution is correct, or can be completed."""
        return not (self.record or self.broken or self.foreign or self.is_open)

    @property
    def message(self) -> str:
        """The report in one sentence."""
        if self.foreign:
            return f"{_candidates_text(self.foreign)}: not in its domain"
        if self.record:
            how = caption(self.record).partition(" · marked ")[0]
            addition = f"; the solution has {_candidates_text(self.lost)}" if self.lost else ""
            return f"{how}{addition}"
        if self.broken:
            return "propagation leaves the solution, which breaks constraints all the same"
        if self.is_open:
            return "propagation leaves these values, and a search finds no solution that has them"
        if not self.open:
            return "the solution stands, and propagation alone finds it"
        return f"the solution stands; propagation leaves {counted(self.open, 'variable')} open"


def guard(solver: Solver, solution: Mapping[str, Value], progress: Progress | None = None) -> Guard:
    """Propagate, and find the first removal that contradicts the intended solution.

    Parameters
    ----------
    solver : Solver
    solution : mapping from str to int or str
        The values of all variables, or of some.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the replay.

    Returns
    -------
    Guard
        Only the first removal counts. The domains before it contain the whole solution, so the removing constraint is
        responsible alone.

    Raises
    ------
    ModelError
        If the solution has an unknown variable.
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model
    >>> rules = [AllDifferent.of("AB", label="row"), Equality(Variable("A"), 2, line=3)]
    >>> report = guard(Solver(Model({"A": (1, 2), "B": (1, 2)}, rules)), {"A": 1, "B": 2})
    >>> report.message, [rule.place for rule in report.removing_constraints]
    ('step 1 · A = 2 (line 3): removes 1 from A; the solution has A = 1', ['A = 2 (line 3)'])
    """
    model, program = solver.model, solver.program
    target = {variable_of(name): value for name, value in given_items(solution)}
    for variable in target:
        if variable not in model.domains:
            raise ModelError(f"there is no variable {variable}")
    named_values: dict[str, Value] = dict(target.items())
    foreign = tuple([(v, value) for v, value in target.items() if value not in model.domains[v]])
    if foreign:
        return Guard(foreign=foreign)
    # Replay propagation; the watcher keeps the first record against the solution.
    watcher = _Watcher(target)
    solver.propagate(progress=progress, log=Recorder(program, watcher.on_record))
    broken = tuple([c for c in model.constraints if all(v in target for v in c.scope) and not c.check(named_values)])
    if (record := watcher.record) is not None:
        lost_values = (
            tuple([candidate for candidate in record.removed if candidate in target.items()])
            if isinstance(record, Removal)
            else ()
        )
        origins = () if record.number is None else program.origins[record.number]
        return Guard(record, lost_values, tuple([model.constraints[n] for n in origins]), broken)
    # A partial solution may survive propagation and still have no completion: search for one.
    is_open = not broken and len(target) < len(model.domains) and solver.solve(solution, progress=progress) is None
    return Guard(broken=broken, is_open=is_open, open=watcher.open)


class _Watcher:
    """A listener that stores the first record that contradicts the intended solution."""

    def __init__(self, intended: Mapping[Variable, Value]) -> None:
        self._intended = set(intended.items())
        self.record: Removal | Failure | None = None
        self.open = 0

    def on_record(self, record: Record) -> None:
        """Store the first contradiction, and how many variables remain unfixed."""
        match record:
            case Removal() if self.record is None and not self._intended.isdisjoint(record.removed):
                self.record = record
            case Failure() if self.record is None:
                self.record = record
            case Rest():
                self.open = record.open


def _candidates_text(candidates: tuple[Candidate, ...]) -> str:
    return ", ".join([f"{variable} = {quoted(value)}" for variable, value in candidates])
