"""Formulas of clauses alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .formula import Formula, TooManyClauses

MAX_PAIRS = 24
"""The most literals of which every two are excluded by a clause of their own."""


class Clauses(Formula):
    """A formula in conjunctive normal form.

    Attributes
    ----------
    size : int
        The number of the last variable.
    clauses : list of tuples of int
    objective : list of (int, int)
        Weights and literals, whose sum is to be small.

    Examples
    --------
    >>> clauses = Clauses()
    >>> one, other = clauses.new(), clauses.new()
    >>> clauses.at_most_one([one, other])
    >>> clauses.any([one, other]), clauses.clauses
    (3, [(-1, -2), (-3, 1, 2), (3, -1), (3, -2)])
    """

    def __init__(self) -> None:
        super().__init__()
        self.size = 0
        self.clauses: list[tuple[int, ...]] = []
        self.objective: list[tuple[int, int]] = []

    def new_variables(self, many: int) -> list[int]:
        self.size += many
        return [*range(self.size - many + 1, self.size + 1)]

    def add(self, *clause: int) -> None:
        if len(self.clauses) >= self.most:
            raise TooManyClauses(self.most)
        self.clauses.append(clause or (-self.true,))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Pairs exclude each other; of many literals, each is excluded by those before it."""
        if len(literals) <= MAX_PAIRS:
            for one, other in combinations(literals, 2):
                self.add(-one, -other)
            return
        before = literals[0]
        for literal in literals[1:-1]:
            self.add(-before, -literal)
            before = self.any([before, literal])
        self.add(-before, -literals[-1])

    def define_any(self, literals: Sequence[int]) -> int:
        made = self.new()
        self.add(-made, *literals)
        for literal in literals:
            self.add(made, -literal)
        return made

    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        self.objective += terms
