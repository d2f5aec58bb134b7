"""One question, asked in pieces."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from threading import get_ident
from typing import TypeVar

from ..engine.ask.answers import Answers, Count, Solution
from ..engine.ask.solver import Solver
from ..engine.effort import Budget, Effort, Watch
from ..ground.errors import CspError, Lost, Stopped
from ..model import Model
from .mapping import in_order
from .splitting import Piece, check_splits, parts, split

T = TypeVar("T")


def count(
    solver: Solver, executor: Executor, pieces: int, most: int | None = None, watch: Watch | None = None
) -> Count:
    """How many solutions a model has, counted piece by piece by the workers of an executor.

    Independent parts are counted apart and multiplied.

    Parameters
    ----------
    solver : Solver
        Its time is for all together, its nodes are for each piece.
    executor : Executor
    pieces : int
        Into how many pieces to split it at least; 30 for each worker keep all of them busy.
    most : int, optional
        Stop at this number.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the question.

    Returns
    -------
    Count

    Raises
    ------
    ValueError
        If the model has an objective; see ``better``.

    Notes
    -----
    A piece that is given up, as whatever works on it dies, is left out: the count is a lower bound, and says so.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.spread import workers
    >>> solver = Solver(Model({v: range(1, 6) for v in "ABCDE"}, [AllDifferent.of("ABCDE")]))
    >>> with workers(2) as executor:
    ...     count(solver, executor, 20)
    Count(value=120, complete=True)
    """
    question = _Question(solver, executor, pieces, watch)
    total, stopped = 1, ""
    for part in question.parts:
        found = 0
        try:
            for _, counted in question.ask(part, _counted, most, lambda why: Count(0, False, stopped=why)):
                found += counted.value
                stopped = stopped or counted.stopped
                if most is not None and found >= most:
                    found, stopped = most, ""
                    break
        except Stopped as limit:
            stopped = str(limit)
        total *= found
        if stopped and part is not question.parts[-1]:
            total = 0  # as far as is known
        if not total or stopped:
            break
    if most is not None and total >= most:
        return Count(most, False, question.effort)
    return Count(total, not stopped, question.effort, stopped)


def solutions(
    solver: Solver, executor: Executor, pieces: int, most: int | None = None, watch: Watch | None = None
) -> Answers:
    """The solutions of a model, found piece by piece by the workers of an executor.

    Their order is that of the pieces, and depends on nothing but their number. The workers find all solutions of a
    piece, or as many as are wanted, before any of them is an answer here.

    Parameters
    ----------
    solver, executor, pieces, watch
        As for ``count``.
    most : int, optional
        How many are wanted at most.

    Returns
    -------
    Answers

    Raises
    ------
    ValueError
        As for ``count``.

    Notes
    -----
    If a piece is given up, the answers end with those of the others, and say so.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.spread import workers
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> with workers(2) as executor:
    ...     [list(solution.values()) for solution in solutions(solver, executor, 3, most=2)]
    [[1, 2, 3], [1, 3, 2]]
    """
    question = _Question(solver, executor, pieces, watch)
    return Answers(islice(_combined(question, most), most), lambda solution: solution, question.effort)


def _combined(question: _Question, most: int | None) -> Iterator[Solution]:
    first, *others = question.parts
    if not others:
        yield from question.found(first, most)
        return
    found = []
    for part in question.parts:
        found.append(list(question.found(part, most)))
        if not found[-1]:
            return
    for chosen in product(*found):
        values = {variable: value for solution in chosen for variable, value in solution.items()}
        yield Solution({variable: values[variable] for variable in question.solver.model.domains})


class _Question:
    """What the pieces of one question have in common."""

    def __init__(self, solver: Solver, executor: Executor, pieces: int, watch: Watch | None) -> None:
        check_splits(solver, pieces)
        if solver.model.objective:
            raise ValueError("pieces of a model with an objective have to know of each other")
        self.solver, self.effort = solver, Effort()
        self._executor, self._pieces = executor, pieces
        self._budget = Budget(solver.strategy, self.effort, watch)
        models = parts(solver.model)
        self.parts = [solver] if len(models) == 1 else [Solver(model, strategy=solver.strategy) for model in models]

    def found(self, part: Solver, most: int | None) -> Iterator[Solution]:
        """The solutions of a part."""
        lost = ""
        for piece, (solutions, stopped) in self.ask(part, _found, most, lambda why: (None, why)):
            if solutions is None:
                lost = lost or stopped
                continue
            for solution in solutions:
                check(part.model, piece, solution)
                yield solution
            if stopped:
                raise Stopped(stopped)
            if most is not None and (most := most - len(solutions)) <= 0:
                return
        if lost:
            raise Stopped(lost)

    def ask(
        self, part: Solver, function: Callable[..., tuple[T, Effort]], most: int | None, instead: Callable[[str], T]
    ) -> Iterator[tuple[Piece, T]]:
        """The pieces of a part with what they have to say, in their order; of one that is lost, what stands for it."""

        def lost(error: Lost, shipment: bytes, piece: Piece, *rest: object) -> tuple[T, Effort]:
            return instead(without(piece, error)), Effort()

        budget, check = self._budget, self._budget.check
        pieces = split(part, self._pieces, check)
        shipment = pickle.dumps(part)
        tasks = ((shipment, piece, budget.left, most) for piece in pieces)
        answers = in_order(self._executor, function, tasks, len(pieces), check, lost)
        for piece, (answer, effort) in zip(pieces, answers, strict=True):
            self.effort.add(effort)
            yield piece, answer


def check(model: Model, piece: Piece, solution: Solution) -> None:
    """Refuse what a worker calls a solution of a piece and is none: it runs elsewhere, and may be another program."""
    if not (solution.keys() == model.domains.keys() and piece.items() <= solution.items() and model.check(solution)):
        raise CspError("a worker has answered with what is no solution; is another version at work there?")


def without(piece: Piece, error: Lost) -> str:
    """Why an answer is not complete that lacks a piece."""
    givens = ", ".join([f"{variable} = {value}" for variable, value in piece.items()])
    return f"the loss of the piece {givens}: {error}"


@lru_cache(maxsize=4)
def ready(shipment: bytes, thread: int) -> Solver:
    """A solver as it was sent, compiled once for each thread of a process."""
    solver: Solver = pickle.loads(shipment)
    return solver


def _counted(shipment: bytes, piece: Piece, seconds: float | None, most: int | None) -> tuple[Count, Effort]:
    solver = ready(shipment, get_ident())
    count = solver.count(piece, replace(solver.strategy, seconds=seconds), most=most)
    return count, count.effort


def _found(
    shipment: bytes, piece: Piece, seconds: float | None, most: int | None
) -> tuple[tuple[list[Solution] | None, str], Effort]:
    solver = ready(shipment, get_ident())
    answers = solver.solutions(piece, replace(solver.strategy, seconds=seconds))
    return (list(islice(answers, most)), answers.stopped), answers.effort
