"""Steps of techniques as SVG, with what they say below and the signs that are there."""

from __future__ import annotations

from ..picture.legend import caption
from ..picture.links import WHAT, Shown, linked, signs, title_of
from ..picture.marks import bounds
from ..picture.picture import extent
from ..picture.plan import Plan
from .painter import WIDTH
from .svg import svg


def step_svg(plan: Plan, shown: Shown, level: int = WHAT, title: str = "") -> str:
    """A step, or so much of it as a hint of a level uncovers.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.explain import Walker
    >>> from csp.picture.links import shown_steps
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [one] = shown_steps(Walker(Solver(model)))
    >>> "hidden single" in step_svg(Plan(model), one), "hidden single" in step_svg(Plan(model), one, 1)
    (True, False)
    """
    drawn = linked(plan, shown, level)
    (left, _), (right, _) = extent(plan, "grid")
    (_, _), (_, bottom) = bounds(drawn)
    below = caption(title or title_of(shown.step, level), signs(drawn), max(WIDTH, right - left))
    return svg([*drawn, *(mark.shifted((left, bottom)) for mark in below)])
