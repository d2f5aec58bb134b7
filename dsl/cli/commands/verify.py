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


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option(
    "--spec", metavar="FILE", type=INPUT, help="Encode this spec and compare its clauses with the certificate."
)
@fill_options
@timeout_option()
@click.pass_obj
def verify(
    interrupts: Interrupts,
    folder: str,
    spec: str | None,
    param_texts: dict[str, str],
    grids: dict[str, str],
    timeout: float | None,
) -> None:
    """Verify the certificate that csp check --certificate wrote to DIR.

    The checker shares no code with the solver. It accepts a proof that no solution exists, or no other solution than
    the recorded one.

    Exit code: 0 accepted, 1 refused, 2 malformed input, 3 stopped by a limit.

    Example: csp verify PROOF --spec examples/sudoku.csp
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
    """Return a text that a certificate belongs to a spec; exit if it does not.

    ``clauses`` is the certificate's text. The returned text also says whether the spec's text has changed since.
    """
    program, params, sources = read_spec(spec, param_texts, grids)
    model = build_model(program, params, sources)
    try:
        compare(model, clauses)
    except Refused as error:
        say(f"{folder}: refused: it does not belong to {spec}: {error}")
        sys.exit(NO_SOLUTION)
    # The digests of the texts show whether the spec has changed since.
    is_same_text = [line for line in clauses.splitlines() if line.startswith("c spec ")] == digests(
        {**sources, **program.sources}, params
    )
    return f"; the clauses belong to {spec}{'' if is_same_text else ', whose text has changed since'}"
