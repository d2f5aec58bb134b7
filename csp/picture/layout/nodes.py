"""Constraint nodes: constraints drawn as vertices, with their texts and sizes.

``spots.py`` finds their places. Their edges are in ``csp.picture.edges``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ...base.frozen import Frozen
from ...board.clues import SYMBOLS, plain_comparison
from ...board.strips import short_name
from ...board.widths import text_width
from ...model import AllDifferent, Constraint, Linear, Model
from ..style import WIDER
from .layout import CELL, Placement, Point
from .spots import STRAY, TAB, factor_places, grid_of, tab_places

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
LEFT = 106.0
"""The width of such a node in the left margin."""
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


def place_constraint_nodes(
    model: Model, layout: Placement, numbers: Iterable[int], label_of: Callable[[Constraint], str] | None = None
) -> list[ConstraintNode]:
    """Return the nodes of constraints, with positions, sizes and fitting texts.

    ``label_of`` returns the label of a constraint as a picture writes it, by default the label itself.

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
    tab_heights = dict(tab_places(layout).values())
    occupied = [(point, layout.size(v)) for v, point in layout.points.items()]
    waiting = dict(places)
    nodes: list[ConstraintNode] = []
    # Fit the text of each node, clear of the nodes already placed and of those that follow.
    for index, place in places.items():
        del waiting[index]
        constraint = sub_model.constraints[index]
        comparison = plain_comparison(constraint)
        label = label_of(constraint) if label_of else constraint.label
        name = label or (comparison[1] if comparison else str(constraint))
        abbreviation = short(label) if label else _relation(constraint)
        blocks = [*occupied, *((point_ahead, (ROOM, HEIGHT)) for point_ahead in waiting.values())]
        texts = (name, abbreviation) if len(places) <= STRAY else (abbreviation, abbreviation)
        font = FAR_SIZES[0] if layout.sheets else FONT_SIZE
        text, size, point = _fit_text(texts, font, place, blocks if len(places) <= STRAY else ())
        occupied.append((point, size))
        if place in tab_heights:
            text, font = _text_of_tab((name, abbreviation), tab_heights[place])
            size, point = (text_width(text, font) * WIDER + 6, tab_heights[place]), place
        elif layout.on_board(constraint.scope):
            text = label or _text_beside_board(constraint)
            text = text if text_width(text, font) <= LONGEST else abbreviation
            size = text_width(text, font) * WIDER + 8, HEIGHT
            is_right = place[0] > max(layout.points[v][0] + layout.size(v)[0] / 2 for v in constraint.scope)
            point = (place[0] + size[0] / 2, place[1]) if is_right else place
        elif all(layout.is_cell(v) for v in constraint.scope):
            # In the left margin there is room for a wider node.
            is_left = place[0] < min(layout.points[v][0] for v in constraint.scope) - CELL
            width = LEFT if is_left else ASIDE[0]
            text, font = _text_beside_grid(constraint, name, width)
            size, point = (width, ASIDE[1]), place
        nodes.append(
            ConstraintNode(chosen[index], text, constraint.name, point, size, font, is_tab=place in tab_heights)
        )
    # Make texts distinct, then find the nodes that still overlap.
    nodes = list(_with_distinct_texts(nodes))
    loose = {node.number for node in nodes if not layout.shows_no_edges(model.constraints[node.number].scope)}
    quiet = _touching_nodes(nodes, loose, [(point, layout.size(v)) for v, point in layout.points.items()])
    # All nodes of an overfull region become quiet together.
    if quiet & loose:
        quiet |= loose
    region_of = {node.number: _region(layout, model.constraints[node.number], node) for node in nodes}
    regions = {region_of[number] for number in quiet - loose}
    quiet |= {number for number, region in region_of.items() if number not in loose and region in regions}
    return [replace(node, quiet=True) if node.number in quiet else node for node in nodes]


def _region(layout: Placement, constraint: Constraint, node: ConstraintNode) -> tuple[str, float | None]:
    """Return the board of a node's constraint, or its column beside a grid."""
    return ("board", grid_of(constraint, layout)) if layout.on_board(constraint.scope) else ("margin", node.point[0])


def _text_of_tab(names: Sequence[str], height: float) -> tuple[str, int]:
    """Return the text and the font of a tab.

    The text is the first name that is narrower than a cell.
    """
    fonts = (FONT_SIZE, FONT_SIZE - 1) if height >= TAB else (FONT_SIZE - 2,)
    tries = list(product(names, fonts))
    return next(((words, font) for words, font in tries if text_width(words, font) < CELL - 8), tries[-1])


def _text_beside_grid(constraint: Constraint, name: str, width: float) -> tuple[str, int]:
    """Return the text and the font of a node beside a large grid.

    The name is tried in smaller fonts, then without short words such as "of".
    """
    long_words = " ".join(word for word in name.split() if len(word) > 2 or not word.isalpha())
    tries = product((name, long_words), FAR_SIZES)
    fitting = ((words, font) for words, font in tries if text_width(words, font) * WIDER < width)
    return next(fitting, (short(constraint.name), FAR_SIZES[0]))


def _text_beside_board(constraint: Constraint) -> str:
    """Return the text of a constraint, with short names of variables."""
    words = str(constraint)
    for v in sorted(constraint.scope, key=len, reverse=True):
        words = words.replace(v, short_name(v))
    return re.sub(r"abs\(([^()]*)\)", r"|\1|", words)


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
    >>> short("(period(3), room(3))"), short("max(period(1), …, period(8))")
    ('p3r3', 'max…')
    """
    if len(name) <= 4:
        return name
    # Of a function, its own name is clearer than the initials of its arguments.
    if function := re.match(r"(\w+)\(\w+\(", name):
        return f"{function[1]}…"
    parts = re.findall(r"[^\W\d_]+|\d[\d,]*", name)
    initials = "".join(part[0] if part[0].isalpha() else part for part in parts)
    return initials if any(map(str.isdigit, initials)) and len(initials) <= 6 else f"{name[:3].rstrip()}…"


def _relation(constraint: Constraint) -> str:
    """Return the relation sign of a linear constraint, or ``…`` for another one."""
    return SYMBOLS.get(constraint.relation, constraint.relation) if isinstance(constraint, Linear) else "…"


def touch(first: Point, size: Point, second: Point, other_size: Point, gap: float = 2) -> bool:
    """Return whether two boxes, given by middle and size, are closer than ``gap`` points."""
    return all(abs(first[i] - second[i]) < (size[i] + other_size[i]) / 2 + gap for i in (0, 1))
