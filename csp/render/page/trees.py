"""The search tree as data for the page: the marks of ``csp.picture.tree``, those of each kind of node once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...picture.shapes import bounding_box
from ...picture.tree import branch, cost_shape, edge_text, node_distance, node_points, node_shapes, shape_entries
from ...trace import Node, SearchTree
from ..svg import way
from .contract import NodeData, TreeData
from .data import edged, mark_data


def shape_data(trees: Iterable[SearchTree]) -> Mapping[str, Any]:
    """What kinds of nodes mean, and the marks of each."""
    found = {kind: entry for tree in trees for kind, entry in shape_entries(tree)}
    return {kind: [entry.words, *map(mark_data, entry.shapes)] for kind, entry in found.items()}


def both(tree: SearchTree, captions: Sequence[str]) -> list[TreeData]:
    """The whole tree and the collapsed one, whose nodes have only what differs."""
    whole, small = (tree_data(one, captions) for one in (tree, tree.collapsed()))
    known = {(node.get("first"), node.get("text"), node["kind"]): i for i, node in enumerate(whole["nodes"])}
    for i, node in enumerate(small["nodes"]):
        if (like := known.get((node.get("first"), node.get("text"), node["kind"]))) is not None:
            old = whole["nodes"][like]
            fresh = {name: value for name, value in node.items() if old.get(name) != value}
            small["nodes"][i] = NodeData(like=like, **fresh)  # type: ignore[typeddict-item]
    return [whole, small]


def tree_data(tree: SearchTree, captions: Sequence[str]) -> TreeData:
    """A tree as data for JSON, with what was not tried; from the captions of the records."""
    tree = tree.with_untried()
    points, costs, wide = node_points(tree), tree.costs(), node_distance(tree)
    marks = [list(node_shapes(node, wide)) for node in tree.nodes]
    for node, own, cost in zip(tree.nodes, marks, costs, strict=True):
        own[:] = [mark for mark in own if mark.look != "why"]  # the caption and the log say it
        own += [cost_shape(cost)] if cost[0] > 2 and node.kind != "collapsed" else []
    drawn = [one.shifted(point) for own, point in zip(marks, points, strict=True) for one in own]
    nodes: list[NodeData] = []
    for node, (x, y), own, cost in zip(tree.nodes, points, marks, costs, strict=True):
        made = NodeData(kind=node.kind, x=round(x, 1), y=round(y, 1), marks=list(map(mark_data, own[1:])))
        said = list(_words(node, cost))
        if node.kind == "untried" or [node.outcome] != captions[node.last : node.last + 1]:
            said.append(node.outcome)
        if said:
            made["text"] = ", ".join(said)
        if node.kind == "untried":
            tried = [one.branch for one in tree.nodes if one.parent == node.parent and one.kind != "untried"]
            made["choices"] = [f"{variable} = {value}" for variable, value in node.choices]
            made["tried"] = [f"{one[0]} = {one[1]}" for one in tried if one]
        else:
            made |= {"first": node.first, "last": node.last}
        if node.parent is not None:
            made["branch"] = way(branch(node, points))
        nodes.append(made)
    return TreeData(box=edged(bounding_box(drawn)), nodes=nodes)


def _words(node: Node, cost: tuple[int, int]) -> Iterator[str]:
    """What a reader is told of a node, but for how it ended."""
    nodes, failures = cost
    if edge := edge_text(node):
        yield edge
    if nodes > 1:
        yield f"below: {nodes - (node.kind != 'collapsed')} nodes, {failures} ■"
