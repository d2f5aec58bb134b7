"""Draw the reasons of a claim: numbers on the board, and a list.

A claim that only search proves is drawn as a search tree instead (``csp.render.why``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...board.widths import wrap_text
from ...explain.evidence.reasons import Why
from ...model import Candidate
from ..edges import between
from ..legend import BECAUSE, CLAIM, GONE, RANK, legend_caption, text_from_left
from ..picture import picture
from ..plan import Plan
from ..scene import Scene
from ..shapes import OVER, VERTICES, Point, Shape, bounding_box, disc, text

MANY = 40
"""In a chain of more reasons than this, only found values are numbered on the board, and no lines are drawn."""
SIZE, LINE, WIDE, GAP = 12.0, 17.0, 400.0, 40.0
"""The font of the list, the height of its lines, the width of its columns, and their distance from the board."""
ROWS = 72
"""Maximum number of lines of a column; the list continues in the next column."""


def why_picture(plan: Plan, why: Why) -> list[Shape]:
    """Return a board with numbered reasons of a claim, and the list of these reasons.

    Each reason in the list names the reasons that it follows from. If a claim has no reasons, the board is drawn with
    one sentence about the claim.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model, Variable
    >>> from csp.explain import Claim
    >>> from csp.explain import why as reasons
    >>> model = Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB", label="pair"), Equality(Variable("A"), 1)])
    >>> shapes = why_picture(Plan(model), reasons(model, Claim(Variable("B"), 2)))
    >>> [shape.text for shape in shapes if shape.look == "start" and shape.text[0].isdigit()]
    ['1. B = 2 ← 2', '2. pair: A = 1 removes 1 from B ← 3', '3. A = 1']
    """
    if not why.reasons:
        board = picture(plan, Scene(title="", domains=plan.model.domains), "grid")
        return [*board, *_move_below(board, legend_caption(next(why.lines()), (), WIDE))]
    # Collect the candidates of all reasons: found values and removed ones.
    reasons = [
        (i, reason, candidate)
        for i, reason in enumerate(why.reasons, 1)
        for candidate in reason.candidates
        if candidate[0] in plan.visible
    ]
    values = {candidate: i for i, reason, candidate in reasons if reason.holds}
    removed = {candidate: i for i, reason, candidate in reasons if not reason.holds}
    explained = {v for v, _ in (*values, *removed)}
    given = {
        constraint.given[0]: constraint.given[1]
        for constraint in plan.model.constraints
        if constraint.given and constraint.given[0] not in explained
    }
    # Draw only the candidates that the reasons mention, and the other given values.
    drawn_values = {**values, **dict.fromkeys(given.items(), 0)}
    domains = {
        v: tuple([value for value in domain if (v, value) in drawn_values]) for v, domain in plan.model.domains.items()
    }
    board = picture(plan, Scene(title="", domains=domains, removed=tuple(removed)), "grid")
    # Shade the claim and its causes; make all other values faint.
    cause_variables = {v for v, _ in values}
    shapes = []
    for shape in board:
        v = shape.of[0] if len(shape.of) == 1 else ""
        if shape.layer == VERTICES and shape.look.startswith("body"):
            state = "claim" if v == why.claim.variable else "because" if v in cause_variables else ""
            shape = shape._replace(look=f"{shape.look} {state}".strip())
        elif shape.layer == VERTICES and v in given and shape.look != "name":
            shape = shape._replace(look="faint")
        shapes += [shape] if shape.look != "empty" else []
    # Write the claim and a legend below the board.
    entries = [CLAIM, BECAUSE, *([GONE] if removed else []), RANK]
    # The caption is at least as wide as a column of the list.
    (left, _), (right, _) = bounding_box(board)
    below = legend_caption(str(why.claim), entries, max(WIDE, right - left))
    return [*shapes, *_number_shapes(plan, why, values, removed), *_move_below(board, below), *_list_shapes(board, why)]


def _number_shapes(
    plan: Plan, why: Why, values: Mapping[Candidate, int], removed: Mapping[Candidate, int]
) -> Iterator[Shape]:
    """Yield the reasons' numbers on the board, and lines from values to removed values.

    With more than ``MANY`` reasons, only found values are numbered.
    """
    is_short = len(why.reasons) <= MANY
    size = plan.layout.size
    value_points = {values[candidate]: plan.layout.points[candidate[0]] for candidate in values}
    # Join each removed value to the found values that it follows from.
    for (v, value), i in removed.items() if is_short else ():
        form, (x, y) = plan.layout.forms[v], plan.layout.points[v]
        dx, dy = form.place(form.values.index(value))
        for premise in why.reasons[i - 1].premises:
            if premise + 1 in value_points:
                start = value_points[premise + 1], size(why.reasons[premise].candidates[0][0])
                yield Shape("line", "edge from", between(start, ((x + dx, y + dy), (20, 20))), layer=OVER)
    # Number the found values, and then the removed ones.
    for (v, _), i in values.items():
        (x, y), (w, h) = plan.layout.points[v], size(v)
        yield from _number_badge(i, (x + w / 2 - 6, y - h / 2 + 6), 16)
    for (v, value), i in removed.items() if is_short else ():
        form, (x, y) = plan.layout.forms[v], plan.layout.points[v]
        dx, dy = form.place(form.values.index(value))
        yield from _number_badge(i, (x + dx + 9, y + dy - 8), 11)


def _number_badge(number: int, middle: Point, diameter: float) -> Iterator[Shape]:
    """Yield the two shapes of a number in a disc."""
    yield disc("rank", middle, diameter)._replace(layer=OVER)
    yield text(number, "rank", middle, diameter * (0.62 if number < 100 else 0.45))._replace(layer=OVER)


def _move_below(board: list[Shape], shapes: list[Shape]) -> Iterator[Shape]:
    """Yield ``shapes``, moved below the board and aligned with its left side."""
    (left, _), (_, bottom) = bounding_box(board)
    return (shape.shifted((left, bottom)) for shape in shapes)


def _list_shapes(board: list[Shape], why: Why) -> Iterator[Shape]:
    """Yield the texts of all reasons, in columns to the right of the board."""
    lines = []
    for number, reason in enumerate(why.reasons, 1):
        premises = ", ".join(str(premise + 1) for premise in reason.premises)
        words = f"{number}. {reason.text}" + (f" ← {premises}" if premises else "")
        lines += wrap_text(words, SIZE, WIDE, 4)
    (_, top), (right, _) = bounding_box(board)
    for i, words in enumerate(lines):
        column, row = divmod(i, ROWS)
        yield text_from_left(words, "", (right + GAP + column * (WIDE + GAP), top + (row + 0.5) * LINE), SIZE)
