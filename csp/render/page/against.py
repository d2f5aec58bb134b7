"""Write one HTML page that plays several traces side by side, synchronized."""

from __future__ import annotations

import html
from collections.abc import Sequence
from string import Template
from typing import Any

from ...picture.plan import Plan
from ...trace import Trace
from .clocks import CLOCKS, clocks, failures, remaining_counts
from .film import film
from .player import embedded, page_file, script, style

SCRIPTS = ("dom", "film", "marks", "vertex", "picture", "lens", "keyboard", "race", "against")
FILM_KEYS = (
    *("values", "forms", "vertices", "marks", "under", "constraints", "ways", "lens", "waiting", "queue", "drawn"),
    "lenses",
)
"""Keys of a film that a race needs: all that the picture of a network shows, without active constraints."""
RECORD_KEYS = ("kind", "gone", "back", "drawn", "constraint", "active", "round", "step")
"""Keys of a record that a race needs."""


def against(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> str:
    """Write an HTML page that plays several traces in step.

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
        css=style("page.css"),
        look=style("picture.css"),
        own=style("against.css"),
        films=embedded(data),
        script=script(SCRIPTS),
    )


def raced(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> dict[str, Any]:
    """Return the data of a race: films, clocks, and counts of remaining values.

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
    """Return a film without active constraints and edges, but with all captions."""
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
