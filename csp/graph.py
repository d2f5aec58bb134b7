"""The whole algorithm on one page: constraint graph, marks, queue, and search over snapshots.

The rest of ``csp`` gives the same answers much faster. This file shows what is computed; tests hold the engine to it.

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
    """One step of propagation: a vertex was popped, pruned or marked, or it failed.

    Attributes
    ----------
    kind : {"popped", "pruned", "marked", "failed"}
        The vertex left the queue, lost values, entered the queue, or has no value left.
    vertex : Variable
    removed : tuple of int or str
        The lost values, if it was pruned.
    cause : Variable or Constraint or None
        The neighbour or the constraint that removed them.
    """

    kind: Literal["popped", "pruned", "marked", "failed"]
    vertex: Variable
    removed: Domain = ()
    cause: Variable | Constraint | None = None

    def __str__(self) -> str:
        values = f": {', '.join(map(quoted, self.removed))}" if self.removed else ""
        return f"{self.kind} {self.vertex}{values}" + (f" by {self.cause}" if self.cause is not None else "")


def constraint_graph(model: Model) -> nx.Graph[Any]:
    """Build the constraint graph of a model, and apply the constraints on one variable.

    Returns
    -------
    networkx.Graph
        A vertex for each variable with its ``domain`` (a tuple of values), ``marked`` (its domain is new to the
        neighbours) and ``constraints`` (those on it that edges do not express). An edge joins two variables that must
        differ. The model's objective, ``show`` and layout play no part: solutions are of all variables.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> graph = constraint_graph(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> graph.edges, graph.nodes["A"]
    (EdgeView([('A', 'B')]), {'domain': (1, 2), 'marked': False, 'constraints': ()})
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
    """Propagate a graph in place to its fixpoint or a failure, and yield each event.

    The graph may be changed between two calls, such as by a decision: set ``domain`` and mark the vertex. A vertex is
    popped at most once for each value that it loses.

    References
    ----------
    .. [1] A. K. Mackworth, "Consistency in networks of relations", Artificial Intelligence 8, 1977.
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
    """Propagate one vertex: remove its mark, then prune and mark others; yield each event until a failure."""
    graph.nodes[vertex]["marked"] = False
    yield GraphEvent("popped", vertex)
    for v, removed, cause in _prunings(graph, vertex):
        changed = graph.nodes[v]
        changed["domain"] = tuple([value for value in changed["domain"] if value not in removed])
        yield GraphEvent("pruned", v, removed, cause)
        if not changed["domain"]:
            yield GraphEvent("failed", v, (), cause)
            return
        if not changed["marked"]:
            changed["marked"] = True
            yield GraphEvent("marked", v)


def _prunings(graph: nx.Graph[Any], vertex: Variable) -> Iterator[tuple[Variable, Domain, Variable | Constraint]]:
    """Yield removals that follow from a vertex: variable, lost values, and cause."""
    nodes = graph.nodes
    # A neighbour cannot have the only value of this vertex.
    if len(only := nodes[vertex]["domain"]) == 1:
        for neighbour in graph[vertex]:
            if only[0] in nodes[neighbour]["domain"]:
                yield neighbour, only, vertex
    # If at most one variable of the scope is unfixed, check each of that variable's values.
    for constraint in nodes[vertex]["constraints"]:
        unfixed = [v for v in constraint.scope if len(nodes[v]["domain"]) > 1]
        if len(unfixed) < 2:
            target = unfixed[0] if unfixed else vertex
            values = {v: nodes[v]["domain"][0] for v in constraint.scope}
            d = nodes[target]["domain"]
            if removed := tuple([value for value in d if not constraint.check({**values, target: value})]):
                yield target, removed, constraint


def snapshots(graph: nx.Graph[Any]) -> Iterator[nx.Graph[Any]]:
    """Yield each node of the search as a propagated snapshot of the graph.

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
    """Return the value of each variable if all domains have one value, else None."""
    domains = dict(snapshot.nodes(data="domain"))
    return {v: d[0] for v, d in domains.items()} if all(len(d) == 1 for d in domains.values()) else None


def solutions(graph: nx.Graph[Any]) -> Iterator[dict[str, Value]]:
    """Yield every solution of a graph as a dictionary, in the order of the search.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> list(solutions(constraint_graph(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]))))
    [{'A': 1, 'B': 2}, {'A': 2, 'B': 1}]
    """
    return (values for snapshot in snapshots(graph) if (values := solution(snapshot)) is not None)


def snapshot_dot(graph: nx.Graph[Any], event: GraphEvent | None = None) -> graphviz.Graph:
    """Draw a graph with Graphviz: domains, asterisks, and in red the edge of an event.

    Variables with two numbers as indices are placed in rows and columns, all others by Graphviz.

    Examples
    --------
    >>> "{4}" in snapshot_dot(constraint_graph(Model({"A": (4,)}))).source
    True
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
