"""The model as a frozen networkx graph, and the graphs that follow from it. No state lives here."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..base.show import ShowsSvg
from .model import Model
from .variable import Variable


class Network(ShowsSvg, nx.Graph):  # type: ignore[misc]
    """A constraint network that a notebook shows as a picture; else it is any networkx graph.

    Examples
    --------
    >>> network(Model({"A": (1, 2)}))._repr_svg_().startswith("<svg")
    True
    """


def network(model: Model) -> Network:
    """The constraint network: a frozen bipartite graph of variables and constraints.

    Returns a ``networkx.Graph`` with a node per variable (``bipartite=0``, ``domain``) under its name, a node per
    constraint (``bipartite=1``, ``constraint``) under its number in ``model.constraints``, and an edge where a variable
    is in the scope. Built in O(size of all scopes).

    References
    ----------
    .. [1] R. Dechter, "Constraint Processing", 2003, chapter 2.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> graph = network(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> sorted(graph.edges, key=str)
    [('A', 0), ('B', 0)]
    """
    graph = Network()
    for variable, domain in model.domains.items():
        graph.add_node(variable, bipartite=0, domain=domain)
    for number, constraint in enumerate(model.constraints):
        graph.add_node(number, bipartite=1, constraint=constraint)
        graph.add_edges_from((variable, number) for variable in constraint.scope)
    nx.freeze(graph)
    return graph


def primal(graph: nx.Graph[Any]) -> nx.Graph[Any]:
    """The primal graph: variables, with an edge where two share a constraint.

    ``graph``: as ``network`` gives it. Returns frozen; every edge lists the numbers of its ``constraints``. O(sum of
    squared scope sizes).

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC"), AllDifferent.of("AB")])
    >>> primal(network(model)).edges["A", "B"]["constraints"]
    (0, 1)
    """
    projection = nx.Graph()
    projection.add_nodes_from((n, data) for n, data in graph.nodes(data=True) if data["bipartite"] == 0)
    for number, data in graph.nodes(data=True):
        if data["bipartite"] == 1:
            scope = data["constraint"].scope
            for i, one in enumerate(scope):
                for other in scope[i + 1 :]:
                    known = projection.edges[one, other]["constraints"] if projection.has_edge(one, other) else ()
                    projection.add_edge(one, other, constraints=(*known, number))
    return nx.freeze(projection)


def components(graph: nx.Graph[Any]) -> list[set[Variable]]:
    """The variables, split where no constraint connects the parts.

    ``graph``: as ``network`` gives it. Returns in the order of the model. O(size of the graph).

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("AC")])
    >>> [sorted(part) for part in components(network(model))]
    [['A', 'C'], ['B']]
    """
    parts = nx.connected_components(graph)
    return [{node for node in part if graph.nodes[node]["bipartite"] == 0} for part in parts]
