"""Make the files of the studio page, and its content security policy."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files as resources
from string import Template
from typing import NamedTuple

import csp

from ...syntax.vocabulary import KEYWORDS, RESERVED
from ..tools import TOOLS

SCRIPTS = (
    *(
        "studio.js",
        "editor.js",
        "editing.js",
        "search.js",
        "colours.js",
        "assist.js",
        "sheets.js",
        "engine.js",
        "links.js",
        "states.js",
    ),
    *("acts.js", "drawing.js", "modes.js", "setting.js"),
)


class File(NamedTuple):
    """A file of the page: its media type and its text."""

    kind: str
    text: str


def policy(script_sources: str = "") -> str:
    """Return the content security policy, which permits only files of the page's origin.

    ``script_sources`` are added to the allowed sources of scripts.
    """
    style_hash = base64.b64encode(hashlib.sha256(files()["picture.css"].text.encode()).digest()).decode()
    rules = {
        "default-src": "'none'",
        "script-src": f"'self'{script_sources}",
        "style-src": f"'self' 'sha256-{style_hash}'",
        "style-src-attr": "'unsafe-inline'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


@cache
def files() -> dict[str, File]:
    """Return all files of the page by their names."""
    from csp import render

    parts = render.page_parts()
    model = csp.Model({"A": (1, 2), "B": (1, 2)}, [csp.AllDifferent.of("AB")])
    film = render.playable(csp.record(model), "", "csp studio")
    tools = [
        {"name": tool.name, "kind": tool.kind, "value": tool.value, "usual": tool.usual} for tool in TOOLS.values()
    ]
    words = {"keywords": KEYWORDS, "functions": sorted(RESERVED), "tools": tools}
    page = Template(_read("studio.html")).substitute(
        main=parts["main"],
        race=parts["race"],
        look=parts["picture.css"],
        film=render.embedded(film),
        words=render.embedded(words),
    )
    return {
        "index.html": File("text/html", page),
        **{name: File("text/css", parts[name]) for name in ("page.css", "picture.css", "against.css")},
        "studio.css": File("text/css", _read("studio.css")),
        **{name: File("text/javascript", parts[name]) for name in ("page.js", "race.js")},
        **{name: File("text/javascript", _read(f"scripts/{name}")) for name in SCRIPTS},
    }


def index(engine: str) -> str:
    """Return the static page's HTML, marked with its kind of engine, such as ``worker``.

    The page contains its content security policy, as a static web server may not send one.
    """
    rules = "; ".join(rule for rule in policy(" 'wasm-unsafe-eval'").split("; ") if not rule.startswith("frame"))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{rules}">'
    text = files()["index.html"].text.replace("<title>", f"{meta}\n<title>", 1)
    return text.replace('<body class="is-empty"', f'<body class="is-empty" data-engine="{engine}"', 1)


def worker(runtime: str) -> str:
    """Return the script of the browser's engine; ``runtime`` is the URL of Pyodide."""
    return _read("scripts/worker.js").replace("$runtime", runtime)


def _read(name: str) -> str:
    return (resources(__package__) / name).read_text(encoding="utf-8")
