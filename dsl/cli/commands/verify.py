"""csp verify"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from csp import Effort
from csp.explain.proofs import Refused
from csp.explain.proofs import verify as checked

from ..options import timeout_option
from ..output import say
from ..watch import NO_SOLUTION, deadline, watching


@click.command(short_help="Check a certificate of csp check.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@timeout_option("Stop after S seconds.")
def verify(folder: str, timeout: float | None) -> None:
    """Check the certificate in DIR: its clauses and the proof that nothing satisfies them, or nothing but the solution
    that is recorded. The checker shares nothing with the solver.

    Exit code: 0 accepted, 1 refused, 2 a file cannot be read, 3 stopped by a limit.
    """
    with deadline(timeout), watching(f"{folder}") as watch:
        try:
            proved = checked(Path(folder), lambda: watch(Effort()))
        except Refused as error:
            say(f"{folder}: refused: {error}")
            sys.exit(NO_SOLUTION)
    say(f"{folder}: {proved}")
