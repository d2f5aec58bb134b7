"""One HTML file in which a trace plays: everything inside, nothing fetched."""

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
        "film",
        "causes",
        "marks",
        "vertex",
        "picture",
        "lens",
        "matching",
        "panels",
        "tree",
        "legend",
        "timeline",
        "brush",
    ),
    *("reasons", "zoom", "save", "predict", "address"),
    *("keyboard", "player"),
)
"""The scripts of the page in the order in which they need one another."""

NEEDLESS = r"^import [^;]+;\n|^export (?=\w)|^ +|^/\*[\s\S]*?\*/\n|(?<=[;{]) // .*$|^\n"
"""What the scripts say as modules and to their readers, and one script does not need."""
BLANK = r"\s*([{};,])\s*|(?<=[\w)]:) (?=[^{}]*[;}])"
"""Where a style sheet has needless spaces."""


def player(
    trace: Trace,
    source: str = "",
    title: str = "",
    note: str = "",
    included: Mapping[str, str] | None = None,
    predicts: bool = False,
) -> str:
    """A page that plays a trace, to be opened from disk or sent by mail.

    Parameters
    ----------
    trace : csp.Trace
    source : str
        The text of the spec, whose lines the page lights.
    title : str
        What the page is called.
    note : str
        What the reader must know, such as what was left out.
    included : mapping of str to str, optional
        The texts of the files that the spec includes, by the names that constraints have for them.
    predicts : bool
        Whether it asks at first what each step will take, before it shows it.

    Returns
    -------
    str
        HTML without a reference to anything outside of it.

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
    """The page of what ``playable`` makes, with a first and a last picture for those who have no script."""
    return Template(re.sub(r"\n +", "\n", page_file("page.html"))).substitute(
        title=html.escape(data["title"]),
        **_lens_keys(),
        first=ends[0],
        last=ends[-1],
        css=style("page.css"),
        look=style("picture.css"),
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
    """What ``show`` of the page takes: a film, and what is said and shown beside it.

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
    """What a page is made of that has its films from elsewhere, and shows them by ``show``.

    Returns
    -------
    dict of str to str
        ``main`` is the markup, ``page.css`` and ``picture.css`` the style sheets, the second of which is to have the id
        ``look``, since saved frames carry it; ``page.js`` is the script, whose ``show`` takes a
        film. ``race``, ``against.css`` and ``race.js`` are the same of films on one clock, after it.

    Examples
    --------
    >>> sorted(page_parts())
    ['against.css', 'main', 'page.css', 'page.js', 'picture.css', 'race', 'race.js']
    """
    body = re.sub(r"\n +", "\n", page_file("page.html")).partition("<body>")[2].partition("<noscript>")[0]
    main = Template(body).substitute(title="", **_lens_keys())
    race = page_file("against.html").partition('<main class="needs-script">')[2].partition("</main>")[0]
    styles = {name: style(name) for name in ("page.css", "picture.css", "against.css")}
    return {"main": main, "race": race, **styles, "page.js": script(), "race.js": script(["race"])}


def _lens_keys() -> dict[str, str]:
    """The keys of the lenses, and what they are called."""
    return {
        "keys": " · ".join([*(name[0] for name in LENSES), "m"]),
        "lenses": ", ".join([*(lens_of(name).title for name in LENSES), "matching"]),
    }


def page_file(name: str) -> str:
    """A file of the page."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def style(name: str) -> str:
    """A style sheet without needless spaces."""
    return re.sub(BLANK, r"\1", page_file(name)).replace(";}", "}")


def script(modules: Sequence[str] = SCRIPTS) -> str:
    """All modules as one script."""
    text = "".join(page_file(f"scripts/{name}.js") for name in modules)
    return re.sub(NEEDLESS, "", re.sub("^ +", "", text, flags=re.M), flags=re.M)


def pack(data: object) -> str:
    """The JSON of data, deflated, in letters that cannot end the script around it."""
    return base64.b64encode(zlib.compress(compact(data).encode(), 9)).decode()


def embedded(data: object) -> str:
    """The JSON of data that cannot end the script around it, whatever the names and labels in it are."""
    text = compact(data)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def compact(data: object) -> str:
    """JSON without needless spaces.

    Examples
    --------
    >>> print(compact({"A": [1, 2]}))
    {"A":[1,2]}
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
