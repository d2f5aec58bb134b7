"""Synchronize several traces: compute the positions with equal progress in each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...model import Variable
from ...trace import Failure, Removal, Round, Trace, replay

CLOCKS = {"round": "round of the queue", "left": "values left", "step": "step"}
"""For each clock, the measure of progress that it compares, as the page names it."""


def remaining_counts(trace: Trace, variables: Collection[Variable]) -> list[int]:
    """Count the remaining values of variables after each record of a trace.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> remaining_counts(record(model), model.domains)
    [3, 3, 2, 2, 2, 2]
    """
    return [sum(len(moment.domains[v]) for v in variables) for moment in replay(trace)]


def clocks(traces: Sequence[Trace], counts: Sequence[Sequence[int]]) -> dict[str, list[list[int]]]:
    """Return the position in each trace at each tick of each clock.

    A tick of ``round`` ends when the queue begins its next round, and a tick of ``step`` when a revision ends; a trace
    that ends earlier waits at its end. A tick of ``left`` is a number of remaining values that is a new minimum of some
    trace: each trace is then at its first record with at most that number, or at its end if it never has so few.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> traces = [record(model, level) for level in ("arc", "domain")]
    >>> clocks(traces, [remaining_counts(trace, model.domains) for trace in traces])["left"]
    [[0, 2], [0, 2]]
    """
    # Let shorter traces wait at their end.
    ticks_of_clock = {
        "round": [_round_starts(trace) for trace in traces],
        "step": [_step_ends(trace) for trace in traces],
    }
    for stops_of_traces in ticks_of_clock.values():
        ticks = max(map(len, stops_of_traces))
        stops_of_traces[:] = [stops + [stops[-1]] * (ticks - len(stops)) for stops in stops_of_traces]
    # Every new minimum of any trace is a tick of the clock of values.
    first_records = [_first_records(stops_of_traces) for stops_of_traces in counts]
    levels = sorted({count for one in first_records for count in one}, reverse=True)
    ticks_of_clock["left"] = [
        [next((at for count, at in one.items() if count <= level), len(stops_of_traces) - 1) for level in levels]
        for one, stops_of_traces in zip(first_records, counts, strict=True)
    ]
    return {name: ticks_of_clock[name] for name in CLOCKS}


def failures(trace: Trace) -> list[int]:
    """Return the position after each failure in a trace.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> len(failures(record(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")]))))
    1
    """
    return [number for number, record in enumerate(trace.records, 1) if isinstance(record, Failure)]


def _first_records(counts: Sequence[int]) -> dict[int, int]:
    """Return the first position of each new minimum in a sequence of counts."""
    first_records: dict[int, int] = {}
    for number, count in enumerate(counts):
        if not first_records or count < next(reversed(first_records)):
            first_records[count] = number
    return first_records


def _round_starts(trace: Trace) -> list[int]:
    starts = [number for number, record in enumerate(trace.records) if isinstance(record, Round)]
    return sorted({0, *starts, len(trace.records)})


def _step_ends(trace: Trace) -> list[int]:
    """Return the positions in a trace after each revision and each failure."""
    ends = {record.step: number for number, record in enumerate(trace.records, 1) if isinstance(record, Removal)}
    return sorted({0, *ends.values(), *failures(trace), len(trace.records)})
