"""The trace of a model: what happens to it until its first solution."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from ..engine.settings import Level, Settings
from ..engine.solver.solver import Solver
from ..model import Model, Value
from .history import Trace, traced
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
    """Everything that happens to a model until its first solution.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    givens : mapping from str to int or str, optional
    nodes : int or None
        The most decisions of the search to record; 0 is propagation alone, None is no limit.
    settings : Settings, optional
    most : int, optional
        Of so many records the next removal is the last.

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

    def tell(one: Record) -> None:
        records.append(one)
        if most is not None and len(records) >= most and isinstance(one, Removal):
            raise _Enough

    recorder = Recorder(solver.program, tell)
    with suppress(_Enough):
        if nodes == 0:
            solver.propagate(givens, log=recorder)
        else:
            limited = replace(solver.settings, nodes=None if nodes is None else nodes + 1)  # limits count the root, too
            next(solver.solutions(givens, limited, log=recorder), None)
    return traced(solver.program, records)


class _Enough(Exception):
    """There are as many records as were asked for."""
