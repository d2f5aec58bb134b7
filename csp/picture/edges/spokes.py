"""The edges of constraint nodes: one spoke to each variable of the constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import Model
from ..layout.layout import Placement
from ..layout.nodes import ConstraintNode
from .edges import Edge, look, straight


def spokes(model: Model, layout: Placement, nodes: Iterable[ConstraintNode]) -> Iterator[Edge]:
    """Yield straight edges from each constraint node to its variables.

    Quiet nodes, and nodes of constraints on a crowded grid, have none.
    """
    for node in nodes:
        if not node.quiet and not layout.shows_no_edges(model.constraints[node.number].scope):
            yield from node_spokes(model, layout, node)


def node_spokes(model: Model, layout: Placement, node: ConstraintNode) -> Iterator[Edge]:
    """Yield the edges of one constraint node, from its border to its variables."""
    constraint = model.constraints[node.number]
    for v in constraint.scope:
        (x, y), (p, q) = node.point, layout.points[v]
        # Leave the middle of the node along the spoke until its border.
        share = min([1.0, *(node.size[i] / 2 / abs(d) for i, d in enumerate((p - x, q - y)) if d)])
        start = x + (p - x) * share, y + (q - y) * share
        yield Edge(f"group {node.number}", v, straight(start, (p, q)), look(constraint), (node.number,))
