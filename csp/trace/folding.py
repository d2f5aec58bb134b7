"""Chains of a search tree without a failure, drawn as one node each."""

from __future__ import annotations

from dataclasses import replace

from .tree import Node, SearchTree

LONG = 4
"""A chain of so many nodes is folded."""


def folded(tree: SearchTree) -> SearchTree:
    """The same tree with every long chain of branchings, of which each has one node below it, as one node.

    Parameters
    ----------
    tree : SearchTree

    Returns
    -------
    SearchTree
        With its own indices; a folded node is of the kind ``chain``, and ``nodes`` says how long it is. O(nodes).

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> from csp.trace import search_tree
    >>> ring = ("AB", "BC", "CD", "DE", "EF", "FG", "GH")
    >>> tree = search_tree(record(Model({v: (1, 2, 3) for v in "ABCDEFGH"}, map(AllDifferent.of, ring)), nodes=None))
    >>> [(node.kind, node.nodes) for node in folded(tree).nodes]
    [('branching', 1), ('chain', 7), ('solution', 1)]
    """
    children = tree.children
    length = [0] * len(tree.nodes)  # of the chain that begins at a node
    for node in reversed(tree.nodes):
        if node.kind == "branching" and node.parent is not None and len(children[node.index]) == 1:
            length[node.index] = length[children[node.index][0]] + 1
    kept: list[Node] = []
    new: list[int] = []
    rest = [0] * len(tree.nodes)  # how many nodes of its chain come after one that is folded
    for node in tree.nodes:
        above = None if node.parent is None else new[node.parent]
        left = rest[node.parent] if node.parent is not None else 0
        if left:
            assert above is not None
            rest[node.index] = left - 1
            whole = kept[above]
            kept[above] = replace(whole, last=node.last, nodes=whole.nodes + 1)
            new.append(above)
            continue
        is_long = length[node.index] >= LONG
        rest[node.index] = length[node.index] - 1 if is_long else 0
        new.append(len(kept))
        kept.append(replace(node, index=len(kept), parent=above, kind="chain" if is_long else node.kind))
    return SearchTree(tuple(map(_told, kept)))


def _told(node: Node) -> Node:
    return replace(node, outcome=f"{node.nodes} decisions without a failure") if node.kind == "chain" else node
