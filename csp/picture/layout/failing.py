"""Draw a failure: its text, and the constraints that removed the values.

These shapes lie over the vertices, at the places of the removed values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...board.widths import text_width
from ...model import Constraint, Domain, Model, Value, Variable
from ...trace import Failure
from ..shapes import OVER, Point, Shape, bounding_box, box, text
from ..style import WIDER
from .forms import LINES
from .layout import Placement

NAMED, BADGE, SIGN = 10.0, 15.0, 13.0  # sizes of fonts
STEP, LARGE = 6.0, 24.0
"""Distance between two tried places of a badge, and the size of a single value in a cell."""
BADGE_ABOVE = 6.0
"""Distance of the middle of a badge from the vertex below it, so that a clue in the corner stays visible."""
LEAST = 3.0
"""Minimum distance in points of two places in different rows or columns."""
INKS = {"badge": "named", "taker": "took"}
"""The look of the text in each kind of box."""
NARROW = 24.0
"""Minimum width of a place, in points, for a sign in a box; a narrower place has a sign without one."""
WORDS = {"the decision": "decision", "a given": "given"}
"""Short texts for removals without a constraint."""


def failure_shapes(
    model: Model,
    layout: Placement,
    failure: Failure,
    variables: tuple[Variable, ...],
    domains: Mapping[Variable, Domain],
) -> Iterator[Shape]:
    """Yield a text that states a failure, and signs of what removed each value.

    ``domains`` are the remaining values; the text avoids them.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from .layout import layout
    >>> model = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB", label="pair")])
    >>> found = Failure(0, model.constraints[0], 2, removed_by=(("a given", (("A", 2), ("B", 2))),))
    >>> shapes = failure_shapes(model, layout(model), found, model.constraints[0].scope, {"A": (1,), "B": (1,)})
    >>> [shape.text for shape in shapes if shape.text]
    ['no 2', 'given', 'given']
    """
    constraint_named = {constraint.name: constraint for constraint in model.constraints}
    removals = [
        (constraint_named.get(name), WORDS.get(name, name), v, value)
        for name, candidates in failure.removed_by
        for v, value in candidates
    ]
    # Hatch the squares of a board; without any, its lines are hatched below their values.
    places = hatched_squares(layout, failure)
    yield from (shape._replace(look="hatch", layer=OVER) for shape in places)
    # A badge above the variables states the failure; if they are not drawn, it is above all vertices.
    visible = [v for v in variables if min(layout.size(v))] or layout.points
    around = bounding_box(places or [box("", layout.points[v], layout.size(v)) for v in visible])
    if failure.constraint is None:
        # A variable that is not drawn has no value left; the drawn ones beside it have.
        is_drawn = failure.subject in layout.forms and min(layout.size(Variable(str(failure.subject)))) > 0
        words = "no value" if is_drawn else "failure"
    else:
        words = "cannot hold" if failure.subject is None else f"no {failure.subject}"
    yield from _boxed_text(words, "badge", _free_middle(layout, domains, words, around), BADGE)
    # Each place names the constraint that removed its value, by a text or by a sign.
    for remover, name, v, value in removals:
        if not min(layout.size(v)):
            continue
        square = _square(layout, v, value)
        if failure.constraint is not None and layout.forms[v].kind not in LINES:
            (x, y), (width, height) = layout.points[v], layout.size(v)
            square = box("", (x, y + height / 2), (width, NAMED))  # on the border, below the values
        middle, (width, height) = square.points
        if width < NARROW:
            if layout.forms[v].style != "size":
                yield text(_sign(layout, name, remover), "took", middle, min(width, height))._replace(layer=OVER)
            continue
        words = "given" if remover is not None and remover.given else name
        if text_width(words, NAMED) * WIDER <= width - 4:
            yield from _boxed_text(words, "taker", middle, NAMED)
        else:
            yield from _boxed_text(_sign(layout, words, remover), "taker", middle, SIGN)


def _free_middle(
    layout: Placement, domains: Mapping[Variable, Domain], words: str, around: tuple[Point, Point]
) -> Point:
    """Return the middle of a badge on the upper border, where it covers the fewest values."""
    (left, top), (right, _) = around
    middle, y = (left + right) / 2, top - BADGE_ABOVE
    width, height = text_width(words, BADGE) * WIDER + 6, BADGE + 3
    # Find the shown values at the height of the badge.
    values = [
        (x, size)
        for v, domain in domains.items()
        if layout.forms[v].style == "digits" and abs(layout.points[v][1] - y) < layout.size(v)[1]
        for (x, value_y), (size, value_height) in _shown_values(layout, v, domain)
        if abs(value_y - y) < (height + value_height) / 2
    ]
    # Prefer the middle, then the places nearest to it.
    reach = max(right - left - width, width) / 2
    offsets = sorted((STEP * i for i in range(-int(reach / STEP), int(reach / STEP) + 1)), key=abs)
    return middle + min(
        offsets, key=lambda offset: sum(abs(x - middle - offset) < (width + s) / 2 for x, s in values)
    ), y


def _shown_values(layout: Placement, v: Variable, domain: Domain) -> Iterator[tuple[Point, Point]]:
    """Yield the place of each remaining value, and the largest size of its text."""
    form = layout.forms[v]
    if form.kind not in LINES and len(domain) == 1:
        yield layout.points[v], (LARGE, LARGE)
    elif not form.shows_only_drawing:
        yield from ((layout.square(v, value), (form.slot[0], form.font)) for value in domain)


def hatched_squares(layout: Placement, failure: Failure) -> list[Shape]:
    """Return the squares of boards from which values were removed that led to a failure."""
    candidates = [candidate for _, removed in failure.removed_by for candidate in removed]
    return [_square(layout, v, value) for v, value in candidates if layout.forms[v].kind in LINES]


def _square(layout: Placement, v: Variable, value: Value) -> Shape:
    """Return a box of the size and at the place of a variable's value."""
    return box("", layout.square(v, value), layout.forms[v].slot)


def _boxed_text(words: str, look: str, middle: Point, size: float) -> Iterator[Shape]:
    """Yield a box and a text on it, above all vertices."""
    width = text_width(words, size) * WIDER + 6
    for shape in (box(look, middle, (width, size + 3), corner=3), text(words, INKS[look], middle, size)):
        yield shape._replace(layer=OVER)


def _sign(layout: Placement, words: str, remover: Constraint | None) -> str:
    """Return a sign for what removed a value: given, decision, row, column, diagonal, pair, group."""
    if words in WORDS.values():
        return {"given": "•", "decision": "○"}[words]
    if remover is None or len(remover.scope) < 2:
        return "•"
    # On a board, a constraint on expressions is a diagonal.
    kinds = {layout.forms[v].kind for v in remover.scope}
    if kinds <= LINES:
        is_straight = all(element.is_variable for element in remover.apart())
        return "⤡" if len(kinds) > 1 or not is_straight else "↔" if kinds == {"column"} else "↕"
    # Two cells are not a row or a column, wherever they are.
    if len(remover.scope) == 2:
        return "‖"
    # Elsewhere the places of the cells decide.
    spans = [
        max(coordinates) - min(coordinates)
        for coordinates in zip(*(layout.points[v] for v in remover.scope), strict=True)
    ]
    return "↔" if spans[1] < LEAST else "↕" if spans[0] < LEAST else "▦"
