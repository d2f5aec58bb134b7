"""csp graph"""

from __future__ import annotations

import click

from ..options import load_model, spec_options
from ..output import put


@click.command()
@spec_options
@click.option("--primal", is_flag=True, help="Variables only, joined where they share a constraint.")
@click.option("--format", "form", type=click.Choice(["dot", "graphml", "gexf", "json"]), default="dot",
              show_default=True)  # fmt: skip
def graph(file: str, settings: dict[str, str], grids: dict[str, str], primal: bool, form: str) -> None:
    """Print the constraint network of the spec FILE."""
    from csp.paint import write_graph

    put(write_graph(load_model(file, settings, grids), form, primal))
