"""The command ``csp graph``: prints the constraint network of a spec."""

from __future__ import annotations

import click

from ..asking import Ask, question
from ..output import put


@question()
@click.option("--primal", is_flag=True, help="Print variables only, joined if they must differ.")
@click.option("--format", "form", type=click.Choice(["dot", "graphml", "gexf", "json"]), default="dot",
              show_default=True, help="Format of the graph.")  # fmt: skip
def graph(ask: Ask, primal: bool, form: str) -> None:
    """Print the constraint network of the spec FILE.

    Exit code: 0 printed, 2 malformed input.

    Example: csp graph examples/australia.csp --format graphml
    """
    from csp.render import write_graph

    put(write_graph(ask.model, form, primal))
