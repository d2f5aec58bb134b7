"""Export the constraint network or primal graph as DOT, GraphML, GEXF or JSON.

``csp graph`` calls it. These graphs have no positions; pictures (``dot.py``) have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import networkx as nx

from ...base.notation import visible
from ...model import Constraint, Model
from ...model.network import network
from ...model.network import primal as primal_of
from .dot import quote


def write_graph(model: Model, format: str, primal: bool = False) -> str:
    """Return the constraint network or primal graph of a model as text.

    The node of a variable is its name, with the attributes ``kind`` (``variable``), ``label``, ``family`` and
    ``domain``. The nodes of constraints are ``constraint 0``, ``constraint 1``, ... in the order of the model, with
    ``kind`` (the class), ``label``, ``spec`` (the constraint in the language) and ``line``. An edge of the primal graph
    has ``constraints``, the names of the constraints that its ends share, joined with a semicolon. All attributes
    are texts, except the line, which is a number.

    Parameters
    ----------
    model : Model
    format : {"dot", "graphml", "gexf", "json"}
        JSON is the node-link format of networkx.
    primal : bool
        Write the primal graph: variables only, joined if they share a constraint.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB", label="pair", line=3)])
    >>> print(write_graph(model, "dot", primal=True))
    strict graph {
      "A" [kind="variable", label="A", family="A", domain="1 2"];
      "B" [kind="variable", label="B", family="B", domain="1 2"];
      "A" -- "B" [constraints="pair"];
    }
    <BLANKLINE>
    """
    graph = _text_graph(model, primal)
    match format:
        case "dot":
            return _write_dot(graph)
        case "graphml":
            return "\n".join(nx.generate_graphml(graph)) + "\n"
        case "gexf":
            return re.sub(' lastmodifieddate="[^"]*"', "", "\n".join(nx.generate_gexf(graph))) + "\n"
        case "json":
            return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1, ensure_ascii=False) + "\n"
    raise ValueError(f"graphs come as dot, graphml, gexf or json, not as {format}")


def _text_graph(model: Model, primal: bool) -> nx.Graph[str]:
    """Return the model's network or primal graph in networkx, with texts as nodes."""
    factor_graph = network(model)
    source = primal_of(factor_graph) if primal else factor_graph
    graph: nx.Graph[str] = nx.Graph()
    for node, data in source.nodes(data=True):
        if data["bipartite"] == 0:
            domain = " ".join(map(str, data["domain"]))
            attributes = {"kind": "variable", "label": str(node), "family": node.family, "domain": domain}
            graph.add_node(visible(str(node)), **_make_visible(attributes))
        else:
            graph.add_node(_constraint_node(node), **_make_visible(_constraint_attributes(data["constraint"])))
    for first, second, data in source.edges(data=True):
        if primal:
            names = "; ".join(model.constraints[number].name for number in data["constraints"])
            graph.add_edge(visible(str(first)), visible(str(second)), constraints=visible(names))
        else:
            graph.add_edge(visible(str(first)), _constraint_node(second))
    return graph


def _make_visible(attributes: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return the attributes; control characters, which XML forbids, are replaced."""
    return {name: visible(value) if isinstance(value, str) else value for name, value in attributes.items()}


def _constraint_node(number: int) -> str:
    return f"constraint {number}"


def _constraint_attributes(constraint: Constraint) -> dict[str, str | int]:
    """Return the attributes of a constraint's node: kind, label, text and line."""
    kind = type(constraint).__name__
    file = {"file": constraint.file} if constraint.file else {}
    return {"kind": kind, "label": constraint.name, "spec": str(constraint), "line": constraint.line, **file}


def _write_dot(graph: nx.Graph[str]) -> str:
    lines = [f"  {quote(node)}{_write_attributes(data)};" for node, data in graph.nodes(data=True)]
    edges = graph.edges(data=True)
    lines += [f"  {quote(first)} -- {quote(second)}{_write_attributes(data)};" for first, second, data in edges]
    return "\n".join(["strict graph {", *lines, "}", ""])


def _write_attributes(data: Mapping[str, Any]) -> str:
    return f" [{', '.join(f'{name}={quote(value)}' for name, value in data.items())}]" if data else ""
