"""csp trace"""

from __future__ import annotations

import json
import sys

import click

from csp import Level, Settings, Solver
from csp.base.notation import visible

from ..asking import Ask, question
from ..options import Whole, level_option
from ..output import fail
from ..progress import NO_SOLUTION


@question("Tell what happens, a line for each event.", json=True)
@level_option
@click.option("--nodes", type=Whole(min=0), metavar="N",
              help="Follow the search up to node N; 0 is propagation alone.")  # fmt: skip
def trace(ask: Ask, level: Level, nodes: int | None) -> None:
    """Tell what happens to the spec FILE until its first solution: who was marked, and what was removed by which
    constraint.

    The same spec gives the same lines, so that two traces can be compared.
    """
    from csp.trace import Record, Recorder, as_dict, caption

    def tell(record: Record) -> None:
        sys.stdout.write((json.dumps(as_dict(record)) if ask.as_json else visible(caption(record))) + "\n")

    solver = Solver(ask.model, level)
    recorder, progress = Recorder(solver.program, tell), ask.progress
    if nodes == 0:
        possible = solver.propagate(progress=progress, log=recorder).holds
    else:
        most = Settings(nodes=None if nodes is None else nodes + 1)  # limits count the root, too
        answers = solver.solutions(settings=most, progress=progress, log=recorder)
        possible = next(answers, None) is not None
        if answers.stopped:
            sys.stdout.flush()
            return ask.stop(answers.stopped if progress.why else f"the limit of {nodes} nodes", "no solution so far")
    ask.end()
    if not possible:
        sys.stdout.flush()
        fail("csp: no solution", NO_SOLUTION)
