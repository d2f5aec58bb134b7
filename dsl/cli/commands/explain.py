"""csp explain"""

from __future__ import annotations

import json
import sys

import click

from csp import Solver, Stopped, Strategy
from csp.explain import TECHNIQUES, Technique, Walker, report, verdict

from ...text.errors import plural
from ..ladder import climbed, ladder_options
from ..options import json_option, load_model, spec_options, timeout_option
from ..output import say
from ..watch import NO_SOLUTION, Ended, Watch, deadline, say_stopped, watching


@click.command(
    short_help="Explain the way to the solution, step by step.",
    epilog=f"Techniques, the easiest first: {', '.join(TECHNIQUES)}.",
)
@spec_options
@click.option("--until", type=click.IntRange(min=1), metavar="N", help="Stop after N steps.")
@ladder_options
@click.option("--report", "compact", is_flag=True, help="Print how far singles come, pass by pass, on one line.")
@json_option
@timeout_option("Stop after S seconds.")
def explain(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    until: int | None,
    techniques: tuple[Technique, ...],
    uniqueness: bool,
    compact: bool,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Explain how the spec FILE can be solved by a person: the easiest next step each time, and why.

    Exit code: 0 solved, or as many steps as wanted; 1 no solution, or no technique finds more; 2 malformed input; 3
    stopped by a limit.
    """
    with deadline(timeout):
        solver = Solver(load_model(file, settings, grids))
        if compact:
            line = report(solver)
            say(json.dumps({"report": line}) if as_json else line)
            return
        with watching() as watch:
            ladder, is_unique = climbed(solver, techniques, uniqueness, timeout, watch)
            walker = Walker(solver, None, ladder, is_unique, watch)
            code = print_steps(solver, walker, until, as_json, timeout, watch)
    sys.exit(code)


def print_steps(
    solver: Solver, walker: Walker, until: int | None, as_json: bool, timeout: float | None, watch: Watch
) -> int:
    """Print steps as they are found, and how they end; the exit code."""
    steps = 0
    try:
        for step in walker if until is None else walker.first(until):
            steps += 1
            if as_json:
                say(json.dumps({"step": steps, **step.as_dict()}))
            else:
                first, *more = step.lines
                say("\n".join([f"{steps}. {first}", *("   " + line for line in more)]))
    except (Stopped, Ended) as end:
        watch.code = end.code if isinstance(end, Ended) else watch.code
        return say_stopped(str(end), f"{plural(steps, 'step')} so far", watch)
    ending = "open" if until is not None and steps == until and walker.ending == "open" else walker.ending
    message = ""
    if ending == "open" and steps != until:
        ending = "stuck"
        message = verdict(Solver(solver.model, strategy=Strategy(seconds=timeout)), watch).message
    still = walker.open
    if as_json:
        say(json.dumps({"ending": ending, "steps": steps, "open": still, "message": walker.conflict or message}))
    else:
        say(told(ending, steps, still, walker.conflict or message))
    return 0 if ending in ("solved", "open") else NO_SOLUTION


def told(ending: str, steps: int, still: int, message: str) -> str:
    """How the steps end, in a sentence."""
    match ending:
        case "solved":
            return f"solved in {plural(steps, 'step')}"
        case "no solution":
            return f"no solution: {message}"
        case "stuck":
            return f"no technique finds more; {plural(still, 'variable')} open; the puzzle has {message}"
    return f"{plural(steps, 'step')}; {plural(still, 'variable')} open"
