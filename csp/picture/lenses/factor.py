"""The factor lens: each constraint is a vertex joined to its variables."""

from __future__ import annotations

from ..edges import spokes
from ..lines.arcs import board_spokes
from ..lines.spines import numbers_of_runs, spines
from ..lines.wires import find_anchors
from .lens import Drawing, Lens, LensChoice


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
    # Wires lead from the nodes of crowded grids, and from all clues beside cells.
    on_grid = {number: box for number, box in {**drawing.clues, **boxes}.items() if drawing.is_on_grid(number)}
    wired = find_anchors(drawing.model, drawing.layout, on_grid)
    return Lens(
        tuple(drawing.constraint_nodes), tuple(edges), tuple(lines), drawing.threads, drawing.outlined(), wired
    )  # fmt: skip


LENS = LensChoice("factor graph", factor)
