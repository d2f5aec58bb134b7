"""Draw the searches of several solving methods, and a page that shows all drawings."""

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
"""Maximum number of search nodes in the picture of this engine; later nodes are not recorded."""
STYLE = f"""body {{ font-family: {FONT}; margin: 16px; display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); }}
h1 {{ grid-column: 1 / -1; margin: 0; font-size: 22px; }} figure {{ margin: 0; padding: 10px;
  border: 1px solid #ccc; border-radius: 8px; }} figcaption {{ margin-bottom: 8px; }}
img {{ max-width: 100%; max-height: 80vh; }}"""


def draw_comparison(model: Model, results: Iterable[tuple[Result, Visits]], title: str = "") -> dict[str, str]:
    """Draw the search of each solving method, and a page with all drawings.

    Parameters
    ----------
    model : Model
    results : iterable of (Result, Visits)
        For each method, its result and the nodes, options or states that it visited.
    title : str
        The title of the page.

    Returns
    -------
    dict of str to str
        The contents of files by their names: SVG pictures, and ``index.html``, which includes them.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.methods import attempt
    >>> model, visits = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB")]), Visits()
    >>> list(draw_comparison(model, [(attempt(model, "cover", visits=visits), visits)]))
    ['cover.svg', 'index.html']
    """
    plan, files, figures = Plan(model), dict[str, str](), []
    for result, visits in results:
        # Draw a recorded search tree for this engine, and the visited nodes for the other methods.
        name = "-".join(filter(None, (result.method, result.level)))
        if METHODS[result.method].unit == "nodes" and result.level:
            shapes = search_picture(plan, record(model, result.level, nodes=NODES))
        else:
            shapes = visits_picture(plan, visits)
        # Write the caption; a plus sign marks a count that a limit has cut short.
        plus = "" if result.complete else "+"
        outcome = (
            plain_counted(result.solutions, f"solution{plus}", f"solutions{plus}") if result.solved else "no solution"
        )
        effort = f"{result.attempts:,} {result.unit.removesuffix('s') if result.attempts == 1 else result.unit}"
        description = f"<b>{name}</b> · {effort} · {outcome}"
        description += f" · {escape(result.note)}" if result.note else ""
        picture = ""
        if shapes:
            files[f"{name}.svg"] = svg(shapes)
            picture = f'<a href="{name}.svg"><img src="{name}.svg" alt="what {name} visited"></a>'
        figures.append(f"<figure><figcaption>{description}</figcaption>{picture}</figure>")
    html_head = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title or "compare")}</title>'
    )
    files["index.html"] = "\n".join([
        f"{html_head}<style>{STYLE}</style></head>",
        f"<body><h1>{escape(title or 'compare')}</h1>",
        *figures,
        "</body></html>",
        "",
    ])  # fmt: skip
    return files
