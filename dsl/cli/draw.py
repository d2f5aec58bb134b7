"""csp draw and csp graph"""

from __future__ import annotations

from pathlib import Path

import click

from csp.solver import Level

from .options import level_option, load_model, spec_options
from .watch import fail


@click.command(short_help="Draw the graph from step to step.")
@spec_options
@level_option
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the pictures go.")
@click.option("--format", "formats", multiple=True, type=click.Choice(["svg", "png"]), default=["svg"],
              show_default=True, help="Besides DOT.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
              help="The most pictures.")  # fmt: skip
def draw(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    level: Level,
    out: Path,
    formats: tuple[str, ...],
    limit: int,
) -> None:
    """Draw numbered snapshots of the graph of the spec FILE while it is solved."""
    from csp.recorder import record
    from csp.render.drawing import DrawingError
    from csp.render.frames import write_frames

    trace = record(load_model(file, settings, grids), level, nodes=limit)
    try:
        written = write_frames(trace, out, tuple(dict.fromkeys(formats)), limit)
    except DrawingError as error:
        fail(f"csp: {error}")
    for path in written:
        click.echo(path)
    if written.omitted:
        click.echo(f"csp: the limit left out {written.omitted} pictures; --limit takes more", err=True)


@click.command()
@spec_options
@click.option("--primal", is_flag=True, help="Variables only, joined where they share a constraint.")
@click.option("--format", "form", type=click.Choice(["dot", "graphml", "json"]), default="dot", show_default=True)
def graph(file: str, settings: dict[str, str], grids: dict[str, str], primal: bool, form: str) -> None:
    """Print the constraint network of the spec FILE."""
    from csp.render.graphs import write_graph

    click.echo(write_graph(load_model(file, settings, grids), form, primal), nl=False)
