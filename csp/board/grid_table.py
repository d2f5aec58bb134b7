"""Collect what one grid prints, in rows and columns, and write it as text.

Terminal, notebook and answers share this table, so that they show the same signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..base.frozen import Frozen
from ..model import Model, Variable
from .areas import Area, border_places
from .borders import DRAWN, Borders
from .clues import unstated_constraints
from .drawn.drawing import Room
from .drawn.skins import undrawn_variables
from .grid import Position, find_grids, grid_gaps
from .puzzle import PrintedGrid, find_puzzle


class GridTable(Frozen):
    """A printed grid as a table: cells, borders, signs and clues.

    Attributes
    ----------
    cells : mapping of (int, int) to Variable
        By row and column, from 0.
    right, below : mapping of (int, int) to str
        The border or sign on that side of a cell: ``region``, ``cage``, ``both``, or the sign. The left and upper sides
        of a cell belong to its neighbours.
    corners : mapping of (int, int) to str
        The clue of a cage, in its first cell; the clue of the cells around one; or a text of the spec.
    beside : mapping of (int, int) to str
        Clues at places without a cell; ``16\\\\9`` for the clues of the run below and of the run to the right.
    black : frozenset of (int, int)
        The places of a crossword without a cell.
    shaded : frozenset of (int, int)
        The cells of windows and diagonals.
    row_gaps, column_gaps : frozenset of int
        The rows and columns after which a box ends.
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
        """The range of rows from the first to the last with a cell or clue."""
        return self._span(0)

    @property
    def columns(self) -> range:
        """The range of columns from the first to the last with a cell or clue."""
        return self._span(1)

    @property
    def is_marked(self) -> bool:
        """Whether the table has cages, signs, clues in cells, or different clues beside the grid."""
        frames = {*self.right.values(), *self.below.values()} - {"region"}
        return bool(self.corners or frames or len({*self.beside.values()}) > 1)

    def write_text(self, texts: Mapping[Variable, str]) -> str:
        """Return the grid as text: ``texts`` in the cells, with borders, signs and clues.

        A clue of several words above or below a column has a line for each word.

        Examples
        --------
        >>> from csp import Affine, Linear
        >>> row = [Variable("x", 1, c) for c in (1, 2)]
        >>> less = Linear(Affine.variable(row[0]), "<", Affine.variable(row[1]))
        >>> [table] = grid_tables(Model(dict.fromkeys(row, range(9)), [less]))
        >>> print(table.write_text(dict(zip(row, "34", strict=True))))
        3<4
        """
        rows = {r for r, _ in self.cells}
        beside = {at: [text] if at[0] in rows else text.split() for at, text in self.beside.items()}
        width = dict.fromkeys(self.columns, max(len(text) for text in texts.values()))
        above = {(r - 1, c): text for (r, c), text in self.corners.items()}
        for (_, c), lines_of_clue in (*beside.items(), *((at, [text]) for at, text in above.items())):
            width[c] = max(width[c], *map(len, lines_of_clue), 0)
        borders = Borders(self.right, self.below, width, DRAWN, self.column_gaps, above)
        lines = []
        for r in (self.rows[0] - 1, *self.rows):
            height = max(
                [len(lines_of_clue) for (row, _), lines_of_clue in beside.items() if row == r],
                default=int(r in self.rows),
            )
            # A row has as many lines as the longest clue beside it; the values are on the first.
            for line_number in range(height):
                line = borders.after(r, self.columns[0] - 1)
                for c, cell_width in width.items():
                    lines_of_clue = beside.get((r, c), [])
                    cell_lines = (
                        [texts[self.cells[r, c]] or "."]
                        if (r, c) in self.cells
                        else [""] * (height - len(lines_of_clue)) + lines_of_clue
                    )
                    line += cell_lines[line_number].rjust(cell_width) + borders.after(r, c)
                lines.append(line.rstrip())
            if (under := borders.under(r)) is not None:
                lines.append(under)
        return "\n".join(lines)

    def _span(self, axis: int) -> range:
        """Return the range of rows or columns that contain cells or clues."""
        indices = [place[axis] for place in (*self.cells, *self.beside)]
        return range(min(indices), max(indices) + 1)


def grid_tables(model: Model, origins: Sequence[Sequence[int]] = ()) -> list[GridTable]:
    """Return for each grid of a model a ``GridTable`` of what is printed on it.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> row = [Variable("x", 1, c) for c in (1, 2, 3)]
    >>> nine = Linear(Affine.variable(row[0]) + Affine.variable(row[1]), "=", Affine((), 9))
    >>> [table] = grid_tables(Model(dict.fromkeys(row, range(9)), [nine]))
    >>> table.corners, table.right
    ({(0, 0): '9'}, {(0, -1): 'cage', (0, 1): 'cage'})
    """
    hidden = unstated_constraints(model, origins)
    grids = find_grids(model, undrawn_variables(model))
    return [
        _table(
            find_puzzle(model, grid, hidden),
            *grid_gaps(model, grid, hidden),
            frozenset(place for v, place in grid.items() if len(model.domains[v]) == 1),
        )
        for grid in grids
    ]


def _table(
    puzzle: PrintedGrid, row_gaps: frozenset[int], column_gaps: frozenset[int], fixed_places: frozenset[Position]
) -> GridTable:
    """Convert a ``PrintedGrid`` into a ``GridTable``.

    ``fixed_places`` are the places with a single value.
    """
    grid = puzzle.grid
    # Borders of regions and cages; the signs on them are written over them.
    right, below = (
        {place: "both" if place in regions & cages else "region" if place in regions else "cage"
         for place in sorted(regions | cages)}
        for regions, cages in zip(
            border_places([*puzzle.areas.regions, *_areas(puzzle, puzzle.drawing.rooms)], grid),
            border_places([*puzzle.cages, *_areas(puzzle, puzzle.drawing.cages)], grid), strict=True,
        )
    )  # fmt: skip
    for first, second in puzzle.drawing.sides:
        (right if first[0] == second[0] else below)[first] = "region"
    for sign in puzzle.signs:
        first, second = grid[sign.first], grid[sign.second]
        (right if first[0] == second[0] else below)[first] = sign.text
    places = {*grid.values()}
    # Clues are in the black places of a crossword, or before the first cells of their lines.
    beside = dict(_blacks(puzzle)) if puzzle.runs else {}
    for clue in () if puzzle.lean else puzzle.clues:
        (r, c), (s, d) = (grid[v] for v in clue.cells[:2])
        beside.setdefault((2 * r - s, 2 * c - d), clue.text)
    spots = {spot.places[0]: spot.text for spot in puzzle.drawing.spots if len(spot.places) == 1 and spot.text}
    beside |= {place: text for place, text in spots.items() if place not in places}
    return GridTable(
        cells={place: v for v, place in grid.items()},
        right=right,
        below=below,
        corners={grid[v]: text for v, text in puzzle.facts.items()}
        | {
            min(cells): cage.text
            for cage in puzzle.drawing.cages
            if cage.text and (cells := places.intersection(cage.places))
        }
        | {place: text for place, text in spots.items() if place not in beside and place not in fixed_places}
        | {grid[area.cells[0]]: area.text for area in (*puzzle.corners, *puzzle.cages)},
        beside=beside,
        black=frozenset(beside if puzzle.runs else ()),
        shaded=frozenset([*(grid[v] for area in puzzle.areas.shaded for v in area.cells), *puzzle.drawing.shades]),
        row_gaps=row_gaps,
        column_gaps=column_gaps,
    )


def _areas(puzzle: PrintedGrid, rooms: Iterable[Room]) -> list[Area]:
    """Convert drawn rooms (framed cells) into areas, whose constraint number is -1."""
    cell_at = {place: v for v, place in puzzle.grid.items()}
    return [Area(-1, tuple(cell_at[place] for place in room.places if place in cell_at), room.text) for room in rooms]


def _blacks(puzzle: PrintedGrid) -> Iterator[tuple[Position, str]]:
    """Yield the black places of a crossword, each with the text of its clues.

    The text has the clue of the run below and that of the run to the right.
    """
    down = {(r - 1, c): run.text for run in puzzle.down for r, c in [puzzle.grid[run.cells[0]]]}
    across = {(r, c - 1): run.text for run in puzzle.across for r, c in [puzzle.grid[run.cells[0]]]}
    white = {*puzzle.grid.values()}
    for r in range(-1, max(r for r, _ in white) + 1):
        for c in range(-1, max(c for _, c in white) + 1):
            if (r, c) not in white:
                text = down.get((r, c), ""), across.get((r, c), "")
                yield (r, c), "\\".join(text) if any(text) else ""
