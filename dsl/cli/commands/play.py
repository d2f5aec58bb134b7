"""The command ``csp play``: shows step by step how a spec is solved."""

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
from ...syntax.edit import fill_in, locate
from ...syntax.reading import read
from ..asking import Ask, question
from ..options import INPUT, Whole, build_model, level_option, load_model, out_option, spare_inputs
from ..output import deliver, fail, say

MAX_RECORDS = 40_000
"""Number of records after which decisions are counted only, so that a page opens within two seconds."""
COUNTED_PER_NODE = 10
"""Number of decisions that are counted for each one that --nodes records."""


@question()
@level_option
@out_option("Write a page that plays in any browser.", "PAGE")
@click.option("--nodes", type=Whole(min=0), default=150, show_default=True, metavar="N",
              help="Maximum number of decisions; 0 records propagation only.")  # fmt: skip
@click.option("--acts", type=INPUT, metavar="FILE", help="Replay a file of acts of csp studio.")
@click.option("--against", type=INPUT, metavar="level=LEVEL|FILE",
              help="Play another level or spec on the same page.")  # fmt: skip
@click.option("--predict", is_flag=True, help="Hide each step until the reader predicts it.")
def play(
    ask: Ask, level: Level, out: str | None, nodes: int, acts: str | None, against: str | None, predict: bool
) -> None:
    """Play the solving of the spec FILE step by step.

    Without -o, play in the terminal; with -o, write a page for a browser.

    Exit code: 0 played, 2 malformed input.

    Example: csp play examples/shidoku.csp -o shidoku.html
    """
    from csp import record
    from csp.trace import was_cut, with_solution

    ask.form(out, {".html": "page", ".htm": "page"}, "page")
    if predict and (out is None or against is not None):
        raise click.UsageError("--predict makes a page: give -o PAGE, and no --against")
    if against is not None:
        return play_against(ask, level, out, nodes, acts, against)
    if acts:
        from ...studio.modes import cut_off

        program, model = spec_after_acts(ask, acts)
        trace, order = record_acts(model, read(acts).splitlines(), level, nodes)
        note = " ".join(filter(None, (cut_off(trace, nodes), order)))
    else:
        program, model = with_options(ask)
        trace = record(model, level, nodes=nodes, most=MAX_RECORDS, counted=COUNTED_PER_NODE * nodes)
        # A trace that ends before the first solution continues with the solution itself.
        if nodes and was_cut(trace, nodes):
            trace = with_solution(trace, model)
        note = omission_note(trace, nodes)
    if out is None:
        show(trace)
    else:
        from csp.render import player

        text, title, included = describe_spec(ask, program)
        deliver(out, player(trace, text, title, note, included, predict).encode())
    if note:
        say(f"csp: {note}", err=True)


def describe_spec(ask: Ask, program: Program) -> tuple[str, str, dict[str, str]]:
    """Return a spec's text, a title for its page, and its included texts."""
    options = [f"{name} = {value}" for name, value in ask.param_texts.items()]
    options += [f"{name} from {visible(Path(path).name)}" for name, path in ask.grids.items()]
    included = {name: source.text for name, source in program.sources.items() if name}
    return program.source.text, " · ".join([Path(program.source.name).name, *options]), included


def with_options(ask: Ask) -> tuple[Program, Model]:
    """Write --set and --grid into the spec's text; return the new program and model.

    So the page shows the text that was run. Params and grids that the text does not declare stay options.
    """
    program, params, grids = ask.spec
    model = ask.model
    clauses = locate(program.source.text) if params or grids else []
    # Only clauses of the spec itself can be rewritten, not those of included files.
    declared = {item.clause.name for item in clauses if isinstance(item.clause, nodes.Param | nodes.Grid)}
    if declared.isdisjoint({*params, *grids}):
        return program, model
    # Write values into the text where it declares the name; pass on the others as options.
    declared_params = {name: value for name, value in params.items() if name in declared}
    declared_grids = {name: source.text for name, source in grids.items() if name in declared}
    title = f"{Path(program.source.name).name} with {', '.join([*declared_params, *declared_grids])} of its own"
    text = fill_in(program.source.text, clauses, title, declared_params, declared_grids, {})
    changed = Program(replace(program.source, text=text))
    params = {name: value for name, value in params.items() if name not in declared}
    return changed, build_model(
        changed, params, {name: source for name, source in grids.items() if name not in declared}
    )


def play_against(ask: Ask, level: Level, out: str | None, nodes: int, acts: str | None, against: str) -> None:
    """Write a page that plays two traces, of two levels or specs."""
    from csp import record
    from csp.render import against as render_films

    if out is None or acts:
        raise click.UsageError(
            "--against makes a page: give -o PAGE" if out is None else "--against does not go with --acts"
        )
    spec = Path(ask.spec[0].source.name).name
    if against.startswith("level="):
        second_level = other_level(level, against.removeprefix("level="))
        films, title = [(ask.model, level), (ask.model, second_level)], f"{spec} · {level} and {second_level}"
        names: list[str] = [level, second_level]
    else:
        ask.reads(against)
        spare_inputs(out, against)
        model = load_model(against, ask.param_texts, ask.grids)
        if ask.model.domains.keys().isdisjoint(model.domains):
            fail(f"csp: {ask.file} and {against} have no variable in common")
        films, names = [(ask.model, level), (model, level)], [spec, visible(Path(against).name)]
        title = f"{' and '.join(names)} · {level}"
    traces = [record(model, level_of_film, nodes=nodes) for model, level_of_film in films]
    notes = dict.fromkeys(filter(None, (omission_note(trace, nodes) for trace in traces)))
    deliver(out, render_films(traces, names, title, " ".join(notes)).encode())
    for note in notes:
        say(f"csp: {note}", err=True)


def other_level(level: Level, name: str) -> Level:
    """Return ``name`` as a level; refuse an unknown name, and ``level`` itself.

    ``level`` is the level of the first trace on the page.
    """
    for known_level in LEVELS:
        if known_level == name != level:
            return known_level
    reason = "is the level of the first film" if name == level else f"is not a level: {', '.join(LEVELS)}"
    raise click.BadParameter(f"{name} {reason}", param_hint="--against")


def spec_after_acts(ask: Ask, acts: str) -> tuple[Program, Model]:
    """Apply a file of studio acts to the spec; return its program and model."""
    ask.reads(acts)
    (program, params, grids), lines = ask.spec, read(acts).splitlines()
    program = Program(replace(program.source, text=apply_acts(program.source.text, lines)))
    return program, build_model(program, params, grids)


def show(trace: Trace) -> None:
    """Play a trace on a terminal; print only its captions elsewhere."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from csp import render

        render.play(trace)
    else:
        for line in trace.captions():
            say(line)


def omission_note(trace: Trace, nodes: int) -> str:
    """Return a note on the omitted part of a trace, or an empty text."""
    from csp.trace import Reached, decisions, omitted_part, was_cut

    ending = ", followed by its solution" if isinstance(trace.records[-1], Reached) else ""
    if counted_part := omitted_part(trace):
        recorded = f"The search is recorded up to decision {decisions(trace):,}{ending}"
        return f"{recorded}; {counted_part}; raise --nodes for more."
    if ending:
        return f"The search is recorded up to decision {nodes:,}{ending}; raise --nodes for more."
    if not was_cut(trace, nodes):
        return ""
    if not nodes:
        return "This is propagation only; raise --nodes to record the search."
    return f"The search is recorded up to decision {decisions(trace):,} and may continue; raise --nodes for more."
