"""How hard a puzzle is, by the way in which it is explained."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...model import Value
from .techniques import LADDER, Technique
from .view import Deduction
from .walk import Ending, Walker

FORMULA = "rating = hardest + (sum of the weights of all steps) / 100 + rounds + 20 / open"
"""How the rating is computed; ``hardest`` is the greatest weight of a step, and ``open`` a mean."""

DEEPER, INSIDE = 200, 5
"""What a supposition within a supposition adds to the weight of a step, and each step inside."""


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    Attributes
    ----------
    ending : {"solved", "no solution", "stuck"}
    rating : float
        By ``FORMULA``, to one place.
    hardest : str or None
        The technique of the step with the greatest weight; None if there is nothing to do.
    weight : int
        The greatest weight of a step.
    steps : mapping from str to int
        For every technique that is used, how many steps it has; the easiest first.
    rounds : int
        How often all steps that the easiest technique finds are made at once; of suppositions one.
    open : float
        How many steps that are, on average, to one place.
    depth : int
        How many suppositions are inside each other at most.
    """

    ending: Ending
    rating: float
    hardest: str | None
    weight: int
    steps: Mapping[str, int]
    rounds: int
    open: float
    depth: int


def rate(
    solver: Solver,
    givens: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    watch: Watch | None = None,
) -> Rating:
    """How hard a puzzle is: the same formula for any family.

    Parameters
    ----------
    solver : Solver
    givens : mapping from str to int or str, optional
        Values of variables, besides those that the model fixes.
    ladder : collection of Technique
        From the easiest to the hardest.
    watch : function, optional
        Told of the effort now and then; what it raises ends the walk.

    Returns
    -------
    Rating

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model, Solver, Variable
    >>> one = Equality(Variable("A"), 1)
    >>> model = Model({"A": (1, 2), "B": (1, 2, 3), "C": (2, 3), "D": (1, 2, 3, 4)}, [AllDifferent.of("ABCD"), one])
    >>> rated = rate(Solver(model))
    >>> rated.hardest, rated.rounds, rated.ending
    ('hidden single', 1, 'stuck')
    """
    walker = Walker(solver, givens, ladder, watch=watch)
    steps: dict[str, int] = {}
    hardest: tuple[int, str | None] = (0, None)
    total = rounds = found_open = depth = 0
    while (found := walker.find()) is not None:
        technique, _ = found
        view, several = walker.view, dict[tuple[int, int], Deduction]()
        for deduction in islice(technique.find(view), 1 if technique.supposes else None):
            several.setdefault((deduction.placed, deduction.removed), deduction)
        for deduction in several.values():
            walker.view = walker.view.after(deduction)
            own = technique.weight + INSIDE * len(deduction.inside) + DEEPER * max(0, deduction.depth - 1)
            hardest = max(hardest, (own, technique.name), key=lambda pair: pair[0])
            total += own
            depth = max(depth, deduction.depth)
        steps[technique.name] = steps.get(technique.name, 0) + len(several)
        rounds += 1
        found_open += len(several)
    mean = found_open / rounds if rounds else 0.0
    ending = walker.ending if walker.ending != "open" else "stuck"
    rating = hardest[0] + total / 100 + rounds + (20 / mean if mean else 0)
    order = [technique.name for technique in ladder if technique.name in steps]
    return Rating(
        ending, round(rating, 1), hardest[1], hardest[0], {name: steps[name] for name in order}, rounds,
        round(mean, 1), depth,
    )  # fmt: skip
