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


@question()
@level_option
@folder_option("Folder of the pictures.", is_required=True)
@click.option("--format", "formats", multiple=True, type=click.Choice(["svg", "png", "gif", "apng"]), default=["svg"],
              show_default=True, help="Format in addition to DOT; gif and apng are animations.")  # fmt: skip
@click.option("--lens", type=click.Choice([*LENSES, "matching", "stages", "puzzle"]),
              help="View of the state; by default chosen for the puzzle.")  # fmt: skip
@click.option("--steps", callback=parse_steps, metavar="A..B", help="Draw these steps; by default the rounds.")
@click.option("--limit", type=Whole(min=1), default=100, show_default=True, metavar="N",
              help="Maximum number of pictures.")  # fmt: skip
@click.option("--speed", type=click.FloatRange(0.05, 60), default=1, show_default=True, metavar="X",
              help="Speed of animations as a factor.")  # fmt: skip
@click.option("--scale", type=click.FloatRange(0.2, 8), default=1, show_default=True, metavar="X",
              help="Size of PNG, GIF and APNG as a factor.")  # fmt: skip
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
    """Draw numbered pictures of the graph while the spec FILE is solved.

    Without --steps, pictures of an earlier run in DIR are removed.

    Exit code: 0 drawn, 2 malformed input.

    Example: csp draw examples/shidoku.csp --out pictures --limit 3
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
        fail(f"csp: step {steps[0]} does not exist: the puzzle has fewer steps")
    if not written and draws_groups:
        fail("csp: these steps use no all-different group")
    for path in written:
        say(path)
    if written.removed:
        say(f"csp: removed {written.removed} files of an earlier run from {out}", err=True)
    if written.omitted:
        say(f"csp: the limit left out {written.omitted} pictures; raise --limit for more", err=True)
