"""What a scene looks like: all marks of a picture, in places that are planned."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set

from ..model import Value, Variable
from .edges.edges import Edge
from .layout.failing import failure_shapes
from .layout.forms import LINES
from .layout.nodes import ConstraintNode
from .plan import Plan
from .scene import Scene
from .shapes import BEHIND, JOINS, OVER, UNDER, VERTICES, Point, Shape, bounding_box, box, text
from .vertex import VertexState, vertex


def picture(plan: Plan, scene: Scene, lens: str = "") -> list[Shape]:
    """The marks of a scene; painters that have layers paint the lower ones first.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> model = Model({"A": (1, 2), "B": (2,)}, [AllDifferent.of("AB")])
    >>> shapes = picture(Plan(model), Scene(title="", domains=model.domains, marked=(Variable("B"),)))
    >>> [(shape.of, shape.look) for shape in shapes if shape.kind in ("box", "line")]
    [(('A',), 'body card'), (('B',), 'body card marked'), (('A', 'B'), 'edge')]
    """
    lens, scene = lens or plan.lens, plan.failing(scene)
    shown, lit = plan.through(lens), plan.lit(lens, scene.constraints)
    work = lit.union(scene.along)
    removed: dict[Variable, list[Value]] = {}
    for variable, value in scene.removed:
        removed.setdefault(variable, []).append(value)
    printed = [_lit(shape, lit) for shape in (*plan.shapes, *shown.texts)] + plan.moving.shapes(scene.domains)
    found = [shape for shape in printed if shape.layer == UNDER]
    for v, point in plan.layout.points.items():
        if v in plan.away:
            continue
        found += (shape.moved(point, (v,)) for shape in vertex_shapes(plan, scene, v, removed.get(v, ())))
    for number in shown.drawn_constraints:
        chip = plan.constraint_nodes[number]
        if not chip.quiet or number in lit:
            found += constraint_shapes(chip, number in lit)
    for edge in shown.edges:
        causes = [scene.causes_of(number) for number in edge.constraints if number in work]
        active = any(not (scene.causes and removed) or _is_crossed(edge, own, removed) for own in causes)
        found.append(edge_shape(edge, "lit" if active else ""))
    found += (shape for shape in printed if shape.layer != UNDER)
    found += _acting(plan, scene, lens, removed)
    if scene.failure is not None:
        found += failure_shapes(plan.model, plan.layout, scene.failure, scene.failed)
    if any(plan.constraint_nodes[number].quiet for number in shown.drawn_constraints):
        low, high = bounding_box([*(shape for shape in found if shape.layer == VERTICES), *_chips(plan, lens)])
        middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        found.append(box("room", middle, (high[0] - low[0], high[1] - low[1]))._replace(of=("frame",)))
    return found


def vertex_shapes(plan: Plan, scene: Scene, v: Variable, removed: Collection[Value] = ()) -> list[Shape]:
    """The marks of a vertex, around its middle."""
    domain = plan.model.domains[v]
    is_whole = len(domain) > 1 and scene.domains[v] == domain and not removed
    states = {"marked": scene.marked, "active": scene.active, "failed": scene.failed, "cause": scene.causes}
    if plan.layout.forms[v].kind in LINES:
        states["failed"] = ()  # their squares are hatched
    return vertex(
        plan.layout.forms[v],
        VertexState(
            plan.names[v], scene.domains[v], tuple(removed), v in scene.marked, v in plan.given,
            plan.pieces.get(v, ""), tuple(state for state, own in states.items() if v in own), v in plan.bare,
            len(domain), plan.given.get(v) if is_whole else None, v in scene.pencil,
        ),
        tuple(plan.paints.items()),
    )  # fmt: skip


def constraint_shapes(chip: ConstraintNode, is_lit: bool = False) -> list[Shape]:
    """The vertex of a constraint."""
    look = "body constraint active" if is_lit else "body constraint"
    body = box(look, chip.point, chip.size, (chip.number,), 3)._replace(text=chip.name)
    words = text(chip.text, "", chip.point, chip.font, (chip.number,))
    return [shape._replace(layer=JOINS, of=(f"group {chip.number}",)) for shape in (body, words)]


def edge_shape(edge: Edge, state: str = "", layer: int = JOINS) -> Shape:
    """An edge as a mark."""
    look = " ".join(filter(None, ("edge", "dashed" if edge.look == "dashed" else "", state)))
    return Shape("line", look, edge.way, "", 0, edge.constraints, layer, (edge.one, edge.other))


def extent(plan: Plan, lens: str) -> tuple[Point, Point]:
    """From where to where vertices reach, those of constraints that show only at work among them."""
    bodies = [box("", point, plan.layout.size(v)) for v, point in plan.layout.points.items()]
    return bounding_box([*bodies, *_chips(plan, lens)])


def _chips(plan: Plan, lens: str) -> Iterator[Shape]:
    return (constraint_shapes(plan.constraint_nodes[number])[0] for number in plan.through(lens).drawn_constraints)


def _lit(shape: Shape, lit: Set[int]) -> Shape:
    return shape if lit.isdisjoint(shape.constraints) else shape._replace(look=f"{shape.look} on")


def _is_crossed(edge: Edge, causes: Collection[Variable], changed: Collection[Variable]) -> bool:
    """Whether an edge is one that a removal went along: from a cause to a vertex that has lost a value."""
    if not isinstance(edge.one, Variable):
        return True
    return (edge.one in causes and edge.other in changed) or (edge.other in causes and edge.one in changed)


def _acting(plan: Plan, scene: Scene, lens: str, removed: Mapping[Variable, object]) -> Iterator[Shape]:
    """What joins vertices only now: those of a constraint at work, or those around one vertex."""
    for number in scene.constraints:
        if number < len(plan.model.constraints):
            close = plan.layout.shows_no_edges(plan.model.constraints[number].scope)
            is_bow = plan.is_causal(lens, number)
            for edge in plan.acting(lens, number, scene.causes_of(number)):
                if is_bow and edge.other not in removed:
                    continue
                state = ("hit" if edge.other in removed else "thin") if close else "lit"
                yield edge_shape(edge, state, OVER if close else BEHIND)
    for cause in scene.causes if scene.constraints else ():
        if len(scene.domains[cause]) == 1:
            own = cause, scene.domains[cause][0]
            yield from (edge_shape(edge, "hit", OVER) for edge in plan.on_board(lens, own, scene.removed))
    if not (scene.constraints or scene.along):
        [one] = scene.active if len(scene.active) == 1 else [scene.following]
        for edge in plan.around(lens, one) if one else ():
            yield edge_shape(edge, "near", OVER)
