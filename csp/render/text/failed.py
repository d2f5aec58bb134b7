"""Show in terminal grids which constraints removed the values of a failure."""

from __future__ import annotations

from collections.abc import Mapping

from ...board.grid import Position
from ...model import Model, Variable
from ...picture.scene import Scene

HATCH = "▒"
LEGEND = f"{HATCH} failure: ↔ row  ↕ column  ▦ group  • one cell  ○ decision"


def taker_signs(model: Model, scene: Scene, places: Mapping[Variable, Position]) -> dict[Variable, str]:
    """Return for each failed variable a sign for the constraint that removed values.

    The sign shows what removed the value: a row, a column, another group, a single cell or the decision.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.trace import Failure
    >>> row = [Variable("x", 1, c) for c in (1, 2)]
    >>> model = Model(dict.fromkeys(row, (1, 2)), [AllDifferent.of(row, label="row")])
    >>> removed_by = ("the decision", ((row[0], 2),)), ("row", ((row[1], 2),))
    >>> failure = Failure(0, model.constraints[0], 2, removed_by=removed_by)
    >>> shown = Scene(title="", domains=model.domains, failed=tuple(row), failure=failure)
    >>> taker_signs(model, shown, {v: (0, i) for i, v in enumerate(row)})
    {'x(1,1)': '○', 'x(1,2)': '↔'}
    """
    signs = dict.fromkeys(scene.failed, "")
    if scene.failure is None or scene.failure.constraint is None:
        return signs
    constraints = {constraint.name: constraint for constraint in model.constraints}
    for name, candidates in scene.failure.removed_by:
        scope = constraints[name].scope if name in constraints else ()
        # A group whose cells are all in one row, or in one column, has an arrow as its sign.
        lines = [{places[v][axis] for v in scope if v in places} for axis in (0, 1)]
        if name == "the decision":
            sign = "○"
        elif len(scope) < 2:
            sign = "•"
        else:
            sign = "↔" if len(lines[0]) == 1 else "↕" if len(lines[1]) == 1 else "▦"
        signs |= {v: sign for v, _ in candidates}
    return signs
