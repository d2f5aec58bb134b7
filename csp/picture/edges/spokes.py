"""The edges of the vertices of constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import Model
from ..layout.layout import Placement
from ..layout.nodes import ConstraintNode
from .edges import Edge, look, straight


def spokes(model: Model, picture: Placement, chips: Iterable[ConstraintNode]) -> Iterator[Edge]:
    """From each vertex of a constraint to its variables, straight, behind whatever is between.

    Those that show only at work have none, and neither have those beside a crowded grid.
    """
    for chip in chips:
        if not chip.quiet and not picture.shows_no_edges(model.constraints[chip.number].scope):
            yield from spokes_of(model, picture, chip)


def spokes_of(model: Model, picture: Placement, chip: ConstraintNode) -> Iterator[Edge]:
    """Those of one vertex, from its border."""
    constraint = model.constraints[chip.number]
    for v in constraint.scope:
        (x, y), (p, q) = chip.point, picture.points[v]
        share = min([1.0, *(chip.size[i] / 2 / abs(d) for i, d in enumerate((p - x, q - y)) if d)])
        start = x + (p - x) * share, y + (q - y) * share
        yield Edge(f"group {chip.number}", v, straight(start, (p, q)), look(constraint), (chip.number,))
