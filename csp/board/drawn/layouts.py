"""Find the separate boards (sheets) and the constants in cells that layouts show.

An addition of letters is a sheet. The clue numbers of a grid are constants in its cells.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ...model import Affine, Drawn, Entry, Model, Value, Variable
from ...model.bounds import bounds
from ..grid import Grid, is_indexed, loops_of
from ..widths import text_width


class Sheet(NamedTuple):
    """A layout (``show`` entries of one name) that is drawn as a separate board.

    Attributes
    ----------
    name : str
    grid : mapping of Variable to (int, int)
        Its places; their variables are not variables of the model.
    entries : tuple of Drawn
    """

    name: str
    grid: Grid
    entries: tuple[Drawn, ...]


def sheets(model: Model, boards: Collection[Variable] = ()) -> list[Sheet]:
    """Return the layouts (``show`` entries of one name) that are drawn as separate boards.

    Such a layout has rows and columns, and none of its entries is in the place of a cell. A layout of pieces is not a
    sheet if their variables have a board. A layout of constants is a sheet only if no family is a grid.

    Examples
    --------
    >>> from csp import Entry
    >>> shown = [Entry("sum", (1, c), Affine.variable(letter)) for c, letter in enumerate("ab", 1)]
    >>> [sheet.grid for sheet in sheets(Model({"a": (1, 2), "b": (1, 2)}, layout=shown))]
    [{'sum(1,1)': (0, 0), 'sum(1,2)': (0, 1)}]
    """
    sheets_found = []
    for name in dict.fromkeys(entry.name for entry in model.layout):
        entries = [entry for entry in model.layout if entry.name == name]
        variables = {v for entry in entries for v in entry.variables}
        cell_indices = {v.indices for v in model.domains}
        if (
            (not variables and any(map(is_indexed, model.domains)))
            or any(len(entry.indices) != 2 for entry in entries)
            or _is_board(entries, boards)
        ):
            continue
        if any(entry.indices in cell_indices for entry in entries):
            continue
        # The sheet has all rows and columns in which entries can be.
        spans = [_span(model, entries, axis) for axis in (0, 1)]
        if not all(spans) or len(spans[0]) * len(spans[1]) > MAX_PLACES:
            continue
        rows, columns = spans
        fixed = {entry.indices for entry in entries if all(isinstance(index, int) for index in entry.indices)}
        # If places are solved for, every place of the sheet may have an entry.
        is_whole = any(entry.indices not in fixed for entry in entries)
        grid = {
            Variable(name, r, c): (i, j)
            for i, r in enumerate(rows) for j, c in enumerate(columns) if is_whole or (r, c) in fixed
        }  # fmt: skip
        sheets_found.append(
            Sheet(
                name,
                grid,
                tuple(
                    Drawn("text", entry.indices, entry.value, entry.condition)
                    for entry in entries
                    if entry.value != NOTHING
                ),
            )
        )
    return sheets_found


def _is_board(entries: Collection[Entry], boards: Collection[Variable]) -> bool:
    """Return whether the place of some entry depends on a variable in ``boards``."""
    return any(
        v in boards
        for entry in entries
        for index in entry.indices
        if isinstance(index, Affine)
        for v in index.variables
    )


MAX_PLACES = 400
"""Maximum number of places of a sheet; a larger layout is not drawn as one."""
NOTHING = "."
"""The text for an empty place in grids and answers."""


def _span(model: Model, entries: Collection[Entry], axis: int) -> range:
    """Return the range of rows or columns that the entries of a layout can occupy.

    The range is empty if some of them are not numbers.
    """
    indices: set[int] = set()
    for entry in entries:
        index = entry.indices[axis]
        if isinstance(index, Affine):
            if any(not isinstance(value, int) for v in index.variables for value in model.domains[v]):
                return range(0)
            try:
                indices.update(bounds(index, model.domains))
            except ZeroDivisionError:
                return range(0)
        elif isinstance(index, int):
            indices.add(index)
        else:
            return range(0)
    return range(min(indices), max(indices) + 1) if indices else range(0)


MAX_WIDTH = 40.0
"""Maximum width of a constant in points; a wider one is not shown, because it does not fit into a cell."""


def facts(model: Model, grid: Grid) -> dict[Variable, str]:
    """Return by cell the constants that ``show`` entries print there, such as clue numbers.

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
