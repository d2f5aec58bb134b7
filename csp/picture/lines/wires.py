"""Wires of a factor graph on a crowded grid, along rows and columns.

A wire has a dot at each cause and an arrowhead at each removed value. A pale lead joins it to the node of a constraint.
Wires along columns have a colour of their own, as they cross those along rows.
``scripts/wires.js`` of the page draws the same wires by the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...base.frozen import Frozen
from ...model import Candidate, Model, Value, Variable
from ..edges import Box
from ..layout.drawings import Geometry
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import OVER, Point, Shape, disc, line, pill, text
from .arrows import MANY, is_countable

TURN = 5.0
"""Distance of the turn of a wire from its node, in points."""
MIDDLE = 0.5
"""Maximum distance of a value in the middle of its cell from the middle, as a share of its place."""
TIP = 3.0
"""Points by which an arrowhead enters the place of a value."""
LOW = 20.0
"""Maximum height of a node that has its count beside it, in points."""
DOT, LABELLED = 7.0, 13.0
"""The diameter of the dot at a cause, in points; and of a dot with a value."""
DIGIT = 10.0
"""The size of the value in a dot."""


class Anchor(NamedTuple):
    """The place where wires begin: the node of a constraint, or its clue.

    Attributes
    ----------
    node : Box
        The middle and the size of the node.
    along : int
        The axis of the row (0) or column (1) whose end the node is beyond. Other constraints, with -1, have no wires,
        but their nodes show counts.
    level : float
        The coordinate of the middles of the cells, across the line.
    reach : float
        The distance of the wires from the level.
    forward : int
        The direction from the cells to the node: 1 or -1.
    """

    node: Box
    along: int = -1
    level: float = 0
    reach: float = 0
    forward: int = 0


def find_anchors(model: Model, layout: Placement, nodes: Mapping[int, Box]) -> dict[int, Anchor]:
    """Return the anchor of each constraint, given the places of nodes and clues.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from ..layout.layout import layout
    >>> row = [Variable("x", 1, c) for c in (1, 2, 3)]
    >>> model = Model(dict.fromkeys(row, (1, 2, 3)), [AllDifferent.of(row)])
    >>> find_anchors(model, layout(model, crowded=True), {0: ((200, 0), (60, 28))})[0][1:]
    (0, 0.0, 35.333333333333336, 1)
    """
    seam_of_grid = [(puzzle.grid, Geometry(puzzle.grid, layout.points).seam) for puzzle in layout.puzzles]
    seams = {v: seam for grid, seam in seam_of_grid for v in grid}
    anchors: dict[int, Anchor] = {}
    for number, node in nodes.items():
        scope = model.constraints[number].scope
        anchors[number] = Anchor(node)
        for along, across in ((0, 1), (1, 0)):
            ends, levels = ([layout.points[v][axis] for v in scope] for axis in (along, across))
            half = layout.size(scope[0])[across] / 2
            is_line = max(levels) - min(levels) < 1 and abs(node[0][across] - levels[0]) < half
            if is_line and not min(ends) <= node[0][along] <= max(ends):
                forward = 1 if node[0][along] > ends[0] else -1
                anchors[number] = Anchor(node, along, levels[0], half + seams[scope[0]] / 3, forward)
    return anchors


class Wires(Frozen):
    """The wires of the pictures of one layout.

    Attributes
    ----------
    layout : Placement
    anchors : mapping of int to Anchor
        The places where wires begin, by the number of the constraint.
    """

    layout: Placement
    anchors: Mapping[int, Anchor]

    def carried(self, scene: Scene) -> frozenset[int]:
        """Return the constraints whose removals ``shapes`` shows, so that they need no arrows.

        With more arrowheads than cells these are all constraints with an anchor, and only counts are shown.
        """
        if scene.failure is not None:
            return frozenset()
        is_full = self._is_full(scene)
        numbers = {loss.number for loss in scene.losses if loss.number in self.anchors}
        return frozenset(n for n in numbers if n is not None and (is_full or self.anchors[n].along >= 0))

    def shapes(self, scene: Scene) -> Iterator[Shape]:
        """Yield the wires of a scene; with too many, counts at the nodes.

        Examples
        --------
        >>> from csp import AllDifferent
        >>> from ..layout.layout import layout
        >>> from ..scene import Loss
        >>> row = [Variable("x", 1, c) for c in (1, 2, 3)]
        >>> model = Model(dict.fromkeys(row, (1, 2, 3)), [AllDifferent.of(row)])
        >>> losses = (Loss(0, (row[2],), ((row[0], 1),)),)
        >>> scene = Scene(title="", domains=model.domains, removed=((row[0], 1),), losses=losses)
        >>> grid = layout(model, crowded=True)
        >>> anchors = find_anchors(model, grid, {0: ((200, 0), (60, 28))})
        >>> [shape.look for shape in Wires(grid, anchors).shapes(scene)]
        ['lead', 'wire', 'edge hit tap', 'source']
        """
        carried = sorted(self.carried(scene))
        if carried and self._is_full(scene):
            yield from self._counts(scene)
            return
        for number in carried:
            yield from self._wires(scene, number)

    def _is_full(self, scene: Scene) -> bool:
        """Return whether the arrowheads of all wires would be more than the cells."""
        heads = {(loss.number, v) for loss in scene.losses if loss.number in self.anchors for v, _ in loss.removed}
        return len(heads) > sum(map(self.layout.is_cell, self.layout.points))

    def _counts(self, scene: Scene) -> Iterator[Shape]:
        """Yield the number of values that each constraint removed, at its node."""
        counts: Counter[int] = Counter()
        for loss in scene.losses:
            if loss.number is not None and loss.number in self.anchors:
                counts[loss.number] += len(loss.removed)
        for number, count in sorted(counts.items()):
            (x, y), (width, height) = self.anchors[number].node
            # The count lies on the border of a high node, and beside a low one.
            place = (x, y + height / 2 + 4) if height > LOW else (x + width / 2 + 14, y)
            for shape in pill("sent", f"→×{count}", place):
                yield shape._replace(layer=OVER)

    def _wires(self, scene: Scene, number: int) -> Iterator[Shape]:
        """Yield the wires of one constraint, at most one on each side of its cells."""
        is_counted, anchor = len(scene.removed) > MANY, self.anchors[number]
        losses = [loss for loss in scene.losses if loss.number == number]
        # A value in the middle of its cell uses the wire of the others.
        sides = {candidate: self._side(anchor, candidate, is_counted) for loss in losses for candidate in loss.removed}
        common = next((side for side in sides.values() if side), -1)
        ranks = {candidate: (side != common) + (not side) for candidate, side in sides.items()}
        for side in (-1, 1):
            targets: dict[Candidate, None] = {}
            values_of: dict[Variable, dict[Value, None]] = {}
            for loss in losses:
                # The values that a cell lost at once share the head of the one that is nearest to the common wire.
                best_first = sorted(loss.removed, key=ranks.__getitem__)
                first_of = {c[0]: c for c in reversed(best_first)}
                served = [c for c in loss.removed if first_of[c[0]] == c and (sides[c] or common) == side]
                targets |= dict.fromkeys(served)
                # A dot shows the value of its cause if it is the removed one.
                for v in loss.causes if served else ():
                    removed = dict.fromkeys(value for _, value in loss.removed)
                    values_of.setdefault(v, {}).update(removed if scene.domains[v] == (*removed,) else {})
            if targets:
                yield from self._one_wire(anchor, side, number, [*targets], values_of, is_counted)

    def _one_wire(
        self, anchor: Anchor, side: int, number: int, targets: Sequence[Candidate],
        values_of: Mapping[Variable, Collection[Value]], is_counted: bool,
    ) -> Iterator[Shape]:  # fmt: skip
        """Yield a lead, a line between all stops, its arrowheads and its dots.

        The dot of a cause that removed its own value contains this value.
        """
        along, (middle, size) = anchor.along, anchor.node
        level, across = anchor.level + side * anchor.reach, 1 - along
        # Values of one cell share a head if the cell shows only their number.
        heads = list(dict.fromkeys(self._head(anchor, side, level, candidate, is_counted) for candidate in targets))
        dots = {v: self.layout.points[v][along] for v in values_of if min(self.layout.size(v))}
        # The lead runs from the node, which is outside of the cells, to the nearest stop.
        border = middle[along] - anchor.forward * size[along] / 2
        turn = border - anchor.forward * TURN
        nearest, *_, farthest = sorted(
            [curve[0][0] for curve in heads] + [*dots.values()], key=lambda stop: -anchor.forward * stop
        )
        corners = ((border, middle[across]), (turn, middle[across]), (turn, level), (nearest, level))
        lead, wire, head, dot = wire_looks(along)
        for look, points in ((lead, corners), (wire, ((nearest, level), (farthest, level)))):
            yield line(look, *(_point(along, at) for at in points), constraints=(number,))._replace(layer=OVER)
        for curve in heads:
            yield line(head, *(_point(along, at) for at in curve), constraints=(number,))._replace(layer=OVER)
        for v, stop in dots.items():
            place, words = _point(along, (stop, level)), self._dot_text(v, values_of[v])
            yield disc(dot, place, LABELLED if words else DOT, (number,))._replace(layer=OVER)
            if words:
                yield text(words, "source", place, DIGIT, (number,))._replace(layer=OVER)

    def _dot_text(self, v: Variable, values: Collection[Value]) -> str:
        """Return the value of a cause, if it fits into its dot."""
        form, words = self.layout.forms[v], "".join(map(str, values))
        return words if len(words) == 1 and form.style == "digits" and not form.skin else ""

    def _side(self, anchor: Anchor, candidate: Candidate, is_counted: bool) -> int:
        """Return the side of a value in its cell; 0 for the middle."""
        middle, size = self._place(candidate, is_counted)
        across = 1 - anchor.along
        offset = (middle[across] - anchor.level) / size[across]
        return 0 if abs(offset) <= MIDDLE else 1 if offset > 0 else -1

    def _place(self, candidate: Candidate, is_counted: bool) -> Box:
        """Return the box of a value; of the whole cell without texts."""
        v, value = candidate
        form = self.layout.forms[v]
        if form.style != "digits" or (is_counted and is_countable(form)):
            return self.layout.points[v], form.size
        return self.layout.square(v, value), form.slot

    def _head(
        self, anchor: Anchor, side: int, level: float, candidate: Candidate, is_counted: bool
    ) -> tuple[Point, Point, Point, Point]:
        """Return the curve from a wire to a value, in coordinates along and across.

        It is straight to a value beside the wire; to another value it passes between the values before it.
        """
        (middle, size), along, across = self._place(candidate, is_counted), anchor.along, 1 - anchor.along
        at, end = middle[along], middle[across] + side * (size[across] / 2 - TIP)
        if self._side(anchor, candidate, is_counted) == side or size == self.layout.size(candidate[0]):
            third = (end - level) / 3
            return (at, level), (at, level + third), (at, end - third), (at, end)
        start, near = at + anchor.forward * size[along] / 2, end + side * 2 * TIP
        return (start, level), (start, (level + near) / 2), (start, near), (start - anchor.forward * TIP, end)


def wire_looks(along: int) -> tuple[str, str, str, str]:
    """Return the looks of a wire's parts, along a row (0) or column (1).

    These are its lead, its line, its heads and its dots.
    """
    if along:
        return "lead upright-lead", "wire upright", "edge hit tap upright", "source upright-source"
    return "lead", "wire", "edge hit tap", "source"


def _point(along: int, at: Point) -> Point:
    """Return the point at coordinates along and across a row (0) or column (1)."""
    return at if along == 0 else (at[1], at[0])
