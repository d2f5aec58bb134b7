"""csp hint"""

from __future__ import annotations

import json
import sys

import click

from csp import Equality, Model, Solver, Strategy, Value, Variable
from csp.explain import Technique
from csp.explain import hint as next_hint
from csp.explain.steps.hints import HintLevel

from ..ladder import climbed, ladder_options
from ..options import json_option, load_model, pairs, read_once, spec_options, timeout_option
from ..output import say
from ..watch import NO_SOLUTION, deadline, watching


@click.command(short_help="Tell the next step: where, which technique, or what.")
@spec_options
@click.option("--filled", "filled", multiple=True, metavar="NAME=FILE", callback=pairs,
              help="What a person has written so far: the grid NAME as it is now, with givens or without.")  # fmt: skip
@click.option("--level", type=click.IntRange(1, 3), default=3, show_default=True,
              help="1 where to look, 2 also which technique, 3 the step itself.")  # fmt: skip
@ladder_options
@json_option
@timeout_option("Stop after S seconds.")
def hint(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    filled: dict[str, str],
    level: HintLevel,
    techniques: tuple[Technique, ...],
    uniqueness: bool,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Tell the easiest next step of the spec FILE, or which of the values that a person has written are wrong.

    Exit code: 0 a step, or solved; 1 something is wrong, there is no solution, or no technique finds a step; 2
    malformed input; 3 stopped by a limit.
    """
    with deadline(timeout):
        read_once([file, *grids.values(), *filled.values()])
        model = load_model(file, settings, grids)
        written = fixed(load_model(file, settings, {**grids, **filled})) if filled else {}
        solver = Solver(model, strategy=Strategy(seconds=timeout))
        with watching() as watch:
            ladder, is_unique = climbed(solver, techniques, uniqueness, timeout, watch)
            found = next_hint(solver, written, ladder, is_unique, watch)
    if as_json:
        step = None if found.step is None else found.step.as_dict()
        say(json.dumps({"kind": found.kind, "text": found.text(level), "wrong": found.wrong,
                        "step": step if level == 3 else None}))  # fmt: skip
    else:
        say(found.text(level))
    sys.exit(0 if found.kind in ("step", "solved") else NO_SOLUTION)


def fixed(model: Model) -> dict[str, Value]:
    """The values that a model fixes one by one."""
    return {
        str(one.scope[0]): one.right
        for one in model.constraints
        if isinstance(one, Equality) and one.equal and len(one.scope) == 1 and not isinstance(one.right, Variable)
    }
