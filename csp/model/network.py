"""Build graphs of a model: constraint network and primal graph."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..base.incidence import Incidence
from ..base.late import import_late
from .model import Model


class Network(nx.Graph):  # type: ignore[misc]
    """A constraint network: a networkx graph that notebooks show as a picture.

    Examples
    --------
    >>> network(Model({"A": (1, 2)}))._repr_svg_().startswith("<svg")
    True
    """

    def _repr_svg_(self) -> str:
        """Draw the network for a notebook."""
        return str(import_late("csp.render.notebook", "network_svg")(self))


def network(model: Model) -> Network:
    """Build the constraint network: a bipartite graph of variables and constraints.

    Each variable is a node under its name, with the attributes ``bipartite=0`` and ``domain``. Each constraint is a
    node under its number in ``model.constraints``, with ``bipartite=1`` and ``constraint``. An edge connects a
    constraint with each variable of its scope. The attribute ``graph["model"]`` is the model, whose layout pictures
    follow. O(size of all scopes).

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
    graph = Network(model=model)
    for variable, domain in model.domains.items():
        graph.add_node(variable, bipartite=0, domain=domain)
    incidence, variables = Incidence(model.domains, [c.scope for c in model.constraints]), tuple(model.domains)
    for number, (constraint, scope) in enumerate(zip(model.constraints, incidence.scopes, strict=True)):
        graph.add_node(number, bipartite=1, constraint=constraint)
        graph.add_edges_from((variables[variable], number) for variable in scope)
    nx.freeze(graph)
    return graph


def primal(graph: nx.Graph[Any]) -> nx.Graph[Any]:
    """Build the primal graph: edges join variables that share a constraint.

    ``graph`` is a constraint network from ``network``. The result is frozen; every edge lists the numbers of its
    ``constraints``. O(sum of squared scope sizes).

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC"), AllDifferent.of("AB")])
    >>> primal(network(model)).edges["A", "B"]["constraints"]
    (0, 1)
    """
    projection = nx.Graph()
    projection.add_nodes_from((n, data) for n, data in graph.nodes(data=True) if data["bipartite"] == 0)
    # Each constraint connects all pairs of variables in its scope.
    for number, data in graph.nodes(data=True):
        if data["bipartite"] == 1:
            scope = data["constraint"].scope
            for i, variable in enumerate(scope):
                for neighbour in scope[i + 1 :]:
                    numbers = (
                        projection.edges[variable, neighbour]["constraints"]
                        if projection.has_edge(variable, neighbour)
                        else ()
                    )
                    projection.add_edge(variable, neighbour, constraints=(*numbers, number))
    return nx.freeze(projection)
