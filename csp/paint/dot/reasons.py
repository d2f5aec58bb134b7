"""Why something holds, as DOT text: what follows stands above what it follows from."""

from __future__ import annotations

from ...board.widths import wrapped
from ...explain.evidence.claims import Why
from ...picture.style import FONT
from .quoting import quote
from .tree import tree_dot

WIDE = 220.0
"""How wide the text of a box may be."""


def reasons_dot(why: Why) -> str:
    """The reasons of a claim as DOT text, or the search tree where only search shows it.

    The claim has a thick border; an arrow leads from a premise to what follows.

    Parameters
    ----------
    why : Why

    Returns
    -------
    str
        O(reasons).

    Examples
    --------
    >>> from csp import Equality, Model, Variable
    >>> from csp.explain import Claim, why
    >>> text = reasons_dot(why(Model({"A": (1, 2)}, [Equality(Variable("A"), 1)]), Claim(Variable("A"), 1)))
    >>> text.count("->"), text.count("penwidth")
    (0, 1)
    """
    if why.trace is not None:
        return tree_dot(why.trace)
    lines = []
    for index, reason in enumerate(why.reasons):
        text = "\\n".join(quote(part)[1:-1] for part in wrapped(reason.text, 11, WIDE, 8))
        width = ", penwidth=3" if index == 0 else ""
        lines.append(f'  r{index} [label="{text}"{width}, tooltip={quote(reason.text)}];')
    for index, reason in enumerate(why.reasons):
        lines += [f"  r{premise} -> r{index};" for premise in reason.premises]
    if not why.reasons:
        lines.append(f"  r0 [label={quote(next(why.lines()))}];")
    return "\n".join([
        f"digraph {quote(str(why.claim))} {{",
        f'  graph [rankdir=BT, bgcolor=white, pad=0.2, fontname="{FONT}"];',
        f'  node [shape=box, style=filled, fillcolor=white, fontname="{FONT}", fontsize=11];',
        *lines,
        "}",
        "",
    ])  # fmt: skip
