"""Where a puzzle goes wrong for the solution that its author has in mind."""

from __future__ import annotations

from collections.abc import Mapping

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...ground.errors import ModelError
from ...ground.frozen import Frozen
from ...ground.notation import counted, quoted
from ...model import Candidate, Constraint, Value, Variable
from ...model.operand import given_items, variable_of
from ...story import Failure, Record, Recorder, Removal, Rest, caption


class Guard(Frozen):
    """What becomes of a solution.

    Attributes
    ----------
    record : Removal or Failure or None
        What first takes a value of the solution, or what cannot hold with it; None where propagation leaves it.
    lost : tuple of Candidate
        The values of the solution that it takes.
    blamed : tuple of Constraint
        Those of the model that it was by, where there are any.
    broken : tuple of Constraint
        Those of the model that the solution breaks by their meaning.
    foreign : tuple of Candidate
        Values that are not in the domains of their variables.
    is_open : bool
        Whether it is left, breaks nothing, and yet says so little that a search must tell; and that finds nothing.
    open : int
        How many variables propagation leaves several values.
    """

    record: Removal | Failure | None = None
    lost: tuple[Candidate, ...] = ()
    blamed: tuple[Constraint, ...] = ()
    broken: tuple[Constraint, ...] = ()
    foreign: tuple[Candidate, ...] = ()
    is_open: bool = False
    open: int = 0

    @property
    def stands(self) -> bool:
        """Whether it is a solution, or a part of one."""
        return not (self.record or self.broken or self.foreign or self.is_open)

    @property
    def message(self) -> str:
        """What becomes of it, in a sentence."""
        if self.foreign:
            return f"{_told(self.foreign)}: not in its domain"
        if self.record:
            how = caption(self.record).partition(" · marked ")[0]
            lost = f"; the solution has {_told(self.lost)}" if self.lost else ""
            return f"{how}{lost}"
        if self.broken:
            return "propagation leaves the solution, which breaks constraints all the same"
        if self.is_open:
            return "propagation leaves these values, and a search finds no solution that has them"
        if not self.open:
            return "the solution stands, and propagation alone finds it"
        return f"the solution stands; propagation leaves {counted(self.open, 'variable')} open"


def guard(solver: Solver, solution: Mapping[str, Value], watch: Watch | None = None) -> Guard:
    """Replay propagation against the solution that a puzzle should have.

    Parameters
    ----------
    solver : Solver
    solution : mapping from str to int or str
        The values of all variables, or of some.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends it.

    Returns
    -------
    Guard
        Before the first value of the solution goes, the domains hold all of it, so what takes it is at fault by itself.

    Raises
    ------
    ModelError
        If there is no such variable.
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model
    >>> rules = [AllDifferent.of("AB", label="row"), Equality(Variable("A"), 2, line=3)]
    >>> found = guard(Solver(Model({"A": (1, 2), "B": (1, 2)}, rules)), {"A": 1, "B": 2})
    >>> found.message, [one.place for one in found.blamed]
    ('step 1 · A = 2 (line 3): removes 1 from A; the solution has A = 1', ['A = 2 (line 3)'])
    """
    model, program = solver.model, solver.program
    wanted = {variable_of(name): value for name, value in given_items(solution)}
    for variable in wanted:
        if variable not in model.domains:
            raise ModelError(f"there is no variable {variable}")
    named: dict[str, Value] = dict(wanted.items())
    foreign = tuple([(v, value) for v, value in wanted.items() if value not in model.domains[v]])
    if foreign:
        return Guard(foreign=foreign)
    watcher = _Watcher(wanted)
    solver.propagate(watch=watch, trail=Recorder(program, watcher.hear))
    broken = tuple([c for c in model.constraints if all(v in wanted for v in c.scope) and not c.check(named)])
    if (record := watcher.record) is not None:
        lost = tuple([one for one in record.removed if one in wanted.items()]) if isinstance(record, Removal) else ()
        origins = () if record.number is None else program.origins[record.number]
        return Guard(record, lost, tuple([model.constraints[n] for n in origins]), broken)
    is_open = not broken and len(wanted) < len(model.domains) and solver.solve(solution, watch=watch) is None
    return Guard(broken=broken, is_open=is_open, open=watcher.open)


class _Watcher:
    """Waits for the first record that speaks against a solution."""

    def __init__(self, wanted: Mapping[Variable, Value]) -> None:
        self._wanted = set(wanted.items())
        self.record: Removal | Failure | None = None
        self.open = 0

    def hear(self, record: Record) -> None:
        """Take note of a record."""
        match record:
            case Removal() if self.record is None and not self._wanted.isdisjoint(record.removed):
                self.record = record
            case Failure() if self.record is None:
                self.record = record
            case Rest():
                self.open = record.open


def _told(candidates: tuple[Candidate, ...]) -> str:
    return ", ".join([f"{variable} = {quoted(value)}" for variable, value in candidates])
