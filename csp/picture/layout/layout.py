"""Compute the layout of a model: the same positions of vertices in all pictures.

Grids, boards and layouts of the spec are placed here; vertices outside of them in ``spread.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from math import ceil, inf, log
from typing import NamedTuple

from ...base.frozen import Frozen
from ...board.drawn.drawing import main_grid
from ...board.drawn.layouts import Sheet, sheets
from ...board.drawn.skins import BLANK, Skin, line_variables, shade_tones, skins, undrawn_variables
from ...board.grid import Grid, find_grids, grid_gaps, is_indexed, is_square, loops_of
from ...board.puzzle import LineClue, PrintedGrid, find_puzzle
from ...board.strips import Distance, StripBoard, find_boards, share_columns, spans
from ...model import Affine, Model, Value, Variable
from ..shapes import Point
from .forms import CELL, FOLDED, LINES, Form, board_form, card_forms, cell_form, step_form, universe, with_skin
from .spread import AISLE, circle, spread_out


def halfway(
    model: Model, grids: Sequence[Grid], undrawn: Collection[Variable]
) -> dict[Variable, tuple[Variable, Variable]]:
    """Return each variable that is drawn midway between two others, with these two.

    The others are cells of a grid, or places of a layout. Variables in ``undrawn`` are left out.

    Examples
    --------
    >>> from csp import Drawn, Entry, Equality
    >>> bridge = Variable("bridges", "north")
    >>> shown = [Entry("island", (1, c), 1) for c in (1, 4)]
    >>> drawn = [Drawn("join", (1, 1, 1, 4), None, Equality(bridge, 1))]
    >>> halfway(Model({bridge: (0, 1)}, layout=shown, drawn=drawn), [], [])
    {'bridges(north)': ('island(1,1)', 'island(1,4)')}
    """
    square_at = {(v.family, v.indices): v for grid in grids for v in grid}
    ends_of, loops = {}, loops_of(model)
    # A step of a loop joins the two squares next to it.
    for v in model.domains:
        if v.family in loops and not is_square(v) and v not in undrawn:
            r, c = (int(index) for index in v.indices)
            first, second = (r - r % 2, c - c % 2), (r + r % 2, c + c % 2)
            ends_of[v] = square_at[v.family, first], square_at[v.family, second]
    # A line joins the two places that its drawing names.
    lines = {v: entry for v, entry in line_variables(model).items() if v not in undrawn}
    places = [*filter(None, [main_grid(model, grids)]), *(sheet.grid for sheet in sheets(model))] if lines else []
    variable_at: dict[Sequence[object], Variable] = {v.indices: v for grid in reversed(places) for v in grid}
    for v, entry in lines.items():
        if entry.indices[:2] in variable_at and entry.indices[2:] in variable_at:
            ends_of[v] = variable_at[entry.indices[:2]], variable_at[entry.indices[2:]]
    return ends_of


Places = tuple[tuple[Variable, Point, Point], ...]
"""The variables with the middles and the sizes of their vertices."""

FEW = 20
"""Maximum number of variables that are drawn as a graph; a larger grid shows its domains in cells."""


class Seam(NamedTuple):
    """The space between cells, and the tracks of arrows in it.

    ``tracks`` are distances from a cell, the best first.
    """

    width: float
    tracks: tuple[float, ...]


MANY = 16
"""Maximum number of rows and columns of a grid with wide seams; a larger one needs the room for its values."""
SEAM = Seam(16.0, (8.0, 4.0, 12.0))
LINED = Seam(16.0, (4.0, 12.0))  # with lines between the cells
CAGED = Seam(20.0, (10.0, 6.0, 14.0))  # with the frames of cages between them
NARROW = Seam(5.5, (2.75,))
SHADED = Seam(8.0, (4.0,))  # between cells with drawings, such as shades, that belong together
SIGNED = Seam(22.0, (4.0, 18.0, 11.0))  # with signs between them
BOX_SEAM = 12.0  # additional space at the border of a box, and the space between small cards
GROUP_SEAM = 12.0  # between groups of rows of a table
PAGE = 1.4  # the width of a page, divided by its height
PARTS = 110.0  # between grids, boards and the other vertices
MAX_SCALES = 50  # the number of scales that are tried for a map, about
MAX_SLIP = 3 * CELL  # the maximum width of a place in a sheet


class Placement(Frozen):
    """The layout of a picture: positions and forms of all vertices of a model.

    Coordinates are in points; x goes to the right and y **down** from the top.

    Attributes
    ----------
    points : mapping of Variable to (float, float)
        The middle of every vertex.
    forms : mapping of Variable to Form
        The form of every vertex: its size, and the places of its values.
    puzzles : tuple of PrintedGrid
        The grids, with the clues printed on each.
    boards : tuple of StripBoard
        Boards, rulers and tables.
    crowded : bool
        Whether grids show domains in cells, without edges between them.
    streets : tuple of float
        The distances from a cell at which arrows run between cells, the best first.
    """

    points: Mapping[Variable, Point]
    forms: Mapping[Variable, Form]
    puzzles: tuple[PrintedGrid, ...] = ()
    boards: tuple[StripBoard, ...] = ()
    crowded: bool = False
    streets: tuple[float, ...] = SEAM.tracks
    tracks: tuple[Grid, ...] = field(default=(), repr=False)
    """The grids, and each board as a grid of one row or column."""

    sheets: tuple[Sheet, ...] = ()
    slips: Mapping[Variable, Point] = field(default_factory=dict, repr=False)
    """The layouts of the spec that are boards of their own, and the points of their places."""

    slip: Point = (CELL, CELL)
    """The width and height of such a place."""

    spans: Mapping[Variable, Distance] = field(default_factory=dict, repr=False)
    """For each cell midway between two lines of a ruler, its equation with them."""

    @property
    def grids(self) -> tuple[Grid, ...]:
        """Return the grids; each maps variables to (row, column), counted from 0."""
        return tuple(puzzle.grid for puzzle in self.puzzles)

    @property
    def runs(self) -> tuple[LineClue, ...]:
        """The runs of all number crosswords."""
        return tuple(run for puzzle in self.puzzles for run in puzzle.runs)

    def is_cell(self, variable: Variable) -> bool:
        """Return whether a variable's vertex is a grid cell, which shows no name."""
        return self.forms[variable].kind == "cell"

    def is_close(self, variable: Variable) -> bool:
        """Return whether a vertex touches its neighbours, which leaves no room for edges."""
        return self.forms[variable].kind != "card" or (self.crowded and any(variable in grid for grid in self.grids))

    def square(self, v: Variable, value: Value) -> Point:
        """Return the point at which a value of a variable is drawn."""
        (x, y), form = self.points[v], self.forms[v]
        p, q = form.place(form.values.index(value))
        return x + p, y + q

    def on_board(self, variables: Iterable[Variable]) -> bool:
        """Return whether any of ``variables`` is drawn on a board, ruler or table."""
        return any(self.forms[variable].kind in LINES for variable in variables)

    def shows_no_edges(self, variables: Iterable[Variable]) -> bool:
        """Return whether all vertices of ``variables`` are too close to others for edges."""
        return all(map(self.is_close, variables))

    def size(self, variable: Variable) -> Point:
        """Return the width and height of a variable's vertex."""
        return self.forms[variable].size

    @cached_property
    def places(self) -> Places:
        """The positions and sizes of all vertices in a tuple, as a cache key."""
        return tuple([(v, point, self.size(v)) for v, point in self.points.items()])


def layout(model: Model, crowded: bool | None = None, hidden: Collection[int] = ()) -> Placement:
    """Compute the positions and forms of all vertices of a model.

    ``crowded`` decides whether grids show domains in cells; by default they do in large puzzles, and in puzzles with
    printed clues. ``hidden`` are the numbers of constraints that are not drawn.

    A family of two integer indices is placed on its grid. So are k * k variables without such indices if every k of
    them in a row, and in a column, are a group. Boards, rulers and tables are placed beside the grids, and then all
    other variables in rows. A model without grids and boards is placed on a circle or, with more than 20 variables, by
    the distances in its constraint graph.

    References
    ----------
    .. [1] E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", 2004.

    Examples
    --------
    >>> picture = layout(Model({Variable("x", r, c): (1, 2) for r in (1, 2) for c in (1, 2)}))
    >>> (ax, ay), (bx, by), (cx, cy), _ = picture.points.values()
    >>> ax == cx < bx, ay == by < cy, picture.crowded
    (True, True, False)
    """
    # Find the grids of the puzzle, and the clues printed on them.
    undrawn, skin, tones = undrawn_variables(model), skins(model), shade_tones(model)
    grids = find_grids(model, undrawn)
    puzzles = [find_puzzle(model, grid, hidden) for grid in grids]
    # Decide whether grids show their domains in cells.
    if crowded is None:
        crowded = (
            len(model.domains) > FEW
            or bool(skin)
            or bool(sheets(model))
            or not all(puzzle.is_plain for puzzle in puzzles)
        )
    # Find boards, rulers, tables and sheets among the variables outside of grids.
    on_grids = {v for grid in grids for v in grid}
    steps = halfway(model, grids, undrawn)
    # Auxiliary variables of expressions have no place on a board.
    expressions = {v for v in model.domains if not v.family.isidentifier()}
    boards = find_boards(model, hidden, {*on_grids, *undrawn, *steps, *expressions})
    on_boards = {v for board in boards for v in board.variables}
    sheets_placed = sheets(model, on_boards)
    if grids or boards or sheets_placed or any(entry.name == "map" for entry in model.drawn):
        undrawn |= expressions
    # All other variables are cards, which are placed last.
    placed = {*on_grids, *on_boards, *undrawn, *steps}
    remaining = [v for v in model.domains if v not in placed]
    # Boards below a grid share its columns.
    is_down = share_columns(boards, grids, [entry for sheet in sheets_placed for entry in sheet.entries])
    pitch = CELL + sum(_seam(puzzle, skin).width for puzzle in puzzles) if is_down else 0
    forms = {
        v: form for board in boards for form in [board_form(board, CELL - 2 if pitch else 0)] for v in board.variables
    }
    # Give each cell its form; a printed clue or drawing replaces values or takes the corner.
    for puzzle in puzzles:
        cells = [v for v in puzzle.grid if crowded and is_indexed(v)]
        corner = bool(puzzle.cages or puzzle.corners or puzzle.facts or puzzle.drawing.cages or puzzle.drawing.spots)
        universe_of_grid = universe(model, cells)
        texts_at = {spot.places[0] for spot in puzzle.drawing.spots if len(spot.places) == 1}
        shared = _shared_drawings(skin[v] for v in cells if v in skin)
        corners_at = {spot.places[0] for spot in puzzle.drawing.spots if spot.kind == "corner"}
        for v in cells:
            values_drawn = skin.get(v)
            if puzzle.grid[v] in texts_at and len(model.domains[v]) == 1:
                values_drawn = values_drawn or {model.domains[v][0]: ""}
            is_cornered = puzzle.grid[v] in corners_at
            forms[v] = (
                replace(
                    with_skin(cell_form(model.domains[v], is_cornered), values_drawn, shared), tone=tones.get(v, "")
                )
                if values_drawn
                else cell_form(universe_of_grid, corner)
            )
    # Variables that are not drawn, steps between cells, and cards have forms of their own.
    forms.update({v: replace(FOLDED, values=model.domains[v]) for v in undrawn})
    forms.update({v: step_form(model.domains[v], skin.get(v) or dict.fromkeys(model.domains[v], "")) for v in steps})
    cards = [v for v in model.domains if v not in forms]
    forms.update(card_forms(model, cards))
    # Place each part with its own origin: grids, ...
    parts = [_grid_points(model, puzzle, forms, _seam(puzzle, skin).width, crowded, hidden) for puzzle in puzzles]
    tracks = list(grids)
    for first, second in _paired_grids(model, grids):
        parts[first] = _paired_points(grids[first], grids[second])
        parts[second] = {}
    parts = [part for part in parts if part]
    # ... boards, ...
    board_parts = [_board_points(board, forms, pitch) for board in boards]
    is_spanned = crowded and len(puzzles) == len(boards) == 1
    spanned = spans(model, boards[0], grids[0]) if is_spanned else {}
    if spanned:
        parts = []
        board_parts = [_span_points(boards[0], grids[0], spanned, forms, _seam(puzzles[0], skin).width)]
    parts = (
        [*(points for points, _ in board_parts), *parts]
        if is_down
        else [*parts, *(points for points, _ in board_parts)]
    )
    tracks += [track for _, track in board_parts]
    # ... and the cards: on a map, on a circle, by distances, or in rows beside other parts.
    if remaining:
        card = forms[remaining[0]].size
        is_spread = len(remaining) > FEW or _is_sparse(model, remaining, hidden)
        graph_points = {} if parts else _map_points(model, remaining, card)
        if not (parts or graph_points):
            graph_points = spread_out(model, remaining, card) if is_spread else circle(remaining, card)
        parts.append(graph_points or _row_points(remaining, card))
    # Place all parts on one page, with the sheets first.
    slip = _slip_size(sheets_placed, parts, forms)
    slips = [{v: (c * slip[0], r * slip[1]) for v, (r, c) in sheet.grid.items()} for sheet in sheets_placed]
    blank = replace(FOLDED, size=slip)
    if slips and len(parts) > 1:
        parts = [_side_by_side(parts, forms, is_down)]
    points = _side_by_side(
        [*slips, *parts], {**forms, **{v: blank for part in slips for v in part}}, is_down, is_near=bool(slips)
    )
    # Steps are halfway between their ends; variables that are not drawn need a point, too.
    points |= {
        v: ((x + p) / 2, (y + q) / 2) for v, ends in steps.items() for (x, y), (p, q) in [[points[end] for end in ends]]
    }
    points |= dict.fromkeys(undrawn, next(iter(points.values()), (0.0, 0.0)))
    return Placement(
        {v: points[v] for v in model.domains},
        {v: forms[v] for v in model.domains},
        tuple(puzzles),
        tuple(boards),
        crowded,
        min((_seam(puzzle, skin) for puzzle in puzzles), default=SEAM).tracks,
        tuple(tracks),
        tuple(sheets_placed),
        {v: points[v] for part in slips for v in part},
        slip,
        spanned,
    )


def _slip_size(
    placed: Sequence[Sheet], parts: Sequence[Mapping[Variable, Point]], forms: Mapping[Variable, Form]
) -> Point:
    """Return the width and height of the places of sheets.

    Places that list texts which can still be there are wider, until their sheet is as wide as the other parts.
    """
    has_lists = any(isinstance(index, Affine) for sheet in placed for entry in sheet.entries for index in entry.indices)
    if not (has_lists and parts):
        return CELL, CELL
    columns = max(c for sheet in placed for _, c in sheet.grid.values()) + 1
    width = max(right - left for left, _, right, _ in (_extent(part, forms) for part in parts))
    return float(max(CELL, min(MAX_SLIP, width // columns))), CELL


def _shared_drawings(skins_of_cells: Iterable[Skin]) -> set[str]:
    """Return the drawings that several values of one cell share."""
    return {
        drawing
        for skin in skins_of_cells
        for drawing, count in Counter(skin.values()).items()
        if count > 1 and drawing != BLANK
    }


def _paired_grids(model: Model, grids: Sequence[Grid]) -> Iterator[tuple[int, int]]:
    """Yield the indices of each pair of grids that are drawn cell beside cell."""
    families = [next(iter(grid)).family for grid in grids]
    for entry in model.drawn:
        if entry.name == "pair" and all(family in families for family in entry.indices):
            left, right = (families.index(str(family)) for family in entry.indices)
            if {*grids[left].values()} == {*grids[right].values()}:
                yield left, right


def _paired_points(left: Grid, right: Grid) -> dict[Variable, Point]:
    """Return the points of the cells of two grids, drawn cell beside cell."""
    width, height = 2 * CELL + SEAM.width, CELL + SEAM.width
    return {
        **{v: (c * width, r * height) for v, (r, c) in left.items()},
        **{v: (c * width + CELL, r * height) for v, (r, c) in right.items()},
    }


def _map_points(model: Model, variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Return the ``map`` positions of variables, scaled until no vertices overlap.

    If a variable has no such position, the result is empty.
    """
    position = {
        entry.cell_of: (int(str(entry.indices[1])), int(str(entry.indices[2])))
        for entry in model.drawn
        if entry.name == "map"
    }
    if any(v not in position for v in variables):
        return {}
    joined = {frozenset(constraint.scope) for constraint in model.constraints if len(constraint.scope) == 2}
    # No two cards may overlap. Cards of one family, and joined cards, have room for edges.
    gaps: list[tuple[int, int, float, float]] = []
    for v, w in combinations(variables, 2):
        (x, y), (p, q) = position[v], position[w]
        is_aisle = len(variables) <= FEW and (frozenset((v, w)) in joined or v.family == w.family)
        width, height = (side + (AISLE if is_aisle else BOX_SEAM) for side in card)
        if (x, y) != (p, q):
            gaps.append((abs(x - p), abs(y - q), width, height))
    # The wider the map, the lower it can be: choose the scales with which it fits the smallest page.
    span = [max((gap[axis] for gap in gaps), default=0) for axis in (0, 1)]
    scales = []
    widths = sorted({width / x for x, _, width, _ in gaps if x} or {1.0}, reverse=True)
    for across in widths[:: 1 + len(widths) // MAX_SCALES]:
        heights = [height / y if y else inf for x, y, width, height in gaps if x * across < width - 0.01]
        scales.append((across, max(heights, default=across)))
    fitting = [scale for scale in scales if max(scale) < inf]
    across, down = min(fitting, key=lambda scale: (max(span[0] * scale[0], span[1] * scale[1] * PAGE), scale))
    return {v: (x * across, y * down) for v, (x, y) in zip(variables, (position[v] for v in variables), strict=True)}


def _is_sparse(model: Model, variables: Sequence[Variable], hidden: Collection[int]) -> bool:
    """Return whether over four variables have few edges, and no constraint on three.

    Distances then reveal the structure of the graph; on a circle these edges would all cross.
    """
    drawn = [constraint for number, constraint in enumerate(model.constraints) if number not in hidden]
    pairs = {frozenset(constraint.scope) for constraint in drawn if len(constraint.scope) == 2}
    has_wide = any(len(constraint.scope) > 2 for constraint in drawn)
    return len(variables) > 4 and bool(pairs) and not has_wide and len(pairs) <= 1.6 * len(variables)


def _grid_points(
    model: Model,
    puzzle: PrintedGrid,
    forms: Mapping[Variable, Form],
    seam: float,
    crowded: bool,
    hidden: Collection[int],
) -> dict[Variable, Point]:
    """Return the middles of the cells of a grid, with wider gaps between boxes."""
    places = puzzle.grid
    row_gaps, column_gaps = grid_gaps(model, places, hidden)
    width = max(forms[v].size[0] for v in places)
    height = max(forms[v].size[1] for v in places)
    are_cells = all(forms[v].kind == "cell" for v in places)
    gap = seam if are_cells else SEAM.width if crowded else AISLE
    column_step, row_step = width + gap, height + gap
    return {
        v: (
            c * column_step + BOX_SEAM * sum(gap < c for gap in column_gaps) + puzzle.lean * r * column_step / 2,
            r * row_step + BOX_SEAM * sum(gap < r for gap in row_gaps),
        )
        for v, (r, c) in places.items()
    }


def _seam(puzzle: PrintedGrid, drawn: Collection[Variable]) -> Seam:
    """Return the space between cells.

    It depends on the signs and lines between them, and on ``drawn`` values.
    """
    if puzzle.signs or any(len(spot.places) > 1 for spot in puzzle.drawing.spots):
        return SIGNED
    if puzzle.drawing.rooms or puzzle.drawing.sides:
        return LINED
    if puzzle.cages or puzzle.drawing.cages:
        return CAGED
    if puzzle.areas.regions:
        return LINED
    if any(v in drawn for v in puzzle.grid):
        return SHADED
    return SEAM if max(max(place) for place in puzzle.grid.values()) < MANY else NARROW


def _board_points(
    board: StripBoard, forms: Mapping[Variable, Form], pitch: float
) -> tuple[dict[Variable, Point], Grid]:
    """Return the points of a board's variables, and their positions as in a grid.

    The grid has one row or one column. ``pitch`` is the distance of columns shared with a grid; 0 for the default.
    """
    width, height = forms[board.variables[0]].size
    points: dict[Variable, Point] = {}
    down, is_down = 0.0, board.kind == "board" and not board.across
    for _, group in board.groups:
        for v in group:
            points[v] = (len(points) * (pitch or width + 2), 0.0) if is_down else (0.0, down)
            down += height + (2 if board.kind == "board" else 0)
        down += GROUP_SEAM
    numbered = enumerate(board.variables)
    return points, {v: (0, i) if is_down else (i, 0) for i, v in numbered}


def _span_points(
    board: StripBoard,
    grid: Grid,
    spanned: Mapping[Variable, Distance],
    forms: Mapping[Variable, Form],
    seam: float,
) -> tuple[dict[Variable, Point], Grid]:
    """Return the points of a ruler and a grid, and the positions on the ruler.

    The grid is right of the ruler. Each cell is midway between two lines of the ruler, which are as far apart as the
    cells of a column.
    """
    step = CELL + seam
    points = {v: (0.0, i * step) for i, v in enumerate(board.variables)}
    left = forms[board.variables[0]].size[0] / 2 + step
    points |= {v: (left + grid[v][1] * step, (first + last) * step / 2) for v, (_, first, last) in spanned.items()}
    return points, {v: (i, 0) for i, v in enumerate(board.variables)}


def _row_points(variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Return points of variables in rows that together are about as high as wide."""
    width, height = card[0] + SEAM.width, card[1] + SEAM.width
    columns = ceil((len(variables) * height / width) ** 0.5)
    return {v: (i % columns * width, i // columns * height) for i, v in enumerate(variables)}


def _side_by_side(
    parts: Sequence[Mapping[Variable, Point]],
    forms: Mapping[Variable, Form],
    is_down: bool = False,
    is_near: bool = False,
) -> dict[Variable, Point]:
    """Return all points of several parts of a picture, arranged on one page.

    Each part is to the right of the preceding one, or below it, whichever fits a page better.
    """
    boxes = [_extent(part, forms) for part in parts]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    gaps = PARTS * (len(parts) - 1)
    # Compare the shapes of both arrangements with that of a page.
    ratio_across = (sum(w for w, _ in sizes) + gaps) / max([h for _, h in sizes], default=1)
    ratio_down = max([w for w, _ in sizes], default=1) / (sum(h for _, h in sizes) + gaps or 1)
    axis = 1 if len(parts) > 1 and (is_down or abs(log(ratio_down / PAGE)) < abs(log(ratio_across / PAGE))) else 0
    points: dict[Variable, Point] = {}
    # The first vertex of the first part is the origin.
    origin = next(iter(parts[0].values())) if parts else (0.0, 0.0)
    offset = [-origin[0], -origin[1]]
    for part, box, size in zip(parts, boxes, sizes, strict=True):
        if points:
            offset = [boxes[0][i] - origin[i] - box[i] if i != axis else offset[i] - box[i] for i in (0, 1)]
        for v, (x, y) in part.items():
            points[v] = float(round(x + offset[0])), float(round(y + offset[1]))
        offset[axis] += box[axis] + size[axis] + (PARTS * 0.6 if is_down or is_near else PARTS)
    return points


def _extent(part: Mapping[Variable, Point], forms: Mapping[Variable, Form]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom ends of a part's vertices."""
    lows = [min(point[i] - forms[v].size[i] / 2 for v, point in part.items()) for i in (0, 1)]
    highs = [max(point[i] + forms[v].size[i] / 2 for v, point in part.items()) for i in (0, 1)]
    return lows[0], lows[1], highs[0], highs[1]


__all__ = ["CELL", "FEW", "Placement", "Point", "layout"]
