"""The factor lens: each constraint is a vertex joined to its variables."""

from __future__ import annotations

from collections.abc import Iterator

from ..edges import Box, spokes
from ..lines.arcs import board_spokes
from ..lines.spines import numbers_of_runs, numbers_with_signs, spines
from ..lines.wires import find_anchors
from ..shapes import Shape, text
from .lens import Drawing, Lens, LensChoice

DIFFER, SMALL = "≠", 13.0
"""The sign of a run whose cells must differ, and its font, in points."""
ASIDE = 17.0, 11.0
"""Distance of its middle from the middle of the sum, along and across the run; leads of both pass each other."""


def factor(drawing: Drawing) -> Lens:
    """Return the lens that draws each constraint as a node with edges to its variables.

    On a large grid, a faint line joins the cells of each constraint.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from ..layout.nodes import place_constraint_nodes
    >>> from ..layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> picture = layout(model)
    >>> nodes = {node.number: node for node in place_constraint_nodes(model, picture, [0])}
    >>> len(factor(Drawing(model, picture, (), nodes)).edges)
    3
    """
    nodes = drawing.constraint_nodes.values()
    edges = [*spokes(drawing.model, drawing.layout, nodes), *board_spokes(drawing.model, drawing.layout, nodes)]
    joined = {number for edge in edges for number in edge.constraints}.union(drawing.hidden)
    # The clues in black squares stand for the constraints of their runs.
    runs = numbers_of_runs(drawing.layout)
    boxes = {number: box for number, box in drawing.clues.items() if number in runs}
    boxes |= {node.number: (node.point, node.size) for node in nodes if not node.quiet}
    stated = [number for number in range(len(drawing.model.constraints)) if number not in joined]
    lines = spines(drawing.model, drawing.layout, stated, boxes)
    # Wires lead from the nodes of crowded grids, and from all clues and signs beside cells.
    signs = list(_signs_of_runs(drawing))
    rules = {number for run in drawing.layout.runs for number in run.rules}
    places: dict[int, Box] = {n: box for n, box in {**drawing.clues, **boxes}.items() if n not in rules}
    places |= {number: (sign.points[0], sign.points[1]) for sign in signs for number in sign.constraints}
    on_grid = {number: box for number, box in places.items() if drawing.is_on_grid(number)}
    wired = find_anchors(drawing.model, drawing.layout, on_grid)
    printed = (*lines, *signs)
    return Lens(tuple(drawing.constraint_nodes), tuple(edges), printed, drawing.threads, drawing.outlined(), wired)


def _signs_of_runs(drawing: Drawing) -> Iterator[Shape]:
    """Yield a sign beside the sum of each run whose cells differ."""
    signed = numbers_with_signs(drawing.model, drawing.layout)
    for run in drawing.layout.runs:
        differing = tuple(n for n in run.rules if n in signed)
        if not differing:
            continue
        (x, y), _ = drawing.clues[run.numbers[0]]
        (first, _), (last, _) = (drawing.layout.points[v] for v in (run.cells[0], run.cells[-1]))
        dx, dy = ASIDE if first != last else ASIDE[::-1]
        yield text(DIFFER, "sum differ", (x - dx, y - dy), SMALL, differing)


LENS = LensChoice("factor graph", factor)
