"""Write one HTML page that plays several traces side by side, synchronized.

A clock has the positions of equal progress in each trace.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from string import Template
from typing import Any

from ...model import Variable
from ...picture.plan import Plan
from ...trace import Failure, Removal, Round, Trace, replay
from .film import film
from .player import embedded, page_file, script

CLOCKS = {"round": "round of the queue", "left": "values left", "step": "step"}
"""For each clock, the measure of progress that it compares, as the page names it."""


def remaining_counts(trace: Trace, variables: Collection[Variable]) -> list[int]:
    """Return, for each moment of a trace, how many values ``variables`` have in all.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> remaining_counts(record(model), model.domains)
    [3, 3, 2, 2, 2, 2]
    """
    return [sum(len(moment.domains[v]) for v in variables) for moment in replay(trace)]


def clocks(traces: Sequence[Trace], counts: Sequence[Sequence[int]]) -> dict[str, list[list[int]]]:
    """Return, for each clock (measure of progress), every trace's positions at its ticks.

    A tick of ``round`` ends when the queue begins its next round, and a tick of ``step`` when a step ends; a trace
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
    levels = sorted({count for first_record_of in first_records for count in first_record_of}, reverse=True)
    ticks_of_clock["left"] = [
        [
            next((at for count, at in first_record_of.items() if count <= level), len(stops_of_traces) - 1)
            for level in levels
        ]
        for first_record_of, stops_of_traces in zip(first_records, counts, strict=True)
    ]
    return {name: ticks_of_clock[name] for name in CLOCKS}


def failures(trace: Trace) -> list[int]:
    """Return, for each failure, the number of records up to and including it.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> len(failures(record(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")]))))
    1
    """
    return [number for number, record in enumerate(trace.records, 1) if isinstance(record, Failure)]


def _first_records(counts: Sequence[int]) -> dict[int, int]:
    """Return, for each new minimum in a sequence of counts, its first position."""
    first_records: dict[int, int] = {}
    for number, count in enumerate(counts):
        if not first_records or count < next(reversed(first_records)):
            first_records[count] = number
    return first_records


def _round_starts(trace: Trace) -> list[int]:
    starts = [number for number, record in enumerate(trace.records) if isinstance(record, Round)]
    return sorted({0, *starts, len(trace.records)})


def _step_ends(trace: Trace) -> list[int]:
    """Return the positions in a trace after each step and failure, and both its ends."""
    ends = {record.step: number for number, record in enumerate(trace.records, 1) if isinstance(record, Removal)}
    return sorted({0, *ends.values(), *failures(trace), len(trace.records)})


SCRIPTS = (
    "dom",
    "tuples",
    "film",
    "shapes",
    "vertex",
    "arrows",
    "wires",
    "picture",
    "lens",
    "keyboard",
    "race",
    "against",
)
FILM_KEYS = (
    *("values", "forms", "vertices", "printed", "under", "constraints", "ways", "lens", "waiting", "queue", "drawn"),
    "lenses",
)
"""Keys of a film that a race needs: all that the picture of a network shows, without active constraints."""
RECORD_KEYS = ("kind", "gone", "back", "drawn", "constraint", "active", "round", "step")
"""Keys of a record that a race needs."""


def against(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> str:
    """Return an HTML page that plays several traces side by side on one clock.

    The page marks the values that only some of the traces removed.

    Parameters
    ----------
    traces : sequence of csp.Trace
        Two or three traces; variables and values of equal names are compared.
    names : sequence of str
        The name of each trace.
    title : str
    note : str
        A remark for the reader, for example that a trace was cut off.

    Returns
    -------
    str
        A complete HTML document, which loads nothing.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> page = against([record(model, "arc"), record(model, "domain")], ["arc", "domain"], "two < three")
    >>> "<title>two &lt; three</title>" in page
    True
    """
    data = raced(traces, names, title, note)
    return Template(page_file("against.html")).substitute(
        title=html.escape(data["title"]),
        css=page_file("page.css"),
        look=page_file("picture.css"),
        own=page_file("against.css"),
        films=embedded(data),
        script=script(SCRIPTS),
    )


def raced(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> dict[str, Any]:
    """Return the page data of traces played side by side: films, clocks, counts of values.

    Examples
    --------
    >>> from csp import Model, record
    >>> trace = record(Model({"A": (1,)}))
    >>> sorted(raced([trace, trace], ["one", "other"]))
    ['clocks', 'failures', 'films', 'left', 'names', 'note', 'title', 'words']
    """
    shared = [v for v in traces[0].model.domains if all(v in trace.model.domains for trace in traces)]
    counts = [remaining_counts(trace, shared) for trace in traces]
    return {
        "title": title or " and ".join(names),
        "note": note,
        "names": [*names],
        "films": [_race_film(trace) for trace in traces],
        "clocks": clocks(traces, counts),
        "words": CLOCKS,
        "left": counts,
        "failures": [failures(trace) for trace in traces],
    }


def _race_film(trace: Trace) -> dict[str, Any]:
    """Return the page data of a trace, reduced for the side-by-side page.

    Edges that show only for an active constraint or vertex are omitted.
    """
    full_film = film(trace, Plan(trace.model, trace.origins))
    race_film = {name: full_film[name] for name in FILM_KEYS if name in full_film}
    records = zip(full_film["records"], trace.captions(), strict=True)
    race_film["records"] = [
        {**{key: record[key] for key in RECORD_KEYS if key in record}, "text": text} for record, text in records
    ]
    race_film["lenses"] = {
        full_film["lens"]: {**full_film["lenses"][full_film["lens"]], "joins": {}, "bows": {}, "near": []}
    }
    race_film["ways"] = []
    return race_film
