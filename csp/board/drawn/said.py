"""What the spec says is drawn on a grid: lines, borders, cages, signs on cells and between them, texts beside."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from ...ground.frozen import Frozen
from ...model import Drawn, Model, Value
from ..grid import Grid, Position, is_indexed

CHAINS = ("line", "thermometer", "arrow")
OFF_GRID = ("map", "pair", "loop", "helper")


class Stroke(Frozen):
    """A line along cells, of a kind and in a colour."""

    kind: str
    colour: str
    places: tuple[Position, ...]


class Spot(Frozen):
    """What stands in a cell, beside the grid, or between two cells."""

    kind: str
    places: tuple[Position, ...]
    text: str


class Room(Frozen):
    """Cells with a frame of their own, and what is asked of them."""

    places: tuple[Position, ...]
    text: str = ""


class Said(Frozen):
    """All that is said of one grid, in rows and columns from 0; what is beside it is less than 0 or more than the last.

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
        """Whether what a guess would show of some cells is drawn anyhow; of cells in a line, also beyond its ends.

        Examples
        --------
        >>> one = Said((Stroke("line", "", ((0, 0), (0, 1))),))
        >>> one.covers([(0, 1), (0, 0)]), one.covers([(0, 1), (1, 1)])
        (True, False)
        """
        own = set(cells)
        for group in [*(one.places for one in self.chains), *(one.places for one in (*self.rooms, *self.cages))]:
            if own.issubset(group):
                return True
        for one in self.spots:
            (r, c), (s, d) = one.places[0], one.places[-1]
            if len(one.places) > 1 and all(r <= i <= s and min(c, d) <= j <= max(c, d) for i, j in own):
                return True
            if len(one.places) == 1 and _is_before((r, c), sorted(own)):
                return True
        return any(own == {*pair} for pair in self.sides)


def _is_before(place: Position, line: Sequence[Position]) -> bool:
    """Whether a place lies on the way of neighbours in a line, beyond its ends."""
    steps = {(s - r, d - c) for (r, c), (s, d) in pairwise(line)}
    if len(steps) != 1 or len(line) < 3:
        return False
    [(i, j)] = steps
    (r, c), (s, d) = line[0], line[-1]
    before, after = (r - place[0], c - place[1]), (place[0] - s, place[1] - d)
    return any(max(abs(p), abs(q)) and (p, q) == (i * k, j * k) for p, q in (before, after) for k in (1, 2, 3))


def main_grid(model: Model, grids: Iterable[Grid]) -> Grid | None:
    """The grid on which all is drawn that is not said of the values of another: the first whose cells have indices.

    Examples
    --------
    >>> from csp import Variable
    >>> cell = Variable("cell", 1, 1)
    >>> main_grid(Model({cell: (1,)}), [{Variable("A"): (0, 0)}, {cell: (0, 0)}])
    {'cell(1,1)': (0, 0)}
    """
    return next((grid for grid in grids if grid and all(map(is_indexed, grid))), None)


def said(
    entries: Iterable[Drawn], grid: Grid, loops: Collection[str] = (), values: Mapping[str, Value] | None = None
) -> Said:
    """What is drawn on a grid where all variables that it needs have a value; without values, whatever they are.

    Examples
    --------
    >>> from csp import Drawn, Variable
    >>> grid = {Variable("cell", 1, c): (0, c - 1) for c in (1, 2, 3)}
    >>> entries = [Drawn("line", (1, c, 7 * c), "green") for c in (1, 2, 3)]
    >>> [len(one.places) for one in said(entries, grid).chains], said([Drawn("text", (0, 2), 5)], grid).spots
    ([1, 1, 1], (Spot(kind='text', places=((-1, 1),), text='5'),))
    """
    values = values or {}
    if not all(map(is_indexed, grid)):
        return Said()
    scale = 2 if any(v.family in loops for v in grid) else 1
    ranks = [{int(v.indices[axis]) // scale: place[axis] for v, place in grid.items()} for axis in (0, 1)]
    chained: dict[tuple[str, str, Value], dict[int, Position]] = {}
    rooms: dict[tuple[str, Value], dict[Position, None]] = {}
    texts: dict[tuple[str, Value], str] = {}
    spots: dict[tuple[str, tuple[Position, ...]], list[str]] = {}
    sides: set[tuple[Position, Position]] = set()
    shades: dict[Position, str] = {}
    segments: list[Stroke] = []
    for one in entries:
        if one.name in OFF_GRID or any(v not in values for v in one.variables):
            continue
        indices = one.place(values)
        if indices is None or (one.condition is not None and not one.condition.check(values)):
            continue
        text = "" if one.value is None else str(one.shown(values))
        length = 2 if one.name in CHAINS else len(indices) // 2 * 2
        numbers = [_rank(int(index), ranks[i % 2]) for i, index in enumerate(indices[:length])]
        places = tuple((numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2))
        last = indices[-1]
        if one.name == "join":
            segments.append(Stroke("line", text, places))
        elif one.name in CHAINS:
            line = last if len(indices) == 4 else ""
            chained.setdefault((one.name, text, line), {})[int(indices[2])] = places[0]
        elif one.name == "border" and len(places) == 2:
            sides.add((min(places), max(places)))
        elif one.name in ("border", "cage"):
            rooms.setdefault((one.name, last), {})[places[0]] = None
            if text:
                texts[one.name, last] = text
        elif one.name == "shade":
            shades[places[0]] = text
        else:
            spots.setdefault((one.name, places), []).append(text)
    return Said(
        (*(Stroke(kind, colour, way) for (kind, colour, _), of in chained.items() for way in _ways(of)), *segments),
        tuple(Spot(kind, places, joined(own, kind == "text")) for (kind, places), own in spots.items()),
        tuple(Room(tuple(own)) for (kind, _), own in rooms.items() if kind == "border"),
        tuple(Room(tuple(own), texts.get((kind, key), "")) for (kind, key), own in rooms.items() if kind == "cage"),
        frozenset(sides),
        shades,
    )


def joined(texts: list[str], apart: bool) -> str:
    """Several texts of one place beside each other; those of a sign are close, if they are short."""
    own = [text for text in texts if text]
    return (" " if apart or any(len(text) > 1 for text in own) else "").join(own)


def _ways(of: Mapping[int, Position]) -> Iterable[tuple[Position, ...]]:
    """Cells with numbers that follow each other; a gap begins another line."""
    way: list[Position] = []
    for number in sorted(of):
        if way and number - 1 not in of:
            yield tuple(way)
            way = []
        way.append(of[number])
    if way:
        yield tuple(way)


def _rank(index: int, ranks: Mapping[int, int]) -> int:
    """The number of a row or a column; of what lies beyond, as if it went on."""
    if index in ranks or not ranks:
        return ranks.get(index, index)
    first, last = min(ranks), max(ranks)
    if first < index < last:
        return ranks[max(one for one in ranks if one < index)]
    end = first if index < first else last
    return ranks[end] + index - end
