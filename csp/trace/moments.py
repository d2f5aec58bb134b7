"""Replay of a trace: the domains before the first record and after every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.frozen import Frozen
from ..base.notation import Domain
from ..model import Variable
from .captions import caption
from .history import Trace
from .records import Decision, Dequeued, Failure, Part, Reached, Record, Removal, Rest, Restart, Round, Waiting


class Moment(Frozen):
    """The state after a record: the domains, the marked variables and the queue.

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
    """Yield the state before the first record, then the state after each record.

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
            case Part(node):
                fixpoints[node] = domains
        yield Moment(domains, marked, record, getattr(record, "queue", ()))
