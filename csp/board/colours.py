"""Choose the fill colours of the values of a map."""

from __future__ import annotations

from ..model import Equality, Model, Value

NAMED = {
    "blue": "#56B4E9", "orange": "#E69F00", "green": "#009E73", "yellow": "#F0E442", "pink": "#CC79A7",
    "red": "#D55E00", "white": "#FFFFFF", "grey": "#999999", "gray": "#999999", "purple": "#B09CD8", "brown": "#B5835A",
}  # fmt: skip
"""The fill of values that are named after a colour."""

HUES = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#B09CD8")
"""Fills for values without such a name, in their order of use."""


def map_colours(model: Model) -> dict[Value, str]:
    """Choose a colour for every value if the model is a map colouring.

    For other models the result is empty.

    A model is a map if all its values are names of colours, or if it only states that pairs of vertices differ and has
    at most as many values as there are hues.

    Examples
    --------
    >>> map_colours(Model({"A": ("red", "green")}))
    {'red': '#D55E00', 'green': '#009E73'}
    """
    values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
    if values and all(value in NAMED for value in values):
        return {value: NAMED[str(value)] for value in values}
    constraints = [c for c in model.constraints if len(c.scope) > 1]
    stated_constraints = [c for c in constraints if c.line] or constraints
    is_map = bool(stated_constraints) and all(isinstance(c, Equality) and not c.equal for c in stated_constraints)
    return dict(zip(values, HUES, strict=False)) if is_map and len(values) <= len(HUES) else {}
