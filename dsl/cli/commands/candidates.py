"""csp candidates"""

from __future__ import annotations

import json
import sys

import click

from csp import Solver, Strategy, Way
from csp.explain import Candidates
from csp.explain import candidates as occurring

from ..options import json_option, load_model, search_option, spec_options, timeout_option
from ..output import put, say
from ..watch import NO_SOLUTION, deadline, say_stopped, watching


@click.command(short_help="Print the values that occur in some solution.")
@spec_options
@click.option("--cutoff", type=click.IntRange(min=1), default=1, metavar="N",
              help="Count for each value in how many solutions it occurs, up to N.")  # fmt: skip
@click.option("--spec", "as_spec", is_flag=True, help="Print them as a spec, as csp propagate does.")
@search_option
@json_option
@timeout_option("Stop after S seconds.")
def candidates(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    cutoff: int,
    as_spec: bool,
    search: Way,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Print for every variable of the spec FILE the values that occur in some solution, of a spec that says what is
    best in some best one: those of a grid in its cells, or with --cutoff a line for each variable.

    Exit code: 0 printed, 1 no solution, 2 malformed input, 3 stopped by a limit; what was found by then is printed.
    """
    from csp.board import domains_text

    if as_spec and (as_json or cutoff > 1):
        raise click.UsageError("--spec goes without --json and --cutoff")
    with deadline(timeout):
        solver = Solver(load_model(file, settings, grids), strategy=Strategy(search=search))
        with watching() as watch:
            found = occurring(solver, cutoff, watch)
            left = {**solver.propagate(watch=watch).domains, **found.domains} if as_spec and found.holds else {}
    if not found.holds and not found.stopped:
        say(json.dumps({"candidates": None}) if as_json else "no solution")
        sys.exit(NO_SOLUTION)
    if as_json:
        say(json.dumps(as_dict(found)))
    elif as_spec and left:
        from ...text.printing.models import residual

        put(residual(solver.model, left))
    elif cutoff > 1:
        for variable, counts in found.counts.items():
            values = [f"{value}: {n}{'' if n < cutoff else '+'}" for value, n in counts.items()]
            say(f"{variable}  {'  '.join(values)}")
    else:
        say(domains_text(solver.model, found.domains))
    if found.stopped:
        sys.exit(say_stopped(found.stopped, "other values may occur, too", watch))


def as_dict(found: Candidates) -> dict[str, object]:
    """What was found, for a program."""
    return {
        "candidates": {variable: list(counts.items()) for variable, counts in found.counts.items()},
        "cutoff": found.cutoff,
        "backbone": found.backbone,
        "complete": not found.stopped,
    }
