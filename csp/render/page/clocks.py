"""Two traces on one clock: where each stands when both have come equally far."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...model import Variable
from ...trace import Failure, Removal, Round, Trace, replay

CLOCKS = {"round": "round of the queue", "left": "values left", "step": "step"}
"""What two films can be equally far in."""


def left(trace: Trace, variables: Collection[Variable]) -> list[int]:
    """How many values are left to some variables, before anything has happened and after each record.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> left(record(model), model.domains)
    [3, 3, 2, 2, 2, 2]
    """
    return [sum(len(moment.domains[v]) for v in variables) for moment in replay(trace)]


def clocks(traces: Sequence[Trace], counts: Sequence[Sequence[int]]) -> dict[str, list[list[int]]]:
    """For each clock and each trace, how many records have happened at each tick.

    A tick of ``round`` is all that happens until the queue begins its next round, and one of ``step`` a revision; a
    trace that is done earlier waits. A tick of ``left`` is a number of values that one of them has left when it has
    fewer than ever before: each stands where it first has so few, or at its end if it never has.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> traces = [record(model, level) for level in ("arc", "domain")]
    >>> clocks(traces, [left(trace, model.domains) for trace in traces])["left"]
    [[0, 2], [0, 2]]
    """
    found = {"round": [_rounds(trace) for trace in traces], "step": [_steps(trace) for trace in traces]}
    for own in found.values():
        ticks = max(map(len, own))
        own[:] = [stops + [stops[-1]] * (ticks - len(stops)) for stops in own]
    least = [_first(own) for own in counts]
    levels = sorted({count for one in least for count in one}, reverse=True)
    found["left"] = [
        [next((at for count, at in one.items() if count <= level), len(own) - 1) for level in levels]
        for one, own in zip(least, counts, strict=True)
    ]
    return {name: found[name] for name in CLOCKS}


def failures(trace: Trace) -> list[int]:
    """After how many records there was a failure.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> len(failures(record(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")]))))
    1
    """
    return [at for at, one in enumerate(trace.records, 1) if isinstance(one, Failure)]


def _first(counts: Sequence[int]) -> dict[int, int]:
    """Each number of values that was the fewest so far, and where it was first, the greatest number first."""
    found: dict[int, int] = {}
    for at, count in enumerate(counts):
        if not found or count < next(reversed(found)):
            found[count] = at
    return found


def _rounds(trace: Trace) -> list[int]:
    begun = [at for at, one in enumerate(trace.records) if isinstance(one, Round)]
    return sorted({0, *begun, len(trace.records)})


def _steps(trace: Trace) -> list[int]:
    """Where a revision, or a failure, is over, and the end."""
    ends = {one.step: at for at, one in enumerate(trace.records, 1) if isinstance(one, Removal)}
    return sorted({0, *ends.values(), *failures(trace), len(trace.records)})
