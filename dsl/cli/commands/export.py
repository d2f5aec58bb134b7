"""The command ``csp export``: writes a model in another solver's format."""

from __future__ import annotations

import click

from csp.base.files import write_whole
from csp.encoding.export import EXPORTS

from ...puzzles.links.exporting import fpuzzle, fpuzzle_link
from ...puzzles.links.puzzlink.addresses import puzzlink
from ...syntax.errors import Diagnostic, SpecError
from ..asking import Ask, question
from ..options import out_option, spec_source
from ..output import put

SUFFIXES = {
    "minizinc": (".mzn", ".txt"),
    "dimacs": (".cnf", ".dimacs", ".txt"),
    "xcsp3": (".xml", ".xcsp3", ".txt"),
    "swi-prolog": (".pl", ".pro", ".prolog", ".txt"),
    "f-puzzles": (".json", ".txt"),
    "f-puzzles-link": (".txt",),
    "puzz.link": (".txt",),
    "asp": (".lp", ".asp", ".clingo", ".txt"),
}
"""The endings that --out accepts for each format."""


LINKS = {"f-puzzles": fpuzzle, "f-puzzles-link": fpuzzle_link, "puzz.link": puzzlink}
"""Formats of puzzle setters, which represent a spec and not its model."""


@question("Write a puzzle for other solvers.", timeout=True)
@click.option("--to", "form", required=True, type=click.Choice([*EXPORTS, *LINKS]), help="Who is to read it.")
@out_option("Write this file.")
def export(ask: Ask, form: str, out: str | None) -> None:
    """Write the model of FILE for another solver: MiniZinc, a SAT solver, XCSP3, SWI-Prolog or clingo.

    f-puzzles writes a sudoku variant, as csp import makes them, as JSON, and f-puzzles-link as a link; puzz.link a
    puzzle of one of its genres as a link.
    """
    ask.form(out, dict.fromkeys(SUFFIXES[form], form), form)
    text = export_link(ask, form) if form in LINKS else EXPORTS[form](ask.model)
    if out in (None, "-"):
        put(text)
    else:
        write_whole(out, text.encode())


def export_link(ask: Ask, form: str) -> str:
    """Return a spec in a puzzle site's format, such as a link."""
    if ask.param_texts or ask.grids:
        raise click.UsageError(f"--to {form} writes the spec as it stands, without --set and --grid")
    source = spec_source(ask.file)
    try:
        return LINKS[form](source)
    except Diagnostic as diagnostic:
        raise SpecError([diagnostic], {"": source}) from None
