"""What stands between two places: the steps of a loop, and what decides the line from one place to another."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...board.drawn.drawing import main_grid
from ...board.drawn.sheets import sheets
from ...board.drawn.skins import line_variables
from ...board.grid import Grid, is_square, loops_of
from ...model import Model, Variable


def halfway(
    model: Model, grids: Sequence[Grid], away: Collection[Variable]
) -> dict[Variable, tuple[Variable, Variable]]:
    """The variables that stand between two places, each with what is there: cells, or the places of a layout.

    Examples
    --------
    >>> from csp import Drawn, Entry, Equality
    >>> bridge = Variable("bridges", "north")
    >>> shown = [Entry("island", (1, c), 1) for c in (1, 4)]
    >>> drawn = [Drawn("join", (1, 1, 1, 4), None, Equality(bridge, 1))]
    >>> halfway(Model({bridge: (0, 1)}, layout=shown, drawn=drawn), [], [])
    {'bridges(north)': ('island(1,1)', 'island(1,4)')}
    """
    square = {(v.family, v.indices): v for grid in grids for v in grid}
    found, loops = {}, loops_of(model)
    for v in model.domains:
        if v.family in loops and not is_square(v) and v not in away:
            r, c = (int(index) for index in v.indices)
            one, other = (r - r % 2, c - c % 2), (r + r % 2, c + c % 2)
            found[v] = square[v.family, one], square[v.family, other]
    lines = {v: one for v, one in line_variables(model).items() if v not in away}
    places = [*filter(None, [main_grid(model, grids)]), *(one.grid for one in sheets(model))] if lines else []
    at: dict[Sequence[object], Variable] = {v.indices: v for grid in reversed(places) for v in grid}
    for v, line in lines.items():
        if line.indices[:2] in at and line.indices[2:] in at:
            found[v] = at[line.indices[:2]], at[line.indices[2:]]
    return found
