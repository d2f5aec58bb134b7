"""csp export"""

from __future__ import annotations

import click

from csp.formula.export import EXPORTS
from csp.ground.files import write_whole

from ..options import load_model, out_option, spare_inputs, spec_options
from ..output import form_of, put

SUFFIXES = {
    "minizinc": (".mzn", ".txt"),
    "dimacs": (".cnf", ".dimacs", ".txt"),
    "xcsp3": (".xml", ".xcsp3", ".txt"),
    "swi-prolog": (".pl", ".pro", ".prolog", ".txt"),
    "asp": (".lp", ".asp", ".clingo", ".txt"),
}
"""How files of each format end."""


@click.command(short_help="Write a puzzle for other solvers.")
@spec_options
@click.option("--to", "form", required=True, type=click.Choice([*EXPORTS]), help="Who is to read it.")
@out_option("Write this file.")
def export(file: str, settings: dict[str, str], grids: dict[str, str], form: str, out: str | None) -> None:
    """Write the model of FILE for another solver: MiniZinc, a SAT solver, XCSP3, SWI-Prolog or clingo."""
    spare_inputs(out, file, *grids.values())
    form_of(out, dict.fromkeys(SUFFIXES[form], form), form)
    text = EXPORTS[form](load_model(file, settings, grids))
    if out in (None, "-"):
        put(text)
    else:
        write_whole(out, text.encode())
