"""Drawings that no picture shows: there is no board for them, or they lie outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...model import Drawn, Model
from ..grid import find_grids, loops_of
from .said import CHAINS, OFF_GRID, main_grid
from .sheets import sheets
from .skins import undrawn


def unseen_drawings(model: Model) -> dict[Drawn, tuple[range, range]]:
    """Find the drawings with fixed places that no picture shows.

    A text may stand beside the board. What lies between cells, or joins them, needs one of them on it.

    Parameters
    ----------
    model : Model

    Returns
    -------
    dict of Drawn to (range, range)
        The rows and columns of the board for each of them; both are empty where there is no board.

    Examples
    --------
    >>> from csp import Variable
    >>> signs = [Drawn("circle", (1, c), None) for c in (1, 7)]
    >>> found = unseen_drawings(Model({Variable("x", 1, 1): (1, 2)}, drawn=signs))
    >>> [(str(one), columns) for one, (_, columns) in found.items()]
    [('circle(1, 7)', range(1, 2))]
    """
    entries = [one for one in model.drawn if one.name not in OFF_GRID]
    if not entries:
        return {}
    grids = find_grids(model, undrawn(model))
    grid = main_grid(model, grids) or next((sheet.grid for sheet in sheets(model)), None)
    if grid is None:
        return dict.fromkeys(entries, (range(0), range(0)))
    scale = 2 if loops_of(model) & {v.family for v in grid} else 1
    rows, columns = (_span([int(v.indices[axis]) // scale for v in grid]) for axis in (0, 1))
    found: dict[Drawn, tuple[range, range]] = {}
    homes = {v.indices for own in grids for v in own}
    for one in entries:
        if one.name != "text" and one.indices not in homes:
            places = list(_places(one))
            around = product(*({place[axis] for place in places} for axis in (0, 1)))  # of a corner all four cells
            if places and not any(r in rows and c in columns for r, c in around):
                found[one] = rows, columns
    return found


def _span(indices: list[int]) -> range:
    return range(min(indices), max(indices) + 1)


def _places(one: Drawn) -> Iterator[tuple[int, int]]:
    """The cells that a drawing names; none where one of them is to be found."""
    ends = one.indices[:4] if len(one.indices) == 4 and one.name not in CHAINS else one.indices[:2]
    numbers = [index for index in ends if isinstance(index, int)]
    if len(numbers) == len(ends):
        yield from zip(numbers[::2], numbers[1::2], strict=True)
