"""What happened, as frozen records: the only source for logs, pictures and explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from gmpy2 import mpz

from .constraints import Constraint
from .lines import Lines
from .model import Candidate, Domain, Model, Value, Variable
from .search import Limits
from .solver import Level, Solver

Kind = Literal["given", "fixed", "placed", "filtered", "decided"]


@dataclass(frozen=True, slots=True)
class Removal:
    """Values that one constraint removed.

    Attributes
    ----------
    step : int
        The revision: one fixed vertex, one filter call, one given. A revision may have several removals.
    node : int
        The node of the search tree; 0 is the root.
    kind : str
        ``given``: a constraint on one variable; ``fixed``: a vertex with one value left tells its neighbours;
        ``placed``: a value of a group had one place left; ``filtered``: a filter; ``decided``: the search.
    constraint : Constraint or None
        None for a decision and for a given from outside the model.
    cause : tuple of Candidate
        The candidate that was fixed; empty for filters and givens.
    removed : tuple of Candidate
    marked : tuple of Variable
        The vertices that carry an asterisk after it, in the order of the model.
    """

    step: int
    node: int
    kind: Kind
    constraint: Constraint | None
    cause: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    marked: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The queue begins a round: these marked vertices, or single places, will be revised in turn."""

    number: int
    node: int
    marked: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is marked any more."""

    node: int
    open: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A line has no candidate left: a variable without a value, or a value of a group without a place."""

    node: int
    constraint: Constraint | None
    what: Variable | Value


@dataclass(frozen=True, slots=True)
class Decision:
    """The search tries a candidate below a parent node."""

    node: int
    parent: int
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Solved:
    """A node in which every variable has its value."""

    node: int


@dataclass(frozen=True, slots=True)
class Restart:
    """The search begins again from the root of the present part."""

    node: int


@dataclass(frozen=True, slots=True)
class Part:
    """The search turns to the next independent part; what it has found for the others stays.

    Attributes
    ----------
    node : int
        The root of the part.
    """

    node: int


Record = Removal | Round | Rest | Failure | Decision | Solved | Restart | Part


@dataclass(frozen=True)
class Trace:
    """A model and everything that happened to it.

    Attributes
    ----------
    model : Model
    records : tuple of Record
    """

    model: Model
    records: tuple[Record, ...]

    def captions(self) -> Iterator[str]:
        """One line of text for every record."""
        return map(caption, self.records)


class Recorder:
    """An observer that writes records; everything it says comes from the states it is shown.

    Parameters
    ----------
    lines : Lines
        Of the solver that it observes.

    Attributes
    ----------
    records : list of Record
    """

    def __init__(self, lines: Lines) -> None:
        self.records: list[Record] = []
        self._lines = lines
        self._order = {variable: i for i, variable in enumerate(lines.model.domains)}
        self._marked: set[Variable] = set()
        self._step = self._round = self._node = 0
        self._nodes = self._turns = 0
        self._path = {0: 0}

    def narrowed(self, before: mpz, after: mpz, constraint: Constraint | None) -> None:
        removed = tuple(self._lines.live(before & ~after))
        if removed:
            self._step += 1
            given = constraint is None or len(constraint.scope) == 1
            self._remove("given" if given else "filtered", constraint, (), removed)

    def swept(self, singles: mpz) -> None:
        lines = (self._lines.line_at[guard] for guard in bits(singles))
        self._marked &= {line.what for line in lines if line.constraint is None}  
        self._round += 1
        self.records.append(Round(self._round, self._node, self._marks()))

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
        self.records.append(Decision(self._node, self._path[depth], candidate))
        self._fix("decided", None, candidate, before, after)

    def failed(self, state: mpz, guards: mpz) -> None:
        line = self._lines.line_at[guards.bit_scan1()]
        self._marked = set()
        self.records.append(Failure(self._node, line.constraint, line.what))

    def rested(self, state: mpz) -> None:
        self._marked = set()
        guards = self._lines.guards & ((mpz(1) << self._lines.variable_bits) - 1)
        self.records.append(Rest(self._node, (state & guards).bit_count()))

    def solved(self, state: mpz) -> None:
        self.records.append(Solved(self._node))

    def turned(self) -> None:
        if self._turns:
            self._nodes += 1
            self._node = self._path[0] = self._nodes
            self.records.append(Part(self._node))
        self._turns += 1

    def restarted(self) -> None:
        self._node = self._path[0]
        self.records.append(Restart(self._node))

    def _fix(
        self, kind: Kind, constraint: Constraint | None, candidate: Candidate, before: mpz, after: mpz
    ) -> None:
        """The removals of a fixed candidate: from its own variable first, then constraint by constraint."""
        variable = candidate[0]
        gone = dict.fromkeys(self._lines.live(before & ~after))
        self._step += bool(gone)
        own = tuple(removed for removed in gone if removed[0] == variable)
        if own:
            self._remove(kind, constraint, (candidate,), own)
        self._marked.discard(variable)
        for excluder, members in self._lines.excluders(candidate):
            if removed := tuple(member for member in members if member in gone):
                self._remove("fixed", excluder, (candidate,), removed)
                for member in removed:
                    del gone[member]

    def _remove(
        self, kind: Kind, constraint: Constraint | None, cause: tuple[Candidate, ...], removed: tuple[Candidate, ...]
    ) -> None:
        self._marked |= {variable for variable, _ in removed}
        self.records.append(Removal(self._step, self._node, kind, constraint, cause, removed, self._marks()))

    def _marks(self) -> tuple[Variable, ...]:
        return tuple(sorted(self._marked, key=self._order.__getitem__))


def bits(number: mpz) -> Iterator[int]:
    """The set bits, from the lowest."""
    bit = number.bit_scan1()
    while bit is not None:
        yield bit
        bit = number.bit_scan1(bit + 1)


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
    level : {"singles", "arc"}
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
    round 2 · marked 1
    at rest · 0 open
    """
    solver = Solver(model, level)
    recorder = Recorder(solver.lines)
    if nodes == 0:
        solver.propagate(givens, recorder)
    else:
        limits = Limits(nodes=None if nodes is None else nodes + 1)
        next(solver.solutions(givens, limits, recorder), None)
    return Trace(model, tuple(recorder.records))


def caption(record: Record) -> str:
    """The one line of text for a record that logs, pictures and the player share."""
    match record:
        case Removal():
            return f"step {record.step} · {_reason(record)} · marked {len(record.marked)}"
        case Round(number, _, marked):
            return f"round {number} · marked {len(marked)}"
        case Rest(_, still):
            return f"at rest · {still} open"
        case Failure(_, constraint, what):
            return f"failure · {what} has no value left" if constraint is None else f"failure · {_no_place(record)}"
        case Decision(node, parent, (variable, value)):
            return f"node {node} · {variable} = {value}, below {_node(parent)}"
        case Solved():
            return "solved"
        case Restart(node):
            return f"restart from {_node(node)}"
        case Part(node):
            return f"part {node} · the next independent part"


def _node(node: int) -> str:
    return f"node {node}" if node else "the root"


def _no_place(failure: Failure) -> str:
    assert failure.constraint is not None
    return f"{failure.constraint.place}: {failure.what} has no place left"


def _reason(removal: Removal) -> str:
    place = removal.constraint.place + ": " if removal.constraint else ""
    removes = f"removes {show_removed(removal.removed)}"
    match removal.kind:
        case "fixed":
            variable, value = removal.cause[0]
            return f"{place}{variable} = {value} {removes}"
        case "placed":
            variable, value = removal.cause[0]
            return f"{place}{value} fits only {variable}, {removes}"
        case "decided":
            variable, value = removal.cause[0]
            return f"decision: {variable} = {value} {removes}"
        case "given" if removal.constraint is None:
            return f"given: {removes}"
    return f"{place}{removes}"


def show_removed(removed: tuple[Candidate, ...]) -> str:
    """Which values go from which variables, variables with the same values together.

    Examples
    --------
    >>> show_removed((("A", 1), ("B", 1), ("C", 1), ("C", 2)))
    '1 from A, B; 1, 2 from C'
    """
    of: dict[Variable, list[str]] = {}
    for variable, value in removed:
        of.setdefault(variable, []).append(str(value))
    parts = groupby(of.items(), key=lambda item: item[1])
    return "; ".join(f"{', '.join(values)} from {', '.join(v for v, _ in group)}" for values, group in parts)


@dataclass(frozen=True, slots=True)
class Moment:
    """The picture after a record: every domain, and what has just happened.

    Attributes
    ----------
    domains : dict of Variable to tuple
        What is left, not counting what this record has removed.
    marked : tuple of Variable
    record : Record or None
        None before anything has happened.
    """

    domains: Mapping[Variable, Domain]
    marked: tuple[Variable, ...]
    record: Record | None


def replay(trace: Trace) -> Iterator[Moment]:
    """The moments of a trace, from the bare network on; a decision goes back to its parent's domains.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [moment.domains["B"] for moment in replay(trace)]
    [(1, 2), (1, 2), (2,), (2,), (2,)]
    """
    domains: dict[Variable, Domain] = dict(trace.model.domains)
    at_rest: dict[int, dict[Variable, Domain]] = {}
    marked: tuple[Variable, ...] = ()
    yield Moment(domains, marked, None)
    for one in trace.records:
        match one:
            case Removal():
                domains = dict(domains)
                for variable, value in one.removed:
                    domains[variable] = tuple(v for v in domains[variable] if v != value)
                marked = one.marked
            case Round():
                marked = one.marked
            case Rest(node):
                at_rest[node] = domains
                marked = ()
            case Decision(_, parent):
                domains = at_rest[parent]
                marked = ()
            case Restart(node):
                domains = at_rest[node]
                marked = ()
            case Part(node):
                at_rest[node] = domains
        yield Moment(domains, marked, one)
