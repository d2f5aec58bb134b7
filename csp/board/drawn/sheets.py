"""Layouts that stand on no grid: an addition of letters, a row of numbers whose places are solved for."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ...model import Affine, Drawn, Entry, Model, Variable
from ...model.bounds import bounds
from ..grid import Grid, is_indexed


class Sheet(NamedTuple):
    """A layout as a board of its own.

    Attributes
    ----------
    name : str
    grid : mapping of Variable to (int, int)
        Its places, which are no variables of the model.
    entries : tuple of Drawn
    """

    name: str
    grid: Grid
    entries: tuple[Drawn, ...]


def sheets(model: Model, boards: Collection[Variable] = ()) -> list[Sheet]:
    """The layouts of a model with rows and columns, none of whose entries shows a cell in its own place.

    A board of pieces, whose variables have it anyhow, is none; one of constants is where no family is a grid.

    Examples
    --------
    >>> from csp import Entry
    >>> shown = [Entry("sum", (1, c), Affine.variable(letter)) for c, letter in enumerate("ab", 1)]
    >>> [one.grid for one in sheets(Model({"a": (1, 2), "b": (1, 2)}, layout=shown))]
    [{'sum(1,1)': (0, 0), 'sum(1,2)': (0, 1)}]
    """
    found = []
    for name in dict.fromkeys(one.name for one in model.layout):
        own = [one for one in model.layout if one.name == name]
        variables = {v for one in own for v in one.variables}
        homes = {v.indices for v in model.domains}
        if (
            (not variables and any(map(is_indexed, model.domains)))
            or any(len(one.indices) != 2 for one in own)
            or _is_board(own, boards)
        ):
            continue
        if any(one.indices in homes for one in own):
            continue
        spans = [_span(model, own, axis) for axis in (0, 1)]
        if not all(spans) or len(spans[0]) * len(spans[1]) > MOST:
            continue
        rows, columns = spans
        fixed = {one.indices for one in own if all(isinstance(index, int) for index in one.indices)}
        is_whole = any(one.indices not in fixed for one in own)
        grid = {
            Variable(name, r, c): (i, j)
            for i, r in enumerate(rows) for j, c in enumerate(columns) if is_whole or (r, c) in fixed
        }  # fmt: skip
        found.append(
            Sheet(name, grid, tuple(Drawn("text", e.indices, e.value, e.condition) for e in own if e.value != NOTHING))
        )
    return found


def _is_board(own: Collection[Entry], boards: Collection[Variable]) -> bool:
    """Whether variables that have boards of their own say where something stands."""
    return any(
        v in boards for one in own for index in one.indices if isinstance(index, Affine) for v in index.variables
    )


MOST = 400
"""Places of a sheet."""
NOTHING = "."
"""What stands for nothing in grids and answers."""


def _span(model: Model, entries: Collection[Entry], axis: int) -> range:
    """The rows, or the columns, of a layout; where these are solved for, all that they can be."""
    found: set[int] = set()
    for one in entries:
        index = one.indices[axis]
        if isinstance(index, Affine):
            if any(not isinstance(value, int) for v in index.variables for value in model.domains[v]):
                return range(0)
            try:
                found.update(bounds(index, model.domains))
            except ZeroDivisionError:
                return range(0)
        elif isinstance(index, int):
            found.add(index)
        else:
            return range(0)
    return range(min(found), max(found) + 1) if found else range(0)
