"""Who must differ from whom: the article's picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...board.widths import text_width
from ...model import AllDifferent, Variable
from ..edges.edges import Edge, along, clique_edges, says_different
from ..edges.spokes import spokes
from ..layout.nodes import touch
from ..shapes import Shape
from ..style import WIDER
from .lens import Drawing, Lens, LensChoice

WORDY = 130.0
"""Comparisons with longer texts have none at their edge."""
SIZE = 12.0


def clique(drawing: Drawing) -> Lens:
    """An edge wherever two variables must differ or are compared; a sum, or the like, is a vertex.

    On a crowded grid these edges would lie on each other: only those of one vertex show, or of the group at work.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> len(clique(Drawing(model, layout(model), (), {})).edges)
    3
    """
    model, layout = drawing.model, drawing.layout
    chips, near = {}, []
    for number, constraint in enumerate(model.constraints):
        is_clique = len(constraint.scope) == 2 or isinstance(constraint, AllDifferent)
        if is_clique and len(constraint.scope) > 1 and layout.shows_no_edges(constraint.scope):
            near += [] if number in drawing.hidden or layout.on_board(constraint.scope) else [number]
        elif number in drawing.constraint_nodes and not is_clique:
            chips[number] = drawing.constraint_nodes[number]
    hidden = frozenset(drawing.hidden).union(chips)
    edges = [*spokes(model, layout, chips.values()), *clique_edges(model, layout, hidden)]
    texts = tuple(_texts(drawing, chips, edges))
    return Lens(tuple(chips), tuple(edges), texts, tuple(near), drawing.bows, causal=True)


def _texts(drawing: Drawing, chips: Iterable[int], edges: Sequence[Edge]) -> Iterator[Shape]:
    """What comparisons say, where there is room at their edges."""
    model, layout = drawing.model, drawing.layout
    taken = [(point, layout.size(v)) for v, point in layout.points.items()]
    taken += [(drawing.constraint_nodes[number].point, drawing.constraint_nodes[number].size) for number in chips]
    for edge in edges:
        own = [model.constraints[number] for number in edge.constraints]
        own = [constraint for constraint in own if len(constraint.scope) == 2]
        words = ", ".join(str(constraint) for constraint in own if not says_different(constraint))
        if not words or not isinstance(edge.one, Variable) or layout.shows_no_edges(own[0].scope):
            continue
        size = text_width(words, SIZE) * WIDER + 6, 16.0
        places = [along(edge.way, part) for part in (0.5, 0.4, 0.6, 0.3, 0.7)]
        free = [place for place in places if not any(touch(place, size, *block) for block in taken)]
        if free and size[0] - 6 < WORDY:
            taken.append((free[0], size))
            yield Shape("text", "said", (free[0], size), words, SIZE, edge.constraints)


LENS = LensChoice("clique", clique)
