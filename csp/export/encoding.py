"""Clauses for terms that take exactly one of some values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from ..errors import ModelError
from ..notation import Value

Term = dict[Value | None, int]
"""A literal for every value, of which exactly one is true; the value None stands where there is none."""

MAX_CLAUSES = 2_000_000
"""The most clauses of a formula."""

MAX_PAIRS = 24
"""The most literals of which every two are excluded by a clause of their own."""


class TooManyClauses(ModelError):
    """A formula that has no room for what it must say.

    Parameters
    ----------
    most : int
        The most clauses that it may have.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        return f"a formula of more than {self.most:,} clauses"


class Encoding:
    """A formula that grows.

    Every auxiliary variable is made together with the clauses that fix its value wherever the others have
    theirs, so the formula has as many models as the problem has solutions.

    Attributes
    ----------
    size : int
        The number of the last variable.
    clauses : list of tuples of int

    Examples
    --------
    >>> encoding = Encoding()
    >>> x, y = encoding.choice((1, 2, 4)), encoding.choice((-1, 1))
    >>> total = encoding.combine(x, y, lambda v, w: v + w)
    >>> list(total), encoding.size
    ([0, 2, 1, 3, 5], 10)
    """

    def __init__(self) -> None:
        self.size = 0
        self.clauses: list[tuple[int, ...]] = []
        self._true = 0

    def new(self) -> int:
        """Another variable."""
        self.size += 1
        return self.size

    def add(self, *clause: int) -> None:
        """Another clause; one without literals cannot hold.

        Raises
        ------
        TooManyClauses
        """
        if len(self.clauses) == MAX_CLAUSES:
            raise TooManyClauses(MAX_CLAUSES)
        self.clauses.append(clause or (-self.true,))

    @property
    def true(self) -> int:
        """A literal that is true."""
        if not self._true:
            self._true = self.new()
            self.add(self._true)
        return self._true

    def choice(self, values: Sequence[Value]) -> Term:
        """A term of new variables, one for each value."""
        made: Term = {value: self.new() for value in values}
        self.add(*made.values())
        self.at_most_one([*made.values()])
        return made

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

    def any(self, literals: Sequence[int]) -> int:
        """A literal that is true where one of some is."""
        if len(literals) == 1:
            return literals[0]
        made = self.new()
        self.add(-made, *literals)
        for literal in literals:
            self.add(made, -literal)
        return made

    def all(self, literals: Sequence[int]) -> int:
        """A literal that is true where all of some are."""
        return -self.any([-literal for literal in literals]) if literals else self.true

    def constant(self, value: Value) -> Term:
        """A term of one value."""
        return {value: self.true}

    def truth(self, literal: int) -> Term:
        """A term that is 1 where a literal is true, else 0."""
        return {1: literal, 0: -literal}

    def image(self, term: Term, function: Callable[[Value | None], Value | None]) -> Term:
        """The function of a term."""
        sources: dict[Value | None, list[int]] = {}
        for value, literal in term.items():
            sources.setdefault(function(value), []).append(literal)
        if len(sources) == 1:
            return dict.fromkeys(sources, self.true)
        if len(sources) == 2:
            (one, literals), (other, _) = sources.items()
            literal = self.any(literals)
            return {one: literal, other: -literal}
        return {value: self.any(literals) for value, literals in sources.items()}

    def combine(
        self,
        left: Term,
        right: Term,
        function: Callable[[Value | None, Value | None], Value | None],
        forbidden: Iterable[Value | None] = (),
    ) -> Term:
        """The function of two terms, whose combinations with a forbidden value are excluded."""
        if len(left) == 1:
            (first,) = left
            made = self.image(right, lambda second: function(first, second))
            for value in forbidden:
                if value in made:
                    self.add(-made.pop(value))
            return made
        if len(left) * len(right) > MAX_CLAUSES:
            raise TooManyClauses(MAX_CLAUSES)
        sources: dict[Value | None, dict[int, list[int]]] = {}
        pairs = []
        for value, one in left.items():
            for other_value, other in right.items():
                result = function(value, other_value)
                if result in forbidden:
                    self.add(-one, -other)
                    continue
                sources.setdefault(result, {}).setdefault(other, []).append(one)
                pairs.append((one, other, result))
        made = self._literals(list(sources))
        for one, other, result in pairs:
            if made[result] != self._true:
                self.add(-one, -other, made[result])
        if len(made) > 2:
            for result, literal in made.items():
                for other in right.values():
                    self.add(-literal, -other, *sources[result].get(other, ()))
        return made

    def _literals(self, values: Sequence[Value | None]) -> Term:
        if len(values) == 1:
            return {values[0]: self.true}
        if len(values) == 2:
            literal = self.new()
            return {values[0]: literal, values[1]: -literal}
        return {value: self.new() for value in values}
