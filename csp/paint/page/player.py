"""One HTML file in which a trace plays: everything inside, nothing fetched."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from ...picture.frames import constraints_of
from ...picture.legend import STATES
from ...picture.lenses import LENSES, lens_of
from ...picture.plan import Plan
from ...picture.scene import scene
from ...story import Trace, replay
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
    ),
    *("reasons", "zoom", "save"),
    *("keyboard", "player"),
)
"""The scripts of the page in the order in which they need one another."""

NEEDLESS = r"^import [^;]+;\n|^export (?=\w)|^ +|^/\*[\s\S]*?\*/\n|(?<=[;{]) // .*$|^\n"
"""What the scripts say as modules and to their readers, and one script does not need."""
BLANK = r"\s*([{};,])\s*|(?<=[\w)]:) (?=[^{}]*[;}])"
"""Where a style sheet has needless spaces."""


def player(
    trace: Trace, source: str = "", title: str = "", note: str = "", included: Mapping[str, str] | None = None
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
    painters = [Painter(model, states=states, plan=plan) for states in (STATES, ())]  # one legend is enough for both
    ends = [painter.svg(scene(moments[i])) for painter, i in zip(painters, (0, -1), strict=True)]
    about = f"{len(model.domains):,} variables · {constraints_of(trace)} · {len(trace.records):,} events"
    return page(film(trace, plan), ends, title or "constraint propagation", about, note, source, included)


def page(
    data: Mapping[str, Any],
    ends: Sequence[str],
    title: str,
    about: str,
    note: str = "",
    source: str = "",
    included: Mapping[str, str] | None = None,
) -> str:
    """The page of a film, with its first and last picture for those who have no script."""
    return Template(re.sub(r"\n +", "\n", _read("page.html"))).substitute(
        title=html.escape(title),
        about=html.escape(about),
        note=f'<p class="note">{html.escape(note)}</p>' if note else "",
        source=_numbered(source) + "".join(_named(name, text) for name, text in (included or {}).items()),
        keys=" · ".join([*(name[0] for name in LENSES), "m"]),
        lenses=", ".join([*(lens_of(name).title for name in LENSES), "matching"]),
        first=ends[0],
        last=ends[-1],
        css=re.sub(BLANK, r"\1", _read("page.css")).replace(";}", "}"),
        film=_embedded(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
        script=_script(),
    )


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _script() -> str:
    """All modules as one script."""
    text = "".join(_read(f"scripts/{name}.js") for name in SCRIPTS)
    return re.sub(NEEDLESS, "", re.sub("^ +", "", text, flags=re.M), flags=re.M)


def _embedded(data: str) -> str:
    """JSON that cannot end the script around it, whatever the names and labels in it are."""
    for letter in "<>&\u2028\u2029":
        data = data.replace(letter, f"\\u{ord(letter):04x}")
    return data


def _numbered(source: str) -> str:
    lines = source.rstrip("\n").split("\n") if source else []
    return "".join(f'<li value="{number}">{html.escape(line)}</li>' for number, line in enumerate(lines, 1))


def _named(file: str, text: str) -> str:
    return f'<li class="file">{html.escape(file)}</li>{_numbered(text)}'
