"""The command ``csp hint``: shows the easiest next step, or wrong entries."""

from __future__ import annotations

from itertools import islice

import click

from csp import Model, Settings, Solver, Value
from csp.explain import SimpleWords, Technique
from csp.explain import hint as next_hint
from csp.explain.steps.hints import HintDetail

from ..asking import Ask, question
from ..ladder import choose_ladder, choose_words, ladder_options, words_options
from ..options import load_model, out_option, pairs
from ..output import deliver, say
from ..progress import NO_SOLUTION


@question(json=True, timeout=True)
@click.option("--filled", "filled", multiple=True, metavar="NAME=FILE", callback=pairs,
              help="Read the values that you filled in so far; repeatable.")  # fmt: skip
@click.option("--detail", type=click.IntRange(1, 3), default=3, show_default=True, metavar="N",
              help="Show 1: the place, 2: also the technique, 3: everything.")  # fmt: skip
@ladder_options
@words_options
@out_option("Draw the hint (.svg).")
def hint(
    ask: Ask,
    filled: dict[str, str],
    detail: HintDetail,
    techniques: tuple[Technique, ...],
    uniqueness: bool,
    words: str,
    language: str | None,
    out: str | None,
) -> None:
    """Show the easiest next step of the spec FILE, or wrong values.

    With --filled, check first whether the filled-in values agree with the solution.

    Exit code: 0 step or solved, 1 wrong value, stuck or no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp hint examples/sudoku.csp --detail 2
    """
    ask.form(out, {".svg": "svg"}, "svg")
    ask.reads(*filled.values())
    model = ask.model
    writer = choose_words(model, words, language)
    # The filled grid replaces the grid of the spec; its givens are the values on the board.
    filled_values = fixed_values(load_model(ask.file, ask.param_texts, {**ask.grids, **filled})) if filled else {}
    solver = Solver(model, settings=Settings(seconds=ask.timeout))
    ladder, is_unique = choose_ladder(solver, techniques, uniqueness, ask.timeout, ask.progress)
    result = next_hint(solver, filled_values, ladder, is_unique, ask.progress)
    # A puzzle with several solutions has no step to its solution; a search finds a single one.
    solutions = len([*islice(solver.solutions(progress=ask.progress), 2)]) if result.kind == "stuck" else 0
    step = result.step.as_dict() if result.step is not None and detail == 3 else None
    text = result.text(detail) if writer is None else writer.hint_text(result, detail)
    data = {"kind": result.kind, "text": text, "wrong": result.wrong, "step": step}
    ask.end()
    if out != "-":
        legend = SimpleWords(model).legend if writer is None and step is not None else []
        ask.say("\n".join([text, *legend]), data)
    if solutions == 1:
        say(f"csp: the puzzle has one solution: csp solve {ask.file} finds it by search", err=True)
    if solutions == 2:
        say(f"csp: the puzzle has several solutions: run csp check {ask.file} to see two of them", err=True)
    if out is not None:
        from csp.render import hint_svg

        deliver(out, hint_svg(model, result, detail, writer).encode())
    ask.code = 0 if result.kind in ("step", "solved") else NO_SOLUTION


def fixed_values(model: Model) -> dict[str, Value]:
    """Return the variables that a model's givens fix, with their values."""
    return dict(constraint.given for constraint in model.constraints if constraint.given)
