"""Draw how ``all_different`` propagates, in four stages from matching to removed values."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from ..model import Model
from .matching import MARGIN, SMALL, components, find_matching, is_matching, matching_picture, remaining_images
from .scene import Scene
from .shapes import BEHIND, JOINS, Point, Shape, bounding_box, line, text

STAGES = (
    "1. a matching: to each a value of its own",
    "2. residual graph: → matched, ← not; free values light",
    "3. components: from each to each lies a way",
    "4. between components: in no matching",
)
DOOMED = ("edge pair gone lost", "edge pair between")
"""The looks of the edges that are in no matching: the scene removes them now, or a later step will."""
HEAD, WIDE = 9.0, 4.0
"""The length of the head of an arrow, and half its width, in points."""


def stages_picture(model: Model, scene: Scene) -> list[Shape]:
    """Draw the active all-different groups of a scene, each in four stages.

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
    """Mark the edges between components, whose values propagation will remove.

    Such edges are in no matching, and propagation removes them.
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
    """Return the scene with one active constraint only."""
    return Scene(
        title="", domains=scene.domains, removed=scene.removed, causes=scene.causes_of(number), constraints=(number,)
    )


def _is_free(shape: Shape, matched: set[str], number: int) -> bool:
    """Return whether a shape is the box of an unmatched value."""
    return shape.kind == "box" and bool(shape.of) and shape.of[0] not in matched and f"{number} v" not in shape.of[0]


def _names_in_stage(shape: Shape, stage: int) -> tuple[str, ...]:
    """Prefix the names of a shape's vertices with the stage number."""
    return tuple([f"{stage} {name}" for name in shape.of])


def _highlight(shape: Shape) -> Shape:
    return shape._replace(look="body active")


def _head(edge: Shape) -> Shape:
    """Return the arrowhead of a directed edge.

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
