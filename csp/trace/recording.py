"""Recording of propagation and search: the trace of a model up to its first solution."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from ..engine.settings import Level, Settings
from ..engine.solver.solver import Solver
from ..model import Model, Value
from .history import Trace, make_trace
from .recorder import Recorder
from .records import Record, Removal


def record(
    model: Model,
    level: Level | None = None,
    givens: Mapping[str, Value] | None = None,
    nodes: int | None = 0,
    settings: Settings | None = None,
    most: int | None = None,
) -> Trace:
    """Record propagation and search of a model up to its first solution.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    givens : mapping from str to int or str, optional
    nodes : int or None
        Maximum number of decisions to record; 0 records propagation alone, None has no limit.
    settings : Settings, optional
    most : int, optional
        Maximum number of records: the first removal at or after this number ends the trace.

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
    taken · pair: 2 fits only B, nothing to tell · marked 1
    taken · B: nothing to tell · marked 0
    at rest · 0 open
    """
    solver = Solver(model, level, settings)
    records: list[Record] = []

    def keep_record(new: Record) -> None:
        records.append(new)
        if most is not None and len(records) >= most and isinstance(new, Removal):
            raise _Full

    recorder = Recorder(solver.program, keep_record)
    with suppress(_Full):
        if nodes == 0:
            solver.propagate(givens, log=recorder)
        else:
            limited = replace(
                solver.settings, nodes=None if nodes is None else nodes + 1
            )  # the limit counts the root, too
            next(solver.solutions(givens, limited, log=recorder), None)
    return make_trace(solver.program, records)


class _Full(Exception):
    """A signal that the trace has the maximum number of records."""
