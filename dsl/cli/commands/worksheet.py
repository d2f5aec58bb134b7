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


@question("Print pages with holes to fill in, and a key.")
@level_option
@out_option("Where the page goes, instead of standard output: a .html file.", "PAGE")
@click.option("--steps", callback=parse_steps, metavar="A..B", help="Ask for each of these steps, not for rounds.")
@click.option("--hide", "hides", multiple=True, type=click.Choice(HIDES), default=["removed"], show_default=True,
              help="What is left out; may be given more than once.")  # fmt: skip
@click.option("--lens", type=click.Choice([*LENSES]), help=f"{', '.join(LENSES.values())}.".capitalize())
def worksheet(
    ask: Ask, level: Level, out: str | None, steps: tuple[int, int] | None, hides: tuple[str, ...], lens: str | None
) -> None:
    """Print pages for pupils: pictures of the spec FILE while it is solved, in which something is left out, lines to
    write it on, and a key on the last page.

    Without --steps the pictures are those of the rounds of propagation; with it, of single steps, which have reasons.
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
        fail(f"csp: {missing} removes more than the givens do: {hint}, or another --level")
    deliver(out or "-", page.encode())
