"""Folding of long chains in a search tree, each drawn as one node."""

from __future__ import annotations

from dataclasses import replace

from .tree import Node, SearchTree

MIN_CHAIN_NODES = 4
"""Minimum number of nodes of a chain that is folded."""


def fold_chains(tree: SearchTree) -> SearchTree:
    """Return the tree in which each long chain of nodes is one node.

    A chain consists of branchings with one child each.

    Parameters
    ----------
    tree : SearchTree

    Returns
    -------
    SearchTree
        A tree with new indices. A folded node has the kind ``chain``, and its ``nodes`` is the length. O(nodes).

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> from csp.trace import search_tree
    >>> ring = ("AB", "BC", "CD", "DE", "EF", "FG", "GH")
    >>> tree = search_tree(record(Model({v: (1, 2, 3) for v in "ABCDEFGH"}, map(AllDifferent.of, ring)), nodes=None))
    >>> [(node.kind, node.nodes) for node in fold_chains(tree).nodes]
    [('branching', 1), ('chain', 7), ('solution', 1)]
    """
    children = tree.children
    # Find for every node the length of the chain that begins there.
    chain_length = [0] * len(tree.nodes)
    for node in reversed(tree.nodes):
        if node.kind == "branching" and node.parent is not None and len(children[node.index]) == 1:
            chain_length[node.index] = chain_length[children[node.index][0]] + 1
    # Copy the tree; the nodes of a long chain join the node that begins it.
    nodes: list[Node] = []
    new_index: list[int] = []
    to_join = [0] * len(tree.nodes)  # how many further nodes of its chain join a folded node
    for node in tree.nodes:
        parent = None if node.parent is None else new_index[node.parent]
        remaining = to_join[node.parent] if node.parent is not None else 0
        if remaining:
            assert parent is not None
            to_join[node.index] = remaining - 1
            chain = nodes[parent]
            nodes[parent] = replace(chain, last=node.last, nodes=chain.nodes + 1)
            new_index.append(parent)
            continue
        is_long = chain_length[node.index] >= MIN_CHAIN_NODES
        to_join[node.index] = chain_length[node.index] - 1 if is_long else 0
        new_index.append(len(nodes))
        nodes.append(replace(node, index=len(nodes), parent=parent, kind="chain" if is_long else node.kind))
    return SearchTree(tuple(map(_with_outcome, nodes)))


def _with_outcome(node: Node) -> Node:
    """Return a folded node with a text for its chain; return other nodes unchanged."""
    return replace(node, outcome=f"{node.nodes} decisions without a failure") if node.kind == "chain" else node
