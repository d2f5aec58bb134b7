"""The command ``csp worksheet``: prints exercise pages for pupils."""

from __future__ import annotations

from pathlib import Path

import click

from csp import Level
from csp.picture import LENSES

from ..asking import Ask, question
from ..options import level_option, out_option
from ..output import deliver, fail
from .draw import parse_steps

HIDES = ["removed", "queue", "reason"]
"""The parts of a picture that --hide can omit."""


@question()
@level_option
@out_option("Write the page to a .html file.", "PAGE")
@click.option("--steps", callback=parse_steps, metavar="A..B", help="Ask for these steps; by default for rounds.")
@click.option("--hide", "hides", multiple=True, type=click.Choice(HIDES), default=["removed"], show_default=True,
              help="Part to leave out; repeatable.")  # fmt: skip
@click.option("--lens", type=click.Choice([*LENSES]), help="View of the state; by default chosen for the puzzle.")
def worksheet(
    ask: Ask, level: Level, out: str | None, steps: tuple[int, int] | None, hides: tuple[str, ...], lens: str | None
) -> None:
    """Write printable pages for pupils: pictures with gaps, and a key.

    Each picture begins with the result of the previous one. Givens are never left out. Only --steps shows reasons.

    Exit code: 0 written, 2 malformed input.

    Example: csp worksheet examples/shidoku.csp -o sheet.html --hide queue
    """
    from csp import record
    from csp.render import worksheet as render_worksheet

    ask.form(out, {".html": "page", ".htm": "page"}, "page")
    if "reason" in hides and not steps:
        raise click.UsageError("a round has many reasons: --hide reason needs --steps A..B")
    trace = record(ask.model, level, nodes=steps[1] if steps else 0)
    page = render_worksheet(trace, hides, steps, lens, Path(ask.spec[0].source.name).name)
    if not page:
        missing = f"no step from {steps[0]} to {steps[1]}" if steps else "no round"
        hint = "draw steps of the search by --steps 1..9" if steps is None else "choose other --steps"
        fail(f"csp: {missing} removes more than the givens: {hint}, or another --level")
    deliver(out or "-", page.encode())
