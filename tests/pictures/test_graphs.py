"""Tests that graphs written for other programs can be read back."""

from __future__ import annotations

import io
import json

import networkx as nx
import pytest

from csp.model.network import network, primal
from csp.render.dot.graphs import write_graph

from .test_render import example


@pytest.mark.parametrize("only_variables", [False, True])
@pytest.mark.parametrize("name", ["shidoku", "money", "states"])
def test_graphs_of_every_format_are_read_back(name: str, only_variables: bool) -> None:
    model = example(name)
    expected = primal(network(model)) if only_variables else network(model)
    pygraphviz = pytest.importorskip("pygraphviz")
    graphs = {
        "graphml": nx.read_graphml(io.BytesIO(write_graph(model, "graphml", only_variables).encode())),
        "gexf": nx.read_gexf(io.BytesIO(write_graph(model, "gexf", only_variables).encode())),
        "json": nx.node_link_graph(json.loads(write_graph(model, "json", only_variables)), edges="edges"),
        "dot": nx.nx_agraph.from_agraph(pygraphviz.AGraph(string=write_graph(model, "dot", only_variables))),
    }
    for graph in graphs.values():
        assert len(graph) == len(expected)
        assert graph.number_of_edges() == expected.number_of_edges()
        for variable, domain in model.domains.items():
            assert graph.nodes[variable]["kind"] == "variable"
            assert graph.nodes[variable]["domain"].split() == list(map(str, domain))
        if not only_variables:
            for number, constraint in enumerate(model.constraints):
                data = graph.nodes[f"constraint {number}"]
                assert (data["kind"], data["spec"]) == (type(constraint).__name__, str(constraint))
                assert (data["label"], int(data["line"])) == (constraint.name, constraint.line)
    assert len({frozenset(map(frozenset, graph.edges)) for graph in graphs.values()}) == 1


def test_edges_of_the_primal_graph_name_their_constraints() -> None:
    graph = json.loads(write_graph(example("shidoku"), "json", primal=True))
    first = next(edge for edge in graph["edges"] if {edge["source"], edge["target"]} == {"A", "B"})
    assert first["constraints"] == "row 1; box 1"


def test_a_written_graph_has_no_date() -> None:
    assert "modified" not in write_graph(example("australia"), "gexf")
