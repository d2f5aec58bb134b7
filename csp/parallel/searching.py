"""Split the search space of a model, and count or find its solutions in parallel."""

from __future__ import annotations

import heapq
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from math import log2
from threading import get_ident
from typing import TypeVar

from ..base.errors import CspError, Lost, Stopped
from ..base.incidence import Incidence
from ..engine.effort import Budget, Effort, Progress
from ..engine.solver.answers import Answers, Count, Solution
from ..engine.solver.session import Session
from ..engine.solver.solver import Solver
from ..model import Constraint, Model, Value, Variable
from .mapping import in_order

Piece = dict[str, Value]
"""Values of some variables, as additional givens of a query to one piece."""


def split(
    solver: Solver,
    pieces: int,
    check: Callable[[], None] | None = None,
) -> list[Piece]:
    """Split the search space into pieces; each solution lies in exactly one.

    Propagation refutes none of the pieces. The piece with the most remaining assignments is split next, by its variable
    with the fewest values. Only shown variables are used, so solutions that agree on them are in the same piece.

    Parameters
    ----------
    solver : Solver
    pieces : int
        The number of pieces to reach; a small search space has fewer.
    check : function, optional
        Progress callback: called often; an exception it raises ends the work.

    Returns
    -------
    list of dict
        In the order of a depth-first search; empty if propagation refutes the model. O(pieces) propagations.

    References
    ----------
    .. [1] J.-C. Régin, M. Rezgui, A. Malapert, "Embarrassingly parallel search", 2013.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> split(solver, 2)
    [{'A': 1}, {'A': 2}, {'A': 3}]
    """
    check_splits(solver, pieces)
    progress = (lambda effort: check()) if check else None
    root = solver.session(progress=progress)
    if not root.holds:
        return []
    shown = solver.model.shown
    path: tuple[int, ...] = ()
    unsplittable: list[tuple[tuple[int, ...], Piece]] = []
    waiting = [(-_log_size(root, shown), path, Piece(), root)]
    # Split the largest piece until there are enough; the path is its place in the search order.
    while waiting and len(waiting) + len(unsplittable) < pieces:
        _, path, piece, session = heapq.heappop(waiting)
        variable = _smallest_domain(session, shown)
        # All shown variables are fixed: the piece cannot be split.
        if variable is None:
            unsplittable.append((path, piece))
            continue
        for number, value in enumerate(session.domains[variable]):
            child = session.given({variable: value}, progress)
            if child.holds:
                heapq.heappush(waiting, (-_log_size(child, shown), (*path, number), {**piece, variable: value}, child))
    pieces_by_path = unsplittable + [(path, piece) for _, path, piece, _ in waiting]
    return [piece for _, piece in sorted(pieces_by_path, key=lambda entry: entry[0])]


def check_splits(solver: Solver, pieces: int) -> None:
    """Raise ``TypeError`` unless the arguments are a solver and an integer."""
    if not isinstance(solver, Solver):
        raise TypeError(f"{solver!r} is not a solver: make one by csp.Solver(model)")
    if not isinstance(pieces, int):
        raise TypeError(f"{pieces!r} is not a number of pieces")


def _log_size(session: Session, variables: list[Variable]) -> float:
    """Return log2 of the number of assignments of these variables within the session's domains."""
    domains = session.domains
    return sum([log2(len(domains[variable])) for variable in variables])


def _smallest_domain(session: Session, variables: list[Variable]) -> Variable | None:
    """Return the unfixed variable with the fewest values, or None if all are fixed."""
    domains = session.domains
    unfixed = (variable for variable in variables if len(domains[variable]) > 1)
    return min(unfixed, key=lambda variable: len(domains[variable]), default=None)


def parts(model: Model) -> list[Model]:
    """Split a model into models whose variables share no constraint.

    A model that shows only some of its variables is not split. All isolated variables form one part.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABCD"}, [AllDifferent.of("AC")])
    >>> [list(part.domains) for part in parts(model)]
    [['A', 'C'], ['B', 'D']]
    """
    variables = list(model.domains)
    if len(model.shown) < len(variables):
        return [model]
    # Find the connected components of the constraint network.
    groups = Incidence(variables, [constraint.scope for constraint in model.constraints]).parts()
    isolated = [group[0] for group in groups if len(group) == 1]
    variable_groups = [group for group in groups if len(group) > 1] + [isolated] * bool(isolated)
    if len(variable_groups) < 2:
        return [model]
    # Give each constraint to the part of its variables.
    part_of = {variables[n]: part for part, group in enumerate(variable_groups) for n in group}
    constraints: list[list[Constraint]] = [[] for _ in variable_groups]
    for constraint in model.constraints:
        constraints[part_of[constraint.scope[0]] if constraint.scope else 0].append(constraint)
    part_models = []
    for group, part_constraints in zip(variable_groups, constraints, strict=True):
        part_models.append(Model({variables[n]: model.domains[variables[n]] for n in group}, part_constraints))
    return part_models


T = TypeVar("T")


def count(
    solver: Solver, executor: Executor, pieces: int, limit: int | None = None, progress: Progress | None = None
) -> Count:
    """Count the solutions of a model in parallel, piece by piece.

    Independent parts are counted separately, and the counts are multiplied.

    Parameters
    ----------
    solver : Solver
        Its time limit holds for all pieces together, its node limit for each piece.
    executor : Executor
    pieces : int
        The minimum number of pieces; 30 for each worker keep all workers busy.
    limit : int, optional
        Stop counting at this number.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search.

    Returns
    -------
    Count

    Raises
    ------
    ValueError
        If the model has an objective; use ``improving`` instead.

    Notes
    -----
    If a piece is lost because its workers die, the count leaves it out. It is then a lower bound, and incomplete.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.parallel import workers
    >>> solver = Solver(Model({v: range(1, 6) for v in "ABCDE"}, [AllDifferent.of("ABCDE")]))
    >>> with workers(2) as executor:
    ...     count(solver, executor, 20)
    Count(value=120, complete=True)
    """
    query = _SplitQuery(solver, executor, pieces, progress)
    total, stopped = 1, ""
    for part in query.parts:
        part_count = 0
        try:
            # Add up the pieces of a part.
            for _, piece_count in query.run_pieces(part, _count_piece, limit, lambda why: Count(0, False, stopped=why)):
                part_count += piece_count.value
                stopped = stopped or piece_count.stopped
                if limit is not None and part_count >= limit:
                    part_count, stopped = limit, ""
                    break
        except Stopped as stop:
            stopped = str(stop)
        total *= part_count
        # A lower bound of the product needs a bound for all parts; without one, it is 0.
        if stopped and part is not query.parts[-1]:
            total = 0
        if not total or stopped:
            break
    if limit is not None and total >= limit:
        return Count(limit, False, query.effort)
    return Count(total, not stopped, query.effort, stopped)


def solutions(
    solver: Solver, executor: Executor, pieces: int, limit: int | None = None, progress: Progress | None = None
) -> Answers:
    """Yield the solutions of a model; workers find them in parallel.

    The order of the solutions is that of the pieces, and depends only on their number. A worker returns all solutions
    of its piece, or ``limit`` of them, at once.

    Parameters
    ----------
    solver, executor, pieces, progress
        As for ``count``.
    limit : int, optional
        The maximum number of solutions.

    Returns
    -------
    Answers

    Raises
    ------
    ValueError
        If the model has an objective.

    Notes
    -----
    If a piece is lost because its workers die, the answers contain the solutions of the others, and are incomplete.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.parallel import workers
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> with workers(2) as executor:
    ...     [list(solution.values()) for solution in solutions(solver, executor, 3, limit=2)]
    [[1, 2, 3], [1, 3, 2]]
    """
    query = _SplitQuery(solver, executor, pieces, progress)
    return Answers(islice(_combine_parts(query, limit), limit), lambda solution: solution, query.effort)


def _combine_parts(query: _SplitQuery, limit: int | None) -> Iterator[Solution]:
    first, *more_parts = query.parts
    if not more_parts:
        yield from query.solve_part(first, limit)
        return
    solutions_by_part = []
    for part in query.parts:
        solutions_by_part.append(list(query.solve_part(part, limit)))
        if not solutions_by_part[-1]:
            return
    # Each choice of one solution per part is a solution of the model.
    for chosen in product(*solutions_by_part):
        values = {variable: value for solution in chosen for variable, value in solution.items()}
        yield Solution({variable: values[variable] for variable in query.solver.model.domains})


class _SplitQuery:
    """A query for workers, split into independent parts and into pieces of each part."""

    def __init__(self, solver: Solver, executor: Executor, pieces: int, progress: Progress | None) -> None:
        check_splits(solver, pieces)
        if solver.model.objective:
            raise ValueError("pieces of a model with an objective depend on each other")
        self.solver, self.effort = solver, Effort()
        self._executor, self._pieces = executor, pieces
        self._budget = Budget(solver.settings, self.effort, progress)
        models = parts(solver.model)
        self.parts = [solver] if len(models) == 1 else [Solver(model, settings=solver.settings) for model in models]

    def solve_part(self, part: Solver, limit: int | None) -> Iterator[Solution]:
        """Yield the solutions of one independent part of the model."""
        loss = ""
        for piece, (solutions, stopped) in self.run_pieces(part, _solve_piece, limit, lambda why: (None, why)):
            # A lost piece is reported after all others.
            if solutions is None:
                loss = loss or stopped
                continue
            for solution in solutions:
                check(part.model, piece, solution)
                yield solution
            if stopped:
                raise Stopped(stopped)
            if limit is not None and (limit := limit - len(solutions)) <= 0:
                return
        if loss:
            raise Stopped(loss)

    def run_pieces(
        self, part: Solver, function: Callable[..., tuple[T, Effort]], limit: int | None, instead: Callable[[str], T]
    ) -> Iterator[tuple[Piece, T]]:
        """Run a function on each piece of an independent part's search space; yield (piece, result).

        ``instead``: returns the result of a lost piece, from the reason of the loss.
        """

        def replace_lost(error: Lost, shipment: bytes, piece: Piece, *details: object) -> tuple[T, Effort]:
            return instead(loss_reason(piece, error)), Effort()

        budget, check = self._budget, self._budget.check
        pieces = split(part, self._pieces, check)
        shipment = pickle.dumps(part)
        tasks = ((shipment, piece, budget.remaining_seconds, limit) for piece in pieces)
        answers = in_order(self._executor, function, tasks, len(pieces), check, replace_lost)
        for piece, (answer, effort) in zip(pieces, answers, strict=True):
            self.effort.add(effort)
            yield piece, answer


def check(model: Model, piece: Piece, solution: Solution) -> None:
    """Raise ``CspError`` if a worker's solution violates its model or its piece's values.

    Workers run elsewhere, perhaps with another version of the program.
    """
    if not (solution.keys() == model.domains.keys() and piece.items() <= solution.items() and model.check(solution)):
        raise CspError("a worker returned a wrong solution; does it run another version?")


def loss_reason(piece: Piece, error: Lost) -> str:
    """Write the reason for an incomplete answer: which piece was lost, and why."""
    givens = ", ".join([f"{variable} = {value}" for variable, value in piece.items()])
    return f"the loss of the piece {givens}: {error}"


@lru_cache(maxsize=4)
def load_solver(shipment: bytes, thread: int) -> Solver:
    """Unpickle a solver; cache it for each worker thread."""
    solver: Solver = pickle.loads(shipment)
    return solver


def _count_piece(shipment: bytes, piece: Piece, seconds: float | None, limit: int | None) -> tuple[Count, Effort]:
    solver = load_solver(shipment, get_ident())
    count = solver.count(piece, replace(solver.settings, seconds=seconds), limit=limit)
    return count, count.effort


def _solve_piece(
    shipment: bytes, piece: Piece, seconds: float | None, limit: int | None
) -> tuple[tuple[list[Solution] | None, str], Effort]:
    solver = load_solver(shipment, get_ident())
    answers = solver.solutions(piece, replace(solver.settings, seconds=seconds))
    return (list(islice(answers, limit)), answers.stopped), answers.effort
