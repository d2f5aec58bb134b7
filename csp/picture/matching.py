"""Draw ``all_different`` as a bipartite graph with a matching and its components.

``matching_picture`` draws one graph for each active group, ``stages_picture`` four: from matching to removed values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from ..base.notation import listed
from ..board.widths import text_width, wrap_text
from ..engine.compiled.propagators.all_different import matched_sets
from ..model import Affine, Constraint, Domain, Model, Value, Variable, ordered
from .legend import text_from_left
from .scene import Scene
from .shapes import BEHIND, JOINS, VERTICES, Point, Shape, bounding_box, box, line, text

ROW, GAP = 34.0, 16.0
"""Points from one variable to the next, and the additional space between two components."""
SIZE, SMALL = 14, 13
"""Sizes of fonts, in points."""
ACROSS = 132.0
"""Points from the column of variables to the column of values."""
NARROW, HIGH = 36.0, 24.0
"""The minimum width of the box of a value, and the height of all boxes, in points."""
KEPT = 1 << 13
"""Number of layouts in the cache: groups often return to equal domains, and the next film begins like this one."""
MARGIN, BESIDE = 22.0, 8.0
"""Points from a box to its frame, and from a frame to its text."""

Component = tuple[tuple[int, ...], tuple[Value, ...]]
"""The positions of the elements of a component, and its values."""


def find_matching(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[Component]]:
    """Return a maximum matching, and its Hall sets: elements that use up their values.

    ``images`` are the possible values of each element. The Hall sets are ordered by their first elements.

    Examples
    --------
    >>> find_matching([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((0,), (2,)), ((1,), (1,))])
    """
    pairs, permutations = matched_sets(images)
    order = dict.fromkeys(v for image in images for v in image)
    return pairs, sorted((members, ordered(v for v in order if v in values)) for members, values in permutations)


def components(images: Sequence[Sequence[Value]], tight: Sequence[Component]) -> list[Component]:
    """Return the Hall sets ``tight``, and one component of all other elements and values.

    That component is the last one; it is omitted if it is empty [1]_.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.

    Examples
    --------
    >>> components([(1, 2), (1, 2), (2, 3, 4)], [((0, 1), (1, 2))])
    [((0, 1), (1, 2)), ((2,), (3, 4))]
    """
    used = {value for _, values in tight for value in values}
    placed = {position for members, _ in tight for position in members}
    remaining = tuple([i for i in range(len(images)) if i not in placed])
    spare_values = tuple([v for v in ordered(dict.fromkeys(v for image in images for v in image)) if v not in used])
    return [*tight, (remaining, spare_values)] if remaining or spare_values else [*tight]


def is_matching(constraint: Constraint) -> bool:
    """Return whether a constraint only states that two or more expressions differ."""
    return len(constraint.apart()) > 1


def has_active_group(model: Model, scene: Scene) -> bool:
    """Return whether a scene's active constraints include an all-different one to draw."""
    return any(is_matching(model.constraints[number]) for number in scene.constraints)


def matching_picture(model: Model, scene: Scene) -> list[Shape]:
    """Return the bipartite graphs of a scene's active all-different constraints.

    A frame surrounds elements that use up all their values. A thick line is a pair of the matching; a dashed line is a
    value that the scene removes.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="step 1", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, constraints=(0,))
    >>> shapes = matching_picture(model, scene)
    >>> sum(shape.look == "edge pair matched" for shape in shapes), "use up 1, 2" in [shape.text for shape in shapes]
    (3, True)
    """
    shapes: list[Shape] = []
    for number in scene.constraints:
        if is_matching(model.constraints[number]):
            # Place each graph to the right of the preceding ones.
            offset = bounding_box(shapes)[1][0] + 40 + MARGIN if shapes else 0.0
            shapes += (
                shape.shifted((offset, 0)) for shape in _graph_shapes(model.constraints[number], number, model, scene)
            )
    return shapes


class GraphPlaces(NamedTuple):
    """The vertical positions of elements, values and frames in a drawn bipartite graph.

    Attributes
    ----------
    members : sequence of float
        How far down each element is.
    values : mapping of int or str to float
        How far down each value is.
    frames : sequence of (float, float, str)
        The middle of each frame, its height and its text.
    partner : mapping of int to int or str
        The value to which the matching assigns each element.
    """

    members: Sequence[float]
    values: Mapping[Value, float]
    frames: Sequence[tuple[float, float, str]]
    partner: Mapping[int, Value]


class Graph:
    """The bipartite graph of an all-different constraint, with the sizes of its columns.

    Attributes
    ----------
    elements : tuple of Affine
        The expressions that differ.
    values : tuple of int or str
        All values that an element can take.
    columns : pair of (float, float)
        The middle and the width of the column of elements, and of the column of values.
    ends : (float, float)
        The left and the right end of all edges.
    outer : (float, float)
        The left and the right side of all frames.
    title : list of Shape
        The name of the constraint, in one or two lines.
    """

    def __init__(self, constraint: Constraint, model: Model) -> None:
        self.elements = constraint.apart()
        self.names = [str(element) for element in self.elements]
        self.values = ordered(dict.fromkeys(v for image in remaining_images(constraint, model.domains) for v in image))
        width = max(60.0, *(text_width(name, SIZE) + 16 for name in self.names))
        value_width = max(NARROW, *(text_width(str(value), SIZE) + 16 for value in self.values))
        self.columns = (width / 2, width), (width + ACROSS + value_width / 2, value_width)
        self.ends = width, width + ACROSS
        self.outer = -MARGIN, width + ACROSS + value_width + MARGIN
        title = wrap_text(constraint.name, SIZE, ACROSS + value_width / 2 + 1.5 * width, 2)
        middle = (width + ACROSS + value_width / 2) / 2 + width / 4
        self.title = [text(row, "", (middle, 18 * (i - len(title)) - 8), SIZE) for i, row in enumerate(title)]

    def images(self, element: Affine, domain: Domain) -> list[int]:
        """Return, for each value of a domain, the index in ``values`` of the element's value."""
        return [self.values.index(element.image(value)) for value in domain]

    def place(self, images: Sequence[Sequence[Value]]) -> GraphPlaces:
        """Return the places of elements, values and frames; ``images`` are each element's values."""
        return _place_components(self.values, tuple(map(tuple, images)))

    def frame_shapes(self, places: GraphPlaces) -> list[Shape]:
        """Return the frames around the graph's components, with their texts."""
        return [*_frame_shapes(*self.outer, tuple(places.frames))]


@lru_cache(KEPT)
def _place_components(values: Domain, images: tuple[Domain, ...]) -> GraphPlaces:
    """Return the places of elements, values and frames of a graph, from a cache."""
    partner, tight = find_matching(images)
    member_rows, value_rows, frames, y = [0.0] * len(images), dict[Value, float](), [], 0.0
    # Each component is as high as its larger side; the smaller side is spread over the same height.
    for members, component_values in components(images, tight):
        height = max(len(members), len(component_values)) * ROW
        for row, member in enumerate(members):
            member_rows[member] = y + (row + 0.5) * height / len(members)
        value_rows |= {
            value: y + (row + 0.5) * height / len(component_values) for row, value in enumerate(component_values)
        }
        frames.append((y + height / 2, height + 8, _frame_text(members, component_values, images)))
        y += height + GAP
    # Values that no element can take any more are below all components.
    for value in (value for value in values if value not in value_rows):
        value_rows[value], y = y + ROW / 2, y + ROW
    return GraphPlaces(tuple(member_rows), value_rows, tuple(frames), partner)


@lru_cache(KEPT)
def _frame_shapes(left: float, right: float, frames: tuple[tuple[float, float, str], ...]) -> list[Shape]:
    """Return the frames of components, from the left to the right edge, with texts."""
    shapes = list[Shape]()
    for y, height, label in frames:
        look = "component" if label else "component spare"
        shapes.append(box(look, ((left + right) / 2, y), (right - left, height), corner=10))
        shapes += [text_from_left(label, "", (right + BESIDE, y), SMALL)] if label else []
    return [shape._replace(layer=BEHIND) for shape in shapes]


def _graph_shapes(constraint: Constraint, number: int, model: Model, scene: Scene) -> list[Shape]:
    """Return the shapes of one constraint's bipartite graph in a scene."""
    # Find the remaining and the removed values of each element, and the matching.
    graph, images, removed = (
        Graph(constraint, model),
        remaining_images(constraint, scene.domains),
        remaining_images(constraint, removed_by_variable(scene)),
    )
    places = graph.place(images)
    # Draw a box for each element and each value.
    vertices, edges = list[Shape](), list[Shape]()

    def put(name: str, label: str, middle: Point, width: float, look: str = "body") -> None:
        shapes = box(look, middle, (width, HIGH), corner=5), text(label, "", middle, SIZE)
        vertices.extend(shape._replace(layer=VERTICES, of=(f"{number} {name}",)) for shape in shapes)

    (first, width), (last, value_width) = graph.columns
    for i, (y, element) in enumerate(zip(places.members, graph.elements, strict=True)):
        put(
            f"v{i}",
            graph.names[i],
            (first, y),
            width,
            "body active cause" if element.variables[0] in scene.causes else "body",
        )
    for value in dict.fromkeys(value for image in (*images, *removed) for value in image):
        put(repr(value), str(value), (last, places.values[value]), value_width)
    # Draw an edge for each possible pair, and a struck edge for each removed one.
    for i, (image, removed_image) in enumerate(zip(images, removed, strict=True)):
        looks = [(value, "pair matched" if places.partner.get(i) == value else "pair") for value in image]
        for value, look in [*looks, *((value, "pair gone lost") for value in removed_image)]:
            start, end = (graph.ends[0], places.members[i]), (graph.ends[1], places.values[value])
            ends = f"{number} v{i}", f"{number} {value!r}"
            edges.append(Shape("line", f"edge {look}", (start, start, end, end), layer=JOINS, of=ends))
    return [*graph.frame_shapes(places), *vertices, *graph.title, *edges]


def removed_by_variable(scene: Scene) -> Mapping[Variable, Domain]:
    """Return the values that a scene removes, by variable."""
    removed: dict[Variable, list[Value]] = {}
    for variable, value in scene.removed:
        removed.setdefault(variable, []).append(value)
    return {variable: tuple(values) for variable, values in removed.items()}


def remaining_images(constraint: Constraint, domains: Mapping[Variable, Domain]) -> list[tuple[Value, ...]]:
    """Return, for each element of a constraint, the values that it can still take."""
    return [
        domains.get(element.variables[0], ())
        if element.is_variable
        else tuple(dict.fromkeys([element.image(value) for value in domains.get(element.variables[0], ())]))
        for element in constraint.apart()
    ]


def _frame_text(members: Sequence[int], values: Sequence[Value], images: Sequence[Sequence[Value]]) -> str:
    """Return the text that explains a component; empty if it has spare values."""
    if not values:
        return "no value left"
    if len(members) > len(values):
        return f"{len(members)} for {len(values)} values: {listed(values)}"
    if not members or len(members) < len(values):
        return ""
    if len(members) > 1:
        return "use up " + listed(values)
    return f"{'has' if len(images[members[0]]) == 1 else 'must be'} {listed(values)}"


STAGES = (
    "1. matching: each variable has its own value",
    "2. residual graph: → matched, ← unmatched; free values light",
    "3. strongly connected components",
    "4. edges between components: in no matching",
)
DOOMED = ("edge pair gone lost", "edge pair between")
"""The looks of the edges that are in no matching: the scene removes them now, or a later step will."""
HEAD, WIDE = 9.0, 4.0
"""The length of the head of an arrow, and half its width, in points."""


def stages_picture(model: Model, scene: Scene) -> list[Shape]:
    """Return four drawings of each active all-different constraint, by stages of Régin's algorithm.

    Only the last graph shows the values that the scene removes, and the other edges between two components. Several
    groups are drawn below each other. Complexity: four times ``matching_picture``.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, removed=(("C", 1),), constraints=(0,))
    >>> shapes = stages_picture(model, scene)
    >>> [sum(shape.look == look for shape in shapes) for look in ("edge pair", "edge pair gone lost", "component")]
    [11, 1, 4]
    """
    drawn: list[Shape] = []
    for number in scene.constraints:
        if not is_matching(model.constraints[number]):
            continue
        # Draw the last stage, then derive the other three from it.
        last_stage = _with_doomed(matching_picture(model, _only_active(scene, number)), model, scene, number)
        undoomed = [shape._replace(look="edge pair") if shape.look in DOOMED else shape for shape in last_stage]
        frameless = [shape for shape in undoomed if shape.layer != BEHIND]
        # The residual graph: arrows along the matching, and values without a partner highlighted.
        matched = {shape.of[1] for shape in last_stage if "matched" in shape.look}
        residual = [
            _highlight(shape) if shape.look == "body" and _is_free(shape, matched, number) else shape
            for shape in frameless
        ]
        heads = [_head(shape) for shape in residual if shape.kind == "line"]
        (_, top), (right, bottom) = bounding_box(last_stage)
        # Place the four stages side by side, below the preceding group.
        offset = bounding_box(drawn)[1][1] + 40 - top if drawn else 0.0
        for stage, shapes in enumerate((frameless, [*residual, *heads], undoomed, last_stage)):
            shift = stage * (right + 3 * MARGIN)
            titled = [*shapes, text(STAGES[stage], "", (right / 2 - MARGIN, bottom + 16), SMALL)]
            drawn += [shape.shifted((shift, offset))._replace(of=_names_in_stage(shape, stage)) for shape in titled]
    return drawn


def _with_doomed(shapes: Sequence[Shape], model: Model, scene: Scene, number: int) -> list[Shape]:
    """Return the shapes; edges between components, which later steps remove, get another look.

    Such edges are in no matching, and propagation removes their values.
    """
    images = remaining_images(model.constraints[number], scene.domains)
    component_of: dict[str, int] = {}
    for i, (members, values) in enumerate(components(images, find_matching(images)[1])):
        component_of |= {f"{number} v{member}": i for member in members} | {
            f"{number} {value!r}": i for value in values
        }
    return [
        shape._replace(look="edge pair between")
        if shape.look == "edge pair" and component_of.get(shape.of[0]) != component_of.get(shape.of[1])
        else shape
        for shape in shapes
    ]


def _only_active(scene: Scene, number: int) -> Scene:
    """Return a scene with the same domains and removals, and one active constraint."""
    return Scene(
        title="", domains=scene.domains, removed=scene.removed, causes=scene.causes_of(number), constraints=(number,)
    )


def _is_free(shape: Shape, matched: set[str], number: int) -> bool:
    """Return whether a shape is the box of an unmatched value."""
    return shape.kind == "box" and bool(shape.of) and shape.of[0] not in matched and f"{number} v" not in shape.of[0]


def _names_in_stage(shape: Shape, stage: int) -> tuple[str, ...]:
    """Return the names of a shape's vertices, each with the stage's number as prefix."""
    return tuple([f"{stage} {name}" for name in shape.of])


def _highlight(shape: Shape) -> Shape:
    return shape._replace(look="body active")


def _head(edge: Shape) -> Shape:
    """Return the arrowhead that shows an edge's direction in the residual graph.

    It is at the value of a matched pair, and at the variable of any other.
    """
    start, end = edge.points[0], edge.points[-1]
    tip, tail = (end, start) if "matched" in edge.look else (start, end)
    length = hypot(tail[0] - tip[0], tail[1] - tip[1])
    x, y = (tail[0] - tip[0]) / length, (tail[1] - tip[1]) / length

    def side(sign: float) -> Point:
        return tip[0] + HEAD * x - sign * WIDE * y, tip[1] + HEAD * y + sign * WIDE * x

    look = edge.look.removeprefix("edge ")
    return line(look, side(1), tip, side(-1))._replace(layer=JOINS)
