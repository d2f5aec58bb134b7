"""The method that uses the algorithm of ``csp.graph``: search over graph snapshots."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..base.notation import counted
from ..graph import constraint_graph, propagate, snapshots, solution
from .base import Run


def solve(run: Run) -> None:
    """Search over snapshots of the constraint graph; each propagated snapshot is an attempt."""
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
    """Propagate, and return the number of values that each round removes.

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
