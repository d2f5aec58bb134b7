"""What a method visits, at bounded size, for those who want to see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..model import Value, Variable

NODES = 200
"""The most nodes of a tree that are kept, the first ones."""
POINTS = 1000
"""The most points of a course that are kept; beyond, every second one goes."""


class Tried(NamedTuple):
    """A value that was tried for a variable, below another one; -1 for none."""

    parent: int
    variable: Variable
    value: Value


class Visits:
    """Takes what a method tells of its way; methods ask for it only if it is there.

    Attributes
    ----------
    counts : Counter of Variable
        A number for each.
    about : str
        What these numbers are.
    tree : list of Tried
        The first values that were tried.
    solutions : list of int
        Which of them ended in a solution.
    matrix : sequence of (Variable, value, items)
        Of exact cover: the options, each with its items.
    items : int
        How many items there are.
    chosen : tuple of int
        The options of the first cover.
    course : list of (float, int)
        Of annealing: the temperature, and how much is wrong.
    passes : list of (str, int)
        Of the human way: what each pass looked for, and how much it found.

    Examples
    --------
    >>> visits = Visits()
    >>> for depth, name, value in [(0, "A", 1), (1, "B", 1), (1, "B", 2)]:
    ...     visits.tried(depth, Variable(name), value)
    >>> visits.found()
    >>> [one.parent for one in visits.tree], visits.solutions, visits.counts["B"]
    ([-1, 0, 0], [2], 2)
    """

    def __init__(self) -> None:
        self.counts: Counter[Variable] = Counter()
        self.about = "how often each variable was given a value"
        self.tree: list[Tried] = []
        self.solutions: list[int] = []
        self.matrix: Sequence[tuple[Variable, Value, Sequence[int]]] = ()
        self.items = 0
        self.chosen: tuple[int, ...] = ()
        self.course: list[tuple[float, int]] = []
        self.passes: list[tuple[str, int]] = []
        self._path: list[int] = []  # the node at each depth, -1 where it was not kept
        self._every, self._passed = 1, 0

    def tried(self, depth: int, variable: Variable, value: Value) -> None:
        """A value was tried below those of the depths before."""
        self.counts[variable] += 1
        del self._path[depth:]
        above = self._path[-1] if self._path else -1
        is_kept = len(self.tree) < NODES and (above >= 0 or not self._path)
        if is_kept:
            self.tree.append(Tried(above, variable, value))
        self._path.append(len(self.tree) - 1 if is_kept else -1)

    def found(self) -> None:
        """What was tried last is a solution."""
        if self._path and self._path[-1] >= 0:
            self.solutions.append(self._path[-1])

    def cooled(self, temperature: float, cost: int) -> None:
        """So much is wrong at a temperature."""
        if not self._passed % self._every:
            self.course.append((temperature, cost))
            if len(self.course) > POINTS:
                del self.course[1::2]
                self._every *= 2
        self._passed += 1
