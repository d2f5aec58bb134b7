"""Why something holds, as a picture: reasons on the board, or the search tree where only search shows it."""

from __future__ import annotations

from ..explain.evidence.claims import Why
from ..model import Model
from ..picture.explained.why import why_picture
from ..picture.plan import Plan
from ..picture.tree import tree_picture
from .dot.dot import dot
from .svg import svg


def draw_why(model: Model, why: Why, form: str = "svg") -> str:
    """The reasons of a claim over the board, with the list of them beside it.

    Parameters
    ----------
    model : Model
    why : Why
    form : {"svg", "dot"}

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import Equality, Variable
    >>> from csp.explain import Claim
    >>> from csp.explain import why as reasons
    >>> model = Model({"A": (1, 2)}, [Equality(Variable("A"), 1)])
    >>> "1. A = 1" in draw_why(model, reasons(model, Claim(Variable("A"), 1)))
    True
    """
    title = str(why.claim)
    if why.trace is not None:
        title, shapes = tree_picture(why.trace)
    else:
        shapes = why_picture(Plan(model), why)
    return svg(shapes) if form == "svg" else dot(shapes, title)
