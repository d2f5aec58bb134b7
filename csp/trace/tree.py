"""The search tree of a trace: nodes, outcomes, folded chains, and places in a drawing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from ..base.frozen import Frozen
from ..model import Candidate
from .captions import caption, headline
from .history import Trace
from .outlines import place_nodes
from .records import Counted, Decision, Failure, Part, Reached, Record, Rest, Restart, Solved

NodeKind = Literal[
    "branching", "solution", "failure", "open", "reached", "restart", "part", "collapsed", "untried", "chain"
]

CUT_OUTCOMES: Mapping[NodeKind, str] = {"restart": "left at a restart", "reached": "not recorded to its end"}
"""By the kind of a node, the outcome of the collapsed subtree before it."""

COUNTED_OUTCOMES: Mapping[NodeKind, str] = {
    "failure": "failure, counted, not recorded",
    "solution": caption(Reached(0, ())),
}
"""By the kind of a node that is counted, its outcome; others are ``counted, not recorded``."""

MIN_CHAIN_NODES = 4
"""Minimum number of nodes of a chain that is folded."""


class Node(Frozen):
    """A node of the search tree: the records from one decision to the next.

    Attributes
    ----------
    index : int
        The index of the node in ``SearchTree.nodes``.
    parent : int or None
        The index of the parent; None for the root.
    number : int
        The number of the node in records and captions, such as ``node 3``. A restart has the number of its root.
    kind : str
        - ``branching``: a fixpoint with children;
        - ``solution``: a solution of the problem or of the present part;
        - ``reached``: the solution that the search reaches after the last record;
        - ``failure``: a contradiction;
        - ``open``: a fixpoint at which the trace ends;
        - ``restart``: a restart, with the new run below it;
        - ``part``: the start of the next independent part, which is below it;
        - ``collapsed``: a subtree drawn as one node: it has no solution, or a restart cut it off;
        - ``untried``: alternatives of the parent that were not tried, drawn as one node without records;
        - ``chain``: several branchings with one child each, drawn as one node.
    first, last : int
        The indices of the first and the last record in ``Trace.records``, for a collapsed node those of its subtree.
        The moment after record i is number i + 1 of ``csp.replay``. The root of an empty trace has no records: its
        last is before its first.
    branch : Candidate or None
        The decision that leads from the parent to this node.
    outcome : str
        The caption of the end of the node; for a failure with the reason.
    nodes, failures : int
        Number of nodes and of failures that the node represents, itself included. For untried alternatives the number
        of candidates, and 0.
    choices : tuple of Candidate
        The alternatives at the parent, with this node's own; for an untried node its candidates.
    """

    index: int
    parent: int | None
    number: int
    kind: NodeKind
    first: int
    last: int
    branch: Candidate | None
    outcome: str
    nodes: int
    failures: int
    choices: tuple[Candidate, ...] = ()

    @property
    def edge(self) -> str:
        """The text at the edge from the parent, such as ``cell(1,3) = 4``."""
        if self.kind == "untried" and self.nodes > 1:
            return f"{self.nodes} untried"
        return f"{self.branch[0]} = {self.branch[1]}" if self.branch else ""


class SearchTree(Frozen):
    """A search tree: nodes in the order of the trace, parents before children.

    Attributes
    ----------
    nodes : tuple of Node
    """

    nodes: tuple[Node, ...]

    @property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each node, the indices of its children from left to right."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            if node.parent is not None:
                below[node.parent].append(node.index)
        return tuple(map(tuple, below))

    @property
    def path(self) -> tuple[int, ...]:
        """The indices of the nodes from the root to the last node.

        The last node is the solution, if there is one.
        """
        upward: list[int] = []
        index: int | None = len(self.nodes) - 1
        while index is not None:
            upward.append(index)
            index = self.nodes[index].parent
        return tuple(reversed(upward))

    def at(self, record: int) -> int:
        """Return the index of the node that contains a record of the trace.

        Parameters
        ----------
        record : int
            The index in ``Trace.records``; before the first record the node is the root.

        Returns
        -------
        int
            O(nodes).
        """
        return max(0, bisect_right([node.first for node in self.nodes], record) - 1)

    def collapse(self) -> SearchTree:
        """Return the tree with each subtree away from ``path`` replaced by one node.

        The ``path`` stays whole, so that a subtree cut off by a limit never counts as failed.

        Returns
        -------
        SearchTree
            A tree with new indices. O(nodes).

        Examples
        --------
        >>> from csp import AllDifferent, Model, record
        >>> names = "ABCDEFGH"  # the first value of A leaves four pigeons three holes
        >>> model = Model({v: range(3) for v in names}, [AllDifferent.of(p) for p in ("ABC", "DEF", "FGHA", "CDH")])
        >>> tree = search_tree(record(model, nodes=None))
        >>> small = tree.collapse()
        >>> sum(node.nodes for node in small.nodes) == len(tree.nodes) >= len(small.nodes)
        True
        """
        path = set(self.path)
        nodes: list[Node] = []
        new_index: list[int] = []  # of every node, or of the collapsed node that contains it
        outcomes: dict[int, str] = {}  # of collapsed nodes that a restart, or the end of the records, has cut off
        for node, children in zip(self.nodes, self.children, strict=True):
            parent = None if node.parent is None else new_index[node.parent]
            if node.kind in CUT_OUTCOMES:
                outcomes[len(nodes) - 1] = CUT_OUTCOMES[node.kind]
            # A node below a collapsed one joins it.
            if parent is not None and nodes[parent].kind == "collapsed":
                nodes[parent] = _join(nodes[parent], node)
                new_index.append(parent)
                continue
            kind: NodeKind = "collapsed" if children and node.index not in path else node.kind
            new_index.append(len(nodes))
            if kind == "collapsed" != node.kind:
                outcomes[len(nodes)] = "no solution"
            nodes.append(replace(node, index=len(nodes), parent=parent, kind=kind))
        return SearchTree(
            tuple(_with_outcome(node, outcomes[node.index]) if node.index in outcomes else node for node in nodes)
        )

    def with_untried(self) -> SearchTree:
        """Return the tree with additional nodes for the alternatives that were not tried.

        Collapsed nodes, and nodes cut off by a restart, get none.

        Returns
        -------
        SearchTree
            The new nodes are the last ones. O(nodes and choices).

        Examples
        --------
        >>> from csp import AllDifferent, Model, record
        >>> tree = search_tree(record(Model({v: range(3) for v in "AB"}, [AllDifferent.of("AB")]), nodes=None))
        >>> [node.edge for node in tree.with_untried().nodes]
        ['', 'A = 0', 'B = 1', '2 untried', 'B = 2']
        """
        nodes = list(self.nodes)
        for node, children in zip(self.nodes, self.children, strict=True):
            tried = {self.nodes[child].branch for child in children}
            last = self.nodes[children[-1]] if children else node
            untried = [c for c in last.choices if c not in tried] if node.kind == "branching" and children else []
            if untried:
                text = "not tried: " + ", ".join([f"{variable} = {value}" for variable, value in untried])
                nodes.append(
                    Node(
                        len(nodes), node.index, -1, "untried", -1, -1, untried[0], text, len(untried), 0, tuple(untried)
                    )
                )
        return SearchTree(tuple(nodes))

    def costs(self) -> tuple[tuple[int, int], ...]:
        """Return for each node the numbers of nodes and of failures in its subtree.

        Returns
        -------
        tuple of (int, int)
            O(nodes).
        """
        costs = [(0, 0) if node.kind == "untried" else (node.nodes, node.failures) for node in self.nodes]
        # Bottom up: add the cost of every node to that of its parent.
        for node in reversed(self.nodes):
            if node.parent is not None:
                of_parent, of_node = costs[node.parent], costs[node.index]
                costs[node.parent] = of_parent[0] + of_node[0], of_parent[1] + of_node[1]
        return tuple(costs)

    def places(self) -> tuple[tuple[float, int], ...]:
        """Return (x, depth) for drawing each node, with x in widths of a node.

        Siblings keep their order, a parent is in the middle above its children, and nodes of equal depth are at least 1
        apart; the leftmost node is at 0.

        Returns
        -------
        tuple of (float, int)
            For every node, in order. O(nodes).

        References
        ----------
        .. [1] E. M. Reingold, J. S. Tilford, "Tidier drawings of trees", 1981.

        Examples
        --------
        >>> from csp import AllDifferent, Model, record
        >>> ring = ("AB", "BC", "CD", "DE", "EA")
        >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
        >>> search_tree(record(model, nodes=None)).places()
        ((0.5, 0), (0.0, 1), (1.0, 1))
        """
        return place_nodes(self.children)


def search_tree(trace: Trace) -> SearchTree:
    """Build the search tree of a trace from its records.

    A trace follows one query to its first solution. A restart is a child of the root from which the search restarts,
    and its new run is below it. An independent part is a child of the solution of the previous part.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    SearchTree
        O(records).

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = [AllDifferent.of(pair, label=" and ".join(pair)) for pair in ("AB", "BC", "CD", "DE", "EA")]
    >>> model = Model({v: range(2) for v in "ABCDE"}, ring)
    >>> tree = search_tree(record(model, nodes=None))
    >>> for node in tree.nodes:
    ...     print(node.parent, node.kind, node.edge, "|", node.outcome, node.first, node.last)
    None branching  | fixpoint · 5 unfixed 0 0
    0 failure A = 0 | failure · D has no value left 1 11
    0 failure A = 1 | failure · D has no value left 12 22
    >>> tree.at(3), tree.path
    (1, (0, 2))
    """
    records = trace.records
    # The solution after counted nodes is one of them.
    starts = [
        0,
        *(
            i
            for i, record in enumerate(records)
            if isinstance(record, Decision | Counted | Part | Restart)
            or (isinstance(record, Reached) and not isinstance(records[i - 1], Counted))
        ),
    ]
    nodes: list[Node] = []
    index_of: dict[int, int] = {}  # the current index of every node number in the records
    for start, end in pairwise([*starts, len(records)]):
        if records and isinstance(rest := records[start], Counted):
            _add_counted(rest, start, end - 1, nodes, index_of)
            continue
        number, parent, branch = _read_begin(records[start] if records else None, index_of, nodes)
        kind, outcome = _read_end(records[start:end])
        choices = getattr(records[start], "choices", ()) if records else ()
        failures = int(kind == "failure")
        node = Node(len(nodes), parent, number, kind, start, end - 1, branch, outcome, 1, failures, choices)
        index_of[number] = node.index
        if parent is not None and nodes[parent].kind == "open":
            nodes[parent] = replace(nodes[parent], kind="branching")
        nodes.append(node)
    return SearchTree(tuple(nodes))


def _add_counted(record: Counted, first: int, last: int, nodes: list[Node], index_of: dict[int, int]) -> None:
    """Append to ``nodes`` a tree node for each subtree of a ``Counted`` record.

    Updates ``index_of``.
    """
    for subtree in record.subtrees:
        parent = nodes[index_of[subtree.parent]]
        if parent.kind == "open":
            nodes[parent.index] = replace(parent, kind="branching")
        node_last = last if subtree.kind == "solution" else first
        outcome = COUNTED_OUTCOMES.get(subtree.kind, "counted, not recorded")
        node = Node(
            len(nodes), parent.index, subtree.number, subtree.kind, first, node_last, subtree.candidate, outcome,
            subtree.nodes, subtree.failures, subtree.choices,
        )  # fmt: skip
        index_of[subtree.number] = node.index
        nodes.append(_with_outcome(node, subtree.outcome))


def _read_begin(
    record: Record | None, index_of: Mapping[int, int], nodes: Sequence[Node]
) -> tuple[int, int | None, Candidate | None]:
    """Return a node's number, parent index and decision, read from its first record."""
    match record:
        case Decision():
            return record.node, index_of[record.parent], record.candidate
        case Restart():
            root = nodes[index_of[record.node]]
            return record.node, root.parent if root.kind == "restart" else root.index, None
        case Reached():
            return record.node, 0, None
        case Part():
            return record.node, len(nodes) - 1, None
    return 0, None, None


def _read_end(records: Sequence[Record]) -> tuple[NodeKind, str]:
    """Return the kind and the outcome of a node, read from its last records."""
    for record in reversed(records):
        match record:
            case Restart():
                return "restart", caption(record)
            case Reached():
                return "reached", caption(record)
            case Part():
                return "part", caption(record)
            case Failure():
                return "failure", headline(record)
            case Rest(open=unfixed) if unfixed:
                return "open", caption(record)
            case Rest() | Solved():
                return "solution", caption(record)
    return "open", ""


def _join(collapsed: Node, node: Node) -> Node:
    """Return ``collapsed`` extended by the nodes, failures and last record of ``node``."""
    return replace(
        collapsed, last=node.last, nodes=collapsed.nodes + node.nodes, failures=collapsed.failures + node.failures
    )


def _with_outcome(node: Node, end: str) -> Node:
    """Return a collapsed node with ``end`` and its counts as outcome; other nodes unchanged."""
    if node.kind != "collapsed":
        return node
    failures = "failure" if node.failures == 1 else "failures"
    return replace(node, outcome=f"{end} · {node.failures} {failures} in {node.nodes} nodes")


def fold_chains(tree: SearchTree) -> SearchTree:
    """Return the tree with each chain of ``MIN_CHAIN_NODES`` or more nodes as one node.

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
    return SearchTree(tuple(map(_describe_chain, nodes)))


def _describe_chain(node: Node) -> Node:
    """Return a folded node (kind ``chain``) with an outcome text; other nodes unchanged."""
    return replace(node, outcome=f"{node.nodes} decisions without a failure") if node.kind == "chain" else node
