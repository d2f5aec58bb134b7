"""csp propagate"""

from __future__ import annotations

import sys

import click

from csp import Solver
from csp.solver import Level

from .options import level_option, load_model, spec_options
from .watch import NO_SOLUTION, watching


@click.command(short_help="Print what is left without search.")
@spec_options
@level_option
@click.option("--trace", "tracing", is_flag=True, help="Print what happened, a line for each event.")
def propagate(
    file: str, settings: dict[str, str], grids: dict[str, str], level: Level, tracing: bool
) -> None:
    """Propagate the spec FILE without search and print what is left, as a spec."""
    model = load_model(file, settings, grids)
    if tracing:
        from csp.recorder import record
        from csp.records import Failure

        trace = record(model, level)
        for line in trace.captions():
            click.echo(line)
        sys.exit(NO_SOLUTION if isinstance(trace.records[-1], Failure) else 0)
    from ..unparse import residual

    with watching(None) as watch:
        left = Solver(model, level).propagate(limits=watch)
    if not left.holds:
        click.echo("no solution", err=True)
        sys.exit(NO_SOLUTION)
    click.echo(residual(model, left.domains), nl=False)
