"""What is printed on grids and boards, as marks in their places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import hypot

from ...board.areas import outline
from ...board.drawn.drawing import GridDrawing, grid_drawing, main_grid
from ...board.drawn.sheets import Sheet
from ...board.finder import LineClue
from ...board.grid import Position, loops_of
from ...board.puzzle import PrintedGrid
from ...board.signs import DOTS
from ...board.strips import StripBoard, short_name
from ...board.widths import text_width
from ...model import Affine, Equality, Model, Variable
from ..shapes import Point, Shape, box, disc, line, text
from ..style import WIDER
from .drawn import Geometry, drawing_shapes
from .forms import CELL, TOP, variables_named_by_index
from .layout import Placement

FRAME = 3.0  # from a cell to the frame of its cage
CLUE = 18.0
OUT = 20.0  # from a cell to the middle of the clue beside it
HEADER = 13.0
UNDERLINED = {"⊼": "∧\u0332", "⊻": "∨\u0332"}
"""Signs with a line below, of letters that every font has."""


def printed_shapes(model: Model, picture: Placement) -> Iterator[Shape]:
    """Everything that is drawn around the vertices of grids and boards.

    Examples
    --------
    >>> from .layout import layout
    >>> model = Model({Variable("x", r, c): (1, 2) for r in (1, 2) for c in (7, 8)})
    >>> [one.text for one in printed_shapes(model, layout(model, crowded=True))]
    ['1', '7', '8', '2']
    """
    second = {one.indices[1] for one in model.drawn if one.name == "pair"}
    celled = [puzzle for puzzle in picture.puzzles if all(map(picture.is_cell, puzzle.grid))]
    parts: list[tuple[Collection[Variable], list[Shape]]] = [
        *((puzzle.grid, list(_printed(puzzle, picture, loops_of(model)))) for puzzle in celled),
        *((board.variables, list(_board(model, board, picture))) for board in picture.boards),
    ]
    quiet = {v for puzzle in celled for v in puzzle.grid if v.family in second}
    for part, own in parts:
        if quiet.issuperset(part):
            own[:] = [shape for shape in own if shape.look != "header"]
    tables = {v for board in picture.boards if board.kind == "table" for v in board.variables}
    for number, sheet in enumerate(picture.sheets):
        where = Geometry(sheet.grid, picture.slips)
        joined = any(one.name == "join" for one in model.drawn)
        yield from map(_backed, _sheet(sheet, where)) if joined else _sheet(sheet, where)
        if not number and main_grid(model, picture.grids) is None:
            yield from drawing_shapes(grid_drawing(model.drawn, sheet.grid), where, partial(_is_told, sheet))
    for part, own in parts:
        yield from own
        if len(parts) + len(picture.sheets) > 1 + bool(quiet) and own and tables.isdisjoint(part):
            name = next(iter(part)).family
            left, top = (min(point[i] for one in own for point in one.points[:1]) for i in (0, 1))
            top = min(top, min(picture.points[v][1] - picture.size(v)[1] / 2 for v in part) + 8)
            yield text(name, "title", (left + text_width(name, 15) / 2, top - 24), 15)


def _printed(puzzle: PrintedGrid, picture: Placement, loops: Collection[str]) -> Iterator[Shape]:
    points = picture.points
    for area in puzzle.areas.shaded:
        yield from (box("shade", points[v], (CELL, CELL), (area.number,)) for v in area.cells)
    for v, (kind, numbers) in puzzle.parity.items():
        if kind == "even":
            yield box("shade", points[v], (CELL, CELL), numbers)
        else:
            yield disc("odd", points[v], CELL - 6, numbers)
    for one in puzzle.rays:
        for v, w in pairwise(one.cells):
            yield line("thread", *_between(points[v], points[w]), constraints=one.numbers)
    if puzzle.across or puzzle.down:
        yield from _blacks(puzzle, points)
    if not puzzle.lean:
        edge = Geometry(puzzle.grid, points)
        for area in puzzle.areas.regions:
            for way in outline([puzzle.grid[v] for v in area.cells]):
                yield line("region", *edge.way(way, edge.seam / 2), constraints=(area.number,))
        for area in puzzle.cages:
            for way in outline([puzzle.grid[v] for v in area.cells]):
                yield line("cage", *edge.way(way, FRAME), constraints=(area.number,))
    where, is_open = Geometry(puzzle.grid, points), _is_open(puzzle, picture)
    drawn = list(drawing_shapes(puzzle.drawing, where, is_open)) if puzzle.drawing != GridDrawing() else []
    yield from map(_backed, drawn) if any(v.family in loops for v in puzzle.grid) else drawn
    asked = {area.cells[0]: (area.text, (area.number,)) for area in (*puzzle.corners, *puzzle.cages)}
    for v, (words, numbers) in {**{v: (words, ()) for v, words in puzzle.facts.items()}, **asked}.items():
        x, y = points[v]
        at = x - CELL / 2 + 4 + text_width(words, 11) / 2, y - CELL / 2 + TOP / 2 + 1.5
        yield text(words, "corner", at, 11, numbers)
    for sign in puzzle.signs:
        (x, y), (p, q) = points[sign.first], points[sign.second]
        words = UNDERLINED.get(sign.text, sign.text)
        look = "sign backed" if puzzle.areas.regions else "sign"
        size = 28 if words in DOTS.values() else 20
        yield text(words, look, ((x + p) / 2, (y + q) / 2), size, (sign.number,))
    taken: set[Point] = set()
    clues = [_clue(one, points, taken) for one in (*puzzle.clues, *puzzle.rays)]
    yield from clues
    beside = [shape for shape in drawn if shape.look == "clue"]
    yield from _headers(puzzle, points, [*clues, *beside], loops)


def _backed(shape: Shape) -> Shape:
    """A text where a way may go, which would strike it out."""
    return shape._replace(look="inner backed") if shape.look == "inner" else shape


def _is_told(sheet: Sheet, place: Position) -> bool:
    """Whether a value is to be seen at a place of a sheet."""
    at = next((v.indices for v, own in sheet.grid.items() if own == place), None)
    return any(one.variables and one.indices == at for one in sheet.entries)


def _sheet(sheet: Sheet, where: Geometry) -> Iterator[Shape]:
    """The places of a layout, with what is known of each: a text, or the variable whose value comes there."""
    yield from (box("slot", where.at(place), (CELL, CELL)) for place in sheet.grid.values())
    for one in sheet.entries:
        if not any(isinstance(index, Affine) for index in one.indices):
            if not one.variables:
                yield from drawing_shapes(grid_drawing([one], sheet.grid), where, lambda _: False)
            elif one.cell:
                told = replace(one, name="corner", value=short_name(one.cell), condition=None)
                yield from drawing_shapes(grid_drawing([told], sheet.grid), where, lambda _: False)


def _is_open(puzzle: PrintedGrid, picture: Placement) -> Callable[[Position], bool]:
    """Whether values stand in the middle of a cell."""
    shown = {at: v for v, at in puzzle.grid.items()}
    return lambda at: at in shown and not picture.forms[shown[at]].skin


def _between(one: Point, other: Point) -> tuple[Point, Point]:
    """What is seen of the line from one cell to another."""
    (x, y), (p, q) = one, other
    share = CELL / 2 / max(abs(p - x), abs(q - y))
    dx, dy = (p - x) * share, (q - y) * share
    return (x + dx, y + dy), (p - dx, q - dy)


def _clue(one: LineClue, points: Mapping[Variable, Point], taken: set[Point]) -> Shape:
    """Beyond the first cell of a line; further out if another one stands there."""
    x, y = points[one.cells[0]]
    dx, dy = (points[one.cells[1]][i] - points[one.cells[0]][i] for i in (0, 1))
    far = hypot(dx, dy)
    out = OUT if min(abs(dx), abs(dy)) < 1 else OUT + 4
    reach = (CELL / 2) / max(abs(dx) / far, abs(dy) / far) + out
    at = round(x - dx / far * reach, 1), round(y - dy / far * reach, 1)
    while at in taken:
        at = round(at[0] - dx / far * OUT * 1.4, 1), round(at[1] - dy / far * OUT, 1)
    taken.add(at)
    return text(one.text, "clue", at, CLUE, one.numbers)


def _blacks(puzzle: PrintedGrid, points: Mapping[Variable, Point]) -> Iterator[Shape]:
    """The black cells of a crossword of numbers: a run across has its sum on the right, one down below."""
    xs = {c: points[v][0] for v, (_, c) in puzzle.grid.items()}
    ys = {r: points[v][1] for v, (r, _) in puzzle.grid.items()}
    pitch = CELL + 4
    xs[-1], ys[-1] = xs[0] - pitch, ys[0] - pitch
    sums: dict[tuple[int, int], list[tuple[LineClue, bool]]] = {}
    for runs, is_across in ((puzzle.across, True), (puzzle.down, False)):
        for one in runs:
            r, c = puzzle.grid[one.cells[0]]
            sums.setdefault((r, c - 1) if is_across else (r - 1, c), []).append((one, is_across))
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
            for one, is_across in sums.get((r, c), ()):
                at = (x + 13, y - 13) if is_across else (x - 13, y + 14)
                yield text(one.text, "sum", at, 17, one.numbers)


def _headers(
    puzzle: PrintedGrid, points: Mapping[Variable, Point], clues: Sequence[Shape], loops: Collection[str]
) -> Iterator[Shape]:
    """The index of every row and column of a grid, beyond whatever stands beside it."""
    grid = puzzle.grid
    edge = [min(points[v][i] for v in grid) - CELL / 2 for i in (0, 1)]
    if puzzle.across or puzzle.down:
        edge = [line - CELL - 4 for line in edge]
    wide = [max(6.0, one.points[1][0] * WIDER / 2) for one in clues]
    left = min([edge[0], *(one.points[0][0] - half for one, half in zip(clues, wide, strict=True))]) - 12
    top = min([edge[1], *(one.points[0][1] - 6 for one in clues)]) - 12
    done: set[tuple[int, int]] = set()
    for variable, place in grid.items():
        for axis, number in enumerate(place):
            if (axis, number) not in done and not (puzzle.lean and axis):
                done.add((axis, number))
                x, y = points[variable]
                index = int(variable.indices[axis]) // (2 if variable.family in loops else 1)
                yield text(index, "header", (left, y) if axis == 0 else (x, top), HEADER)


def _board(model: Model, board: StripBoard, picture: Placement) -> Iterator[Shape]:
    """The squares of a board, the scale of a ruler, the lines and titles of a table."""
    first = board.variables[0]
    form, (x, y) = picture.forms[first], picture.points[first]
    if board.kind == "board":
        forbidden = _forbidden(model)
        checked = board.piece == "♛" and forbidden.keys().isdisjoint(board.variables)  # or black squares would be lost
        for column, v in enumerate(board.variables):
            for row, value in enumerate(board.values):
                (p, q), (dx, dy) = picture.points[v], form.place(row)
                if value not in model.domains[v] or value in forbidden.get(v, ()):
                    yield box("black", (p + dx, q + dy), form.slot)
                elif (row + column) % 2 and checked:
                    yield box("dark", (p + dx, q + dy), form.slot)
        for row, value in enumerate(board.values):
            dx, dy = form.place(row)
            at = (x + dx, y - form.slot[1] / 2 - 14) if board.across else (x - form.slot[0] / 2 - 14, y + dy)
            yield text(value, "header", at, HEADER)
        return
    for column, value in enumerate(board.values):
        if board.kind == "table":
            yield text(value, "header", (x + form.place(column)[0], y - form.slot[1] / 2 - 14), HEADER + 2)
    if board.kind == "table":
        left, right = x - form.size[0] / 2, x + form.size[0] / 2
        wide = max(text_width(title, 14) for title, _ in board.groups)
        for title, group in board.groups:
            middle = (picture.points[group[0]][1] + picture.points[group[-1]][1]) / 2
            yield text(title, "title", (left - 14 - wide / 2, middle), 14)
            top, bottom = (picture.points[group[i]][1] + side * form.slot[1] / 2 for i, side in ((0, -1), (-1, 1)))
            for column in range(len(board.values) + 1):
                across = x + form.place(column)[0] - form.slot[0] / 2
                yield line("rule", (across, top - 2), (across, bottom + 2))
            yield line(
                "region", (left, top - 3), (right, top - 3), (right, bottom + 3), (left, bottom + 3), (left, top - 3)
            )
    else:
        scale = y - form.slot[1] / 2 - 16
        yield line("rule", (x + form.place(0)[0], scale), (x + form.place(len(board.values) - 1)[0], scale))
        for column, value in enumerate(board.values):
            across = x + form.place(column)[0]
            yield line("rule", (across, scale), (across, scale + 6))
            yield text(value, "header", (across, scale - 10), HEADER - 2)


def _forbidden(model: Model) -> dict[Variable, set[object]]:
    """The values that a variable must not have, said of each by itself."""
    found: dict[Variable, set[object]] = {}
    for constraint in model.constraints:
        if isinstance(constraint, Equality) and not constraint.equal and len(constraint.scope) == 1:
            value = constraint.right if isinstance(constraint.left, Variable) else constraint.left
            found.setdefault(constraint.scope[0], set()).add(value)
    return found


def vertex_names(model: Model, picture: Placement) -> dict[Variable, str]:
    """What is written on each vertex; nothing where its place says it."""
    short = variables_named_by_index(model)
    tables = {v for board in picture.boards if board.kind == "table" for v in board.variables}

    def name(v: Variable) -> str:
        form = picture.forms[v]
        if form.kind in ("cell", "step", "folded") or v in tables:
            return ""
        return short_name(v) if form.piece or v in short else str(v)

    return {v: name(v) for v in model.domains}
