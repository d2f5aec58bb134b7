"""Draw a failure: its text, and the constraints that removed the values.

These shapes lie over the vertices, at the places of the removed values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...board.widths import text_width
from ...model import Constraint, Domain, Model, Value, Variable
from ...trace import Failure
from ..shapes import HIGH, OVER, Point, Shape, bounding_box, box, most_free, text
from ..style import WIDER
from .forms import LINES, NAME
from .layout import Placement

NAMED, BADGE, SIGN = 10.0, 15.0, 13.0  # sizes of fonts
STEP, LARGE = 6.0, 24.0
"""Distance between two tried places of a badge, and the size of a single value in a cell."""
ROWS = (6.0, 10.0, 24.0, 40.0)
"""Distances of the middle of a badge from the failed vertices, above and below them, in the order of their use."""
SEAM = 2.0
"""Distance of the middle of a name from the cell above it: half of the gap between two cells."""
LEAST = 3.0
"""Minimum distance in points of two places in different rows or columns."""
INKS = {"badge": "named", "taker": "took", "taker worded": "took worded"}
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
    printed: Iterable[Shape] = (),
) -> Iterator[Shape]:
    """Yield a text that states a failure, and signs of what removed each value.

    The text avoids the remaining values ``domains``, the names of vertices, and the texts in ``printed``.

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
    signs = list(_taker_shapes(layout, failure, removals))
    occupied = [_text_box(shape) for shape in printed if shape.kind == "text"]
    occupied += [(middle, size) for shape in signs if shape.kind == "box" for middle, size in [shape.points]]
    occupied += [box for v, domain in domains.items() for box in _shown_texts(layout, v, domain)]
    yield from _boxed_text(words, "badge", _free_middle(occupied, words, around), BADGE)
    yield from signs


def _taker_shapes(
    layout: Placement, failure: Failure, removals: Sequence[tuple[Constraint | None, str, Variable, Value]]
) -> Iterator[Shape]:
    """Yield the name or sign of what removed each value.

    ``removals`` are a constraint, its name and a candidate.
    """
    # Each place names the constraint that removed its value, by a text or by a sign.
    for remover, name, v, value in removals:
        if not min(layout.size(v)):
            continue
        square = _square(layout, v, value)
        if failure.constraint is not None and layout.forms[v].kind not in LINES:
            (x, y), (width, height) = layout.points[v], layout.size(v)
            square = box("", (x, y + height / 2 + SEAM), (width, NAMED))  # between two cells, below the values
        middle, (width, height) = square.points
        if width < NARROW:
            if layout.forms[v].style != "size":
                yield text(_sign(layout, name, remover), "took", middle, min(width, height))._replace(layer=OVER)
            continue
        words = "given" if remover is not None and remover.given else name
        if text_width(words, NAMED) * WIDER <= width - 4:
            yield from _boxed_text(words, "taker worded", middle, NAMED)
        else:
            yield from _boxed_text(_sign(layout, words, remover), "taker", middle, SIGN)


def _free_middle(occupied: Sequence[tuple[Point, Point]], words: str, around: tuple[Point, Point]) -> Point:
    """Return the middle of a badge where it covers the smallest part of the texts.

    The badge is above, below or beside the area ``around``.
    """
    (left, top), (right, bottom) = around
    x, width, height = (left + right) / 2, text_width(words, BADGE) * WIDER + 6, BADGE + 3
    # Prefer the middle of the upper border, then the places nearest to it.
    reach = max(right - left - width, width) / 2
    offsets = sorted((STEP * i for i in range(-int(reach / STEP), int(reach / STEP) + 1)), key=abs)
    places = [(x + dx, y) for distance in ROWS for y in (top - distance, bottom + distance) for dx in offsets]
    places += [(side, (top + bottom) / 2) for side in (right + width / 2 + STEP, left - width / 2 - STEP)]
    return most_free(((place, (width, height)) for place in places), occupied)[0]


def _text_box(shape: Shape) -> tuple[Point, Point]:
    """Return the box around the letters of a text."""
    middle, (width, _) = shape.points
    return middle, (width, shape.size * HIGH)


def _shown_texts(layout: Placement, v: Variable, domain: Domain) -> Iterator[tuple[Point, Point]]:
    """Yield the box of the name of a vertex and of each remaining value."""
    form, (x, y) = layout.forms[v], layout.points[v]
    width, height = form.size
    if form.kind == "card":
        yield (x, y + NAME / 2 - height / 2), (width - NAME, NAMED)
    elif form.head:
        yield (x + form.head / 2 - width / 2, y + form.head / 2 - height / 2), (NAMED, NAMED)
    if form.kind not in LINES and len(domain) == 1:
        yield layout.points[v], (LARGE, LARGE)
    elif not form.shows_only_drawing and form.style == "digits":
        yield from ((layout.square(v, value), (form.slot[0], form.font * HIGH)) for value in domain)


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
        if is_straight and len(kinds) == 1:
            return "↔" if kinds == {"column"} else "↕"
        return "⤢" if len(kinds) == 1 and is_rising(layout, remover, 0 if kinds == {"column"} else 1) else "⤡"
    # Two cells are not a row or a column, wherever they are.
    if len(remover.scope) == 2:
        return "‖"
    # Elsewhere the places of the cells decide.
    spans = [
        max(coordinates) - min(coordinates)
        for coordinates in zip(*(layout.points[v] for v in remover.scope), strict=True)
    ]
    return "↔" if spans[1] < LEAST else "↕" if spans[0] < LEAST else "▦"


def is_rising(layout: Placement, diagonal: Constraint, axis: int) -> bool:
    """Return whether a diagonal rises to the right.

    The sum of row and column is constant there. The variables are the lines of a board, side by side along ``axis``.
    """
    terms = [(v, element.constant) for element in diagonal.apart() for _, v in element.terms]
    places = sorted((layout.points[v][axis], constant) for v, constant in terms if isinstance(v, Variable))
    return len(places) > 1 and places[0][1] < places[-1][1]
