"""Formulas of rules with weights, as solvers of answer set programs take them."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from math import gcd

from ..base.errors import ModelError
from .formula import Formula, TooManyClauses


class TooHeavy(ModelError):
    """An objective with a weight that no solver of such rules takes."""


class Rules(Formula):
    """A formula whose variables are chosen freely or follow from rules.

    Attributes
    ----------
    literals : int
        How many all rules have, their heads included.
    """

    heaviest = 2**31 - 1

    def __init__(self) -> None:
        super().__init__()
        self.literals = 0
        self._rules = 0

    @abstractmethod
    def atom(self) -> int:
        """A variable that follows from the rules that have it as their head."""

    @abstractmethod
    def choose(self, variables: Sequence[int]) -> None:
        """Let each of some variables be chosen or not."""

    @abstractmethod
    def rule(self, head: int | None, body: Sequence[int]) -> None:
        """The head follows where all literals of the body are true; without a head they must not be."""

    @abstractmethod
    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        """As a rule, where the weights of the true literals of the body, given as (literal, weight), are enough."""

    @abstractmethod
    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        """As ``minimize``, with each literal once and weights that the solver takes."""

    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        weights: Counter[int] = Counter()
        for weight, literal in terms:
            weights[literal] += weight
        divisor = gcd(*weights.values())
        if (greatest := max(weights.values()) // divisor) > self.heaviest:
            raise TooHeavy(f"a weight of {greatest:,} for the objective, beyond {self.heaviest:,}")
        self.prefer([(weight // divisor, literal) for literal, weight in weights.items()])

    def new_variables(self, many: int) -> list[int]:
        self._count(many)
        made = [self.atom() for _ in range(many)]
        self.choose(made)
        return made

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
        made = self.atom()
        if all(literal < 0 for literal in literals):  # where all of some others are, not
            self._count(1 + len(literals))
            self.rule(made, [-literal for literal in literals])
            return -made
        for literal in literals:
            self._count(2)
            self.rule(made, [literal])
        return made

    def define_reachable(self, start: Sequence[int], steps: Sequence[tuple[int, int, int]]) -> list[int]:
        made = [self.atom() for _ in start]
        for head, literal in zip(made, start, strict=True):
            self._count(2)
            self.rule(head, [literal])
        for one, other, literal in steps:
            self._count(3)
            self.rule(made[other], [made[one], literal])
        return made

    def at_least(self, terms: Sequence[tuple[int, int]], least: int) -> int:
        if least <= 0:
            return self.true
        if sum(weight for weight, _ in terms) < least:
            return -self.true
        self._count(1 + len(terms))
        made = self.atom()
        self.weigh(made, least, [(literal, weight) for weight, literal in terms])
        return made

    def _count(self, literals: int) -> None:
        self.literals += literals
        self._rules += 1
        if self._rules > self.most:
            raise TooManyClauses(self.most)
