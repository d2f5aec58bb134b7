"""csp play"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from csp import LEVELS, Level, Model, Trace
from csp.base.notation import visible

from ...semantics.clauses.build import Program
from ...studio.acts import apply_acts, record_acts
from ...syntax import nodes
from ...syntax.editing.edit import locate
from ...syntax.editing.fill import fill_in
from ...syntax.reading import read
from ..asking import Ask, question
from ..options import INPUT, Whole, build_model, level_option, load_model, out_option, spare_inputs
from ..output import deliver, fail, say


@question()
@level_option
@out_option("Write one HTML file that plays anywhere.", "PAGE")
@click.option("--nodes", type=Whole(min=0), default=150, show_default=True, metavar="N",
              help="The most decisions of the search to record; 0 is propagation alone.")  # fmt: skip
@click.option("--acts", type=INPUT, metavar="FILE", help="What was done on the page of csp studio, a line each.")
@click.option("--against", type=INPUT, metavar="level=LEVEL|FILE",
              help="Play another level, or another spec, beside it on the same page.")  # fmt: skip
@click.option("--predict", is_flag=True, help="The page asks what each step takes before it shows it.")
def play(
    ask: Ask, level: Level, out: str | None, nodes: int, acts: str | None, against: str | None, predict: bool
) -> None:
    """See the spec FILE solved step by step, in the terminal or as a page for a browser."""
    from csp import record
    from csp.trace import was_cut, with_solution

    ask.form(out, {".html": "page", ".htm": "page"}, "page")
    if predict and (out is None or against is not None):
        raise click.UsageError("--predict makes a page: give -o PAGE, and no --against")
    if against is not None:
        return beside(ask, level, out, nodes, acts, against)
    if acts:
        from ...studio.modes import cut_off

        program, model = acted_on(ask, acts)
        trace, order = record_acts(model, read(acts).splitlines(), level, nodes)
        note = " ".join(filter(None, (cut_off(trace, nodes), order)))
    else:
        program, model = ran(ask)
        trace = record(model, level, nodes=nodes)
        if nodes and was_cut(trace, nodes):
            trace = with_solution(trace, model)
        note = left_out(trace, nodes)
    if out is None:
        show(trace)
    else:
        from csp.render import player

        text, title, included = described(ask, program)
        deliver(out, player(trace, text, title, note, included, predict).encode())
    if note:
        say(f"csp: {note}", err=True)


def described(ask: Ask, program: Program) -> tuple[str, str, dict[str, str]]:
    """The text of a spec, what its page is called, and the texts that it includes."""
    options = [f"{name} = {value}" for name, value in ask.param_texts.items()]
    options += [f"{name} from {visible(Path(path).name)}" for name, path in ask.grids.items()]
    included = {name: source.text for name, source in program.sources.items() if name}
    return program.source.text, " · ".join([Path(program.source.name).name, *options]), included


def ran(ask: Ask) -> tuple[Program, Model]:
    """The spec with the params and grids that are asked for in the places of its own: what the page shows was run."""
    program, params, grids = ask.spec
    model = ask.model
    clauses = locate(program.source.text) if params or grids else []
    own = {one.clause.name for one in clauses if isinstance(one.clause, nodes.Param | nodes.Grid)}
    if own.isdisjoint({*params, *grids}):
        return program, model
    inside = {name: value for name, value in params.items() if name in own}
    drawn = {name: source.text for name, source in grids.items() if name in own}
    title = f"{Path(program.source.name).name} with {', '.join([*inside, *drawn])} of its own"
    text = fill_in(program.source.text, clauses, title, inside, drawn, {})
    changed = Program(replace(program.source, text=text))
    params = {name: value for name, value in params.items() if name not in own}
    return changed, build_model(changed, params, {name: one for name, one in grids.items() if name not in own})


def beside(ask: Ask, level: Level, out: str | None, nodes: int, acts: str | None, against: str) -> None:
    """Two films on one page: of two levels, or of two specs."""
    from csp import record
    from csp.render import against as painted

    if out is None or acts:
        raise click.UsageError("--against makes a page: give -o PAGE" if out is None else "--against takes no --acts")
    spec = Path(ask.spec[0].source.name).name
    if against.startswith("level="):
        other = other_level(level, against.removeprefix("level="))
        films, title = [(ask.model, level), (ask.model, other)], f"{spec} · {level} and {other}"
        names: list[str] = [level, other]
    else:
        ask.reads(against)
        spare_inputs(out, against)
        model = load_model(against, ask.param_texts, ask.grids)
        if ask.model.domains.keys().isdisjoint(model.domains):
            fail(f"csp: {ask.file} and {against} have no variable in common")
        films, names = [(ask.model, level), (model, level)], [spec, visible(Path(against).name)]
        title = f"{' and '.join(names)} · {level}"
    traces = [record(model, at, nodes=nodes) for model, at in films]
    notes = dict.fromkeys(filter(None, (left_out(trace, nodes) for trace in traces)))
    deliver(out, painted(traces, names, title, " ".join(notes)).encode())
    for note in notes:
        say(f"csp: {note}", err=True)


def other_level(level: Level, name: str) -> Level:
    """The level of the second film."""
    for one in LEVELS:
        if one == name != level:
            return one
    reason = "is the level of the first film" if name == level else f"is no level: one of {', '.join(LEVELS)}"
    raise click.BadParameter(f"{name} {reason}", param_hint="--against")


def acted_on(ask: Ask, acts: str) -> tuple[Program, Model]:
    """The spec after the acts of a file."""
    ask.reads(acts)
    (program, params, grids), lines = ask.spec, read(acts).splitlines()
    program = Program(replace(program.source, text=apply_acts(program.source.text, lines)))
    return program, build_model(program, params, grids)


def show(trace: Trace) -> None:
    """Play on a terminal; anywhere else, print the captions."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from csp import render

        render.play(trace)
    else:
        for line in trace.captions():
            say(line)


def left_out(trace: Trace, nodes: int) -> str:
    """What the limits on decisions and events may have left out of a trace."""
    from csp.trace import Reached, decisions, was_cut

    if isinstance(trace.records[-1], Reached):
        return f"The search is recorded up to decision {nodes:,}, and then its solution; --nodes takes more."
    if not was_cut(trace, nodes):
        return ""
    if not nodes:
        return "This is propagation alone; --nodes takes the search, too."
    return f"The search is recorded up to decision {decisions(trace):,} and may go on after it; --nodes takes more."
