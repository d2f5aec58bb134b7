"""The whole algorithm on one page: constraint graph, marks, queue, and search over snapshots.

The rest of ``csp`` gives the same answers much faster; tests compare it with this file. ``snapshot_dot`` draws a state.

>>> from csp import AllDifferent, Model
>>> graph = constraint_graph(Model({"A": (1, 2, 3), "B": (1,)}, [AllDifferent.of("AB")]))
>>> [str(event) for event in propagate(graph)]
['popped B', 'pruned A: 1 by B', 'marked A', 'popped A']
>>> dict(graph.nodes(data="domain"))
{'A': (2, 3), 'B': (1,)}
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import graphviz
import networkx as nx

from .base.notation import Domain, quoted
from .model import Constraint, Model, Value, Variable

# v stands for a variable, which is a vertex of the graph, and d for its domain.


class GraphEvent(NamedTuple):
    """An event of propagation: a vertex was popped, pruned or marked, or has failed.

    ``cause`` is the neighbour or the constraint that removed the values, or that the popped or marked arc reads.
    """

    kind: Literal["popped", "pruned", "marked", "failed"]
    vertex: Variable
    removed: Domain = ()
    cause: Variable | Constraint | None = None

    def __str__(self) -> str:
        values = f": {', '.join(map(quoted, self.removed))}" if self.removed else ""
        return f"{self.kind} {self.vertex}{values}" + (f" by {self.cause}" if self.cause is not None else "")


def constraint_graph(model: Model) -> nx.Graph[Any]:
    """Build the constraint graph of a model, and apply the unary constraints to its domains.

    Each variable is a vertex with its ``domain`` (a tuple of values), ``marked`` (its domain is new to the neighbours)
    and ``constraints`` (those on it that edges do not express). An edge joins two variables that must differ. The
    model's objective, ``show`` and layout play no part: solutions are of all variables.
    """
    graph = nx.Graph()
    for v, d in model.domains.items():
        graph.add_node(v, domain=d, marked=len(d) == 1, constraints=())
    for constraint in model.constraints:
        for group in constraint.differing():
            graph.add_edges_from((v, w) for i, v in enumerate(group) for w in group[i + 1 :])
        # Edges already express this constraint: do not store it at the vertices.
        elements = constraint.apart()
        if elements and all(element.is_variable for element in elements):
            continue
        # If a constraint without variables is false, empty every domain.
        for v in constraint.scope or (graph if not constraint.check({}) else ()):
            vertex = graph.nodes[v]
            if len(constraint.scope) > 1:
                vertex["constraints"] += (constraint,)
            elif any(rejected := [not constraint.check({v: value}) for value in vertex["domain"]]):
                vertex["domain"] = tuple([x for x, bad in zip(vertex["domain"], rejected, strict=True) if not bad])
                vertex["marked"] = True
    return graph


def propagate(graph: nx.Graph[Any]) -> Iterator[GraphEvent]:
    """Propagate a graph's domains in place, to a fixpoint or failure; yield each event.

    The graph may be changed between two calls, such as by a decision: set ``domain`` and mark the vertex. A vertex
    that was not marked is popped at most once for each value that it loses. ``propagate_arcs`` has this fixpoint too.
    """
    if empty := [v for v in graph if not graph.nodes[v]["domain"]]:
        yield GraphEvent("failed", empty[0])
        return
    queue = deque(v for v in graph if graph.nodes[v]["marked"])
    while queue:
        for event in pop(graph, queue.popleft()):
            yield event
            if event.kind == "failed":
                return
            if event.kind == "marked":
                queue.append(event.vertex)


def pop(graph: nx.Graph[Any], vertex: Variable) -> Iterator[GraphEvent]:
    """Propagate one vertex: remove its mark, prune and mark others, and yield each event."""
    graph.nodes[vertex]["marked"] = False
    yield GraphEvent("popped", vertex)
    for v, cause in _arcs(graph, vertex):
        if removed := _revise(graph, v, cause):
            yield GraphEvent("pruned", v, removed, cause)
            if not graph.nodes[v]["domain"]:
                yield GraphEvent("failed", v, (), cause)
                return
            if not graph.nodes[v]["marked"]:
                graph.nodes[v]["marked"] = True
                yield GraphEvent("marked", v)


def propagate_arcs(graph: nx.Graph[Any]) -> Iterator[GraphEvent]:
    """Propagate a graph like ``propagate``, but with a queue of arcs (AC-3, Mackworth 1977).

    An arc is a vertex to prune, and the neighbour or the constraint that it reads.
    """
    if empty := [v for v in graph if not graph.nodes[v]["domain"]]:
        yield GraphEvent("failed", empty[0])
        return
    queue = deque(dict.fromkeys(arc for v in graph if graph.nodes[v]["marked"] for arc in _arcs(graph, v)))
    nx.set_node_attributes(graph, False, "marked")
    while queue:
        vertex, cause = queue.popleft()
        yield GraphEvent("popped", vertex, (), cause)
        if removed := _revise(graph, vertex, cause):
            yield GraphEvent("pruned", vertex, removed, cause)
            if not graph.nodes[vertex]["domain"]:
                yield GraphEvent("failed", vertex, (), cause)
                return
            for arc in [arc for arc in _arcs(graph, vertex) if arc not in queue]:
                queue.append(arc)
                yield GraphEvent("marked", arc[0], (), arc[1])


def _arcs(graph: nx.Graph[Any], vertex: Variable) -> Iterator[tuple[Variable, Variable | Constraint]]:
    """Yield the arcs that read a vertex, as pairs (vertex to prune, cause)."""
    yield from ((neighbour, vertex) for neighbour in graph[vertex])
    for constraint in graph.nodes[vertex]["constraints"]:
        yield from ((v, constraint) for v in sorted(constraint.scope, key=vertex.__ne__))  # the vertex itself first


def _revise(graph: nx.Graph[Any], vertex: Variable, cause: Variable | Constraint) -> Domain:
    """Remove the values that an arc excludes from a vertex's domain, and return them."""
    nodes, others = graph.nodes, (cause,) if isinstance(cause, Variable) else cause.scope
    # An arc excludes values once all variables that it reads are fixed.
    if any(len(nodes[v]["domain"]) > 1 and v != vertex for v in others):
        return ()
    values: dict[str, Value] = {v: nodes[v]["domain"][0] for v in others}
    d = nodes[vertex]["domain"]
    if isinstance(cause, Variable):
        removed = tuple([value for value in d if value == values[cause]])
    else:
        removed = tuple([value for value in d if not cause.check({**values, vertex: value})])
    nodes[vertex]["domain"] = tuple([value for value in d if value not in removed])
    return removed


def snapshots(graph: nx.Graph[Any]) -> Iterator[nx.Graph[Any]]:
    """Yield a propagated copy of the graph for each node of a depth-first search.

    If a snapshot has unfixed vertices, each value of a smallest domain is tried on a copy of the graph.
    """
    stack = [graph.copy()]
    while stack:
        snapshot = stack.pop()
        for _ in propagate(snapshot):
            pass
        yield snapshot
        sizes = {v: len(d) for v, d in snapshot.nodes(data="domain")}
        unfixed = [v for v in sizes if sizes[v] > 1]
        if 0 in sizes.values() or not unfixed:
            continue
        # First-fail: branch on a smallest domain. The search tries the copy pushed last first.
        vertex = min(unfixed, key=sizes.__getitem__)
        for value in reversed(snapshot.nodes[vertex]["domain"]):
            branch = snapshot.copy()
            branch.nodes[vertex].update(domain=(value,), marked=True)
            stack.append(branch)


def solution(snapshot: nx.Graph[Any]) -> dict[str, Value] | None:
    """Return the value of each variable if every domain has one value, else None."""
    domains = snapshot.nodes(data="domain")
    return {v: d[0] for v, d in domains} if all(len(d) == 1 for _, d in domains) else None


def solutions(graph: nx.Graph[Any]) -> Iterator[dict[str, Value]]:
    """Yield every solution of a graph as a dictionary, in the order of the search."""
    return (values for snapshot in snapshots(graph) if (values := solution(snapshot)) is not None)


def snapshot_dot(graph: nx.Graph[Any], event: GraphEvent | None = None) -> graphviz.Graph:
    """Draw a graph with Graphviz: domains, asterisks, and in red the edge of an event.

    Variables with two numbers as indices are placed in rows and columns, all others by Graphviz.
    """
    look = {"shape": "box", "style": "rounded,filled", "fillcolor": "white"}
    dot = graphviz.Graph(graph_attr={"layout": "neato"}, node_attr=look)
    for v, vertex in graph.nodes(data=True):
        place = {"pos": f"{1.5 * v.indices[1]},-{v.indices[0]}!"} if [*map(type, v.indices)] == [int, int] else {}
        values = " ".join(map(str, vertex["domain"]))
        dot.node(str(v), f"{v}{'*' if vertex['marked'] else ''}\n{{{values}}}", **place)
    for edge in graph.edges:
        acts = event is not None and {event.vertex, event.cause} == {*edge}
        dot.edge(*map(str, edge), **({"penwidth": "4", "color": "red"} if acts else {}))
    return dot
