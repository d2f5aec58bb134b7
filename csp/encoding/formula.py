"""What can be said of literals: clauses, and sets of which one or at most one is true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from ..base.errors import ModelError


class TooManyClauses(ModelError):
    """A formula that has no room for what it must say.

    ``most``: the most clauses that it may have.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        return f"a formula of more than {self.most:,} clauses"


class Formula(ABC):
    """A formula that grows. A literal is the number of a variable, negative where it is denied.

    Every auxiliary variable is made together with what fixes its value wherever the others have theirs, so the
    formula has as many models as the problem has solutions.

    Attributes
    ----------
    most : int
        How many clauses or rules there may be.
    heaviest : int
        The greatest sum of weights that ``at_least`` takes; 0 where it takes none.
    """

    most = 2_000_000
    heaviest = 0

    def __init__(self) -> None:
        self._true = 0
        self._made: dict[tuple[int, ...], int] = {}

    @abstractmethod
    def new_variables(self, many: int) -> list[int]:
        """So many other variables."""

    def new(self) -> int:
        """Another variable."""
        return self.new_variables(1)[0]

    @abstractmethod
    def add(self, *clause: int) -> None:
        """One of these literals is true; where there are none, nothing can hold.

        Raises
        ------
        TooManyClauses
        """

    @abstractmethod
    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of these literals are true."""

    @abstractmethod
    def define_any(self, literals: Sequence[int]) -> int:
        """A new variable that is true where one of several literals is."""

    @abstractmethod
    def minimize(self, terms: Sequence[tuple[int, int]]) -> None:
        """The less the weights of the true literals, given as (weight, literal), add up to, the better."""

    def at_least(self, terms: Sequence[tuple[int, int]], least: int) -> int:
        """A literal that is true where the weights, all positive, of the true literals add up to so much."""
        raise NotImplementedError

    def define_reachable(self, start: Sequence[int], steps: Sequence[tuple[int, int, int]]) -> list[int]:
        """For each place a literal that is true where steps lead to it from where one starts.

        ``start``: for each place, the literal that says that one starts there; ``steps``: from which place to which,
        and the literal that is true where one may go.
        """
        into: list[list[tuple[int, int]]] = [[] for _ in start]
        for one, other, literal in steps:
            into[other].append((one, literal))
        reached = [*start]
        for _ in start[1:]:
            before = reached
            reached = [
                self.any([here, *[self.all([before[one], literal]) for one, literal in ways]])
                for here, ways in zip(before, into, strict=True)
            ]
            if reached == before:
                break
        return reached

    def exactly_one(self, literals: Sequence[int]) -> None:
        """One of these literals is true."""
        self.add(*literals)
        self.at_most_one(literals)

    @property
    def true(self) -> int:
        """A literal that is true."""
        if not self._true:
            self._true = self.new()
            self.add(self._true)
        return self._true

    def any(self, literals: Iterable[int]) -> int:
        """A literal that is true where one of some is."""
        own = sorted({literal for literal in literals if literal != -self._true})
        if not own:
            return -self.true
        if self._true and self._true in own:
            return self._true
        if len(own) == 1:
            return own[0]
        key = tuple(own)
        if key not in self._made:
            self._made[key] = self.define_any(own)
        return self._made[key]

    def all(self, literals: Iterable[int]) -> int:
        """A literal that is true where all of some are."""
        return -self.any([-literal for literal in literals])
