"""Formulas for sums: by weights, by diagrams, and by the sets of values that different terms can have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import combinations, pairwise
from math import comb

from ..base.notation import Value
from ..model.constraints.comparison import compared
from ..model.variable import integer
from .terms import DirectEncoding, Terms

MAX_STEPS = 500
"""The most steps of the diagram of a sum that is not said by weights where it can be."""

MAX_TRIED_SETS, MAX_SETS = 5_000, 100
"""The most sets of values of a cage that are tried, and that are told."""

MAX_PAIRS = 6_000
"""The most pairs of bounds of two terms of which the bounds of a third one follow by clauses of their own."""

SIGNS = {"=": (1, -1), "<=": (1,), "<": (1,), ">=": (-1,), ">": (-1,)}
"""The relations that say that a sum, times each of some signs, is at most 0, or less."""

REACHED = {
    "=": ((1, 0), (-1, 1)),
    "!=": ((-1, 0), (1, 1)),
    ">=": ((1, 0),),
    ">": ((1, 1),),
    "<": ((-1, 0),),
    "<=": ((-1, 1),),
}
"""The relations by whether a sum reaches numbers (1) or does not (-1), each with its number."""

HOLDS, FAILS = "holds", "fails"


class Sums(Terms):
    """Terms whose sums are compared.

    Notes
    -----
    Weights stand on "at least this value", not on the values themselves: what a search learns from a sum is then
    about bounds, and one such literal says what many values would have to. On partly filled magic squares of order 9
    that is the difference between seconds and hours. Of three terms, as of a difference and what it is of, the bound of
    one follows from those of the others by clauses.

    References
    ----------
    .. [1] N. Tamura et al., "Compiling finite linear CSP into SAT", 2009 (the order encoding).
    .. [2] I. Abío et al., "BDDs for pseudo-Boolean constraints, revisited", 2011 (the diagrams).
    """

    def compare(
        self, relation: str, terms: Sequence[DirectEncoding], constant: int, forbidden: Collection[str] = ()
    ) -> list[int]:
        """Literals that are all true where the sum of terms and a constant is in a relation to 0.

        ``relation``: one of ``= != < <= > >=``; ``terms``: where one of them has no value, it is not; ``forbidden``:
        ``FAILS``, where the sum must be in the relation.
        """
        if not self._is_heavy(terms):
            return self._diagram(relation, terms, constant, forbidden)
        if FAILS in forbidden and relation in SIGNS and self._is_triple(terms):
            for sign in SIGNS[relation]:
                self._bound_triple(terms, sign, sign * constant + (relation in "<>"))
            return []
        return self._use_weights(relation, terms, constant)

    def cage(self, terms: Sequence[DirectEncoding], total: int) -> None:
        """Say which sets of values terms can have that are different and have a sum, where these are few."""
        values = sorted({integer(value) for term in terms for value in term if value is not None})
        if comb(len(values), len(terms)) > MAX_TRIED_SETS:
            return
        sets = [chosen for chosen in combinations(values, len(terms)) if sum(chosen) == total]
        if len(sets) > MAX_SETS:
            return
        formula = self.formula
        used = {value: formula.any([term[value] for term in terms if value in term]) for value in values}
        literals = [formula.all([used[v] if v in chosen else -used[v] for v in values]) for chosen in sets]
        formula.exactly_one(literals)
        for value in values:
            formula.add(-used[value], *[one for one, chosen in zip(literals, sets, strict=True) if value in chosen])

    def _is_heavy(self, terms: Sequence[DirectEncoding]) -> bool:
        """Whether a sum is better said by weights than by a diagram."""
        low, high = span(terms)
        if high - low >= self.formula.heaviest:
            return False
        if _is_count(terms):
            return True
        states, steps = 1, 0
        for term in sorted(terms, key=len):
            steps += states * len(term)
            states = min(states * len(term), high - low + 1)
        return steps > MAX_STEPS

    def _is_triple(self, terms: Sequence[DirectEncoding]) -> bool:
        """Whether there are three terms, and each bound of one can be said of each pair of bounds of the others."""
        sizes = sorted(map(len, terms))
        return len(sizes) == 3 and sizes[0] * sizes[1] <= MAX_PAIRS and not any(None in term for term in terms)

    def _bound_triple(self, terms: Sequence[DirectEncoding], sign: int, constant: int) -> None:
        """Say that three terms, times a sign, and a constant add up to 0 at most."""
        one, other, third = (self._bounds(term, sign) for term in sorted(terms, key=len))
        values = [value for value, _ in third]
        for value, literal in one:
            told = -1
            for other_value, other_literal in other:
                above = bisect_right(values, -constant - value - other_value)
                if above < len(values) and above != told:
                    told = above
                    self.formula.add(-literal, -other_literal, -third[above][1])

    def _use_weights(self, relation: str, terms: Sequence[DirectEncoding], constant: int) -> list[int]:
        low, _ = span(terms)
        defined = [-term[None] for term in terms if None in term]
        weights = [step for term in terms for step in self.steps(term)]
        found = [sign * self.formula.at_least(weights, least - constant - low) for sign, least in REACHED[relation]]
        return [*defined, self.formula.any(found)] if relation == "!=" else [*defined, *found]

    def steps(self, term: DirectEncoding) -> list[tuple[int, int]]:
        """How much more a term is worth where it reaches each of its values, and the literal that says so."""
        return [(value - before, literal) for (before, _), (value, literal) in pairwise(self._bounds(term, 1))]

    def count_literals(self, literals: Sequence[int], room: int) -> list[int]:
        """For each number up to the room, a literal that is true where so many of some are."""
        weights = [(1, literal) for literal in literals]
        more = [self.formula.at_least(weights, number) for number in range(2, room + 1)]
        return [self.formula.any(literals), *more] if room else []

    def _bounds(self, term: DirectEncoding, sign: int) -> list[tuple[int, int]]:
        """The values of a term times a sign, ascending, and the literals that it is worth at least so much."""
        literals = [literal for _, literal in sorted([(integer(v), one) for v, one in term.items() if v is not None])]
        numbers = sorted([integer(value) for value in term if value is not None])
        reached: list[int] = []
        for literal in literals[:0:-1]:
            reached.append(self.formula.any([literal, *reached[-1:]]))
        reached = [self.formula.true, *reversed(reached)]
        if sign > 0:
            return list(zip(numbers, reached, strict=False))
        beyond = [*[-literal for literal in reached[1:]], self.formula.true]
        return [(-number, literal) for number, literal in zip(numbers, beyond, strict=False)][::-1]

    def _diagram(
        self, relation: str, terms: Sequence[DirectEncoding], constant: int, forbidden: Collection[str]
    ) -> list[int]:
        """A layer for each term, whose states are the sums so far that may still do either."""
        terms = sorted(terms or [self.constant(0)], key=lambda term: span([term])[0] - span([term])[1])
        state = self.constant(constant)
        for number, term in enumerate(terms, 1):
            state = self.combine(state, term, _step(relation, terms[number:]), forbidden)
        return [state.get(HOLDS, -self.formula.true)]


def span(terms: Sequence[DirectEncoding]) -> tuple[int, int]:
    """The least and the greatest sum of terms."""
    numbers = [[value for value in term if isinstance(value, int)] or [0] for term in terms]
    return sum(map(min, numbers)), sum(map(max, numbers))


def _is_count(terms: Sequence[DirectEncoding]) -> bool:
    """Whether a sum says how many of some literals are true."""
    pairs = [[value for value in term if isinstance(value, int)] for term in terms]
    is_pair = {*map(len, terms), *map(len, pairs)} == {2}
    return is_pair and len({abs(one - other) for one, other in pairs}) == 1


def _step(relation: str, rest: Sequence[DirectEncoding]) -> Callable[..., Value | None]:
    """The next state of a diagram, from the present one and the value of the next term."""
    low, high = span(rest)

    def step(state: Value | None, value: Value | None) -> Value | None:
        if state is None or value is None:
            return FAILS
        if isinstance(state, str):
            return state
        total = state + integer(value)
        known = compared(relation, (total + low, total + high))
        return FAILS if known is False else HOLDS if known else total

    return step
