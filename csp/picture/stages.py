"""How a matching filters, in four pictures: a matching, the residual graph, its components, and what goes."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from ..model import Model
from .matching import MARGIN, SMALL, components, is_matching, matched, matching, remaining_images
from .scene import Scene
from .shapes import BEHIND, JOINS, Point, Shape, bounding_box, line, text

STAGES = (
    "1. a matching: to each a value of its own",
    "2. residual graph: → matched, ← not; free values light",
    "3. components: from each to each lies a way",
    "4. between components: in no matching",
)
DOOMED = ("edge pair gone lost", "edge pair between")
HEAD, WIDE = 9.0, 4.0
"""How long the head of an arrow is, and half its width."""


def stages(model: Model, scene: Scene) -> list[Shape]:
    """The groups at work in a scene, each as four graphs beside each other; groups below each other.

    Only the last has lost the values that the scene removes; what else joins two components is marked in it, too.
    Complexity: four times ``matching``.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, removed=(("C", 1),), constraints=(0,))
    >>> shapes = stages(model, scene)
    >>> [sum(shape.look == look for shape in shapes) for look in ("edge pair", "edge pair gone lost", "component")]
    [11, 1, 4]
    """
    found: list[Shape] = []
    for number in scene.constraints:
        if not is_matching(model.constraints[number]):
            continue
        last = _with_doomed(matching(model, _of(scene, number)), model, scene, number)
        before = [shape._replace(look="edge pair") if shape.look in DOOMED else shape for shape in last]
        bare = [shape for shape in before if shape.layer != BEHIND]
        matched = {shape.of[1] for shape in last if "matched" in shape.look}
        free = [_lit(shape) if shape.look == "body" and _is_free(shape, matched, number) else shape for shape in bare]
        heads = [_head(shape) for shape in free if shape.kind == "line"]
        (_, top), (right, bottom) = bounding_box(last)
        down = bounding_box(found)[1][1] + 40 - top if found else 0.0
        for place, shapes in enumerate((bare, [*free, *heads], before, last)):
            across = place * (right + 3 * MARGIN)
            named = [*shapes, text(STAGES[place], "", (right / 2 - MARGIN, bottom + 16), SMALL)]
            found += [shape.shifted((across, down))._replace(of=_own(shape, place)) for shape in named]
    return found


def _with_doomed(shapes: Sequence[Shape], model: Model, scene: Scene, number: int) -> list[Shape]:
    """Mark the edges that are left and join two components, and so are in no matching, too."""
    images = remaining_images(model.constraints[number], scene.domains)
    of: dict[str, int] = {}
    for i, (members, values) in enumerate(components(images, matched(images)[1])):
        of |= {f"{number} v{member}": i for member in members} | {f"{number} {value!r}": i for value in values}
    return [
        shape._replace(look="edge pair between")
        if shape.look == "edge pair" and of.get(shape.of[0]) != of.get(shape.of[1])
        else shape
        for shape in shapes
    ]


def _of(scene: Scene, number: int) -> Scene:
    """The scene where only one constraint is at work."""
    return Scene(
        title="", domains=scene.domains, removed=scene.removed, causes=scene.causes_of(number), constraints=(number,)
    )


def _is_free(shape: Shape, matched: set[str], number: int) -> bool:
    """Whether it is the box of a value without partner."""
    return shape.kind == "box" and bool(shape.of) and shape.of[0] not in matched and f"{number} v" not in shape.of[0]


def _own(shape: Shape, place: int) -> tuple[str, ...]:
    return tuple([f"{place} {name}" for name in shape.of])


def _lit(shape: Shape) -> Shape:
    return shape._replace(look="body active")


def _head(edge: Shape) -> Shape:
    """The head of an arrow: at the value of a matched pair, at the variable of any other."""
    start, end = edge.points[0], edge.points[-1]
    tip, tail = (end, start) if "matched" in edge.look else (start, end)
    away = hypot(tail[0] - tip[0], tail[1] - tip[1])
    x, y = (tail[0] - tip[0]) / away, (tail[1] - tip[1]) / away

    def side(sign: float) -> Point:
        return tip[0] + HEAD * x - sign * WIDE * y, tip[1] + HEAD * y + sign * WIDE * x

    look = edge.look.removeprefix("edge ")
    return line(look, side(1), tip, side(-1))._replace(layer=JOINS)
