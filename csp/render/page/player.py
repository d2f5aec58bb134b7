"""Write one self-contained HTML file that plays a trace.

It puts film, style sheets and scripts into the template ``page.html``; the studio loads the same parts one by one.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from ...picture.frames import constraints_of
from ...picture.lenses import LENSES, lens_of
from ...picture.plan import Plan
from ...picture.scene import scene
from ...trace import Trace, replay
from ..painter import Painter
from .film import film

SCRIPTS = (
    *(
        "dom",
        "tuples",
        "film",
        "causes",
        "shapes",
        "vertex",
        "streets",
        "arrows",
        "wires",
        "helpers",
        "captions",
        "picture",
        "lens",
        "matching",
        "panels",
        "tree",
        "legend",
        "timeline",
        "brush",
    ),
    *("reasons", "zoom", "save", "predict", "address", "motion", "speech"),
    *("keyboard", "player"),
)
"""The scripts of the page; each imports only from scripts before it."""

NEEDLESS = re.compile(r"^import [^;]+;\n|^export (?=\w)|^ */\*[\s\S]*?\*/\n|^ *//.*\n|^ +", re.MULTILINE)
"""Parts of a module that the joined script does not need: imports, ``export``, comments on lines of their own, and
indentation."""


def player(
    trace: Trace,
    source: str = "",
    title: str = "",
    note: str = "",
    included: Mapping[str, str] | None = None,
    predicts: bool = False,
) -> str:
    """Return an HTML page that plays a trace, as one file that loads nothing.

    Parameters
    ----------
    trace : csp.Trace
    source : str
        The text of the spec; the page highlights the lines of active constraints.
    title : str
        The title of the page.
    note : str
        A remark for the reader, for example that the trace was cut off.
    included : mapping of str to str, optional
        The texts of included files, by the file names of constraints.
    predicts : bool
        Start in predict mode: the reader guesses the removals of each step before the page shows them.

    Returns
    -------
    str
        A complete HTML document, which loads nothing.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> page = player(record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])), title="two < three")
    >>> "<title>two &lt; three</title>" in page
    True
    """
    model, moments = trace.model, list(replay(trace))
    plan = Plan(model, trace.origins)
    painter = Painter(model, plan=plan)
    ends = [painter.svg(scene(moments[i])) for i in (0, -1)]
    mode = {"mode": "predict"} if predicts else {}
    return page({**playable(trace, source, title, note, included, plan), **mode}, ends)


def page(data: Mapping[str, Any], ends: Sequence[str]) -> str:
    """Return the HTML page that plays the data of ``playable``.

    ``ends`` are the first and the last picture as SVG, for browsers without scripts.
    """
    return Template(page_file("page.html")).substitute(
        title=html.escape(data["title"]),
        **_lens_keys(),
        first=ends[0],
        last=ends[-1],
        css=page_file("page.css"),
        look=page_file("picture.css"),
        film=pack(data),
        script=script((*SCRIPTS, "start")),
    )


def playable(
    trace: Trace,
    source: str = "",
    title: str = "",
    note: str = "",
    included: Mapping[str, str] | None = None,
    plan: Plan | None = None,
) -> dict[str, Any]:
    """Return the data of a trace with which the page starts its player.

    It contains a film, the title, a summary, the note and the texts of the spec.

    Examples
    --------
    >>> from csp import Model, record
    >>> data = playable(record(Model({"A": (1,)})), "A = 1.")
    >>> data["title"], data["sources"]
    ('constraint propagation', {'': 'A = 1.'})
    """
    about = f"{len(trace.model.domains):,} variables · {constraints_of(trace)} · {len(trace.records):,} events"
    texts = {"title": title or "constraint propagation", "about": about, "note": note}
    return {**texts, "sources": {"": source, **(included or {})}, **film(trace, plan)}


def page_parts() -> dict[str, str]:
    """Return markup, styles and scripts of the player by name, for the studio's page.

    That page loads traces later.

    Returns
    -------
    dict of str to str
        ``main`` is the markup, ``page.css`` and ``picture.css`` are the style sheets, and ``page.js`` is the script,
        whose ``show`` starts a film. The element of ``picture.css`` must have the id ``look``, because saved frames
        contain it. ``race``, ``against.css`` and ``race.js`` are the parts of films on one clock; include them
        after the others.

    Examples
    --------
    >>> sorted(page_parts())
    ['against.css', 'main', 'page.css', 'page.js', 'picture.css', 'race', 'race.js']
    """
    body = page_file("page.html").partition("<body>")[2].partition("<noscript>")[0]
    main = Template(body).substitute(title="", **_lens_keys())
    race = page_file("against.html").partition('<main class="needs-script">')[2].partition("</main>")[0]
    styles = {name: page_file(name) for name in ("page.css", "picture.css", "against.css")}
    return {"main": main, "race": race, **styles, "page.js": script(), "race.js": script(["race"])}


def _lens_keys() -> dict[str, str]:
    """Return two texts for the page's help: the keys and the titles of all lenses."""
    return {
        "keys": " · ".join([*(name[0] for name in LENSES), "m"]),
        "lenses": ", ".join([*(lens_of(name).title for name in LENSES), "matching"]),
    }


def page_file(name: str) -> str:
    """Return the text of a file in the folder of this package."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def script(modules: Sequence[str] = SCRIPTS) -> str:
    """Return JavaScript modules joined into one script, without ``NEEDLESS`` parts."""
    return NEEDLESS.sub("", "".join(page_file(f"scripts/{name}.js") for name in modules))


def pack(data: object) -> str:
    """Return data as compressed JSON in base64, for a script element of the page."""
    return base64.b64encode(zlib.compress(compact(data).encode(), 9)).decode()


def embedded(data: object) -> str:
    """Return data as JSON that can be inside a script element: it contains no ``<``."""
    text = compact(data)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def compact(data: object) -> str:
    """Return data as JSON without unnecessary spaces.

    Examples
    --------
    >>> print(compact({"A": [1, 2]}))
    {"A":[1,2]}
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
