"""csp trace"""

from __future__ import annotations

import json
import sys

import click

from csp import Level, Solver, Strategy
from csp.ground.notation import visible

from ..options import json_option, level_option, load_model, spec_options
from ..output import say
from ..watch import NO_SOLUTION, say_stopped, watching


@click.command(short_help="Tell what happens, a line for each event.")
@spec_options
@level_option
@click.option("--nodes", type=click.IntRange(min=0), metavar="N",
              help="Follow the search up to node N; 0 is propagation alone.")  # fmt: skip
@json_option
def trace(
    file: str, settings: dict[str, str], grids: dict[str, str], level: Level, nodes: int | None, as_json: bool
) -> None:
    """Tell what happens to the spec FILE until its first solution: who was marked, and what was removed by which
    constraint.

    The same spec gives the same lines, so that two traces can be compared.
    """
    from csp.story import Record, Teller, as_dict, caption

    def tell(record: Record) -> None:
        sys.stdout.write((json.dumps(as_dict(record)) if as_json else visible(caption(record))) + "\n")

    solver = Solver(load_model(file, settings, grids), level)
    teller = Teller(solver.program, tell)
    with watching() as watch:
        if nodes == 0:
            possible = solver.propagate(watch=watch, trail=teller).holds
        else:
            most = Strategy(nodes=None if nodes is None else nodes + 1)  # limits count the root, too
            answers = solver.solutions(strategy=most, watch=watch, trail=teller)
            possible = next(answers, None) is not None
            if answers.stopped:
                sys.stdout.flush()
                why = answers.stopped if watch.why else f"the limit of {nodes} nodes"
                sys.exit(say_stopped(why, "no solution so far", watch))
    if not possible:
        sys.stdout.flush()
        say("no solution", err=True)
        sys.exit(NO_SOLUTION)
