"""Formulas of rules with weights, for answer set programming."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from math import gcd

from ..base.errors import ModelError
from .formula import Formula, TooManyClauses


class TooHeavy(ModelError):
    """An error: a weight of the objective exceeds the maximum of the solver."""


class Rules(Formula):
    """A formula in rules of answer set programming, with free and defined variables.

    Attributes
    ----------
    literals : int
        The number of literals in all rules, with their heads.
    """

    heaviest = 2**31 - 1

    def __init__(self) -> None:
        super().__init__()
        self.literals = 0
        self._rules = 0

    @abstractmethod
    def atom(self) -> int:
        """Return a new variable, which is true only if a rule derives it."""

    @abstractmethod
    def choose(self, variables: Sequence[int]) -> None:
        """Make variables free: the solver chooses whether each is true."""

    @abstractmethod
    def rule(self, head: int | None, body: Sequence[int]) -> None:
        """Add a rule: if all literals of the body are true, the head is true.

        Without a head the body is forbidden.
        """

    @abstractmethod
    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        """Add a rule: the head is true if weights of true literals reach a sum.

        ``body``: pairs (literal, weight); ``least``: the sum that the true literals must reach.
        """

    @abstractmethod
    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        """Add the statement that minimizes the sum of the weights of true literals.

        Each literal occurs once, and the solver accepts all weights.
        """

    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        weights: Counter[int] = Counter()
        for weight, literal in terms:
            weights[literal] += weight
        # Smaller weights with the same order of solutions.
        divisor = gcd(*weights.values())
        if (greatest := max(weights.values()) // divisor) > self.heaviest:
            raise TooHeavy(f"a weight of {greatest:,} for the objective, beyond {self.heaviest:,}")
        self.prefer([(weight // divisor, literal) for literal, weight in weights.items()])

    def new_variables(self, count: int) -> list[int]:
        self._count(count)
        atoms = [self.atom() for _ in range(count)]
        self.choose(atoms)
        return atoms

    def add(self, *clause: int) -> None:
        self._count(len(clause))
        self.rule(None, [-literal for literal in clause])

    def at_most_one(self, literals: Sequence[int]) -> None:
        self._count(len(literals))
        if len(literals) == 2:
            self.rule(None, literals)
        elif len(literals) > 2:
            self.weigh(None, 2, [(literal, 1) for literal in literals])

    def define_any(self, literals: Sequence[int]) -> int:
        atom = self.atom()
        # A disjunction of negated literals is the negation of one conjunction.
        if all(literal < 0 for literal in literals):
            self._count(1 + len(literals))
            self.rule(atom, [-literal for literal in literals])
            return -atom
        for literal in literals:
            self._count(2)
            self.rule(atom, [literal])
        return atom

    def define_reachable(self, start: Sequence[int], steps: Sequence[tuple[int, int, int]]) -> list[int]:
        reachable = [self.atom() for _ in start]
        for head, literal in zip(reachable, start, strict=True):
            self._count(2)
            self.rule(head, [literal])
        for source, target, literal in steps:
            self._count(3)
            self.rule(reachable[target], [reachable[source], literal])
        return reachable

    def at_least(self, terms: Sequence[tuple[int, int]], least: int) -> int:
        if least <= 0:
            return self.true
        if sum(weight for weight, _ in terms) < least:
            return -self.true
        self._count(1 + len(terms))
        atom = self.atom()
        self.weigh(atom, least, [(literal, weight) for weight, literal in terms])
        return atom

    def _count(self, literals: int) -> None:
        """Add a rule and its literals to the counts; raise `TooManyClauses` above the limit."""
        self.literals += literals
        self._rules += 1
        if self._rules > self.most:
            raise TooManyClauses(self.most)
