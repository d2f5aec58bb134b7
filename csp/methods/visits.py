"""Record a sample of the values that a method tries, for pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..model import Value, Variable

MAX_NODES = 200
"""Maximum number of nodes of the tree; the first ones are kept."""
MAX_POINTS = 1000
"""Maximum number of points of the annealing curve; beyond, every second point is dropped."""


class TriedValue(NamedTuple):
    """A node of a method's search tree: the tried value and parent node.

    The node above is -1 if the tree does not contain it.
    """

    parent: int
    variable: Variable
    value: Value


class Visits:
    """A sample of the values that a method tries, for pictures.

    Methods record something only if an object is passed.

    Attributes
    ----------
    counts : Counter of Variable
        A number for each variable.
    about : str
        The meaning of the numbers.
    tree : list of Tried
        The first values that were tried.
    solutions : list of int
        The nodes of the tree that ended in a solution.
    matrix : sequence of (Variable, value, items)
        For exact cover: the options, each with its items.
    items : int
        For exact cover: the number of items.
    chosen : tuple of int
        For exact cover: the options of the first cover.
    course : list of (float, int)
        For annealing: the temperature and the cost, over time.
    passes : list of (str, int)
        For the human and the permutation method: the name of each pass, and how much it found or tested.

    Examples
    --------
    >>> visits = Visits()
    >>> for depth, name, value in [(0, "A", 1), (1, "B", 1), (1, "B", 2)]:
    ...     visits.add_value(depth, Variable(name), value)
    >>> visits.add_solution()
    >>> [node.parent for node in visits.tree], visits.solutions, visits.counts["B"]
    ([-1, 0, 0], [2], 2)
    """

    def __init__(self) -> None:
        self.counts: Counter[Variable] = Counter()
        self.about = "how often each variable was given a value"
        self.tree: list[TriedValue] = []
        self.solutions: list[int] = []
        self.matrix: Sequence[tuple[Variable, Value, Sequence[int]]] = ()
        self.items = 0
        self.chosen: tuple[int, ...] = ()
        self.course: list[tuple[float, int]] = []
        self.passes: list[tuple[str, int]] = []
        # The node at each depth; -1 for a node that is not in the tree.
        self._path: list[int] = []
        self._every, self._passed = 1, 0

    def add_value(self, depth: int, variable: Variable, value: Value) -> None:
        """Record a tried value as a child of the last value above it."""
        self.counts[variable] += 1
        del self._path[depth:]
        above = self._path[-1] if self._path else -1
        # Keep a node only if its parent is in the tree.
        is_kept = len(self.tree) < MAX_NODES and (above >= 0 or not self._path)
        if is_kept:
            self.tree.append(TriedValue(above, variable, value))
        self._path.append(len(self.tree) - 1 if is_kept else -1)

    def add_solution(self) -> None:
        """Record that the last tried value completed a solution."""
        if self._path and self._path[-1] >= 0:
            self.solutions.append(self._path[-1])

    def add_cost(self, temperature: float, cost: int) -> None:
        """Record the cost of an annealing method at a temperature."""
        if not self._passed % self._every:
            self.course.append((temperature, cost))
            if len(self.course) > MAX_POINTS:
                # Thin out: keep every second point, and record half as often from now on.
                del self.course[1::2]
                self._every *= 2
        self._passed += 1
