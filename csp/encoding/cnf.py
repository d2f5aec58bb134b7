"""Formulas in conjunctive normal form, with clauses for gates and at-most-one constraints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .formula import Formula, TooManyClauses

MAX_PAIRS = 24
"""Maximum number of literals for which at-most-one has a clause for each pair. Beyond, auxiliary variables are used."""


class Clauses(Formula):
    """A formula in conjunctive normal form: a list of clauses.

    Attributes
    ----------
    size : int
        The number of the last variable.
    clauses : list of tuples of int
    objective : list of (int, int)
        Weights and literals; the sum of the weights of true literals is minimized.

    Examples
    --------
    >>> clauses = Clauses()
    >>> first, second = clauses.new(), clauses.new()
    >>> clauses.at_most_one([first, second])
    >>> clauses.any([first, second]), clauses.clauses
    (3, [(-1, -2), (-3, 1, 2), (3, -1), (3, -2)])
    """

    def __init__(self) -> None:
        super().__init__()
        self.size = 0
        self.clauses: list[tuple[int, ...]] = []
        self.objective: list[tuple[int, int]] = []

    def new_variables(self, count: int) -> list[int]:
        self.size += count
        return [*range(self.size - count + 1, self.size + 1)]

    def add(self, *clause: int) -> None:
        if len(self.clauses) >= self.most:
            raise TooManyClauses(self.most)
        self.clauses.append(clause or (-self.true,))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add clauses which forbid that two of these literals are both true.

        Few literals exclude each other by pairs. Many literals use the sequential encoding.
        """
        if len(literals) <= MAX_PAIRS:
            for first, second in combinations(literals, 2):
                self.add(-first, -second)
            return
        # Sequential: each literal excludes the disjunction of all preceding ones.
        any_before = literals[0]
        for literal in literals[1:-1]:
            self.add(-any_before, -literal)
            any_before = self.any([any_before, literal])
        self.add(-any_before, -literals[-1])

    def define_any(self, literals: Sequence[int]) -> int:
        gate = self.new()
        self.add(-gate, *literals)
        for literal in literals:
            self.add(gate, -literal)
        return gate

    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        self.objective += terms
