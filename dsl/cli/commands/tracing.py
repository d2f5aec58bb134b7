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


@question(json=True)
@level_option
@click.option("--nodes", type=Whole(min=0), metavar="N",
              help="Last node of the search; 0 traces propagation only.")  # fmt: skip
def trace(ask: Ask, level: Level, nodes: int | None) -> None:
    """Print a line for each event until the first solution.

    A line names the constraint, the removed values and the number of marked variables. Runs of one version print equal
    lines, so traces can be compared.

    Exit code: 0 solved, 1 no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp trace examples/shidoku.csp --level arc
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
