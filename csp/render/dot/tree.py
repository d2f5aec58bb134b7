"""Write the search tree of a trace as DOT text."""

from __future__ import annotations

from ...picture.tree import tree_picture
from ...trace import Trace
from .dot import dot


def tree_dot(trace: Trace) -> str:
    """Write the search tree of a trace as DOT text with fixed positions.

    A circle is a branching node, a diamond a solution, a square a failure, and a triangle a collapsed subtree without
    solutions. The path to the solution is thick. The label of an edge is its decision, and the text below a failure is
    its reason. The tooltip of a node lists the values that it removed and, for at most 20 variables, its domains before
    and after propagation. In a tree of more than 40 nodes, failed subtrees are collapsed.

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
