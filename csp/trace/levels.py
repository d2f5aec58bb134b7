"""The trace of propagation at one consistency level, to compare levels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ..base.frozen import Frozen
from ..base.notation import Domain
from ..engine.effort import Progress
from ..engine.settings import Level
from ..engine.solver.answers import Fixpoint
from ..engine.solver.solver import Solver
from ..model import Candidate, Model, Variable
from .history import Trace, make_trace, replay
from .recorder import Recorder
from .records import Removal, Round


class Reach(Frozen):
    """The trace and the result of propagation at one consistency level.

    Attributes
    ----------
    model : Model
        The model of the query; the variables that the trace has for its expressions do not count.
    level : {"singles", "arc", "bounds", "domain"}
    trace : Trace
        The trace of propagation, without search.
    fixpoint : Fixpoint
    """

    model: Model
    level: Level
    trace: Trace
    fixpoint: Fixpoint

    def __repr__(self) -> str:
        return f"<Reach at {self.level}: {self.trace!r}>"

    @cached_property
    def left(self) -> Mapping[Variable, Domain]:
        """The domain of every variable at the fixpoint or at the contradiction."""
        *_, last = replay(self.trace)
        return {variable: last.domains[variable] for variable in self.model.domains}

    @cached_property
    def removed(self) -> dict[Candidate, Removal]:
        """For each removed candidate, in order, the record of its removal."""
        removals = [record for record in self.trace.records if isinstance(record, Removal)]
        return {c: removal for removal in removals for c in removal.removed if c[0] in self.model.domains}

    @property
    def rounds(self) -> int:
        """The number of propagation rounds that fixed variables or values with a single place."""
        return sum(isinstance(record, Round) for record in self.trace.records)

    @property
    def propagators(self) -> int:
        """The number of times that a propagator has run."""
        return self.fixpoint.effort.propagators

    @property
    def open(self) -> int:
        """The number of variables that are unfixed after propagation."""
        return sum(len(domain) > 1 for domain in self.left.values())


def reach(solver: Solver, progress: Progress | None = None) -> Reach:
    """Propagate the model of a solver, and return the trace and the result.

    Parameters
    ----------
    solver : Solver
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the propagation.

    Returns
    -------
    Reach

    Raises
    ------
    Stopped
        If a limit is reached first.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3, 4)}, [AllDifferent.of("ABC")])
    >>> [len(reach(Solver(model, level)).removed) for level in ("arc", "singles", "domain")]
    [0, 0, 2]
    """
    recorder = Recorder(solver.program)
    fixpoint = solver.propagate(progress=progress, log=recorder)
    return Reach(solver.model, solver.level, make_trace(solver.program, recorder.records), fixpoint)
