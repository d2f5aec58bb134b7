"""One HTML file in which traces play beside each other on one clock."""

from __future__ import annotations

import html
from collections.abc import Sequence
from string import Template
from typing import Any

from ...picture.plan import Plan
from ...trace import Trace
from .clocks import CLOCKS, clocks, failures, left
from .film import film
from .player import embedded, page_file, script, style

SCRIPTS = ("dom", "film", "marks", "vertex", "picture", "lens", "keyboard", "race", "against")
KEPT = (
    *("values", "forms", "vertices", "marks", "under", "constraints", "ways", "lens", "waiting", "queue", "drawn"),
    "lenses",
)
"""What pictures that nothing is at work in need of a film."""
SEEN = ("kind", "gone", "back", "drawn", "constraint", "active", "round", "step")


def against(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> str:
    """A page that plays traces on one clock, and marks what not all of them have removed.

    Parameters
    ----------
    traces : sequence of csp.Trace
        Two or three; variables and values are the same where their names are.
    names : sequence of str
        What each is called.
    title : str
    note : str
        What the reader must know, such as what was left out.

    Returns
    -------
    str
        HTML without a reference to anything outside of it.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> page = against([record(model, "arc"), record(model, "domain")], ["arc", "domain"], "two < three")
    >>> "<title>two &lt; three</title>" in page
    True
    """
    shown = raced(traces, names, title, note)
    return Template(page_file("against.html")).substitute(
        title=html.escape(shown["title"]),
        css=style("page.css"),
        look=style("picture.css"),
        own=style("against.css"),
        films=embedded(shown),
        script=script(SCRIPTS),
    )


def raced(traces: Sequence[Trace], names: Sequence[str], title: str = "", note: str = "") -> dict[str, Any]:
    """The data of such a page: films, where they stand at each tick of each clock, and what is left to all.

    Examples
    --------
    >>> from csp import Model, record
    >>> trace = record(Model({"A": (1,)}))
    >>> sorted(raced([trace, trace], ["one", "other"]))
    ['clocks', 'failures', 'films', 'left', 'names', 'note', 'title', 'words']
    """
    shared = [v for v in traces[0].model.domains if all(v in trace.model.domains for trace in traces)]
    counts = [left(trace, shared) for trace in traces]
    return {
        "title": title or " and ".join(names),
        "note": note,
        "names": [*names],
        "films": [_film(trace) for trace in traces],
        "clocks": clocks(traces, counts),
        "words": CLOCKS,
        "left": counts,
        "failures": [failures(trace) for trace in traces],
    }


def _film(trace: Trace) -> dict[str, Any]:
    """Of a film what shows the state alone, with all its captions."""
    whole = film(trace, Plan(trace.model, trace.origins))
    found = {name: whole[name] for name in KEPT if name in whole}
    records = zip(whole["records"], trace.captions(), strict=True)
    found["records"] = [{**{k: one[k] for k in SEEN if k in one}, "text": text} for one, text in records]
    found["lenses"] = {whole["lens"]: {**whole["lenses"][whole["lens"]], "joins": {}, "bows": {}, "near": []}}
    found["ways"] = []
    return found
