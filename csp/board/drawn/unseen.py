"""Find the drawings of a spec that change no picture, for a warning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...model import Drawn, Model, Variable
from ..grid import Grid, find_grids, grid_gaps, grid_places, is_indexed, is_square, loops_of
from ..strips import find_boards
from .drawing import CHAINS, OFF_GRID, main_grid
from .layouts import sheets
from .skins import line_variables, undrawn_variables

NO_BOARD = "has no board: the spec has no family of variables with two integer indices"
"""The reason if a spec draws shapes without a board."""


def unseen_drawings(model: Model) -> dict[Drawn, str]:
    """Return the drawings that change no picture, each with the reason.

    A text is never one of them, because it may be beside the board. Any other shape needs a cell of the board at its
    places; a map, pair, loop or box needs variables that it can arrange.

    Parameters
    ----------
    model : Model

    Returns
    -------
    dict of Drawn to str
        The reasons are verb phrases.

    Examples
    --------
    >>> from csp import Variable
    >>> signs = [Drawn("circle", (1, c), None) for c in (1, 7)]
    >>> for drawing, reason in unseen_drawings(Model({Variable("x", 1, 1): (1, 2)}, drawn=signs)).items():
    ...     print(drawing, reason)
    circle(1, 7) is outside of the board with rows 1 to 1 and columns 1 to 1
    """
    if not model.drawn:
        return {}
    grids = find_grids(model, undrawn_variables(model))
    shapes = [drawing for drawing in model.drawn if drawing.name not in OFF_GRID]
    # Shapes need a board, and a place on it.
    unseen: dict[Drawn, str] = {}
    if shapes:
        grid = main_grid(model, grids) or next((sheet.grid for sheet in sheets(model)), None)
        unseen = dict.fromkeys(shapes, NO_BOARD) if grid is None else dict(_outside(model, shapes, grids, grid))
    # Drawings of families and maps need variables that they can arrange.
    arrangements = {"boxes": _fault_of_boxes, "pair": _fault_of_pair, "loop": _fault_of_loop, "map": _fault_of_map}
    for drawing in model.drawn:
        if drawing.name in arrangements and (reason := arrangements[drawing.name](model, grids, drawing)):
            unseen[drawing] = reason
        if drawing.name == "word" and (drawing.condition is None or len(drawing.variables) != 1):
            unseen[drawing] = "names no value: its condition is not about one variable"
    return unseen


def _outside(model: Model, shapes: Sequence[Drawn], grids: Sequence[Grid], grid: Grid) -> Iterator[tuple[Drawn, str]]:
    """Yield the shapes at fixed places off the board, with the board's rows and columns."""
    # The squares of a loop have even indices; its variables with odd ones are steps between squares.
    scale = 2 if loops_of(model) & {v.family for v in grid} else 1
    rows, columns = (_span([int(v.indices[axis]) // scale for v in grid]) for axis in (0, 1))
    down, across = (f"{span[0]} to {span[-1]}" for span in (rows, columns))
    cell_indices = {v.indices for cells in grids for v in cells}
    for drawing in shapes:
        if drawing.name != "text" and drawing.indices not in cell_indices:
            places = list(_places(drawing))
            # A corner between cells is seen if any of the four cells around it is on the board.
            around = product(*({place[axis] for place in places} for axis in (0, 1)))
            if places and not any(r in rows and c in columns for r, c in around):
                yield drawing, f"is outside of the board with rows {down} and columns {across}"


def _span(indices: list[int]) -> range:
    return range(min(indices), max(indices) + 1)


def _places(drawing: Drawn) -> Iterator[tuple[int, int]]:
    """Yield the cells at which a drawing is placed, if its place is fixed."""
    indices = drawing.indices
    ends = indices[:4] if len(indices) == 4 and drawing.name not in CHAINS else indices[:2]
    numbers = [index for index in ends if isinstance(index, int)]
    if len(numbers) == len(ends):
        yield from zip(numbers[::2], numbers[1::2], strict=True)


def _family(model: Model, name: object) -> list[Variable]:
    return [v for v in model.domains if v.family == name]


def _fault_of_boxes(model: Model, grids: Sequence[Grid], drawing: Drawn) -> str:
    """Return why ``boxes`` changes nothing, or an empty text."""
    [family] = drawing.indices
    without = Model(model.domains, model.constraints)
    gaps = (grid_gaps(without, grid) for grid in grids if any(v.family == family for v in grid))
    has_gaps = any(rows or columns for rows, columns in gaps)
    return "" if has_gaps else f"changes nothing: no boxes of one size, all different, fill a grid {family}"


def _fault_of_pair(model: Model, grids: Sequence[Grid], drawing: Drawn) -> str:
    """Return why ``pair`` changes nothing, or an empty text."""
    left, right = (grid_places(model, _family(model, name)) for name in drawing.indices)
    is_pair = bool(left) and left.keys() != right.keys() and {*left.values()} == {*right.values()}
    return "" if is_pair else "changes nothing: the families are not two grids with the same rows and columns"


def _fault_of_loop(model: Model, grids: Sequence[Grid], drawing: Drawn) -> str:
    """Return why ``loop`` changes nothing, or an empty text."""
    [family] = drawing.indices
    variables = _family(model, family)
    is_loop = all(map(is_indexed, variables)) and {*map(is_square, variables)} == {True, False}
    return "" if is_loop else f"changes nothing: {family} has no squares at even indices with steps between them"


def _fault_of_map(model: Model, grids: Sequence[Grid], drawing: Drawn) -> str:
    """Return why ``map`` changes nothing, or an empty text."""
    undrawn = {*undrawn_variables(model), *line_variables(model)}
    variables = [v for v in model.domains if v not in undrawn and v.family.isidentifier()]
    if grids or find_boards(model, taken=undrawn):
        return "changes nothing: a grid or a board decides the places of variables"
    placed = {entry.cell_of for entry in model.drawn if entry.name == "map"}
    missing = next((v for v in variables if v not in placed), None)
    return f"changes nothing: {missing} has no place on the map" if missing else ""
