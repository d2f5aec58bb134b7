"""Combine the shapes of a plan with the highlights of a scene.

``picture`` is the function that all painters of the network call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

from ..board.widths import text_width
from ..model import Model, Value, Variable
from .edges import Edge
from .layout.clues import SIGNS
from .layout.failing import failed_squares, shows_struck_values
from .layout.forms import LINES
from .layout.nodes import ConstraintNode
from .lines.arrows import MANY, arrow_shapes, is_countable, is_inside, loss_shapes, swept
from .lines.crossed import crossed_shapes
from .lines.wires import Wires
from .plan import Plan
from .scene import Loss, Scene
from .shapes import BEHIND, HIGH, JOINS, OVER, PRINTED, SHADES, UNDER, VERTICES, Point, Shape, bounding_box, box, text
from .style import WIDER
from .vertex import PALE, VertexState, vertex

RIM = 8.0
"""The difference of the diameters of a clue's symbol and of the disc below it, in points."""
SQUARE = 34.0
"""The side of the frame in a square whose constraint acted, in points."""
SIGN = 44.0
"""Maximum width and height of a printed sign that arrows avoid, in points; larger ones fill cells."""


def picture(plan: Plan, scene: Scene, lens: str = "") -> list[Shape]:
    """Return all shapes of a scene's picture; the lens decides how constraints are drawn.

    By default, it is the lens of the plan.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> model = Model({"A": (1, 2), "B": (2,)}, [AllDifferent.of("AB")])
    >>> shapes = picture(Plan(model), Scene(title="", domains=model.domains, marked=(Variable("B"),)))
    >>> [(shape.of, shape.look) for shape in shapes if shape.kind in ("box", "line")]
    [(('A',), 'body card'), (('B',), 'body card marked'), (('A', 'B'), 'edge')]
    """
    lens, is_whole = lens or plan.lens, not scene.causes
    scene = plan.with_visible_removals(plan.with_visible_decision(plan.with_visible_failure(scene)))
    drawn_lens, lit = plan.draw_lens(lens), plan.lit_constraints(lens, scene.constraints)
    at_work, lit_shapes = lit | plan.lit_constraints(lens, scene.along), lit.union(scene.groups)
    own_numbers = {*scene.constraints, *scene.along}
    # The groups of last places, and those of them whose variables have a tint.
    placed = plan.lit_constraints(lens, {place.number for place in scene.last_places})
    grouped = plan.lit_constraints(lens, scene.groups)
    removers = [*_removers(plan, scene, lens)] if scene.failure is not None else []
    lit_clues = at_work | plan.lit_constraints(lens, plan.failures.removers(scene))
    # Group the removed values by variable.
    removed: dict[Variable, list[Value]] = {}
    for variable, value in scene.removed:
        removed.setdefault(variable, []).append(value)
    # Collect the printed shapes, highlighted if their constraint is at work, and the drawings of fixed variables.
    # Blank areas keep the lines of constraints out of transparent vertices.
    transparent = [(point, v) for v, point in plan.layout.points.items() if v in plan.bare and drawn_lens.printed]
    covers = [box("paper", point, plan.layout.size(v))._replace(layer=SHADES) for point, v in transparent]
    # Constraint nodes that removed a value have the border of a cause; those without wires also have a thick frame.
    has_acted = bool(scene.removed) and scene.failure is None
    acting = [loss.number for loss in scene.losses if loss.number is not None] if scene.summary else at_work
    acted = plan.lit_constraints(lens, acting) | placed if has_acted else frozenset()
    framed = {n for n in acted if n in drawn_lens.wired and drawn_lens.wired[n].along < 0}
    # A summary highlights the texts of all clues that acted, but other print only for groups with a last place. Their
    # cells and nodes have a colour, so that their spines stay as they are.
    squares = square_frames(plan, lit_clues) if scene.removed or scene.failure is not None else ()
    printed = [*squares] + [
        part
        for shape in drawn_lens.printed
        for part in _highlight(shape, lit_clues if is_clue(shape) else lit | framed)
    ]
    for shape in (*covers, *plan.shapes):
        numbers = lit_clues if is_clue(shape) else lit_shapes | framed if shape.look == "region" else lit_shapes
        printed += _highlight(shape, numbers)
    moving = plan.moving.shapes(plan.list_domains(scene.domains))
    printed += moving
    # Lit lines lie over the others.
    printed.sort(key=lambda shape: shape.look == "thread on")
    shapes = [shape for shape in printed if shape.layer <= UNDER]
    # Draw the vertices in their places; of many removals cells show only the number. Rows touch: causes among them come
    # last, so that no neighbour covers their borders.
    is_full = len(scene.removed) > MANY
    areas = {*swept(plan.layout, scene)} if scene.failure is None else set()
    rows = {v for v in scene.causes if plan.layout.forms[v].kind == "row"}
    for v, point in sorted(plan.layout.points.items(), key=lambda item: item[0] in rows):
        if v in plan.folded:
            continue
        is_counted = is_full and is_countable(plan.layout.forms[v])
        shown_values = () if is_counted else [value for value in removed.get(v, ()) if (v, value) not in areas]
        parts = vertex_shapes(
            plan, scene, v, shown_values, len(shown_values) < len(removed.get(v, ())) and not is_counted
        )
        shapes += (shape.moved(point, (v,)) for shape in parts)
    # Draw constraint nodes; quiet ones only at work. Those that led to a failure are at work, too. Tabs are over the
    # wires, which come last.
    tabs: list[Shape] = []
    for number in drawn_lens.drawn_constraints:
        node = plan.constraint_nodes[number]
        if not node.quiet or number in lit_shapes:
            at_nodes = lit.union(*(chips for chips, _ in removers)) - placed
            state_of = {"grouped": grouped or placed, "active": at_nodes, "cause": acted}
            states = [word for word, numbers in state_of.items() if number in numbers]
            (tabs if node.is_tab else shapes).extend(constraint_shapes(node, " ".join(states)))
    # Draw the edges of the lens; those along which the step removed a value are highlighted. Without causes these are
    # all edges at work; if the removals are hidden, all edges of the causes.
    is_whole |= scene.failure is not None and not removed
    for edge in drawn_lens.edges:
        cause_sets = [scene.causes_of(number) for number in edge.constraints if number in at_work]
        changed = scene.changed_by(edge.constraints) or plan.layout.points
        active = any(is_whole or _is_crossed(edge, causes, changed) for causes in cause_sets)
        if removers:
            active = _led_to_failure(edge, removers) or _shows_failure(edge, plan.model, at_work)
        if not active:
            shapes.append(edge_shape(edge, "" if grouped.isdisjoint(edge.constraints) else "lit"))
        elif own_numbers.isdisjoint(edge.constraints):
            shapes.append(edge_shape(edge, "lit"))  # a constraint that an implied one follows from removed nothing
        else:
            shapes.append(_lit_edge(edge, scene))
    shapes += (shape for shape in printed if shape.layer > UNDER)
    # Add the edges that only this scene has, and the signs of a failure.
    losses = list(loss_shapes(plan.layout, scene))
    signs = list(plan.failures.signs(scene, (*plan.shapes, *moving)))
    texts = [shape for shape in shapes if shape.kind == "text" or shape.look == "blank"] + losses
    texts += [shape for shape in signs if shape.kind == "box" and shape.look.startswith("taker")]
    # Failed squares are below the arrows; texts and signs that an arrow crosses are drawn again above it.
    fills = [shape for shape in signs if shape.look == "failed-square"]
    arrows = list(_scene_edges(plan, scene, lens, [*texts, *tabs[1::2]]))
    small = [s for s in shapes if s.kind == "text" or (s.layer == PRINTED and s.kind != "line" and is_small(s))]
    small = [s for s in small if not s.look.startswith("acted")]  # the text of a clue that acted has its frame
    above = [*crossed_shapes(small, (shape.points for shape in arrows if is_arrow(shape)))]
    shapes += [
        *placed_squares(plan, scene),
        *(shape._replace(layer=PRINTED) for shape in fills),
        *arrows,
        *_lifted(above),
        *tabs,
        *losses,
    ]
    shapes += [*plan.touched.signs(scene), *(shape for shape in signs if shape not in fills)]
    shapes += plan.failures.flag(scene, shapes)
    # Quiet nodes come and go: reserve room for all of them, so that all pictures have one size.
    if any(plan.constraint_nodes[number].quiet for number in drawn_lens.drawn_constraints):
        low, high = bounding_box([*(shape for shape in shapes if shape.layer == VERTICES), *_node_bodies(plan, lens)])
        middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        shapes.append(box("room", middle, (high[0] - low[0], high[1] - low[1]))._replace(of=("frame",)))
    return shapes


def placed_squares(plan: Plan, scene: Scene) -> Iterator[Shape]:
    """Yield squares of boards that exclude a value with one place left.

    For each of these values, they are the other squares of a row, a column or a diagonal.
    """
    forms = plan.layout.forms
    for place in scene.last_places:
        parts = {element.variables[0]: element for element in place.group.apart()}
        if all(map(plan.is_line, parts)):
            image = parts[place.variable].image(place.value)
            others = [(v, part) for v, part in parts.items() if v != place.variable]
            squares = [(v, value) for v, part in others for value in forms[v].values if part.image(value) == image]
            for v, value in squares:
                yield box("grouped-square", plan.layout.square(v, value), forms[v].slot)._replace(share=PALE)


def vertex_shapes(
    plan: Plan, scene: Scene, v: Variable, removed: Collection[Value] = (), is_swept: bool = False
) -> list[Shape]:
    """Return the shapes of a variable's vertex in a scene, relative to its middle.

    ``is_swept`` tints it as a part of an area that lost values.
    """
    domain = plan.model.domains[v]
    # The values have one order, in a list as in the places of a vertex.
    removed = [value for value in domain if value in removed]
    listed = plan.list_values(v, scene)
    is_untouched = len(domain) > 1 and listed == domain and not removed
    # A line of a board shows at once that it has no value left, as cells do by a word.
    is_emptied = not listed and scene.failure is None and plan.layout.forms[v].kind in LINES
    states = {
        "marked": scene.marked,
        "active": scene.active,
        "grouped": () if plan.is_line(v) else scene.grouped,
        "failed": (v,) if is_emptied else scene.failed,
        "cause": scene.causes,
        "swept": (v,) if is_swept else (),
    }
    if scene.failure and plan.layout.forms[v].kind in LINES and failed_squares(plan.layout, scene.failure):
        states["failed"], removed = (), []  # the squares of a board have the state, and signs instead of values
    # At a failure, unfixed cells show the value without a place struck out; one without a value shows all values so.
    if scene.failure and len(scene.domains[v]) == 1:
        removed = []
    elif scene.failure and shows_struck_values(plan.layout, v):
        lost = (*plan.failures.struck(scene.failure, scene.domains), *scene.failure.removed)
        struck = {*removed, *(value for w, value in lost if w == v)}
        removed = [value for value in domain if scene.failure.subject == v or value in struck]
    return vertex(
        plan.layout.forms[v],
        VertexState(
            plan.names[v], listed, tuple(removed), v in scene.marked, v in plan.given,
            plan.pieces.get(v, ""), tuple(state for state, members in states.items() if v in members), v in plan.bare,
            len(domain), plan.given.get(v) if is_untouched else None, v in scene.pencil,
        ),
        tuple(plan.paints.items()),
    )  # fmt: skip


def constraint_shapes(node: ConstraintNode, states: str = "") -> list[Shape]:
    """Return the box and the text of a constraint node; ``states`` adds style words."""
    states += " tab" if node.is_tab and "cause" in states.split() else ""
    body = box(f"body constraint {states}".strip(), node.point, node.size, (node.number,), 3)._replace(text=node.name)
    label = text(node.text, "", node.point, node.font, (node.number,))
    layer = OVER if node.is_tab else JOINS  # a tab covers the border of a region
    return [shape._replace(layer=layer, of=(f"group {node.number}",)) for shape in (body, label)]


def edge_shape(edge: Edge, state: str = "", layer: int = JOINS) -> Shape:
    """Convert an edge to a line shape; ``state`` adds style words.

    An edge of a constraint node lies behind the vertices that it passes.
    """
    layer = layer if isinstance(edge.start, Variable) else min(layer, BEHIND)
    look = " ".join(filter(None, ("edge", "dashed" if edge.look == "dashed" else "", state)))
    return Shape("line", look, edge.curve, "", 0, edge.constraints, layer, (edge.start, edge.end))


def extent(plan: Plan, lens: str) -> tuple[Point, Point]:
    """Return the upper left and lower right corners around all vertices and constraint nodes.

    Nodes that are drawn only while active are included.
    """
    bodies = [box("", point, plan.layout.size(v)) for v, point in plan.layout.points.items()]
    return bounding_box([*bodies, *_node_bodies(plan, lens)])


def _node_bodies(plan: Plan, lens: str) -> Iterator[Shape]:
    """Return an iterator over the boxes of the constraint nodes that a lens draws."""
    return (constraint_shapes(plan.constraint_nodes[number])[0] for number in plan.draw_lens(lens).drawn_constraints)


def is_arrow(shape: Shape) -> bool:
    """Return whether a shape is an arrow, and no end of a wire."""
    return shape.look.startswith("edge hit") and "tap" not in shape.look.split()


def is_small(shape: Shape) -> bool:
    """Return whether a box or disc is a sign, and does not fill a cell."""
    return max(shape.points[1]) <= SIGN


def _lifted(shapes: Collection[Shape]) -> Iterator[Shape]:
    """Yield the shapes above all arrows.

    The text of a clue that acted has its frame. Another text has a rim, if it is not on another of these shapes.
    """
    boxes = [(shape.points[0], shape.points[1]) for shape in shapes if shape.kind != "text"]
    for shape in shapes:
        has_frame = shape.kind == "text" and "acting" in shape.look.split() and shape.look.split()[0] not in SIGNS
        if has_frame:
            yield clue_frame(shape)._replace(layer=OVER)
        is_alone = shape.kind == "text" and not has_frame and not any(is_inside(box, shape.points[0]) for box in boxes)
        yield shape._replace(layer=OVER, of=(), look=f"{shape.look} backed" if is_alone else shape.look)


def is_clue(shape: Shape) -> bool:
    """Return whether a printed shape is the text or the symbol of a clue."""
    return shape.look in SIGNS or (shape.kind == "text" and "said" not in shape.look.split())


def clue_frame(shape: Shape) -> Shape:
    """Return the frame around the text, or below the symbol, of a clue that acted."""
    if shape.look in SIGNS:
        middle, (width, height) = shape.points
        return shape._replace(look="acted low", points=(middle, (width + RIM, height + RIM)))
    size = text_width(shape.text, shape.size) * WIDER + 4, shape.size * HIGH + 7
    return box("acted", shape.points[0], size, shape.constraints, 3)._replace(layer=shape.layer)


def square_frames(plan: Plan, lit: Collection[int]) -> Iterator[Shape]:
    """Yield the frames in the squares of the constraints in ``lit``."""
    points = dict.fromkeys(plan.rule_squares[number] for number in sorted(lit) if number in plan.rule_squares)
    return (box("acted", point, (SQUARE, SQUARE), corner=3) for point in points)


def _highlight(shape: Shape, lit: Set[int]) -> Iterator[Shape]:
    """Yield the shape, highlighted if one of its constraints is in ``lit``.

    A clue gets the border of a cause.
    """
    if lit.isdisjoint(shape.constraints):
        yield shape
        return
    if is_clue(shape):
        yield clue_frame(shape)
        yield shape._replace(look=f"{shape.look} acting".replace(" backed", ""))
    else:
        yield shape._replace(look=f"{shape.look} on")


def _is_crossed(edge: Edge, causes: Collection[Variable], changed: Collection[Variable]) -> bool:
    """Return whether an edge joins a cause of removals to a changed variable.

    An edge of a constraint node joins it to a cause or a changed variable.
    """
    if not isinstance(edge.start, Variable):
        return edge.end in causes or edge.end in changed
    return (edge.start in causes and edge.end in changed) or (edge.end in causes and edge.start in changed)


def _removers(plan: Plan, scene: Scene, lens: str) -> Iterator[tuple[Set[int], Loss]]:
    """Yield the removals that led to a failure, also without causes.

    Each one comes with the constraints that are highlighted for it.
    """
    for loss in (*scene.losses, *(Loss(number, (), (candidate,)) for candidate, number in scene.acted.items())):
        if loss.number is not None:
            yield plan.lit_constraints(lens, [loss.number]), loss


def _led_to_failure(edge: Edge, removers: Iterable[tuple[Set[int], Loss]]) -> bool:
    """Return whether an edge belongs to a removal that led to a failure."""
    return any(
        not lit.isdisjoint(edge.constraints) and _is_crossed(edge, loss.causes, [v for v, _ in loss.removed])
        for lit, loss in removers
    )


def _shows_failure(edge: Edge, model: Model, failed: Collection[int]) -> bool:
    """Return whether an edge leads to the node of a failed constraint, or joins its pair."""
    is_spoke = not isinstance(edge.start, Variable)
    return any(n in failed and (is_spoke or len(model.constraints[n].scope) == 2) for n in edge.constraints)


def _lit_edge(edge: Edge, scene: Scene) -> Shape:
    """Return the highlighted shape of an edge; an arrow if the scene shows removals.

    The arrow leads from a cause, or from a constraint node, to a variable that lost a value by one of the edge's
    constraints. A failure has none.
    """
    removed = scene.changed_by(edge.constraints)
    if not (scene.removed and scene.causes) or scene.failure is not None:
        return edge_shape(edge, "lit")
    if not isinstance(edge.start, Variable):
        return edge_shape(edge, "lit arrow" if edge.end in removed else "lit")
    is_backward = edge.end in scene.causes and edge.start in removed
    directed = edge._replace(start=edge.end, end=edge.start, curve=edge.curve[::-1]) if is_backward else edge
    return edge_shape(directed, "lit arrow")


def _scene_edges(plan: Plan, scene: Scene, lens: str, texts: Iterable[Shape]) -> Iterator[Shape]:
    """Yield the edges and arrows that are drawn only in this scene.

    They belong to the constraints at work. The numbers on arrows leave ``texts`` free.
    """
    # Edges of the constraints at work, unless arrows show what they removed.
    carriers = plan.arrow_carriers(lens)
    shown_by_arrows = {loss.number for loss in scene.losses}.difference(carriers)
    for number in scene.constraints:
        if number < len(plan.model.constraints) and number not in shown_by_arrows:
            is_close = plan.layout.shows_no_edges(plan.model.constraints[number].scope)
            for edge in plan.joining_edges(lens, number):
                plain = edge._replace(look="plain")  # a thin line, as in the player, has one look for all constraints
                yield (edge_shape(plain, "thin", OVER) if is_close else _lit_edge(edge, scene)._replace(layer=BEHIND))
    # Arrows from causes to removed values avoid texts, and signs between cells; wires run from constraint nodes.
    signs = [shape for shape in plan.shapes if shape.kind in ("box", "disc") and shape.layer > UNDER]
    obstacles = [*texts, *filter(is_small, signs)]
    wires = Wires(plan.layout, plan.draw_lens(lens).wired)
    without = wires.carried(scene).union(carriers if scene.failure is None else ())
    yield from arrow_shapes(plan.layout, scene, without, obstacles)
    yield from wires.shapes(scene)
