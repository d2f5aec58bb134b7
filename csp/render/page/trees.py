"""Convert a search tree into JSON data for the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...picture.shapes import bounding_box
from ...picture.tree import branch, cost_shape, edge_text, node_distance, node_points, node_shapes, shape_entries
from ...trace import Node, SearchTree
from ..svg import path_data
from .contract import NodeData, TreeData
from .data import box_with_margin, shape_data


def node_kind_data(trees: Iterable[SearchTree]) -> Mapping[str, Any]:
    """Return the legend text and the shapes of each kind of node."""
    entries = {kind: entry for tree in trees for kind, entry in shape_entries(tree)}
    return {kind: [entry.words, *map(shape_data, entry.shapes)] for kind, entry in entries.items()}


def tree_pair(tree: SearchTree, captions: Sequence[str]) -> list[TreeData]:
    """Return the data of a search tree, whole and with failed subtrees collapsed.

    A node of the collapsed tree has only the fields that differ from the node of the whole tree.
    """
    full_tree, collapsed = (tree_data(t, captions) for t in (tree, tree.collapse()))
    indices = {(node.get("first"), node.get("text"), node["kind"]): i for i, node in enumerate(full_tree["nodes"])}
    for i, node in enumerate(collapsed["nodes"]):
        if (index := indices.get((node.get("first"), node.get("text"), node["kind"]))) is not None:
            old = full_tree["nodes"][index]
            fresh = {name: value for name, value in node.items() if old.get(name) != value}
            collapsed["nodes"][i] = NodeData(like=index, **fresh)  # type: ignore[typeddict-item]
    return [full_tree, collapsed]


def tree_data(tree: SearchTree, captions: Sequence[str]) -> TreeData:
    """Convert a search tree into JSON data for the page."""
    tree = tree.with_untried()
    points, costs, wide = node_points(tree), tree.costs(), node_distance(tree)
    shapes = [list(node_shapes(node, wide)) for node in tree.nodes]
    for node, shapes_of_node, cost in zip(tree.nodes, shapes, costs, strict=True):
        shapes_of_node[:] = [shape for shape in shapes_of_node if shape.look != "why"]  # the caption and the log say it
        shapes_of_node += [cost_shape(cost)] if cost[0] > 2 and node.kind != "collapsed" else []
    drawn = [
        shape.shifted(point) for shapes_of_node, point in zip(shapes, points, strict=True) for shape in shapes_of_node
    ]
    nodes: list[NodeData] = []
    for node, (x, y), shapes_of_node, cost in zip(tree.nodes, points, shapes, costs, strict=True):
        node_data = NodeData(
            kind=node.kind, x=round(x, 1), y=round(y, 1), marks=list(map(shape_data, shapes_of_node[1:]))
        )
        texts = list(_node_texts(node, cost))
        # The page shows the caption of the last record already.
        if node.kind == "untried" or [node.outcome] != captions[node.last : node.last + 1]:
            texts.append(node.outcome)
        if texts:
            node_data["text"] = ", ".join(texts)
        if node.kind == "untried":
            siblings = [sibling for sibling in tree.nodes if sibling.parent == node.parent]
            tried = [sibling.branch for sibling in siblings if sibling.kind != "untried"]
            node_data["choices"] = [f"{variable} = {value}" for variable, value in node.choices]
            node_data["tried"] = [f"{decision[0]} = {decision[1]}" for decision in tried if decision]
        else:
            node_data |= {"first": node.first, "last": node.last}
        if node.parent is not None:
            node_data["branch"] = path_data(branch(node, points))
        nodes.append(node_data)
    return TreeData(box=box_with_margin(bounding_box(drawn)), nodes=nodes)


def _node_texts(node: Node, cost: tuple[int, int]) -> Iterator[str]:
    """Yield the decision of a node and the size of its subtree, as texts."""
    nodes, failures = cost
    if edge := edge_text(node):
        yield edge
    if nodes > 1:
        yield f"below: {nodes - (node.kind != 'collapsed')} nodes, {failures} ■"
