"""csp play"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from csp import Level, Model, Trace

from ...meaning.clauses.build import Program
from ...studio.acts import acted
from ...text.reading import read
from ..asking import Ask, question
from ..options import INPUT, build_model, level_option, out_option
from ..output import deliver, say
from ..watch import was_cut


@question()
@level_option
@out_option("Write one HTML file that plays anywhere.", "PAGE")
@click.option("--nodes", type=click.IntRange(min=0), default=150, show_default=True, metavar="N",
              help="The most decisions of the search to record; 0 is propagation alone.")  # fmt: skip
@click.option("--acts", type=INPUT, metavar="FILE", help="What was done on the page of csp studio, a line each.")
def play(ask: Ask, level: Level, out: str | None, nodes: int, acts: str | None) -> None:
    """See the spec FILE solved step by step, in the terminal or as a page for a browser."""
    from csp import record

    ask.form(out, {".html": "page", ".htm": "page"}, "page")
    program, model = acted_on(ask, acts) if acts else (ask.spec[0], ask.model)
    trace = record(model, level, nodes=nodes)
    note = left_out(trace, nodes)
    if out is None:
        show(trace)
    else:
        from csp.paint import player

        options = [f"{name} = {value}" for name, value in ask.settings.items()]
        options += [f"{name} from {Path(path).name}" for name, path in ask.grids.items()]
        title = " · ".join([Path(program.source.name).name, *options])
        included = {name: source.text for name, source in program.sources.items() if name}
        deliver(out, player(trace, program.source.text, title, note, included).encode())
    if note:
        say(f"csp: {note}", err=True)


def acted_on(ask: Ask, acts: str) -> tuple[Program, Model]:
    """The spec after the acts of a file."""
    ask.reads(acts)
    (program, params, grids), lines = ask.spec, read(acts).splitlines()
    program = Program(replace(program.source, text=acted(program.source.text, lines)))
    return program, build_model(program, params, grids)


def show(trace: Trace) -> None:
    """Play on a terminal; anywhere else, print the captions."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from csp import paint

        paint.play(trace)
    else:
        for line in trace.captions():
            say(line)


def left_out(trace: Trace, nodes: int) -> str:
    """What the limit on decisions may have left out of a trace."""
    if not was_cut(trace, nodes):
        return ""
    if not nodes:
        return "This is propagation alone; --nodes takes the search, too."
    return f"The search is recorded up to decision {nodes:,} and may go on after it; --nodes takes more."
