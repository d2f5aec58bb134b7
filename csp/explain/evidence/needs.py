"""Find the constraints without which a puzzle has a second solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ...base.errors import CspError, ModelError, Stopped
from ...base.frozen import Frozen
from ...engine.effort import Progress
from ...engine.solver.answers import Answers, Solution
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Model, Value, Variable


class NotOne(CspError):
    """Error raised if a model does not have exactly one solution, as required."""


NeedKind = Literal["given", "group", "clue"]
"""The role of a constraint in a puzzle: a fixed variable, an all-different group, or any other clue."""


class Need(Frozen):
    """A constraint, and whether the puzzle needs it for its solution to be unique.

    Attributes
    ----------
    constraint : Constraint
    kind : {"given", "group", "clue"}
    is_needed : bool
    other : Solution or None
        If it is needed: a second solution of the model without it.
    differences : tuple of pairs of Candidate
        The differences between both solutions: each variable with its value in the solution and in the other one.
    """

    constraint: Constraint
    kind: NeedKind
    is_needed: bool
    other: Solution | None = None
    differences: tuple[tuple[Candidate, Candidate], ...] = ()


def needs(solver: Solver, progress: Progress | None = None) -> Iterator[Need]:
    """Yield for each constraint whether its removal alone permits a second solution.

    Parameters
    ----------
    solver : Solver
        Its limits hold for each query separately.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the query.

    Yields
    ------
    Need
        In the order of the constraints. All other constraints are kept each time, so of two equivalent constraints
        neither is needed.

    Raises
    ------
    NotOne
        If the model does not have exactly one solution.
    ModelError
        If the model has an objective.
    Stopped
        If a limit comes first.

    Notes
    -----
    The constraints that are not givens are compiled once. For a given, a session with the other givens excludes the
    value of the given. For any other constraint, the session leaves it out, which compiles the program without it.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model
    >>> rules = [AllDifferent.of("AB"), AllDifferent.of("BC"), *[Equality(Variable(v), 1) for v in "AC"]]
    >>> for need in needs(Solver(Model({v: (1, 2) for v in "ABC"}, rules))):
    ...     print(need.constraint, need.is_needed)
    all_different([A, B]) False
    all_different([B, C]) False
    A = 1 False
    C = 1 False
    """
    model = solver.model
    if model.objective is not None:
        raise ModelError("only puzzles with one solution and without an objective have needed constraints")
    only_solution = _only_solution(solver.solutions(progress=progress))
    numbers = [number for number, constraint in enumerate(model.constraints) if constraint.given]
    givens = [model.constraints[number].given for number in numbers]
    # Compile the rules once; givens are applied by sessions.
    rules = [constraint for constraint in model.constraints if not constraint.given]
    rules_solver = Solver(Model(model.domains, rules, model.show), settings=solver.settings)
    values: dict[str, Value] = dict([given for given in givens if given])
    session = rules_solver.session(values, progress=progress)
    rule_number = 0
    for constraint in model.constraints:
        if given := constraint.given:
            # A second solution without the given has another value there, unless the given is repeated.
            variable, _ = given
            is_repeated = givens.count(given) > 1
            other_givens: dict[str, Value] = {
                name: other_value for name, other_value in values.items() if name != variable
            }
            session_without = rules_solver.session(other_givens, progress=progress).removing([given], progress)
            answers = None if is_repeated or not session_without.holds else session_without.solutions(progress)
        else:
            # Sessions number only the rules, not the givens.
            answers = session.leaving_out([rule_number], progress).solutions(progress)
            rule_number += 1
        yield _make_need(constraint, model, only_solution, answers)


def removable(solver: Solver, found: Iterable[Need], progress: Progress | None = None) -> list[Constraint]:
    """Return a maximal list of givens and clues whose joint removal keeps one solution.

    They are chosen greedily, the last first; no other given or clue can be removed with them. Groups are the rules of a
    puzzle and stay. ``found`` is what ``needs`` yields for the same solver.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model
    >>> rules = [AllDifferent.of("AB"), AllDifferent.of("BC"), *[Equality(Variable(v), 1) for v in "AC"]]
    >>> solver = Solver(Model({v: (1, 2) for v in "ABC"}, rules))
    >>> print(*removable(solver, needs(solver)))
    C = 1
    """
    model, removed = solver.model, list[Constraint]()
    for need in [need for need in found if not need.is_needed and need.kind != "group"][::-1]:
        rest = [constraint for constraint in model.constraints if constraint != need.constraint]
        smaller = Model(model.domains, rest, model.show, layout=model.layout)
        try:
            _only_solution(Solver(smaller, settings=solver.settings).solutions(progress=progress))
        except NotOne:
            continue
        model = smaller
        removed.insert(0, need.constraint)
    return removed


def _only_solution(answers: Answers) -> Solution:
    """Return the only solution in ``answers``; raise ``NotOne`` for none or several.

    Raises
    ------
    Stopped
        If a limit comes first.
    NotOne
        If the model does not have exactly one solution.
    """
    first_two = [answer for _, answer in zip(range(2), answers, strict=False)]
    if answers.stopped:
        raise Stopped(answers.stopped)
    if len(first_two) == 1:
        return first_two[0]
    raise NotOne("there are several solutions" if first_two else "no solution exists")


def _make_need(constraint: Constraint, model: Model, solution: Solution, answers: Answers | None) -> Need:
    kind: NeedKind = "given" if constraint.given else "group" if constraint.apart() else "clue"
    for other_solution in answers or ():
        # Solutions that agree on the shown variables count as one.
        differences: list[tuple[tuple[Variable, Value], tuple[Variable, Value]]] = [
            ((v, solution[v]), (v, other_solution[v])) for v in model.shown if solution[v] != other_solution[v]
        ]
        if differences:
            return Need(constraint, kind, True, other_solution, tuple(differences))
    if answers and answers.stopped:
        raise Stopped(answers.stopped)
    return Need(constraint, kind, False)
