"""Arrows from the causes of removals to the removed values.

``scripts/arrows.js`` of the page draws the same arrows by the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, takewhile
from math import dist, floor
from typing import NamedTuple

from ...model import Candidate, Value, Variable
from ..edges import Box, Curve, along, between, outside
from ..layout.forms import LINES, STRIP, Form
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import HIGH, LETTER, OVER, Point, Shape, most_free, pill
from .streets import SHORT, Route, Streets, curved

MANY = 80
"""Maximum number of arrows from one cause, and of removed values that cells show one by one."""
AREA = 5
"""Minimum number of causes, and of removed values, of a removal from a whole area."""
COVER = 2.2
"""Maximum area of all arrows, each as wide as the vertex at its end, as a share of the area of all vertices."""
CLEAR = 12
"""Maximum number of arrows from several causes that have room in any picture."""
BEND = 0.07
"""The deviation of an arrow's control point from a straight line, as a share of its length."""
ARCHED = 0.2
"""The same deviation of an arrow between two cards."""
NARROW, BESIDE = 50.0, (13.0, 9.0)
"""Length below which an arrow has its count beside it, and the distance of their middles: of a vertical arrow to the
side, of a horizontal one up or down."""
RIM = 4.5
"""The width of the rim of a sign between cells that an arrow may touch, and its distance from a text, in points."""
INTO = 3.0
"""Distance of an arrow's end from the side of the place of a value in a table, in points."""
DIGITS, WORD = 3, 0.52
"""Texts with more characters than the first number are words: their letters have this mean width, as a share of the
size of the font, and descend below the line."""
DIAGONAL = 0.06
"""Maximum difference of the width and the height of a diagonal arrow, as a share of its length."""
BELOW = 7.0
"""Maximum distance of a count from the lower border of its cell, in points; it hangs in the gap below."""
WITHIN = 6.0
"""Distance of an arrow's end from the border of a square of a board, or of a cell that does not show its values, in
points; also its start."""
SHORTEST = 14.0
"""Minimum length of an arrow between cells, in points: a shorter one begins inside the cell of its cause."""
STEP, HALF_HEAD = 2.0, 3.5
"""The distance of the tested points of an arrow, and half the width of its head, in points."""
HEAD = 12.0
"""The side of a square around the point of an arrow that no count covers, in points."""
ASIDE = 16.0
"""The deviation of a bent arrow between two neighbours, in points."""
TINTED = ("hit", "hit second", "hit third", "hit fourth", "hit fifth", "hit sixth")
"""The looks of the tints of arrows."""
TAILS = tuple(sorted((n / 80 for n in range(6, 75)), key=lambda share: (round(abs(share - 0.3), 4), share)))
"""Places of the count on an arrow, as shares of its curve, the best first."""
TURNED = tuple(sorted(TAILS, key=lambda share: (round(abs(share - 0.6), 4), share)))
"""Places of the count on an arrow with bends, as shares of its length: its start is common to several arrows."""


class Arrow(NamedTuple):
    """An arrow from a cause to the values of a variable that it removed.

    Attributes
    ----------
    cause : Variable
    target : Candidate
        The variable and the first of these values. A tie is a line without a head between two causes of one removal;
        its target is the other cause and any value.
    number : int
        The constraint of the first value.
    values : tuple of int or str
        All these values, empty for a tie.
    causes : tuple of Variable
        The causes of the removal if they are several, else empty.
    removals : int
        The number of values that the arrow represents.
    """

    cause: Variable
    target: Candidate
    number: int
    values: tuple[Value, ...] = ()
    causes: tuple[Variable, ...] = ()
    removals: int = 0


def single_arrows(layout: Placement, scene: Scene, without: Collection[int] = ()) -> list[Arrow]:
    """Return an arrow from each cause to each variable that it removed values from.

    On boards and in tables each value has an arrow. If a removal has several causes, an arrow leads from the nearest
    one to each changed variable, and ties join the causes; on boards and in tables each cause has an arrow instead.
    A whole area has one arrow (see ``_is_sweep``).
    Constraints in ``without``, and variables that are not drawn, have none.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> from ..scene import Loss
    >>> model = Model(dict.fromkeys("ABC", (1, 2, 3)))
    >>> def show(*loss):
    ...     scene = Scene(title="", domains=model.domains, losses=(Loss(0, *loss),))
    ...     return [(*arrow[:2], arrow.removals) for arrow in single_arrows(layout(model), scene)]
    >>> show(("A",), (("B", 1), ("B", 2), ("C", 2)))
    [('A', ('B', 1), 2), ('A', ('C', 2), 1)]
    >>> show(("A", "C"), (("B", 1), ("B", 2)))
    [('A', ('B', 1), 2), ('A', ('C', 1), 0)]
    """
    arrows: dict[object, Arrow] = {}
    joined: set[tuple[object, frozenset[Variable]]] = set()
    for number, causes, removed in scene.losses:
        if number is None or number in without:
            continue
        visible = [(v, value) for v, value in removed if min(layout.size(v))]
        drawn_causes = [cause for cause in causes if min(layout.size(cause))]
        if _is_sweep(layout, causes, visible):
            visible = visible[:1]
        lines = {v for v in (*drawn_causes, *(v for v, _ in visible)) if layout.forms[v].kind in LINES}
        team = causes if len(causes) > 1 else ()
        for v, value in visible:
            sources = [cause for cause in drawn_causes if cause != v]
            if team and not lines:
                sources = sorted(sources, key=partial(_distance, layout, v))[:1]
            for cause in sources:
                # The first value has the arrow, and the others of the variable join it.
                key = (cause, v, value) if v in lines and not team else (cause, v, team, number if team else None)
                arrow = arrows.get(key, Arrow(cause, (v, value), number, (), team))
                arrows[key] = arrow._replace(values=(*arrow.values, value), removals=arrow.removals + 1)
                joined.add(((number, team), frozenset((cause, v))))
        # An arrow from one cause to another one joins them, too.
        for first, second in _ties(layout, drawn_causes) if team and visible and not lines else ():
            pair = (number, team), frozenset((first, second))
            if pair not in joined:
                joined.add(pair)
                arrows[pair] = Arrow(first, (second, layout.forms[second].values[0]), number, (), team)
    return list(arrows.values())


def _is_sweep(layout: Placement, causes: Collection[Variable], removed: Collection[Candidate]) -> bool:
    """Return whether many causes removed drawings from many vertices together.

    This area has a tint instead of struck signs, and one arrow.
    """
    return min(len(causes), len(removed)) >= AREA and all(layout.forms[v].shows_only_drawing for v, _ in removed)


def swept(layout: Placement, scene: Scene) -> list[Candidate]:
    """Return the values that a scene removes from whole areas."""
    drawn = ((causes, [loss for loss in removed if min(layout.size(loss[0]))]) for _, causes, removed in scene.losses)
    return [loss for causes, removed in drawn if _is_sweep(layout, causes, removed) for loss in removed]


def _ties(layout: Placement, causes: Sequence[Variable]) -> Iterator[tuple[Variable, Variable]]:
    """Yield the pairs of causes on a shortest tree that joins them (Prim's algorithm)."""
    nearest = dict.fromkeys(causes[1:], causes[0]) if causes else {}
    while nearest:
        added = min(nearest, key=lambda v: _distance(layout, v, nearest[v]))
        yield nearest.pop(added), added
        for v, neighbour in nearest.items():
            if _distance(layout, v, added) < _distance(layout, v, neighbour):
                nearest[v] = added


def _distance(layout: Placement, first: Variable, second: Variable) -> float:
    """Return the distance of two vertices, rounded so that the page compares equal numbers."""
    return round(dist(layout.points[first], layout.points[second]), 1)


def bundle_arrows(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> list[Arrow]:
    """Return the arrows; if they are too many, bundles of them.

    They are too many if they would cover the picture.

    The removals of one cause in one direction share the longest arrow, which passes the nearer values; those of one
    constraint with several causes share it, too. In other directions than rows, columns and the diagonals of a board,
    the removals of one cause and constraint share the shortest arrow. If even these are too many, or in a table, where
    their counts would cover values, the result is empty.
    """
    if len(scene.removed) <= MANY and _is_clear(layout, scene, arrows):
        return list(arrows)
    bundles: dict[tuple[Point | None, object, int], list[Arrow]] = {}
    for arrow in (arrow for arrow in arrows if arrow.values):
        direction = _arrow_direction(layout, scene, arrow)
        cause = None if direction and arrow.causes else arrow.cause
        number = -1 if direction and not arrow.causes else arrow.number
        bundles.setdefault((direction, cause, number), []).append(arrow)
    bundled = [arrow for arrow in arrows if not arrow.values]
    for (direction, *_), members in bundles.items():
        choose = max if direction else min
        arrow = choose(members, key=lambda arrow: dist(*_ends(layout, scene, arrow)))
        counts = {member.target: member.removals for member in members}
        bundled.append(arrow._replace(removals=sum(counts.values())))
    is_in_table = any(_is_table(layout.forms[arrow.target[0]]) for arrow in bundled)
    return bundled if _is_clear(layout, scene, bundled) and not is_in_table else []


def _is_clear(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> bool:
    """Return whether arrows are few, have one cause, or leave room.

    With room, they cover at most ``COVER`` times the area of all vertices. An arrow counts as wide as the vertex at its
    end; arrows of one cause in one direction share a line.
    """
    if len(arrows) <= (MANY if len({arrow.cause for arrow in arrows}) == 1 else CLEAR):
        return True
    area = sum(width * height for width, height in map(layout.size, layout.points))
    covered: dict[object, float] = {}
    for arrow in arrows:
        direction = _arrow_direction(layout, scene, arrow)
        line = (arrow.cause, direction) if direction else arrow
        length = dist(*_ends(layout, scene, arrow)) * min(layout.size(arrow.target[0]))
        covered[line] = max(covered.get(line, 0), length)
    return sum(covered.values()) <= COVER * area


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


def _arrow_direction(layout: Placement, scene: Scene, arrow: Arrow) -> Point | None:
    """Return the direction of an arrow that may share its line; else ``None``.

    Between cells it is a row or a column, because no arrow runs across cells.
    """
    direction = _direction(*_ends(layout, scene, arrow))
    is_diagonal = direction is not None and all(direction)
    return None if is_diagonal and layout.is_cell(arrow.target[0]) else direction


def is_countable(form: Form) -> bool:
    """Return whether a vertex of this form may show only how many values it lost."""
    return form.kind == "cell" and form.style != "size"


def arrow_shapes(
    layout: Placement, scene: Scene, without: Collection[int], texts: Iterable[Shape] = ()
) -> Iterator[Shape]:
    """Yield the curve of each arrow, and the pill of each bundle, such as ``×3``.

    Arrows between cells run through the streets, and cross ``texts`` only if there is no other way. A pill covers
    neither another pill nor one of ``texts``, if its arrow has a free place. Without room for arrows, each cause shows
    how many values it removed. All pills lie over all arrows.
    """
    shown_texts = list(texts)
    # Where the label of a failure names the reason, an arrow would repeat it below the label.
    labels = [shape.points for shape in shown_texts if shape.kind == "box" and shape.look == "taker worded"]
    arrows = [arrow for arrow in single_arrows(layout, scene, without) if not _is_labelled(layout, arrow, labels)]
    bundles = _by_cause(layout, scene, bundle_arrows(layout, scene, arrows))
    if not bundles:
        yield from _cause_counts(layout, scene, arrows)
        return
    # Below all arrows, those between cells have a white rim over the borders of cells.
    obstacles = [shape for shape in shown_texts if shape.look.split()[:1] != ["loss"]]
    cells = [(point, layout.size(v)) for v, point in layout.points.items() if layout.is_cell(v)]
    streets = Streets(cells, map(_obstacle, obstacles), layout.streets)
    curves = list(zip(bundles, _curves(layout, scene, bundles, obstacles, streets), strict=True))
    tints = streets.tints()
    for arrow, curve in curves:
        if layout.is_cell(arrow.cause) and layout.is_cell(arrow.target[0]):
            yield Shape("line", "edge casing", curve, layer=OVER)
    for arrow, curve in curves:
        look = f"edge {TINTED[tints.get(_key(arrow), 0)]}" + ("" if arrow.values else " tie")
        yield Shape("line", look, curve, "", 0, (arrow.number,), OVER, (arrow.cause, arrow.target[0]))
    occupied = [*map(covered_box, shown_texts), *((curve[-1], (HEAD, HEAD)) for _, curve in curves)]
    for arrow, curve in curves if len(bundles) < len(arrows) else ():
        if arrow.removals > 1:
            shapes = _place_count(arrow.removals, curve, occupied)
            occupied.append(covered_box(shapes[0]))
            yield from shapes


def _is_labelled(layout: Placement, arrow: Arrow, labels: Iterable[Sequence[Point]]) -> bool:
    """Return whether a label covers the lower border of an arrow's cell, or its square."""
    v, value = arrow.target
    is_square = layout.forms[v].kind in LINES
    x, y = layout.square(v, value) if is_square else layout.points[v]
    y += 0 if is_square else layout.size(v)[1] / 2
    return any(abs(x - p) < width / 2 and abs(y - q) < height / 2 for (p, q), (width, height) in labels)


def _by_cause(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> list[Arrow]:
    """Return arrows grouped by cause; the shortest of each cause comes first."""
    order = {cause: i for i, cause in enumerate(dict.fromkeys(arrow.cause for arrow in arrows))}
    return sorted(arrows, key=lambda arrow: (order[arrow.cause], round(dist(*_ends(layout, scene, arrow)), 1)))


def _curves(
    layout: Placement, scene: Scene, arrows: Iterable[Arrow], texts: Sequence[Shape], streets: Streets
) -> Iterator[tuple[Point, ...]]:
    """Yield the curves of arrows; between cells, and in tables, they run through ``streets``."""
    places = {_place(*shape.points[0]) for shape in texts}
    kept = [covered_box(s) for s in texts if s.kind == "text" and "gone" not in s.look.split()]
    is_full = len(scene.removed) > MANY
    for arrow in arrows:
        cause, (v, value), *_ = arrow
        kinds = {layout.forms[cause].kind, layout.forms[v].kind}
        start = _start_box(layout, scene, cause, value)
        ends = _end_boxes(layout, v, arrow.values, is_full) if arrow.values else [_start_box(layout, scene, v, value)]
        first, second = _cell_box(layout, cause, start), _cell_box(layout, v, ends[0])
        if all(layout.is_cell(w) or _is_table(layout.forms[w]) for w in (cause, v)):
            is_tie = not arrow.values
            start = _cause_box(layout, scene, cause, places, is_tie) if layout.is_cell(cause) else _inside(first)
            if is_tie:
                ends = [_cause_box(layout, scene, v, places, is_tie)]
            route = streets.find_route(first, second, start, ends, _key(arrow))
            if layout.is_cell(v) and not is_tie:
                route = _stop_before(route, second, kept)
            yield curved(_lengthen(route))
            continue
        if kinds == {"card"}:
            # The arrow begins and ends at the cards, and leaves their straight edge free.
            curve = _bow(first, second, ARCHED)
        else:
            # On a board, arrows of one direction lie on each other.
            is_straight = kinds <= LINES and _direction(*_ends(layout, scene, arrow)) is not None
            curve = _bow(start, ends[0], 0 if is_straight else BEND)
        streets.visit((first, second), curve, _key(arrow))
        yield curve


def _stop_before(route: Route, cell: Box, kept: Iterable[Box]) -> Route:
    """Return the route, cut at its last cell if it crosses a value there.

    Such a value would look struck, or the arrowhead would hide it.
    """
    (x, y), (p, q) = route[-2:]
    length = dist((x, y), (p, q))
    shares = [step * STEP / length for step in range(int(length / STEP) + 1)] if length else []
    points = [(p + (x - p) * share, q + (y - q) * share) for share in shares]
    # Go back from the end to the border.
    inside = list(takewhile(partial(is_inside, cell), points))
    values = [box for box in kept if is_inside(cell, box[0])]
    for step, point in enumerate(inside):
        reach = HALF_HEAD if step * STEP < HEAD else 0
        if any(is_inside(box, point, reach) for box in values):
            return (*route[:-1], (round(inside[-1][0], 1), round(inside[-1][1], 1)))
    return route


def is_inside(box: Box, point: Point, reach: float = 0) -> bool:
    """Return whether a point is inside a box or at most ``reach`` beside it."""
    (x, y), (width, height) = box
    return abs(point[0] - x) < width / 2 + reach and abs(point[1] - y) < height / 2 + reach


def _lengthen(route: Route) -> Route:
    """Return the route; a straight one shorter than ``SHORTEST`` begins further back."""
    (x, y), (end_x, end_y) = route[0], route[-1]
    length = dist(route[0], route[-1])
    if len(route) > 2 or not 0 < length < SHORTEST:
        return route
    factor = SHORTEST / length
    return (end_x + (x - end_x) * factor, end_y + (y - end_y) * factor), route[-1]


def _cause_box(layout: Placement, scene: Scene, v: Variable, places: Collection[tuple[int, int]], is_tie: bool) -> Box:
    """Return the box in a cell at which the lines of a cause begin.

    It is the only value, in its place or in the middle. Of several values none is the reason: it is the whole cell. A
    tie only leads into the border of a cell.
    """
    middle, size = layout.points[v], layout.size(v)
    if len(scene.domains[v]) != 1:
        return middle, size
    value = scene.domains[v][0]
    if _is_written(layout, v, value, places):
        return _value_box(layout, v, value)
    return _inside((middle, size)) if is_tie else (middle, (size[0] / 2, size[1] / 2))


def _key(arrow: Arrow) -> Hashable:
    """Return a key of the arrows that may share a line.

    They have one cause, or belong to one removal with several causes.
    """
    return (arrow.number, arrow.causes) if arrow.causes else arrow.cause


def _is_table(form: Form) -> bool:
    """Return whether a form is a row of texts, in a table or ruler."""
    return form.kind == "row" and not form.piece


def _cell_box(layout: Placement, v: Variable, slot: Box) -> Box:
    """Return the box of a cell.

    In a table or on a board it is the place of a value; ``slot`` has its middle.
    """
    return (slot[0], layout.forms[v].slot) if layout.forms[v].kind in LINES else (layout.points[v], layout.size(v))


def covered_box(shape: Shape) -> Box:
    """Return the box around the letters of a text, or the place of another shape."""
    middle, size, *_ = shape.points
    if shape.kind != "text":
        return middle, size
    letter, high = (LETTER, HIGH) if len(shape.text) <= DIGITS else (WORD, 1)
    return middle, (len(shape.text) * shape.size * letter, shape.size * high)


def _obstacle(shape: Shape) -> Box:
    """Return the box that arrows avoid: they may touch the rim of a sign."""
    middle, (width, height) = covered_box(shape)
    return middle, (width, height) if shape.kind == "text" else (width - 2 * RIM, height - 2 * RIM)


def _place_count(count: int, curve: Sequence[Point], occupied: Sequence[Box]) -> list[Shape]:
    """Return the pill of a count where it covers the smallest area on its arrow."""
    if len(curve) > 4:
        places = _places_along(curve[::3])
    else:
        places = _places_beside(curve) if dist(curve[0], curve[-1]) < NARROW else [along(curve, s) for s in TAILS]
    pills = [pill("times", f"×{count}", place) for place in places]
    middle, _ = most_free((covered_box(shapes[0]) for shapes in pills), occupied)
    return _over(pill("times", f"×{count}", middle))


def _places_beside(curve: Sequence[Point]) -> list[Point]:
    """Return the places of a count beside a short arrow, which it would cover."""
    (x, y), (p, q) = curve[0], curve[-1]
    is_down = abs(q - y) > abs(p - x)
    return [
        (
            x + (p - x) * share + (side * BESIDE[0] if is_down else 0),
            y + (q - y) * share + (0 if is_down else side * BESIDE[1]),
        )
        for share in (0.3, 0.5, 0.7)
        for side in (1, -1)
    ]


def _places_along(corners: Sequence[Point]) -> list[Point]:
    """Return the places of a count on a line through corners."""
    lengths = [0.0, *accumulate(map(dist, corners, corners[1:]))]
    places = []
    for share in TURNED:
        at = share * lengths[-1]
        i = next(i for i, length in enumerate(lengths[1:]) if length >= at)
        (x, y), (p, q) = corners[i : i + 2]
        part = (at - lengths[i]) / (lengths[i + 1] - lengths[i])
        places.append((x + (p - x) * part, y + (q - y) * part))
    return places


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


def _end_boxes(layout: Placement, v: Variable, values: Sequence[Value], is_full: bool) -> list[Box]:
    """Return the boxes at one of which an arrow ends: those of the struck values.

    It is most of a cell without values in their places. In a table it is the first value, and on a board most of its
    square, so that the heads of diagonals do not meet at a corner.
    """
    form = layout.forms[v]
    if is_countable(form) and (is_full or form.style != "digits"):
        return [_inside((layout.points[v], form.size))]
    boxes = [_value_box(layout, v, value) for value in values]
    if form.kind not in LINES:
        return boxes
    middle, (width, height) = boxes[0]
    return [(middle, (width - 2 * INTO, height)) if _is_table(form) else _inside(boxes[0])]


def _inside(cell: Box) -> Box:
    """Return the box ``WITHIN`` points inside of the border of a cell."""
    return cell[0], (cell[1][0] - 2 * WITHIN, cell[1][1] - 2 * WITHIN)


def _place(x: float, y: float) -> tuple[int, int]:
    """Return a point in whole points.

    Halves, as in the middles of values, are not between two results.
    """
    return floor(x + 0.25), floor(y + 0.25)


def _start_box(layout: Placement, scene: Scene, cause: Variable, removed: Value) -> Box:
    """Return the box at which arrows from a cause begin: half of its vertex.

    On a board or in a table it is the place of the remaining value nearest to the removed one.
    """
    form, domain = layout.forms[cause], scene.domains[cause]
    if form.kind in LINES and domain:
        at = form.values.index(removed) if removed in form.values else 0
        return _value_box(layout, cause, min(domain, key=lambda value: abs(form.values.index(value) - at)))
    return layout.points[cause], (form.size[0] / 2, form.size[1] / 2)


def _is_written(layout: Placement, v: Variable, value: Value, places: Collection[tuple[int, int]]) -> bool:
    """Return whether a cell shows a value as a text in its place.

    ``places`` are the middles of all texts.
    """
    form = layout.forms[v]
    is_placed = form.kind == "cell" and form.style == "digits" and value in form.values
    return is_placed and _place(*layout.square(v, value)) in places


def _cause_counts(layout: Placement, scene: Scene, arrows: Sequence[Arrow]) -> Iterator[Shape]:
    """Yield the number of removed values at the lower border of each cause.

    In a table it is below the name of the cause.
    """
    counts: Counter[Variable] = Counter()
    first_of = {arrow.cause: arrow for arrow in reversed(arrows)}
    for arrow in arrows:
        counts[arrow.cause] += arrow.removals
    for cause, count in counts.items():
        (x, y), (_, height) = _start_box(layout, scene, cause, first_of[cause].target[1])
        form = layout.forms[cause]
        x, y = x - 12, y + height / 2 + 2
        if form.kind not in LINES:
            y = _below(layout, cause)
        elif _is_table(form):
            x, y = layout.points[cause][0] + (form.head - STRIP - form.size[0]) / 2, y - 2
        yield from _over(pill("sent", f"→×{count}", (x, y)))


def loss_shapes(layout: Placement, scene: Scene) -> Iterator[Shape]:
    """Yield the number of values that each cell lost, if a scene removes many."""
    counts = Counter(v for v, _ in scene.removed if is_countable(layout.forms[v]))
    for v, count in counts.items() if len(scene.removed) > MANY else ():
        yield from _over(pill("loss", f"−{count}", (layout.points[v][0] + 15, _below(layout, v))))


def _below(layout: Placement, v: Variable) -> float:
    """Return the height of the middle of a count in the gap below a cell."""
    return layout.points[v][1] + layout.size(v)[1] / 2 + min(BELOW, layout.streets[0])


def _over(shapes: Iterable[Shape]) -> list[Shape]:
    """Return shapes in the layer over everything."""
    return [shape._replace(layer=OVER) for shape in shapes]
