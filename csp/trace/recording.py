"""Record the propagation and the search of a model as a trace."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from ..base.errors import Stopped
from ..engine.settings import Level, Settings
from ..engine.solver.solver import Solver
from ..model import Candidate, Model, Value
from .captions import caption
from .counting import Tally
from .history import Trace, make_trace, replay
from .recorder import Recorder
from .records import Counted, Decision, Failure, Reached, Record, Removal, Rest, Solved


def record(
    model: Model,
    level: Level | None = None,
    givens: Mapping[str, Value] | None = None,
    nodes: int | None = 0,
    settings: Settings | None = None,
    most: int | None = None,
    counted: int = 0,
) -> Trace:
    """Record propagation, and with ``nodes`` also search, up to the first solution.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    givens : mapping from str to int or str, optional
    nodes : int or None
        Maximum number of decisions to record; 0 records propagation alone, None has no limit.
    settings : Settings, optional
    most : int, optional
        Maximum number of records: the first removal at or after this number ends the trace. With ``counted``, the first
        decision does, and the nodes after it are counted.
    counted : int
        Maximum number of further decisions. The trace ends with their number, their depth and the path to the solution.

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
    checked · pair: 2 fits only B, no change · marked 1
    checked · B: no change · marked 0
    fixpoint · 0 unfixed
    """
    solver = Solver(model, level, settings)
    records: list[Record] = []

    def keep_record(new: Record) -> None:
        records.append(new)
        if not counted and most is not None and len(records) >= most and isinstance(new, Removal):
            raise _Full

    def is_full() -> bool:
        return (nodes is not None and recorder.nodes >= nodes) or (most is not None and len(records) >= most)

    recorder = Recorder(solver.program, keep_record)
    if nodes == 0:
        with suppress(_Full):
            solver.propagate(givens, log=recorder)
        return make_trace(solver.program, records)
    tally = Tally(recorder, is_full)
    # The limit counts the root, too.
    limited = replace(solver.settings, nodes=None if nodes is None else nodes + counted + 1)
    answers = solver.solutions(givens, limited, log=tally if counted else recorder)
    with suppress(_Full):
        solution = next(answers, None)
        if rest := tally.summarize(is_over=not answers.stopped):
            records.append(rest)
            if solution is not None:
                records.append(Reached(rest.subtrees[-1].number, _all_values(model, solution)))
    return make_trace(solver.program, records)


class _Full(Exception):
    """Exception that ends recording when the trace has the maximum number of records."""


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
        case (*_, Counted(is_over=is_over)):
            return not is_over
        case (*_, Counted(), Reached()):
            return False
        case (*_, Removal()):
            return True
    return decisions(trace) >= nodes


def omitted_part(trace: Trace) -> str:
    """Return a text that states how much of the search is only counted, or "".

    Examples
    --------
    >>> from csp import Model, record
    >>> trace = record(Model({v: (1, 2) for v in "ABC"}), nodes=1, counted=10)
    >>> omitted_part(trace)
    'counted, not recorded: 3 further nodes, 0 failures, 1 decision deep'
    """
    return next((caption(event) for event in trace.records[-2:] if isinstance(event, Counted)), "")


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
    """Search for a solution, and return the trace with it appended, if found.

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
    fixpoint · 3 unfixed
    solution, found after the recording
    """
    try:
        solution = Solver(model, nodes=nodes).solve()
    except Stopped:
        return trace
    if solution is None:
        return trace
    return replace(trace, records=(*trace.records, Reached(0, _all_values(model, solution))))


def _all_values(model: Model, solution: Mapping[str, Value]) -> tuple[Candidate, ...]:
    """Return a solution's values of all variables of a trace, including variables for expressions."""
    *_, last = replay(record(model, givens=solution))
    return tuple([(variable, value) for variable, domain in last.domains.items() for value in domain])
