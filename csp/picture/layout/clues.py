"""Join the drawings of a spec to the constraints that they print.

A spec draws its clues separately from its rules. A drawing belongs to a constraint by its place: the cell that the
label names, the row or column beside it, or the cells that it surrounds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from ...board.grid import Grid, loops_of
from ...board.wording import NAME
from ...model import Constraint, Model, Variable
from ..shapes import Point, Shape
from .drawings import Geometry
from .forms import CELL
from .layout import Placement

PlaceIndices = tuple[int | str, ...]
"""The row and the column of a place, or of two neighbours."""
TEXTS = frozenset({"inner", "corner", "clue", "said-ball"})
"""The looks of the texts that a spec draws as clues."""
NUMBER = re.compile(r"-?\d+")
DOTS = frozenset({"bead", "ball"})
"""The looks of circles and discs between cells."""
SIGNS = DOTS | {"ring", "orb", "quad"}
"""The looks of the symbols that a spec draws as clues."""
PLACE = re.compile(r"(?<!\S)(-?\d+),(-?\d+)(?=[,:]? |$)")
"""The row and column of a cell in a label."""
ASIDE = re.compile(r"(, \w+|: .*)?")
"""A number, a direction or a text after the place."""
BETWEEN = re.compile(r" and (\D+ )?")
"""The text between two places."""
WORD = re.compile(r"-?\w+|[^\w\s]")
NEAR = 3.0
"""Maximum distance in points of two places in one row or column."""
WIDE = CELL / 2
"""Maximum horizontal distance in points of a text beside the grid and its place: wide texts are further out."""
BESIDE = 1.5 * CELL
"""Maximum distance in points, along both axes, of a clue and a cell of its constraint."""


def join_clues(model: Model, layout: Placement, shapes: Iterable[Shape]) -> list[Shape]:
    """Return shapes with the numbers of the constraints that drawn texts and outlines print.

    Examples
    --------
    >>> from csp import Affine, Drawn, Linear, Model
    >>> from .layout import layout
    >>> from .printed import printed_shapes
    >>> cells = [Variable("x", 1, c) for c in (1, 2)]
    >>> rule = Linear(Affine.variable(cells[0]), "<=", Affine.variable(cells[1]), label="clue 1,2")
    >>> model = Model(dict.fromkeys(cells, (1, 2)), [rule], drawn=[Drawn("text", (1, 2), 7)])
    >>> placement = layout(model, crowded=True)
    >>> [s.constraints for s in join_clues(model, placement, printed_shapes(model, placement)) if s.text == "7"]
    [(0,)]
    """
    drawn_shapes = list(shapes)
    cells = {v: point for v, point in layout.points.items() if layout.is_cell(v)}
    places = {**cells, **layout.slips}
    # Find the cell of each drawn text, and the cells inside each drawn outline.
    texts = {i: _place_at(shape.points[0], places) for i, shape in enumerate(drawn_shapes) if _is_text(shape)}
    signs = {i: _place_at(shape.points[0], places) for i, shape in enumerate(drawn_shapes) if _is_sign(shape)}
    outlines = {
        i: frozenset(v for v, point in cells.items() if _is_inside(point, shape.points))
        for i, shape in enumerate(drawn_shapes)
        if shape.look == "region" and not shape.constraints
    }
    joined: dict[int, list[int]] = {}
    # A text, or else a symbol, belongs to the constraint whose label names its place.
    loops = loops_of(model)
    clue_at: dict[PlaceIndices, int] = {_square_of(v, loops): i for i, v in (signs | texts).items() if v is not None}
    outside = {i: drawn_shapes[i].points[0] for i, v in texts.items() if v is None}
    between = {i: shape.points[0] for i, shape in enumerate(drawn_shapes) if _is_between(shape)}
    for puzzle in layout.puzzles if outside or between else ():
        for indices, place in _places_of(puzzle.grid, layout, loops):
            free, wide = (outside, WIDE) if len(indices) == 2 else (between, NEAR)
            clue_at.update((_join_equal(indices), i) for i, at in free.items() if _is_at(at, place, wide))
    clue_points = {indices: drawn_shapes[i].points[0] for indices, i in clue_at.items()}
    for number, indices in _labelled_places(model, clue_points, cells):
        joined.setdefault(clue_at[indices], []).append(number)
    beside: dict[int, list[int]] = {}
    for number, constraint in enumerate(model.constraints):
        scope = frozenset(v for v in constraint.scope if v in cells)
        # An outline belongs to the constraint on the cells inside, and so does the only text there.
        for i in (i for i, inside in outlines.items() if scope and inside == scope):
            inside_texts = [j for j, v in texts.items() if v in scope]
            joined.setdefault(i, []).append(number)
            if len(inside_texts) == 1:
                beside.setdefault(number, []).append(inside_texts[0])
        # Texts beside a row or column belong to the constraint on all its cells.
        axis = _line_axis(scope, cells) if constraint.label and not constraint.apart() else None
        if axis is not None:
            line = cells[next(iter(scope))][axis]
            for i in outside:
                if "clue" in drawn_shapes[i].look.split() and abs(drawn_shapes[i].points[0][axis] - line) < NEAR:
                    beside.setdefault(number, []).append(i)
    # A clause prints a text only if all its constraints contain theirs: other rules have the same cells by chance.
    others = {
        _clause(model.constraints[number])
        for number, members in beside.items()
        if not {word for i in members for word in drawn_shapes[i].text.split()} <= _words(model.constraints[number])
    }
    for number, members in beside.items():
        for i in members if _clause(model.constraints[number]) not in others else ():
            joined.setdefault(i, []).append(number)
    return [
        shape._replace(constraints=tuple(dict.fromkeys(joined[i]))) if i in joined else shape
        for i, shape in enumerate(drawn_shapes)
    ]


def _is_text(shape: Shape) -> bool:
    """Return whether a shape is a clue's text without a constraint."""
    return shape.kind == "text" and not shape.constraints and not TEXTS.isdisjoint(shape.look.split())


def _is_sign(shape: Shape) -> bool:
    """Return whether a shape is a clue's symbol in a cell, without a constraint."""
    return not shape.constraints and shape.look in SIGNS - DOTS


def _is_between(shape: Shape) -> bool:
    """Return whether a shape is a text or a dot between cells, without a constraint."""
    is_text = shape.kind == "text" and "sign" in shape.look.split()
    return not shape.constraints and (is_text or shape.look in DOTS)


def _places_of(grid: Grid, layout: Placement, loops: Collection[str]) -> Iterator[tuple[PlaceIndices, Point]]:
    """Yield the indices and the middle of each free place in and around a grid.

    It is a place without a cell, or the middle of two neighbours, also diagonal ones, with the indices of both. A dot
    in a cell has the indices of the cell twice.
    """
    v, first = next(iter(grid.items()))
    match _square_of(v, loops):
        case (int() as row, int() as column):
            by = row - first[0], column - first[1]
        case _:
            return
    geometry, (rows, columns) = Geometry(grid, layout.points), zip(*grid.values(), strict=True)
    for r, c in product(range(min(rows) - 1, max(rows) + 2), range(min(columns) - 1, max(columns) + 2)):
        if (r, c) not in geometry.places:
            yield (r + by[0], c + by[1]), geometry.at((r, c))
        for down, right in ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1)):
            first, second = (r, c), (r + down, c + right)
            (x, y), (p, q) = geometry.at(first), geometry.at(second)
            indices = (first[0] + by[0], first[1] + by[1], second[0] + by[0], second[1] + by[1])
            yield indices, ((x + p) / 2, (y + q) / 2)


def _is_at(point: Point, place: Point, wide: float) -> bool:
    """Return whether a point is at a place, up to ``wide`` points to its side."""
    return abs(point[0] - place[0]) < wide and abs(point[1] - place[1]) < NEAR


def _place_at(point: Point, places: Mapping[Variable, Point]) -> Variable | None:
    """Return the cell that contains a point, or None."""
    return next((v for v, at in places.items() if max(abs(point[i] - at[i]) for i in (0, 1)) <= CELL / 2), None)


def _square_of(v: Variable, loops: Collection[str]) -> PlaceIndices:
    """Return the row and column of a cell; a loop's square has twice its indices."""
    return tuple([index // 2 for index in v.indices if isinstance(index, int)]) if v.family in loops else v.indices


def _is_inside(point: Point, corners: Sequence[Point]) -> bool:
    """Return whether a point is inside a closed line.

    A ray from an inner point crosses the line an odd number of times.
    """
    crossings = [
        (x, p) for (x, y), (p, q) in pairwise(corners) if (y > point[1]) != (q > point[1]) and min(x, p) > point[0]
    ]
    return len(crossings) % 2 == 1


def _clause(constraint: Constraint) -> tuple[str, int, str]:
    """Return the place of a constraint in a file, and its label without numbers."""
    return constraint.file, constraint.line, NUMBER.sub("", constraint.label)


def _words(constraint: Constraint) -> set[str]:
    """Return the numbers and words of a constraint, without the names of its variables."""
    return set(WORD.findall(re.sub(NAME, " ", str(constraint))))


def _labelled_places(
    model: Model, texts: Mapping[PlaceIndices, Point], cells: Mapping[Variable, Point]
) -> Iterator[tuple[int, PlaceIndices]]:
    """Yield the constraints whose labels name a place with a text, with that place.

    All constraints of the clause have a text at their place, and a cell beside it: other labels name a place for
    another reason.
    """
    clauses: dict[tuple[str, int, str], dict[int, list[PlaceIndices]]] = {}
    for number, constraint in enumerate(model.constraints):
        if constraint.label:
            clauses.setdefault(_clause(constraint), {})[number] = _possible_places(constraint.label)
    for possible in clauses.values():
        for places in zip(*possible.values(), strict=False):
            named = list(zip(possible, places, strict=True))
            if all(at in texts and _is_beside(texts[at], model.constraints[n], cells) for n, at in named):
                yield from named
                break


def _possible_places(label: str) -> list[PlaceIndices]:
    """Return the possible places of the clue that a label names, the best first.

    The label ends with one cell or two. One cell is the place of the clue, or the first or last of four cells around
    it. A clue of two cells is between them, or in the cell that both are.
    """
    places = list(PLACE.finditer(label))
    if not places or not ASIDE.fullmatch(label, places[-1].end()):
        return []
    indices = [int(index) for place in places for index in place.groups()]
    if len(places) == 2 and BETWEEN.fullmatch(label, places[0].end(), places[1].start()):
        return [_join_equal(tuple(indices))]
    r, c, *others = indices
    return [] if others else [(r, c), (r, c, r + 1, c + 1), (r - 1, c - 1, r, c)]


def _join_equal(indices: PlaceIndices) -> PlaceIndices:
    """Return the indices without a second place that equals the first."""
    return indices[:2] if indices[:2] == indices[2:] else indices


def _is_beside(point: Point, constraint: Constraint, cells: Mapping[Variable, Point]) -> bool:
    """Return whether a point is in or beside a cell of a constraint.

    True for a constraint without cells.
    """
    points = [cells[v] for v in constraint.scope if v in cells]
    return not points or any(max(abs(point[i] - at[i]) for i in (0, 1)) <= BESIDE for at in points)


def label_place(constraint: Constraint) -> PlaceIndices:
    """Return the row and column at the end of a label that names one cell.

    A direction or a text may follow. Otherwise, the result is empty.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> [label_place(AllDifferent.of("AB", label=label)) for label in ("box 1,3", "turn beside 1,3, up")]
    [(1, 3), (1, 3)]
    >>> label_place(AllDifferent.of("AB", label="5 in column 1"))
    ()
    """
    place = _possible_places(constraint.label)[:1]
    return place[0] if place and len(place[0]) == 2 else ()


def rule_squares(model: Model, layout: Placement) -> dict[int, Point]:
    """Return the middles of the squares that labels name, by the number of the constraint.

    The constraints have no drawn variables, and the spec has a layout with these squares.
    """
    middles = {v.indices: point for v, point in layout.slips.items()}
    hidden = {v for v in model.domains if not min(layout.size(v))}
    places = {
        n: label_place(constraint) for n, constraint in enumerate(model.constraints) if hidden >= {*constraint.scope}
    }
    return {number: middles[place] for number, place in places.items() if place in middles}


def _line_axis(scope: Iterable[Variable], cells: Mapping[Variable, Point]) -> int | None:
    """Return 1 for a whole row of cells, 0 for a column, else None."""
    members = set(scope)
    for axis in (1, 0) if len(members) > 1 else ():
        line = cells[next(iter(members))][axis]
        if members == {v for v, point in cells.items() if abs(point[axis] - line) < NEAR}:
            return axis
    return None
