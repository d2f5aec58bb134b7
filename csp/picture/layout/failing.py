"""What a failure looks like: what has no place is named above its group, and each place says who took it."""

from __future__ import annotations

from collections.abc import Iterator

from ...board.widths import text_width
from ...model import Constraint, Model, Value, Variable
from ...trace import Failure
from ..shapes import OVER, Point, Shape, bounding_box, box, text
from ..style import WIDER
from .forms import LINES
from .layout import Placement

NAMED, BADGE, SIGN = 10.0, 15.0, 13.0  # sizes of fonts
LEAST = 3.0
"""Points that two places may differ by and still stand in one row."""
INKS = {"badge": "named", "taker": "took"}
NARROW = 24.0
"""Where a place is narrower, a sign has no box; a cell that tells how many are left has no places."""
WORDS = {"the decision": "decision", "what is given": "given"}


def failure_shapes(
    model: Model, layout: Placement, failure: Failure, variables: tuple[Variable, ...]
) -> Iterator[Shape]:
    """The signs of a failure over the vertices on which it is seen.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from .layout import layout
    >>> model = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB", label="pair")])
    >>> found = Failure(0, model.constraints[0], 2, takers=(("what is given", (("A", 2), ("B", 2))),))
    >>> [shape.text for shape in failure_shapes(model, layout(model), found, model.constraints[0].scope) if shape.text]
    ['no 2', 'given', 'given']
    """
    known = {constraint.name: constraint for constraint in model.constraints}
    taken = [(known.get(name), WORDS.get(name, name), v, value) for name, own in failure.takers for v, value in own]
    places = [_square(layout, v, value) for *_, v, value in taken if layout.forms[v].kind in LINES]
    lines = [box("", layout.points[v], layout.size(v)) for v in variables if layout.forms[v].kind in LINES]
    yield from (shape._replace(look="hatch", layer=OVER) for shape in places or lines)
    seen = [v for v in variables if min(layout.size(v))] or layout.points  # above all where none has a place
    (left, top), (right, _) = bounding_box(places or [box("", layout.points[v], layout.size(v)) for v in seen])
    if failure.constraint is None:
        words = "no value"
    else:
        words = "cannot hold" if failure.what is None else f"no {failure.what}"
    yield from _backed(words, "badge", ((left + right) / 2, top), BADGE)
    for taker, name, v, value in taken:
        if not min(layout.size(v)):
            continue
        square = _square(layout, v, value)
        if failure.constraint is not None and layout.forms[v].kind not in LINES:
            (x, y), (wide, high) = layout.points[v], layout.size(v)
            square = box("", (x, y + high / 2 - NAMED * 0.8), (wide, NAMED))
        at, (wide, high) = square.points
        if wide < NARROW:
            if layout.forms[v].style != "size":
                yield text(_sign(layout, name, taker), "took", at, min(wide, high))._replace(layer=OVER)
            continue
        words = "given" if taker is not None and taker.given else name
        if text_width(words, NAMED) * WIDER <= wide - 4:
            yield from _backed(words, "taker", at, NAMED)
        else:
            yield from _backed(_sign(layout, words, taker), "taker", at, SIGN)


def _square(layout: Placement, v: Variable, value: Value) -> Shape:
    """The place of a value."""
    return box("", layout.square(v, value), layout.forms[v].slot)


def _backed(words: str, look: str, at: Point, size: float) -> Iterator[Shape]:
    """A text in a box of its own."""
    wide = text_width(words, size) * WIDER + 6
    for shape in (box(look, at, (wide, size + 3), corner=3), text(words, INKS[look], at, size)):
        yield shape._replace(layer=OVER)


def _sign(layout: Placement, words: str, taker: Constraint | None) -> str:
    """A row, a column, another group, one cell, a decision."""
    if words in WORDS.values():
        return {"given": "•", "decision": "○"}[words]
    if taker is None or len(taker.scope) < 2:
        return "•"
    kinds = {layout.forms[v].kind for v in taker.scope}
    if kinds <= LINES:
        is_level = all(element.is_variable for element in taker.apart())
        return "⤡" if len(kinds) > 1 or not is_level else "↔" if kinds == {"column"} else "↕"
    spans = [max(o) - min(o) for o in zip(*(layout.points[v] for v in taker.scope), strict=True)]
    return "↔" if spans[1] < LEAST else "↕" if spans[0] < LEAST else "▦"
