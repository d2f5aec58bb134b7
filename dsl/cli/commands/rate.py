"""csp rate"""

from __future__ import annotations

from csp import Stopped
from csp.explain import FORMULA, Rater

from ..asking import Ask, question
from ..progress import NO_SOLUTION, Ended


@question("Rate how hard the puzzle is to solve by a person.", json=True, timeout=True)
def rate(ask: Ask) -> None:
    """Rate the spec FILE by the way in which csp explain solves it, with the same formula for every kind of puzzle.

    Exit code: 0 rated, 1 no solution, or no technique finds the way to one; 2 malformed input; 3 stopped by
    a limit, with the rating of the way so far.
    """
    rater = Rater(ask.solver, progress=ask.progress)
    try:
        rater.run()
    except (Stopped, Ended) as end:
        ask.stop(end, "the rating is that of the way so far")
    found = rater.rating
    data = {
        "rating": found.rating, "ending": found.ending, "hardest": found.hardest, "weight": found.weight,
        "steps": found.steps, "rounds": found.rounds, "open": found.open, "depth": found.depth, "formula": FORMULA,
    }  # fmt: skip
    lines = {
        **data,
        "hardest": f"{found.hardest} ({found.weight})" if found.hardest else "none",
        "steps": ", ".join([f"{count} {name}" for name, count in found.steps.items()]) or "none",
        "open": f"{found.open} steps at once",
        "depth": f"{found.depth} suppositions inside each other",
    }
    text = "\n".join([f"{name:8} {value}" for name, value in lines.items() if name != "weight"])
    ask.tell(text, data, ask.code or (0 if found.ending == "solved" else NO_SOLUTION))
