"""Find the drawings of a spec that no picture shows, such as drawings off the board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...model import Drawn, Model
from ..grid import find_grids, loops_of
from .drawing import CHAINS, OFF_GRID, main_grid
from .sheets import sheets
from .skins import undrawn_variables


def unseen_drawings(model: Model) -> dict[Drawn, tuple[range, range]]:
    """Find the drawings that no picture shows although their places are fixed.

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
    >>> unseen = unseen_drawings(Model({Variable("x", 1, 1): (1, 2)}, drawn=signs))
    >>> [(str(drawing), columns) for drawing, (_, columns) in unseen.items()]
    [('circle(1, 7)', range(1, 2))]
    """
    drawings = [drawing for drawing in model.drawn if drawing.name not in OFF_GRID]
    if not drawings:
        return {}
    grids = find_grids(model, undrawn_variables(model))
    grid = main_grid(model, grids) or next((sheet.grid for sheet in sheets(model)), None)
    if grid is None:
        return dict.fromkeys(drawings, (range(0), range(0)))
    # The squares of a loop have even indices; its variables with odd ones are steps between squares.
    scale = 2 if loops_of(model) & {v.family for v in grid} else 1
    rows, columns = (_span([int(v.indices[axis]) // scale for v in grid]) for axis in (0, 1))
    unseen: dict[Drawn, tuple[range, range]] = {}
    cell_indices = {v.indices for cells in grids for v in cells}
    for drawing in drawings:
        if drawing.name != "text" and drawing.indices not in cell_indices:
            places = list(_places(drawing))
            # A corner between cells is seen if any of the four cells around it is on the board.
            around = product(*({place[axis] for place in places} for axis in (0, 1)))
            if places and not any(r in rows and c in columns for r, c in around):
                unseen[drawing] = rows, columns
    return unseen


def _span(indices: list[int]) -> range:
    return range(min(indices), max(indices) + 1)


def _places(drawing: Drawn) -> Iterator[tuple[int, int]]:
    """Yield the cells at which a drawing is placed, if its place is fixed."""
    indices = drawing.indices
    ends = indices[:4] if len(indices) == 4 and drawing.name not in CHAINS else indices[:2]
    numbers = [index for index in ends if isinstance(index, int)]
    if len(numbers) == len(ends):
        yield from zip(numbers[::2], numbers[1::2], strict=True)
