"""The best solution, looked for in pieces that tell each other how good it must be."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from threading import get_ident

from ..engine.ask.answers import Answers, Solution
from ..engine.ask.engine import last
from ..engine.ask.solver import Solver
from ..engine.effort import Budget, Effort, Watch
from ..ground.errors import Lost, Stopped
from .mapping import in_order
from .searching import check, ready, without
from .splitting import Piece, check_splits, split

FIRST = 1_000
"""Nodes of a tree before there are pieces; what is found there need not be found in each of them."""

AT_WORK = 2
"""Pieces for each one at work or unread, so that later ones know the bound found by then."""

SOONER = 10
"""In a piece the tree has so much less patience, since it has failed before there were pieces."""


def better(solver: Solver, executor: Executor, pieces: int, watch: Watch | None = None, first: int = FIRST) -> Answers:
    """Solutions of a model with an objective, each better than the one before, up to the best, by many workers.

    A tree of ``first`` nodes comes first. A piece is then asked for what is better than all that was known when it was
    handed out, which is always when the same pieces before it had answered: so the solutions depend on nothing but the
    number of pieces.

    Parameters
    ----------
    solver : Solver
        Its time is for all together, its nodes are for each piece.
    executor : Executor
    pieces : int
        Into how many pieces to split it at least. Few are better, as in each a search begins that has learnt nothing:
        4 for each worker.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the question.
    first : int
        Nodes of the tree that is searched before there are pieces.

    Returns
    -------
    Answers
        As of ``Solver.better``. If a piece is given up, as whatever works on it dies, they say so in the end.

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
    >>> from csp.spread import workers
    >>> total = Objective("maximize", Affine.variable("A") + Affine.variable("B"))
    >>> solver = Solver(Model({v: range(1, 4) for v in "AB"}, [AllDifferent.of("AB")], objective=total))
    >>> with workers(2) as executor:
    ...     [total.value(solution) for solution in better(solver, executor, 8)][-1]
    5
    """
    check_splits(solver, pieces)
    if solver.model.objective is None:
        raise ValueError("the model has no objective")
    budget = Budget(solver.strategy, Effort(), watch)
    states = _better(solver, executor, pieces, budget, first)
    return Answers(states, lambda solution: solution, budget.effort, improving=True)


def _better(solver: Solver, executor: Executor, pieces: int, budget: Budget, most: int) -> Iterator[Solution]:
    objective, strategy, effort = solver.model.objective, solver.strategy, budget.effort
    assert objective is not None
    known = None

    def lost(error: Lost, shipment: bytes, piece: Piece, *rest: object) -> tuple[Solution | None, str, Effort]:
        return None, without(piece, error), Effort()

    few = replace(strategy, search="tree", nodes=min(most, strategy.nodes or most))
    first = solver.better(strategy=few, watch=lambda _: budget.check())
    for solution in first:
        known = objective.worth(solution)
        yield solution
    effort.add(first.effort)
    if first.complete:
        return
    budget.check()
    shipment, stopped = pickle.dumps(solver), ""
    every = split(solver, pieces, budget.check)
    tasks = ((shipment, piece, known, budget.left) for piece in every)
    answers = in_order(executor, _best, tasks, max(2, pieces // AT_WORK), budget.check, lost)
    for piece, (found, why, spent) in zip(every, answers, strict=True):
        effort.add(spent)
        if found is not None:
            check(solver.model, piece, found)
        stopped = stopped or why
        if found is not None and (known is None or objective.is_better(objective.worth(found), known)):
            known = objective.worth(found)
            yield found
    if stopped:
        raise Stopped(stopped)


def _best(
    shipment: bytes, piece: Piece, known: int | tuple[int, ...] | None, seconds: float | None
) -> tuple[Solution | None, str, Effort]:
    """A task: the best solution of a piece that is better than what is known."""
    solver = ready(shipment, get_ident())
    strategy = replace(solver.strategy, seconds=seconds, patience=solver.strategy.patience // SOONER)
    answers = solver.better(piece, strategy, bound=known)
    return last(answers), answers.stopped, answers.effort
