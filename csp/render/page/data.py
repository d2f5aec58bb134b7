"""Convert a plan into JSON data for the page, as ``contract.py`` defines it.

Every film begins with these data; ``film.py`` adds the changes of each record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import floor
from typing import Any

from ...model import Constraint, Variable, ordered
from ...picture.edges import KEPT_CURVES, Edge
from ...picture.layout.forms import Form
from ...picture.legend import MATCHING, SIGNS, LegendEntry, entries
from ...picture.lenses import LENSES, lens_of
from ...picture.lenses.lens import Lens
from ...picture.matching import is_matching
from ...picture.picture import constraint_shapes, edge_shape
from ...picture.plan import Plan
from ...picture.shapes import UNDER, Point, Shape, bounding_box, box
from ...picture.style import combine_styles
from ...picture.vertex import Paints, form_parts
from ..svg import path_data
from .contract import ConstraintData, ConstraintNodeData, EdgeData, FormData, LensData, PlanData, ShapeData, VertexData

PLACED = ("left", "gone", "only")
"""Parts of a vertex that are drawn in the place of their value."""
MARGIN = 8
"""Margin around the visible part of the plane, in points."""

Numbers = Mapping[Variable, int]
"""The number of each variable in the data."""


def plan_data(plan: Plan, at_work: Collection[int] = (), signs_of_records: Sequence[Shape] = ()) -> PlanData:
    """Convert a plan, the common part of a trace's pictures, to JSON data.

    ``at_work`` are the constraints that a trace uses; the data has only their edges. The visible part of the plane
    contains ``signs_of_records``, such as the flags of failures.

    Examples
    --------
    >>> from csp import Model
    >>> data = plan_data(Plan(Model({"A": (1, 2)})))
    >>> data["vertices"][0]["name"], data["forms"][0]["kind"], data["lens"]
    ('A', 'card', 'clique')
    """
    model, layout = plan.model, plan.layout
    values = ordered(value for domain in dict.fromkeys(model.domains.values()) for value in domain)
    value_numbers = {value: i for i, value in enumerate(values)}
    numbers = {variable: i for i, variable in enumerate(model.domains)}
    # Number the forms in the order of their first vertex.
    forms: dict[Form, int] = {}
    vertices: list[VertexData] = []
    for v, domain in model.domains.items():
        x, y = _round_all(layout.points[v])
        form = forms.setdefault(layout.forms[v], len(forms))
        vertex = VertexData(name=v, x=x, y=y, domain=[value_numbers[value] for value in domain], form=form)
        if plan.names[v]:
            vertex["label"] = plan.names[v]
        if v in plan.pieces:
            vertex["piece"] = plan.pieces[v]
        if v in plan.given:
            vertex["given"] = value_numbers[plan.given[v]]
        if v in plan.bare:
            vertex["bare"] = True
        vertices.append(vertex)
    # The lenses share a table of paths and a list of legend entries.
    ways: dict[str, int] = {}
    used = dict.fromkeys(entry for name in LENSES for entry in entries(plan, name))
    used |= dict.fromkeys(MATCHING if any(map(is_matching, model.constraints)) else ())
    signs = [*SIGNS, *(entry for entry in used if entry not in SIGNS)]
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(plan.kinds))}
    data = PlanData(
        values=list(map(str, values)),
        forms=[_form_data(form, value_numbers, tuple(plan.paints.items())) for form in forms],
        vertices=vertices,
        printed=list(map(shape_data, plan.shapes)),
        under=sum(shape.layer <= UNDER for shape in plan.shapes),
        streets=_round_all(layout.streets),
        constraints=[_constraint_data(plan, i, constraint, numbers) for i, constraint in enumerate(model.constraints)],
        kinds=[*kinds],
        kind_of="".join(letter(kinds[kind]) for kind in plan.kinds),
        lenses={name: _lens_data(plan, name, numbers, at_work, ways, signs, signs_of_records) for name in LENSES},
        ways=[*ways],
        signs=sign_data(used, signs),
        lens=plan.lens,
    )
    if plan.omissions:
        data["omissions"] = plan.omissions
    return data


def sign_data(used: Collection[LegendEntry], signs: Sequence[LegendEntry] = SIGNS) -> list[Sequence[Any]]:
    """Return the data of the legend entries ``signs``; those not in ``used`` are empty."""
    return [
        [entry.words, entry.selector, entry.sign, *map(shape_data, entry.shapes)] if entry in used else []
        for entry in signs
    ]


def spec_line(constraint: Constraint) -> int | str:
    """Return the line of a constraint in the spec, or 0 if it has none.

    For an included file, the result is a text: the name of the file, a colon and the line.

    Examples
    --------
    >>> from csp import Affine, AllDifferent
    >>> both = Affine.variable("A"), Affine.variable("B")
    >>> spec_line(AllDifferent(both, line=7)), spec_line(AllDifferent(both, line=7, file="rows.csp"))
    (7, 'rows.csp:7')
    """
    return f"{constraint.file}:{constraint.line}" if constraint.file else constraint.line


def shape_data(shape: Shape) -> ShapeData:
    """Convert a shape to an array for the page, without empty fields at its end.

    Examples
    --------
    >>> shape_data(Shape("text", "clue", ((3, 4), (5, 6)), "7", 18))
    ('text', 'clue', [3, 4], 18, '7')
    """
    at: str | list[float]
    if shape.kind == "line":
        at = path_data(shape)
    else:
        at = _round_all(
            coordinate for point in shape.points[: 1 if shape.kind == "text" else 2] for coordinate in point
        )
        if combine_styles(shape.look).get("start"):
            at[0] = _without_zero_digit(round(shape.points[0][0] - shape.points[1][0] / 2, 1))
    fields: tuple[Any, ...] = ShapeData(
        shape.kind,
        shape.look,
        at,
        _without_zero_digit(round(shape.size, 2)),
        shape.text,
        shape.constraints,
        shape.fill,
    )
    while not fields[-1]:
        fields = fields[:-1]
    return fields  # type: ignore[return-value]


def _form_data(form: Form, numbers: Mapping[Any, int], paints: Paints) -> FormData:
    """Convert a vertex's form to data for the page: shapes of domains and values."""
    parts = form_parts(form, paints)
    return FormData(
        kind=form.kind, style=form.style, size=_round_all(form.size), values=[numbers[value] for value in form.values],
        places=[_round_all(form.place(i)) for i in range(len(form.values))], slot=_round_all(form.slot),
        whole={key: list(map(shape_data, drawn)) for key, drawn in parts.whole.items()},
        single={key: _value_shapes(form, drawn_values, key in PLACED) for key, drawn_values in parts.values.items()},
    )  # fmt: skip


def _value_shapes(form: Form, shapes_of_values: Sequence[Sequence[Shape]], is_placed: bool) -> list[Any]:
    """Return a list of the distinct drawings of values.

    If there are several, a text follows with a letter for each value, which selects its drawing.
    """
    variant_numbers: dict[str, int] = {}
    variants: list[list[ShapeData]] = []
    letters = ""
    for i, shapes in enumerate(shapes_of_values):
        x, y = form.place(i) if is_placed else (0.0, 0.0)
        value_shapes = [shape.shifted((-x, -y)) for shape in shapes]
        # Drawings are equal if only their place and the text of the value differ.
        value = str(form.values[i])
        value_shapes = [shape._replace(text="{v}") if shape.text == value else shape for shape in value_shapes]
        data = [shape_data(shape) if shape.kind != "line" else _relative_line(shape) for shape in value_shapes]
        if (variant_number := variant_numbers.setdefault(repr(data), len(variants))) == len(variants):
            variants.append(data)
        letters += chr(48 + variant_number)
    return [variants, letters] if len(variants) > 1 else [variants]


def _relative_line(shape: Shape) -> ShapeData:
    """Convert a straight line to data, as a path relative to its value's place."""
    (x, y), (p, q) = shape.points
    return ShapeData(
        *shape_data(shape)[:2], f"m{_one_digit(x)} {_one_digit(y)}l{_one_digit(p - x)} {_one_digit(q - y)}"
    )[:3]  # type: ignore[return-value]


def _constraint_data(plan: Plan, i: int, constraint: Constraint, numbers: Numbers) -> ConstraintData:
    """Convert the constraint of number ``i`` to data for the page."""
    data = ConstraintData(name=plan.name_of(constraint), scope=[numbers[v] for v in constraint.scope])
    if line := spec_line(constraint):
        data["line"] = line
    if i in plan.implied:
        data["origins"] = list(plan.origins[i])
    if plan.layout.shows_no_edges(constraint.scope):
        data["close"] = True
        if len(constraint.scope) == 2 and (edges := plan.joining_edges(plan.lens, i)):
            data["join"] = path_data(edge_shape(edges[0]))
    if node := plan.constraint_nodes.get(i):
        body, name_shape = (shape._replace(constraints=()) for shape in constraint_shapes(node))
        data["node"] = ConstraintNodeData(
            shapes=[
                shape_data(body._replace(text="", look="body tab" if node.is_tab else "body")),
                shape_data(name_shape),
            ]
        )
        if node.quiet:
            data["node"]["quiet"] = True
        if node.is_tab:
            data["node"]["tab"] = True
    return data


def _lens_data(
    plan: Plan,
    name: str,
    numbers: Numbers,
    at_work: Collection[int],
    ways: dict[str, int],
    signs: Sequence[LegendEntry],
    signs_of_records: Sequence[Shape],
) -> LensData:
    """Return the page data of a lens, a way to draw constraints.

    ``at_work`` are the constraints whose edges may be drawn while active. New paths are added to ``ways``.
    """
    lens = plan.draw_lens(name)
    joins: dict[int, list[list[Any]]] = {}
    # Joins are the edges of a constraint at work.
    for number in sorted(at_work):
        is_joined = len(plan.model.constraints[number].scope) == 2 and plan.is_close(number)
        if not is_joined and (edges := plan.joining_edges(name, number)):
            is_plain = not plan.is_close(number) and number not in lens.drawn_constraints
            joins[number] = (
                []
                if is_plain
                else [[numbers[edge.end], _way_letter(plan, edge.end, edge.curve, ways)] for edge in edges]
            )
    return LensData(
        title=lens_of(name).title,
        constraint_nodes=lens.drawn_constraints,
        edges=[_edge_data(edge, numbers) for edge in lens.edges],
        texts=list(map(shape_data, lens.printed)),
        hidden=plan.count_unseen(name),
        box=_seen_box(plan, lens, signs_of_records),
        joins=joins,
        legend=[signs.index(entry) for entry in entries(plan, name)],
        wired={n: [round(x, 1) for x in (*sum(anchor.node, ()), *anchor[1:])] for n, anchor in lens.wired.items()},
    )


def _way_letter(plan: Plan, v: Variable, curve: Sequence[Point], ways: dict[str, int]) -> str:
    """Return the character for a curve from ``v``; number a new curve in ``ways``."""
    return letter(ways.setdefault(_way_text(plan.layout.points[v], curve), len(ways)))


@lru_cache(KEPT_CURVES)
def _way_text(middle: Point, curve: Sequence[Point]) -> str:
    """Return a curve as SVG path data relative to ``middle``, in whole coordinates.

    A bow becomes a quadratic curve.
    """
    (x, y), (start, bend, _, end) = middle, curve
    top = [(3 * bend[i] - start[i]) / 2 for i in (0, 1)]
    is_straight = all(abs(2 * top[i] - start[i] - end[i]) < 1 for i in (0, 1))
    first, second, last = (
        "{} {}".format(*(floor(p - q + 0.5) for p, q in zip(*pair, strict=True)))
        for pair in ((start, (x, y)), (top, start), (end, start))
    )
    path = f"m{first}l{last}" if is_straight else f"m{first}q{second} {last}"
    return path.replace(" -", "-")


def _one_digit(number: float) -> str:
    return f"{round(number, 1) + 0:g}"


def _edge_data(edge: Edge, numbers: Numbers) -> EdgeData:
    ends = [numbers[v] for v in (edge.start, edge.end) if isinstance(v, Variable) and v in numbers]
    data = EdgeData(path_data(edge_shape(edge)), ends, edge.constraints, edge.look == "dashed")
    return data if data.dashed else data[:3]  # type: ignore[return-value]


def _seen_box(plan: Plan, lens: Lens, signs_of_records: Sequence[Shape]) -> list[int]:
    """Return the box, with a margin, around all that a lens draws at any record."""
    solid = []
    for v, point in plan.layout.points.items():
        # The outer arrows run beside the cells.
        room = 2 * max(plan.layout.streets) if plan.layout.is_cell(v) else 0
        width, height = plan.layout.size(v)
        solid.append(box("", point, (width + room, height + room)))
    solid += [
        shape for number in lens.drawn_constraints for shape in constraint_shapes(plan.constraint_nodes[number])[:1]
    ]
    shapes = [*solid, *map(edge_shape, lens.edges), *plan.shapes, *lens.printed, *signs_of_records]
    rounded_shapes = []
    for shape in shapes:
        points = shape.points if shape.kind != "text" else (shape.points[0], (2 * shape.size, shape.size))
        rounded_shapes.append(shape._replace(points=tuple((round(x, 1), round(y, 1)) for x, y in points)))
    return box_with_margin(bounding_box(rounded_shapes))


def letter(number: int) -> str:
    """Return the character that encodes a number in the page data.

    Small numbers need one byte, and only one character must be escaped in JSON or HTML.
    """
    return chr(number + (63 if number < 64 else 192))


def box_with_margin(corners: tuple[Point, Point]) -> list[int]:
    """Return left, top, width and height of a box, enlarged by ``MARGIN`` on all sides."""
    (left, top), (right, bottom) = corners
    left, top = left - MARGIN, top - MARGIN
    return [floor(length + 0.5) for length in (left, top, right + MARGIN - left, bottom + MARGIN - top)]


def _round_all(numbers: Iterable[float]) -> list[float]:
    """Round numbers to one decimal digit; whole numbers become integers."""
    return [_without_zero_digit(round(number, 1)) for number in numbers]


def _without_zero_digit(number: float) -> float:
    return int(number) if number == int(number) else number
