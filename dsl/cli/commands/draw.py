"""The command ``csp draw``: draws numbered snapshots of the constraint graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from csp import Level
from csp.picture import LENSES

from ..asking import Ask, question
from ..options import Whole, folder, level_option, spare_inputs
from ..output import fail, say

ENDINGS = (".svg", ".png", ".pdf", ".dot", ".gif", ".apng", ".webm", ".mp4")
"""Endings of --out that name a file with one picture or one animation."""
MAX_OMISSIONS = 5
"""Maximum number of clauses that are reported as not drawn."""


def parse_steps(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Parse A..B or one number of --steps as the first and last step."""
    if value is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})(?:\.\.([1-9][0-9]{0,8}))?", value)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise click.BadParameter(f"{value} is not a range of steps, such as 3..7")
    return int(match[1]), int(match[2] or match[1])


def to_place(ctx: click.Context, option: click.Parameter, value: str) -> Path:
    """Return --out as the path of a picture or folder; refuse standard output."""
    if value == "-":
        raise click.BadParameter("pictures go into a folder or a file; csp tree and csp levels print one")
    is_picture = Path(value).suffix.lower() in ENDINGS and not Path(value).is_dir()
    return Path(value) if is_picture else folder(value, ctx, "a picture, such as steps.svg, or ")


@question(json=True)
@level_option
@click.option("-o", "--out", required=True, type=click.Path(allow_dash=True), callback=to_place, metavar="FILE|DIR",
              help="File of one picture, or folder of all pictures.")  # fmt: skip
@click.option("--frame", metavar="NAME", help="Picture for FILE, such as round-3 or 4; default last.")
@click.option("--format", "formats", multiple=True, default=["svg"], show_default=True,
              type=click.Choice(["svg", "png", "gif", "apng", "webm", "mp4"]),
              help="Format in DIR, with DOT; from gif on, animations.")  # fmt: skip
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
    frame: str | None,
    formats: tuple[str, ...],
    lens: str | None,
    steps: tuple[int, int] | None,
    limit: int,
    speed: float,
    scale: float,
) -> None:
    """Draw pictures of the graph while the spec FILE is solved.

    --out names one picture if it ends in .svg, .png, .pdf, .dot, .gif, .apng, .webm or .mp4.
    Without --steps, numbered pictures of an earlier run in DIR are removed, except pictures of single steps.

    Exit code: 0 drawn, 2 malformed input.

    Example: csp draw examples/shidoku.csp --out pictures --limit 3
    """
    from csp import record
    from csp.render import check_formats, write_frames, write_picture

    check_formats([*formats, out.suffix.lower().removeprefix(".")])
    nodes = 0 if lens == "puzzle" else steps[1] if steps else limit  # a node of the search has at least one step
    trace = record(ask.model, level, nodes=nodes)
    if out.suffix.lower() in ENDINGS and not out.is_dir():
        spare_inputs(str(out), ask.file, *ask.grids.values())
        try:
            not_drawn = write_picture(trace, out, lens, steps, frame, speed, scale)
        except LookupError as error:
            fail(f"csp: {error.args[0]}")
        ask.say(str(out), {"pictures": [str(out)], "omitted": [*not_drawn], "beyond_limit": 0, "removed": 0})
        report_omissions(ask, not_drawn)
        return
    written = write_frames(trace, out, tuple(dict.fromkeys(formats)), limit, lens, steps, speed, scale)
    draws_groups = lens in ("matching", "stages")
    if not written and steps and not draws_groups:
        fail(f"csp: step {steps[0]} does not exist: the puzzle has fewer steps")
    if not written and draws_groups:
        fail("csp: these steps use no all-different group")
    paths = [*map(str, written)]
    data = {"pictures": paths, "omitted": [*written.not_drawn], "beyond_limit": written.omitted}
    ask.say("\n".join(paths), {**data, "removed": written.removed})
    report_omissions(ask, written.not_drawn)
    if written.removed and not ask.as_json:
        say(f"csp: removed {written.removed} files of an earlier run from {out}", err=True)
    if written.omitted and not ask.as_json:
        say(f"csp: the limit left out {written.omitted} pictures; raise --limit for more", err=True)


def report_omissions(ask: Ask, not_drawn: Sequence[str]) -> None:
    """Print at most ``MAX_OMISSIONS`` clauses that the pictures leave out; nothing with --json."""
    if ask.as_json:
        return
    for line in not_drawn[:MAX_OMISSIONS]:
        say(f"csp: not drawn: {line}", err=True)
    if len(not_drawn) > MAX_OMISSIONS:
        say(f"csp: not drawn: {len(not_drawn) - MAX_OMISSIONS} more", err=True)
