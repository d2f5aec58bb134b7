"""Find an optimal solution in parallel; pieces of the search share bounds."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from threading import get_ident

from ..base.errors import Lost, Stopped
from ..engine.effort import Budget, Effort, Progress
from ..engine.solver.answers import Answers, Solution
from ..engine.solver.engine import last
from ..engine.solver.solver import Solver
from .mapping import in_order
from .searching import Piece, check, check_splits, load_solver, loss_reason, split

NODES = 1_000
"""Maximum number of nodes of the tree search before the split; its solutions give all pieces a first bound."""

AHEAD_DIVISOR = 2
"""One in this number of pieces is submitted ahead; later pieces wait for the bounds that these find."""

PATIENCE_DIVISOR = 10
"""Divisor of the patience of the tree search in a piece, since the tree search before the split has not been enough."""


def improving(
    solver: Solver, executor: Executor, pieces: int, progress: Progress | None = None, first: int = NODES
) -> Answers:
    """Yield ever better solutions up to an optimal one, in parallel.

    First, a tree search of at most ``first`` nodes runs. Then the model is split into pieces. Each piece is searched
    for solutions that are better than the best one known when the piece is submitted. A piece is always submitted after
    the answers of the same earlier pieces, so the solutions depend only on the number of pieces.

    Parameters
    ----------
    solver : Solver
        Its time limit holds for all pieces together, its node limit for each piece.
    executor : Executor
    pieces : int
        The minimum number of pieces. A small number is better, because the search of each piece starts without learned
        clauses: 4 for each worker.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search.
    first : int
        The maximum number of nodes of the tree search before the split.

    Returns
    -------
    Answers
        As from ``Solver.improving``. If a piece is lost because its workers die, the answers are incomplete and say so.

    Raises
    ------
    ValueError
        If the model has no objective.

    References
    ----------
    .. [1] A. H. Land, A. G. Doig, "An automatic method of solving discrete programming problems", 1960.
    .. [2] J.-C. Régin, M. Rezgui, A. Malapert, "Embarrassingly parallel search", 2013.

    Examples
    --------
    >>> from csp import Affine, AllDifferent, Model, Objective
    >>> from csp.parallel import workers
    >>> total = Objective("maximize", Affine.variable("A") + Affine.variable("B"))
    >>> solver = Solver(Model({v: range(1, 4) for v in "AB"}, [AllDifferent.of("AB")], objective=total))
    >>> with workers(2) as executor:
    ...     [total.value(solution) for solution in improving(solver, executor, 8)][-1]
    5
    """
    check_splits(solver, pieces)
    if solver.model.objective is None:
        raise ValueError("the model has no objective")
    budget = Budget(solver.settings, Effort(), progress)
    states = _improve(solver, executor, pieces, budget, first)
    return Answers(states, lambda solution: solution, budget.effort, improving=True)


def _improve(solver: Solver, executor: Executor, pieces: int, budget: Budget, first_nodes: int) -> Iterator[Solution]:
    objective, settings, effort = solver.model.objective, solver.settings, budget.effort
    assert objective is not None
    current_bound = None

    def replace_lost(
        error: Lost, shipment: bytes, piece: Piece, *details: object
    ) -> tuple[Solution | None, str, Effort]:
        return None, loss_reason(piece, error), Effort()

    # A short tree search gives a first bound, and is often enough.
    short_strategy = replace(settings, search="tree", nodes=min(first_nodes, settings.nodes or first_nodes))
    first = solver.improving(settings=short_strategy, progress=lambda _: budget.check())
    for solution in first:
        current_bound = objective.worth(solution)
        yield solution
    effort.add(first.effort)
    if first.complete:
        return
    budget.check()
    shipment, stopped = pickle.dumps(solver), ""
    all_pieces = split(solver, pieces, budget.check)
    # Tasks are made when they are submitted, so each one takes the best bound known by then.
    tasks = ((shipment, piece, current_bound, budget.remaining_seconds) for piece in all_pieces)
    answers = in_order(executor, _improve_piece, tasks, max(2, pieces // AHEAD_DIVISOR), budget.check, replace_lost)
    for piece, (piece_solution, piece_stopped, piece_effort) in zip(all_pieces, answers, strict=True):
        effort.add(piece_effort)
        if piece_solution is not None:
            # A worker may run another version, so verify its answer.
            check(solver.model, piece, piece_solution)
        stopped = stopped or piece_stopped
        # Yield only improvements: earlier pieces may have found a better solution meanwhile.
        if piece_solution is not None and (
            current_bound is None or objective.is_better(objective.worth(piece_solution), current_bound)
        ):
            current_bound = objective.worth(piece_solution)
            yield piece_solution
    if stopped:
        raise Stopped(stopped)


def _improve_piece(
    shipment: bytes, piece: Piece, bound: int | tuple[int, ...] | None, seconds: float | None
) -> tuple[Solution | None, str, Effort]:
    """Search one piece of the search space; return its best solution, limit reached and effort.

    The solution is better than ``bound``, or None. The limit is empty if none was reached.
    """
    solver = load_solver(shipment, get_ident())
    settings = replace(solver.settings, seconds=seconds, patience=solver.settings.patience // PATIENCE_DIVISOR)
    answers = solver.improving(piece, settings, bound=bound)
    return last(answers), answers.stopped, answers.effort
