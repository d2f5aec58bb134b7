"""What the spec shows in the cells of a grid, whatever their values: numbers that no constraint tells."""

from __future__ import annotations

from ...model import Model, Value, Variable
from ..grid import Grid, loops_of
from ..widths import text_width

WIDEST = 40.0


def facts(model: Model, grid: Grid) -> dict[Variable, str]:
    """The constants of layouts in the places of cells.

    A constant with a condition that is the same wherever it can be says what is found there (``#``, ``^``) and is none.

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
    constants = [(one, one.value) for one in model.layout if isinstance(one.value, int | str)]
    where: dict[str, set[Value]] = {}
    for one, value in constants:
        if one.condition is not None:
            where.setdefault(one.name, set()).add(value)
    at: dict[tuple[object, ...], Variable] = {v.indices: v for v in grid}
    told: dict[Variable, str] = {}
    for one, value in constants:
        v = at.get(one.indices)
        if v is None or (one.condition is not None and (v not in one.variables or len(where[one.name]) == 1)):
            continue
        if model.domains[v] != (value,) and text_width(str(value), 11) < WIDEST:
            told.setdefault(v, str(value))
    return told
