"""Compute the shapes of the drawings that a spec declares.

``drawing_shapes`` returns the shapes of a grid's drawings. ``Moving`` applies it to the drawings that appear once
variables are fixed, such as shaded cells and paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot

from ...base.notation import intervals
from ...board.areas import outline
from ...board.drawn.drawing import GridDrawing, Spot, Stroke, grid_drawing, main_grid
from ...board.drawn.skins import drawings
from ...board.grid import Grid, Position, loops_of
from ...board.widths import text_width
from ...model import Domain, Drawn, Model, Value, Variable
from ..shapes import Point, Shape, box, disc, line, text
from ..style import TONES, WIDER
from .forms import CELL, TOP
from .layout import Placement
from .slots import EntrySlots

OUT = 28.0
"""Points between the middles of two texts beside a grid."""
FRAME = 3.0
"""Points from the border of a cell to the frame of a cage inside it."""
NAME_OF_LINE = re.compile(r"[^\W\d_]{2}")
"""A word: a text beside a grid that contains one is the name of a row or column, not a clue."""
INSET = 12.0
"""Points by which a circle is smaller than its cell."""
MAX_CANDIDATES, MAX_RANGES = 3, 2
"""Maximum numbers of remaining values and of ranges that the place of an expression lists; more values are counted."""
LINE_HEIGHT = 15.0
"""The distance of two lines of these texts, in points."""
DERIVED = {
    "border": "loop", "circle": "lamp", "disc": "found-ball", "text": "found-text inner", "corner": "corner",
}  # fmt: skip
"""The looks of drawings that appear once variables are fixed, by the name of the drawing."""


class Geometry:
    """The coordinates of a grid's cells, and of positions beside the grid.

    Attributes
    ----------
    grid : mapping of Variable to (int, int)
        The position of each cell, as row and column.
    seam : float
        The smallest distance between two cells, in points.
    cell : (float, float)
        The width and height of a cell.
    """

    def __init__(self, grid: Grid, points: Mapping[Variable, Point], cell: Point = (CELL, CELL)) -> None:
        self.grid = grid
        self.places = {*grid.values()}
        cells = [*grid.items()][::-1]  # of cells that are not level, the first decides
        self._xs = {c: points[v][0] for v, (_, c) in cells}
        self._ys = {r: points[v][1] for v, (r, _) in cells}
        self.cell = cell
        coordinates = (sorted(self._xs.values()), cell[0]), (sorted(self._ys.values()), cell[1])
        self.seam = min((b - a - side for axis, side in coordinates for a, b in pairwise(axis)), default=0.0)

    def is_within(self, place: Position) -> bool:
        """Return whether a position is between the grid's first and last row and column."""
        return min(self._ys) <= place[0] <= max(self._ys) and min(self._xs) <= place[1] <= max(self._xs)

    def at(self, place: Position) -> Point:
        """Return the middle point of a position inside or beside the grid."""
        width, height = self.cell
        return _coordinate(self._xs, place[1], width), _coordinate(self._ys, place[0], height)

    def side(self, first: Position, second: Position) -> tuple[Point, Point]:
        """Return the ends of two neighbours' common side; one may be off the grid."""
        inner, outer = (first, second) if first in self.places else (second, first)
        (x, y), half = self.at(inner), (CELL + self.seam) / 2
        down, across = outer[0] - inner[0], outer[1] - inner[1]
        x, y = x + across * half, y + down * half
        return (x - down * half, y - across * half), (x + down * half, y + across * half)

    def closed_line(self, corners: Sequence[Position], distance: float) -> list[Point]:
        """Return a closed line around cells, given their outline's corners and a distance.

        The inside is to the right of the line. A negative distance draws the line inside of the cells.
        """
        half = CELL / 2 + distance
        points = []
        for previous, (r, c), following in zip(
            [corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False
        ):
            incoming, outgoing = (previous, (r, c)), ((r, c), following)
            # Each corner joins a vertical and a horizontal side; their directions tell on which side the cells are.
            vertical, horizontal = (incoming, outgoing) if previous[1] == c else (outgoing, incoming)
            is_south = vertical[1][0] > vertical[0][0]
            is_east = horizontal[1][1] > horizontal[0][1]
            x = self._xs[c - 1] + half if is_south else self._xs[c] - half
            y = self._ys[r] - half if is_east else self._ys[r - 1] + half
            points.append((x, y))
        return [*points, points[0]]


def _coordinate(coordinate_of: Mapping[int, float], index: int, side: float) -> float:
    """Return the coordinate of a row or column, extrapolated outside of the grid.

    ``side`` is the height of a row, or the width of a column.
    """
    if index in coordinate_of:
        return coordinate_of[index]
    low, high = min(coordinate_of), max(coordinate_of)
    first_distance = side / 2 + OUT * 0.7
    if index < low:
        return coordinate_of[low] - first_distance - OUT * (low - index - 1)
    return coordinate_of[high] + first_distance + OUT * (index - high - 1)


def drawing_shapes(
    drawing: GridDrawing, geometry: Geometry, shows_values: Callable[[Position], bool], is_derived: bool = False
) -> Iterator[Shape]:
    """Yield the shapes of a spec's drawings (lines, shades, symbols) on one grid.

    ``is_derived`` draws in the style of values that the solver found, instead of the style of the puzzle.
    ``shows_values`` returns whether a cell shows values in its middle: texts then move to a corner, above for a
    printed text and below for a found one.
    """
    # Shades are below all other shapes.
    for place, colour in drawing.shades.items():
        yield box(f"tint-{colour or ('dark' if is_derived else 'grey')}", geometry.at(place), (CELL, CELL))
    for chain in drawing.chains:
        yield from _stroke_shapes(chain, geometry, is_derived)
    # Borders of rooms and cages run around their cells.
    for room in drawing.rooms:
        for corners in outline([place for place in room.places if place in geometry.places]):
            yield line("region", *geometry.closed_line(corners, geometry.seam / 2))
    for first, second in sorted(drawing.sides):
        yield line("loop" if is_derived else "region", *geometry.side(first, second))
    for room in drawing.cages:
        cells = [place for place in room.places if place in geometry.places]
        for corners in outline(cells):
            yield line("cage", *geometry.closed_line(corners, -FRAME))
        if room.text and cells:
            yield _corner_text(room.text, geometry.at(min(cells)))
    # Spots are symbols and texts, on top.
    for spot in drawing.spots:
        is_dark = drawing.shades.get(spot.places[0]) in ("black", "dark")
        yield from _spot_shapes(spot, geometry, shows_values, is_derived, is_dark)


def _stroke_shapes(stroke: Stroke, geometry: Geometry, is_derived: bool) -> Iterator[Shape]:
    """Yield the shapes of a line through cells: arrow, thermometer, path or plain line."""
    points = [geometry.at(place) for place in stroke.places]
    colour = stroke.colour or "grey"
    if is_derived and stroke.colour.lstrip("-").isdigit():
        yield from _parallel_lines(points[0], points[1], int(stroke.colour))
        return
    if is_derived:
        yield line(f"path-{stroke.colour}" if stroke.colour else "way", *points)
        return
    # An arrow begins at a ring, and ends in a head.
    if stroke.kind == "arrow" and len(points) > 1:
        (x, y), (p, q) = points[0], points[1]
        length = hypot(p - x, q - y)
        yield disc("ring", points[0], CELL - 10)
        start = x + (p - x) / length * (CELL / 2 - 5), y + (q - y) / length * (CELL / 2 - 5)
        yield line("shaft", start, *points[1:])
        (x, y), (p, q) = points[-2], points[-1]
        length = hypot(p - x, q - y)
        ux, uy = (p - x) / length, (q - y) / length
        sides = [(p - 11 * ux + side * 7 * uy, q - 11 * uy - side * 7 * ux) for side in (-1, 1)]
        yield line("shaft", sides[0], (p, q), sides[1])
        return
    # A thermometer begins with a bulb.
    if stroke.kind == "thermometer":
        yield disc(f"tint-{colour}", points[0], CELL - 14)
    if len(points) > 1:
        yield line(f"chain-{colour}{' stem' if stroke.kind == 'thermometer' else ''}", *points)
    elif stroke.kind == "line":
        yield disc(f"tint-{colour}", points[0], 14)


def _parallel_lines(start: Point, end: Point, count: int) -> Iterator[Shape]:
    """Yield ``count`` parallel lines between the circles in two cells, such as bridges."""
    (x, y), (p, q) = start, end
    length = hypot(p - x, q - y) or 1
    ux, uy = (p - x) / length, (q - y) / length
    for i in range(count):
        aside, short = (i - (count - 1) / 2) * 9, (CELL - INSET) / 2
        dx, dy = ux * short, uy * short
        yield line("way", *((a - aside * uy, b + aside * ux) for a, b in ((x + dx, y + dy), (p - dx, q - dy))))


def _spot_shapes(
    spot: Spot, geometry: Geometry, shows_values: Callable[[Position], bool], is_derived: bool, is_dark: bool
) -> Iterator[Shape]:
    """Yield the shapes of a symbol or text in, between or beside the grid's cells."""
    # The middle of a spot is that of its cell, or of the side between two cells.
    points = [geometry.at(place) for place in spot.places]
    middle = (points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2
    is_between, kind = len(points) > 1, spot.kind
    is_beside = not is_between and not geometry.is_within(spot.places[0])
    text_length = text_width(spot.text, 13)
    diameter = max(17.0, text_length + 8 if spot.text else 0) if is_between else CELL - INSET
    # Draw the symbol.
    if kind == "square" and (is_between or not is_derived):
        yield box(
            "frame" if is_between else "quad", middle, (diameter, diameter if not spot.text else max(17.0, diameter))
        )
    elif kind == "disc":
        look = "ball" if is_between else "found-ball" if is_derived else "orb"
        yield disc(look, middle, diameter if is_between else CELL - 22)
    elif kind == "circle":
        yield disc("bead" if is_between else "lamp" if is_derived else "ring", middle, diameter)
    # Write the text where no value and no symbol covers it.
    if not spot.text:
        return
    if kind == "text" and is_derived and not is_between and shows_values(spot.places[0]):
        yield text(spot.text, "found-text aside", (middle[0] + 19, middle[1] + 18), 20)
    elif kind == "corner" or (kind == "text" and not is_between and not is_beside and shows_values(spot.places[0])):
        yield _corner_text(spot.text, middle, 11 if shows_values(spot.places[0]) else 15)
    elif is_beside:
        look = "header" if NAME_OF_LINE.search(spot.text) else "clue"
        yield _beside_grid(text(spot.text, look, middle, 18 if len(spot.text) < 3 else 14), geometry, spot.places[0])
    elif is_between:
        (r, c), (s, d) = spot.places
        look = "said-ball" if kind == "disc" else "sign backed" if kind == "text" else "sign"
        yield text(spot.text, look, middle, 13 if kind != "text" else 20 if r != s and c != d else 16)
    elif is_dark:
        yield text(spot.text, "said-ball", middle, 26)
    elif kind == "text":
        size = min(30.0, (CELL - 8) / max(1.0, text_width(spot.text, 1)))
        yield text(spot.text, "found-text" if is_derived else "inner", middle, size)
    else:
        yield _corner_text(spot.text, middle) if shows_values(spot.places[0]) else text(spot.text, "inner", middle, 24)


def _beside_grid(clue: Shape, geometry: Geometry, place: Position) -> Shape:
    """Return a text beside a grid; wide texts at the sides move outwards."""
    excess = max(0.0, clue.points[1][0] * WIDER / 2 - OUT / 2)
    side = (place[1] > max(c for _, c in geometry.places)) - (place[1] < 0)
    return clue.moved((side * excess, 0), ())


def _corner_text(words: str, middle: Point, size: float = 11) -> Shape:
    """Return a text in the upper left corner of a cell."""
    x, y = middle
    left, top = x - CELL / 2 + 4, y - CELL / 2 + TOP / 2 + 1.5
    return text(words, "corner", (left + text_width(words, size) / 2, top + (size - 11) / 2), size)


def _candidates_text(candidates: Domain) -> tuple[list[str], float]:
    """Return the lines of an expression's remaining values, and their size.

    Few values are listed, and others are written as ranges without holes, each on a line. The values are counted if
    they have more ranges. An empty domain has a word.

    Examples
    --------
    >>> ranges = (*range(-11, 1), *range(2, 14)), (*range(-15, 0), *range(1, 16))
    >>> [_candidates_text(values)[0] for values in (*ranges, (4, 6, 9), (1, 3, 5, 7))]
    [['-11..0', '2..13'], ['-15..-1', '1..15'], ['4 6 9'], ['4 left']]
    """
    lines = [" ".join(map(str, candidates)) or "none"]
    if len(candidates) > MAX_CANDIDATES:
        ranges = intervals([value for value in candidates if isinstance(value, int)])
        is_whole = len(ranges) <= MAX_RANGES and sum(high - low + 1 for low, high in ranges) == len(candidates)
        texts = [str(low) if low == high else f"{low}..{high}" for low, high in ranges]
        lines = texts if is_whole else [f"{len(candidates)} left"]
    width = max(text_width(line_text, 1) for line_text in lines)
    return lines, min(15.0, (CELL - 8) / max(1.0, width))


class Moving:
    """The drawings of a spec that appear once variables are fixed.

    Attributes
    ----------
    drawings_of : mapping of Variable to tuple of int
        For each variable, the numbers of the drawings that depend on it.
    under : frozenset of Variable
        The cells under which a drawing may appear.
    """

    def __init__(
        self,
        model: Model,
        layout: Placement,
        given: Mapping[Variable, Value] | None = None,
        slots: Mapping[Drawn, EntrySlots] | None = None,
    ) -> None:
        self._given = {v: (value,) for v, value in (given or {}).items()}
        # Only grids of plain cells have room for drawings.
        grids = [puzzle.grid for puzzle in layout.puzzles if all(map(layout.is_cell, puzzle.grid))]
        home_grid = {v: grid for grid in grids for v in grid}
        # Entries without a grid of their own are drawn on the main grid, or else on the first sheet.
        main = main_grid(model, grids) or next((sheet.grid for sheet in layout.sheets), None)
        self._entries = [entry for entry in drawings(model) if entry.variables] if main else []
        sheet_entries = [(entry, sheet.grid) for sheet in layout.sheets for entry in sheet.entries if entry.variables]
        self._loops = frozenset(loops_of(model))
        # Find the points of the positions of each grid and each sheet.
        self._geometries = {id(grid): Geometry(grid, layout.points) for grid in grids}
        self._geometries |= {id(sheet.grid): Geometry(sheet.grid, layout.slips, layout.slip) for sheet in layout.sheets}
        self._grids = [
            *(self._home_grid(entry, home_grid) or main or {} for entry in self._entries),
            *(grid for _, grid in sheet_entries),
        ]
        self._entries += [entry for entry, _ in sheet_entries]
        # Find the cells in which values are printed, so that texts avoid their middle.
        self._value_positions = {
            id(grid): {position for v, position in grid.items() if not layout.forms[v].skin} for grid in grids
        }
        # A text may have a helper: the variable that stands for its expression.
        names = {number: str(entry.value) for number, entry in enumerate(self._entries) if entry.name == "text"}
        self._helpers = {
            number: Variable(name)
            for number, name in names.items()
            if name in model.domains and name not in self._entries[number].variables
        }
        # Until the variables of all of them are fixed, entries with slots show the values of their helpers.
        self._slots = {i: slots[entry] for i, entry in enumerate(self._entries) if slots and entry in slots}
        self._free = tuple(dict.fromkeys(v for i in self._slots for v in self._entries[i].variables))
        self._cache: dict[tuple[int, tuple[Value, ...]], tuple[Shape, ...]] = {}
        # Index the drawings by variable.
        self.drawings_of: dict[Variable, tuple[int, ...]] = {}
        for number, entry in enumerate(self._entries):
            helper = [self._helpers[number]] if number in self._helpers else []
            helper += [self._slots[number].helper, *self._free] if number in self._slots else []
            for v in dict.fromkeys([*entry.variables, *helper]):
                self.drawings_of[v] = (*self.drawings_of.get(v, ()), number)
        low_entries = [i for i, entry in enumerate(self._entries) if entry.name in ("shade", "join", "circle", "disc")]
        self.under = frozenset(v for i in low_entries for v in self._grids[i])

    def shapes(self, domains: Mapping[Variable, Domain]) -> list[Shape]:
        """Return the shapes of all drawings whose variables are fixed in ``domains``.

        Examples
        --------
        >>> from csp import Equality
        >>> from .layout import layout
        >>> dark = Variable("dark", 1, 1)
        >>> model = Model({dark: (0, 1)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))])
        >>> moving = Moving(model, layout(model))
        >>> [len(moving.shapes({dark: domain})) for domain in ((0, 1), (0,), (1,))]
        [0, 0, 1]
        """
        return [shape for number in range(len(self._entries)) for shape in self.drawing_shapes(number, domains)]

    def drawing_shapes(self, number: int, domains: Mapping[Variable, Domain]) -> tuple[Shape, ...]:
        """Return the shapes of the drawing ``number``; empty while a variable is unfixed.

        A given variable counts as fixed from the beginning. Parts of loops and borders are exceptions: a puzzle never
        prints them. A text with a helper shows the remaining values of the helper before, or their ranges, and if the
        helper lacks the value of the text. A single value of the helper looks like the text. A text with slots is
        in all of them that remain, until all such texts have one place.
        """
        entry = self._entries[number]
        is_printed = entry.name not in ("join", "border")  # a puzzle never prints parts of loops or borders
        remaining_domains = [(is_printed and self._given.get(v)) or domains[v] for v in entry.variables]
        is_fixed = all(len(domain) == 1 for domain in remaining_domains)
        if number in self._slots and any(len(domains[v]) != 1 for v in self._free):
            return tuple(self._possible_texts(number, domains))
        # Wait until each variable has one value.
        if not all(remaining_domains) or not (is_fixed or number in self._helpers):
            return ()
        shapes = self._shapes_of_values(number, tuple(domain[0] for domain in remaining_domains))
        if number not in self._helpers:
            return shapes
        # The helper of a text may have few values before, or lack the value of the text.
        candidates = domains[self._helpers[number]]
        if is_fixed and any(shape.text in map(str, candidates) for shape in shapes):
            return shapes
        lines, size = _candidates_text(candidates)
        if len(candidates) == 1:
            return tuple(shape._replace(text=lines[0], size=min(shape.size, 2 * size)) for shape in shapes)
        look = "possible" if candidates else "empty"
        return tuple(
            shape._replace(look=look, text=words, size=size).shifted((0, (i - (len(lines) - 1) / 2) * LINE_HEIGHT))
            for shape in shapes
            for i, words in enumerate(lines)
        )

    def _possible_texts(self, number: int, domains: Mapping[Variable, Domain]) -> Iterator[Shape]:
        """Yield the text of an entry in each of its slots that remains."""
        slots = self._slots[number]
        remaining = domains[slots.helper]
        for value in remaining:
            if value in slots.boxes:
                middle, (_, side) = slots.boxes[value]
                yield text(slots.label, "possible" if remaining[1:] else "found-text", middle, min(15.0, side * 0.75))

    def _shapes_of_values(self, number: int, fixed_values: tuple[Value, ...]) -> tuple[Shape, ...]:
        """Return the shapes of the drawing ``number`` if its variables have these values."""
        # Draw each combination of values once.
        key = number, fixed_values
        if key not in self._cache:
            entry, grid = self._entries[number], self._grids[number]
            values: dict[str, Value] = dict(zip(entry.variables, fixed_values, strict=True))
            drawing = grid_drawing([entry], grid, self._loops, values)
            shows_values = self._value_positions.get(id(grid), set()).__contains__
            shapes = drawing_shapes(drawing, self._geometries[id(grid)], shows_values, is_derived=True)
            # A text that follows from given variables alone is printed like a clue.
            is_given = self._given.keys() >= {*entry.variables}
            styled_shapes = [
                shape._replace(look="inner") if is_given and "found-text" in shape.look.split() else shape
                for shape in shapes
            ]
            self._cache[key] = tuple(styled_shapes)
        return self._cache[key]

    @property
    def aside_families(self) -> frozenset[str]:
        """The families whose values are small texts in cells with another value."""
        return frozenset(
            v.family
            for entry, grid in zip(self._entries, self._grids, strict=True)
            if entry.name == "text" and self._value_positions.get(id(grid))
            for v in entry.variables
            if v not in grid
        )

    @property
    def looks(self) -> frozenset[str]:
        """The looks that the drawings can have."""
        looks: set[str] = set()
        for entry in self._entries:
            tone = entry.value if isinstance(entry.value, str) and entry.value in TONES else ""
            if entry.name == "shade":
                looks.add(f"tint-{tone or 'dark'}")
            elif entry.name == "join":
                looks.add(f"path-{tone}" if tone else "way")
            elif entry.name in DERIVED:
                looks.update(DERIVED[entry.name].split())
        return frozenset(looks)

    def affected_drawings(self, variables: Iterable[Variable]) -> set[int]:
        """Return the numbers of the drawings that depend on any of ``variables``."""
        return {number for v in variables for number in self.drawings_of.get(v, ())}

    def _home_grid(
        self, entry: Drawn, home_grid: Mapping[Variable, Mapping[Variable, tuple[int, int]]]
    ) -> Mapping[Variable, tuple[int, int]] | None:
        """Return the grid of the drawing's variable that has the drawing's indices, or None."""
        anchors = [v for v in entry.variables if v.indices == entry.indices and v in home_grid]
        return home_grid[anchors[0]] if anchors else None
