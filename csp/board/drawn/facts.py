"""Find the constants that the spec's layouts show in cells, such as clue numbers."""

from __future__ import annotations

from ...model import Model, Value, Variable
from ..grid import Grid, loops_of
from ..widths import text_width

MAX_WIDTH = 40.0
"""Maximum width of a constant in points; a wider one is not shown, because it does not fit into a cell."""


def facts(model: Model, grid: Grid) -> dict[Variable, str]:
    """Return the constant that a layout shows in each cell that has one.

    A constant is not shown if it has a condition and is the same at all places: then it is the sign of a value, such as
    ``#`` or ``^``.

    Examples
    --------
    >>> from csp import Entry
    >>> cells = [Variable("dark", 1, c) for c in (1, 2)]
    >>> model = Model(dict.fromkeys(cells, (0, 1)), layout=[Entry("left", (1, 1), 7), Entry("left", (1, 2), 5)])
    >>> facts(model, {cells[0]: (0, 0), cells[1]: (0, 1)})
    {'dark(1,1)': '7', 'dark(1,2)': '5'}
    """
    loops = loops_of(model)
    if any(v.family in loops for v in grid):
        return {}
    constants = [(entry, entry.value) for entry in model.layout if isinstance(entry.value, int | str)]
    conditional_values: dict[str, set[Value]] = {}
    for entry, value in constants:
        if entry.condition is not None:
            conditional_values.setdefault(entry.name, set()).add(value)
    cell_at: dict[tuple[object, ...], Variable] = {v.indices: v for v in grid}
    texts: dict[Variable, str] = {}
    for entry, value in constants:
        v = cell_at.get(entry.indices)
        if v is None or (
            entry.condition is not None and (v not in entry.variables or len(conditional_values[entry.name]) == 1)
        ):
            continue
        if model.domains[v] != (value,) and text_width(str(value), 11) < MAX_WIDTH:
            texts.setdefault(v, str(value))
    return texts
