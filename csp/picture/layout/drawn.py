"""What the spec says is drawn, as marks in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot

from ...board.areas import outline
from ...board.drawn.drawing import GridDrawing, Spot, Stroke
from ...board.grid import Grid, Position
from ...board.widths import text_width
from ...model import Variable
from ..shapes import Point, Shape, box, disc, line, text
from ..style import WIDER
from .forms import CELL, TOP

OUT = 28.0
"""From the middle of what stands beside a grid to the next of it."""
FRAME = 3.0
INSET = 12.0
"""Less than a cell is a circle in it."""


class Geometry:
    """Where the cells of a grid are, and what is beside it.

    Attributes
    ----------
    grid : mapping of Variable to (int, int)
    seam : float
        The least room between two cells.
    """

    def __init__(self, grid: Grid, points: Mapping[Variable, Point]) -> None:
        self.grid = grid
        self.places = {*grid.values()}
        self._xs = {c: points[v][0] for v, (_, c) in grid.items()}
        self._ys = {r: points[v][1] for v, (r, _) in grid.items()}
        order = sorted(self._xs.values()), sorted(self._ys.values())
        self.seam = min((b - a for one in order for a, b in pairwise(one)), default=CELL) - CELL

    def is_within(self, place: Position) -> bool:
        """Whether a place is in a row and a column of the grid."""
        return min(self._ys) <= place[0] <= max(self._ys) and min(self._xs) <= place[1] <= max(self._xs)

    def at(self, place: Position) -> Point:
        """The middle of a place."""
        return _along(self._xs, place[1]), _along(self._ys, place[0])

    def side(self, one: Position, other: Position) -> tuple[Point, Point]:
        """The side between two neighbours, of which one may be beside the grid."""
        inner, outer = (one, other) if one in self.places else (other, one)
        (x, y), half = self.at(inner), (CELL + self.seam) / 2
        down, across = outer[0] - inner[0], outer[1] - inner[1]
        x, y = x + across * half, y + down * half
        return (x - down * half, y - across * half), (x + down * half, y + across * half)

    def way(self, corners: Sequence[Position], away: float) -> list[Point]:
        """A closed way around cells, this far outside of them; what is inside lies to the right of it."""
        half = CELL / 2 + away
        found = []
        for before, (r, c), after in zip([corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False):
            one, other = (before, (r, c)), ((r, c), after)
            vertical, level = (one, other) if before[1] == c else (other, one)
            is_south = vertical[1][0] > vertical[0][0]
            is_east = level[1][1] > level[0][1]
            x = self._xs[c - 1] + half if is_south else self._xs[c] - half
            y = self._ys[r] - half if is_east else self._ys[r - 1] + half
            found.append((x, y))
        return [*found, found[0]]


def _along(line: Mapping[int, float], index: int) -> float:
    if index in line:
        return line[index]
    low, high = min(line), max(line)
    first = CELL / 2 + OUT * 0.7
    if index < low:
        return line[low] - first - OUT * (low - index - 1)
    return line[high] + first + OUT * (index - high - 1)


def drawing_shapes(
    said: GridDrawing, where: Geometry, is_open: Callable[[Position], bool], is_found: bool = False
) -> Iterator[Shape]:
    """The marks of all that is drawn; what follows from values is told from what the puzzle says.

    A text stands in the corner of a cell whose values stand in its middle: above what is printed, below what is found.
    """
    for place, colour in said.shades.items():
        yield box(f"tint-{colour or ('dark' if is_found else 'grey')}", where.at(place), (CELL, CELL))
    for chain in said.chains:
        yield from _chain(chain, where, is_found)
    for room in said.rooms:
        for way in outline([place for place in room.places if place in where.places]):
            yield line("region", *where.way(way, where.seam / 2))
    for one, other in sorted(said.sides):
        yield line("loop" if is_found else "region", *where.side(one, other))
    for room in said.cages:
        cells = [place for place in room.places if place in where.places]
        for way in outline(cells):
            yield line("cage", *where.way(way, -FRAME))
        if room.text and cells:
            yield _cornered(room.text, where.at(min(cells)))
    for spot in said.spots:
        is_dark = said.shades.get(spot.places[0]) in ("black", "dark")
        yield from _spot(spot, where, is_open, is_found, is_dark)


def _chain(chain: Stroke, where: Geometry, is_found: bool) -> Iterator[Shape]:
    points = [where.at(place) for place in chain.places]
    colour = chain.colour or "grey"
    if is_found and chain.colour.lstrip("-").isdigit():
        yield from _parallel(points[0], points[1], int(chain.colour))
        return
    if is_found:
        yield line(f"path-{chain.colour}" if chain.colour else "way", *points)
        return
    if chain.kind == "arrow" and len(points) > 1:
        (x, y), (p, q) = points[0], points[1]
        far = hypot(p - x, q - y)
        yield disc("ring", points[0], CELL - 10)
        start = x + (p - x) / far * (CELL / 2 - 5), y + (q - y) / far * (CELL / 2 - 5)
        yield line("shaft", start, *points[1:])
        (x, y), (p, q) = points[-2], points[-1]
        far = hypot(p - x, q - y)
        ux, uy = (p - x) / far, (q - y) / far
        sides = [(p - 11 * ux + side * 7 * uy, q - 11 * uy - side * 7 * ux) for side in (-1, 1)]
        yield line("shaft", sides[0], (p, q), sides[1])
        return
    if chain.kind == "thermometer":
        yield disc(f"tint-{colour}", points[0], CELL - 14)
    if len(points) > 1:
        yield line(f"chain-{colour}{' stem' if chain.kind == 'thermometer' else ''}", *points)
    elif chain.kind == "line":
        yield disc(f"tint-{colour}", points[0], 14)


def _parallel(one: Point, other: Point, number: int) -> Iterator[Shape]:
    """So many lines side by side, from the circle in one cell to that in another."""
    (x, y), (p, q) = one, other
    far = hypot(p - x, q - y) or 1
    ux, uy = (p - x) / far, (q - y) / far
    for i in range(number):
        aside, short = (i - (number - 1) / 2) * 9, (CELL - INSET) / 2
        dx, dy = ux * short, uy * short
        yield line("way", *((a - aside * uy, b + aside * ux) for a, b in ((x + dx, y + dy), (p - dx, q - dy))))


def _spot(
    spot: Spot, where: Geometry, is_open: Callable[[Position], bool], is_found: bool, is_dark: bool
) -> Iterator[Shape]:
    """What stands in a cell, or between two."""
    points = [where.at(place) for place in spot.places]
    middle = (points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2
    is_between, kind = len(points) > 1, spot.kind
    is_beside = not is_between and not where.is_within(spot.places[0])
    wide = text_width(spot.text, 13)
    across = max(17.0, wide + 8 if spot.text else 0) if is_between else CELL - INSET
    if kind == "square" and (is_between or not is_found):
        yield box("frame" if is_between else "quad", middle, (across, across if not spot.text else max(17.0, across)))
    elif kind == "disc":
        yield disc("ball" if is_between or is_found else "orb", middle, across if is_between else CELL - 22)
    elif kind == "circle":
        yield disc("bead" if is_between else "lamp" if is_found else "ring", middle, across)
    if not spot.text:
        return
    if kind == "text" and is_found and not is_between and is_open(spot.places[0]):
        yield text(spot.text, "found-text", (middle[0] + 19, middle[1] + 18), 20)
    elif kind == "corner" or (kind == "text" and not is_between and not is_beside and is_open(spot.places[0])):
        yield _cornered(spot.text, middle, 11 if is_open(spot.places[0]) else 15)
    elif is_beside:
        yield _beside(text(spot.text, "clue", middle, 18 if len(spot.text) < 3 else 14), where, spot.places[0])
    elif is_between:
        (r, c), (s, d) = spot.places
        look = "said-ball" if kind == "disc" else "sign backed" if kind == "text" else "sign"
        yield text(spot.text, look, middle, 13 if kind != "text" else 20 if r != s and c != d else 16)
    elif is_dark:
        yield text(spot.text, "said-ball", middle, 26)
    elif kind == "text":
        size = min(30.0, (CELL - 8) / max(1.0, text_width(spot.text, 1)))
        yield text(spot.text, "found-text" if is_found else "inner", middle, size)
    else:
        yield _cornered(spot.text, middle) if is_open(spot.places[0]) else text(spot.text, "inner", middle, 24)


def _beside(clue: Shape, where: Geometry, place: Position) -> Shape:
    """A text beside a grid, further out if it is too wide for its room."""
    over = max(0.0, clue.points[1][0] * WIDER / 2 - OUT / 2)
    side = (place[1] > max(c for _, c in where.places)) - (place[1] < 0)
    return clue.moved((side * over, 0), ())


def _cornered(words: str, middle: Point, size: float = 11) -> Shape:
    x, y = middle
    left, top = x - CELL / 2 + 4, y - CELL / 2 + TOP / 2 + 1.5
    return text(words, "corner", (left + text_width(words, size) / 2, top + (size - 11) / 2), size)
