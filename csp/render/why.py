"""Draw the explanation of a claim on the board, or as a search tree.

``csp why`` calls it.
"""

from __future__ import annotations

from ..explain.evidence.reasons import Why
from ..model import Model
from ..picture.explained.why import why_picture
from ..picture.plan import Plan
from ..picture.tree import tree_picture
from .dot.dot import dot
from .svg import svg


def draw_why(model: Model, why: Why, form: str = "svg") -> str:
    """Return a picture of a claim's reasons: a board, and a list of them.

    A claim that only search proves is drawn as the search tree instead.

    Parameters
    ----------
    model : Model
    why : Why
        The claim and its reasons, or the trace of its search.
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
