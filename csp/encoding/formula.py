"""Propositional formulas: their interface, clauses, and rules with weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import gcd

from ..base.errors import ModelError

MAX_PAIRS = 24
"""Maximum number of literals for which at-most-one has a clause for each pair. Beyond, auxiliary variables are used."""


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
        """Return a literal that holds exactly if the weights of true literals reach ``least``.

        ``terms``: pairs (weight, literal), with positive weights; ``least``: the sum that true literals must reach.
        """
        raise NotImplementedError

    def define_reachable(self, start: Sequence[int], steps: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return for each vertex a literal that is true exactly if a start reaches it.

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
        """Add a rule: the head is true if the weights of true literals reach ``least``.

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
