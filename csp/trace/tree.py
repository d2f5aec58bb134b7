"""The search tree of a trace: which nodes there were, how each ended, and where each stands when drawn."""

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
from .outlines import tidied
from .records import Decision, Failure, Part, Reached, Record, Rest, Restart, Solved

NodeKind = Literal[
    "branching", "solution", "failure", "open", "reached", "restart", "part", "collapsed", "untried", "chain"
]

LEFT: Mapping[NodeKind, str] = {"restart": "left at a restart", "reached": "not recorded to its end"}
"""What becomes of a subtree before a node of such a kind."""


class Node(Frozen):
    """A node of the search tree: a stretch of the trace, from a decision until the next one.

    Attributes
    ----------
    index : int
        Its place in ``SearchTree.nodes``.
    parent : int or None
        The index of the node above; None for the root.
    number : int
        Its number in the records, which captions call ``node 3``. A restart has that of the root it goes back to.
    kind : str
        ``branching``: at rest, and split by the nodes below it; ``solution``: solved, or the present part solved;
        ``reached``: the solution that the search comes to after what is recorded; ``failure``; ``open``: at rest, and
        the trace goes no further; ``restart``: the search began again, and its new run is below; ``part``: the search
        turned to the next independent part, which is below; ``collapsed``: a subtree that has led to no solution,
        because it has none or because of a restart, drawn as one node; ``untried``: what else could have been decided
        at its parent, drawn as one node, of which there are no records; ``chain``: several branchings, each with one
        node below it, drawn as one node.
    first, last : int
        The indices of its first and its last record in ``Trace.records``, of the whole subtree where it is
        collapsed. The moment after record i is number i + 1 of ``csp.replay``. Only the root of an empty
        trace has none, and ends before it begins.
    branch : Candidate or None
        What was decided: all that this node has ahead of its parent.
    outcome : str
        The caption of how it ended. For a failure it says why.
    nodes, failures : int
        How many nodes, itself included, and how many failures among them a collapsed node stands for; else 1 node,
        and 1 failure if it is one. Of what is untried, the number of candidates, and none.
    choices : tuple of Candidate
        What could have been decided in its place, itself among it. Of what is untried, all of it.
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
        """The text at the edge above it: the difference to its parent, ``cell(1,3) = 4``, or nothing."""
        if self.kind == "untried" and self.nodes > 1:
            return f"{self.nodes} untried"
        return f"{self.branch[0]} = {self.branch[1]}" if self.branch else ""


class SearchTree(Frozen):
    """The nodes in the order in which they began, so that a parent comes before its children.

    Attributes
    ----------
    nodes : tuple of Node
    """

    nodes: tuple[Node, ...]

    @property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For every node, the indices of the nodes below it, from left to right."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            if node.parent is not None:
                below[node.parent].append(node.index)
        return tuple(map(tuple, below))

    @property
    def path(self) -> tuple[int, ...]:
        """The indices from the root to the node in which the trace ends: the solution, if there is one."""
        way: list[int] = []
        index: int | None = len(self.nodes) - 1
        while index is not None:
            way.append(index)
            index = self.nodes[index].parent
        return tuple(reversed(way))

    def at(self, record: int) -> int:
        """The index of the node to which a record of the trace belongs.

        Parameters
        ----------
        record : int
            Its index in ``Trace.records``; before the first one it is the root.

        Returns
        -------
        int
            O(nodes).
        """
        return max(0, bisect_right([node.first for node in self.nodes], record) - 1)

    def collapsed(self) -> SearchTree:
        """The same tree with every subtree off its path that has more than one node drawn as one.

        Nothing on the ``path`` is collapsed, so a subtree that a limit has cut short never counts as failed.

        Returns
        -------
        SearchTree
            With its own indices. O(nodes).

        Examples
        --------
        >>> from csp import AllDifferent, Model, record
        >>> names = "ABCDEFGH"  # the first value of A leaves four pigeons three holes
        >>> model = Model({v: range(3) for v in names}, [AllDifferent.of(p) for p in ("ABC", "DEF", "FGHA", "CDH")])
        >>> tree = search_tree(record(model, nodes=None))
        >>> small = tree.collapsed()
        >>> sum(node.nodes for node in small.nodes) == len(tree.nodes) >= len(small.nodes)
        True
        """
        path = set(self.path)
        kept: list[Node] = []
        new: list[int] = []  # the new index of every node, or of what it has become part of
        left: dict[int, str] = {}  # what a restart, or the end of the records, has cut short
        for node, below in zip(self.nodes, self.children, strict=True):
            above = None if node.parent is None else new[node.parent]
            if node.kind in LEFT:
                left[len(kept) - 1] = LEFT[node.kind]
            if above is not None and kept[above].kind == "collapsed":
                kept[above] = _joined(kept[above], node)
                new.append(above)
                continue
            kind: NodeKind = "collapsed" if below and node.index not in path else node.kind
            new.append(len(kept))
            kept.append(replace(node, index=len(kept), parent=above, kind=kind))
        return SearchTree(tuple(_told(node, left.get(node.index, "no solution")) for node in kept))

    def with_untried(self) -> SearchTree:
        """The same tree with a node wherever something else could have been decided, and was not.

        Only branchings have one, not what is collapsed or was left at a restart.

        Returns
        -------
        SearchTree
            The new nodes come last. O(nodes and choices).

        Examples
        --------
        >>> from csp import AllDifferent, Model, record
        >>> tree = search_tree(record(Model({v: range(3) for v in "AB"}, [AllDifferent.of("AB")]), nodes=None))
        >>> [node.edge for node in tree.with_untried().nodes]
        ['', 'A = 0', 'B = 1', '2 untried', 'B = 2']
        """
        found = list(self.nodes)
        for node, below in zip(self.nodes, self.children, strict=True):
            tried = {self.nodes[child].branch for child in below}
            last = self.nodes[below[-1]] if below else node
            left = [one for one in last.choices if one not in tried] if node.kind == "branching" and below else []
            if left:
                told = "not tried: " + ", ".join([f"{variable} = {value}" for variable, value in left])
                found.append(
                    Node(len(found), node.index, -1, "untried", -1, -1, left[0], told, len(left), 0, tuple(left))
                )
        return SearchTree(tuple(found))

    def costs(self) -> tuple[tuple[int, int], ...]:
        """How many nodes and how many failures the subtree of every node has, itself included.

        Returns
        -------
        tuple of (int, int)
            O(nodes).
        """
        found = [(0, 0) if node.kind == "untried" else (node.nodes, node.failures) for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent is not None:
                above, own = found[node.parent], found[node.index]
                found[node.parent] = above[0] + own[0], above[1] + own[1]
        return tuple(found)

    def places(self) -> tuple[tuple[float, int], ...]:
        """Where every node stands: x to the right, in widths of a node, and its depth.

        Siblings keep their order, parents stand in the middle above their children, and two nodes of one depth
        stand at least 1 apart; the leftmost node is at 0.

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
        return tidied(self.children)


def search_tree(trace: Trace) -> SearchTree:
    """The search tree of a trace; nothing is solved and nothing is drawn.

    A trace follows one question to its first solution. A restart hangs below the root that the search goes back to,
    with its new run below it. An independent part hangs below the solution of the part before, which it keeps.

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
    None branching  | at rest · 5 open 0 0
    0 failure A = 0 | failure · D has no value left 1 11
    0 failure A = 1 | failure · D has no value left 12 22
    >>> tree.at(3), tree.path
    (1, (0, 2))
    """
    records = trace.records
    starts = [0, *(i for i, record in enumerate(records) if isinstance(record, Decision | Reached | Part | Restart))]
    found: list[Node] = []
    index_of: dict[int, int] = {}  # where in the tree a number of the records stands now
    for start, end in pairwise([*starts, len(records)]):
        number, parent, branch = _begin(records[start] if records else None, index_of, found)
        kind, outcome = _end(records[start:end])
        choices = getattr(records[start], "choices", ()) if records else ()
        failed = int(kind == "failure")
        node = Node(len(found), parent, number, kind, start, end - 1, branch, outcome, 1, failed, choices)
        index_of[number] = node.index
        if parent is not None and found[parent].kind == "open":
            found[parent] = replace(found[parent], kind="branching")
        found.append(node)
    return SearchTree(tuple(found))


def _begin(
    record: Record | None, index_of: Mapping[int, int], found: Sequence[Node]
) -> tuple[int, int | None, Candidate | None]:
    """The number of the node that begins with a record, the index of the node above it, and what was decided."""
    match record:
        case Decision():
            return record.node, index_of[record.parent], record.candidate
        case Restart():
            above = found[index_of[record.node]]
            return record.node, above.parent if above.kind == "restart" else above.index, None
        case Reached():
            return record.node, 0, None
        case Part():
            return record.node, len(found) - 1, None
    return 0, None, None


def _end(records: Sequence[Record]) -> tuple[NodeKind, str]:
    """What became of a node, by the last of its records that tells, and in which words."""
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
            case Rest(open=still) if still:
                return "open", caption(record)
            case Rest() | Solved():
                return "solution", caption(record)
    return "open", ""


def _joined(whole: Node, node: Node) -> Node:
    """A collapsed node that takes in the next node of its subtree."""
    return replace(whole, last=node.last, nodes=whole.nodes + 1, failures=whole.failures + node.failures)


def _told(node: Node, end: str) -> Node:
    if node.kind != "collapsed":
        return node
    failures = "failure" if node.failures == 1 else "failures"
    return replace(node, outcome=f"{end} · {node.failures} {failures} in {node.nodes} nodes")
