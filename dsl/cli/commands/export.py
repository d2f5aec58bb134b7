"""csp export"""

from __future__ import annotations

import click

from csp.formula.export import EXPORTS
from csp.ground.files import write_whole

from ..asking import Ask, question
from ..options import out_option
from ..output import put

SUFFIXES = {
    "minizinc": (".mzn", ".txt"),
    "dimacs": (".cnf", ".dimacs", ".txt"),
    "xcsp3": (".xml", ".xcsp3", ".txt"),
    "swi-prolog": (".pl", ".pro", ".prolog", ".txt"),
    "asp": (".lp", ".asp", ".clingo", ".txt"),
}
"""How files of each format end."""


@question("Write a puzzle for other solvers.")
@click.option("--to", "form", required=True, type=click.Choice([*EXPORTS]), help="Who is to read it.")
@out_option("Write this file.")
def export(ask: Ask, form: str, out: str | None) -> None:
    """Write the model of FILE for another solver: MiniZinc, a SAT solver, XCSP3, SWI-Prolog or clingo."""
    ask.form(out, dict.fromkeys(SUFFIXES[form], form), form)
    text = EXPORTS[form](ask.model)
    if out in (None, "-"):
        put(text)
    else:
        write_whole(out, text.encode())
