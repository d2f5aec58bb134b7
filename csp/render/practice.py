"""Write a printable sheet of puzzles, with the steps of a technique in its key.

``csp generate`` calls it; the page has no scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..base.notation import counted
from ..engine.solver.solver import Solver
from ..explain.steps.techniques import Technique
from ..explain.steps.walk import Walker
from ..model import Model
from ..picture.explained.links import ShownStep, shown_steps
from ..picture.plan import Plan
from .page.worksheet import sheet
from .solved import printed_svg, solution_svg
from .steps import step_svg


def practice_sheet(
    puzzles: Sequence[Model], needed: Sequence[str], ladder: Sequence[Technique], title: str = ""
) -> str:
    """Return an HTML page of puzzles to solve by hand, with answers at the end.

    Parameters
    ----------
    puzzles : sequence of Model
        Puzzles with one solution each.
    needed : sequence of str
        The names of the techniques that the puzzles need; the key draws the first step of each.
    ladder : sequence of Technique
        The techniques that solve the puzzles, from the easiest to the hardest.
    title : str

    Returns
    -------
    str
        A complete HTML document without scripts, which loads nothing.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Variable
    >>> from csp.explain import TECHNIQUES
    >>> cells = [Variable("cell", 1, c) for c in (1, 2)]
    >>> rules = [AllDifferent.of(cells, label="row"), Equality(cells[0], 1)]
    >>> puzzle = Model({v: (1, 2) for v in cells}, rules)
    >>> page = practice_sheet([puzzle], ["full house"], [TECHNIQUES["full house"]])
    >>> "1 puzzle · each needs full house" in page, page.count("step 1: full house")
    (True, 1)
    """
    needs = f" · each needs {' and '.join(needed)}" if needed else ""
    return sheet(
        title or "puzzles",
        f"{counted(len(puzzles), 'puzzle')}{needs} · the key is at the end",
        tasks=[f"<section><h2>Puzzle {i}</h2>{printed_svg(model)}</section>" for i, model in enumerate(puzzles, 1)],
        key=[_key(i, model, needed, ladder) for i, model in enumerate(puzzles, 1)],
        is_wide=bool(needed),
    )


def _key(number: int, model: Model, needed: Sequence[str], ladder: Sequence[Technique]) -> str:
    """Return a puzzle's answer as HTML: first steps of needed techniques, and the solution."""
    solver, plan = Solver(model), Plan(model)
    solution = solver.solve()
    assert solution is not None
    first_steps: dict[str, tuple[int, ShownStep]] = {}
    for i, shown in enumerate(shown_steps(Walker(solver, ladder=ladder, is_unique=True)), 1):
        first_steps.setdefault(shown.step.technique, (i, shown))
        if first_steps.keys() >= {*needed}:
            break
    pictures = [
        f"<h3>step {i}: {escape(name)}</h3>{step_svg(plan, shown)}"
        for name, (i, shown) in first_steps.items()
        if name in needed
    ]
    return f"<li><h2>Puzzle {number}</h2>{''.join(pictures)}<h3>solution</h3>{solution_svg(model, solution)}</li>"
