"""Collect the drawings that a spec declares on a grid.

They are lines, borders, cages, signs, shades, and texts beside the grid. ``unseen_drawings`` finds the drawings that
are off the grid, for a warning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise, product

from ...base.frozen import Frozen
from ...model import Drawn, Model, Value
from ..grid import Grid, Position, find_grids, is_indexed, loops_of
from .layouts import sheets
from .skins import undrawn_variables

CHAINS = ("line", "thermometer", "arrow")
"""Kinds of drawings that are lines through cells in their order."""

OFF_GRID = ("map", "pair", "loop", "boxes", "helper")
"""Kinds of drawings that are not shapes on a grid."""


class Stroke(Frozen):
    """A line through the cells of a grid, with its kind and colour."""

    kind: str
    colour: str
    places: tuple[Position, ...]


class Spot(Frozen):
    """A sign or a text in a cell, between two cells or beside the grid."""

    kind: str
    places: tuple[Position, ...]
    text: str


class Room(Frozen):
    """Cells of a grid with a drawn frame around them, and the clue in it."""

    places: tuple[Position, ...]
    text: str = ""


class GridDrawing(Frozen):
    """The lines, signs, frames, borders and shades that a spec draws on one grid.

    Rows and columns count from 0; places beside the grid are below 0 or above the last.

    Attributes
    ----------
    chains : tuple of Stroke
    spots : tuple of Spot
    rooms, cages : tuple of Room
    sides : frozenset of (Position, Position)
        Neighbours with a border between them, the upper or left one first.
    shades : mapping of (int, int) to str
        The colours of cells.
    """

    chains: tuple[Stroke, ...] = ()
    spots: tuple[Spot, ...] = ()
    rooms: tuple[Room, ...] = ()
    cages: tuple[Room, ...] = ()
    sides: frozenset[tuple[Position, Position]] = frozenset()
    shades: Mapping[Position, str] = field(default_factory=dict)

    def covers(self, cells: Collection[Position]) -> bool:
        """Return whether a drawing of the spec surrounds or joins the given cells.

        A constraint on these cells then prints no clue of its own. A sign just beyond one end covers a line of cells,
        too.

        Examples
        --------
        >>> drawing = GridDrawing((Stroke("line", "", ((0, 0), (0, 1))),))
        >>> drawing.covers([(0, 1), (0, 0)]), drawing.covers([(0, 1), (1, 1)])
        (True, False)
        """
        cell_set = set(cells)
        for group in [
            *(stroke.places for stroke in self.chains),
            *(room.places for room in (*self.rooms, *self.cages)),
        ]:
            if cell_set.issubset(group):
                return True
        for spot in self.spots:
            (r, c), (s, d) = spot.places[0], spot.places[-1]
            if len(spot.places) > 1 and all(r <= i <= s and min(c, d) <= j <= max(c, d) for i, j in cell_set):
                return True
            if len(spot.places) == 1 and _is_before((r, c), sorted(cell_set)):
                return True
        return any(cell_set == {*pair} for pair in self.sides)


def _is_before(place: Position, line: Sequence[Position]) -> bool:
    """Return whether a place is one to three steps beyond a straight line's end.

    A line of fewer than three cells has no such place.
    """
    steps = {(s - r, d - c) for (r, c), (s, d) in pairwise(line)}
    if len(steps) != 1 or len(line) < 3:
        return False
    [(i, j)] = steps
    (r, c), (s, d) = line[0], line[-1]
    before, after = (r - place[0], c - place[1]), (place[0] - s, place[1] - d)
    return any(max(abs(p), abs(q)) and (p, q) == (i * k, j * k) for p, q in (before, after) for k in (1, 2, 3))


def main_grid(model: Model, grids: Iterable[Grid]) -> Grid | None:
    """Return the first grid whose cells all have two integer indices, or None.

    The drawings of the spec are on this grid, except drawings that depend on values of another grid.

    Examples
    --------
    >>> from csp import Variable
    >>> cell = Variable("cell", 1, 1)
    >>> main_grid(Model({cell: (1,)}), [{Variable("A"): (0, 0)}, {cell: (0, 0)}])
    {'cell(1,1)': (0, 0)}
    """
    return next((grid for grid in grids if grid and all(map(is_indexed, grid))), None)


def grid_drawing(
    entries: Iterable[Drawn], grid: Grid, loops: Collection[str] = (), values: Mapping[str, Value] | None = None
) -> GridDrawing:
    """Collect the drawings of ``entries`` whose places on a grid are known.

    With ``values``, the result has the drawings whose variables all have a value, else the drawings that do not depend
    on variables. ``loops`` are the families that are loops.

    Examples
    --------
    >>> from csp import Drawn, Variable
    >>> grid = {Variable("cell", 1, c): (0, c - 1) for c in (1, 2, 3)}
    >>> entries = [Drawn("line", (1, c, 7 * c), "green") for c in (1, 2, 3)]
    >>> [len(stroke.places) for stroke in grid_drawing(entries, grid).chains]
    [1, 1, 1]
    >>> grid_drawing([Drawn("text", (0, 2), 5)], grid).spots
    (Spot(kind='text', places=((-1, 1),), text='5'),)
    """
    values = values or {}
    if not all(map(is_indexed, grid)):
        return GridDrawing()
    scale = 2 if any(v.family in loops for v in grid) else 1
    # The rows and columns of the grid by index; those of a loop's squares are even.
    ranks = [{int(v.indices[axis]) // scale: place[axis] for v, place in grid.items()} for axis in (0, 1)]
    cells_of_chains: dict[tuple[str, str, Value], dict[int, Position]] = {}
    rooms: dict[tuple[str, Value], dict[Position, None]] = {}
    texts: dict[tuple[str, Value], str] = {}
    spots: dict[tuple[str, tuple[Position, ...]], list[str]] = {}
    sides: set[tuple[Position, Position]] = set()
    shades: dict[Position, str] = {}
    segments: list[Stroke] = []
    # Sort the drawings by shape; cells of the same line or room come from several drawings.
    for entry in entries:
        if entry.name in OFF_GRID or any(v not in values for v in entry.variables):
            continue
        indices = entry.place(values)
        if indices is None or (entry.condition is not None and not entry.condition.check(values)):
            continue
        text = "" if entry.value is None else str(entry.shown(values))
        length = 2 if entry.name in CHAINS else len(indices) // 2 * 2
        numbers = [_rank(int(index), ranks[i % 2]) for i, index in enumerate(indices[:length])]
        places = tuple((numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2))
        last_index = indices[-1]
        if entry.name == "join":
            segments.append(Stroke("line", text, places))
        elif entry.name in CHAINS:
            line = last_index if len(indices) == 4 else ""
            cells_of_chains.setdefault((entry.name, text, line), {})[int(indices[2])] = places[0]
        elif entry.name == "border" and len(places) == 2:
            sides.add((min(places), max(places)))
        elif entry.name in ("border", "cage"):
            rooms.setdefault((entry.name, last_index), {})[places[0]] = None
            if text:
                texts[entry.name, last_index] = text
        elif entry.name == "shade":
            shades[places[0]] = text
        else:
            spots.setdefault((entry.name, places), []).append(text)
    return GridDrawing(
        (
            *(
                Stroke(kind, colour, line_places)
                for (kind, colour, _), cells_of_chain in cells_of_chains.items()
                for line_places in _lines_of_cells(cells_of_chain)
            ),
            *segments,
        ),
        tuple(
            Spot(kind, places, join_texts(texts_of_spot, kind == "text"))
            for (kind, places), texts_of_spot in spots.items()
        ),
        tuple(Room(tuple(room_places)) for (kind, _), room_places in rooms.items() if kind == "border"),
        tuple(
            Room(tuple(room_places), texts.get((kind, key), ""))
            for (kind, key), room_places in rooms.items()
            if kind == "cage"
        ),
        frozenset(sides),
        shades,
    )


def join_texts(texts: list[str], apart: bool) -> str:
    """Join the texts at one place, with spaces unless all are single characters.

    If ``apart`` is true, spaces separate single characters, too.
    """
    parts = [text for text in texts if text]
    return (" " if apart or any(len(text) > 1 for text in parts) else "").join(parts)


def _lines_of_cells(place_of_number: Mapping[int, Position]) -> Iterable[tuple[Position, ...]]:
    """Yield the places of numbered cells as lines, in order of the numbers.

    A gap in them begins another line.
    """
    places: list[Position] = []
    for number in sorted(place_of_number):
        if places and number - 1 not in place_of_number:
            yield tuple(places)
            places = []
        places.append(place_of_number[number])
    if places:
        yield tuple(places)


def _rank(index: int, ranks: Mapping[int, int]) -> int:
    """Return the row or column of an index, counted from 0.

    Indices beyond the grid continue the count.
    """
    if index in ranks or not ranks:
        return ranks.get(index, index)
    first, last = min(ranks), max(ranks)
    if first < index < last:
        return ranks[max(rank_index for rank_index in ranks if rank_index < index)]
    end = first if index < first else last
    return ranks[end] + index - end


def unseen_drawings(model: Model) -> dict[Drawn, tuple[range, range]]:
    """Return the drawings at fixed places off the board, with the board's rows and columns.

    A text is never one of them, because it may be beside the board. Any other drawing needs a cell of the board at its
    places.

    Parameters
    ----------
    model : Model

    Returns
    -------
    dict of Drawn to (range, range)
        For each drawing the rows and the columns of the board; both are empty if there is no board.

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
