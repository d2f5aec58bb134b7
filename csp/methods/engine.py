"""Methods that run the project's own propagation: the engine, and its algorithm on one page."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..base.errors import Stopped
from ..base.notation import counted
from ..board.answer import domains_text
from ..engine.solver.solver import Solver
from ..graph import constraint_graph, propagate, snapshots, solution
from .base import Run


def solve_by_engine(run: Run) -> None:
    """Find all solutions with the engine, at the consistency level of the run.

    An attempt is a node of the search tree, including the root.
    """
    _search(run, Solver(run.model, run.level, run.settings))


def _search(run: Run, solver: Solver) -> None:
    """Find all solutions with the engine, and log its effort.

    Raises
    ------
    Stopped
        If a limit comes first.
    """
    answers = solver.solutions(progress=run.progress)
    for answer in answers:
        run.add_solution(answer)
    effort = answers.effort
    run.attempts = effort.nodes
    run.log(" · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__))
    if answers.stopped:
        raise Stopped(answers.stopped)


def solve_by_singles(run: Run) -> None:
    """Find all solutions by Norvig's two rules (naked and hidden singles) and search.

    An attempt is a node. The rules are the level ``singles`` of the engine: a fixed variable removes its value from its
    neighbours; a value with one place in a group is assigned there. If the rules do not solve the model, the log shows
    the remaining domains, in his format. His search branches on a variable with the fewest values; the engine also
    branches on a value with fewer places in a group.

    References
    ----------
    .. [1] P. Norvig, "Solving Every Sudoku Puzzle", 2006.
    """
    solver = Solver(run.model, run.level, run.settings)
    fixpoint = solver.propagate(progress=run.progress)
    if not fixpoint.holds:
        run.log("the rules alone exclude all solutions")
    elif fixpoint.solved:
        run.log("the rules alone solve it")
    else:
        unfixed_count = sum(len(domain) > 1 for domain in fixpoint.domains.values())
        run.log(f"the rules leave {unfixed_count} variables with several values")
        for line in domains_text(run.model, fixpoint.domains).splitlines():
            run.log(line)
    _search(run, solver)


def solve_on_graph(run: Run) -> None:
    """Find all solutions with the constraint graph; each propagated snapshot is an attempt."""
    graph = constraint_graph(run.model)
    rounds = _propagate_by_rounds(graph)
    if run.visits is not None:
        run.visits.passes = [(f"round {number}", removed) for number, removed in enumerate(rounds, 1)]
    for snapshot in snapshots(graph):
        run.count_attempt()
        if (values := solution(snapshot)) is not None:
            run.add_solution(values)
    run.log(f"{counted(len(graph), 'vertex', 'vertices')}, {counted(graph.number_of_edges(), 'edge')}")
    run.log(f"{counted(sum(rounds), 'value')} removed before search in {counted(len(rounds), 'round')}")


def _propagate_by_rounds(graph: nx.Graph[Any]) -> list[int]:
    """Propagate a graph, and return the number of values that each round removes.

    A round pops the vertices that were marked when it began.
    """
    rounds: list[int] = []
    remaining = 0
    for event in propagate(graph):
        if event.kind == "popped":
            if not remaining:
                remaining = 1 + sum(is_marked for _, is_marked in graph.nodes(data="marked"))
                rounds.append(0)
            remaining -= 1
        elif event.kind == "pruned":
            rounds[-1] += len(event.removed)
    return rounds
