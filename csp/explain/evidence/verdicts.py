"""Decide whether a model has no solution, one, or several."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from itertools import islice
from typing import Literal

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...base.notation import quoted
from ...engine.effort import Effort, Progress
from ...engine.solver.answers import Solution
from ...engine.solver.engine import last
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Model, Objective, Variable
from ...trace import Failure, caption
from .find_failure import find_failure

MAX_LENGTH = 60
"""Maximum number of characters of an objective in a message; the rest is cut off."""

MAX_NAMED = 5
"""Maximum number of variables or constraints that a message names."""


class Verdict(Frozen):
    """The answer whether a model has no solution, exactly one, or several.

    Attributes
    ----------
    solutions : {"none", "one", "several", "unknown"}
    found : tuple of Solution
        Up to two solutions.
    stopped : str
        For "unknown": the limit that ended the search.
    failure : Failure or None
        The failure with which propagation refutes the model; None if only search does.
    removed_by : tuple of Constraint
        The constraints that removed values from the variables of the failure.
    order : tuple of Variable
        All variables, the shown ones first.
    objective : Objective or None
        With an objective, the solutions are the best solutions known.
    is_best : bool
        Whether the solutions are proved to be optimal.
    effort : Effort
        The effort of the search.
    """

    solutions: Literal["none", "one", "several", "unknown"]
    found: tuple[Solution, ...] = ()
    stopped: str = ""
    failure: Failure | None = None
    removed_by: tuple[Constraint, ...] = ()
    order: tuple[Variable, ...] = field(default=(), repr=False)
    objective: Objective | None = None
    is_best: bool = True
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)

    @property
    def best(self) -> int | tuple[int, ...] | None:
        """The objective value of the solutions, or None without an objective."""
        return self.objective.worth(self.found[0]) if self.objective and self.found else None

    @property
    def differences(self) -> tuple[tuple[Candidate, Candidate], ...]:
        """The variables in which two solutions differ, with both values."""
        if len(self.found) < 2:
            return ()
        first_solution, second_solution = self.found
        return tuple(
            [
                ((v, first_solution[v]), (v, second_solution[v]))
                for v in self.order
                if first_solution[v] != second_solution[v]
            ]
        )

    @property
    def message(self) -> str:
        """The verdict in a sentence."""
        match self.solutions:
            case "unknown":
                known_part = "at least one solution" if self.found else "not known"
                return f"{self._objective_text()}{known_part}; stopped by {self.stopped}"
            case "none":
                return "no solution" + (self._failure_text() if not self.stopped else "")
            case "one":
                return f"{self._objective_text()}one solution"
        return f"{self._objective_text()}several solutions: {self._difference_text()}"

    def _objective_text(self) -> str:
        if not self.objective or self.best is None:
            return ""
        goal = f"the {self.objective.superlative} {_shorten(', '.join([e.text() for e in self.objective.expressions]))}"
        best = self.objective.format_worth(self.best)
        return f"{goal} is {best}, " if self.is_best else f"{goal} so far is {best}, "

    def _failure_text(self) -> str:
        if self.failure is None:
            return ": only search finds that out"
        # The caption of some failures already names these constraints.
        removed_by = () if self.failure.removed_by else self.removed_by
        named = [constraint.place for constraint in removed_by[:MAX_NAMED]]
        remainder = f" and {len(removed_by) - MAX_NAMED} more" if len(removed_by) > MAX_NAMED else ""
        because = f", because of {', '.join(named)}{remainder}" if named else ""
        return f": {caption(self.failure).removeprefix('failure · ')}{because}"

    def _difference_text(self) -> str:
        ((variable, value), (_, other_value)), *more_differences = self.differences
        sentence = f"{variable} is {quoted(value)} in one and {quoted(other_value)} in another; "
        if not more_differences:
            return sentence + "no other variable differs"
        named = ", ".join([f"{v} is {quoted(a)} or {quoted(b)}" for (v, a), (_, b) in more_differences[:MAX_NAMED]])
        ellipsis = ", ..." if len(more_differences) > MAX_NAMED else ""
        return f"{sentence}{len(more_differences) + 1:,} of {len(self.order):,} variables differ: {named}{ellipsis}"


def verdict(solver: Solver | Model, progress: Progress | None = None) -> Verdict:
    """Find out whether a model has no solution, exactly one, or several.

    Parameters
    ----------
    solver : Solver or Model
        The limits of a solver hold; a model is compiled.
    progress : function, optional
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
    make_verdict = partial(Verdict, order=order, objective=model.objective)
    effort = Effort()
    if model.objective:
        # With an objective, first find an optimal solution, then count the equally good ones.
        answers = solver.improving(progress=progress)
        optimal = last(answers)
        effort.add(answers.effort)
        if answers.stopped:
            return make_verdict("unknown", (optimal,) if optimal else (), answers.stopped, is_best=False, effort=effort)
        solver = Solver(model.as_good_as(optimal), settings=solver.settings) if optimal else solver
    answers = solver.solutions(progress=progress)
    # A second solution is enough.
    solutions = tuple(islice(answers, 2))
    effort.add(answers.effort)
    if answers.stopped:
        return make_verdict("unknown", solutions, answers.stopped, effort=effort)
    if solutions:
        return make_verdict("one" if len(solutions) == 1 else "several", solutions, effort=effort)
    try:
        # No solution: look for a failure that propagation alone explains.
        failure, removed_by = find_failure(solver, progress) or (None, ())
    except Stopped as limit:
        return make_verdict("none", stopped=str(limit), effort=effort)
    return make_verdict("none", failure=failure, removed_by=removed_by, effort=effort)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}..."
