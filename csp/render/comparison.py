"""What methods visited, side by side: a picture of each, and a page that has them all."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..methods import METHODS, Result, Visits
from ..model import Model
from ..picture.explained.visits import search_picture, visits_picture
from ..picture.plan import Plan
from ..picture.style import FONT, plain_counted
from ..trace import record
from .svg import svg

NODES = 60
"""How many decisions of this engine's search are drawn."""
STYLE = f"""body {{ font-family: {FONT}; margin: 16px; display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); }}
h1 {{ grid-column: 1 / -1; margin: 0; font-size: 22px; }} figure {{ margin: 0; padding: 10px;
  border: 1px solid #ccc; border-radius: 8px; }} figcaption {{ margin-bottom: 8px; }}
img {{ max-width: 100%; max-height: 80vh; }}"""


def draw_comparison(model: Model, found: Iterable[tuple[Result, Visits]], title: str = "") -> dict[str, str]:
    """Pictures of what methods visited, and a page with all of them, by the names of their files.

    Parameters
    ----------
    model : Model
    found : iterable of (Result, Visits)
        What each method has made of the model, and what it visited.
    title : str
        What the page is called.

    Returns
    -------
    dict of str to str
        SVG texts, and ``index.html``, which refers to them.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.methods import attempt
    >>> model, visits = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB")]), Visits()
    >>> list(draw_comparison(model, [(attempt(model, "cover", visits=visits), visits)]))
    ['cover.svg', 'index.html']
    """
    plan, files, figures = Plan(model), dict[str, str](), []
    for result, visits in found:
        name = "-".join(filter(None, (result.method, result.level)))
        if METHODS[result.method].unit == "nodes" and result.level:
            marks = search_picture(plan, record(model, result.level, nodes=NODES))
        else:
            marks = visits_picture(plan, visits)
        more = "" if result.complete else "+"
        solved = (
            plain_counted(result.solutions, f"solution{more}", f"solutions{more}") if result.solved else "no solution"
        )
        tried = f"{result.attempts:,} {result.unit.removesuffix('s') if result.attempts == 1 else result.unit}"
        about = f"<b>{name}</b> · {tried} · {solved}"
        about += f" · {escape(result.note)}" if result.note else ""
        picture = ""
        if marks:
            files[f"{name}.svg"] = svg(marks)
            picture = f'<a href="{name}.svg"><img src="{name}.svg" alt="what {name} visited"></a>'
        figures.append(f"<figure><figcaption>{about}</figcaption>{picture}</figure>")
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title or "compare")}</title>'
    files["index.html"] = "\n".join([
        f"{head}<style>{STYLE}</style></head>",
        f"<body><h1>{escape(title or 'compare')}</h1>",
        *figures,
        "</body></html>",
        "",
    ])  # fmt: skip
    return files
