"""Counts, depth and path of the decisions that a trace does not record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..engine import events as events
from ..model import Candidate
from .recorder import Recorder
from .records import Counted, Subtree, SubtreeKind

CUT_OFF = "left at a restart"
"""The outcome of the subtrees of a run that a restart has ended."""


@dataclass(slots=True)
class _OpenNode:
    """A node on the search's current path, with counts of its finished subtrees."""

    number: int
    is_recorded: bool = True
    candidate: Candidate | None = None
    choices: tuple[Candidate, ...] = ()
    kind: SubtreeKind = "open"
    left_subtrees: list[Subtree] = field(default_factory=list)

    def count_below(self, parent: int) -> Subtree:
        """Return a ``Subtree`` record that counts the node and everything below it."""
        nodes = 1 + sum(subtree.nodes for subtree in self.left_subtrees)
        failures = (self.kind == "failure") + sum(subtree.failures for subtree in self.left_subtrees)
        kind: SubtreeKind = "failure" if self.kind == "failure" else "collapsed"
        return Subtree(self.number, parent, kind, self.candidate, self.choices, nodes, failures, "no solution")


class Tally:
    """An event log that records the first decisions in full, and counts the others.

    It keeps the current path, and the counts of the subtrees beside it. Its memory grows with the depth of the search,
    not with its nodes.

    Parameters
    ----------
    recorder : Recorder
    is_full : function
        Called at every decision: whether to count from now on.
    """

    def __init__(self, recorder: Recorder, is_full: Callable[[], bool]) -> None:
        self._recorder, self._is_full = recorder, is_full
        self._path: list[_OpenNode] = []  # empty while the recorder records
        self._finished: list[Subtree] = []  # below recorded nodes that the search has left
        self._root = 0  # the index in the path of the root of the current part
        self._first = self._number = self._failures = self._depth = 0

    def append(self, event: events.Event) -> None:
        """Pass an event to the recorder, or count it once ``is_full`` is true."""
        if not self._path and isinstance(event, events.Decided) and self._is_full():
            self._path = [_OpenNode(number) for number in self._recorder.path(event.depth)]
            self._first = self._number = self._recorder.nodes
        if not self._path:
            self._recorder.append(event)
            return
        match event:
            case events.Decided():
                self._leave(self._root + event.depth + 1)
                self._depth = max(self._depth, event.depth + 1)
                self._enter(_OpenNode(0, False, self._recorder.candidate_of(event), self._recorder.choices(event)))
            case events.Failed():
                self._path[-1].kind = "failure"
                self._failures += 1
            case events.Completed():
                self._path[-1].kind = "solution"
            case events.Restarted():
                self._leave(self._root + 1)
                root = self._path[self._root]
                # The runs before the last restart become one subtree.
                if runs := root.left_subtrees:
                    nodes, failures = sum(run.nodes for run in runs), sum(run.failures for run in runs)
                    cut = Subtree(runs[0].number, root.number, "collapsed", None, (), nodes, failures, CUT_OFF)
                    root.left_subtrees = [cut]
            case events.PartStarted():
                self._root = len(self._path)
                self._enter(_OpenNode(0, False, kind="part"))

    def _enter(self, node: _OpenNode) -> None:
        """Give a node the next number, and add the node to the path."""
        self._number += 1
        node.number = self._number
        self._path.append(node)

    def _leave(self, length: int) -> None:
        """Shorten the path to ``length`` nodes, and keep the counts of the removed nodes."""
        while len(self._path) > length:
            node = self._path.pop()
            if node.is_recorded:
                self._finished += node.left_subtrees
            else:
                self._path[-1].left_subtrees.append(node.count_below(self._path[-1].number))

    def summarize(self, is_over: bool) -> Counted | None:
        """Return a record of all counted decisions, or None if nothing is counted.

        ``is_over``: whether the search has ended without a limit.
        """
        if not self._path:
            return None
        # A search without a solution has no path.
        if is_over and self._path[-1].kind != "solution":
            self._leave(self._root + 1)
        nodes = self._number - self._first
        return Counted(0, tuple(self._subtrees()), nodes, self._failures, self._depth, is_over)

    def _subtrees(self) -> Iterator[Subtree]:
        """Yield the counted part of the search as ``Subtree`` records, parents before children."""
        yield from self._finished
        above = self._path[0]
        for node in self._path:
            is_failure = int(node.kind == "failure")
            if not node.is_recorded:
                yield Subtree(
                    node.number, above.number, node.kind, node.candidate, node.choices, 1, is_failure, ""
                )  # fmt: skip
            yield from node.left_subtrees
            above = node
