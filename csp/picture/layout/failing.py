"""Draw the places of a failure, and the constraints that removed the values.

These shapes lie over the vertices, at the places of the removed values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from string import ascii_uppercase

from ...board.widths import text_width
from ...model import Connected, Constraint, Domain, Model, Value, Variable
from ...trace import Failure
from ..shapes import OVER, Point, Shape, box, line, shared_area, text
from ..style import WIDER
from .clues import TEXTS, label_place
from .forms import CELL, LINES
from .layout import Placement

NAMED, BADGE, SIGN = 10.0, 15.0, 13.0  # sizes of fonts
BELOW = 6.0
"""Maximum distance of the middle of a name from the cell above it, so that the name touches the cell."""
LEAST = 3.0
"""Minimum distance in points of two places in different rows or columns."""
CLUES = TEXTS | {"sign", "sum"}
"""The looks of printed clues."""
INKS = {
    "badge": "named",
    "taker": "took",
    "taker worded": "took worded",
    "taker piece": "took piece",
}
"""The look of the text in each kind of box."""
NARROW = 24.0
"""Minimum width of a place, in points, for a sign in a box; a narrower place has a sign without one."""
WORDS = {"the decision": "decision", "a given": "given"}
"""Short texts for removals without a constraint."""


def failure_shapes(
    model: Model,
    layout: Placement,
    failure: Failure,
    variables: Sequence[Variable],
    domains: Mapping[Variable, Domain],
    printed: Iterable[Shape] = (),
    squares: Sequence[Point] = (),
) -> Iterator[Shape]:
    """Yield the signs of a failure, except its flag.

    These are filled squares, signs of what removed each value, and letters on pieces. The signs leave the clues in
    ``printed`` visible. ``squares`` are places of sheets that the failure concerns.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.trace import Remover
    >>> from .layout import layout
    >>> model = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB", label="pair")])
    >>> found = Failure(0, model.constraints[0], 2, removed_by=(Remover("a given", (("A", 2), ("B", 2))),))
    >>> shapes = failure_shapes(model, layout(model), found, model.constraints[0].scope, {"A": (1,), "B": (1,)})
    >>> [shape.text for shape in shapes if shape.text]
    ['given', 'given']
    """
    # Fill the squares of a board; without any, its lines are filled below their values.
    places = [shape._replace(look="failed-square", layer=OVER) for shape in failed_squares(layout, failure)]
    # A square of a sheet is filled; if it has no value left, a text says so.
    has_value = failure.constraint is not None and failure.subject is None
    visible = visible_among(layout, variables)
    for point in squares:
        square = box("failed-square hollow" if has_value else "failed-square", point, layout.slip)
        places += [square, *([] if has_value else [text("none", "empty", point, BADGE)])]
    # If no variable of the failure is drawn, frame the square that its label names.
    if not places and not visible:
        places = list(_labelled_squares(layout, failure))
    yield from (shape._replace(layer=OVER) for shape in places)
    # Draw the signs of what removed the values, and letters on pieces that cannot be joined.
    yield from _taker_shapes(model, layout, failure, list(printed))
    for letter, cells in cut_pieces(layout, failure, domains).items():
        for v in cells:
            yield from _letter_shapes(layout, letter, v)
    # Two values on a board that exclude each other are joined.
    ends = [layout.square(v, domains[v][0]) for v in visible if layout.forms[v].kind in LINES and len(domains[v]) == 1]
    if has_value and not squares and len(ends) == len(visible) == 2:
        start, end = ends
        yield line("clash", *_line_between(start, end, layout.forms[visible[0]].slot))._replace(layer=OVER)


def visible_among(layout: Placement, variables: Iterable[Variable]) -> list[Variable]:
    """Return the variables that are drawn."""
    return [v for v in variables if min(layout.size(v))]


def printed_places(layout: Placement, subject: object) -> list[Point]:
    """Return the places where sheets of the spec print the value of an expression."""
    entries = [entry for sheet in layout.sheets for entry in sheet.entries if str(entry.value) == str(subject)]
    return [point for v, point in layout.slips.items() if any(v.indices == entry.indices for entry in entries)]


def _labelled_squares(layout: Placement, failure: Failure) -> Iterator[Shape]:
    """Yield the square of a sheet that the label of a failed constraint names."""
    if failure.constraint is not None and (place := label_place(failure.constraint)):
        yield from (
            box("failed-square hollow", point, layout.slip) for v, point in layout.slips.items() if v.indices == place
        )


def clue_texts(printed: Iterable[Shape]) -> dict[int, str]:
    """Return the clue of each constraint that prints exactly one text.

    Examples
    --------
    >>> clue_texts([text("6+", "corner", (0, 0), 11, (4,)), text("x", "header", (0, 0), 11, (5,))])
    {4: '6+'}
    """
    texts: dict[int, list[str]] = {}
    for shape in printed:
        if shape.kind == "text" and not CLUES.isdisjoint(shape.look.split()):
            for number in shape.constraints:
                texts.setdefault(number, []).append(shape.text)
    return {number: own_texts[0] for number, own_texts in texts.items() if len(own_texts) == 1}


def cut_pieces(layout: Placement, failure: Failure, domains: Mapping[Variable, Domain]) -> dict[str, list[Variable]]:
    """Return the pieces of a graph that cannot be connected: their selected cells, by letter.

    Pieces that the cause separates come first. The result is empty for other failures, and if no cell of such a piece
    is drawn.
    """
    graph = failure.constraint
    if not isinstance(graph, Connected) or failure.subject is not None:
        return {}
    # Find the places that may be selected, and those that are.
    cell_at = {v.indices: v for v in layout.points if layout.is_cell(v)}
    conditions = [condition for _, condition in graph.places]
    answers = [
        {True}
        if condition is None
        else {condition.check({v: value}) for v in condition.scope for value in domains[v]}
        if len(condition.scope) == 1
        else {True, False}
        for condition in conditions
    ]
    pieces: list[list[Variable]] = []
    visited: set[int] = set()
    for start, possible in enumerate(answers):
        if possible != {True} or start in visited:
            continue
        # Collect the piece of a selected place.
        piece = [start]
        visited.add(start)
        for place in piece:
            following = [index for index in graph.neighbours[place] if True in answers[index] and index not in visited]
            piece += following
            visited.update(following)
        selected = (graph.places[place] for place in sorted(piece) if answers[place] == {True})
        variables = (
            cell_at.get(row) or (condition.scope[0] if condition is not None else None) for row, condition in selected
        )
        drawn = [v for v in variables if v is not None and min(layout.size(v))]
        # Steps between cells have letters only if no cell has one.
        pieces.append([v for v in drawn if layout.is_cell(v)] or drawn)
    separated = [piece for piece in pieces if is_separated(failure, piece)]
    if len(separated) > 1:
        pieces = separated + [piece for piece in pieces if piece and piece not in separated]
    return dict(zip(ascii_uppercase, pieces, strict=False)) if len(pieces) > 1 and all(pieces) else {}


def is_separated(failure: Failure, piece: Collection[Variable]) -> bool:
    """Return whether the cause of a failure is partly in a piece, and separates it."""
    return any(v in piece for v, _ in failure.cause)


def _letter_shapes(layout: Placement, letter: str, v: Variable) -> Iterator[Shape]:
    """Yield the letter of a piece, in the lower right corner of a cell."""
    (x, y), (width, height) = layout.points[v], layout.size(v)
    yield from boxed_text(letter, "taker piece", (x + width / 2 - SIGN, y + height / 2 - SIGN), SIGN)


def shows_struck_values(layout: Placement, v: str) -> bool:
    """Return whether a variable without a value shows its values struck out.

    A board has signs in its squares, and a cell with many values only a number.
    """
    form = layout.forms.get(Variable(v))
    return form is not None and min(form.size) > 0 and form.kind not in LINES and form.style != "size"


def _taker_shapes(model: Model, layout: Placement, failure: Failure, printed: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the name or sign of what removed each value.

    They leave the clues between cells in ``printed`` visible.
    """
    clues = clue_texts(printed)
    small = [
        (shape.points[0], shape.points[1])
        for shape in printed
        if shape.kind != "line" and max(shape.points[1]) < CELL / 2
    ]
    for part, (v, value) in ((group, removed) for group in failure.removed_by for removed in group.removed):
        if v == failure.subject and layout.forms[v].kind not in LINES:
            continue  # the caption names what removed the values of a cell
        if not min(layout.size(v)):
            continue
        remover = None if part.number is None else model.constraints[part.number]
        square = _square(layout, v, value)
        if layout.forms[v].kind not in LINES:
            square = box("", _below(layout, v), (layout.size(v)[0], NAMED))
        middle, (width, height) = square.points
        # Beside a clue between two cells there is only room for a sign.
        if layout.forms[v].kind not in LINES and any(shared_area((middle, (SIGN, SIGN)), clue) for clue in small):
            middle, width = (middle[0] - (width - SIGN) / 2 + LEAST, middle[1]), NARROW
        words = WORDS.get(part.place, part.place) if remover is None else "given" if remover.given else remover.name
        if width < NARROW:
            yield text(_sign(layout, words, remover), "took", middle, min(width, height))._replace(layer=OVER)
            continue
        # Prefer the printed clue if the label contains it. A pair without a text that fits has the other cell.
        clue = clues.get(-1 if part.number is None else part.number, "")
        texts = [words, *([f"clue {clue}", clue] if clue else [])]
        texts = [*texts[1:], words] if clue and words.endswith(f": {clue}") else texts
        if remover is not None and len(remover.scope) == 2:
            texts += [variable for variable in remover.scope if variable != v]
        fitting = [words for words in texts if text_width(words, NAMED) * WIDER <= width - LEAST]
        if fitting:
            yield from boxed_text(fitting[0], "taker worded", middle, NAMED)
        else:
            size = SIGN if layout.forms[v].kind in LINES else NAMED
            yield from boxed_text(_sign(layout, words, remover), "taker", middle, size)


def _below(layout: Placement, v: Variable) -> Point:
    """Return the place of a name between two cells, below the values."""
    (x, y), (_, height) = layout.points[v], layout.size(v)
    middle_of_seam = (min(layout.streets) + max(layout.streets)) / 2
    return x, y + height / 2 + min(middle_of_seam, BELOW)


def _line_between(start: Point, end: Point, size: Point) -> tuple[Point, Point]:
    """Return a line between the borders of two boxes of one size."""
    share = min((size[i] / 2 / abs(end[i] - start[i]) for i in (0, 1) if end[i] != start[i]), default=0.5)
    first, second = ([a + (b - a) * part for a, b in zip(start, end, strict=True)] for part in (share, 1 - share))
    return (first[0], first[1]), (second[0], second[1])


def failed_squares(layout: Placement, failure: Failure) -> list[Shape]:
    """Return the squares of boards from which values were removed that led to a failure."""
    return [_square(layout, v, value) for v, value in failure.removed if layout.forms[v].kind in LINES]


def _square(layout: Placement, v: Variable, value: Value) -> Shape:
    """Return a box of the size and at the place of a variable's value."""
    return box("", layout.square(v, value), layout.forms[v].slot)


def box_size(words: str, size: float) -> Point:
    """Return the width and height of the box of a text."""
    return text_width(words, size) * WIDER + 6, size + 3


def boxed_text(words: str, look: str, middle: Point, size: float) -> Iterator[Shape]:
    """Yield a box and a text on it, above all vertices."""
    for shape in (box(look, middle, box_size(words, size), corner=3), text(words, INKS[look], middle, size)):
        yield shape._replace(layer=OVER)


def _sign(layout: Placement, words: str, remover: Constraint | None) -> str:
    """Return a sign for what removed a value: given, decision, row, column, diagonal, pair, group."""
    if words in WORDS.values():
        return {"given": "•", "decision": "○"}[words]
    if remover is None or len(remover.scope) < 2 or not all(min(layout.size(v)) for v in remover.scope):
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
