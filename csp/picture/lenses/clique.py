"""The clique lens: edges between all variables that must differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...board.widths import text_width
from ...model import AllDifferent, Variable
from ..edges import Edge, along, clique_edges, spokes, states_difference
from ..layout.nodes import touch
from ..lines.arcs import board_arcs
from ..lines.spines import spines
from ..shapes import Shape
from ..style import WIDER
from .lens import Drawing, Lens, LensChoice

WORDY = 130.0
"""Maximum width of the text of a comparison at its edge, in points; a longer text is omitted."""
SIZE = 12.0
"""The font of these texts, in points."""


def clique(drawing: Drawing) -> Lens:
    """Return the lens that draws an edge between variables that differ or are compared.

    Sums and other constraints on three or more variables are constraint nodes. On a crowded grid edges would lie on
    each other: a faint line joins the cells of each constraint, and arrows lead to the values that it removed. Lines of
    a board are joined by arcs.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> len(clique(Drawing(model, layout(model), (), {})).edges)
    3
    """
    model, layout = drawing.model, drawing.layout
    nodes, crowded = {}, []
    # Decide for each constraint: a faint line, a node, or edges between all pairs.
    for number, constraint in enumerate(model.constraints):
        is_clique = len(constraint.scope) == 2 or isinstance(constraint, AllDifferent)
        if is_clique and len(constraint.scope) > 1 and layout.shows_no_edges(constraint.scope):
            crowded += [] if number in drawing.hidden else [number]
        elif number in drawing.constraint_nodes and not is_clique:
            nodes[number] = drawing.constraint_nodes[number]
    hidden = frozenset(drawing.hidden).union(nodes)
    arcs = board_arcs(model, layout, crowded)
    shown_by_arcs = {number for arc in arcs for number in arc.constraints}
    edges = [*spokes(model, layout, nodes.values()), *clique_edges(model, layout, hidden), *arcs]
    printed = (
        *spines(model, layout, [number for number in crowded if number not in shown_by_arcs], {}),
        *_comparison_texts(drawing, nodes, edges),
    )
    return Lens(tuple(nodes), tuple(edges), printed, drawing.pairs, drawing.outlined())


def _comparison_texts(drawing: Drawing, nodes: Iterable[int], edges: Sequence[Edge]) -> Iterator[Shape]:
    """Yield the text of each comparison beside its edge, if there is room."""
    model, layout = drawing.model, drawing.layout
    occupied = [(point, layout.size(v)) for v, point in layout.points.items()]
    occupied += [(drawing.constraint_nodes[number].point, drawing.constraint_nodes[number].size) for number in nodes]
    for edge in edges:
        comparisons = [model.constraints[number] for number in edge.constraints]
        comparisons = [constraint for constraint in comparisons if len(constraint.scope) == 2]
        label = ", ".join(str(constraint) for constraint in comparisons if not states_difference(constraint))
        if not label or not isinstance(edge.start, Variable) or layout.shows_no_edges(comparisons[0].scope):
            continue
        size = text_width(label, SIZE) * WIDER + 6, 16.0
        # Try several places along the edge.
        places = [along(edge.curve, part) for part in (0.5, 0.4, 0.6, 0.3, 0.7)]
        free_places = [place for place in places if not any(touch(place, size, *block) for block in occupied)]
        if free_places and size[0] - 6 < WORDY:
            occupied.append((free_places[0], size))
            yield Shape("text", "said", (free_places[0], size), label, SIZE, edge.constraints)


LENS = LensChoice("clique", clique)
