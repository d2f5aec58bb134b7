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


@question(timeout=True)
@click.option(
    "--to", "form", required=True, type=click.Choice([*EXPORTS, *LINKS]), help="Format of the other solver or site."
)
@out_option("Write to FILE.")
def export(ask: Ask, form: str, out: str | None) -> None:
    """Write the spec FILE for another solver or a puzzle site.

    Solvers are MiniZinc, SAT solvers, XCSP3, SWI-Prolog and clingo. Links exist for puzzles that csp import makes from
    links.

    Exit code: 0 written, 2 malformed input, 3 stopped by a limit.

    Example: csp export examples/sudoku.csp --to minizinc
    """
    ask.form(out, dict.fromkeys(SUFFIXES[form], form), form)
    text = export_link(ask, form) if form in LINKS else EXPORTS[form](ask.model)
    if out in (None, "-"):
        put(text)
    else:
        write_whole(out, text.encode())


def export_link(ask: Ask, form: str) -> str:
    """Return the spec in the format of a puzzle site; refuse --set and --grid."""
    if ask.param_texts or ask.grids:
        raise click.UsageError(f"--to {form} writes the spec as it stands, without --set and --grid")
    source = spec_source(ask.file)
    try:
        return LINKS[form](source)
    except Diagnostic as diagnostic:
        raise SpecError([diagnostic], {"": source}) from None
