"""The command ``csp draw``: draws numbered snapshots of the constraint graph."""

from __future__ import annotations

import re
from pathlib import Path

import click

from csp import Level
from csp.picture import LENSES

from ..asking import Ask, question
from ..options import Whole, folder_option, level_option
from ..output import fail, say


def parse_steps(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Parse A..B, or a single number, as the first and last step."""
    if value is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})(?:\.\.([1-9][0-9]{0,8}))?", value)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise click.BadParameter(f"{value} is not a range of steps, such as 3..7")
    return int(match[1]), int(match[2] or match[1])


@question("Draw the graph from step to step.")
@level_option
@folder_option("The folder where the pictures go.", is_required=True)
@click.option("--format", "formats", multiple=True, type=click.Choice(["svg", "png", "gif", "apng"]), default=["svg"],
              show_default=True, help="Besides DOT; gif and apng are one animation of all.")  # fmt: skip
@click.option("--lens", type=click.Choice([*LENSES, "matching", "stages", "puzzle"]),
              help=", ".join([*LENSES.values(), "groups and values, their filter, or the puzzle as it is printed and "
                              "its solution."]).capitalize())  # fmt: skip
@click.option("--steps", callback=parse_steps, metavar="A..B", help="A picture for each of these steps.")
@click.option("--limit", type=Whole(min=1), default=100, show_default=True, metavar="N",
              help="The most pictures.")  # fmt: skip
@click.option("--speed", type=click.FloatRange(0.05, 60), default=1, show_default=True, metavar="X",
              help="How much faster an animation runs.")  # fmt: skip
@click.option("--scale", type=click.FloatRange(0.2, 8), default=1, show_default=True, metavar="X",
              help="How much larger pixels are drawn.")  # fmt: skip
def draw(
    ask: Ask,
    level: Level,
    out: Path,
    formats: tuple[str, ...],
    lens: str | None,
    steps: tuple[int, int] | None,
    limit: int,
    speed: float,
    scale: float,
) -> None:
    """Draw numbered snapshots of the graph of the spec FILE while it is solved.

    Those that an earlier run has left in DIR are removed; with --steps nothing is.
    """
    if str(out) == "-":
        raise click.BadParameter("pictures go into a folder; csp tree and csp levels print one", param_hint="--out")
    from csp import record
    from csp.render import write_frames

    nodes = 0 if lens == "puzzle" else steps[1] if steps else limit  # a node of the search has at least one step
    trace = record(ask.model, level, nodes=nodes)
    written = write_frames(trace, out, tuple(dict.fromkeys(formats)), limit, lens, steps, speed, scale)
    draws_groups = lens in ("matching", "stages")
    if not written and steps and not draws_groups:
        fail(f"csp: step {steps[0]} does not exist: the puzzle has fewer")
    if not written and draws_groups:
        fail("csp: no group of different values is at work in these steps")
    for path in written:
        say(path)
    if written.removed:
        say(f"csp: removed {written.removed} files of an earlier run from {out}", err=True)
    if written.omitted:
        say(f"csp: the limit left out {written.omitted} pictures; --limit takes more", err=True)
