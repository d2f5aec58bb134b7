"""The constraint network, or its primal graph, as text that other programs read: DOT, GraphML, GEXF, JSON."""

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
from .quoting import quote


def write_graph(model: Model, format: str, primal: bool = False) -> str:
    """The graph of a model as text.

    A variable is under its name, with ``kind`` (``variable``), ``label``, ``family`` and ``domain``; a
    constraint under ``constraint 0`` and so on in the order of the model, with ``kind`` (its class),
    ``label``, ``spec`` (the constraint in the language) and ``line``. An edge of the primal graph names the
    ``constraints`` it stands for, joined with a semicolon. All attributes are texts, but the line, which is
    a number.

    Parameters
    ----------
    model : Model
    format : {"dot", "graphml", "gexf", "json"}
        JSON is networkx's node-link data.
    primal : bool
        Whether to leave out the constraints and join the variables that share one.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the format is another one.

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
    graph = _plain(model, primal)
    match format:
        case "dot":
            return _dot(graph)
        case "graphml":
            return "\n".join(nx.generate_graphml(graph)) + "\n"
        case "gexf":
            return re.sub(' lastmodifieddate="[^"]*"', "", "\n".join(nx.generate_gexf(graph))) + "\n"
        case "json":
            return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1, ensure_ascii=False) + "\n"
    raise ValueError(f"graphs come as dot, graphml, gexf or json, not as {format}")


def _plain(model: Model, primal: bool) -> nx.Graph[str]:
    """The graph with names for nodes, and numbers and texts for attributes."""
    whole = network(model)
    source = primal_of(whole) if primal else whole
    plain: nx.Graph[str] = nx.Graph()
    for node, data in source.nodes(data=True):
        if data["bipartite"] == 0:
            domain = " ".join(map(str, data["domain"]))
            attributes = {"kind": "variable", "label": str(node), "family": node.family, "domain": domain}
            plain.add_node(visible(str(node)), **_shown(attributes))
        else:
            plain.add_node(_number(node), **_shown(_constraint(data["constraint"])))
    for one, other, data in source.edges(data=True):
        if primal:
            names = "; ".join(model.constraints[number].name for number in data["constraints"])
            plain.add_edge(visible(str(one)), visible(str(other)), constraints=visible(names))
        else:
            plain.add_edge(visible(str(one)), _number(other))
    return plain


def _shown(attributes: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return attributes without characters that XML cannot hold."""
    return {name: visible(value) if isinstance(value, str) else value for name, value in attributes.items()}


def _number(number: int) -> str:
    return f"constraint {number}"


def _constraint(constraint: Constraint) -> dict[str, str | int]:
    kind = type(constraint).__name__
    file = {"file": constraint.file} if constraint.file else {}
    return {"kind": kind, "label": constraint.name, "spec": str(constraint), "line": constraint.line, **file}


def _dot(graph: nx.Graph[str]) -> str:
    lines = [f"  {quote(node)}{_attributes(data)};" for node, data in graph.nodes(data=True)]
    edges = graph.edges(data=True)
    lines += [f"  {quote(one)} -- {quote(other)}{_attributes(data)};" for one, other, data in edges]
    return "\n".join(["strict graph {", *lines, "}", ""])


def _attributes(data: Mapping[str, Any]) -> str:
    return f" [{', '.join(f'{name}={quote(value)}' for name, value in data.items())}]" if data else ""
