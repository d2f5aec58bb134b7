"""Arrows from the causes of removals to the removed values.

``scripts/arrows.js`` of the page draws the same arrows by the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import copysign, dist
from typing import NamedTuple

from ...model import Candidate, Value, Variable
from ..edges import Box, Curve, along, between, outside
from ..layout.forms import LINES, Form
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import HIGH, LETTER, OVER, Point, Shape, pill, shared_area

MANY = 80
"""Maximum number of arrows from one cause, and of removed values that cells show one by one."""
COVER = 1.5
"""Maximum area of all arrows, each as wide as the vertex at its end, as a share of the area of all vertices."""
BUNDLED = 2.2
"""Maximum area of bundled arrows, in the same measure; they run along the borders of cells."""
CLEAR = 12
"""Maximum number of arrows from several causes that have room in any picture."""
BEND = 0.07
"""The deviation of an arrow's control point from a straight line, as a share of its length."""
DIAGONAL = 0.06
"""Maximum difference of the width and the height of a diagonal arrow, as a share of its length."""
SHORT = 13.0
"""Minimum distance of the two ends of an arrow, in points; its head covers 8 of them."""
CORNER = 3.0
"""Distance of an arrow's end from the corner of a value, in points, if the arrow runs along borders."""
STEEP = 8.0
"""Minimum height and width of the end of such an arrow, in points: its head needs a straight part."""
ASIDE = 16.0
"""The deviation of a bent arrow between two neighbours, in points."""
TAILS = tuple(sorted((n / 80 for n in range(6, 70)), key=lambda share: (round(abs(share - 0.3), 4), share)))
"""Places of the count on an arrow, as shares of its curve, the best first."""


class Arrow(NamedTuple):
    """An arrow from a cause to one of the values that a constraint removed.

    Attributes
    ----------
    cause : Variable
    target : Candidate
    number : int
        The constraint.
    removals : int
        The number of values that the arrow represents.
    is_shared : bool
        Whether the removal has several causes.
    """

    cause: Variable
    target: Candidate
    number: int
    removals: int = 1
    is_shared: bool = False


def single_arrows(layout: Placement, scene: Scene, without: Collection[int] = ()) -> list[Arrow]:
    """Return an arrow from each cause to each value that it removed.

    A removal with several causes has an arrow from each of them to each changed variable. Constraints in ``without``,
    and variables that are not drawn, have none.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> from ..scene import Loss
    >>> model = Model(dict.fromkeys("ABC", (1, 2, 3)))
    >>> def show(*loss):
    ...     scene = Scene(title="", domains=model.domains, losses=(Loss(0, *loss),))
    ...     return [(*arrow[:2], arrow.removals) for arrow in single_arrows(layout(model), scene)]
    >>> show(("A",), (("B", 1), ("B", 2)))
    [('A', ('B', 1), 1), ('A', ('B', 2), 1)]
    >>> show(("A", "C"), (("B", 1), ("B", 2), ("C", 3)))
    [('A', ('B', 1), 2), ('C', ('B', 1), 2), ('A', ('C', 3), 1)]
    """
    result: list[Arrow] = []
    for number, causes, removed in scene.losses:
        if number is None or number in without:
            continue
        visible = [(v, value) for v, value in removed if min(layout.size(v))]
        # The first value of a variable represents its others, if the removal has several causes.
        counts = Counter(v for v, _ in visible) if len(causes) > 1 else {}
        first_of = {v: (v, value) for v, value in reversed(visible)}
        for target in (first_of[v] for v in counts) if counts else visible:
            drawn_causes = (cause for cause in causes if cause != target[0] and min(layout.size(cause)))
            result += (Arrow(cause, target, number, counts.get(target[0], 1), bool(counts)) for cause in drawn_causes)
    return result


def bundle_arrows(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> list[Arrow]:
    """Return the arrows; if they would cover the picture, bundles of them.

    The removals of one cause in one direction share the longest arrow, which passes the nearer values; those of one
    constraint with several causes share it, too. In other directions than rows, columns and diagonals, the removals of
    one cause and constraint share the shortest arrow. If even these are too many, the result is empty.
    """
    if _is_clear(layout, scene, arrows, COVER):
        return list(arrows)
    bundles: dict[tuple[Point | None, object, int], list[Arrow]] = {}
    for arrow in arrows:
        direction = _direction(*_ends(layout, scene, arrow))
        cause = None if direction and arrow.is_shared else arrow.cause
        number = -1 if direction and not arrow.is_shared else arrow.number
        bundles.setdefault((direction, cause, number), []).append(arrow)
    bundled = []
    for (direction, *_), members in bundles.items():
        choose = max if direction else min
        arrow = choose(members, key=lambda arrow: dist(*_ends(layout, scene, arrow)))
        counts = {member.target: member.removals for member in members}
        bundled.append(arrow._replace(removals=sum(counts.values())))
    return bundled if _is_clear(layout, scene, bundled, BUNDLED) else []


def _is_clear(layout: Placement, scene: Scene, arrows: Sequence[Arrow], share: float) -> bool:
    """Return whether arrows are few, have one cause, or leave room.

    With room, they cover at most a ``share`` of the area of all vertices. An arrow counts as wide as the vertex at its
    end.
    """
    if len(arrows) <= (MANY if len({arrow.cause for arrow in arrows}) == 1 else CLEAR):
        return True
    area = sum(width * height for width, height in map(layout.size, layout.points))
    covered = (dist(*_ends(layout, scene, arrow)) * min(layout.size(arrow.target[0])) for arrow in arrows)
    return sum(covered) <= share * area


def _ends(layout: Placement, scene: Scene, arrow: Arrow) -> tuple[Point, Point]:
    """Return the middles of the cells or squares that an arrow joins."""
    v, value = arrow.target
    end = layout.square(v, value) if layout.forms[v].kind in LINES else layout.points[v]
    return _start_box(layout, scene, arrow.cause, value)[0], end


def _direction(start: Point, end: Point) -> Point | None:
    """Return an arrow's direction along a row, column or diagonal; else ``None``."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(abs(dx), abs(dy))
    # The squares of a board are slightly wider than high.
    is_straight = min(abs(dx), abs(dy)) < 1 <= length or abs(abs(dx) - abs(dy)) < DIAGONAL * length
    return (round(dx / length), round(dy / length)) if is_straight else None


def is_countable(form: Form) -> bool:
    """Return whether a vertex of this form may show only how many values it lost."""
    return form.kind == "cell" and form.style != "size"


def arrow_shapes(
    layout: Placement, scene: Scene, without: Collection[int], texts: Iterable[Shape] = ()
) -> Iterator[Shape]:
    """Yield the curve of each arrow, and the pill of each bundle, such as ``×3``.

    A pill covers neither another pill nor one of ``texts``, if its arrow has a free place. Without room for arrows,
    each cause shows how many values it removed. All pills lie over all arrows.
    """
    occupied = [_covered_box(shape) for shape in texts]
    arrows = single_arrows(layout, scene, without)
    bundles = bundle_arrows(layout, scene, arrows)
    pills: list[Shape] = []
    for arrow in bundles:
        cause, (v, value), number, count, _ = arrow
        is_counted = len(scene.removed) > MANY and is_countable(layout.forms[v])
        end = (layout.points[v], layout.size(v)) if is_counted else _value_box(layout, v, value)
        start = _start_box(layout, scene, cause, value)
        ends = (layout.points[cause], layout.points[v], layout.size(cause))
        are_cells = layout.is_cell(cause) and layout.is_cell(v)
        # On a board, arrows of one direction lie on each other; in a table, they pass beside the texts of a column.
        direction, kind = _direction(*_ends(layout, scene, arrow)), layout.forms[v].kind
        bend = 0 if kind in LINES and direction else BEND
        if kind == "row" and direction and not direction[0]:
            curve = _aside(start, end)
        else:
            curve = (_along_border(*ends, end) if are_cells else None) or _bow(start, end, bend)
        yield Shape("line", "edge hit", curve, "", 0, (number,), OVER, (cause, v))
        if count > 1 and len(bundles) < len(arrows):
            shapes = _place_count(count, curve, occupied)
            occupied.append(_covered_box(shapes[0]))
            pills += shapes
    yield from pills
    if not bundles:
        yield from _cause_counts(layout, scene, arrows)


def _covered_box(shape: Shape) -> Box:
    """Return the box around the letters of a text, or the place of a box."""
    middle, size, *_ = shape.points
    return middle, size if shape.kind == "box" else (len(shape.text) * shape.size * LETTER, shape.size * HIGH)


def _place_count(count: int, curve: Curve, occupied: Sequence[Box]) -> list[Shape]:
    """Return the pill of a count where it covers the smallest area on its arrow."""
    pills = [_over(pill("times", f"×{count}", along(curve, share))) for share in TAILS]
    return min(pills, key=lambda shapes: sum(shared_area(_covered_box(shapes[0]), place) for place in occupied))


def _along_border(cause: Point, target: Point, size: Point, end: Box) -> Curve | None:
    """Return a curve between two cells of a row or column that covers no value.

    It runs along the borders, on the side of the removed value, and ends at the value's nearest corner. For cells that
    are neighbours, or in no common row or column, the result is ``None``.
    """
    for i, j in ((0, 1), (1, 0)):
        distance = target[i] - cause[i]
        if abs(target[j] - cause[j]) < 1 and abs(distance) > 1.5 * size[i]:
            side = 1 if end[0][j] > target[j] + 1 else -1
            forward = size[i] / 2 if distance > 0 else -size[i] / 2
            border = target[j] + side * (size[j] / 2 + 5)
            # The head enters the corner of the value steeply, so that it does not lie on the border.
            corner = end[0][i] - copysign(end[1][i] / 2, distance), end[0][j] + side * (end[1][j] / 2 - CORNER)
            points = (
                (cause[i] + forward / 2, cause[j] + side * size[j] / 4),
                (cause[i] + forward * 1.5, border),
                (corner[0] - copysign(STEEP, distance), corner[1] + side * max(STEEP, side * (border - corner[1]))),
                corner,
            )
            first, second, third, fourth = ((point[i], point[j]) for point in points)
            return first, second, third, fourth
    return None


def _bow(start: Box, end: Box, share: float) -> Curve:
    """Return a curve between two boxes, long enough for an arrowhead.

    ``share`` is its bend as a share of its length.
    """
    (x, y), (p, q) = start[0], end[0]
    bend = (x + p) / 2 + (q - y) * share, (y + q) / 2 - (p - x) * share
    # A short arrow begins nearer to the middle of its cause.
    for part in (1, 0.5, 0.2):
        curve = between(outside(start[0], (start[1][0] * part, start[1][1] * part)), outside(*end), bend)
        if dist(curve[0], curve[3]) >= SHORT:
            return curve
    return _aside(start, end)


def _aside(start: Box, end: Box) -> Curve:
    """Return a curve between the left or upper sides of two boxes."""
    (x, y), (p, q) = start[0], end[0]
    i, j = (0, 1) if abs(p - x) > abs(q - y) else (1, 0)
    sides = [middle[j] - size[j] / 2 for middle, size in (start, end)]
    aside = min(sides) - ASIDE
    points = (start[0][i], sides[0]), (start[0][i], aside), (end[0][i], aside), (end[0][i], sides[1])
    first, second, third, fourth = ((point[i], point[j]) for point in points)
    return first, second, third, fourth


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


def _cause_counts(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> Iterator[Shape]:
    """Yield the number of removed values at the lower border of each cause."""
    counts: Counter[Variable] = Counter()
    first_of = {arrow.cause: arrow for arrow in reversed(arrows)}
    for arrow in arrows:
        counts[arrow.cause] += arrow.removals
    for cause, count in counts.items():
        (x, y), (_, height) = _start_box(layout, scene, cause, first_of[cause].target[1])
        if layout.forms[cause].kind not in LINES:
            height = layout.size(cause)[1]
        yield from _over(pill("sent", f"→×{count}", (x - 12, y + height / 2 + 2)))


def loss_shapes(layout: Placement, scene: Scene) -> Iterator[Shape]:
    """Yield the number of values that each cell lost, if a scene removes many."""
    counts = Counter(v for v, _ in scene.removed if is_countable(layout.forms[v]))
    for v, count in counts.items() if len(scene.removed) > MANY else ():
        (x, y), (_, height) = layout.points[v], layout.size(v)
        yield from _over(pill("loss", f"−{count}", (x + 15, y + height / 2 + 2)))


def _over(shapes: Iterable[Shape]) -> list[Shape]:
    """Return shapes in the layer over everything."""
    return [shape._replace(layer=OVER) for shape in shapes]
