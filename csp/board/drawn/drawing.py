"""Collect the drawings that a spec declares on a grid.

They are lines, borders, cages, signs, shades, and texts beside the grid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from ...base.frozen import Frozen
from ...model import Drawn, Model, Value
from ..grid import Grid, Position, is_indexed

CHAINS = ("line", "thermometer", "arrow")
"""Kinds of drawings that are lines through cells in their order."""

OFF_GRID = ("map", "pair", "loop", "boxes", "helper", "word")
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
