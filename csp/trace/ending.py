"""Traces that a limit has cut off, and the solution appended to them."""

from __future__ import annotations

from dataclasses import replace

from ..base.errors import Stopped
from ..engine.solver.solver import Solver
from ..model import Model
from .history import Trace
from .moments import replay
from .recording import record
from .records import Decision, Failure, Reached, Removal, Rest, Solved


def was_cut(trace: Trace, nodes: int) -> bool:
    """Return whether a limit of decisions or records may have cut off a trace.

    Examples
    --------
    >>> from csp import Model, record
    >>> model = Model({"A": (1, 2)})
    >>> [was_cut(record(model, nodes=nodes), nodes) for nodes in (0, 1)]
    [True, False]
    """
    match trace.records:
        case (*_, Solved() | Rest(open=0) | Failure(node=0)):
            return False
        case (*_, Removal()):
            return True
    return decisions(trace) >= nodes


def decisions(trace: Trace) -> int:
    """Return the number of decisions in a trace.

    Examples
    --------
    >>> from csp import Model, record
    >>> decisions(record(Model({"A": (1, 2)}), nodes=1))
    1
    """
    return sum(isinstance(record, Decision) for record in trace.records)


def with_solution(trace: Trace, model: Model, nodes: int = 10_000) -> Trace:
    """Return a trace that a limit has cut off, with the solution appended.

    Parameters
    ----------
    trace : Trace
    model : Model
        The model of the trace.
    nodes : int
        Maximum number of nodes of the search for the solution. If it needs more, or there is no solution, the trace is
        returned unchanged.

    Returns
    -------
    Trace

    Examples
    --------
    >>> from csp import AllDifferent, record
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> print(*list(with_solution(record(model), model).captions())[-2:], sep="\\n")
    at rest · 3 open
    the solution, reached after what is recorded
    """
    try:
        solution = Solver(model, nodes=nodes).solve()
    except Stopped:
        return trace
    if solution is None:
        return trace
    *_, last = replay(record(model, givens=solution))
    values = [(variable, value) for variable in trace.model.domains for value in last.domains[variable]]
    return replace(trace, records=(*trace.records, Reached(0, tuple(values))))
