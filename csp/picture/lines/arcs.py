"""Edges beside a board: arcs between its lines, or edges to constraint nodes.

Lines of a board touch each other, so that no edge fits between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from ...model import Model, Variable
from ..edges import Curve, Edge, look, straight
from ..layout.forms import LINES
from ..layout.layout import Placement
from ..layout.nodes import ConstraintNode
from ..layout.spots import room_beside
from ..shapes import Point

MAX_ARCS = 150
"""Maximum number of arcs beside the boards of a picture; more would not be distinguishable."""
DEPTH, SHARE, POWER = 130.0, 0.35, 0.6
"""Maximum depth of an arc, in points and as a share of the distance of the farthest lines; and the growth of the depth
with the distance of its ends."""
MIN_DEPTH = 30.0
"""Minimum room for arcs beside a board, in points."""
PORT = 0.12
"""Distance of the ends of arcs to both sides, as a share of the width of a line."""
PORTS = 0.7
"""The part of the width of a line at which the edges of buses end, as a share."""
BEND = 10.0
"""The radius of the bend between such an edge and its bus, in points."""


def board_arcs(model: Model, layout: Placement, numbers: Iterable[int]) -> list[Edge]:
    """Return an arc for each two lines of a board that share a constraint.

    Only the constraints in ``numbers`` count. Without such constraints, or with too many arcs, the list is empty.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from ..layout.layout import layout
    >>> queens = [Variable("queen", c) for c in range(1, 5)]
    >>> model = Model(dict.fromkeys(queens, (1, 2, 3, 4)), [AllDifferent.of(queens)])
    >>> arcs = board_arcs(model, layout(model), [0])
    >>> len(arcs), arcs[0].start, arcs[0].end
    (6, 'queen(1)', 'queen(2)')
    """
    place = {v: i for i, v in enumerate(model.domains)}
    shared: dict[tuple[Variable, Variable], list[int]] = {}
    for number in numbers:
        scope = sorted(model.constraints[number].scope, key=place.__getitem__)
        for pair in combinations(scope, 2) if is_on_board(layout, scope) else ():
            shared.setdefault(pair, []).append(number)
    if len(shared) > MAX_ARCS:
        return []
    shared = {pair: members for pair, members in shared.items() if room_beside(layout, pair[0]) >= MIN_DEPTH}
    spans = {pair: _span(layout, *pair) for pair in shared}
    farthest = max(spans.values(), default=0)
    arcs = []
    for pair, members in sorted(shared.items(), key=lambda item: (place[item[0][0]], place[item[0][1]])):
        depth = min(DEPTH, SHARE * farthest, room_beside(layout, pair[0])) * (spans[pair] / farthest) ** POWER
        is_plain = any(look(model.constraints[number]) == "plain" for number in members)
        arcs.append(Edge(*pair, _arc(layout, *pair, depth), "plain" if is_plain else "dashed", tuple(members)))
    return arcs


def is_on_board(layout: Placement, scope: Iterable[Variable]) -> bool:
    """Return whether all variables are lines of a board in one direction."""
    kinds = {layout.forms[v].kind for v in scope}
    return len(kinds) == 1 and kinds <= LINES


def board_spokes(model: Model, layout: Placement, nodes: Iterable[ConstraintNode]) -> Iterator[Edge]:
    """Yield an edge from each node beside a board to each of its lines.

    A node at the corner has a bus: its edges run along one line, and each turns towards its variable. Other edges are
    straight.
    """
    scopes = {node: model.constraints[node.number].scope for node in nodes if not node.quiet}
    beside = {node: scope for node, scope in scopes.items() if is_on_board(layout, scope)}
    beside = {node: scope for node, scope in beside.items() if _faces(layout, node, scope[0])}
    degrees = Counter(v for scope in beside.values() for v in scope)
    # The bus that is nearest to the board has the last port of each line, so that no other edge crosses its bends.
    ranks = Counter[Variable]()
    for node, scope in reversed(beside.items()):
        has_bus = _is_at_the_corner(layout, node, scope)
        for v in scope:
            ranks[v] += 1
            port = PORTS * (ranks[v] / (degrees[v] + 1) - 0.5)
            curve = _branch(layout, node, v, port) if has_bus else straight(_start(layout, node, v), _border(layout, v))
            yield Edge(f"group {node.number}", v, curve, look(model.constraints[node.number]), (node.number,))


def _start(layout: Placement, node: ConstraintNode, v: Variable) -> Point:
    """Return the point of a node at which its straight edges begin: left or above."""
    (x, y), (width, height) = node.point, node.size
    return (x - width / 2, y) if _is_down(layout, v) else (x, y - height / 2)


def _is_at_the_corner(layout: Placement, node: ConstraintNode, scope: Sequence[Variable]) -> bool:
    """Return whether a node is also beyond the last line of its board."""
    along = 1 if _is_down(layout, scope[0]) else 0
    last = max(layout.points[v][along] + layout.size(v)[along] / 2 for v in scope)
    return node.point[along] - node.size[along] / 2 > last


def _branch(layout: Placement, node: ConstraintNode, v: Variable, port: float) -> tuple[Point, ...]:
    """Return the curve from a node along its bus to a line.

    A port is a distance from the middle of the line, as a share of its width.
    """
    is_down = _is_down(layout, v)
    along, across = (1, 0) if is_down else (0, 1)
    start, level = node.point[along] - node.size[along] / 2, node.point[across]
    level = level - node.size[0] / 2 + BEND if is_down else level
    end = _border(layout, v)
    stop = end[along] + port * layout.size(v)[along]
    # In coordinates along and across: a line, a quarter of a circle, and a line.
    bend = (stop + BEND, level), (stop + BEND / 2, level), (stop, level - BEND / 2), (stop, level - BEND)
    points = (*straight((start, level), bend[0]), *bend[1:], *straight(bend[-1], (stop, end[across]))[1:])
    return tuple((b, a) if is_down else (a, b) for a, b in points)


def _faces(layout: Placement, node: ConstraintNode, v: Variable) -> bool:
    """Return whether a node is on the side of a board that has edges."""
    across = 0 if _is_down(layout, v) else 1
    return node.point[across] - node.size[across] / 2 > _border(layout, v)[across]


def _is_down(layout: Placement, v: Variable) -> bool:
    """Return whether a board has rows, so that edges are on its right."""
    return layout.forms[v].kind == "row"


def _border(layout: Placement, v: Variable) -> Point:
    """Return the point of a line at which its edges end: right or below."""
    (x, y), (width, height) = layout.points[v], layout.size(v)
    return (x + width / 2, y) if _is_down(layout, v) else (x, y + height / 2)


def _span(layout: Placement, first: Variable, second: Variable) -> float:
    """Return the distance of two lines of a board."""
    (x, y), (p, q) = layout.points[first], layout.points[second]
    return abs(p - x) + abs(q - y)


def _arc(layout: Placement, first: Variable, second: Variable, depth: float) -> Curve:
    """Return an arc of some depth between two lines of a board.

    It begins and ends beside the middles, towards the other line, so that arcs to both sides are distinguishable.
    """
    is_down = _is_down(layout, first)
    along, across = (1, 0) if is_down else (0, 1)
    start, end = _border(layout, first), _border(layout, second)
    port = PORT * layout.size(first)[along] * (1 if end[along] > start[along] else -1)
    level = max(start[across], end[across])
    ends = start[along] + port, end[along] - port
    # The control points of a cubic curve are a third farther than its middle.
    points = ((ends[0], start[across]), (ends[0], level + depth / 0.75), (ends[1], level + depth / 0.75))
    first_point, second_point, third_point, last_point = (
        (b, a) if is_down else (a, b) for a, b in (*points, (ends[1], end[across]))
    )
    return first_point, second_point, third_point, last_point
