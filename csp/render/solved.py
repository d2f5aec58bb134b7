"""A puzzle as it is printed, and its solution: a plan of what is shown, with givens alone or a value in every place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ..board.drawn.sheets import sheets
from ..board.grid import pictured_variables
from ..board.strips import find_boards
from ..model import Affine, Domain, Drawn, Model, Value, Variable
from ..picture.picture import picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import Shape
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
    >>> svg.count("<rect"), ">12</text>" in svg
    (2, True)
    """
    return svg(solution_marks(shown_plan(model), solution), scale=SMALLER)


def solution_marks(plan: Plan, solution: Mapping[str, Value]) -> list[Shape]:
    """What is printed, and in every place its value."""
    return _marks(plan, {v: (solution[v],) for v in plan.model.domains})


def puzzle_marks(plan: Plan) -> list[Shape]:
    """What is printed before anybody has begun: givens, no candidates, and no way or border that solvers draw.

    Examples
    --------
    >>> from csp import Variable
    >>> model = Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (2,)})
    >>> [mark.text for mark in puzzle_marks(shown_plan(model)) if mark.text and mark.look != "header"]
    ['2']
    """
    domains = {v: (plan.given[v],) if v in plan.given else domain for v, domain in plan.model.domains.items()}
    body = ("body", "name", "head")
    marks = [one for one in _marks(plan, domains) if not one.look.startswith(("way", "loop", "path"))]
    return [one for one in marks if len(one.of) != 1 or one.of[0] in plan.given or one.look.startswith(body)]


def _marks(plan: Plan, domains: Mapping[Variable, Domain]) -> list[Shape]:
    """Without what says that a place stays empty, and what stands for other than variables."""
    marks = picture(plan, Scene(title="", domains=domains))
    return [mark for mark in marks if mark.look not in ("said", "count") and all(name in domains for name in mark.of)]


def without_headers(plan: Plan, marks: Sequence[Shape]) -> list[Shape]:
    """As newspapers print grids; a ruler, a board or a table needs its numbers."""
    return [mark for mark in marks if mark.look != "header" or plan.layout.boards]


def shown_plan(model: Model) -> Plan:
    """The plan of what a model shows, with the whole of its grids: clues are about all of their line."""
    shown = {v: model.domains[v] for v in pictured_variables(model)}
    behind = [v for one in model.drawn if one.name != "helper" for v in one.variables if v not in shown]
    shown |= {v: model.domains[v] for v in behind}
    boards = {v for board in find_boards(model) for v in board.variables}
    pieces = [one for sheet in sheets(model) for one in sheet.entries if not _is_piece(one, boards)]
    told = {v for one in pieces for v in one.variables if v in shown}
    helpers = [Drawn("helper", (Affine.variable(v),)) for v in shown if v in told or v in behind]
    return Plan(
        Model(
            shown, [c for c in model.constraints if all(v in shown for v in c.scope)],
            layout=[entry for entry in model.layout if all(v in shown for v in entry.variables)],
            drawn=[*(entry for entry in model.drawn if all(v in shown for v in entry.variables)), *helpers],
        ),
        crowded=True if all(len(v.indices) == 2 for v in shown) else None,
    )  # fmt: skip


def _is_piece(one: Drawn, boards: Set[Variable]) -> bool:
    """Whether a constant stands where its variable says, which has a board to show that."""
    return any(isinstance(index, Affine) for index in one.indices) and not boards.isdisjoint(one.variables)
