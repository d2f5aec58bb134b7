"""csp export"""

from __future__ import annotations

from pathlib import Path

import click

from csp.export import EXPORTS
from csp.files import write_whole

from .options import load_model, spare_inputs, spec_options


@click.command(short_help="Write a puzzle for other solvers.")
@spec_options
@click.option("--to", "form", required=True, type=click.Choice([*EXPORTS]), help="Who is to read it.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write this file.")
def export(file: str, settings: dict[str, str], grids: dict[str, str], form: str, out: Path | None) -> None:
    """Write the model of FILE for another solver: MiniZinc, a SAT solver, XCSP3, SWI-Prolog or clingo."""
    spare_inputs(out, file, *grids.values())
    text = EXPORTS[form](load_model(file, settings, grids))
    if out:
        write_whole(out, text.encode())
    else:
        click.echo(text, nl=False)
