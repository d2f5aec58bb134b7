"""The plan as plain data: what the page is given. ``page/contract.js`` says the same for those who read scripts.

Numbers stand for names: that of a variable, a value, a constraint or a form is its place in its list. What is absent is
empty, false, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict

from ...model import Affine, Constraint, Model, Variable, ordered
from ...picture.edges.edges import Edge
from ...picture.layout.forms import Form
from ...picture.lenses.lens import Lens
from ...picture.marks import LINES, Mark
from ...picture.plan import LensName, Plan

Numbers = Mapping[Variable, int]
"""What the data calls each variable."""


class FormData(TypedDict):
    """How vertices that are alike show their domains: ``csp.picture.layout.forms.Form``."""

    kind: str
    size: Sequence[float]
    values: Sequence[int]
    columns: int
    slot: Sequence[float]
    first: Sequence[float]
    font: float
    style: str
    corner: NotRequired[bool]
    head: NotRequired[float]
    piece: NotRequired[str]


class VertexData(TypedDict):
    """A variable: its name, its middle, its domain and its form; what is written on it, and in its places."""

    name: str
    x: float
    y: float
    domain: Sequence[int]
    form: int
    label: NotRequired[str]
    piece: NotRequired[str]
    given: NotRequired[bool]
    bare: NotRequired[bool]


class MarkData(TypedDict):
    """Something drawn that never moves: ``csp.picture.marks.Mark``, its points one after another."""

    shape: str
    look: str
    at: Sequence[float]
    text: NotRequired[str]
    size: NotRequired[float]
    under: NotRequired[bool]
    dashed: NotRequired[bool]
    constraints: NotRequired[Sequence[int]]


class ChipData(TypedDict):
    """The vertex of a constraint: its middle, width and height."""

    at: Sequence[float]
    text: str
    font: float
    quiet: NotRequired[bool]


class ConstraintData(TypedDict):
    """A constraint: what must differ, each as a variable or as a text, a variable and what its values give. Where it
    is joined to its cells on a crowded grid, the ends of its own edges and the links."""

    name: str
    scope: Sequence[int]
    line: NotRequired[int | str]
    origins: NotRequired[Sequence[int]]
    apart: NotRequired[Sequence[Any]]
    close: NotRequired[bool]
    chip: NotRequired[ChipData]
    ends: NotRequired[Sequence[int]]
    links: NotRequired[Sequence[Sequence[int]]]


class EdgeData(TypedDict):
    """An edge: the variables at its ends, one or two, and its way as a line (four numbers) or a curve (eight)."""

    ends: Sequence[int]
    way: Sequence[float]
    constraints: Sequence[int]
    dashed: NotRequired[bool]


class LensData(TypedDict):
    """What a lens shows besides vertices and marks: ``csp.picture.lenses.lens.Lens``."""

    chips: Sequence[int]
    edges: Sequence[EdgeData]
    texts: Sequence[MarkData]
    acting: str
    near: Sequence[int]
    hidden: int


class MatchingData(NamedTuple):
    """One matching of a group of different values, an array in the data of a page.

    Elements with one value left are matched with it and are not told, unless there is no matching of all. In ``pairs``,
    of each other element a letter: its code less 48 is the place of its value in the domain of its variable, or -1. In
    ``sets``, of these the elements that use up their values, or without a matching of all those that have too few;
    absent where these all are one component.
    """

    group: int
    pairs: str
    sets: Sequence[Sequence[int]] | None = None


class PlanData(TypedDict):
    """All of a plan."""

    values: Sequence[str]
    paints: Mapping[int, str]
    forms: Sequence[FormData]
    vertices: Sequence[VertexData]
    marks: Sequence[MarkData]
    constraints: Sequence[ConstraintData]
    lenses: Mapping[str, LensData]
    lens: str


def plan_data(plan: Plan) -> PlanData:
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
        x, y = picture.points[v]
        form = forms.setdefault(picture.forms[v], len(forms))
        vertex = VertexData(name=v, x=x, y=y, domain=[number[value] for value in domain], form=form)
        if plan.names[v]:
            vertex["label"] = plan.names[v]
        if v in plan.pieces:
            vertex["piece"] = plan.pieces[v]
        if v in plan.given:
            vertex["given"] = True
        if v in plan.bare:
            vertex["bare"] = True
        vertices.append(vertex)
    names: tuple[LensName, ...] = ("grid", "clique", "factor")
    return PlanData(
        values=list(map(str, values)),
        paints={number[value]: paint for value, paint in plan.paints.items()},
        forms=[_form(form, number) for form in forms],
        vertices=vertices,
        marks=list(map(_mark, plan.marks)),
        constraints=[_constraint(plan, i, constraint, numbers) for i, constraint in enumerate(model.constraints)],
        lenses={name: _lens(plan.through(name), plan.unseen(name), numbers) for name in names},
        lens=plan.lens,
    )


def line_of(constraint: Constraint) -> int | str:
    """The line of the spec, 0 for none; of an included file with its name, ``rows.csp:7``.

    Examples
    --------
    >>> from csp import Affine, AllDifferent
    >>> both = Affine.variable("A"), Affine.variable("B")
    >>> line_of(AllDifferent(both, line=7)), line_of(AllDifferent(both, line=7, file="rows.csp"))
    (7, 'rows.csp:7')
    """
    return f"{constraint.file}:{constraint.line}" if constraint.file else constraint.line


def _form(form: Form, number: Mapping[Any, int]) -> FormData:
    made = FormData(
        kind=form.kind, size=form.size, values=[number[value] for value in form.values], columns=form.columns,
        slot=_rounded(form.slot), first=_rounded(form.first), font=round(form.font, 2), style=form.style,
    )  # fmt: skip
    if form.corner:
        made["corner"] = True
    if form.head:
        made["head"] = form.head
    if form.piece:
        made["piece"] = form.piece
    return made


def _mark(mark: Mark) -> MarkData:
    made = MarkData(
        shape=mark.shape, look=mark.look, at=_rounded(ordinate for point in mark.points for ordinate in point)
    )
    if mark.text:
        made |= {"text": mark.text, "size": mark.size}
    if mark.is_under:
        made["under"] = True
    if mark.look in LINES and LINES[mark.look][1]:
        made["dashed"] = True
    if mark.constraints:
        made["constraints"] = mark.constraints
    return made


def _constraint(plan: Plan, i: int, constraint: Constraint, numbers: Numbers) -> ConstraintData:
    made = ConstraintData(name=constraint.name, scope=[numbers[v] for v in constraint.scope])
    if line := line_of(constraint):
        made["line"] = line
    if len(elements := constraint.apart()) > 1:
        made["apart"] = [_apart(element, numbers, plan.model) for element in elements]
    if i in plan.implied:
        made["origins"] = list(plan.origins[i])
    if plan.layout.shows_no_edges(constraint.scope):
        made["close"] = True
        if len(constraint.scope) > 2:
            ends, links = plan.threads(i)
            made["ends"] = [numbers[v] for v in ends]
            made["links"] = [[numbers[v] for v in link] for link in links]
    if chip := plan.chips.get(i):
        made["chip"] = ChipData(at=_rounded((*chip.point, *chip.size)), text=chip.text, font=chip.font)
        if chip.quiet:
            made["chip"]["quiet"] = True
    return made


def _apart(element: Affine, numbers: Numbers, model: Model) -> Any:
    """An element that must differ from others: its variable, or its text, its variable and what its values give."""
    [variable] = element.variables
    if element.is_variable:
        return numbers[variable]
    return [str(element), numbers[variable], [element.image(value) for value in model.domains[variable]]]


def _lens(lens: Lens, hidden: int, numbers: Numbers) -> LensData:
    edges = [_edge(edge, numbers) for edge in lens.edges]
    return LensData(
        chips=lens.chips,
        edges=edges,
        texts=list(map(_mark, lens.texts)),
        acting=lens.acting,
        near=lens.near,
        hidden=hidden,
    )


def _edge(edge: Edge, numbers: Numbers) -> EdgeData:
    ends = [numbers[v] for v in (edge.one, edge.other) if isinstance(v, Variable) and v in numbers]
    start, one, _, end = edge.way
    third = tuple(start[i] + (end[i] - start[i]) / 3 for i in (0, 1))
    is_straight = all(abs(one[i] - third[i]) < 0.1 for i in (0, 1))
    way = (start, end) if is_straight else edge.way
    made = EdgeData(ends=ends, way=_rounded(o for point in way for o in point), constraints=edge.constraints)
    if edge.look == "dashed":
        made["dashed"] = True
    return made


def _rounded(numbers: Any) -> list[float]:
    return [round(number, 1) for number in numbers]
