"""Which constraints a puzzle needs for its one solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ...engine.ask.answers import Answers, Solution
from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...ground.errors import CspError, ModelError, Stopped
from ...ground.frozen import Frozen
from ...model import Candidate, Constraint, Model, Value, Variable


class NotOne(CspError):
    """There is no solution, or there are several, so that no constraint is needed for the one."""


NeedKind = Literal["given", "group", "clue"]
"""What a constraint is to a setter: the value of a variable, what must all differ, or anything else."""


class Need(Frozen):
    """Whether one constraint of a puzzle is needed, if all others stay.

    Attributes
    ----------
    constraint : Constraint
    kind : {"given", "group", "clue"}
    is_needed : bool
    other : Solution or None
        A second solution that appears without it, where it is needed.
    differences : tuple of pairs of Candidate
        Where that differs from the solution: each variable with its value in one and in the other.
    """

    constraint: Constraint
    kind: NeedKind
    is_needed: bool
    other: Solution | None = None
    differences: tuple[tuple[Candidate, Candidate], ...] = ()


def needs(solver: Solver, watch: Watch | None = None) -> Iterator[Need]:
    """For every constraint of a model with one solution, whether a second appears without it.

    Parameters
    ----------
    solver : Solver
        Its limits hold for each question apart.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the question.

    Yields
    ------
    Need
        In the order of the constraints. Each is about the whole puzzle: of two that say the same neither is needed.

    Raises
    ------
    NotOne
        If there is no solution, or several.
    ModelError
        If the model has an objective.
    Stopped
        If a limit comes first.

    Notes
    -----
    Givens are asked of one compiled model, by a session without one of them in which its value is taken away. For any
    other constraint the program is compiled without it.

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
        raise ModelError("what is needed is asked of puzzles with one solution; this spec says which is the best")
    solution = _only(solver.solutions(watch=watch))
    numbers = [number for number, one in enumerate(model.constraints) if one.given]
    givens = [model.constraints[number].given for number in numbers]
    rules = [one for one in model.constraints if not one.given]
    ground = Solver(Model(model.domains, rules, model.show), strategy=solver.strategy)
    values: dict[str, Value] = dict([given for given in givens if given])
    session = ground.session(values, watch=watch)
    rule = 0
    for constraint in model.constraints:
        if given := constraint.given:
            variable, _ = given
            twice = givens.count(given) > 1
            others: dict[str, Value] = {one: known for one, known in values.items() if one != variable}
            narrower = ground.session(others, watch=watch).removing([given], watch)
            answers = None if twice or not narrower.holds else narrower.solutions(watch)
        else:
            answers = session.leaving_out([rule], watch).solutions(watch)
            rule += 1
        yield _need(constraint, model, solution, answers)


def removable(solver: Solver, found: Iterable[Need], watch: Watch | None = None) -> list[Constraint]:
    """Return givens and clues that could all go at once; greedily, the last first, and no more could go with them.

    ``found``: what ``needs`` yields of the same solver. Groups are the rules of a puzzle, and stay.

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
        rest = [one for one in model.constraints if one != need.constraint]
        smaller = Model(model.domains, rest, model.show, layout=model.layout)
        try:
            _only(Solver(smaller, strategy=solver.strategy).solutions(watch=watch))
        except NotOne:
            continue
        model = smaller
        removed.insert(0, need.constraint)
    return removed


def _only(answers: Answers) -> Solution:
    """The one solution."""
    found = [answer for _, answer in zip(range(2), answers, strict=False)]
    if answers.stopped:
        raise Stopped(answers.stopped)
    if len(found) == 1:
        return found[0]
    raise NotOne(f"there {'are several solutions' if found else 'is no solution'}")


def _need(constraint: Constraint, model: Model, solution: Solution, answers: Answers | None) -> Need:
    kind: NeedKind = "given" if constraint.given else "group" if constraint.apart() else "clue"
    for other in answers or ():
        found: list[tuple[tuple[Variable, Value], tuple[Variable, Value]]] = [
            ((v, solution[v]), (v, other[v])) for v in model.shown if solution[v] != other[v]
        ]
        if found:
            return Need(constraint, kind, True, other, tuple(found))
    if answers and answers.stopped:
        raise Stopped(answers.stopped)
    return Need(constraint, kind, False)
