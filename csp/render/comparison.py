"""Draw comparisons: searches of several methods, or several levels of propagation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..methods import METHODS, Result, Visits
from ..model import Model
from ..picture.explained.visits import search_picture, visits_picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import Shape, bounding_box
from ..picture.style import FONT, plain_counted
from ..trace import Reach, record
from .painter import Painter
from .svg import svg

NODES = 60
"""Maximum number of search nodes in the picture of this engine; later nodes are not recorded."""
STYLE = f"""body {{ font-family: {FONT}; margin: 16px; display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); }}
h1 {{ grid-column: 1 / -1; margin: 0; font-size: 22px; }} figure {{ margin: 0; padding: 10px;
  border: 1px solid #ccc; border-radius: 8px; }} figcaption {{ margin-bottom: 8px; }}
img {{ max-width: 100%; max-height: 80vh; }}"""


def draw_comparison(model: Model, results: Iterable[tuple[Result, Visits]], title: str = "") -> dict[str, str]:
    """Return files by name: a picture of each method's search, and a page of them.

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


GAP = 24.0
"""Distance between two drawings, in points."""


def level_scenes(reaches: Sequence[Reach]) -> list[Scene]:
    """Return a scene for each consistency level, with its additional removals struck out.

    They are additional to the removals of the preceding, weaker level.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.trace import reach
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    >>> for scene in level_scenes([reach(Solver(model, level)) for level in ("arc", "domain")]):
    ...     print(scene.title, scene.removed)
    arc · removes 0 · 3 unfixed ()
    domain · removes 2 more than arc · 2 unfixed (('C', 1), ('C', 2))
    """
    scenes: list[Scene] = []
    for i, reach in enumerate(reaches):
        weaker = reaches[i - 1] if i else None
        removed = tuple(c for c in reach.removed if c not in weaker.removed) if weaker else ()
        count = f"{len(removed)} more than {weaker.level}" if weaker else f"{len(reach.removed)}"
        end = f"{reach.open} unfixed" if reach.fixpoint.holds else "no solution"
        title = f"{reach.level} · removes {count} · {end}"
        scenes.append(Scene(title=title, domains=reach.left, removed=removed))
    return scenes


def draw_levels(reaches: Sequence[Reach], form: str = "svg") -> bytes:
    """Return an SVG or DOT picture of the domains that several consistency levels leave.

    Parameters
    ----------
    reaches : sequence of Reach
        The results of propagation on one model, the weakest level first.
    form : {"svg", "dot"}
        One SVG picture, or a DOT text with one graph for each level.

    Returns
    -------
    bytes
    """
    plan = Plan(reaches[0].model)
    painter, scenes = Painter(plan.model, plan=plan), level_scenes(reaches)
    if form == "dot":
        return "".join(map(painter.dot, scenes)).encode()
    shapes: list[Shape] = []
    for scene in scenes:
        # Place each drawing to the right of the drawings so far, all with the same top.
        level_shapes = painter.shapes(scene)
        (left, top), _ = bounding_box(level_shapes)
        right = bounding_box(shapes)[1][0] + GAP if shapes else 0.0
        shapes += (shape.shifted((right - left, -top)) for shape in level_shapes)
    drawn = svg(shapes, attributes=' style="max-width:100%; height:auto"')
    return f"<?xml version='1.0' encoding='utf-8'?>\n{drawn}".encode()
