"""The colours of a map: those that its values are called, or else some that are easy to tell apart."""

from __future__ import annotations

from ..model import Equality, Model, Value

NAMED = {
    "blue": "#56B4E9", "orange": "#E69F00", "green": "#009E73", "yellow": "#F0E442", "pink": "#CC79A7",
    "red": "#D55E00", "white": "#FFFFFF", "grey": "#999999", "gray": "#999999", "purple": "#B09CD8", "brown": "#B5835A",
}  # fmt: skip
HUES = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#B09CD8")


def paints(model: Model) -> dict[Value, str]:
    """A fill for every value, if the model is a map: all its values are called like colours, or it only says, of pairs
    of vertices, that they differ, with not more values than there are hues.

    Examples
    --------
    >>> paints(Model({"A": ("red", "green")}))
    {'red': '#D55E00', 'green': '#009E73'}
    """
    values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
    if values and all(value in NAMED for value in values):
        return {value: NAMED[str(value)] for value in values}
    several = [c for c in model.constraints if len(c.scope) > 1]
    said = [c for c in several if c.line] or several
    is_map = bool(said) and all(isinstance(c, Equality) and not c.equal for c in said)
    return dict(zip(values, HUES, strict=False)) if is_map and len(values) <= len(HUES) else {}
