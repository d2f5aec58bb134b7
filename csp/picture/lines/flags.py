"""Place the flag of a failure: a text that states it.

The flag is drawn last, where it covers neither texts nor arrows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import dist, floor, inf

from ...model import Domain, Variable
from ...trace import Failure
from ..edges import Box, along, straight
from ..layout.failing import BADGE, box_size, boxed_text, cut_pieces, printed_places, visible_among
from ..layout.forms import LINES
from ..layout.layout import Placement
from ..shapes import HIGH, Point, Shape, bounding_box, box, shared_area

STEP, TRACE = 6.0, 3.0
"""Distance between two tried places of a flag, and the width of the boxes along an arrow that it must not cover."""
MAX_STEPS, TILE = 20, 32.0
"""Maximum number of steps to each side, and the side of a tile of the plane, by which boxes are looked up."""
BESIDE = 6.0
"""Minimum distance of a flag from a text beside it, in points; a nearer one reads as a part of it."""
GAP, REACH, RIM, MANY = 3.0, 4.0, 5.0, 20
"""Distance of a flag's middle from the border of one of several boxes, the maximum distance of flag and box, the width
of the rim of other boxes that it may cover, and the maximum number of boxes with places of their own."""
ROWS = (11.0, 14.0, 24.0, 40.0)
"""Distances of the middle of a flag from the failed vertices, above and below them, in the order of their use."""
PILLS = ("taker", "times", "loss", "sent")
"""The first looks of boxes with a text."""
ROUTES = {"hit", "lit", "wire"}
"""Looks of lines that a flag must not cover."""


def flag_shapes(
    layout: Placement,
    failure: Failure,
    variables: Sequence[Variable],
    domains: Mapping[Variable, Domain],
    drawn: Sequence[Shape],
) -> Iterator[Shape]:
    """Yield the flag that states a failure.

    It covers the least of the texts and arrows in ``drawn``.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from ..layout.layout import layout
    >>> model = Model({v: (1,) for v in "AB"}, [AllDifferent.of("AB", label="pair")])
    >>> [flag, words] = flag_shapes(layout(model), Failure(0, model.constraints[0], 2), ["A", "B"], model.domains, [])
    >>> words.text
    'no 2'
    """
    words = "cut apart" if cut_pieces(layout, failure, domains) else _badge_words(layout, failure)
    occupied = [covered for shape in drawn for covered in _covered_boxes(shape)]
    texts = [(shape.points[0], (shape.points[1][0] + 2 * BESIDE, shape.size * HIGH)) for shape in drawn if shape.text]
    # The flag of two values that exclude each other is on the line between them.
    if clashes := [shape.points for shape in drawn if shape.look == "clash"]:
        middle = _middle_on_line(occupied, words, *clashes[0])
    else:
        # It is beside the failed squares, or else the variables; if they are not drawn, above all vertices.
        places = [shape for shape in drawn if shape.look.startswith("failed-square")]
        visible = visible_among(layout, variables)
        # A value without a place concerns all places that it has lost.
        if failure.constraint is None and not isinstance(failure.subject, Variable):
            visible = [v for v, _ in failure.removed] or visible
        rows = [layout.points[v][1] for v in visible if not places and layout.forms[v].kind == "row"]
        around = places or [box("", layout.points[v], layout.size(v)) for v in visible or layout.points]
        concerned = [(shape.points[0], shape.points[1]) for shape in around]
        apart = [*_boxes_apart(layout, visible, concerned)]
        middle = _free_middle(words, occupied, texts, concerned, apart, rows, bool(places))
    yield from boxed_text(words, "badge", middle, BADGE)


def _boxes_apart(layout: Placement, failed: Collection[Variable], concerned: Collection[Box]) -> Iterator[Box]:
    """Yield the inner boxes of cells, cards and squares that a failure does not concern."""
    cells = (v for v in visible_among(layout, layout.points) if layout.forms[v].kind not in LINES and v not in failed)
    boxes = [(layout.points[v], layout.size(v)) for v in cells]
    for point, (width, height) in [*boxes, *((point, layout.slip) for point in layout.slips.values())]:
        if (point, (width, height)) not in concerned:
            yield point, (max(0.0, width - 2 * RIM), max(0.0, height - 2 * RIM))


def _badge_words(layout: Placement, failure: Failure) -> str:
    """Return the text that states a failure."""
    if failure.constraint is not None and failure.subject is None:
        return "cannot hold"
    # A value may remain in the domain of a place, but the place of this value is elsewhere.
    if failure.constraint is not None and isinstance(failure.subject, Variable):
        return "no number"
    # A variable that is not drawn has no value left; the drawn ones beside it have.
    if isinstance(failure.subject, Variable):
        has_place = failure.subject in layout.forms and min(layout.size(failure.subject))
        return "no value" if has_place or printed_places(layout, failure.subject) else "failure"
    return f"no {failure.subject}"


def _free_middle(
    words: str,
    occupied: Sequence[Box],
    texts: Sequence[Box],
    concerned: Sequence[Box],
    apart: Sequence[Box],
    rows: Sequence[float],
    is_inside: bool,
) -> Point:
    """Return where the middle of a flag covers the least of the occupied boxes.

    The flag is in one of ``rows``, the heights of failed lines, or above, below or beside the ``concerned`` boxes.
    It touches one of them, keeps away from ``texts``, and covers the least of ``apart``. If ``is_inside``, it may be
    inside the first one.
    """
    (left, top), (right, bottom) = bounding_box([box("", *place) for place in concerned])
    (width, height), x = box_size(words, BADGE), (left + right) / 2
    # Prefer the middle of a row or of the upper border, then the places nearest to it, then those beyond the area.
    near, far = max(right - left - width, width) / 2, max(right - left, 2 * width) / 2
    step = max(STEP, far / MAX_STEPS)
    offsets = sorted((step * i for i in range(-int(far / step), int(far / step) + 1)), key=abs)
    heights = [*rows, *(y for distance in ROWS for y in (top - distance, bottom + distance))]
    places = ((x + dx, y) for is_far in (False, True) for y in heights for dx in offsets if (abs(dx) > near) == is_far)
    sides = right + width / 2 + STEP, left - width / 2 - STEP
    beside = ((side, (top + bottom) / 2 + dy) for dy in (0, STEP, -STEP, 2 * STEP, -2 * STEP) for side in sides)
    # Of several boxes, each has places of its own: at the middle and the ends of its upper and lower border.
    corners = [
        (p + share * (w - width) / 2, q + side * (h / 2 + distance))
        for (p, q), (w, h) in (concerned if 1 < len(concerned) <= MANY else ())
        for distance in (ROWS[0], GAP)
        for side in (-1, 1)
        for share in (0, -1, 1)
    ]
    (p, q), (w, h) = concerned[0]
    fits = is_inside and width < w and 2 * height < h
    inside = [(p, q + side * (h - height - GAP) / 2) for side in (-1, 1)] if fits else []
    # A flag touches a box if it reaches into the room around it.
    touched = [(point, (w + 2 * REACH, h + 2 * REACH)) for point, (w, h) in concerned]
    return _freest(chain(inside, places, beside, corners), (width, height), occupied, touched, texts, apart)


def _middle_on_line(occupied: Sequence[Box], words: str, start: Point, end: Point) -> Point:
    """Return where a flag on a line covers the least of the occupied boxes."""
    shares = sorted((i / 40 for i in range(4, 37)), key=lambda share: (round(abs(share - 0.5), 3), share))
    (x, y), (p, q) = start, end
    places = [(x + (p - x) * share, y + (q - y) * share) for share in shares]
    return _freest(places, box_size(words, BADGE), occupied)


def _freest(
    places: Iterable[Point],
    size: Point,
    occupied: Iterable[Box],
    near: Sequence[Box] = (),
    texts: Iterable[Box] = (),
    apart: Iterable[Box] = (),
) -> Point:
    """Return the first place where a box covers the least of the occupied boxes.

    Of such places, the best ones touch a box in ``near``, and then cover the least of ``texts``, and of ``apart``.
    """
    finds = [_finder(boxes, size) for boxes in (occupied, near, texts, apart)]
    best, best_cost = (0.0, 0.0), (inf, False, inf, inf)
    for place in places:
        # Most places cover more than the best one so far, whatever lies below.
        covered = round(finds[0](place), 1)
        if covered > best_cost[0]:
            continue
        is_far = bool(near) and not finds[1](place)
        cost = covered, is_far, round(finds[2](place), 1), round(finds[3](place), 1)
        if cost < best_cost:
            best, best_cost = place, cost
        if not any(cost):
            break
    return best


def _finder(boxes: Iterable[Box], size: Point) -> Callable[[Point], float]:
    """Return a function that measures how much of ``boxes`` a box covers."""
    # Look boxes up by tile, since there may be thousands.
    all_boxes = list(dict.fromkeys(boxes))
    numbers_at: dict[tuple[int, int], list[int]] = {}
    for number, each in enumerate(all_boxes):
        for tile in _tiles(*each):
            numbers_at.setdefault(tile, []).append(number)

    def find(place: Point) -> float:
        numbers = {number for tile in _tiles(place, size) for number in numbers_at.get(tile, ())}
        return sum(shared_area((place, size), all_boxes[number]) for number in sorted(numbers))

    return find


def _tiles(middle: Point, size: Point) -> Iterator[tuple[int, int]]:
    """Yield the tiles of the plane that a box touches."""
    columns, rows = (
        range(floor((at - length / 2) / TILE), floor((at + length / 2) / TILE) + 1)
        for at, length in zip(middle, size, strict=True)
    )
    yield from product(columns, rows)


def _covered_boxes(shape: Shape) -> Iterator[Box]:
    """Yield the boxes that a flag must not cover.

    They are around texts and the names of reasons, and along arrows.
    """
    looks = shape.look.split()
    if shape.kind == "text":
        yield shape.points[0], (shape.points[1][0], shape.size * HIGH)
    elif shape.kind == "box" and looks[0] in PILLS:
        yield shape.points[0], shape.points[1]
    elif shape.kind == "line" and not ROUTES.isdisjoint(looks):
        curve = shape.points if len(shape.points) > 3 else straight(shape.points[0], shape.points[-1])
        number = max(1, round(sum(map(dist, curve, curve[1:])) / TRACE))
        yield from ((along(curve, i / number), (TRACE, TRACE)) for i in range(number + 1))
