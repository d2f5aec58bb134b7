"""How a matching filters, in four pictures: a matching, the residual graph, its components, and what goes."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from ..model import Model
from .matching import MARGIN, SMALL, components, images_left, is_matching, matched, matching
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
    >>> marks = stages(model, scene)
    >>> [sum(mark.look == look for mark in marks) for look in ("edge pair", "edge pair gone lost", "component")]
    [11, 1, 4]
    """
    found: list[Shape] = []
    for number in scene.constraints:
        if not is_matching(model.constraints[number]):
            continue
        last = _with_doomed(matching(model, _of(scene, number)), model, scene, number)
        before = [mark._replace(look="edge pair") if mark.look in DOOMED else mark for mark in last]
        bare = [mark for mark in before if mark.layer != BEHIND]
        matched = {mark.of[1] for mark in last if "matched" in mark.look}
        free = [_lit(mark) if mark.look == "body" and _is_free(mark, matched, number) else mark for mark in bare]
        heads = [_head(mark) for mark in free if mark.shape == "line"]
        (_, top), (right, bottom) = bounding_box(last)
        down = bounding_box(found)[1][1] + 40 - top if found else 0.0
        for place, marks in enumerate((bare, [*free, *heads], before, last)):
            across = place * (right + 3 * MARGIN)
            named = [*marks, text(STAGES[place], "", (right / 2 - MARGIN, bottom + 16), SMALL)]
            found += [mark.shifted((across, down))._replace(of=_own(mark, place)) for mark in named]
    return found


def _with_doomed(marks: Sequence[Shape], model: Model, scene: Scene, number: int) -> list[Shape]:
    """Mark the edges that are left and join two components, and so are in no matching, too."""
    images = images_left(model.constraints[number], scene.domains)
    of: dict[str, int] = {}
    for i, (members, values) in enumerate(components(images, matched(images)[1])):
        of |= {f"{number} v{member}": i for member in members} | {f"{number} {value!r}": i for value in values}
    return [
        mark._replace(look="edge pair between")
        if mark.look == "edge pair" and of.get(mark.of[0]) != of.get(mark.of[1])
        else mark
        for mark in marks
    ]


def _of(scene: Scene, number: int) -> Scene:
    """The scene where only one constraint is at work."""
    return Scene(
        title="", domains=scene.domains, removed=scene.removed, causes=scene.causes_of(number), constraints=(number,)
    )


def _is_free(mark: Shape, matched: set[str], number: int) -> bool:
    """Whether it is the box of a value without partner."""
    return mark.shape == "box" and bool(mark.of) and mark.of[0] not in matched and f"{number} v" not in mark.of[0]


def _own(mark: Shape, place: int) -> tuple[str, ...]:
    return tuple([f"{place} {name}" for name in mark.of])


def _lit(mark: Shape) -> Shape:
    return mark._replace(look="body active")


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
