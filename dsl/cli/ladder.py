"""What the commands that explain have in common: --techniques and --uniqueness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from csp import Model, Settings, Solver, Stopped
from csp.explain import LADDER, TECHNIQUES, Technique, verdict

from ..syntax.errors import suggest_name
from .completing import complete_list
from .output import fail
from .progress import NO_SOLUTION, ProgressWatch

NAMES = [name.lower().replace(" ", "_") for name in TECHNIQUES]
"""The techniques as one word each, which no shell takes apart."""


def known_techniques(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[Technique, ...]:
    """The value of --techniques: names with commas between them, in the order of the ladder."""
    if value is None:
        return LADDER
    by_word = {_word(name): name for name in TECHNIQUES}
    chosen = set()
    for written in value.split(","):
        name = by_word.get(_word(written))
        if name is None:
            hint = suggest_name(_word(written), by_word) or "csp explain --help tells them"
            raise click.BadParameter(f"there is no technique {written.strip()}; {hint}")
        chosen.add(name)
    return tuple([technique for name, technique in TECHNIQUES.items() if name in chosen])


def _word(name: str) -> str:
    return name.strip().lower().replace("_", " ").replace("-", " ")


def ladder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--techniques and --uniqueness."""
    options = [
        click.option("--techniques", metavar="NAMES", callback=known_techniques,
                     shell_complete=lambda ctx, option, text: complete_list(NAMES, text),
                     help="Use only these, with commas between them."),
        click.option("--uniqueness", is_flag=True,
                     help="Use the uniqueness tests, too, if it can be proved that there is one solution."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def climbed(
    solver: Solver, ladder: tuple[Technique, ...], uniqueness: bool, seconds: float | None, progress: ProgressWatch
) -> tuple[tuple[Technique, ...], bool]:
    """The ladder that is wanted, and whether it is proved that there is one solution, which it may need.

    One in all variables: what is not shown may differ, and the arguments are about any variables.
    """
    if uniqueness:
        ladder = tuple([one for one in TECHNIQUES.values() if one in ladder or one.on_request])
    if not any(one.on_request for one in ladder):
        return ladder, False
    whole = Model(solver.model.domains, solver.model.constraints)
    found = verdict(Solver(whole, settings=Settings(seconds=seconds)), progress)
    if found.solutions == "unknown":
        raise Stopped(found.stopped)
    if found.solutions != "one":
        hidden = (
            " in all its variables, those that are not shown, too" if set(whole.shown) - set(solver.model.shown) else ""
        )
        fail(f"csp: uniqueness tests need a puzzle with one solution{hidden}: {found.message}", NO_SOLUTION)
    return ladder, True
