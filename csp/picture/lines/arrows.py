"""Arrows from the causes of removals to the removed values.

``scripts/arrows.js`` of the page draws the same arrows by the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import hypot
from typing import NamedTuple

from ...model import Candidate, Value, Variable
from ..edges import Box, Curve, along, between, outside
from ..layout.forms import LINES, Form
from ..layout.layout import Placement
from ..scene import Loss, Scene
from ..shapes import OVER, Point, Shape, box, text

MANY = 80
"""Maximum number of arrows, and of removed values that cells show one by one; more are counted."""
CROWDED = 40
"""Maximum number of arrows that each represent a cause and a constraint; of more there is one for each cause."""
BEND = 0.07
"""The deviation of an arrow's control point from a straight line, as a share of its length."""
ASIDE = 8.0
"""Distance of the number beside an arrow, in points."""


class Arrow(NamedTuple):
    """An arrow from a cause to one of the values that a constraint removed.

    ``removals``: the number of removals that the arrow represents.
    """

    cause: Variable
    target: Candidate
    number: int
    removals: int = 1


def arrows(points: Mapping[Variable, Point], losses: Iterable[Loss], without: Collection[int] = ()) -> list[Arrow]:
    """Return the arrows from causes to removed values, except for constraints in ``without``.

    A removal with one cause has an arrow to each value. A removal with several causes has an arrow from each of them
    to each changed variable. If these are too many, the shortest one represents all of its cause and constraint; if
    even those are too many, the shortest one represents all of its cause.

    Examples
    --------
    >>> points = {"A": (0, 0), "B": (9, 0), "C": (0, 9)}
    >>> arrows(points, [Loss(0, ("A",), (("B", 1), ("B", 2)))])
    [Arrow(cause='A', target=('B', 1), number=0, removals=1), Arrow(cause='A', target=('B', 2), number=0, removals=1)]
    >>> [arrow[:2] for arrow in arrows(points, [Loss(0, ("A", "C"), (("B", 1), ("B", 2), ("C", 3)))])]
    [('A', ('B', 1)), ('C', ('B', 1)), ('A', ('C', 3))]
    >>> arrows(points, [Loss(0, ("A",), tuple(("B", i) for i in range(100)))])
    [Arrow(cause='A', target=('B', 0), number=0, removals=100)]
    """
    result: list[Arrow] = []
    for number, causes, removed in losses:
        if number is None or number in without:
            continue
        first_of = {v: (v, value) for v, value in reversed(removed)}
        targets = removed if len(causes) == 1 else [first_of[v] for v in dict.fromkeys(v for v, _ in removed)]
        result += (Arrow(cause, target, number) for target in targets for cause in causes if cause != target[0])
    if len(result) <= MANY:
        return result

    def length(arrow: Arrow) -> float:
        (x, y), (p, q) = points[arrow.cause], points[arrow.target[0]]
        return hypot(p - x, q - y)

    # Keep the shortest arrow of each cause and constraint, or of each cause.
    has_few = len({(arrow.cause, arrow.number) for arrow in result}) <= CROWDED
    bundles: dict[tuple[Variable, int | None], list[Arrow]] = {}
    for arrow in result:
        bundles.setdefault((arrow.cause, arrow.number if has_few else None), []).append(arrow)
    return [min(bundle, key=length)._replace(removals=len(bundle)) for bundle in bundles.values()]


def is_countable(form: Form) -> bool:
    """Return whether a vertex of this form may show only how many values it lost."""
    return form.kind == "cell" and form.style != "size"


def arrow_shapes(layout: Placement, scene: Scene, without: Collection[int]) -> Iterator[Shape]:
    """Yield the curve of each arrow; beside it, the number of its removals if several."""
    for cause, (v, value), number, count in arrows(layout.points, scene.losses, without):
        if not min(*layout.size(cause), *layout.size(v)):
            continue  # variables that are not drawn
        is_counted = len(scene.removed) > MANY and is_countable(layout.forms[v])
        end = (layout.points[v], layout.size(v)) if is_counted else _value_box(layout, v, value)
        start = _start_box(layout, scene, cause, value)
        ends = (layout.points[cause], layout.points[v], layout.size(cause))
        are_cells = layout.is_cell(cause) and layout.is_cell(v)
        curve = (_along_border(*ends, end) if are_cells else None) or _bow(start, end)
        yield Shape("line", "edge hit", curve, "", 0, (number,), OVER, (cause, v))
        if count > 1:
            (x, y), (_, _), (_, _), (p, q) = curve
            (mx, my), share = along(curve, 0.5), ASIDE / max(hypot(p - x, q - y), 1)
            yield text(f"{count}", "times", (mx - (q - y) * share, my + (p - x) * share), 10)._replace(layer=OVER)


def _along_border(cause: Point, target: Point, size: Point, end: Box) -> Curve | None:
    """Return a curve along the border of cells between two cells of a line.

    It covers no value and runs on the side of the removed value. For cells that are neighbours, or in no common row or
    column, the result is ``None``.
    """
    for i, j in ((0, 1), (1, 0)):
        distance = target[i] - cause[i]
        if abs(target[j] - cause[j]) < 1 and abs(distance) > 1.5 * size[i]:
            side = 1 if end[0][j] > target[j] + 1 else -1
            forward = size[i] / 2 if distance > 0 else -size[i] / 2
            border = target[j] + side * (size[j] / 2 + 2)
            points = (
                (cause[i] + forward / 2, cause[j] + side * size[j] / 4),
                (cause[i] + forward * 1.5, border),
                (end[0][i] - forward, border),
                (end[0][i], end[0][j] + side * end[1][j] / 2),
            )
            first, second, third, fourth = ((point[i], point[j]) for point in points)
            return first, second, third, fourth
    return None


def _bow(start: Box, end: Box) -> Curve:
    """Return the slightly bent curve of an arrow between the borders of two boxes."""
    (x, y), (p, q) = start[0], end[0]
    bend = (x + p) / 2 + (q - y) * BEND, (y + q) / 2 - (p - x) * BEND
    return between(outside(*start), outside(*end), bend)


def _value_box(layout: Placement, v: Variable, value: Value) -> Box:
    """Return the box of a value; of the whole vertex if values are not texts."""
    form = layout.forms[v]
    return (layout.square(v, value), form.slot) if form.style == "digits" else (layout.points[v], form.size)


def _start_box(layout: Placement, scene: Scene, cause: Variable, removed: Value) -> Box:
    """Return the box at which arrows from a cause begin: half of its vertex.

    On a board it is the place of the cause's fixed value, or else of the removed value.
    """
    form, domain = layout.forms[cause], scene.domains[cause]
    value = domain[0] if len(domain) == 1 else removed
    if form.kind in LINES and value in form.values:
        return _value_box(layout, cause, value)
    return layout.points[cause], (form.size[0] / 2, form.size[1] / 2)


def loss_shapes(layout: Placement, scene: Scene) -> Iterator[Shape]:
    """Yield, if the scene removes many values, the number removed at each cell."""
    counts = Counter(v for v, _ in scene.removed if is_countable(layout.forms[v]))
    for v, count in counts.items() if len(scene.removed) > MANY else ():
        (x, y), (_, height) = layout.points[v], layout.size(v)
        for shape in box("loss", (0, 2), (18, 10), corner=3), text(f"−{count}", "loss", (0, 2), 9):
            yield shape.shifted((x, y + height / 2))._replace(layer=OVER)
