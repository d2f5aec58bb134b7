"""Formulas for comparisons of sums, by weights, decision diagrams and sets of values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import combinations, pairwise
from math import comb

from ..base.notation import Value
from ..model.bounds import compared
from ..model.variable import integer
from .terms import DirectEncoding, Terms

MAX_STEPS = 500
"""Maximum number of steps of a decision diagram; larger sums use weights if the formula has them."""

MAX_TRIED_SETS, MAX_SETS = 5_000, 100
"""Maximum numbers of sets of values of a cage: sets that are tested, and sets that are encoded."""

MAX_PAIRS = 6_000
"""Maximum number of pairs of bounds of two terms for which clauses bound a third term."""

SIGNS = {"=": (1, -1), "<=": (1,), "<": (1,), ">=": (-1,), ">": (-1,)}
"""Relations as upper bounds: the sum, times each of these signs, is at most 0 (or less than 0 for ``<`` and ``>``)."""

REACHED = {
    "=": ((1, 0), (-1, 1)),
    "!=": ((-1, 0), (1, 1)),
    ">=": ((1, 0),),
    ">": ((1, 1),),
    "<": ((-1, 0),),
    "<=": ((-1, 1),),
}
"""Relations as lower bounds: the sum reaches a number (1) or does not (-1), as pairs (sign, number)."""

HOLDS, FAILS = "holds", "fails"
"""The two final states of a diagram: the relation is satisfied, or violated, whatever the remaining terms are."""


class Sums(Terms):
    """A maker of formulas for comparisons of sums of terms with a number.

    Notes
    -----
    Weights belong to literals "at least this value" (order encoding), not to the values themselves. Learned clauses are
    then about bounds, and one such literal replaces many values. On partly filled magic squares of order 9 this makes
    the difference between seconds and hours. For three terms, clauses derive the bound of one from those of the others.

    References
    ----------
    .. [1] N. Tamura et al., "Compiling finite linear CSP into SAT", 2009 (the order encoding).
    .. [2] I. Abío et al., "BDDs for pseudo-Boolean constraints, revisited", 2011 (the diagrams).
    """

    def compare(
        self, relation: str, terms: Sequence[DirectEncoding], constant: int, forbidden: Collection[str] = ()
    ) -> list[int]:
        """Return literals that are all true exactly if a sum satisfies a relation with 0.

        The sum includes a constant.

        ``relation``: one of ``= != < <= > >=``; ``terms``: if one of them is undefined, the relation fails;
        ``forbidden``: contains ``FAILS`` if the relation must hold.
        """
        if not self._is_heavy(terms):
            return self._diagram(relation, terms, constant, forbidden)
        if FAILS in forbidden and relation in SIGNS and self._is_triple(terms):
            for sign in SIGNS[relation]:
                self._bound_triple(terms, sign, sign * constant + (relation in "<>"))
            return []
        return self._use_weights(relation, terms, constant)

    def cage(self, terms: Sequence[DirectEncoding], total: int) -> None:
        """Add clauses for the value sets of different terms with a known sum.

        ``total``: the sum of the terms. Nothing is encoded if there are many sets.
        """
        values = sorted({integer(value) for term in terms for value in term if value is not None})
        if comb(len(values), len(terms)) > MAX_TRIED_SETS:
            return
        sets = [chosen for chosen in combinations(values, len(terms)) if sum(chosen) == total]
        if len(sets) > MAX_SETS:
            return
        formula = self.formula
        # A literal for each used value, and one for each possible set.
        used = {value: formula.any([term[value] for term in terms if value in term]) for value in values}
        literals = [formula.all([used[v] if v in chosen else -used[v] for v in values]) for chosen in sets]
        formula.exactly_one(literals)
        for value in values:
            formula.add(
                -used[value],
                *[set_literal for set_literal, chosen in zip(literals, sets, strict=True) if value in chosen],
            )

    def _is_heavy(self, terms: Sequence[DirectEncoding]) -> bool:
        """Return whether a sum is better encoded by weights than by a decision diagram."""
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
        """Return whether a sum has three terms with few enough pairs of bounds for clauses."""
        sizes = sorted(map(len, terms))
        return len(sizes) == 3 and sizes[0] * sizes[1] <= MAX_PAIRS and not any(None in term for term in terms)

    def _bound_triple(self, terms: Sequence[DirectEncoding], sign: int, constant: int) -> None:
        """Add clauses which require that three signed terms and a constant are at most 0."""
        first, second, third = (self._bounds(term, sign) for term in sorted(terms, key=len))
        values = [value for value, _ in third]
        for first_value, first_literal in first:
            last_bound = -1
            # Each pair of lower bounds excludes the larger values of the third term.
            for second_value, second_literal in second:
                above = bisect_right(values, -constant - first_value - second_value)
                if above < len(values) and above != last_bound:
                    last_bound = above
                    self.formula.add(-first_literal, -second_literal, -third[above][1])

    def _use_weights(self, relation: str, terms: Sequence[DirectEncoding], constant: int) -> list[int]:
        """Return the literals of a comparison, encoded by rules with weights."""
        low, _ = span(terms)
        defined = [-term[None] for term in terms if None in term]
        weights = [step for term in terms for step in self.steps(term)]
        reached = [sign * self.formula.at_least(weights, least - constant - low) for sign, least in REACHED[relation]]
        return [*defined, self.formula.any(reached)] if relation == "!=" else [*defined, *reached]

    def steps(self, term: DirectEncoding) -> list[tuple[int, int]]:
        """Return each increase of a term, with the literal "at least this value"."""
        return [(value - preceding, literal) for (preceding, _), (value, literal) in pairwise(self._bounds(term, 1))]

    def count_literals(self, literals: Sequence[int], room: int) -> list[int]:
        """Return for n = 1, 2, ... up to ``room`` a literal: at least n of some literals are true."""
        weights = [(1, literal) for literal in literals]
        at_least_literals = [self.formula.at_least(weights, number) for number in range(2, room + 1)]
        return [self.formula.any(literals), *at_least_literals] if room else []

    def _bounds(self, term: DirectEncoding, sign: int) -> list[tuple[int, int]]:
        """Return a signed term's values, ascending, with literals "at least this value".

        Each literal is true if and only if the term reaches the value.
        """
        literals = [
            literal for _, literal in sorted([(integer(v), literal) for v, literal in term.items() if v is not None])
        ]
        numbers = sorted([integer(value) for value in term if value is not None])
        # From the greatest value down, each literal is the disjunction of all values above.
        at_least: list[int] = []
        for literal in literals[:0:-1]:
            at_least.append(self.formula.any([literal, *at_least[-1:]]))
        at_least = [self.formula.true, *reversed(at_least)]
        if sign > 0:
            return list(zip(numbers, at_least, strict=False))
        at_most = [*[-literal for literal in at_least[1:]], self.formula.true]
        return [(-number, literal) for number, literal in zip(numbers, at_most, strict=False)][::-1]

    def _diagram(
        self, relation: str, terms: Sequence[DirectEncoding], constant: int, forbidden: Collection[str]
    ) -> list[int]:
        """Return the literal of a comparison, encoded by a decision diagram.

        The diagram has a layer for each term. Its states are the partial sums that are still undecided.
        """
        # The terms with the widest spans come first.
        terms = sorted(terms or [self.constant(0)], key=lambda term: span([term])[0] - span([term])[1])
        state = self.constant(constant)
        for index, term in enumerate(terms, 1):
            state = self.combine(state, term, _step(relation, terms[index:]), forbidden)
        return [state.get(HOLDS, -self.formula.true)]


def span(terms: Sequence[DirectEncoding]) -> tuple[int, int]:
    """Return the least and the greatest sum that terms can have."""
    numbers = [[value for value in term if isinstance(value, int)] or [0] for term in terms]
    return sum(map(min, numbers)), sum(map(max, numbers))


def _is_count(terms: Sequence[DirectEncoding]) -> bool:
    """Return whether the terms count how many of some literals are true."""
    pairs = [[value for value in term if isinstance(value, int)] for term in terms]
    is_pair = {*map(len, terms), *map(len, pairs)} == {2}
    return is_pair and len({abs(first - second) for first, second in pairs}) == 1


def _step(relation: str, remaining: Sequence[DirectEncoding]) -> Callable[..., Value | None]:
    """Return the function from a diagram's state and a value to the next state."""
    low, high = span(remaining)

    def step(state: Value | None, value: Value | None) -> Value | None:
        """Return the next state of the diagram after a term has a value."""
        if state is None or value is None:
            return FAILS
        if isinstance(state, str):
            return state
        total = state + integer(value)
        entailment = compared(relation, (total + low, total + high))
        return FAILS if entailment is False else HOLDS if entailment else total

    return step
