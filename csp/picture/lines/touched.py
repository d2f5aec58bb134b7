"""Signs of helpers, the variables that are not drawn, at their places.

``scripts/helpers.js`` of the page writes the same signs by the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import copysign
from typing import NamedTuple

from ...base.frozen import Frozen
from ...board.areas import outline
from ...model import Candidate, Model, Value, Variable
from ..edges import Box
from ..helpers import MAX_CELLS, Helpers
from ..layout.clues import label_place
from ..layout.drawings import Geometry
from ..layout.forms import CELL
from ..layout.layout import Placement
from ..layout.slots import EntrySlots, find_slots
from ..scene import Scene
from ..shapes import LETTER, OVER, Point, Shape, bounding_box, box, line, shared_area, text

MAX_VALUES = 8
"""Maximum number of remaining values of a helper whose places are shown; more would distinguish nothing."""
MAX_FRAMES = 8
"""Maximum number of frames of one kind in one picture; beyond it each place shows a number."""
MAX_LEFT = 3
"""Maximum number of helpers whose remaining places a step shows."""
FEW = 2
"""Removed values up to this number are spelt out at one place; more are counted."""
INSIDE, AROUND = 8.0, 4.0
"""Points by which a frame is smaller than a cell: the frame of a changed helper, and that of a cause around it."""
APART, NESTED = 5.0, 4
"""Distance in points of the sides of frames that overlap, and the number of such distances."""
SMALL, LARGE, TINY = 12.0, 17.0, 9.0
"""The sizes of the font of a value of a helper, of a number whose place is found, and of one that acted, in points."""
WIDE = 72.0
"""Maximum width of the removed values at one place; wider ones are counted."""
PAIR = re.compile(r"(-?\d+),(-?\d+)")
"""The row and the column of a cell in a label."""
CROSS, SMALL_CROSS = 7.0, 4.0
"""Half the side of the cross on a frame, and on the frame of one vertex, in points."""
NEAR = 1.5 * CELL
"""Maximum distance of the middles of neighbours that share a frame, in points."""
SIDE = 8.0
"""The side of the box on the border of the board for a variable beyond it, in points."""
MAX_JOINED = 9
"""Maximum number of squares of a helper that a frame joins."""

Contour = tuple[Point, ...]
"""A box, or the corners of an outline from its upper left corner, with the inside to the right."""


class HelperPlace(NamedTuple):
    """The vertices or squares of a helper's value, and its text.

    The text is empty if the value means nothing to a reader, such as the 0 or 1 of a truth value. ``is_above`` places
    it at the upper border. ``by`` are the numbers whose places excluded it.
    """

    boxes: tuple[Box, ...]
    label: str = ""
    is_above: bool = False
    is_number: bool = False
    by: tuple[str, ...] = ()

    @property
    def anchor(self) -> Point:
        """The left end of the signs, at a border of the vertex.

        The middle of signs that are centred.
        """
        (x, y), (width, height) = self.frames[0] if self.is_centred else self.boxes[0]
        start = x if self.is_centred else x - width / 2 + 3
        return round(start, 1), round(y - height / 2 + 9 if self.is_above else y + height / 2 + 2, 1)

    @property
    def is_centred(self) -> bool:
        """Whether the signs are centred, because they are about several vertices in one box."""
        return len(self.frames) == 1 < len(self.boxes) and len(self.frames[0]) == 2

    @property
    def frames(self) -> tuple[Contour, ...]:
        """The boxes, or one frame around them if they are connected.

        Examples
        --------
        >>> square = (60, 60)
        >>> HelperPlace((((0, 0), square), ((70, 0), square))).frames
        (((35.0, 0.0), (130.0, 60.0)),)
        >>> HelperPlace((((0, 0), square), ((70, 0), square), ((70, 70), square))).frames
        (((-30.0, -30.0), (100.0, -30.0), (100.0, 100.0), (40.0, 100.0), (40.0, 30.0), (-30.0, 30.0)),)
        """
        sizes = {size for _, size in self.boxes}
        columns, rows = ([*_positions(box[0][axis] for box in self.boxes)] for axis in (0, 1))
        squares = {Variable("square", i): place for i, place in enumerate(zip(rows, columns, strict=True))}
        paths = outline([*squares.values()]) if len(sizes) == 1 else []
        if len(paths) == 1 and len(paths[0]) == 4:
            (left, top), (right, bottom) = bounding_box(box("", *own) for own in self.boxes)
            return ((((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)),)
        if len(paths) == 1 and sizes == {(CELL, CELL)}:
            points = {v: middle for v, (middle, _) in zip(squares, self.boxes, strict=True)}
            return (tuple(Geometry(squares, points).closed_line(paths[0], 0)[:-1]),)
        return self.boxes


class Touched(Frozen):
    """The places of a picture that helpers are about.

    Attributes
    ----------
    model : Model
    layout : Placement
    helpers : Helpers
    """

    model: Model
    layout: Placement
    helpers: Helpers

    def place(self, helper: Variable, value: Value) -> HelperPlace | None:
        """Return the place of a helper's value; without one, the picture cannot show it.

        Examples
        --------
        >>> from ..helpers import find_helpers
        >>> from ..layout.layout import layout
        >>> model = Model({"a": (1, 2), "b": (1, 2)})
        >>> touched = Touched(model, layout(model), Helpers({"b": ("a",)}, {}, {"b": {1: ("a", 2)}}))
        >>> touched.place("b", 1).label, touched.place("b", 2)
        ('2', None)
        """
        if helper in self.helpers.images:
            image = self.helpers.images[helper].get(value)
            if image is None:
                return None
            form = self.layout.forms[image[0]]
            return HelperPlace((self._box(image[0]),), str(image[1]), form.style == "size" and not form.corner, True)
        if helper in self._own_places:
            own = tuple(self._own_places[helper])
            is_number = len(own) == 1 and len(self.model.domains[helper]) > 2
            return HelperPlace(own, str(value) if is_number else "", is_number)
        if helper in self._slots and value in self._slots[helper].boxes:
            return HelperPlace((self._slots[helper].boxes[value],), self._slots[helper].label, is_above=True)
        cells = self.helpers.cells.get(helper, ())
        if helper in self.helpers.outside:
            return self._border_place(helper, cells[0]) if cells else None
        if not 0 < len(cells) <= MAX_CELLS:
            cells = self._labelled_cells.get(helper, cells)
        if not 0 < len(cells) <= MAX_JOINED:
            return None
        label = self.helpers.show_tuple(helper, value).replace(" ", "")
        place = HelperPlace(tuple(map(self._box, cells)), label)
        return place if len(cells) <= MAX_CELLS or len(place.frames) == 1 else None

    def _box(self, v: Variable) -> Box:
        """Return the box of a vertex."""
        return self.layout.points[v], self.layout.size(v)

    def _border_place(self, outside: Variable, cell: Variable) -> HelperPlace | None:
        """Return the place where a variable beyond the border touches a cell.

        Only variables with a row and a column have one.
        """
        if len(outside.indices) != 2:
            return None
        (x, y), (width, height) = self._box(cell)
        down, right = (0 if a == b else int(a) - int(b) for a, b in zip(outside.indices, cell.indices, strict=True))
        return HelperPlace((((x + right * width / 2, y + down * height / 2), (SIDE, SIDE)),))

    def place_in(self, scene: Scene, helper: Variable, value: Value) -> HelperPlace | None:
        """Return the place of a helper's value in a scene.

        In a summary, variables beyond the border have none.
        """
        return None if scene.summary and helper in self.helpers.outside else self.place(helper, value)

    @cached_property
    def family(self) -> str:
        """The name of the only family of helpers; empty if there are several."""
        families = {v.family for v in self.model.domains if v in self.helpers.cells and v.family.isidentifier()}
        return families.pop() if len(families) == 1 else ""

    def unseen(self, scene: Scene) -> list[Candidate]:
        """Return the removed values of helpers that have no sign in the scene's picture."""
        return [
            (v, value)
            for v, value in scene.removed
            if v in self.helpers.cells and self.place_in(scene, v, value) is None
        ]

    def signs(self, scene: Scene) -> Iterator[Shape]:
        """Yield the signs of the removed, remaining and found values of helpers.

        Removed values are struck out at their places, or counted. Values that mean nothing to a reader have frames, or
        numbers if they are many. A helper that says where a value is shows the place that it found, and in a step its
        few remaining places. The causes of a step have frames, too. A failure shows only its causes.

        Examples
        --------
        >>> from ..layout.layout import layout
        >>> model = Model({"a": (1, 2), "b": (1, 2)})
        >>> touched = Touched(model, layout(model), Helpers({"b": ("a",)}, {}, {"b": {1: ("a", 2)}}))
        >>> scene = Scene(title="", domains=model.domains, removed=((Variable("b"), 1),))
        >>> [(shape.look, shape.text) for shape in touched.signs(scene)]
        [('spot-lost number', ''), ('spot-lost number', '2'), ('strike', '')]
        """
        yield from self.cause_signs(scene)
        if scene.failure is not None:
            return
        lost = self._lost(scene)
        frames: list[tuple[str, Contour]] = []
        for v, value, place in lost:
            look = ("held" if value == 0 else "refused") if self.is_truth(v) else "touched"
            # In a step, a frame shows the place of a printed expression, whose text has changed.
            is_framed = not place.label or (v in self._own_places and not scene.summary)
            frames += ((look, around) for around in place.frames if is_framed)
        frames = _agreeing(frames)
        are_framed = len(frames) <= MAX_FRAMES
        # Collect the texts at each place: found values, remaining values, removed ones.
        rows: dict[Point, dict[str, list[HelperPlace]]] = {}
        found, left = self._found_and_left(scene, dict.fromkeys(v for v, _, _ in lost))
        acted = self._numbers_that_acted(scene)
        shown_places = (
            [place._replace(by=acted.get((v, value), ())) for v, value, place in lost]
            if scene.summary
            else _merge_runs(lost)
        )
        labelled = [place for place in shown_places if place.label]
        others = (
            []
            if are_framed
            else [HelperPlace((own,)) for _, _, place in lost if not place.label for own in place.boxes]
        )
        for look, places in (("spot-found", found), ("spot-left", left), ("spot-lost", [*labelled, *others])):
            for place in places:
                rows.setdefault(place.anchor, {}).setdefault(look, []).append(place)
        yield from _frame_shapes(frames if are_framed else ())
        for anchor, row in rows.items():
            yield from _row_shapes(anchor, row)

    def _numbers_that_acted(self, scene: Scene) -> dict[Candidate, tuple[str, ...]]:
        """Return the numbers whose places removed each value in a summary, as texts."""
        acted: dict[Candidate, tuple[str, ...]] = {}
        for _, causes, removed in scene.losses if scene.summary else ():
            numbers = [self.helpers.number_of(v) for v in causes]
            acted |= dict.fromkeys(removed, tuple(dict.fromkeys(numbers)) if all(numbers) else ())
        return acted

    def _lost(self, scene: Scene) -> list[tuple[Variable, Value, HelperPlace]]:
        """Return the values that helpers lost, with their places."""
        return [
            (v, value, place)
            for v, value in scene.removed
            if v in self.helpers.cells and (place := self.place_in(scene, v, value))
        ]

    def _found_and_left(
        self, scene: Scene, changed: Collection[Variable]
    ) -> tuple[list[HelperPlace], list[HelperPlace]]:
        """Return the places that helpers have found, and those left in a step.

        The latter are places of the ``changed`` helpers.
        """
        placing = map(Variable, dict.fromkeys([*self.helpers.images, *self.helpers.tuples]))
        # Drawn variables with this value show it already.
        found = [
            place
            for v in placing
            if len(scene.domains[v]) == 1 < len(self.model.domains[v])
            and any(self._is_open(part, scene) for part, _ in self.helpers.needs((v, scene.domains[v][0])))
            and (place := self.place(v, scene.domains[v][0]))
        ]
        images = {
            v: [
                place
                for value in scene.domains[v]
                if all(self._is_open(part, scene) for part, _ in self.helpers.needs((v, value)))
                and (place := self.place(v, value))
            ]
            for v in changed
            if v in self.helpers.images
        }
        is_step = not scene.summary and len(images) <= MAX_LEFT
        few = [places for places in images.values() if is_step and 1 < len(places) <= MAX_VALUES]
        return found, [place for places in few for place in places]

    def _is_open(self, v: Variable, scene: Scene) -> bool:
        """Return whether a drawn variable lists several values."""
        return len(self.helpers.list_values(v, scene.domains)) > 1

    def cause_signs(self, scene: Scene) -> Iterator[Shape]:
        """Yield frames at the few helpers that acted in a step; a summary has none.

        A failure also shows the remaining places of these helpers.
        """
        acted = [] if scene.summary else [v for v in scene.causes if v in self.helpers.cells and self._is_named(v)]
        few = [(v, value) for v in acted if len(scene.domains[v]) <= MAX_VALUES for value in scene.domains[v]]
        placed = [(v, place) for v, value in few if (place := self.place(v, value))]
        # Truth values of one kind in a step hold or are ruled out.
        frames = _agreeing((self._cause_look(v, scene), around) for v, place in placed for around in place.frames)
        yield from _frame_shapes(frames if len(frames) <= MAX_FRAMES else ())
        rows: dict[Point, list[HelperPlace]] = {}
        for _, place in placed:
            if place.is_number and scene.failure is not None and len(frames) <= MAX_FRAMES:
                rows.setdefault(place.anchor, []).append(place)
        for anchor, row in rows.items():
            yield from _row_shapes(anchor, {"spot-left": row})

    def _cause_look(self, helper: Variable, scene: Scene) -> str:
        """Return the look of the frame of a helper that acted."""
        domain = scene.domains[helper]
        is_decided = self.is_truth(helper) and len(domain) == 1
        return ("held-cause" if domain[0] else "refused-cause") if is_decided else "touched-cause"

    def is_truth(self, helper: Variable) -> bool:
        """Return whether a helper of the spec on the board has a truth value.

        Others have none: the legend would say of another variable in their place that it is ruled out or holds.

        Examples
        --------
        >>> from ..layout.layout import layout
        >>> model = Model({Variable("b", 1): (0, 1), Variable("b(1) = 1 and c = 2"): (0, 1)})
        >>> [Touched(model, layout(model), Helpers({}, {}, {})).is_truth(v) for v in model.domains]
        [True, False]
        """
        is_named = helper.family.isidentifier() and helper not in self.helpers.outside
        return is_named and {*self.model.domains[helper]} == {0, 1}

    def _is_named(self, helper: Variable) -> bool:
        """Return whether a caption names the place of a helper: other helpers have too many."""
        return helper in self.helpers.images or helper in self._own_places or " " in helper

    @cached_property
    def _labelled_cells(self) -> Mapping[str, tuple[Variable, ...]]:
        """The cells of helpers of many cells that their indices and their labels name."""
        cell_at = {v.indices: v for v in reversed([*self.layout.points]) if self.layout.is_cell(v)}
        found: dict[str, dict[Variable, None]] = {}
        far = {v for v, cells in self.helpers.cells.items() if not 0 < len(cells) <= MAX_CELLS}
        for constraint in self.model.constraints if far else ():
            named = {(int(r), int(c)) for r, c in PAIR.findall(constraint.label)}
            for v in (v for v in constraint.scope if named and v in far):
                cells = [cell_at[pair] for pair in pairwise(v.indices) if pair in named and pair in cell_at]
                found.setdefault(v, {}).update(dict.fromkeys(cells))
        return {v: tuple(cells) for v, cells in found.items() if len(cells) == 1}

    @cached_property
    def _slots(self) -> Mapping[str, EntrySlots]:
        """The slots of helpers in sheets."""
        return {slots.helper: slots for slots in find_slots(self.layout, self.helpers.tuples).values()}

    @cached_property
    def _own_places(self) -> Mapping[str, Mapping[Box, None]]:
        """The places of helpers in a layout of the spec.

        The spec prints the value of an expression there, or the label of a constraint on the helper names the place.
        """
        own_places: dict[str, dict[Box, None]] = {}
        size = self.layout.slip
        point_at: dict[tuple[object, ...], Point] = {v.indices: point for v, point in self.layout.slips.items()}
        for entry in (entry for sheet in self.layout.sheets for entry in sheet.entries):
            if str(entry.value) in self.helpers.cells and entry.indices in point_at:
                own_places.setdefault(str(entry.value), {})[point_at[entry.indices], size] = None
        unrelated = {v for v, cells in self.helpers.cells.items() if not cells and v not in own_places}
        for constraint in self.model.constraints if unrelated else ():
            if (indices := label_place(constraint)) in point_at:
                for v in unrelated.intersection(constraint.scope):
                    own_places.setdefault(v, {})[point_at[indices], size] = None
        return own_places


def _merge_runs(lost: Iterable[tuple[Variable, Value, HelperPlace]]) -> list[HelperPlace]:
    """Return the places of removed values; consecutive numbers at one place become a range.

    Examples
    --------
    >>> places = [(Variable("gap"), n, HelperPlace((((0, 0), (60, 60)),), str(n))) for n in (1, 2, 3, 7)]
    >>> [place.label for place in _merge_runs(places)]
    ['1..3', '7']
    """
    runs: list[list[HelperPlace]] = []
    last: tuple[Variable | None, Value] = None, 0
    for v, value, place in lost:
        is_number = isinstance(value, int) and place.label == str(value)
        if is_number and last == (v, int(value) - 1):
            runs[-1].append(place)
        else:
            runs.append([place])
        last = v if is_number else None, value
    labels = (run[0].label if len(run) == 1 else f"{run[0].label}..{run[-1].label}" for run in runs)
    return [run[0]._replace(label=label) for run, label in zip(runs, labels, strict=True)]


def _agreeing(frames: Iterable[tuple[str, Contour]]) -> list[tuple[str, Contour]]:
    """Return each frame once in each look.

    Where one helper holds and another is ruled out, it says neither.

    Examples
    --------
    >>> square, other = ((0, 0), (60, 60)), ((70, 0), (60, 60))
    >>> [look for look, _ in _agreeing([("held", square), ("refused", square), ("held", other), ("held", other)])]
    ['touched', 'held']
    """
    looks: dict[Contour, dict[str, None]] = {}
    for look, frame in frames:
        looks.setdefault(frame, {})[look] = None
    for own_looks in looks.values():
        for suffix in ("", "-cause"):
            if own_looks.keys() >= {f"held{suffix}", f"refused{suffix}"}:
                own_looks |= {f"touched{suffix}": None}
                del own_looks[f"held{suffix}"], own_looks[f"refused{suffix}"]
    return [(look, frame) for frame, own_looks in looks.items() for look in own_looks]


def _positions(coordinates: Iterable[float]) -> Iterator[int]:
    """Yield a number for each coordinate; only neighbours have consecutive numbers."""
    values = [*coordinates]
    ordered_values = sorted({*values})
    gaps = [1 if after - before <= NEAR else 2 for before, after in pairwise(ordered_values)]
    numbers = dict(zip(ordered_values, accumulate(gaps, initial=0), strict=True))
    yield from (numbers[value] for value in values)


def _frame_shapes(frames: Iterable[tuple[str, Contour]]) -> Iterator[Shape]:
    """Yield a frame in each look around each box or outline."""
    placed: list[tuple[Box, int]] = []
    for look, frame in sorted(frames, key=lambda frame: frame[::-1]):
        around = frame if len(frame) == 2 else _surround(frame)
        # Of overlapping frames each has sides of its own.
        used = {rank for other, rank in placed if shared_area(around, other) > 0}
        rank = next((rank for rank in range(NESTED) if rank not in used), 0)
        placed.append((around, rank))
        (middle, (width, height)), margin = around, AROUND if look.endswith("-cause") else INSIDE
        inside = (margin if min(width, height) >= CELL else -margin) + 2 * APART * rank
        if len(frame) == 2:
            x, top = middle[0], middle[1] - (height - inside) / 2
            yield box(look, middle, (width - inside, height - inside), corner=5)._replace(layer=OVER)
        else:
            corners = [*_inset(frame, inside / 2)]
            x, top = (corners[0][0] + corners[1][0]) / 2, corners[0][1]
            yield line(look, *corners, corners[0])._replace(layer=OVER)
        # A cross on the upper side, clear of clues, says that a value is ruled out.
        if look == "refused":
            size = CROSS if max(width, height) > CELL else SMALL_CROSS
            yield line("cross", (x - size, top - size), (x + size, top + size))._replace(layer=OVER)
            yield line("cross", (x - size, top + size), (x + size, top - size))._replace(layer=OVER)


def _surround(corners: Contour) -> Box:
    """Return the box around an outline."""
    (left, top), (right, bottom) = bounding_box([line("", *corners)])
    return ((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)


def _inset(corners: Contour, by: float) -> Iterator[Point]:
    """Yield the corners of an outline that is smaller by a distance on all sides.

    Examples
    --------
    >>> [*_inset(((0, 0), (9, 0), (9, 9), (0, 9)), 2)]
    [(2.0, 2.0), (7.0, 2.0), (7.0, 7.0), (2.0, 7.0)]
    """
    for (p, q), (x, y), (s, t) in zip((corners[-1], *corners), corners, (*corners[1:], corners[0]), strict=False):
        # One of the sides at a corner is level, the other one upright.
        yield x - copysign(by, t - q), y + copysign(by, s - p)


def _row_shapes(anchor: Point, row: Mapping[str, Sequence[HelperPlace]]) -> Iterator[Shape]:
    """Yield the texts of one place; removed values are struck out, or counted."""
    x, y = anchor
    texts = [(look, place) for look, places in row.items() for place in places]
    lost = row.get("spot-lost", ())
    by = tuple(dict.fromkeys(number for place in lost for number in place.by))
    spelt = [part for place in lost for part in _parts("spot-lost", place)]
    is_wide = bool(by) and sum(_width(*part) for part in spelt) > WIDE
    if len(lost) > FEW or is_wide or not all(place.label for place in lost):
        is_told = len(by) <= FEW and all(place.by for place in lost)
        count = lost[0]._replace(label=f"−{len(lost)}", by=by if is_told else ())
        texts = [(look, place) for look, place in texts if look != "spot-lost"] + [("spot-count", count)]
    texts = [part for look, place in texts for part in _parts(look, place)]
    sizes = [_size(*part) for part in texts]
    widths = [_width(*part) for part in texts]
    x -= (sum(widths) + 2 * (len(widths) - 1)) / 2 if texts[0][1].is_centred else 0
    for (look, place), size, width in zip(texts, sizes, widths, strict=True):
        middle = x + width / 2, round(y + (size - SMALL) / 2, 1)
        words = f"{look} number" if place.is_number else look
        shapes = [box(words, middle, (width, size + 2), corner=2), text(_words(look, place), words, middle, size)]
        if look == "spot-lost":
            shapes.append(line("strike", (x, y), (x + width, y)))
        yield from (shape._replace(layer=OVER) for shape in shapes)
        x += width + 2


def _parts(look: str, place: HelperPlace) -> list[tuple[str, HelperPlace]]:
    """Return a sign's parts; on the right are the numbers that acted."""
    return [(look, place), *([("spot-by", place)] if place.by else [])]


def _words(look: str, place: HelperPlace) -> str:
    """Return a sign's text, a label or the numbers that acted."""
    return f"←{' '.join(place.by)}" if look == "spot-by" else place.label


def _size(look: str, place: HelperPlace) -> float:
    """Return the size of a sign's font."""
    return TINY if look == "spot-by" else LARGE if look == "spot-found" and place.is_number else SMALL


def _width(look: str, place: HelperPlace) -> float:
    """Return the width of a sign."""
    margin = 1 if look == "spot-by" else 5
    return round(len(_words(look, place)) * _size(look, place) * LETTER + margin, 1)
