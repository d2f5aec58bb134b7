"""The observer that ships: it turns what the engine reports into records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gmpy2 import mpz

from .constraints import Constraint
from .lines import set_bits
from .model import Candidate, Model, Value, Variable
from .records import Decision, Failure, Kind, Part, Record, Removal, Rest, Restart, Round, Solved, Trace
from .search import Limits
from .solver import Level, Solver


class Recorder:
    """An observer that writes records; everything it says comes from the states it is shown.

    It follows one question up to its first solution: a search that goes on over several independent parts returns to
    parts that it has left, which no record says.

    Parameters
    ----------
    solver : Solver
        The one that it observes.
    tell : function, optional
        Called with every record, as it happens; without it they are kept.

    Attributes
    ----------
    records : list of Record
        Those that were kept.
    """

    def __init__(self, solver: Solver, tell: Callable[[Record], None] | None = None) -> None:
        self.records: list[Record] = []
        self._tell = tell or self.records.append
        self._lines = solver.lines
        self._order = {variable: i for i, variable in enumerate(solver.prepared.domains)}
        self._given = {id(one) for one in solver.prepared.constraints[: len(solver.model.constraints)]}
        self._marked: set[Variable] = set()
        self._step = self._round = self._node = 0
        self._nodes = self._turns = 0
        self._path = {0: 0}

    def narrowed(self, before: mpz, after: mpz, constraint: Constraint | None) -> None:
        removed = tuple(self._lines.live(before & ~after))
        if not removed:
            return
        self._step += 1
        if constraint is None or (len(constraint.scope) == 1 and id(constraint) in self._given):
            self._remove("given", constraint, (), removed)
        else:
            domains = [self._lines.domain(before, variable) for variable in constraint.scope]
            for cause, gone in constraint.reasons(domains, removed):
                self._remove("filtered", constraint, cause, gone)

    def swept(self, singles: mpz) -> None:
        lines = (self._lines.line_at[guard] for guard in set_bits(singles))
        self._marked &= {line.what for line in lines if line.constraint is None}  
        self._round += 1
        self._tell(Round(self._round, self._node, self._marks()))

    def fixed(self, before: mpz, after: mpz, guard: int, bit: int) -> None:
        candidate = self._lines.candidate(bit)
        if candidate is None:
            return
        line = self._lines.line_at[guard]
        self._fix("placed", line.constraint, candidate, before, after)

    def decided(self, before: mpz, after: mpz, bit: int, depth: int) -> None:
        candidate = self._lines.candidate(bit)
        assert candidate is not None
        self._nodes += 1
        self._node = self._path[depth + 1] = self._nodes
        self._marked = set()
        self._tell(Decision(self._node, self._path[depth], candidate))
        self._fix("decided", None, candidate, before, after)

    def failed(self, state: mpz, guards: mpz) -> None:
        line = self._lines.line_at[guards.bit_scan1()]
        self._marked = set()
        self._tell(Failure(self._node, line.constraint, line.what))

    def rested(self, state: mpz) -> None:
        self._marked = set()
        self._tell(Rest(self._node, (state & self._lines.variable_guards).bit_count()))

    def solved(self, state: mpz) -> None:
        self._tell(Solved(self._node))

    def turned(self) -> None:
        if self._turns:
            self._nodes += 1
            self._node = self._path[0] = self._nodes
            self._tell(Part(self._node))
        self._turns += 1

    def restarted(self) -> None:
        self._node = self._path[0]
        self._tell(Restart(self._node))

    def _fix(
        self, kind: Kind, constraint: Constraint | None, candidate: Candidate, before: mpz, after: mpz
    ) -> None:
        """The removals of a fixed candidate: from its own variable first, then constraint by constraint."""
        variable = candidate[0]
        live = list(self._lines.live(before & ~after))
        self._step += bool(live)
        own = tuple(removed for removed in live if removed[0] == variable)
        if own:
            self._remove(kind, constraint, (candidate,), own)
        gone = set(live).difference(own)
        self._marked.discard(variable)
        for excluder, members in self._lines.excluders(candidate):
            if removed := tuple(member for member in members if member in gone):
                self._remove("fixed", excluder, (candidate,), removed)
                gone.difference_update(removed)

    def _remove(
        self, kind: Kind, constraint: Constraint | None, cause: tuple[Candidate, ...], removed: tuple[Candidate, ...]
    ) -> None:
        self._marked |= {variable for variable, _ in removed}
        self._tell(Removal(self._step, self._node, kind, constraint, cause, removed, self._marks()))

    def _marks(self) -> tuple[Variable, ...]:
        return tuple(sorted(self._marked, key=self._order.__getitem__))


def record(
    model: Model,
    level: Level = "singles",
    givens: Mapping[str, Value] | None = None,
    nodes: int | None = 0,
) -> Trace:
    """Everything that happens to a model until its first solution.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "domain"}
    givens : mapping from str to int or str, optional
    nodes : int or None
        The most decisions of the search to record; 0 is propagation alone, None is no limit.

    Returns
    -------
    Trace

    Examples
    --------
    >>> from csp import AllDifferent
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")]))
    >>> print(*trace.captions(), sep="\\n")
    round 1 · marked 0
    step 1 · pair: A = 1 removes 1 from B · marked 1
    at rest · 0 open
    """
    solver = Solver(model, level)
    recorder = Recorder(solver)
    if nodes == 0:
        solver.propagate(givens, observer=recorder)
    else:
        limits = Limits(nodes=None if nodes is None else nodes + 1)
        next(solver.solutions(givens, limits, recorder), None)
    return Trace(solver.prepared, tuple(recorder.records))
