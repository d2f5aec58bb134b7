"""The command ``csp verify``: checks the certificate of a verdict."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from csp import Effort
from csp.explain.proofs import Refused, compare, read_certificate, verify_texts

from ..certifying import digests
from ..options import INPUT, build_model, fill_options, read_spec, timeout_option
from ..output import say
from ..progress import NO_SOLUTION, Interrupts


@click.command(short_help="Check a certificate of csp check.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--spec", metavar="FILE", type=INPUT, help="Make the clauses of this spec anew, and compare them.")
@fill_options
@timeout_option("Stop after S seconds.")
@click.pass_obj
def verify(
    interrupts: Interrupts,
    folder: str,
    spec: str | None,
    param_texts: dict[str, str],
    grids: dict[str, str],
    timeout: float | None,
) -> None:
    """Check the certificate in DIR: its clauses and the proof that nothing satisfies them, or nothing but the solution
    that is recorded. The checker shares nothing with the solver. With --spec, the clauses must be those of FILE.

    Exit code: 0 accepted, 1 refused, 2 a file cannot be read, 3 stopped by a limit.
    """
    if spec is None and (param_texts or grids):
        raise click.UsageError("--set and --grid go with --spec")
    with interrupts.deadline(timeout), interrupts.watching(f"{folder}") as progress:
        try:
            clauses, proof = read_certificate(Path(folder))
            message = verify_texts(clauses, proof, lambda: progress(Effort()))
        except Refused as error:
            say(f"{folder}: refused: {error}")
            sys.exit(NO_SOLUTION)
        comparison = "" if spec is None else compare_with_spec(folder, clauses, spec, param_texts, grids)
    say(f"{folder}: {message}{comparison}")


def compare_with_spec(folder: str, clauses: str, spec: str, param_texts: dict[str, str], grids: dict[str, str]) -> str:
    """Compare the clauses of a certificate and of a spec; return the result as text.

    Prints the reason and exits if they differ.
    """
    program, params, sources = read_spec(spec, param_texts, grids)
    model = build_model(program, params, sources)
    try:
        compare(model, clauses)
    except Refused as error:
        say(f"{folder}: refused: it is not of {spec}: {error}")
        sys.exit(NO_SOLUTION)
    # The digests of the texts show whether the spec has changed since.
    is_same_text = [line for line in clauses.splitlines() if line.startswith("c spec ")] == digests(
        {**sources, **program.sources}, params
    )
    return f"; the clauses are equal to the clauses of {spec}{'' if is_same_text else ', whose text has changed since'}"
