"""Decide whether a model has no solution, one, or several, and how that is proved."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from itertools import islice
from textwrap import shorten
from typing import Literal

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...base.late import import_late
from ...base.notation import quoted
from ...engine.effort import Effort, Progress
from ...engine.settings import LEVELS, Level
from ...engine.solver.answers import Solution
from ...engine.solver.engine import last
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Model, Objective, Variable
from ...trace import Failure, Record, Recorder, Removal, caption

FAILURE_LEVELS: tuple[Level, ...] = ("singles", "domain")
"""The consistency levels that are tried, in this order."""

RemovedBy = tuple[Constraint, ...]

MAX_LENGTH = 60
"""Maximum number of characters of an objective in a message; the rest is cut off."""

MAX_NAMED = 5
"""Maximum number of variables or constraints that a message names."""

MAX_FAILURES = 1_000
"""Number of failures of the search; from there on, no proof by propagation alone is tried."""


def find_failure(solver: Solver, progress: Progress | None = None) -> tuple[Failure, RemovedBy] | None:
    """Return the failure of propagation and the constraints that led to it, or None.

    These are the constraints that removed values from the variables of the failure. None: propagation does not fail at
    any of the ``FAILURE_LEVELS``.

    Raises
    ------
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Model, caption
    >>> failure, removed_by = find_failure(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")])))
    >>> caption(failure), [constraint.name for constraint in removed_by]
    ('failure · B has no value left: pair removes 1', ['pair'])
    """
    for level in FAILURE_LEVELS:
        witness = _Witness()
        solver_at_level = Solver(solver.model, level, solver.settings)
        solver_at_level.propagate(
            progress=progress, log=Recorder(solver_at_level.program, witness.on_record, queue=False)
        )
        if witness.failure is not None:
            return witness.failure, witness.removing_constraints(witness.failure)
    return None


class _Witness:
    """A listener that stores the first failure and the constraints of earlier removals."""

    def __init__(self) -> None:
        self.failure: Failure | None = None
        self._removed_by: dict[Variable, dict[str, Constraint]] = {}

    def on_record(self, record: Record) -> None:
        """Store the first failure; for a removal, store its constraint under each variable."""
        match record:
            case Failure():
                self.failure = self.failure or record
            case Removal(constraint=Constraint() as constraint, removed=removed):
                for variable, _ in removed:
                    self._removed_by.setdefault(variable, {}).setdefault(constraint.place, constraint)

    def removing_constraints(self, failure: Failure) -> RemovedBy:
        """Return the constraints that removed values from a failure's variables, except its own."""
        subject = failure.subject
        variables = [subject] if isinstance(subject, Variable) else dict.fromkeys(v for v, _ in failure.cause)
        # One constraint for each place in the spec.
        removed_by = {
            name: constraint
            for variable in variables
            for name, constraint in self._removed_by.get(variable, {}).items()
        }
        return tuple([constraint for constraint in removed_by.values() if constraint != failure.constraint])


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

    def __repr__(self) -> str:
        return f"<Verdict: {shorten(self.message, 100, placeholder=' ...')}>"

    def _repr_html_(self) -> str:
        """Return the verdict and its solutions as HTML for a notebook."""
        return str(import_late("csp.render.notebook", "verdict_html")(self))

    @property
    def best(self) -> int | tuple[int, ...] | None:
        """The objective value of the solutions; None without an objective or without solutions."""
        return self.objective.worth(self.found[0]) if self.objective and self.found else None

    @property
    def differences(self) -> tuple[tuple[Candidate, Candidate], ...]:
        """Each variable that differs between the two ``found`` solutions, with both values."""
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
        """The verdict in a sentence, with the failure or the differing variables."""
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
            return ": only search proves it"
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
    no solution: B has no value left: pair removes 1
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


class Proof(Frozen):
    """The weakest method that proves that a model has no solution, or only one.

    Attributes
    ----------
    level : {"arc", "singles", "bounds", "domain"} or None
        The lowest consistency level at which propagation alone is a proof; None if a search is necessary.
    effort : Effort
        The effort of the search.
    """

    level: Level | None
    effort: Effort

    @property
    def message(self) -> str:
        """The method of the proof, and the effort of a search, in words."""
        if self.level:
            return f"by propagation only, at level {self.level}"
        spent = [(getattr(self.effort, name), name) for name in ("nodes", "failures", "conflicts")]
        counts = [f"{count:,} {name[:-1] if count == 1 else name}" for count, name in spent]
        tree = f"by a search of {counts[0]} with {counts[1]}"
        return f"{tree}, and by clingo after {counts[2]}" if self.effort.conflicts else tree


def proof(solver: Solver, verdict: Verdict, progress: Progress | None = None) -> Proof:
    """Find the weakest method that proves the verdict on a model.

    Propagation alone is tried only without an objective, and if the search was short.

    Parameters
    ----------
    solver : Solver
    verdict : Verdict
        The verdict of no solution or of one, for the model of this solver.
    progress : function, optional
        Progress callback: called often with the effort so far.

    Returns
    -------
    Proof

    Raises
    ------
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Model, verdict
    >>> solver = Solver(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> proof(solver, verdict(solver)).message
    'by propagation only, at level arc'
    """
    if solver.model.objective is None and not verdict.effort.conflicts and verdict.effort.failures < MAX_FAILURES:
        # Try propagation at the level of the solver, if the search was short enough.
        shows_all = len(solver.model.shown) == len(solver.model.domains)
        is_proved = (verdict.effort.nodes == 1 or not shows_all) and _is_proved_by_propagation(solver, progress)
        # Without groups of three or more, all levels remove the same values.
        if not any(len(constraint.apart()) > 2 for constraint in solver.program.constraints):
            return Proof(LEVELS[0] if is_proved else None, verdict.effort)
        # The lowest level that proves it is below this one if this one proves it, else above.
        own_level = LEVELS.index(solver.level)
        for level in LEVELS[:own_level] if is_proved else LEVELS[own_level + 1 :]:
            if _is_proved_by_propagation(Solver(solver.model, level, solver.settings), progress):
                return Proof(level, verdict.effort)
        return Proof(solver.level if is_proved else None, verdict.effort)
    return Proof(None, verdict.effort)


def _is_proved_by_propagation(solver: Solver, progress: Progress | None) -> bool:
    """Return whether propagation alone fails or fixes all shown variables."""
    fixpoint = solver.propagate(progress=progress)
    return not fixpoint.holds or all(len(fixpoint.domains[variable]) == 1 for variable in solver.model.shown)
