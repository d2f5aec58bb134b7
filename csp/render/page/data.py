"""A plan as data for the page: what is drawn and where, as ``contract.py`` has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import floor
from typing import Any

from ...model import Constraint, Variable, ordered
from ...picture.edges.bows import KEPT
from ...picture.edges.edges import Curve, Edge
from ...picture.layout.forms import Form
from ...picture.legend import MATCHING, SIGNS, LegendEntry, entries
from ...picture.lenses import LENSES, lens_of
from ...picture.lenses.lens import Lens
from ...picture.matching import is_matching
from ...picture.picture import constraint_shapes, edge_shape
from ...picture.plan import Plan
from ...picture.shapes import UNDER, Point, Shape, bounding_box, box
from ...picture.style import painted
from ...picture.vertex import Paints, form_parts
from ..svg import way
from .contract import ConstraintData, ConstraintNodeData, EdgeData, FormData, LensData, PlanData, ShapeData, VertexData

PLACED = ("left", "gone", "only")
"""What is said of values in their places."""
EDGE = 8
"""Around what is seen."""

ALONE = -1
Worked = Mapping[int, Set[frozenset[Variable]]]
Numbers = Mapping[Variable, int]
"""What data and film call each variable."""


def plan_data(plan: Plan, worked: Worked | None = None) -> PlanData:
    """A plan as data for JSON.

    Examples
    --------
    >>> from csp import Model
    >>> data = plan_data(Plan(Model({"A": (1, 2)})))
    >>> data["vertices"][0]["name"], data["forms"][0]["kind"], data["lens"]
    ('A', 'card', 'clique')
    """
    model, picture = plan.model, plan.layout
    values = ordered(value for domain in dict.fromkeys(model.domains.values()) for value in domain)
    number = {value: i for i, value in enumerate(values)}
    numbers = {variable: i for i, variable in enumerate(model.domains)}
    forms: dict[Form, int] = {}
    vertices: list[VertexData] = []
    for v, domain in model.domains.items():
        x, y = _rounded(picture.points[v])
        form = forms.setdefault(picture.forms[v], len(forms))
        vertex = VertexData(name=v, x=x, y=y, domain=[number[value] for value in domain], form=form)
        if plan.names[v]:
            vertex["label"] = plan.names[v]
        if v in plan.pieces:
            vertex["piece"] = plan.pieces[v]
        if v in plan.given:
            vertex["given"] = number[plan.given[v]]
        if v in plan.bare:
            vertex["bare"] = True
        vertices.append(vertex)
    ways: dict[str, int] = {}
    used = {entry for name in LENSES for entry in entries(plan, name)}
    used.update(MATCHING if any(map(is_matching, model.constraints)) else ())
    return PlanData(
        values=list(map(str, values)),
        forms=[_form(form, number, tuple(plan.paints.items())) for form in forms],
        vertices=vertices,
        marks=list(map(mark_data, plan.shapes)),
        under=sum(mark.layer == UNDER for mark in plan.shapes),
        constraints=[_constraint(plan, i, constraint, numbers) for i, constraint in enumerate(model.constraints)],
        lenses={name: _lens(plan, name, numbers, worked or {ALONE: set()}, ways) for name in LENSES},
        ways=[*ways],
        signs=sign_data(used),
        lens=plan.lens,
    )


def sign_data(used: Collection[LegendEntry]) -> list[Sequence[Any]]:
    """Return all entries of legends as data for JSON, those that are not used empty."""
    return [
        [entry.words, entry.selector, entry.sign, *map(mark_data, entry.shapes)] if entry in used else []
        for entry in SIGNS
    ]


def spec_line(constraint: Constraint) -> int | str:
    """The line of the spec, 0 for none; of an included file with its name, ``rows.csp:7``.

    Examples
    --------
    >>> from csp import Affine, AllDifferent
    >>> both = Affine.variable("A"), Affine.variable("B")
    >>> spec_line(AllDifferent(both, line=7)), spec_line(AllDifferent(both, line=7, file="rows.csp"))
    (7, 'rows.csp:7')
    """
    return f"{constraint.file}:{constraint.line}" if constraint.file else constraint.line


def mark_data(mark: Shape) -> ShapeData:
    """A mark as data for JSON.

    Examples
    --------
    >>> mark_data(Shape("text", "clue", ((3, 4), (5, 6)), "7", 18))
    ('text', 'clue', [3, 4], 18, '7')
    """
    at: str | list[float]
    if mark.kind == "line":
        at = way(mark)
    else:
        at = _rounded(o for point in mark.points[: 1 if mark.kind == "text" else 2] for o in point)
        if painted(mark.look).get("start"):
            at[0] = _whole(round(mark.points[0][0] - mark.points[1][0] / 2, 1))
    found: tuple[Any, ...] = ShapeData(
        mark.kind, mark.look, at, _whole(round(mark.size, 2)), mark.text, mark.constraints, mark.fill
    )
    while not found[-1]:
        found = found[:-1]
    return found  # type: ignore[return-value]


def _form(form: Form, number: Mapping[Any, int], paints: Paints) -> FormData:
    parts = form_parts(form, paints)
    return FormData(
        kind=form.kind, style=form.style, size=_rounded(form.size), values=[number[value] for value in form.values],
        places=[_rounded(form.place(i)) for i in range(len(form.values))], slot=_rounded(form.slot),
        whole={key: list(map(mark_data, marks)) for key, marks in parts.whole.items()},
        said={key: _alike(form, every, key in PLACED) for key, every in parts.values.items()},
    )  # fmt: skip


def _alike(form: Form, every: Sequence[Sequence[Shape]], is_placed: bool) -> list[Any]:
    """What stands for each value, once for all that are alike."""
    found: dict[str, int] = {}
    told: list[list[ShapeData]] = []
    letters = ""
    for i, marks in enumerate(every):
        x, y = form.place(i) if is_placed else (0.0, 0.0)
        own = [mark.shifted((-x, -y)) for mark in marks]
        value = str(form.values[i])
        own = [mark._replace(text="{v}") if mark.text == value else mark for mark in own]
        data = [mark_data(mark) if mark.kind != "line" else _relative(mark) for mark in own]
        if (at := found.setdefault(repr(data), len(told))) == len(told):
            told.append(data)
        letters += chr(48 + at)
    return [told, letters] if len(told) > 1 else [told]


def _relative(mark: Shape) -> ShapeData:
    """A straight line as the way to and along it."""
    (x, y), (p, q) = mark.points
    return ShapeData(*mark_data(mark)[:2], f"m{_n(x)} {_n(y)}l{_n(p - x)} {_n(q - y)}")[:3]  # type: ignore[return-value]


def _constraint(plan: Plan, i: int, constraint: Constraint, numbers: Numbers) -> ConstraintData:
    made = ConstraintData(name=constraint.name, scope=[numbers[v] for v in constraint.scope])
    if line := spec_line(constraint):
        made["line"] = line
    if i in plan.implied:
        made["origins"] = list(plan.origins[i])
    if plan.layout.shows_no_edges(constraint.scope):
        made["close"] = True
        if len(constraint.scope) == 2 and (edges := plan.joining_edges(plan.lens, i)):
            made["join"] = way(edge_shape(edges[0]))
    if chip := plan.constraint_nodes.get(i):
        body, words = (mark._replace(constraints=()) for mark in constraint_shapes(chip))
        made["chip"] = ConstraintNodeData(marks=[mark_data(body._replace(text="", look="body")), mark_data(words)])
        if chip.quiet:
            made["chip"]["quiet"] = True
    return made


def _lens(plan: Plan, name: str, numbers: Numbers, worked: Worked, ways: dict[str, int]) -> LensData:
    lens = plan.draw_lens(name)
    joins: dict[int, list[list[Any]]] = {}
    bows: dict[int, dict[int, str]] = {}
    for number in sorted({*worked, *lens.near} - {ALONE}):
        scope, is_causal = plan.model.constraints[number].scope, plan.is_causal(name, number)
        reached = _reached(scope, worked.get(number, set())) if is_causal else {}
        if number in lens.near:
            reached |= {v: {*scope} for v in scope if frozenset((v,)) in worked[ALONE]}
        reached = {v: own - plan.folded for v, own in reached.items() if v not in plan.folded}
        if reached:
            bows[number] = {
                numbers[v]: "".join(_letter(plan, v, w, ways) if w in own else " " for w in scope if v != w).rstrip()
                for v, own in reached.items()
            }
        is_joined = len(scope) == 2 and plan.is_close(number)
        if number in worked and not is_causal and not is_joined and (edges := plan.joining_edges(name, number)):
            is_plain = not plan.is_close(number) and number not in lens.drawn_constraints
            joins[number] = (
                [] if is_plain else [[numbers[edge.end], _way(plan, edge.end, edge.curve, ways)] for edge in edges]
            )
    return LensData(
        title=lens_of(name).title,
        chips=lens.drawn_constraints,
        edges=[_edge(edge, numbers) for edge in lens.edges],
        texts=list(map(mark_data, lens.texts)),
        near=lens.near,
        hidden=plan.count_unseen(name),
        box=_box(plan, lens),
        joins=joins,
        bows=bows,
        legend=[SIGNS.index(entry) for entry in entries(plan, name)],
    )


def _reached(scope: Sequence[Variable], causes: Collection[frozenset[Variable]]) -> dict[Variable, set[Variable]]:
    """To which others something ever leads from each variable that is a cause."""
    found: dict[Variable, set[Variable]] = {}
    for v in scope:
        if own := [one for one in causes if v in one]:
            found[v] = {*scope}.difference(own[0].intersection(*own))
    return found


def _letter(plan: Plan, one: Variable, other: Variable, ways: dict[str, int]) -> str:
    """What stands for the way from one vertex to another."""
    return _way(plan, one, plan.drawing.bow(one, other), ways)


def _way(plan: Plan, v: Variable, curve: Curve, ways: dict[str, int]) -> str:
    """What stands for a way from the middle of a vertex."""
    return letter(ways.setdefault(_whole_points(plan.layout.points[v], curve), len(ways)))


@lru_cache(KEPT)
def _whole_points(middle: Point, curve: Curve) -> str:
    """A way from a middle in whole points: a flat bow is a quadratic curve."""
    (x, y), (start, bend, _, end) = middle, curve
    top = [(3 * bend[i] - start[i]) / 2 for i in (0, 1)]
    is_straight = all(abs(2 * top[i] - start[i] - end[i]) < 1 for i in (0, 1))
    first, second, last = (
        "{} {}".format(*(floor(p - q + 0.5) for p, q in zip(*pair, strict=True)))
        for pair in ((start, (x, y)), (top, start), (end, start))
    )
    found = f"m{first}l{last}" if is_straight else f"m{first}q{second} {last}"
    return found.replace(" -", "-")


def _n(number: float) -> str:
    return f"{round(number, 1) + 0:g}"


def _edge(edge: Edge, numbers: Numbers) -> EdgeData:
    ends = [numbers[v] for v in (edge.start, edge.end) if isinstance(v, Variable) and v in numbers]
    made = EdgeData(way(edge_shape(edge)), ends, edge.constraints, edge.look == "dashed")
    return made if made.dashed else made[:3]  # type: ignore[return-value]


def _box(plan: Plan, lens: Lens) -> list[int]:
    """Left and top, width and height of what is seen, whatever step it is."""
    solid = [box("", point, plan.layout.size(v)) for v, point in plan.layout.points.items()]
    solid += [
        mark for number in lens.drawn_constraints for mark in constraint_shapes(plan.constraint_nodes[number])[:1]
    ]
    every = [*solid, *map(edge_shape, lens.edges), *plan.shapes, *lens.texts]
    marks = []
    for one in every:
        points = one.points if one.kind != "text" else (one.points[0], (2 * one.size, one.size))
        marks.append(one._replace(points=tuple((round(x, 1), round(y, 1)) for x, y in points)))
    return edged(bounding_box(marks))


def letter(number: int) -> str:
    """A letter that stands for a number, short for small ones and none that JSON or HTML would escape, but one."""
    return chr(number + (63 if number < 64 else 192))


def edged(corners: tuple[Point, Point]) -> list[int]:
    """Left and top, width and height of what lies between corners, with an edge around it."""
    (left, top), (right, bottom) = corners
    left, top = left - EDGE, top - EDGE
    return [floor(length + 0.5) for length in (left, top, right + EDGE - left, bottom + EDGE - top)]


def _rounded(numbers: Iterable[float]) -> list[float]:
    """With one digit after the point, and none where that is nothing."""
    return [_whole(round(number, 1)) for number in numbers]


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number
