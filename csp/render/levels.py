"""Draw in one picture how far several consistency levels propagate."""

from __future__ import annotations

from collections.abc import Sequence

from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import Shape, bounding_box
from ..trace import Reach
from .painter import Painter
from .svg import svg

GAP = 24.0
"""Distance between two drawings, in points."""


def level_scenes(reaches: Sequence[Reach]) -> list[Scene]:
    """Return a scene per consistency level, with its additional removals struck out.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.trace import reach
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    >>> for scene in level_scenes([reach(Solver(model, level)) for level in ("arc", "domain")]):
    ...     print(scene.title, scene.removed)
    arc · removes 0 · 3 open ()
    domain · removes 2 more than arc · 2 open (('C', 1), ('C', 2))
    """
    scenes: list[Scene] = []
    for i, reach in enumerate(reaches):
        weaker = reaches[i - 1] if i else None
        removed = tuple(c for c in reach.removed if c not in weaker.removed) if weaker else ()
        count = f"{len(removed)} more than {weaker.level}" if weaker else f"{len(reach.removed)}"
        end = f"{reach.open} open" if reach.fixpoint.holds else "no solution"
        title = f"{reach.level} · removes {count} · {end}"
        scenes.append(Scene(title=title, domains=reach.left, removed=removed))
    return scenes


def draw_levels(reaches: Sequence[Reach], form: str = "svg") -> bytes:
    """Draw the propagation results of several consistency levels side by side.

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
