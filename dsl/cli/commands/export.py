"""csp export"""

from __future__ import annotations

import click

from csp.formula.export import EXPORTS
from csp.ground.files import write_whole

from ...puzzles.links.exporting import fpuzzle, fpuzzle_link
from ...text.errors import Mistake, SpecError
from ..options import load_model, out_option, spare_inputs, spec_options, spec_source
from ..output import form_of, put

SUFFIXES = {
    "minizinc": (".mzn", ".txt"),
    "dimacs": (".cnf", ".dimacs", ".txt"),
    "xcsp3": (".xml", ".xcsp3", ".txt"),
    "swi-prolog": (".pl", ".pro", ".prolog", ".txt"),
    "f-puzzles": (".json", ".txt"),
    "f-puzzles-link": (".txt",),
    "asp": (".lp", ".asp", ".clingo", ".txt"),
}
"""How files of each format end."""


LINKS = {"f-puzzles": fpuzzle, "f-puzzles-link": fpuzzle_link}
"""Formats of setters, which say a spec and not its model."""


@click.command(short_help="Write a puzzle for other solvers.")
@spec_options
@click.option("--to", "form", required=True, type=click.Choice([*EXPORTS, *LINKS]), help="Who is to read it.")
@out_option("Write this file.")
def export(file: str, settings: dict[str, str], grids: dict[str, str], form: str, out: str | None) -> None:
    """Write the model of FILE for another solver: MiniZinc, a SAT solver, XCSP3, SWI-Prolog or clingo.

    f-puzzles writes a sudoku variant, as csp import makes them, as JSON, and f-puzzles-link as a link.
    """
    spare_inputs(out, file, *grids.values())
    form_of(out, dict.fromkeys(SUFFIXES[form], form), form)
    text = linked(file, settings, grids, form) if form in LINKS else EXPORTS[form](load_model(file, settings, grids))
    if out in (None, "-"):
        put(text)
    else:
        write_whole(out, text.encode())


def linked(file: str, settings: dict[str, str], grids: dict[str, str], form: str) -> str:
    """A spec in a format of setters."""
    if settings or grids:
        raise click.UsageError(f"--to {form} writes the spec as it stands, without --set and --grid")
    source = spec_source(file)
    try:
        return LINKS[form](source.text)
    except Mistake as mistake:
        raise SpecError([mistake], {"": source}) from None
