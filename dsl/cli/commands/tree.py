"""The command ``csp tree``: draws the search tree until the first solution."""

from __future__ import annotations

import click

from csp import Level

from ..asking import Ask, question
from ..options import Whole, level_option, out_option, spare_inputs
from ..output import deliver, form_of, put, say

MAX_RECORDED = 1000
"""Maximum number of nodes that are recorded in full; the others are counted."""
FORMS = {".dot": "dot", ".gv": "dot", ".txt": "dot", ".svg": "svg", ".png": "png"}
"""The format for each ending of --out."""


@question()
@level_option
@out_option("Write the picture to FILE.")
@click.option("--format", "form", type=click.Choice(["dot", "svg", "png"]),
              help="Format; by default the ending of FILE, or dot.")  # fmt: skip
@click.option("--nodes", type=Whole(min=1), default=1000, show_default=True, metavar="N",
              help="Maximum number of nodes.")  # fmt: skip
def tree(ask: Ask, level: Level, out: str | None, form: str | None, nodes: int) -> None:
    """Draw the search tree of the spec FILE until its first solution.

    A circle is a decision, a diamond a solution, a square a failure with its reason, and a triangle a subtree without a
    solution. A tree of more than 40 nodes has its failed subtrees collapsed.

    Exit code: 0 drawn, 2 malformed input.

    Example: csp tree examples/shidoku.csp --level arc
    """
    from csp import record
    from csp.render import draw, tree_dot
    from csp.trace import omitted_part, was_cut

    spare_inputs(out, ask.file, *ask.grids.values())
    form = form or form_of(out, FORMS, "dot")
    trace = record(ask.model, level, nodes=min(nodes, MAX_RECORDED), counted=max(0, nodes - MAX_RECORDED))
    text = tree_dot(trace)
    picture = text.encode() if form == "dot" else draw([text], form)[0]
    if out in (None, "-") and form == "dot":
        put(text)
    else:
        deliver(out or "-", picture)
    if note := omitted_part(trace):
        say(f"csp: {note}", err=True)
    if was_cut(trace, nodes):
        say(f"csp: the tree has the first {nodes} nodes; raise --nodes for more", err=True)
