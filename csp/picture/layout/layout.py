"""Where everything stands in a picture: computed once for a model, and never moved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from math import ceil, inf, log

from ...base.frozen import Frozen
from ...board.drawn.sheets import Sheet, sheets
from ...board.drawn.skins import BLANK, skins, undrawn_variables
from ...board.grid import Grid, find_grids, grid_gaps, is_indexed
from ...board.puzzle import PrintedGrid, find_puzzle
from ...board.strips import StripBoard, find_boards, share_columns
from ...model import Model, Value, Variable
from ..shapes import Point
from .forms import CELL, FOLDED, LINES, Form, board_form, card_forms, cell_form, step_form, universe, with_skin
from .halfway import halfway
from .spread import AISLE, circle, spread_out

Places = tuple[tuple[Variable, Point, Point], ...]
"""The middle and the size of vertices."""

FEW = 20
"""Most variables drawn as a graph; larger grids show their state in cells."""

SEAM = 4.0  # between cells
LINED = 7.0  # where lines run between them
CAGED = 12.0  # where the frames of cages do
SIGNED = 20.0  # where signs stand
BOX_SEAM = 16.0  # more, at the border of a box
GROUP_SEAM = 12.0  # between groups of rows of a table
PAGE = 1.4  # how much wider than high
PARTS = 110.0  # between grids, boards and what stands on none


class Placement(Frozen):
    """The pinned picture of a model, in points; x goes to the right, y **down** from the top.

    Attributes
    ----------
    points : mapping of Variable to (float, float)
        The middle of every vertex.
    forms : mapping of Variable to Form
        Its size, and where its values stand.
    puzzles : tuple of PrintedGrid
        The grids, and what is printed on each.
    boards : tuple of StripBoard
    crowded : bool
        Whether a grid shows no edges.
    """

    points: Mapping[Variable, Point]
    forms: Mapping[Variable, Form]
    puzzles: tuple[PrintedGrid, ...] = ()
    boards: tuple[StripBoard, ...] = ()
    crowded: bool = False
    tracks: tuple[Grid, ...] = field(default=(), repr=False)
    """The grids, and the lines of the boards as grids of one row or column."""

    sheets: tuple[Sheet, ...] = ()
    slips: Mapping[Variable, Point] = field(default_factory=dict, repr=False)
    """The layouts that are boards of their own, and where their places are."""

    @property
    def grids(self) -> tuple[Grid, ...]:
        """Row and column, from 0, of the variables of each grid."""
        return tuple(puzzle.grid for puzzle in self.puzzles)

    def is_cell(self, variable: Variable) -> bool:
        """Whether the place of a vertex names it, so that its state fills a plain cell."""
        return self.forms[variable].kind == "cell"

    def is_close(self, variable: Variable) -> bool:
        """Whether a vertex stands so close to others that an edge between them would lie on them."""
        return self.forms[variable].kind != "card" or (self.crowded and any(variable in grid for grid in self.grids))

    def square(self, v: Variable, value: Value) -> Point:
        """The middle of the place of a value."""
        (x, y), form = self.points[v], self.forms[v]
        p, q = form.place(form.values.index(value))
        return x + p, y + q

    def on_board(self, variables: Iterable[Variable]) -> bool:
        """Whether some vertices are rows or columns of places, as on a board, a ruler or in a table."""
        return any(self.forms[variable].kind in LINES for variable in variables)

    def shows_no_edges(self, variables: Iterable[Variable]) -> bool:
        """Whether edges between some vertices would lie on top of each other, or of other vertices."""
        return all(map(self.is_close, variables))

    def size(self, variable: Variable) -> Point:
        """Width and height of a vertex."""
        return self.forms[variable].size

    @cached_property
    def places(self) -> Places:
        """Where all vertices stand: what tells two layouts apart for whatever goes around them."""
        return tuple([(v, point, self.size(v)) for v, point in self.points.items()])


def layout(model: Model, crowded: bool | None = None, hidden: Collection[int] = ()) -> Placement:
    """Everything about the places of a picture.

    A family of two integer indices lies on its grid, and so do k*k variables without such indices when every
    k of them in a row, and in a column, are a group. Boards, rulers and tables stand beside it, and then, in rows, all
    else. Where nothing else is, that stands on a circle, or, beyond 20 variables, where the distances in the graph
    put it.

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
    away, skin = undrawn_variables(model), skins(model)
    grids = find_grids(model, away)
    puzzles = [find_puzzle(model, grid, hidden) for grid in grids]
    if crowded is None:
        crowded = (
            len(model.domains) > FEW
            or bool(skin)
            or bool(sheets(model))
            or not all(puzzle.is_plain for puzzle in puzzles)
        )
    on_grids = {v for grid in grids for v in grid}
    steps = halfway(model, grids, away)
    made = {v for v in model.domains if not v.family.isidentifier()}  # expressions, which have no place on a board
    boards = find_boards(model, hidden, {*on_grids, *away, *steps, *made})
    on_boards = {v for board in boards for v in board.variables}
    papers = sheets(model, on_boards)
    if grids or boards or papers or any(one.name == "map" for one in model.drawn):
        away |= made
    known = {*on_grids, *on_boards, *away, *steps}
    rest = [v for v in model.domains if v not in known]
    is_down = share_columns(boards, grids, [entry for paper in papers for entry in paper.entries])
    wide = CELL - 2 + sum(map(_seam, puzzles)) if is_down else 0
    forms = {v: form for board in boards for form in [board_form(board, wide)] for v in board.variables}
    for puzzle in puzzles:
        cells = [v for v in puzzle.grid if crowded and is_indexed(v)]
        corner = bool(puzzle.cages or puzzle.corners or puzzle.facts or puzzle.drawing.cages or puzzle.drawing.spots)
        every = universe(model, cells)
        told = {one.places[0] for one in puzzle.drawing.spots if len(one.places) == 1}
        cornered = {one.places[0] for one in puzzle.drawing.spots if one.kind == "corner"}
        for v in cells:
            own = skin.get(v)
            if puzzle.grid[v] in told and (own or len(model.domains[v]) == 1):
                own = {value: "" if one == BLANK else one for value, one in (own or {model.domains[v][0]: ""}).items()}
            is_cornered = puzzle.grid[v] in cornered
            forms[v] = with_skin(cell_form(model.domains[v], is_cornered), own) if own else cell_form(every, corner)
    forms.update({v: replace(FOLDED, values=model.domains[v]) for v in away})
    forms.update({v: step_form(model.domains[v], skin.get(v) or dict.fromkeys(model.domains[v], "")) for v in steps})
    cards = [v for v in model.domains if v not in forms]
    forms.update(card_forms(model, cards))
    parts = [_grid_points(model, puzzle, forms, crowded, hidden) for puzzle in puzzles]
    tracks = list(grids)
    for one, other in _pairs(model, grids):
        parts[one] = _beside(grids[one], grids[other])
        parts[other] = {}
    parts = [part for part in parts if part]
    made_of = [_board_points(board, forms) for board in boards]
    parts = [*(points for points, _ in made_of), *parts] if is_down else [*parts, *(points for points, _ in made_of)]
    tracks += [track for _, track in made_of]
    if rest:
        card = forms[rest[0]].size
        is_wide = len(rest) > FEW or _is_sparse(model, rest, hidden)
        alone = {} if parts else _mapped(model, rest, card)
        if not (parts or alone):
            alone = spread_out(model, rest, card) if is_wide else circle(rest, card)
        parts.append(alone or _rows(rest, card))
    slips = [{v: (c * CELL, r * CELL) for v, (r, c) in one.grid.items()} for one in papers]
    blank = replace(FOLDED, size=(CELL, CELL))
    if slips and len(parts) > 1:
        parts = [_side_by_side(parts, forms, is_down)]
    points = _side_by_side([*slips, *parts], {**forms, **{v: blank for slip in slips for v in slip}}, is_down)
    points |= {
        v: ((x + p) / 2, (y + q) / 2) for v, ends in steps.items() for (x, y), (p, q) in [[points[e] for e in ends]]
    }
    points |= dict.fromkeys(away, next(iter(points.values()), (0.0, 0.0)))
    return Placement(
        {v: points[v] for v in model.domains},
        {v: forms[v] for v in model.domains},
        tuple(puzzles),
        tuple(boards),
        crowded,
        tuple(tracks),
        tuple(papers),
        {v: points[v] for slip in slips for v in slip},
    )


def _pairs(model: Model, grids: Sequence[Grid]) -> Iterator[tuple[int, int]]:
    """The numbers of grids whose cells stand beside each other."""
    families = [next(iter(grid)).family for grid in grids]
    for one in model.drawn:
        if one.name == "pair" and all(family in families for family in one.indices):
            left, right = (families.index(str(family)) for family in one.indices)
            if {*grids[left].values()} == {*grids[right].values()}:
                yield left, right


def _beside(one: Grid, other: Grid) -> dict[Variable, Point]:
    """Each cell of a grid with that of another at its side."""
    wide, high = 2 * CELL + BOX_SEAM, CELL + BOX_SEAM
    return {
        **{v: (c * wide, r * high) for v, (r, c) in one.items()},
        **{v: (c * wide + CELL, r * high) for v, (r, c) in other.items()},
    }


def _mapped(model: Model, rest: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """Where a map says that variables are, so far apart that no two lie on each other; nothing if it leaves one out."""
    at = {one.cell_of: (int(str(one.indices[1])), int(str(one.indices[2]))) for one in model.drawn if one.name == "map"}
    if any(v not in at for v in rest):
        return {}
    room = AISLE if len(rest) <= FEW else SEAM
    wide, high = card[0] + room, card[1] + room
    places = [at[v] for v in rest]
    apart = (
        min(wide / abs(x - p) if x != p else inf, high / abs(y - q) if y != q else inf)
        for (x, y), (p, q) in combinations(places, 2)
        if (x, y) != (p, q)
    )
    scale = max(apart, default=1.0)
    return {v: (x * scale, y * scale) for v, (x, y) in zip(rest, places, strict=True)}


def _is_sparse(model: Model, variables: Sequence[Variable], hidden: Collection[int]) -> bool:
    """Whether a few edges join vertices, so that their distances can be seen; on a circle these would all cross."""
    asked = [c for number, c in enumerate(model.constraints) if number not in hidden]
    pairs = {frozenset(c.scope) for c in asked if len(c.scope) == 2}
    wide = any(len(c.scope) > 2 for c in asked)
    return len(variables) > 4 and bool(pairs) and not wide and len(pairs) <= 1.6 * len(variables)


def _grid_points(
    model: Model, puzzle: PrintedGrid, forms: Mapping[Variable, Form], crowded: bool, hidden: Collection[int]
) -> dict[Variable, Point]:
    places = puzzle.grid
    row_gaps, column_gaps = grid_gaps(model, places, hidden)
    width = max(forms[v].size[0] for v in places)
    height = max(forms[v].size[1] for v in places)
    celled = all(forms[v].kind == "cell" for v in places)
    apart = _seam(puzzle) if celled else BOX_SEAM if crowded else AISLE
    wide, high = width + apart, height + apart
    return {
        v: (
            c * wide + BOX_SEAM * sum(gap < c for gap in column_gaps) + puzzle.lean * r * wide / 2,
            r * high + BOX_SEAM * sum(gap < r for gap in row_gaps),
        )
        for v, (r, c) in places.items()
    }


def _seam(puzzle: PrintedGrid) -> float:
    """Between cells, where something may stand."""
    if puzzle.signs:
        return SIGNED
    if puzzle.drawing.rooms or puzzle.drawing.sides:
        return LINED
    if puzzle.cages or puzzle.drawing.cages or any(len(one.places) > 1 for one in puzzle.drawing.spots):
        return CAGED
    return LINED if puzzle.areas.regions else SEAM


def _board_points(board: StripBoard, forms: Mapping[Variable, Form]) -> tuple[dict[Variable, Point], Grid]:
    """The lines of a board one after another, and their numbers as the places of a grid."""
    width, height = forms[board.variables[0]].size
    points: dict[Variable, Point] = {}
    down, is_down = 0.0, board.kind == "board" and not board.across
    for _, group in board.groups:
        for v in group:
            points[v] = (len(points) * (width + 2), 0.0) if is_down else (0.0, down)
            down += height + (2 if board.kind == "board" else 0)
        down += GROUP_SEAM
    line = enumerate(board.variables)
    return points, {v: (0, i) if is_down else (i, 0) for i, v in line}


def _rows(variables: Sequence[Variable], card: Point) -> dict[Variable, Point]:
    """In reading order, about as high as wide."""
    wide, high = card[0] + BOX_SEAM, card[1] + BOX_SEAM
    columns = ceil((len(variables) * high / wide) ** 0.5)
    return {v: (i % columns * wide, i // columns * high) for i, v in enumerate(variables)}


def _side_by_side(
    parts: Sequence[Mapping[Variable, Point]], forms: Mapping[Variable, Form], is_down: bool = False
) -> dict[Variable, Point]:
    """Each part to the right of the one before, or below it, whichever fits a page better; all coordinates whole."""
    boxes = [_extent(part, forms) for part in parts]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    room = PARTS * (len(parts) - 1)
    beside = (sum(w for w, _ in sizes) + room) / max([h for _, h in sizes], default=1)
    below = max([w for w, _ in sizes], default=1) / (sum(h for _, h in sizes) + room or 1)
    axis = 1 if len(parts) > 1 and (is_down or abs(log(below / PAGE)) < abs(log(beside / PAGE))) else 0
    points: dict[Variable, Point] = {}
    first = next(iter(parts[0].values())) if parts else (0.0, 0.0)
    start = [-first[0], -first[1]]
    for part, box, size in zip(parts, boxes, sizes, strict=True):
        if points:
            start = [boxes[0][i] - first[i] - box[i] if i != axis else start[i] - box[i] for i in (0, 1)]
        for v, (x, y) in part.items():
            points[v] = float(round(x + start[0])), float(round(y + start[1]))
        start[axis] += box[axis] + size[axis] + (PARTS * 0.6 if is_down else PARTS)
    return points


def _extent(part: Mapping[Variable, Point], forms: Mapping[Variable, Form]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a part."""
    lows = [min(point[i] - forms[v].size[i] / 2 for v, point in part.items()) for i in (0, 1)]
    highs = [max(point[i] + forms[v].size[i] / 2 for v, point in part.items()) for i in (0, 1)]
    return lows[0], lows[1], highs[0], highs[1]


__all__ = ["CELL", "FEW", "Placement", "Point", "layout"]
