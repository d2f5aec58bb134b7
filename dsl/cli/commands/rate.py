"""csp rate"""

from __future__ import annotations

import json
import sys

import click

from csp import Solver, Stopped
from csp.explain import FORMULA, Rater

from ..options import json_option, load_model, spec_options, timeout_option
from ..output import say
from ..watch import NO_SOLUTION, Ended, deadline, watching


@click.command(short_help="Rate how hard the puzzle is to solve by a person.")
@spec_options
@json_option
@timeout_option("Stop after S seconds.")
def rate(file: str, settings: dict[str, str], grids: dict[str, str], as_json: bool, timeout: float | None) -> None:
    """Rate the spec FILE by the way in which csp explain solves it, with the same formula for every kind of puzzle.

    Exit code: 0 rated, 1 no solution, or no technique finds the way to one; 2 malformed input; 3 stopped by
    a limit, with the rating of the way so far.
    """
    with deadline(timeout):
        solver = Solver(load_model(file, settings, grids))
        with watching() as watch:
            rater = Rater(solver, watch=watch)
            code = None
            try:
                rater.run()
            except (Stopped, Ended) as end:
                code = end.code if isinstance(end, Ended) else watch.code
                say(f"csp: stopped by {end}: the rating is that of the way so far", err=True)
        found = rater.rating
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
    sys.exit(code or (0 if found.ending == "solved" else NO_SOLUTION))
