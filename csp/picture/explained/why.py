"""A chain of reasons on the board: causes in a hue of their own, numbered as in the list beside it; the rest faint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...board.widths import wrap_text
from ...explain.evidence.claims import Why
from ...model import Candidate
from ..edges.bows import between
from ..legend import BECAUSE, CLAIM, GONE, RANK, legend_caption, starting
from ..picture import picture
from ..plan import Plan
from ..scene import Scene
from ..shapes import OVER, VERTICES, Point, Shape, bounding_box, disc, text

MANY = 40
"""Of longer chains only values are numbered on the board, and nothing is joined: the list says it."""
SIZE, LINE, WIDE, GAP = 12.0, 17.0, 400.0, 40.0
"""The font of the list, the height of its lines, the width of its columns, and how far these are from the board."""
ROWS = 72
"""The most lines of a column."""


def why_picture(plan: Plan, why: Why) -> list[Shape]:
    """The reasons of a claim over the cells that they are about, and as a list, each with what it follows from.

    Where there are none, the board with what is known of the claim.

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
        return [*board, *_below(board, legend_caption(next(why.lines()), (), WIDE))]
    told = [(i, one, own) for i, one in enumerate(why.reasons, 1) for own in one.candidates if own[0] in plan.visible]
    values = {own: i for i, one, own in told if one.holds}
    gone = {own: i for i, one, own in told if not one.holds}
    about = {v for v, _ in (*values, *gone)}
    given = {one.given[0]: one.given[1] for one in plan.model.constraints if one.given and one.given[0] not in about}
    seen = {**values, **dict.fromkeys(given.items(), 0)}
    domains = {v: tuple([value for value in domain if (v, value) in seen]) for v, domain in plan.model.domains.items()}
    board = picture(plan, Scene(title="", domains=domains, removed=tuple(gone)), "grid")
    caused = {v for v, _ in values}
    drawn = []
    for shape in board:
        v = shape.of[0] if len(shape.of) == 1 else ""
        if shape.layer == VERTICES and shape.look.startswith("body"):
            state = "claim" if v == why.claim.variable else "because" if v in caused else ""
            shape = shape._replace(look=f"{shape.look} {state}".strip())
        elif shape.layer == VERTICES and v in given and shape.look != "name":
            shape = shape._replace(look="faint")
        drawn += [shape] if shape.look != "empty" else []
    entries = [CLAIM, BECAUSE, *([GONE._replace(words="removed")] if gone else []), RANK]
    (left, _), (right, _) = bounding_box(board)
    below = legend_caption(str(why.claim), entries, max(WIDE, right - left))
    return [*drawn, *_numbered(plan, why, values, gone), *_below(board, below), *_listed(board, why)]


def _numbered(plan: Plan, why: Why, values: Mapping[Candidate, int], gone: Mapping[Candidate, int]) -> Iterator[Shape]:
    """The numbers of reasons in their places, and lines from values to what they remove."""
    is_short = len(why.reasons) <= MANY
    size = plan.layout.size
    ends = {values[one]: plan.layout.points[one[0]] for one in values}
    for (v, value), i in gone.items() if is_short else ():
        form, (x, y) = plan.layout.forms[v], plan.layout.points[v]
        dx, dy = form.place(form.values.index(value))
        for premise in why.reasons[i - 1].premises:
            if premise + 1 in ends:
                start = ends[premise + 1], size(why.reasons[premise].candidates[0][0])
                yield Shape("line", "edge from", between(start, ((x + dx, y + dy), (20, 20))), layer=OVER)
    for (v, _), i in values.items():
        (x, y), (w, h) = plan.layout.points[v], size(v)
        yield from _number(i, (x + w / 2 - 6, y - h / 2 + 6), 16)
    for (v, value), i in gone.items() if is_short else ():
        form, (x, y) = plan.layout.forms[v], plan.layout.points[v]
        dx, dy = form.place(form.values.index(value))
        yield from _number(i, (x + dx + 9, y + dy - 8), 11)


def _number(number: int, at: Point, across: float) -> Iterator[Shape]:
    yield disc("rank", at, across)._replace(layer=OVER)
    yield text(number, "rank", at, across * (0.62 if number < 100 else 0.45))._replace(layer=OVER)


def _below(board: list[Shape], shapes: list[Shape]) -> Iterator[Shape]:
    (left, _), (_, bottom) = bounding_box(board)
    return (shape.shifted((left, bottom)) for shape in shapes)


def _listed(board: list[Shape], why: Why) -> Iterator[Shape]:
    """All reasons in order, in columns to the right of the board."""
    lines = []
    for number, one in enumerate(why.reasons, 1):
        premises = ", ".join(str(premise + 1) for premise in one.premises)
        words = f"{number}. {one.text}" + (f" ← {premises}" if premises else "")
        lines += wrap_text(words, SIZE, WIDE, 4)
    (_, top), (right, _) = bounding_box(board)
    for i, words in enumerate(lines):
        column, row = divmod(i, ROWS)
        yield starting(words, "", (right + GAP + column * (WIDE + GAP), top + (row + 0.5) * LINE), SIZE)
