"""csp candidates"""

from __future__ import annotations

from collections.abc import Mapping

import click

from csp import Value
from csp.explain import Candidates
from csp.explain import candidates as occurring

from ..asking import Ask, question
from ..options import Whole, search_option
from ..output import put
from ..progress import NO_SOLUTION


@question("Print the values that occur in some solution.", json=True, timeout=True)
@click.option("--cutoff", type=Whole(min=1), default=1, metavar="N",
              help="Count for each value in how many solutions it occurs, up to N.")  # fmt: skip
@click.option("--spec", "as_spec", is_flag=True, help="Print them as a spec, as csp propagate does.")
@search_option
def candidates(ask: Ask, cutoff: int, as_spec: bool) -> None:
    """Print for every variable of the spec FILE the values that occur in some solution, of a spec that says what is
    best in some best one: those of a grid in its cells, or with --cutoff a line for each variable.

    Exit code: 0 printed, 1 no solution, 2 malformed input, 3 stopped by a limit; what was found by then is printed.
    """
    from csp.board import domains_text

    if as_spec and (ask.as_json or cutoff > 1):
        raise click.UsageError("--spec goes without --json and --cutoff")
    found = occurring(ask.solver, cutoff, ask.progress)
    left = {**ask.solver.propagate(progress=ask.progress).domains, **found.domains} if as_spec and found.holds else {}
    if not found.holds and not found.stopped:
        ask.tell("no solution", {"candidates": None}, NO_SOLUTION)
    elif left:
        from ...semantics.dumping import residual

        ask.end()
        put(residual(ask.model, left))
    elif cutoff > 1:
        ask.tell("\n".join([counted(variable, of, cutoff) for variable, of in found.counts.items()]), as_dict(found))
    else:
        ask.tell(domains_text(ask.model, found.domains), as_dict(found))
    if found.stopped:
        ask.stop(found.stopped, "other values may occur, too")


def counted(variable: str, counts: Mapping[Value, int], cutoff: int) -> str:
    """In how many solutions each value of a variable occurs."""
    values = [f"{value}: {n}{'' if n < cutoff else '+'}" for value, n in counts.items()]
    return f"{variable}  {'  '.join(values)}"


def as_dict(found: Candidates) -> dict[str, object]:
    """What was found, for a program."""
    return {
        "candidates": {variable: list(counts.items()) for variable, counts in found.counts.items()},
        "cutoff": found.cutoff,
        "backbone": found.backbone,
        "complete": not found.stopped,
    }
