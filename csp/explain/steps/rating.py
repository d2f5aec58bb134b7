"""How hard a puzzle is, by the way in which it is explained."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Literal

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...ground.frozen import Frozen
from ...model import Value
from .techniques import LADDER, Technique
from .walk import Ending, Walker

FORMULA = "rating = hardest + (sum of the weights of all steps) / 100 + rounds + 20 / open"
"""How the rating is computed; ``hardest`` is the greatest weight of a step, and ``open`` a mean."""

DEEPER, INSIDE = 200, 5
"""What a supposition within a supposition adds to the weight of a step, and each step inside."""


class Rating(Frozen):
    """How hard a puzzle is.

    Attributes
    ----------
    ending : {"solved", "no solution", "stuck", "stopped"}
        Stopped: a limit came first, and the rest is that of the way so far.
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

    ending: Literal[Ending, "stopped"]
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
        Progress callback: called often with the effort so far; an exception it raises ends the walk.

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
    rater = Rater(solver, givens, ladder, watch)
    rater.run()
    return rater.rating


class Rater:
    """Rates a puzzle round by round, so that there is a rating when a limit comes first.

    Parameters
    ----------
    solver, givens, ladder, watch
        As for ``rate``.
    """

    def __init__(
        self,
        solver: Solver,
        givens: Mapping[str, Value] | None = None,
        ladder: Collection[Technique] = LADDER,
        watch: Watch | None = None,
    ) -> None:
        self._walker = Walker(solver, givens, ladder, watch=watch)
        self._steps: dict[str, int] = {}
        self._hardest: tuple[int, str | None] = (0, None)
        self._total = self._rounds = self._depth = 0
        self._is_over = False

    def run(self) -> None:
        """Go the whole way; what the watch raises ends it, and the rating is that of the way so far."""
        walker = self._walker
        while (found := walker.find()) is not None:
            technique, first = found
            view, several = walker.view, {(first.placed, first.removed): first}
            for deduction in islice(technique.find(view), 0 if technique.supposes else None):
                several.setdefault((deduction.placed, deduction.removed), deduction)
            for deduction in several.values():
                walker.view = walker.view.after(deduction)
                own = technique.weight + INSIDE * len(deduction.inside) + DEEPER * max(0, deduction.depth - 1)
                self._hardest = max(self._hardest, (own, technique.name), key=lambda pair: pair[0])
                self._total += own
                self._depth = max(self._depth, deduction.depth)
            self._steps[technique.name] = self._steps.get(technique.name, 0) + len(several)
            self._rounds += 1
        self._is_over = True

    @property
    def rating(self) -> Rating:
        """How hard the way is, as far as it was gone."""
        rounds, count = self._rounds, sum(self._steps.values())
        mean = count / rounds if rounds else 0.0
        ending: Literal[Ending, "stopped"] = self._walker.ending
        if ending == "open":
            ending = "stuck" if self._is_over else "stopped"
        weight, hardest = self._hardest
        rating = weight + self._total / 100 + rounds + (20 / mean if mean else 0)
        steps = {one.name: self._steps[one.name] for one in self._walker.ladder if one.name in self._steps}
        return Rating(ending, round(rating, 1), hardest, weight, steps, rounds, round(mean, 1), self._depth)
