"""csp explain"""

from __future__ import annotations

import click

from csp import Solver, Stopped, Strategy, counted
from csp.explain import TECHNIQUES, Technique, Verdict, Walker, report, verdict

from ..asking import Ask, question
from ..ladder import climbed, ladder_options
from ..watch import NO_SOLUTION, Ended


@question(
    "Explain the way to the solution, step by step.", json=True, timeout=True,
    epilog=f"Techniques, the easiest first: {', '.join(TECHNIQUES)}.",
)  # fmt: skip
@click.option("--until", type=click.IntRange(min=1), metavar="N", help="Stop after N steps.")
@ladder_options
@click.option("--report", "compact", is_flag=True, help="Print how far singles come, pass by pass, on one line.")
def explain(ask: Ask, until: int | None, techniques: tuple[Technique, ...], uniqueness: bool, compact: bool) -> None:
    """Explain how the spec FILE can be solved by a person: the easiest next step each time, and why.

    Exit code: 0 solved, or as many steps as wanted; 1 no solution, or no technique finds more; 2 malformed input; 3
    stopped by a limit; 130 by Ctrl-C.
    """
    if compact:
        line = report(ask.solver)
        return ask.say(line, {"report": line})
    solver = ask.solver
    ladder, is_unique = climbed(solver, techniques, uniqueness, ask.timeout, ask.watch)
    print_steps(ask, Walker(solver, None, ladder, is_unique, ask.watch), until)


def print_steps(ask: Ask, walker: Walker, until: int | None) -> None:
    """Print steps as they are found, and how they end."""
    steps = 0
    try:
        for step in walker if until is None else walker.first(until):
            steps += 1
            first, *more = step.lines
            text = "\n".join([f"{steps}. {first}", *("   " + line for line in more)])
            ask.say(text, {"step": steps, **step.as_dict()})
    except (Stopped, Ended) as end:
        return ask.stop(end, f"{counted(steps, 'step')} so far")
    ending = "open" if until is not None and steps == until and walker.ending == "open" else walker.ending
    message = known = walker.conflict
    still, code = walker.open, 0 if ending in ("solved", "open") else NO_SOLUTION
    if ending == "open" and steps != until:
        found = verdict(Solver(ask.model, strategy=Strategy(seconds=ask.timeout)), ask.watch)
        ending, message, known = "stuck", found.message, outlook(found)
        code = ask.watch.code if found.solutions == "unknown" else NO_SOLUTION
    data = {"ending": ending, "steps": steps, "open": still, "message": message}
    ask.tell(ending_text(ending, steps, still, known), data, code)


def outlook(found: Verdict) -> str:
    """What is known of the solutions of a puzzle where no technique finds more, in a sentence."""
    if found.best is not None:
        return found.message
    is_open = found.solutions == "unknown" and not found.found
    return f"{'whether the puzzle has a solution is' if is_open else 'the puzzle has'} {found.message}"


def ending_text(ending: str, steps: int, still: int, known: str) -> str:
    """How the steps end, in a sentence."""
    match ending:
        case "solved":
            return f"solved in {counted(steps, 'step')}"
        case "no solution":
            return f"no solution: {known}"
        case "stuck":
            return f"no technique finds more; {counted(still, 'variable')} open; {known}"
    return f"{counted(steps, 'step')}; {counted(still, 'variable')} open"
