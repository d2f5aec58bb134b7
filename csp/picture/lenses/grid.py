"""The state alone."""

from __future__ import annotations

from .lens import Drawing, Lens, LensChoice


def grid(drawing: Drawing) -> Lens:
    """No edges: only two variables that are compared are joined, while that is at work.

    Examples
    --------
    >>> from csp import Model
    >>> from ..layout.layout import layout
    >>> model = Model({"A": (1, 2)})
    >>> grid(Drawing(model, layout(model), (), {})).edges
    ()
    """
    return Lens()


LENS = LensChoice("grid", grid)
