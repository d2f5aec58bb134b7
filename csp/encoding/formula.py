"""The interface of propositional formulas: clauses, weights and gates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from ..base.errors import ModelError


class TooManyClauses(ModelError):
    """An error: a formula would have more clauses than its limit.

    ``most``: the maximum number of clauses.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        return f"a formula of more than {self.most:,} clauses"


class Formula(ABC):
    """A propositional formula to which variables and clauses are added.

    A literal is the number of a variable, negative if it is negated. Clauses determine each auxiliary variable as soon
    as the others have values, so the formula has as many models as the problem has solutions.

    Attributes
    ----------
    most : int
        Maximum number of clauses or rules.
    heaviest : int
        Maximum sum of weights for ``at_least``; 0 if the formula has no weights.
    """

    most = 2_000_000
    heaviest = 0

    def __init__(self) -> None:
        self._true = 0
        self._gates: dict[tuple[int, ...], int] = {}

    @abstractmethod
    def new_variables(self, count: int) -> list[int]:
        """Add ``count`` new variables to the formula, and return their numbers."""

    def new(self) -> int:
        """Add a new variable to the formula, and return its number."""
        return self.new_variables(1)[0]

    @abstractmethod
    def add(self, *clause: int) -> None:
        """Add a clause: at least one of these literals is true.

        Without literals the formula is unsatisfiable.

        Raises
        ------
        TooManyClauses
        """

    @abstractmethod
    def at_most_one(self, literals: Sequence[int]) -> None:
        """Require that at most one of these literals is true."""

    @abstractmethod
    def define_any(self, literals: Sequence[int]) -> int:
        """Return a new literal that is equivalent to a disjunction of literals."""

    @abstractmethod
    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        """Make the formula minimize the sum of the weights of true literals.

        ``terms``: pairs (weight, literal).
        """

    def at_least(self, terms: Sequence[tuple[int, int]], least: int) -> int:
        """Return a literal: the weights of true literals reach a sum.

        ``terms``: pairs (weight, literal), with positive weights; ``least``: the sum that true literals must reach.
        """
        raise NotImplementedError

    def define_reachable(self, start: Sequence[int], steps: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return for each place a literal: a path leads there from a start.

        ``start``: for each place the literal that makes it a start; ``steps``: source, target, and the literal that
        opens the step.
        """
        arcs_into: list[list[tuple[int, int]]] = [[] for _ in start]
        for source, target, literal in steps:
            arcs_into[target].append((source, literal))
        # Unroll the steps: after n - 1 rounds every path is covered.
        reachable = [*start]
        for _ in start[1:]:
            previous = reachable
            reachable = [
                self.any([start_literal, *[self.all([previous[source], literal]) for source, literal in arcs]])
                for start_literal, arcs in zip(previous, arcs_into, strict=True)
            ]
            if reachable == previous:
                break
        return reachable

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Require that exactly one of these literals is true."""
        self.add(*literals)
        self.at_most_one(literals)

    @property
    def true(self) -> int:
        """Return a literal that is always true."""
        if not self._true:
            self._true = self.new()
            self.add(self._true)
        return self._true

    def any(self, literals: Iterable[int]) -> int:
        """Return a literal that is equivalent to a disjunction; equal disjunctions share it."""
        # Simplify: drop false literals, and stop at a true one.
        distinct = sorted({literal for literal in literals if literal != -self._true})
        if not distinct:
            return -self.true
        if self._true and self._true in distinct:
            return self._true
        if len(distinct) == 1:
            return distinct[0]
        key = tuple(distinct)
        if key not in self._gates:
            self._gates[key] = self.define_any(distinct)
        return self._gates[key]

    def all(self, literals: Iterable[int]) -> int:
        """Return a literal that is equivalent to a conjunction of literals."""
        return -self.any([-literal for literal in literals])
