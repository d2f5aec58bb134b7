"""Join the drawings of a spec to the constraints that they print.

A spec draws its clues separately from its rules. A drawing belongs to a constraint by its place: the cell that the
label names, the row or column beside it, or the cells that it surrounds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ...model import Constraint, Model, Variable
from ..shapes import Point, Shape
from .forms import CELL
from .layout import Placement

TEXTS = frozenset({"inner", "corner", "clue"})
"""The looks of the texts that a spec draws as clues."""
NUMBER = re.compile(r"-?\d+")
NEAR = 3.0
"""Maximum distance in points of two places in one row or column."""


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
    outlines = {
        i: frozenset(v for v, point in cells.items() if _is_inside(point, shape.points))
        for i, shape in enumerate(drawn_shapes)
        if shape.look == "region" and not shape.constraints
    }
    joined: dict[int, list[int]] = {}
    # A text belongs to the constraint whose label names its cell.
    text_at = {v.indices: i for i, v in texts.items() if v is not None}
    for number, indices in _labelled_places(model, text_at):
        joined.setdefault(text_at[indices], []).append(number)
    for number, constraint in enumerate(model.constraints):
        scope = frozenset(v for v in constraint.scope if v in cells)
        # An outline belongs to the constraint on the cells inside, and so does the only text there.
        for i in (i for i, inside in outlines.items() if scope and inside == scope):
            inside_texts = [j for j, v in texts.items() if v in scope]
            for j in (i, *(inside_texts if len(inside_texts) == 1 else ())):
                joined.setdefault(j, []).append(number)
        # Texts beside a row or column belong to the constraint on all its cells.
        axis = _line_axis(scope, cells) if constraint.label and not constraint.apart() else None
        if axis is not None:
            line = cells[next(iter(scope))][axis]
            for i, v in texts.items():
                if v is None and abs(drawn_shapes[i].points[0][axis] - line) < NEAR:
                    joined.setdefault(i, []).append(number)
    return [
        shape._replace(constraints=tuple(dict.fromkeys(joined[i]))) if i in joined else shape
        for i, shape in enumerate(drawn_shapes)
    ]


def _is_text(shape: Shape) -> bool:
    """Return whether a shape is a clue's text without a constraint."""
    return shape.kind == "text" and not shape.constraints and not TEXTS.isdisjoint(shape.look.split())


def _place_at(point: Point, places: Mapping[Variable, Point]) -> Variable | None:
    """Return the cell that contains a point, or None."""
    return next((v for v, at in places.items() if max(abs(point[i] - at[i]) for i in (0, 1)) <= CELL / 2), None)


def _is_inside(point: Point, corners: Sequence[Point]) -> bool:
    """Return whether a point is inside a closed line.

    A ray from an inner point crosses the line an odd number of times.
    """
    crossings = [
        (x, p) for (x, y), (p, q) in pairwise(corners) if (y > point[1]) != (q > point[1]) and min(x, p) > point[0]
    ]
    return len(crossings) % 2 == 1


def _labelled_places(
    model: Model, texts: Mapping[tuple[int | str, ...], int]
) -> Iterator[tuple[int, tuple[int | str, ...]]]:
    """Yield the constraints whose labels name a place with a text, with that place.

    All constraints of the clause have a text at their place: other labels name a place for another reason.
    """
    families: dict[tuple[str, int, str], dict[int, tuple[int | str, ...]]] = {}
    for number, constraint in enumerate(model.constraints):
        if constraint.label:
            family = (constraint.file, constraint.line, NUMBER.sub("", constraint.label))
            families.setdefault(family, {})[number] = label_indices(constraint)
    for places in families.values():
        if all(indices in texts for indices in places.values()) and max(Counter(places.values()).values()) == 1:
            yield from places.items()


def label_indices(constraint: Constraint) -> tuple[int | str, ...]:
    """Return the numbers in the label of a constraint.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> label_indices(AllDifferent.of("AB", label="box 1,3"))
    (1, 3)
    """
    return tuple(map(int, NUMBER.findall(constraint.label)))


def _line_axis(scope: Iterable[Variable], cells: Mapping[Variable, Point]) -> int | None:
    """Return 1 for a whole row of cells, 0 for a column, else None."""
    members = set(scope)
    for axis in (1, 0) if len(members) > 1 else ():
        line = cells[next(iter(members))][axis]
        if members == {v for v, point in cells.items() if abs(point[axis] - line) < NEAR}:
            return axis
    return None
