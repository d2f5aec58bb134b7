"""The search tree as DOT text."""

from __future__ import annotations

from ...picture.tree import tree_picture
from ...trace import Trace
from .dot import dot


def tree_dot(trace: Trace) -> str:
    """The search tree of a trace as DOT text, every node in its place.

    A circle branches, a diamond is a solution, a square a failure, and a triangle stands for a subtree without a
    solution; the way to the solution is drawn thick. At an edge stands what it decides, below a failure why it
    failed. A tooltip tells what a node has removed and, of a puzzle of at most 20 variables, its domains before and
    after. A tree of more than 40 nodes has its failed subtrees collapsed.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = ("AB", "BC", "CD", "DE", "EA")
    >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
    >>> text = tree_dot(record(model, nodes=None))
    >>> text.count(" -- "), "A = 0" in text
    (2, True)
    """
    title, marks = tree_picture(trace)
    return dot(marks, title)
