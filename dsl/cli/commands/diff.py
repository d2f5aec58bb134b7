"""The command ``csp diff``: compares what propagation removes from two specs."""

from __future__ import annotations

import click

from csp import LEVELS, Level, Solver

from ..asking import Ask, question
from ..options import INPUT, load_model
from ..output import say


@question()
@click.argument("other", required=False, type=INPUT)
@click.option("--level", "levels", multiple=True, type=click.Choice(LEVELS), default=["singles"], show_default=True,
              help="Consistency level; give it twice for two levels.")  # fmt: skip
def diff(ask: Ask, other: str | None, levels: tuple[Level, ...]) -> None:
    """Compare the removals of propagation in two specs, or at two levels.

    Lines with + are removals in OTHER only, lines with - in FILE only. Without OTHER, give --level twice.

    Exit code: 0 compared, 2 malformed input.

    Example: csp diff examples/shidoku.csp --level arc --level domain
    """
    from csp.render import differences
    from csp.trace import reach

    if len(levels) > 2 or (other is None and len(levels) < 2):
        raise click.UsageError("compare two specs, or one at two levels: --level arc --level singles")
    if other is not None:
        ask.reads(other, *ask.grids.values())
    files = (ask.file, ask.file if other is None else other)
    models = (ask.model, ask.model if other is None else load_model(other, ask.param_texts, ask.grids))
    solvers = [Solver(model, level) for model, level in zip(models, (levels[0], levels[-1]), strict=True)]
    reaches = [reach(solver, ask.progress) for solver in solvers]
    ask.end()
    for sign, name, solver in zip(("---", "+++"), files, solvers, strict=True):
        say(f"{sign} {name} · {solver.level}")
    for line in differences(*reaches):
        say(line)
