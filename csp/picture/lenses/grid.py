"""The grid lens: only the domains, no edges between them."""

from __future__ import annotations

from .lens import Drawing, Lens, LensChoice


def grid(drawing: Drawing) -> Lens:
    """Return the lens that draws no edges, so that the picture shows domains only.

    Two compared variables are joined while their constraint is at work.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> model = Model({"A": (1, 2)})
    >>> grid(Drawing(model, layout(model), (), {})).edges
    ()
    """
    return Lens(outlined=drawing.outlined())


LENS = LensChoice("grid", grid)
