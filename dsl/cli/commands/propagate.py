"""csp propagate"""

from __future__ import annotations

import sys

import click

from csp import Level, Solver

from ..options import level_option, load_model, spec_options
from ..output import put, say
from ..watch import NO_SOLUTION, watching


@click.command(short_help="Print what is left without search.")
@spec_options
@level_option
def propagate(file: str, settings: dict[str, str], grids: dict[str, str], level: Level) -> None:
    """Propagate the spec FILE without search and print what is left, as a spec."""
    from ...text.printing.models import residual

    model = load_model(file, settings, grids)
    with watching() as watch:
        left = Solver(model, level).propagate(watch=watch)
    if not left.holds:
        say("no solution", err=True)
        sys.exit(NO_SOLUTION)
    put(residual(model, left.domains))
