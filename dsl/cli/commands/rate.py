"""csp rate"""

from __future__ import annotations

import json
import sys

import click

from csp import Solver
from csp.explain import FORMULA
from csp.explain import rate as rated

from ..options import json_option, load_model, spec_options, timeout_option
from ..output import say
from ..watch import NO_SOLUTION, deadline, watching


@click.command(short_help="Rate how hard the puzzle is to solve by a person.")
@spec_options
@json_option
@timeout_option("Stop after S seconds.")
def rate(file: str, settings: dict[str, str], grids: dict[str, str], as_json: bool, timeout: float | None) -> None:
    """Rate the spec FILE by the way in which csp explain solves it, with the same formula for every kind of puzzle.

    Exit code: 0 rated, 1 no solution, or no technique finds the way to one; 2 malformed input; 3 stopped by a limit.
    """
    with deadline(timeout):
        solver = Solver(load_model(file, settings, grids))
        with watching() as watch:
            found = rated(solver, watch=watch)
    if as_json:
        say(json.dumps({
            "rating": found.rating, "ending": found.ending, "hardest": found.hardest, "weight": found.weight,
            "steps": found.steps, "rounds": found.rounds, "open": found.open, "depth": found.depth, "formula": FORMULA,
        }))  # fmt: skip
    else:
        steps = ", ".join([f"{count} {name}" for name, count in found.steps.items()]) or "none"
        for name, value in (
            ("rating", found.rating),
            ("ending", found.ending),
            ("hardest", f"{found.hardest} ({found.weight})" if found.hardest else "none"),
            ("steps", steps),
            ("rounds", found.rounds),
            ("open", f"{found.open} steps at once"),
            ("depth", f"{found.depth} suppositions inside each other"),
            ("formula", FORMULA),
        ):
            say(f"{name:8} {value}")
    sys.exit(0 if found.ending == "solved" else NO_SOLUTION)
