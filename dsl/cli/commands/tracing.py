"""The command ``csp trace``: prints the events until the first solution."""

from __future__ import annotations

import sys

import click

from csp import Level, Settings, Solver
from csp.base.notation import visible

from ..asking import Ask, question
from ..options import Whole, level_option
from ..output import fail, format_json
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

    def print_record(record: Record) -> None:
        sys.stdout.write((format_json(as_dict(record)) if ask.as_json else visible(caption(record))) + "\n")

    solver = Solver(ask.model, level)
    recorder, progress = Recorder(solver.program, print_record), ask.progress
    if nodes == 0:
        is_possible = solver.propagate(progress=progress, log=recorder).holds
    else:
        node_limit = Settings(nodes=None if nodes is None else nodes + 1)  # a limit counts the root as a node
        answers = solver.solutions(settings=node_limit, progress=progress, log=recorder)
        is_possible = next(answers, None) is not None
        if answers.stopped:
            sys.stdout.flush()
            return ask.stop(answers.stopped if progress.why else f"the limit of {nodes} nodes", "no solution so far")
    ask.end()
    if not is_possible:
        sys.stdout.flush()
        fail("csp: no solution", NO_SOLUTION)
