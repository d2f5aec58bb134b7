"""The trace: records and their replay, with the marks and the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..base.frozen import Frozen
from ..base.late import import_late
from ..base.notation import Domain, counted
from ..engine.compiled.kernel import Snapshot, mask
from ..engine.compiled.program import CompiledModel
from ..engine.compiled.propagators.base import bits
from ..model import Constraint, Model, Value, Variable
from .captions import MAX_NAMED, caption
from .records import Decision, Dequeued, Failure, Part, Reached, Record, Removal, Rest, Restart, Round, Waiting

QueueEntry = tuple[int | None, int | None, Value | None]
"""A variable, a propagator, or a constraint with a value that has one remaining place."""


class Trace(Frozen):
    """A model with the records of its propagation and search, in order.

    Attributes
    ----------
    model : Model
        The model as it was solved: constraints of the original model keep their numbers, and implied constraints
        follow; in the same way, variables for expressions follow the original ones.
    records : tuple of Record
    origins : tuple of tuples of int
        For every constraint, the numbers of the original constraints that imply it.
    queue : tuple of Waiting
        The initial queue: all propagators, in their order.
    """

    model: Model
    records: tuple[Record, ...]
    origins: tuple[tuple[int, ...], ...] = ()
    queue: tuple[Waiting, ...] = ()

    def _repr_html_(self) -> str:
        """Return pictures and captions of the trace as HTML for a notebook."""
        return str(import_late("csp.render.notebook", "trace_html")(self))

    def __repr__(self) -> str:
        return f"<Trace: {counted(len(self.records), 'record')} of {self.model!r}>"

    def captions(self) -> Iterator[str]:
        """Yield the caption of each record, one line of text each."""
        return map(caption, self.records)


def named_constraints(program: CompiledModel) -> tuple[Constraint, ...]:
    """Return the program's constraints; labels of implied ones name the constraints they follow from.

    Examples
    --------
    >>> from csp import Equality, Model, Solver, Variable
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False, label=a + b) for a, b in ("AB", "BC", "AC")]
    >>> print(named_constraints(Solver(Model({v: range(3) for v in "ABC"}, pairs)).program)[3].place)
    all_different([A, B, C]) from AB, BC, AC
    """
    constraints = tuple(program.constraints)
    return tuple(
        [
            constraint
            if constraint.label or origins == (number,)
            else replace(constraint, label=f"{constraint} from {_show_origins(constraints, origins)}")
            for number, (constraint, origins) in enumerate(zip(constraints, program.origins, strict=True))
        ]
    )


def _show_origins(constraints: Sequence[Constraint], numbers: Sequence[int]) -> str:
    """Return text that names at most ``MAX_NAMED`` of the constraints and counts the others."""
    places = [constraints[number].place for number in numbers[:MAX_NAMED]]
    unnamed = len(numbers) - MAX_NAMED
    return ", ".join(places) + (f" and {unnamed} more" if unnamed > 0 else "")


def make_trace(program: CompiledModel, records: list[Record]) -> Trace:
    """Make a ``Trace`` from the records of a compiled model.

    Parameters
    ----------
    program : CompiledModel
    records : list of Record

    Returns
    -------
    Trace
    """
    model, constraints = program.model, named_constraints(program)
    is_original = len(constraints) == len(model.constraints) and all(
        solved is original for solved, original in zip(constraints, model.constraints, strict=True)
    )
    solved_model = (
        model
        if is_original
        else Model(program.domains, constraints, model.show, layout=model.layout, drawn=model.drawn)
    )
    queue = [Waiting(None, number, constraints[number].name) for number in program.propagators]
    return Trace(solved_model, tuple(records), program.origins, tuple(queue))


class Moment(Frozen):
    """The propagation state after a record: domains, marked variables and queue.

    Attributes
    ----------
    domains : dict of Variable to tuple
        The remaining values after the record.
    marked : tuple of Variable
    record : Record or None
        None before the first record.
    queue : tuple of Waiting
        The queue of the engine, the head first.
    """

    domains: Mapping[Variable, Domain]
    marked: tuple[Variable, ...]
    record: Record | None
    queue: tuple[Waiting, ...] = ()

    def __repr__(self) -> str:
        event = "start" if self.record is None else caption(self.record)
        return f"<Moment: {event}>"


def replay(trace: Trace) -> Iterator[Moment]:
    """Yield the state (``Moment``) before the first record, then after each record.

    A decision restores the domains of its parent.

    Parameters
    ----------
    trace : Trace

    Returns
    -------
    iterator of Moment
        One more than records: ``zip(trace.records, islice(replay(trace), 1, None))`` pairs each with the
        moment after it. O(variables) for every record that removes something.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp import record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [moment.domains["B"] for moment in replay(trace)]
    [(1, 2), (1, 2), (2,), (2,), (2,), (2,)]
    """
    domains: dict[Variable, Domain] = dict(trace.model.domains)
    fixpoints: dict[int, dict[Variable, Domain]] = {}  # the domains of every node at its fixpoint
    marked: tuple[Variable, ...] = ()
    yield Moment(domains, marked, None, trace.queue)
    for record in trace.records:
        match record:
            case Removal():
                domains = dict(domains)
                for variable, value in record.removed:
                    domains[variable] = tuple(v for v in domains[variable] if v != value)
                marked = record.marked
            case Round() | Dequeued():
                marked = record.marked
            case Failure():
                marked = ()
            case Rest(node):
                fixpoints[node] = domains
                marked = ()
            case Decision(_, parent):
                domains = fixpoints[parent]
                marked = ()
            case Restart(node):
                domains = fixpoints[node]
                marked = ()
            case Reached(_, solution):
                domains = {variable: (value,) for variable, value in solution}
                marked = ()
            case Part(node, _):
                fixpoints[node] = domains
        yield Moment(domains, marked, record, getattr(record, "queue", ()))


class Marks:
    """The engine's marked variables and propagation queue, updated after each event.

    A variable is marked from the change of its domain until the exactly-one sets have been swept and every propagator
    that watches the variable has run. The queue has, in this order: the exactly-one sets with a single candidate, the
    propagators that run before the next sweep, the changed variables, which that sweep will see, and the other pending
    propagators.

    The engine logs its pending propagators when it pops one; the watchers of variables that have changed since are
    added. Sets of propagators are bits in the order of ``CompiledModel.propagators``.
    """

    def __init__(self, program: CompiledModel) -> None:
        self._program = program
        self._layout = program.layout
        self._numbers = [*program.propagators]  # of the constraints, by the bits of their propagators
        self._bit_of = {number: 1 << index for index, number in enumerate(self._numbers)}
        self._watcher_bits = program.watcher_bits(at_root=True)
        self._fixed_first = [program.layout.owner(guard) for guard in program.kernel.first]
        self._single_guards: Snapshot = mask(())  # of the exactly-one sets to fix in this round
        self._singles: dict[int, bool] = {}  # variables to fix in this round, in order; whether they are marked
        self._fresh: set[int] = set()  # variables changed since the last sweep
        self._unseen: dict[int, int] = {}  # the propagators that have not seen the change of a variable
        self._pending = (1 << len(self._numbers)) - 1  # the propagators that have to run
        self._batch = 0  # pending propagators that run before the next sweep

    def enter_search(self) -> None:
        """Ignore from now on the propagators that run only at the search root."""
        self._watcher_bits = self._program.watcher_bits(at_root=False)

    def clear(self) -> None:
        """Remove all marks, and empty the queue."""
        self._single_guards, self._singles, self._fresh, self._unseen = mask(()), {}, set(), {}
        self._pending = self._batch = 0

    def mark_changed(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed; the propagators that watch them are pending."""
        for variable in variables:
            self._fresh.add(variable)
            if self._watcher_bits and (watchers := self._watcher_bits[variable]):
                self._unseen[variable] = watchers
                self._pending |= watchers

    def sweep(self, singles: Snapshot) -> tuple[int, ...]:
        """Start a round that fixes the exactly-one sets ``singles``; return the other changed variables."""
        self._single_guards = singles
        guards = self._program.kernel.order_singles(singles & self._layout.variable_guards)
        self._singles = {variable: variable in self._fresh for variable in map(self._layout.owner, guards)}
        without_single = tuple(sorted(self._fresh.difference(self._singles)))
        self._fresh = set()
        return without_single

    def fix(self, after: Snapshot) -> None:
        """Remove from the queue the exactly-one sets that a snapshot has fixed."""
        self._single_guards = self._single_guards & after

    def remove_single(self, variable: int) -> None:
        """Remove a fixed variable from the queue, after its neighbours have lost its value."""
        self._singles.pop(variable, None)

    def pop(self, propagator: int, pending: int, batch: int) -> tuple[int, ...]:
        """Update the queue after a propagator is popped; return the changed variables that it reads."""
        self._pending, self._batch = pending, batch
        bit = self._bit_of[propagator]
        scope = self._program.incidence.scopes[propagator]
        seen_variables = tuple([variable for variable in scope if self._unseen.get(variable, 0) & bit])
        for variable in seen_variables:
            self._unseen[variable] ^= bit
            if not self._unseen[variable]:
                del self._unseen[variable]
        return seen_variables

    def entries(self) -> Iterator[QueueEntry]:
        """Yield the entries of the queue in order, the head first."""
        for guard in self._program.kernel.order_singles(self._single_guards):
            exactly_one = self._layout.exactly_one_at[guard]
            yield (self._layout.owner(guard), None, None) if exactly_one.constraint is None else (
                None, exactly_one.constraint, exactly_one.subject)  # fmt: skip
        yield from ((None, self._numbers[index], None) for index in bits(self._batch))
        yield from ((variable, None, None) for variable in self._changed_variables())
        yield from ((None, self._numbers[index], None) for index in bits(self._pending & ~self._batch))

    def _changed_variables(self) -> list[int]:
        """Return the variables changed since the last sweep, in the order of sweeps."""
        return [
            *filter(self._fresh.__contains__, self._fixed_first),
            *sorted(self._fresh.difference(self._fixed_first)),
        ]

    def marked_variables(self) -> tuple[int, ...]:
        """Return the marked variables in the order in which they will lose their marks."""
        order = dict.fromkeys([variable for variable, is_marked in self._singles.items() if is_marked])
        order.update(dict.fromkeys(self._changed_variables()))
        order.update(dict.fromkeys(sorted(self._unseen)))
        return tuple(order)
