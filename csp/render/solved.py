"""Draw a puzzle as printed in newspapers: only its givens, or the solution.

The gallery of the documentation consists of these pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ..board.drawn.layouts import sheets
from ..board.grid import pictured_variables
from ..board.strips import find_boards
from ..model import Affine, Domain, Drawn, Model, Value, Variable
from ..picture.picture import picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import Shape
from .svg import svg

SCALE = 0.55
"""Factor on the size of a picture that shows no candidates."""


def solution_svg(model: Model, solution: Mapping[str, Value]) -> str:
    """Return the printed puzzle with all values of a solution as SVG.

    Examples
    --------
    >>> from csp import Variable
    >>> model = Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)})
    >>> svg = solution_svg(model, {"x(1,1)": 1, "x(1,2)": 2})
    >>> svg.count("<rect"), ">12</text>" in svg
    (2, True)
    """
    return svg(solution_shapes(shown_plan(model), solution), scale=SCALE)


def solution_shapes(plan: Plan, solution: Mapping[str, Value]) -> list[Shape]:
    """Return the shapes of the printed puzzle with all values of a solution."""
    return _value_shapes(plan, {v: (solution[v],) for v in plan.model.domains})


def printed_svg(model: Model) -> str:
    """Return a puzzle as it is printed, with its givens only, as SVG.

    Examples
    --------
    >>> from csp import Variable
    >>> svg = printed_svg(Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (2,)}))
    >>> ">2</text>" in svg, ">12</text>" in svg
    (True, False)
    """
    plan = shown_plan(model)
    return svg(without_headers(plan, puzzle_shapes(plan)), scale=SCALE)


def puzzle_shapes(plan: Plan) -> list[Shape]:
    """Return the shapes of a puzzle as it is printed, with its givens only.

    Candidates are omitted, and so are the loops, paths and borders that a solver of the puzzle draws.

    Examples
    --------
    >>> from csp import Variable
    >>> model = Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (2,)})
    >>> [shape.text for shape in puzzle_shapes(shown_plan(model)) if shape.text and shape.look != "header"]
    ['2']
    """
    domains = {v: (plan.given[v],) if v in plan.given else domain for v, domain in plan.model.domains.items()}
    kept_looks = ("body", "name", "head")
    shapes = [shape for shape in _value_shapes(plan, domains) if not shape.look.startswith(("way", "loop", "path"))]
    return [
        shape
        for shape in shapes
        if len(shape.of) != 1 or shape.of[0] in plan.given or shape.look.startswith(kept_looks)
    ]


def _value_shapes(plan: Plan, domains: Mapping[Variable, Domain]) -> list[Shape]:
    """Return the shapes of domains, without constraint nodes and signs of empty places."""
    shapes = picture(plan, Scene(title="", domains=domains))
    return [
        shape for shape in shapes if shape.look not in ("said", "count") and all(name in domains for name in shape.of)
    ]


def without_headers(plan: Plan, shapes: Sequence[Shape]) -> list[Shape]:
    """Return shapes without the numbers of rows and columns; with boards, return all.

    Boards, which include rulers and tables, need their numbers; grids beside them keep theirs, too.
    """
    return [shape for shape in shapes if shape.look != "header" or plan.layout.boards]


def shown_plan(model: Model) -> Plan:
    """Return the plan (layout, printed shapes) of a puzzle, with all variables it shows."""
    # Add variables that are not shown, but whose drawings are.
    domains = {v: model.domains[v] for v in pictured_variables(model)}
    drawn_only = [v for entry in model.drawn if entry.name != "helper" for v in entry.variables if v not in domains]
    domains |= {v: model.domains[v] for v in drawn_only}
    # Hide the variables that a printed sign shows already.
    boards = {v for board in find_boards(model) for v in board.variables}
    fixed_signs = [entry for sheet in sheets(model) for entry in sheet.entries if not _is_piece(entry, boards)]
    sign_variables = {v for entry in fixed_signs for v in entry.variables if v in domains}
    helpers = [Drawn("helper", (Affine.variable(v),)) for v in domains if v in sign_variables or v in drawn_only]
    return Plan(
        Model(
            domains, [c for c in model.constraints if all(v in domains for v in c.scope)],
            layout=[entry for entry in model.layout if all(v in domains for v in entry.variables)],
            drawn=[*(entry for entry in model.drawn if all(v in domains for v in entry.variables)), *helpers],
        ),
        crowded=True if all(len(v.indices) == 2 for v in domains) else None,
    )  # fmt: skip


def _is_piece(entry: Drawn, boards: Set[Variable]) -> bool:
    """Return whether a drawing is a piece on a board whose position a variable decides.

    Its position, an expression, is the value.
    """
    return any(isinstance(index, Affine) for index in entry.indices) and not boards.isdisjoint(entry.variables)
