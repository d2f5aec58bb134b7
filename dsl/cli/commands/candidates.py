"""The command ``csp candidates``: prints the values that occur in solutions."""

from __future__ import annotations

from collections.abc import Mapping

import click

from csp import Value
from csp.explain import Candidates
from csp.explain import candidates as find_candidates

from ..asking import Ask, question
from ..options import Whole, search_option
from ..output import put
from ..progress import NO_SOLUTION


@question(json=True, timeout=True)
@click.option("--cutoff", type=Whole(min=1), default=1, show_default=True, metavar="N",
              help="Count the solutions with each value, up to N.")  # fmt: skip
@click.option("--spec", "as_spec", is_flag=True, help="Print the values as a spec, like csp propagate.")
@search_option
def candidates(ask: Ask, cutoff: int, as_spec: bool) -> None:
    """Print the values that occur in solutions of the spec FILE.

    Grids show the values in their cells. With --cutoff, each variable has a line with the number of solutions for each
    value. With an objective, only optimal solutions count.

    Exit code: 0 printed, 1 no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp candidates examples/latin.csp --cutoff 5
    """
    from csp.board import domains_text

    if as_spec and (ask.as_json or cutoff > 1):
        raise click.UsageError("--spec goes without --json and --cutoff")
    result = find_candidates(ask.solver, cutoff, ask.progress)
    remaining_domains = (
        {**ask.solver.propagate(progress=ask.progress).domains, **result.domains} if as_spec and result.holds else {}
    )
    if not result.holds and not result.stopped:
        ask.finish("no solution", {"candidates": None}, NO_SOLUTION)
    elif remaining_domains:
        from ...semantics.dumping import residual

        ask.end()
        put(residual(ask.model, remaining_domains))
    elif cutoff > 1:
        ask.finish(
            "\n".join([count_line(variable, counts, cutoff) for variable, counts in result.counts.items()]),
            as_dict(result),
        )
    else:
        ask.finish(domains_text(ask.model, result.domains), as_dict(result))
    if result.stopped:
        ask.stop(result.stopped, "other values may also occur")


def count_line(variable: str, counts: Mapping[Value, int], cutoff: int) -> str:
    """Return a line with a variable's values, each with its number of solutions.

    ``+`` follows a number that has reached ``cutoff``.
    """
    values = [f"{value}: {count}{'' if count < cutoff else '+'}" for value, count in counts.items()]
    return f"{variable}  {'  '.join(values)}"


def as_dict(result: Candidates) -> dict[str, object]:
    """Return candidates with their solution counts, and the backbone, as JSON data."""
    return {
        "candidates": {variable: list(counts.items()) for variable, counts in result.counts.items()},
        "cutoff": result.cutoff,
        "backbone": result.backbone,
        "complete": not result.stopped,
    }
