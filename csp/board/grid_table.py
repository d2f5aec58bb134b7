"""A grid and what is printed on it as rows and columns, for painters that have no points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..ground.frozen import Frozen
from ..model import Model, Variable
from .areas import Area, sides
from .borders import DRAWN, Borders
from .drawn.said import Room
from .drawn.skins import undrawn
from .grid import Position, find_grids, grid_gaps
from .puzzle import PrintedGrid, find_puzzle
from .signs import unsaid


class GridTable(Frozen):
    """One grid.

    Attributes
    ----------
    cells : mapping of (int, int) to Variable
        By row and column, from 0.
    right, below : mapping of (int, int) to str
        What the side of a cell is the border of, ``region``, ``cage`` or ``both``, or the sign on it. The left and
        upper sides are those of the places before.
    corners : mapping of (int, int) to str
        What is asked of a cage, in its first cell, or of the cells around one, or what the spec shows in a cell.
    beside : mapping of (int, int) to str
        Clues, where there are no cells; ``16\\\\9`` for what is asked of the run below and of that on the right.
    black : frozenset of (int, int)
        The places of a crossword that are no cells.
    shaded : frozenset of (int, int)
        The cells of windows and diagonals.
    row_gaps, column_gaps : frozenset of int
        After which rows and columns a box ends.
    """

    cells: Mapping[Position, Variable]
    right: Mapping[Position, str]
    below: Mapping[Position, str]
    corners: Mapping[Position, str]
    beside: Mapping[Position, str]
    black: frozenset[Position]
    shaded: frozenset[Position]
    row_gaps: frozenset[int]
    column_gaps: frozenset[int]

    @property
    def rows(self) -> range:
        """All rows in which something stands."""
        return self._span(0)

    @property
    def columns(self) -> range:
        """All columns in which something stands."""
        return self._span(1)

    @property
    def is_marked(self) -> bool:
        """Whether more is printed than regions: cages, signs, sums and clues that are not all alike."""
        frames = {*self.right.values(), *self.below.values()} - {"region"}
        return bool(self.corners or frames or len({*self.beside.values()}) > 1)

    def framed(self, texts: Mapping[Variable, str]) -> str:
        """The grid with all that is printed on it, and a text in every cell.

        Examples
        --------
        >>> from csp import Affine, Linear
        >>> row = [Variable("x", 1, c) for c in (1, 2)]
        >>> less = Linear(Affine.variable(row[0]), "<", Affine.variable(row[1]))
        >>> [table] = grid_tables(Model(dict.fromkeys(row, range(9)), [less]))
        >>> print(table.framed(dict(zip(row, "34", strict=True))))
        3<4

        A clue of several words above or below a column stands in as many lines.
        """
        rows = {r for r, _ in self.cells}
        beside = {at: [words] if at[0] in rows else words.split() for at, words in self.beside.items()}
        width = dict.fromkeys(self.columns, max(len(text) for text in texts.values()))
        above = {(r - 1, c): words for (r, c), words in self.corners.items()}
        for (_, c), words in (*beside.items(), *((at, [one]) for at, one in above.items())):
            width[c] = max(width[c], *map(len, words), 0)
        borders = Borders(self.right, self.below, width, DRAWN, self.column_gaps, above)
        lines = []
        for r in (self.rows[0] - 1, *self.rows):
            high = max([len(words) for (row, _), words in beside.items() if row == r], default=int(r in self.rows))
            for level in range(high):
                line = borders.after(r, self.columns[0] - 1)
                for c, wide in width.items():
                    words = beside.get((r, c), [])
                    own = (
                        [texts[self.cells[r, c]] or "."] if (r, c) in self.cells else [""] * (high - len(words)) + words
                    )
                    line += own[level].rjust(wide) + borders.after(r, c)
                lines.append(line.rstrip())
            if (under := borders.under(r)) is not None:
                lines.append(under)
        return "\n".join(lines)

    def _span(self, axis: int) -> range:
        found = [place[axis] for place in (*self.cells, *self.beside)]
        return range(min(found), max(found) + 1)


def grid_tables(model: Model, origins: Sequence[Sequence[int]] = ()) -> list[GridTable]:
    """The grids of a model, as tables.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> row = [Variable("x", 1, c) for c in (1, 2, 3)]
    >>> nine = Linear(Affine.variable(row[0]) + Affine.variable(row[1]), "=", Affine((), 9))
    >>> [table] = grid_tables(Model(dict.fromkeys(row, range(9)), [nine]))
    >>> table.corners, table.right
    ({(0, 0): '9'}, {(0, -1): 'cage', (0, 1): 'cage'})
    """
    hidden = unsaid(model, origins)
    grids = find_grids(model, undrawn(model))
    return [
        _table(
            find_puzzle(model, grid, hidden),
            *grid_gaps(model, grid, hidden),
            frozenset(place for v, place in grid.items() if len(model.domains[v]) == 1),
        )
        for grid in grids
    ]


def _table(
    puzzle: PrintedGrid, row_gaps: frozenset[int], column_gaps: frozenset[int], told: frozenset[Position]
) -> GridTable:
    grid = puzzle.grid
    right, below = (
        {place: "both" if place in regions & cages else "region" if place in regions else "cage"
         for place in sorted(regions | cages)}
        for regions, cages in zip(
            sides([*puzzle.areas.regions, *_areas(puzzle, puzzle.said.rooms)], grid),
            sides([*puzzle.cages, *_areas(puzzle, puzzle.said.cages)], grid), strict=True,
        )
    )  # fmt: skip
    for one, other in puzzle.said.sides:
        (right if one[0] == other[0] else below)[one] = "region"
    for sign in puzzle.signs:
        one, other = grid[sign.one], grid[sign.other]
        (right if one[0] == other[0] else below)[one] = sign.text
    places = {*grid.values()}
    beside = dict(_blacks(puzzle)) if puzzle.across or puzzle.down else {}
    for clue in () if puzzle.lean else puzzle.clues:
        (r, c), (s, d) = (grid[v] for v in clue.cells[:2])
        beside.setdefault((2 * r - s, 2 * c - d), clue.text)
    spots = {one.places[0]: one.text for one in puzzle.said.spots if len(one.places) == 1 and one.text}
    beside |= {place: words for place, words in spots.items() if place not in places}
    return GridTable(
        cells={place: v for v, place in grid.items()},
        right=right,
        below=below,
        corners={grid[v]: words for v, words in puzzle.facts.items()}
        | {min(cells): one.text for one in puzzle.said.cages if one.text and (cells := places.intersection(one.places))}
        | {place: words for place, words in spots.items() if place not in beside and place not in told}
        | {grid[one.cells[0]]: one.text for one in (*puzzle.corners, *puzzle.cages)},
        beside=beside,
        black=frozenset(beside if puzzle.across or puzzle.down else ()),
        shaded=frozenset([*(grid[v] for one in puzzle.areas.shaded for v in one.cells), *puzzle.said.shades]),
        row_gaps=row_gaps,
        column_gaps=column_gaps,
    )


def _areas(puzzle: PrintedGrid, rooms: Iterable[Room]) -> list[Area]:
    at = {place: v for v, place in puzzle.grid.items()}
    return [Area(-1, tuple(at[place] for place in one.places if place in at), one.text) for one in rooms]


def _blacks(puzzle: PrintedGrid) -> Iterator[tuple[Position, str]]:
    """The black places, each with what is asked of the run below it and of that on its right."""
    down = {(r - 1, c): one.text for one in puzzle.down for r, c in [puzzle.grid[one.cells[0]]]}
    across = {(r, c - 1): one.text for one in puzzle.across for r, c in [puzzle.grid[one.cells[0]]]}
    white = {*puzzle.grid.values()}
    for r in range(-1, max(r for r, _ in white) + 1):
        for c in range(-1, max(c for _, c in white) + 1):
            if (r, c) not in white:
                text = down.get((r, c), ""), across.get((r, c), "")
                yield (r, c), "\\".join(text) if any(text) else ""
