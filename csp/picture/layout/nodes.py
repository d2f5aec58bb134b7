"""Constraint nodes: constraints drawn as vertices, with their positions and texts.

Nodes are beside grids and boards, or between their variables. Their edges are in ``csp.picture.edges``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import cos, hypot, inf, pi, sin

from ...base.frozen import Frozen
from ...board.areas import is_connected
from ...board.clues import SYMBOLS, plain_comparison
from ...board.grid import Grid
from ...board.puzzle import PrintedGrid
from ...board.strips import short_name
from ...board.widths import text_width
from ...model import AllDifferent, Constraint, Linear, Model, Variable
from ..style import WIDER
from .drawings import Geometry
from .layout import CELL, Placement, Point

MARGIN = 40.0  # between a grid and the constraints beside it
FAR = 48.0  # the same for a crowded grid, whose boxes have frames
BOARD = (110.0, 90.0)  # from a board to the left ends of the constraints beside it, and to the middles below it
TITLE = 32.0  # the height of the title of a board
STEP = 26.0  # between constraints beside a board
CLUES = 24.0  # additional margin for printed clues
GAP = 28.0  # between constraints
STACK = (66.0, 34.0)  # between constraints at the end of one row, and of one column
STAIR = 42.0  # between constraints of one level, on the left
TAB = 14.0  # the height of a constraint node on the border of a box or region
STRAY = 400  # with more constraints, their places are not checked for overlaps


def factor_places(model: Model, layout: Placement) -> dict[int, Point]:
    """Return the position of a node for each constraint on two or more variables.

    A constraint in a row of a grid is to the right of the row, and a constraint in a column below it. On a crowded
    grid, a box or region has a tab on its upper border, and any other constraint is on the left margin. Without a
    crowded grid, it is in the middle of its variables or on the nearest free spot.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2)}, [AllDifferent.of("AB")])
    >>> len(factor_places(model, layout(model)))
    1
    """
    places: dict[int, Point] = {}
    on_left: dict[int, list[int]] = {}
    on_boards: dict[int, list[int]] = {}
    elsewhere: list[int] = []
    stacked: dict[tuple[int, int, int], int] = {}
    tabs = tab_places(layout)
    # Sort the constraints by region: a board, a tab, the end of a row or column, the left margin, or elsewhere.
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) < 2:
            continue
        index = _grid_of(constraint, layout)
        if index is None:
            elsewhere.append(number)
            continue
        grid = layout.tracks[index]
        if index >= len(layout.grids):
            on_boards.setdefault(index, []).append(number)
            continue
        if frozenset(constraint.scope) in tabs:
            places[number] = tabs[frozenset(constraint.scope)]
            continue
        rows, columns = (sorted({grid[v][axis] for v in constraint.scope}) for axis in (0, 1))
        if len(rows) > 1 < len(columns):
            (on_left.setdefault(index, []) if layout.crowded else elsewhere).append(number)
            continue
        axis, line = (0, rows[0]) if len(rows) == 1 else (1, columns[0])
        position = stacked[index, axis, line] = stacked.get((index, axis, line), -1) + 1
        places[number] = _beside(layout, grid, constraint.scope[0], axis, position)
    # Place the remaining ones together, since their places depend on each other.
    for index, numbers in on_boards.items():
        places.update(_by_the_board(model, layout, layout.tracks[index], numbers))
    for index, numbers in on_left.items():
        places.update(_on_the_left(model, layout, layout.tracks[index], numbers))
    places.update(_between(model, layout, elsewhere, places))
    return dict(sorted(places.items()))


def tab_places(layout: Placement) -> dict[frozenset[Variable], Point]:
    """Return the middle of the tab of each box, region and window on a crowded grid, by its cells.

    A tab is on the upper border of the first cells. It is beside the lines of the columns, which leave cells in their
    middles.

    Examples
    --------
    >>> from csp.picture.layout.layout import layout
    >>> cells = [Variable("x", r, c) for r in range(4) for c in range(4)]
    >>> box = [[v for i, v in enumerate(cells) if (i // 8, i % 4 // 2) == (r, c)] for r in (0, 1) for c in (0, 1)]
    >>> picture = layout(Model(dict.fromkeys(cells, (1, 2, 3, 4)), map(AllDifferent.of, box)), crowded=True)
    >>> list(tab_places(picture).values())[:2]
    [(32.0, -38.0), (176.0, -38.0)]
    """
    places: dict[frozenset[Variable], Point] = {}
    for puzzle in layout.puzzles if layout.crowded else ():
        boxes = [frozenset(area.cells) for area in puzzle.areas.boxes]
        windows = [frozenset(area.cells) for area in puzzle.areas.shaded if is_connected(area.cells, puzzle.grid)]
        for cells in (*boxes, *(cells for cells in outlined_cells(puzzle) if len(cells) > 1), *windows):
            first, *others = sorted(cells, key=puzzle.grid.__getitem__)
            (x, y), (_, height) = layout.points[first], layout.size(first)
            is_pair = others and puzzle.grid[others[0]] == (puzzle.grid[first][0], puzzle.grid[first][1] + 1)
            right = layout.points[others[0]][0] if is_pair else x
            above = TAB / 2 + 1 if cells in boxes else Geometry(puzzle.grid, layout.points).seam / 2
            places[cells] = (x + right) / 2, y - height / 2 - above
    return places


def outlined_cells(puzzle: PrintedGrid) -> list[frozenset[Variable]]:
    """Return the sets of cells inside the borders of regions, those of the spec included."""
    variable_at = {at: v for v, at in puzzle.grid.items()}
    rooms = ([variable_at[at] for at in room.places if at in variable_at] for room in puzzle.drawing.rooms)
    return [*(frozenset(area.cells) for area in puzzle.areas.regions), *map(frozenset, rooms)]


def _grid_of(constraint: Constraint, layout: Placement) -> int | None:
    """Return the index of the grid or board that contains a constraint's scope, or None."""
    for index, grid in enumerate(layout.tracks):
        if all(variable in grid for variable in constraint.scope):
            return index
    return None


def _beside(layout: Placement, grid: Grid, cell: Variable, axis: int, position: int) -> Point:
    """Return the point of the ``position``-th constraint beyond the end of a row or column."""
    size = layout.size(cell)
    margin = (FAR if layout.crowded else MARGIN) + _outside(layout, grid)
    ends = [max(layout.points[v][i] for v in grid) + size[i] / 2 + margin + position * STACK[i] for i in (0, 1)]
    x, y = layout.points[cell]
    return (ends[0], y) if axis == 0 else (x, ends[1])


def _on_the_left(model: Model, layout: Placement, grid: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Return points of constraints in a grid's left margin, from top to bottom.

    Constraints on one level are shifted to the right, one by one.
    """
    middles = {number: _middle(model.constraints[number].scope, layout) for number in numbers}
    order = sorted(numbers, key=lambda number: (middles[number][1], middles[number][0], number))
    ys = [layout.points[v][1] for v in grid]
    x = min(layout.points[v][0] for v in grid) - CELL / 2 - 2 * MARGIN - 2 * _outside(layout, grid)
    step = (max(ys) - min(ys) + CELL) / len(order)
    # Shift only if the margin has room for separate levels.
    levels = [middles[number][1] for number in order] if step >= STACK[1] else []
    column_of = {number: i - levels.index(levels[i]) for i, number in enumerate(order)} if levels else {}
    rightmost = max(column_of.values(), default=0)
    return {
        number: (x - STAIR * (rightmost - column_of.get(number, 0)), min(ys) - CELL / 2 + step * (i + 0.5))
        for i, number in enumerate(order)
    }


def room_beside(layout: Placement, v: Variable) -> float:
    """Return the space right of a board of rows, or below a board of columns, that contains a line.

    The title of another board needs a part of it.
    """
    along = 1 if layout.forms[v].kind == "row" else 0
    across = 1 - along
    border = layout.points[v][across] + layout.size(v)[across] / 2
    ahead = (
        point[across] - layout.size(w)[across] / 2 - border
        for w, point in layout.points.items()
        if point[across] - layout.size(w)[across] / 2 > border and min(layout.size(w))
    )
    return min(ahead, default=inf) - TITLE


def _by_the_board(model: Model, layout: Placement, board: Grid, numbers: Sequence[int]) -> dict[int, Point]:
    """Return points of constraints right of a board, or below a board of columns with room there.

    They are in the order of the middles of their variables, and as near to these as distinct places allow.
    """
    first = next(iter(board))
    along = 1 if layout.forms[first].kind == "row" else 0
    along = 1 if along == 0 and room_beside(layout, first) < BOARD[1] else along
    middles = {number: _middle(model.constraints[number].scope, layout)[along] for number in numbers}
    order = sorted(numbers, key=lambda number: (middles[number], number))
    low, high = (
        choose(layout.points[v][along] + side * layout.size(v)[along] / 2 for v in board)
        for choose, side in ((min, -1), (max, 1))
    )
    border = max(layout.points[v][1 - along] + layout.size(v)[1 - along] / 2 for v in board) + BOARD[1 - along]
    if along == 0:
        # Spread the nodes below a board over its whole width, since their texts are wide.
        levels = [low + (high - low) * (i + 0.5) / len(order) for i in range(len(order))]
        return {number: (level, border) for number, level in zip(order, levels, strict=True)}
    # Move each node below the preceding one, and then all back above the end of the board.
    levels = []
    for number in order:
        levels.append(max([middles[number], *(level + STEP for level in levels[-1:])]))
    for i in reversed(range(len(levels))):
        levels[i] = min(
            levels[i], levels[i + 1] - STEP if i + 1 < len(levels) else max(high - STEP / 2, middles[order[i]])
        )
    return {number: (border, level) for number, level in zip(order, levels, strict=True)}


def _outside(layout: Placement, grid: Grid) -> float:
    """Return how much wider a grid's margin is because of printed clues."""
    puzzle = next((candidate for candidate in layout.puzzles if candidate.grid is grid), None)
    return CLUES if puzzle and (puzzle.clues or puzzle.rays or puzzle.across or puzzle.down) else 0


def _between(
    model: Model, layout: Placement, numbers: Sequence[int], placed_before: Mapping[int, Point]
) -> dict[int, Point]:
    """Return ``placed_before``, and a free point near each constraint's variables.

    The spots lie on rings around the middle. The middle is used if none is free, or if the constraints are many.
    """
    blocks = [(point, layout.size(v)) for v, point in layout.points.items()]
    placed = dict(placed_before)
    for number in numbers:
        x, y = _middle(model.constraints[number].scope, layout)
        # Try rings of spots around the middle, from the inside out.
        spots = [(x + GAP / 2 * r * cos(angle), y + GAP / 2 * r * sin(angle)) for r in range(9) for angle in _angles(r)]
        neighbours = list(placed.values())
        free = (spot for spot in spots if _is_free(spot, blocks, neighbours))
        placed[number] = (x, y) if len(numbers) > STRAY else next(free, (x, y))
    return placed


def _angles(ring: int) -> list[float]:
    """Return the angles of the points on a ring that ``_between`` tries."""
    return [2 * pi * i / (6 * ring) for i in range(6 * ring)] if ring else [0.0]


def _is_free(spot: Point, blocks: Sequence[tuple[Point, Point]], neighbours: Sequence[Point]) -> bool:
    """Return whether a point has enough distance from all vertices and nodes."""
    x, y = spot
    return all(hypot(x - p, y - q) >= GAP for p, q in neighbours) and not any(
        abs(x - p) < w / 2 + GAP / 2 and abs(y - q) < h / 2 + GAP / 2 for (p, q), (w, h) in blocks
    )


def _middle(scope: Sequence[Variable], layout: Placement) -> Point:
    """Return the mean of the points of the variables in ``scope``."""
    points = [layout.points[variable] for variable in scope]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


HEIGHT = 22.0
FONT_SIZE = 11
ROOM = 24.0
"""Minimum width of a node, in points."""
WIDEST = 110.0
"""Maximum width of a node, in points; a longer text is shortened."""
LONGEST = 170.0
"""Maximum width of the text of a node beside a board, in points."""
ASIDE = (60.0, 28.0)
"""The size of a node beside a large grid, which is seen from a distance."""
FAR_SIZES = (16, 14, 12)
"""The sizes of the font of such a node, the best first. Nodes beside the layout of a spec have the first one, too."""


class ConstraintNode(Frozen):
    """A constraint that is drawn as a vertex, with its text and position.

    Attributes
    ----------
    number : int
        The number of the constraint in the model.
    text : str
        The name of the constraint, shortened to fit.
    name : str
        The whole name of the constraint.
    point : (float, float)
        The middle.
    size : (float, float)
        Width and height.
    font : int
        The size of the text.
    quiet : bool
        Whether the node is drawn only while its constraint is at work, because not all nodes fit.
    is_tab : bool
        Whether the node is on the border of its cells.
    """

    number: int
    text: str
    name: str
    point: Point
    size: Point
    font: int
    quiet: bool = False
    is_tab: bool = False


def constraints_with_node(model: Model, layout: Placement, hidden: Collection[int] = ()) -> Iterator[int]:
    """Yield the numbers of the constraints for which a picture can have a node.

    These are constraints on two or more variables that are neither hidden nor printed as a sign or cage. On a crowded
    grid they must have three or more variables, and on a board all variables.

    Examples
    --------
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("A"), AllDifferent.of("AB")])
    >>> list(constraints_with_node(model, layout(model)))
    [1]
    """
    printed = {number for puzzle in layout.puzzles for number in puzzle.numbers}
    excluded = printed.union(hidden)
    cages = {frozenset(cage.cells) for puzzle in layout.puzzles for cage in puzzle.cages}
    for number, constraint in enumerate(model.constraints):
        scope = constraint.scope
        if number in excluded or len(scope) < 2 or (isinstance(constraint, AllDifferent) and frozenset(scope) in cages):
            continue
        on_one_track = any(all(variable in track for variable in scope) for track in layout.tracks)
        is_drawn = on_one_track and (len(scope) > 2 or layout.on_board(scope))
        if is_drawn or not layout.shows_no_edges(scope):
            yield number


def place_constraint_nodes(model: Model, layout: Placement, numbers: Iterable[int]) -> list[ConstraintNode]:
    """Return the nodes of constraints, with positions, sizes and fitting texts.

    Nodes do not overlap each other or the variables. If some do, they are ``quiet``, together with all nodes of the
    same margin of a grid, or all nodes between variables: otherwise readers would not see that nodes are missing.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC", label="a very long name")])
    >>> [node.text for node in place_constraint_nodes(model, layout(model), [0])]
    ['a very long name']
    """
    chosen = list(numbers)
    sub_model = Model(model.domains, [model.constraints[number] for number in chosen])
    # Find a place for each node, without regard to its text.
    places = factor_places(sub_model, layout)
    tab_of = tab_places(layout)
    tabs = {*tab_of.values()}
    boxes = {tab_of[frozenset(area.cells)] for puzzle in layout.puzzles for area in puzzle.areas.boxes if tab_of}
    seam = min((Geometry(puzzle.grid, layout.points).seam for puzzle in layout.puzzles), default=0.0)
    occupied = [(point, layout.size(v)) for v, point in layout.points.items()]
    waiting = dict(places)
    nodes: list[ConstraintNode] = []
    # Fit the text of each node, clear of the nodes already placed and of those that follow.
    for index, place in places.items():
        del waiting[index]
        constraint = sub_model.constraints[index]
        comparison = plain_comparison(constraint)
        name = constraint.label or (comparison[1] if comparison else str(constraint))
        abbreviation = short(constraint.label) if constraint.label else _relation(constraint)
        blocks = [*occupied, *((point_ahead, (ROOM, HEIGHT)) for point_ahead in waiting.values())]
        texts = (name, abbreviation) if len(places) <= STRAY else (abbreviation, abbreviation)
        font = FAR_SIZES[0] if layout.sheets else FONT_SIZE
        text, size, point = _fit_text(texts, font, place, blocks if len(places) <= STRAY else ())
        occupied.append((point, size))
        if place in tabs:
            # Narrow gaps need a lower tab.
            is_low = seam < 6 and place not in boxes
            fonts = (FONT_SIZE - 2,) if is_low else (FONT_SIZE, FONT_SIZE - 1)
            tries = list(product((name, abbreviation), fonts))
            text, font = next(((words, font) for words, font in tries if text_width(words, font) < CELL - 8), tries[-1])
            size, point = (text_width(text, font) * WIDER + 6, TAB - 2 if is_low else TAB), place
        elif layout.on_board(constraint.scope):
            text = _text_beside_board(constraint)
            text = text if text_width(text, font) <= LONGEST else abbreviation
            size = text_width(text, font) * WIDER + 8, HEIGHT
            is_below = place[1] > max(layout.points[v][1] + layout.size(v)[1] / 2 for v in constraint.scope)
            point = place if is_below else (place[0] + size[0] / 2, place[1])
        elif all(layout.is_cell(v) for v in constraint.scope):
            # Try the name in smaller fonts, then without short words such as "of".
            long_words = " ".join(word for word in name.split() if len(word) > 2 or not word.isalpha())
            text, font = next(
                (
                    (words, font)
                    for words, font in product((name, long_words), FAR_SIZES)
                    if text_width(words, font) * WIDER < ASIDE[0]
                ),
                (short(constraint.name), FAR_SIZES[0]),
            )
            size = ASIDE
        nodes.append(ConstraintNode(chosen[index], text, constraint.name, point, size, font, is_tab=place in tabs))
    # Make texts distinct, then find the nodes that still overlap.
    nodes = list(_with_distinct_texts(nodes))
    loose = {node.number for node in nodes if not layout.shows_no_edges(model.constraints[node.number].scope)}
    quiet = _touching_nodes(nodes, loose, [(point, layout.size(v)) for v, point in layout.points.items()])
    # All nodes of an overfull region become quiet together.
    if quiet & loose:
        quiet |= loose
    margins = {node.point[0] for node in nodes if node.number in quiet - loose}
    quiet |= {node.number for node in nodes if node.number not in loose and node.point[0] in margins}
    return [replace(node, quiet=True) if node.number in quiet else node for node in nodes]


def _text_beside_board(constraint: Constraint) -> str:
    """Return the label of a constraint, or its text with short names of variables."""
    words = str(constraint)
    for v in sorted(constraint.scope, key=len, reverse=True):
        words = words.replace(v, short_name(v))
    return constraint.label or re.sub(r"abs\(([^()]*)\)", r"|\1|", words)


def _with_distinct_texts(nodes: Sequence[ConstraintNode]) -> Iterator[ConstraintNode]:
    """Yield the nodes; make equal short texts of different kinds distinct.

    Rows and regions, for example, both begin with one letter.
    """
    parts = {node: re.fullmatch(r"([^\W\d_]+)( \d+)", node.name) for node in nodes}
    # Collect the kinds, such as "row" and "region", behind each short text.
    kinds_of_text: dict[str, set[str]] = {}
    for node, part in parts.items():
        if part:
            kinds_of_text.setdefault(node.text, set()).add(part[1])
    ambiguous = {kind for kinds in kinds_of_text.values() if len(kinds) > 1 for kind in kinds}
    for node, part in parts.items():
        yield replace(node, text=part[1][:3] + part[2]) if part and part[1] in ambiguous else node


def _touching_nodes(
    nodes: Sequence[ConstraintNode], loose: Collection[int], blocks: Sequence[tuple[Point, Point]]
) -> set[int]:
    """Return the numbers of the nodes that touch another node or a vertex.

    Only ``loose`` nodes, which are between the variables, are compared with the boxes of vertices, ``blocks``. If they
    are more than 400, all of them count as touching.
    """
    if len(loose) > STRAY:
        return set(loose)
    touching: set[int] = set()
    # Sweep from top to bottom: only nodes at about the same height can touch.
    by_height = sorted(nodes, key=lambda node: node.point[1])
    for i, node in enumerate(by_height):
        for lower in by_height[i + 1 :]:
            if lower.point[1] - node.point[1] >= max(node.size[1], lower.size[1]):
                break
            if touch(node.point, node.size, lower.point, lower.size, 0):
                touching |= {node.number, lower.number}
        if node.number in loose and any(touch(node.point, node.size, *block, 0) for block in blocks):
            touching.add(node.number)
    return touching


def _fit_text(
    texts: tuple[str, str], font: int, point: Point, blocks: Sequence[tuple[Point, Point]]
) -> tuple[str, Point, Point]:
    """Return a node's text, size and position: its whole name if it fits.

    The whole name is tried in five places, from the middle up and down; then the short name.
    """
    for text, attempts in zip(texts, (5, 1), strict=True):
        size = max(ROOM, round(text_width(text, font) * WIDER + 8)), HEIGHT
        if size[0] <= WIDEST:
            for attempt in range(attempts):
                shifted = point[0], point[1] + (attempt + 1) // 2 * (HEIGHT + 4) * (-1) ** attempt
                if not any(touch(shifted, size, *block) for block in blocks):
                    return text, size, shifted
    return text, size, point


def short(name: str) -> str:
    """Shorten a name of over four characters to initials and numbers, or its beginning.

    Examples
    --------
    >>> short("column 12"), short("box 1,3"), short("sum"), short("wa and nt")
    ('c12', 'b1,3', 'sum', 'wa…')
    """
    if len(name) <= 4:
        return name
    parts = re.findall(r"[^\W\d_]+|\d[\d,]*", name)
    initials = "".join(part[0] if part[0].isalpha() else part for part in parts)
    return initials if any(map(str.isdigit, initials)) and len(initials) <= 6 else f"{name[:3].rstrip()}…"


def _relation(constraint: Constraint) -> str:
    """Return the relation sign of a linear constraint, or ``…`` for another one."""
    return SYMBOLS.get(constraint.relation, constraint.relation) if isinstance(constraint, Linear) else "…"


def touch(first: Point, size: Point, second: Point, other_size: Point, gap: float = 2) -> bool:
    """Return whether two boxes, given by middle and size, are closer than ``gap`` points."""
    return all(abs(first[i] - second[i]) < (size[i] + other_size[i]) / 2 + gap for i in (0, 1))
