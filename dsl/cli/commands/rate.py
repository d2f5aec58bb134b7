"""The command ``csp rate``: rates how difficult a puzzle is for people."""

from __future__ import annotations

import click

from csp import Stopped
from csp.explain import FORMULA, Walker, rate_path
from csp.explain.steps.scale import published_value

from ..asking import Ask, question
from ..ladder import count_solutions
from ..progress import NO_SOLUTION, Ended


@question(json=True, timeout=True)
@click.option("--scale", type=click.Choice(["se"]), help="Also print the hardest step's value on this scale.")
def rate(ask: Ask, scale: str | None) -> None:
    """Rate the difficulty of the spec FILE for a person.

    The rating uses the steps of csp explain and has one formula for all kinds of puzzles.

    Exit code: 0 rated, 1 stuck or no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp rate examples/sudoku.csp
    """
    walker = Walker(ask.solver, progress=ask.progress)
    published = None
    try:
        walker.run()
        if scale:
            is_unique = count_solutions(ask.solver, ask.timeout, ask.progress).solutions == "one"
            published = published_value(ask.solver, is_unique, ask.progress)
    except (Stopped, Ended) as end:
        ask.stop(end, "the rating covers the steps so far")
    result = rate_path(walker)
    data = {
        "rating": result.rating, "level": result.level or None, "ending": result.ending,
        "hardest": result.hardest, "weight": result.weight,
        "steps": result.steps, "rounds": result.rounds, "depth": result.depth, "formula": FORMULA,
        "se": published and published[0],
    }  # fmt: skip
    lines = {
        **data,
        "rating": f"{result.rating}{f', {result.level}' if result.level else ''}",
        "hardest": f"{result.hardest} ({result.weight})" if result.hardest else "none",
        "steps": ", ".join([f"{count} {name}" for name, count in result.steps.items()]) or "none",
        "depth": f"{result.depth} nested assumptions",
    }
    if scale:
        lines["se"] = f"{published[0]} ({published[1]})" if published else "no published value for some step"
    text = "\n".join(
        [
            f"{name:8} {value}"
            for name, value in lines.items()
            if name not in ("weight", "level") and (scale or name != "se")
        ]
    )
    ask.finish(text, data, ask.code or (0 if result.ending == "solved" else NO_SOLUTION))
