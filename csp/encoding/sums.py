"""Formulas for sums: by weights, by diagrams, and by the sets of values that different terms can have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from math import comb

from ..model.constraints.comparison import compared
from ..model.expression import integer
from ..notation import Value
from .terms import Term, Terms

MAX_STEPS = 500
"""The most steps of the diagram of a sum that is not said by weights where it can be."""

MAX_TRIED_SETS, MAX_SETS = 5_000, 100
"""The most sets of values of a cage that are tried, and that are told."""

HOLDS, FAILS = "holds", "fails"


class Sums(Terms):
    """Terms whose sums are compared.

    Notes
    -----
    Weights stand on "at least this value", not on the values themselves: what a search learns from a sum is then
    about bounds, and one such literal says what many values would have to. On partly filled magic squares of order 9
    that is the difference between seconds and hours.

    References
    ----------
    .. [1] N. Tamura et al., "Compiling finite linear CSP into SAT", 2009 (the order encoding).
    .. [2] I. Abío et al., "BDDs for pseudo-Boolean constraints, revisited", 2011 (the diagrams).
    """

    def compare(
        self, relation: str, terms: Sequence[Term], constant: int, forbidden: Collection[str] = ()
    ) -> list[int]:
        """Literals that are all true where the sum of terms and a constant is in a relation to 0.

        Parameters
        ----------
        relation : str
            One of ``= != < <= > >=``.
        terms : sequence of Term
            Where one of them has no value, it is not.
        constant : int
        forbidden : collection of str
            ``FAILS``, where the sum must be in the relation.
        """
        if self._is_heavy(terms):
            return self._weighed(relation, terms, constant)
        return self._diagram(relation, terms, constant, forbidden)

    def cage(self, terms: Sequence[Term], total: int) -> None:
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

    def _is_heavy(self, terms: Sequence[Term]) -> bool:
        """Whether a sum is better said by weights than by a diagram."""
        low, high = span(terms)
        if high - low >= self.formula.heaviest:
            return False
        states, steps = 1, 0
        for term in sorted(terms, key=len):
            steps += states * len(term)
            states = min(states * len(term), high - low + 1)
        return steps > MAX_STEPS

    def _weighed(self, relation: str, terms: Sequence[Term], constant: int) -> list[int]:
        low, _ = span(terms)
        defined = [-term[None] for term in terms if None in term]
        weights = [step for term in terms for step in self.steps(term)]
        at_least, more = (self.formula.at_least(weights, least - constant - low) for least in (0, 1))
        match relation:
            case "=":
                return [*defined, at_least, -more]
            case "!=":
                return [*defined, self.formula.any([-at_least, more])]
        return [*defined, {">=": at_least, ">": more, "<": -at_least, "<=": -more}[relation]]

    def steps(self, term: Term) -> list[tuple[int, int]]:
        """How much more a term is worth where it reaches each of its values, and the literal that says so."""
        numbers = sorted([(integer(value), literal) for value, literal in term.items() if value is not None])
        steps = []
        reached: list[int] = []
        for (value, literal), (before, _) in zip(numbers[:0:-1], numbers[-2::-1], strict=True):
            reached = [self.formula.any([literal, *reached])]
            steps.append((value - before, reached[0]))
        return steps

    def _diagram(self, relation: str, terms: Sequence[Term], constant: int, forbidden: Collection[str]) -> list[int]:
        """A layer for each term, whose states are the sums so far that may still do either."""
        terms = sorted(terms or [self.constant(0)], key=lambda term: span([term])[0] - span([term])[1])
        state = self.constant(constant)
        for number, term in enumerate(terms, 1):
            state = self.combine(state, term, _step(relation, terms[number:]), forbidden)
        return [state.get(HOLDS, -self.formula.true)]


def span(terms: Sequence[Term]) -> tuple[int, int]:
    """The least and the greatest sum of terms."""
    numbers = [[value for value in term if isinstance(value, int)] or [0] for term in terms]
    return sum(map(min, numbers)), sum(map(max, numbers))


def _step(relation: str, rest: Sequence[Term]) -> Callable[..., Value | None]:
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
