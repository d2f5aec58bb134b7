"""Find the layouts of a spec that are drawn as separate boards (sheets).

An example is an addition of letters.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ...model import Affine, Drawn, Entry, Model, Variable
from ...model.bounds import bounds
from ..grid import Grid, is_indexed


class Sheet(NamedTuple):
    """A layout of the spec that is drawn as a separate board.

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
    """Return the layouts that are drawn as separate boards.

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
    """Return whether the places of entries depend on variables that are on a board."""
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
