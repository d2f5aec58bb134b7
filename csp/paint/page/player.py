"""One HTML file in which a trace plays: everything inside, nothing fetched."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template

from ...picture.frames import constraints_of
from ...picture.scene import scene
from ...story import Moment, Trace, replay
from ..dot.dot import Painter
from ..dot.drawing import draw
from ..dot.legend import STATES
from . import squeeze
from .film import film

SCRIPTS = (
    *("dom", "film", "causes", "marks", "picture", "lenses", "matching", "panels", "tree", "legend", "timeline"),
    *("reasons", "zoom", "save"),
    *("keyboard", "player"),
)
"""The scripts of the page in the order in which they need one another."""

MODULAR = r"^import [^;]+;\n|^export (?=\w)"
"""What the scripts say as modules, which one script does not need."""

NEEDLESS = (
    r'<!--.*?-->\n?|<title>.*?</title>\n?| (?:id|class|font-family|xml:space|xmlns:xlink)="[^"]*"| text-anchor="start"|'
    r"<text[^>]*> </text>\n"
)
GROUP = r"<g>\n(.*?)</g>\n"
LINES = r'<path fill="none" ([^>]*) d="[^"]*"/>\n(?:<path fill="none" \1 d="[^"]*"/>\n)+'
TWICE = r'<polygon fill="([^"]*)" stroke="none" points="([^"]*)"/>\n<polygon fill="none" ([^>]*) points="\2"/>'
SQUARES = r'<polygon ([^>]*) points="[^"]*"/>\n(?:<polygon \1 points="[^"]*"/>\n)+'


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

    Raises
    ------
    csp.ground.errors.DrawingError
        If there is no Graphviz for the two pictures that are seen without JavaScript.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> page = player(record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])), title="two < three")
    >>> "<title>two &lt; three</title>" in page
    True
    """
    model, moments = trace.model, list(replay(trace))
    first, last = _stills(trace, [moments[0], moments[-1]])
    about = f"{len(model.domains):,} variables · {constraints_of(trace)} · {len(trace.records):,} events"
    return Template(re.sub(r"\n +", "\n", _read("page.html"))).substitute(
        title=html.escape(title or "constraint propagation"),
        about=about,
        note=f'<p class="note">{html.escape(note)}</p>' if note else "",
        source=_numbered(source) + "".join(_named(name, text) for name, text in (included or {}).items()),
        first=first,
        last=last,
        css=squeeze.style(_read("page.css")),
        film=_embedded(json.dumps(film(trace), ensure_ascii=False, separators=(",", ":"))),
        script=_script(),
    )


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _script() -> str:
    """All modules as one script."""
    return "\n".join(
        squeeze.script(re.sub(MODULAR, "", _read(f"scripts/{name}.js"), flags=re.MULTILINE)) for name in SCRIPTS
    )


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


def _stills(trace: Trace, moments: list[Moment]) -> list[str]:
    """The pictures of two moments as SVG elements for the middle of a page."""
    legends = STATES, ()  # one legend is enough for both
    painters = [Painter(trace.model, origins=trace.origins, states=states) for states in legends]
    pictures = draw([painter.dot(scene(moment)) for painter, moment in zip(painters, moments, strict=True)])
    return [_inline(picture.decode()) for picture in pictures]


def _inline(picture: str) -> str:
    """Only the element, without what a page does not need: areas and their outlines as one, what is of a kind too."""
    picture = re.sub(NEEDLESS, "", picture[picture.index("<svg") :], flags=re.DOTALL)
    picture = re.sub(LINES, _line, re.sub(GROUP, r"\1", picture, flags=re.DOTALL))
    return re.sub(SQUARES, _joined, re.sub(TWICE, r'<polygon fill="\1" \3 points="\2"/>', picture))


def _line(lines: re.Match[str]) -> str:
    strokes = re.findall(' d="([^"]*)"', lines[0])
    return f'<path fill="none" {lines[1]} d="{"".join(strokes)}"/>\n'


def _joined(squares: re.Match[str]) -> str:
    corners = re.findall('points="([^"]*)"', squares[0])
    return f'<path {squares[1]} d="{"".join(f"M{points}z" for points in corners)}"/>\n'
