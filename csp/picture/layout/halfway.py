"""Find the variables that are drawn between two places, such as loop steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...board.drawn.drawing import main_grid
from ...board.drawn.sheets import sheets
from ...board.drawn.skins import line_variables
from ...board.grid import Grid, is_square, loops_of
from ...model import Model, Variable


def halfway(
    model: Model, grids: Sequence[Grid], undrawn: Collection[Variable]
) -> dict[Variable, tuple[Variable, Variable]]:
    """Find the variables that are drawn midway between two others.

    The places are cells of a grid, or places of a layout. Variables in ``undrawn`` are not drawn.

    Examples
    --------
    >>> from csp import Drawn, Entry, Equality
    >>> bridge = Variable("bridges", "north")
    >>> shown = [Entry("island", (1, c), 1) for c in (1, 4)]
    >>> drawn = [Drawn("join", (1, 1, 1, 4), None, Equality(bridge, 1))]
    >>> halfway(Model({bridge: (0, 1)}, layout=shown, drawn=drawn), [], [])
    {'bridges(north)': ('island(1,1)', 'island(1,4)')}
    """
    square_at = {(v.family, v.indices): v for grid in grids for v in grid}
    ends_of, loops = {}, loops_of(model)
    # A step of a loop joins the two squares next to it.
    for v in model.domains:
        if v.family in loops and not is_square(v) and v not in undrawn:
            r, c = (int(index) for index in v.indices)
            first, second = (r - r % 2, c - c % 2), (r + r % 2, c + c % 2)
            ends_of[v] = square_at[v.family, first], square_at[v.family, second]
    # A line joins the two places that its drawing names.
    lines = {v: entry for v, entry in line_variables(model).items() if v not in undrawn}
    places = [*filter(None, [main_grid(model, grids)]), *(sheet.grid for sheet in sheets(model))] if lines else []
    variable_at: dict[Sequence[object], Variable] = {v.indices: v for grid in reversed(places) for v in grid}
    for v, entry in lines.items():
        if entry.indices[:2] in variable_at and entry.indices[2:] in variable_at:
            ends_of[v] = variable_at[entry.indices[:2]], variable_at[entry.indices[2:]]
    return ends_of
