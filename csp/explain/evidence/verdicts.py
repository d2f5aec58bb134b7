"""How many solutions a model has, up to two, and the evidence."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from itertools import islice
from typing import Literal

from ...engine.ask.answers import Solution
from ...engine.ask.engine import last
from ...engine.ask.solver import Solver
from ...engine.effort import Effort, Watch
from ...ground.errors import Stopped
from ...ground.frozen import Frozen
from ...ground.notation import quoted
from ...model import Candidate, Constraint, Model, Objective, Variable
from ...story import Failure, caption
from .failing import failing

LONGEST = 60
"""The most letters of an objective that a sentence quotes."""

MOST_NAMED = 5
"""How many variables or constraints a sentence names."""


class Verdict(Frozen):
    """How many solutions there are, and what shows it.

    Attributes
    ----------
    solutions : {"none", "one", "several", "unknown"}
    found : tuple of Solution
        Up to two.
    stopped : str
        Which limit ended the search, where that is unknown.
    failure : Failure or None
        Where propagation finds that there is none; None if only search does.
    takers : tuple of Constraint
        Those that have taken values from the variables of that failure.
    order : tuple of Variable
        All variables, those that an answer shows first.
    objective : Objective or None
        What makes a solution better than another; then the solutions are the best ones.
    is_best : bool
        Whether it is proved that none is better.
    effort : Effort
        What it has cost.
    """

    solutions: Literal["none", "one", "several", "unknown"]
    found: tuple[Solution, ...] = ()
    stopped: str = ""
    failure: Failure | None = None
    takers: tuple[Constraint, ...] = ()
    order: tuple[Variable, ...] = field(default=(), repr=False)
    objective: Objective | None = None
    is_best: bool = True
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)

    @property
    def best(self) -> int | tuple[int, ...] | None:
        """How good the solutions are, where there is an objective and one is known."""
        return self.objective.worth(self.found[0]) if self.objective and self.found else None

    @property
    def differences(self) -> tuple[tuple[Candidate, Candidate], ...]:
        """Where the two solutions differ: each variable with its value in one and in the other."""
        if len(self.found) < 2:
            return ()
        one, other = self.found
        return tuple([((v, one[v]), (v, other[v])) for v in self.order if one[v] != other[v]])

    @property
    def message(self) -> str:
        """The verdict in a sentence."""
        match self.solutions:
            case "unknown":
                some = "at least one solution" if self.found else "not known"
                return f"{self._how_good()}{some}; stopped by {self.stopped}"
            case "none":
                return "no solution" + (self._reason() if not self.stopped else "")
            case "one":
                return f"{self._how_good()}one solution"
        return f"{self._how_good()}several solutions: {self._difference()}"

    def _how_good(self) -> str:
        if not self.objective or self.best is None:
            return ""
        what = f"the {self.objective.superlative} {_short(', '.join([e.text() for e in self.objective.expressions]))}"
        best = self.objective.told(self.best)
        return f"{what} is {best}, " if self.is_best else f"{what} so far is {best}, "

    def _reason(self) -> str:
        if self.failure is None:
            return ": only search finds that out"
        takers = () if self.failure.takers else self.takers  # which the failure tells itself
        named = [constraint.place for constraint in takers[:MOST_NAMED]]
        more = f" and {len(takers) - MOST_NAMED} more" if len(takers) > MOST_NAMED else ""
        because = f", because of {', '.join(named)}{more}" if named else ""
        return f": {caption(self.failure).removeprefix('failure · ')}{because}"

    def _difference(self) -> str:
        ((variable, value), (_, other)), *others = self.differences
        said = f"{variable} is {quoted(value)} in one and {quoted(other)} in another; "
        if not others:
            return said + "no other variable differs"
        named = ", ".join([f"{v} is {quoted(a)} or {quoted(b)}" for (v, a), (_, b) in others[:MOST_NAMED]])
        more = ", ..." if len(others) > MOST_NAMED else ""
        return f"{said}{len(others) + 1:,} of {len(self.order):,} variables differ: {named}{more}"


def verdict(solver: Solver | Model, watch: Watch | None = None) -> Verdict:
    """How many solutions there are, up to two.

    Parameters
    ----------
    solver : Solver or Model
        The limits of a solver hold; a model is compiled.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search,
        or the search for a reason.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> print(verdict(Solver(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]))).message)
    several solutions: A is 1 in one and 2 in another; 2 of 2 variables differ: B is 2 or 1
    >>> print(verdict(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")]))).message)
    no solution: B has no value left: 1 by pair
    """
    solver = solver if isinstance(solver, Solver) else Solver(solver)
    model = solver.model
    order = tuple(dict.fromkeys([*model.shown, *model.domains]))
    told = partial(Verdict, order=order, objective=model.objective)
    effort = Effort()
    if model.objective:
        answers = solver.better(watch=watch)
        best = last(answers)
        effort.add(answers.effort)
        if answers.stopped:
            return told("unknown", (best,) if best else (), answers.stopped, is_best=False, effort=effort)
        solver = Solver(model.as_good_as(best), strategy=solver.strategy) if best else solver
    answers = solver.solutions(watch=watch)
    found = tuple(islice(answers, 2))
    effort.add(answers.effort)
    if answers.stopped:
        return told("unknown", found, answers.stopped, effort=effort)
    if found:
        return told("one" if len(found) == 1 else "several", found, effort=effort)
    try:
        failure, takers = failing(solver, watch) or (None, ())
    except Stopped as limit:
        return told("none", stopped=str(limit), effort=effort)
    return told("none", failure=failure, takers=takers, effort=effort)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
