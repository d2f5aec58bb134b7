"""Compute the printed shapes of grids and boards: clues, cages, signs and titles.

They are the same in all pictures of a model. ``csp.board`` decides which signs are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import hypot, inf

from ...board.areas import outline
from ...board.clues import DOTS
from ...board.drawn.drawing import GridDrawing, Stroke, grid_drawing, main_grid
from ...board.drawn.layouts import Sheet
from ...board.grid import Grid, Position, loops_of
from ...board.puzzle import LineClue, PrintedGrid
from ...board.strips import StripBoard, short_name
from ...board.widths import text_width
from ...model import Affine, Equality, Model, Variable
from ..shapes import UNDER, Point, Shape, bounding_box, box, disc, line, text
from ..style import WIDER
from .clues import label_place
from .drawings import Geometry, drawing_shapes
from .forms import CELL, TOP, variables_named_by_index
from .layout import BOX_SEAM, Placement
from .spots import tab_places

FRAME = 3.0  # from a cell to the frame of its cage
CLUE = 18.0
OUT = 20.0  # from a cell to the middle of the clue beside it
HEADER, MARGIN = 13.0, 16.0  # the numbers of rows and columns, and from a cell to their middles
APART = 20.0
"""Distance of the middle of a row's or column's number from a clue: numbers do not look like clues."""
UNDERLINED = {"⊼": "∧\u0332", "⊻": "∨\u0332"}
"""Replacements for signs that few fonts have: a letter with a line below."""


def printed_shapes(model: Model, layout: Placement) -> Iterator[Shape]:
    """Yield the printed shapes of grids and boards: clues, cages, signs, titles.

    Examples
    --------
    >>> from .layout import layout
    >>> model = Model({Variable("x", r, c): (1, 2) for r in (1, 2) for c in (7, 8)})
    >>> [shape.text for shape in printed_shapes(model, layout(model, crowded=True))]
    ['1', '7', '8', '2']
    """
    # Print the grids and the boards.
    partner_of = {str(entry.indices[0]): str(entry.indices[1]) for entry in model.drawn if entry.name == "pair"}
    cell_puzzles = [puzzle for puzzle in layout.puzzles if all(map(layout.is_cell, puzzle.grid))]
    parts: list[tuple[Collection[Variable], list[Shape]]] = [
        *((puzzle.grid, list(_grid_shapes(puzzle, layout, loops_of(model)))) for puzzle in cell_puzzles),
        *((board.variables, list(_board_shapes(model, board, layout))) for board in layout.boards),
    ]
    # Join each cell between two lines of a ruler to them.
    for v, (number, *ends) in layout.spans.items():
        marks = [layout.boards[0].variables[i] for i in ends]
        first, last = ((layout.points[w][0] + layout.size(w)[0] / 2, layout.points[w][1]) for w in marks)
        yield line("thread", first, layout.points[v], last, constraints=(number,))._replace(layer=UNDER)
    # The second grid of a pair has no headers of its own.
    without_header = {v for puzzle in cell_puzzles for v in puzzle.grid if v.family in partner_of.values()}
    for part, shapes in parts:
        if without_header.issuperset(part):
            shapes[:] = [shape for shape in shapes if shape.look != "header"]
    tables = {v for board in layout.boards if board.kind == "table" for v in board.variables}
    # Print the sheets; drawings of a model without a main grid belong to the first sheet.
    for number, sheet in enumerate(layout.sheets):
        geometry = Geometry(sheet.grid, layout.slips, layout.slip)
        has_joins = any(entry.name == "join" for entry in model.drawn)
        drawn = list(
            map(_with_background, _sheet_shapes(sheet, geometry)) if has_joins else _sheet_shapes(sheet, geometry)
        )
        if not number and main_grid(model, layout.grids) is None:
            drawn += drawing_shapes(grid_drawing(model.drawn, sheet.grid), geometry, partial(_shows_value, sheet))
        yield from drawn
        # Captions name places only by labels, such as island 1,4.
        if not {v.indices for v in sheet.grid}.isdisjoint(map(label_place, model.constraints)):
            texts_beside = [shape for shape in drawn if shape.look in ("clue", "header")]
            yield from _header_texts(sheet.grid, layout.slips, layout.slip, texts_beside)
    # With several parts, each has its family as a title; both families of a pair are in one title.
    for part, shapes in parts:
        yield from shapes
        family = next(iter(part)).family
        has_title = tables.isdisjoint(part) and family not in partner_of.values()
        if len(parts) + len(layout.sheets) > 1 and shapes and has_title:
            name = f"{family} | {partner_of[family]}" if family in partner_of else family
            left, top = (min(point[i] for shape in shapes for point in shape.points[:1]) for i in (0, 1))
            top = min(top, min(layout.points[v][1] - layout.size(v)[1] / 2 for v in part) + 8)
            yield text(name, "title", (left + text_width(name, 15) / 2, top - 24), 15)


def _grid_shapes(puzzle: PrintedGrid, layout: Placement, loops: Collection[str]) -> Iterator[Shape]:
    """Yield the printed shapes of one grid, in the order of drawing."""
    points = layout.points
    # Shades and odd discs are under the cells.
    for area in puzzle.areas.shaded:
        yield from (box("shade", points[v], (CELL, CELL), (area.number,)) for v in area.cells)
    for v, (kind, numbers) in puzzle.parity.items():
        if kind == "even":
            yield box("shade", points[v], (CELL, CELL), numbers)
        else:
            yield disc("odd", points[v], CELL - 6, numbers)
    # Thermometers are chains of increasing values.
    for chain in puzzle.thermometers:
        stroke = Stroke("thermometer", "", tuple(puzzle.grid[v] for v in chain.cells))
        bulb, *tube = drawing_shapes(GridDrawing((stroke,)), Geometry(puzzle.grid, points), lambda _: True)
        yield from (bulb._replace(constraints=chain.numbers), *tube)
    # Rays join the cells of a diagonal clue.
    for clue in puzzle.rays:
        for v, w in pairwise(clue.cells):
            yield line("thread", *_visible_line(points[v], points[w]), constraints=clue.numbers)
    if puzzle.runs:
        yield from _black_squares(puzzle, points)
    # Draw regions and cages around their cells.
    if not puzzle.lean:
        outlines = Geometry(puzzle.grid, points)
        for area in puzzle.areas.regions:
            for corners in outline([puzzle.grid[v] for v in area.cells]):
                yield line("region", *outlines.closed_line(corners, outlines.seam / 2), constraints=(area.number,))
        for area in puzzle.cages:
            for corners in outline([puzzle.grid[v] for v in area.cells]):
                yield line("cage", *outlines.closed_line(corners, FRAME), constraints=(area.number,))
    # Add the drawings of the spec.
    geometry, shows_values = Geometry(puzzle.grid, points), _value_positions(puzzle, layout)
    drawn_shapes = (
        list(drawing_shapes(puzzle.drawing, geometry, shows_values)) if puzzle.drawing != GridDrawing() else []
    )
    yield from map(_with_background, drawn_shapes) if any(v.family in loops for v in puzzle.grid) else drawn_shapes
    # Write facts and totals into the corners of cells.
    totals = {area.cells[0]: (area.text, (area.number,)) for area in (*puzzle.corners, *puzzle.cages)}
    for v, (label, numbers) in {**{v: (label, ()) for v, label in puzzle.facts.items()}, **totals}.items():
        x, y = points[v]
        middle = x - CELL / 2 + 4 + text_width(label, 11) / 2, y - CELL / 2 + TOP / 2 + 1.5
        yield text(label, "corner", middle, 11, numbers)
    # Write the signs between two cells.
    for sign in puzzle.signs:
        (x, y), (p, q) = points[sign.first], points[sign.second]
        label = UNDERLINED.get(sign.text, sign.text)
        look = "sign backed" if puzzle.areas.regions else "sign"
        size = 28 if label in DOTS.values() else 20
        yield text(label, look, ((x + p) / 2, (y + q) / 2), size, (sign.number,))
    # Write clues and headers beside the grid, clear of each other.
    taken: set[Point] = set()
    clue_shapes = [_clue_text(clue, points, taken) for clue in (*puzzle.clues, *puzzle.rays)]
    yield from clue_shapes
    texts_beside = [shape for shape in drawn_shapes if shape.look in ("clue", "header")]
    if layout.spans.keys().isdisjoint(puzzle.grid):  # lines to the marks of a ruler would cross the numbers
        yield from _slanted_headers(puzzle.grid, points, taken)
    step = CELL + Geometry(puzzle.grid, points).seam if puzzle.runs else 0.0
    tabs = [y - height / 2 for cells, ((_, y), height) in tab_places(layout).items() if cells <= puzzle.grid.keys()]
    texts = [*clue_shapes, *texts_beside]
    yield from _header_texts(puzzle.grid, points, (CELL, CELL), texts, loops, step, min(tabs, default=inf))


def _with_background(shape: Shape) -> Shape:
    """Return the shape; a text inside a cell gets a background against crossing lines."""
    return shape._replace(look="inner backed") if shape.look == "inner" else shape


def _shows_value(sheet: Sheet, place: Position) -> bool:
    """Return whether a sheet (layout drawn as a board) shows a value at a position."""
    indices = next((v.indices for v, position in sheet.grid.items() if position == place), None)
    return any(entry.variables and entry.indices == indices for entry in sheet.entries)


def _sheet_shapes(sheet: Sheet, geometry: Geometry) -> Iterator[Shape]:
    """Yield the squares and texts of a sheet (a layout drawn as a board)."""
    yield from (box("slot", geometry.at(place), geometry.cell) for place in sheet.grid.values())
    for entry in sheet.entries:
        if not any(isinstance(index, Affine) for index in entry.indices):
            if not entry.variables:
                yield from drawing_shapes(grid_drawing([entry], sheet.grid), geometry, lambda _: False)
            elif entry.cell:
                corner_entry = replace(entry, name="corner", value=short_name(entry.cell), condition=None)
                names = drawing_shapes(grid_drawing([corner_entry], sheet.grid), geometry, lambda _: False)
                yield from (name._replace(look="corner name") for name in names)


def _value_positions(puzzle: PrintedGrid, layout: Placement) -> Callable[[Position], bool]:
    """Return a function that returns whether the cell at a position shows values."""
    variable_at = {at: v for v, at in puzzle.grid.items()}
    return lambda at: at in variable_at and not layout.forms[variable_at[at]].skin


def _visible_line(start: Point, end: Point) -> tuple[Point, Point]:
    """Return the part of the line between two cells that is outside of both."""
    (x, y), (p, q) = start, end
    share = CELL / 2 / max(abs(p - x), abs(q - y))
    dx, dy = (p - x) * share, (q - y) * share
    return (x + dx, y + dy), (p - dx, q - dy)


def _clue_text(clue: LineClue, points: Mapping[Variable, Point], taken: set[Point]) -> Shape:
    """Return the text of a clue beyond the first cell of its line.

    It is further out if another clue is at that point. Its point is added to ``taken``.
    """
    middle, (dx, dy) = _beyond(clue.cells, points)
    while middle in taken:
        middle = round(middle[0] - dx * OUT * 1.4, 1), round(middle[1] - dy * OUT, 1)
    taken.add(middle)
    return text(clue.text, "clue", middle, CLUE, clue.numbers)


def _beyond(cells: Sequence[Variable], points: Mapping[Variable, Point]) -> tuple[Point, Point]:
    """Return the place of a text beyond the first of several cells, and their direction."""
    x, y = points[cells[0]]
    dx, dy = (points[cells[1]][i] - points[cells[0]][i] for i in (0, 1))
    length = hypot(dx, dy)
    margin = OUT if min(abs(dx), abs(dy)) < 1 else OUT + 4
    reach = (CELL / 2) / max(abs(dx) / length, abs(dy) / length) + margin
    return (round(x - dx / length * reach, 1), round(y - dy / length * reach, 1)), (dx / length, dy / length)


def _slanted_headers(grid: Grid, points: Mapping[Variable, Point], taken: Collection[Point]) -> Iterator[Shape]:
    """Yield the index of each slanted row and column, at an end without a clue."""
    for axis in (0, 1):
        lines: dict[int, list[Variable]] = {}
        for v, place in grid.items():
            lines.setdefault(place[axis], []).append(v)
        for cells in lines.values():
            if len({points[v][1 - axis] for v in cells}) > 1:
                ends = (_beyond(ordered_cells, points)[0] for ordered_cells in (cells, cells[::-1]))
                if middle := next((end for end in ends if end not in taken), None):
                    yield text(cells[0].indices[axis], "header", middle, HEADER)


def _black_squares(puzzle: PrintedGrid, points: Mapping[Variable, Point]) -> Iterator[Shape]:
    """Yield the black squares of a number crossword, with the sums in them."""
    xs = {c: points[v][0] for v, (_, c) in puzzle.grid.items()}
    ys = {r: points[v][1] for v, (r, _) in puzzle.grid.items()}
    step = CELL + Geometry(puzzle.grid, points).seam
    # A grid that begins with runs needs black squares before its first row and column.
    xs[-1], ys[-1] = xs[0] - step, ys[0] - step
    sums: dict[tuple[int, int], list[tuple[LineClue, bool]]] = {}
    # A sum is in the square before its run.
    for runs, is_across in ((puzzle.across, True), (puzzle.down, False)):
        for run in runs:
            r, c = puzzle.grid[run.cells[0]]
            sums.setdefault((r, c - 1) if is_across else (r - 1, c), []).append((run, is_across))
    white = set(puzzle.grid.values())
    for r in sorted(ys):
        for c in sorted(xs):
            if (r, c) in white:
                continue
            x, y = xs[c], ys[r]
            yield box("black", (x, y), (CELL, CELL))
            if (r, c) in sums:
                half = CELL / 2
                yield line("slash", (x - half, y - half), (x + half, y + half))
            for run, is_across in sums.get((r, c), ()):
                middle = (x + 13, y - 13) if is_across else (x - 13, y + 14)
                yield text(run.text, "sum", middle, 17, run.numbers)


def _header_texts(
    grid: Grid,
    points: Mapping[Variable, Point],
    size: Point,
    clues: Sequence[Shape],
    loops: Collection[str] = (),
    before: float = 0.0,
    tabs: float = inf,
) -> Iterator[Shape]:
    """Yield the index of each row and column, outside of all clues and tabs.

    Lines with a drawn name have no index. All places have one size. ``before`` is the width of the black squares left
    of the first column and above the first row, and ``tabs`` the upper border of the highest tab.
    """
    # Find the outer edge of everything printed on the left and at the top.
    edges = [min(points[v][i] for v in grid) - size[i] / 2 - before for i in (0, 1)]
    half_widths = [max(6.0, clue.points[1][0] * WIDER / 2) for clue in clues]
    lefts = (clue.points[0][0] - half - APART for clue, half in zip(clues, half_widths, strict=True))
    # As far from cells on the left as from those below, so that the signs of both directions have room.
    margin = max(MARGIN, edges[1] - tabs + HEADER / 2 + 2)
    left = min([edges[0] - margin, *lefts])
    top = min([edges[1] - margin, *(clue.points[0][1] - 6 - APART for clue in clues)])
    # Write each index once, unless the spec names the line.
    named = {(axis, clue.points[0][1 - axis]) for clue in clues if clue.look == "header" for axis in (0, 1)}
    # Lines that are not level have none.
    levels: dict[tuple[int, int], set[float]] = {}
    for variable, place in grid.items():
        for axis, number in enumerate(place):
            levels.setdefault((axis, number), set()).add(points[variable][1 - axis])
    leaning = {axis for (axis, _), level in levels.items() if len(level) > 1}
    seen_lines = {line for line in levels if line[0] in leaning}
    for variable, place in grid.items():
        for axis, number in enumerate(place):
            if (axis, number) not in seen_lines:
                seen_lines.add((axis, number))
                if (axis, points[variable][1 - axis]) in named:
                    continue
                x, y = points[variable]
                index = int(variable.indices[axis]) // (2 if variable.family in loops else 1)
                yield text(index, "header", (left, y) if axis == 0 else (x, top), HEADER)
                if before and number == 0:  # the black squares before the first line, which constraints name
                    middle = (left, y - before) if axis == 0 else (x - before, top)
                    yield text(index - 1, "header", middle, HEADER)


def _board_shapes(model: Model, board: StripBoard, layout: Placement) -> Iterator[Shape]:
    """Yield the printed shapes of a ``StripBoard``: dark squares, headers, lines."""
    first = board.variables[0]
    form, (x, y) = layout.forms[first], layout.points[first]
    # A board: dark and forbidden squares, and the values beside the first line.
    if board.kind == "board":
        forbidden = _forbidden(model)
        checked = board.piece == "♛" and forbidden.keys().isdisjoint(
            board.variables
        )  # a dark square would hide a black one
        for column, v in enumerate(board.variables):
            for row, value in enumerate(board.values):
                (p, q), (dx, dy) = layout.points[v], form.place(row)
                if value not in model.domains[v] or value in forbidden.get(v, ()):
                    yield box("black", (p + dx, q + dy), form.slot)
                elif (row + column) % 2 and checked:
                    yield box("dark", (p + dx, q + dy), form.slot)
        for row, value in enumerate(board.values):
            dx, dy = form.place(row)
            middle = (x + dx, y - form.slot[1] / 2 - 14) if board.across else (x - form.slot[0] / 2 - 14, y + dy)
            yield text(value, "header", middle, HEADER)
        return
    # A table: values above its columns, titles at the left, and lines between the columns of each group.
    for column, value in enumerate(board.values):
        if board.kind == "table":
            yield text(value, "header", (x + form.place(column)[0], y - form.slot[1] / 2 - 14), HEADER + 2)
    if board.kind == "table":
        left = x - form.size[0] / 2
        first_column = left + form.head
        title_width = max(text_width(title, 14) for title, _ in board.groups)
        for title, group in board.groups:
            y_title = (layout.points[group[0]][1] + layout.points[group[-1]][1]) / 2
            yield text(title, "title", (left - 14 - title_width / 2, y_title), 14)
            top, bottom = (layout.points[group[i]][1] + side * form.slot[1] / 2 for i, side in ((0, -1), (-1, 1)))
            for column in range(1, len(board.values)):
                x_rule = first_column + column * form.slot[0]
                yield line("rule", (x_rule, top), (x_rule, bottom))
    else:
        # A ruler: a scale above its first row.
        scale = y - form.slot[1] / 2 - 16
        yield line("rule", (x + form.place(0)[0], scale), (x + form.place(len(board.values) - 1)[0], scale))
        for column, value in enumerate(board.values):
            x_rule = x + form.place(column)[0]
            yield line("rule", (x_rule, scale), (x_rule, scale + 6))
            yield text(value, "header", (x_rule, scale - 10), HEADER - 2)


def tuple_frames(layout: Placement, tuples: Iterable[Sequence[Variable]]) -> Iterator[Shape]:
    """Yield a frame around the neighbouring cards of each tuple, such as room and time.

    Examples
    --------
    >>> from .layout import layout
    >>> placement = layout(Model({v: (1, 2) for v in "ABC"}))
    >>> len([*tuple_frames(placement, ["AB"])])
    0
    """
    for variables in tuples:
        bodies = [box("slot", layout.points[v], layout.size(v)) for v in variables]
        (left, top), (right, bottom) = bounding_box(bodies)
        area = sum((width + BOX_SEAM) * (height + BOX_SEAM) for _, (width, height) in (body.points for body in bodies))
        is_full = (right - left) * (bottom - top) < area
        if is_full and all(layout.forms[v].kind == "card" for v in variables):
            middle, size = ((left + right) / 2, (top + bottom) / 2), (right - left + BOX_SEAM, bottom - top + BOX_SEAM)
            yield box("tuple", middle, size, corner=8)._replace(layer=UNDER)


def _forbidden(model: Model) -> dict[Variable, set[object]]:
    """Return the values that inequalities with one variable exclude, by variable."""
    forbidden: dict[Variable, set[object]] = {}
    for constraint in model.constraints:
        if isinstance(constraint, Equality) and not constraint.equal and len(constraint.scope) == 1:
            value = constraint.right if isinstance(constraint.left, Variable) else constraint.left
            forbidden.setdefault(constraint.scope[0], set()).add(value)
    return forbidden


def vertex_names(model: Model, layout: Placement) -> dict[Variable, str]:
    """Return the name that each variable's vertex shows; empty if it shows none."""
    short_named = variables_named_by_index(model)
    tables = {v for board in layout.boards if board.kind == "table" for v in board.variables}

    def name(v: Variable) -> str:
        form = layout.forms[v]
        if form.kind in ("cell", "step", "folded") or v in tables:
            return ""
        return short_name(v) if form.piece or v in short_named else str(v)

    return {v: name(v) for v in model.domains}
