"""A solution as a picture: the plan of its puzzle with a value in every place."""

from __future__ import annotations

from collections.abc import Mapping

from ..board.drawn.sheets import sheets
from ..board.grid import pictured
from ..model import Affine, Drawn, Model, Value
from ..picture.picture import picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from .svg import svg

SMALLER = 0.55
"""The size of a point in a picture that has no candidates to show."""


def solution_svg(model: Model, solution: Mapping[str, Value]) -> str:
    """The picture of a solution: what is printed on the puzzle, and in every place its value.

    Examples
    --------
    >>> from csp import Variable
    >>> model = Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)})
    >>> svg = solution_svg(model, {"x(1,1)": 1, "x(1,2)": 2})
    >>> svg.count("<rect"), svg.count(">2</text>")
    (2, 2)
    """
    plan = shown_plan(model)
    values = {v: (solution[v],) for v in plan.model.domains}
    marks = picture(plan, Scene(title="", domains=values))
    shown = [mark for mark in marks if mark.look != "said" and all(name in values for name in mark.of)]
    return svg(shown, scale=SMALLER)


def shown_plan(model: Model) -> Plan:
    """The plan of what a model shows, with the whole of its grids: clues are about all of their line."""
    shown = {v: model.domains[v] for v in pictured(model)}
    behind = [v for one in model.drawn if one.name != "helper" for v in one.variables if v not in shown]
    shown |= {v: model.domains[v] for v in behind}
    told = {v for sheet in sheets(model) for one in sheet.entries for v in one.variables if v in shown}
    helpers = [Drawn("helper", (Affine.variable(v),)) for v in shown if v in told or v in behind]
    return Plan(
        Model(
            shown, [c for c in model.constraints if all(v in shown for v in c.scope)],
            layout=[entry for entry in model.layout if all(v in shown for v in entry.variables)],
            drawn=[*(entry for entry in model.drawn if all(v in shown for v in entry.variables)), *helpers],
        ),
        crowded=True if all(len(v.indices) == 2 for v in shown) else None,
    )  # fmt: skip
