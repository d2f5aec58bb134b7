"""Terms, which have a literal for each value: of variables, sums and expressions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import reduce
from itertools import combinations, pairwise
from math import comb, prod
from operator import add

from ..model import Affine, Atom, Constraint, Element, Operation, Value, Variable, operate
from ..model.bounds import compared
from ..model.variable import integer
from .formula import Formula, TooManyClauses

MAX_STEPS = 500
"""Maximum number of steps of a decision diagram; larger sums use weights if the formula has them."""

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

DirectEncoding = dict[Value | None, int]
"""A *term*: a literal for every value; exactly one literal is true. The value None means undefined."""


class Terms:
    """A maker of terms (encoded expressions: a literal for each value) over a formula.

    Examples
    --------
    >>> from csp.encoding.formula import Clauses
    >>> clauses = Clauses()
    >>> terms = Terms(clauses)
    >>> x, y = terms.choice((1, 2, 4)), terms.choice((-1, 1))
    >>> total = terms.combine(x, y, lambda v, w: v + w)
    >>> list(total), clauses.size
    ([0, 2, 1, 3, 5], 10)
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = formula

    def choice(self, values: Sequence[Value]) -> DirectEncoding:
        """Return a term of new variables whose value is one of these values."""
        literals = self.formula.new_variables(len(values))
        self.formula.exactly_one(literals)
        return dict(zip(values, literals, strict=True))

    def constant(self, value: Value) -> DirectEncoding:
        """Return the term that has only this value."""
        return {value: self.formula.true}

    def truth(self, literal: int) -> DirectEncoding:
        """Return the term that is 1 if a literal is true, else 0."""
        return {1: literal, 0: -literal}

    def image(self, term: DirectEncoding, function: Callable[[Value | None], Value | None]) -> DirectEncoding:
        """Return the term (values to literals) of ``function(x)``, where x is a term's value."""
        sources: dict[Value | None, list[int]] = {}
        for value, literal in term.items():
            sources.setdefault(function(value), []).append(literal)
        if len(sources) == 1:
            return dict.fromkeys(sources, self.formula.true)
        if len(sources) == 2:
            (first, literals), (second, _) = sources.items()
            literal = self.formula.any(literals)
            return {first: literal, second: -literal}
        return {value: self.formula.any(literals) for value, literals in sources.items()}

    def combine(
        self,
        left: DirectEncoding,
        right: DirectEncoding,
        function: Callable[[Value | None, Value | None], Value | None],
        forbidden: Iterable[Value | None] = (),
    ) -> DirectEncoding:
        """Return the term (values to literals) of ``function(x, y)`` for two terms' values.

        Pairs of values with a forbidden result are excluded.
        """
        formula = self.formula
        if len(left) == 1:
            (first,) = left
            result_term = self.image(right, lambda second: function(first, second))
            for value in forbidden:
                if value in result_term:
                    formula.add(-result_term.pop(value))
            return result_term
        if len(left) * len(right) > formula.most:
            raise TooManyClauses(formula.most)
        sources: dict[Value | None, dict[int, list[int]]] = {}
        pairs = []
        # Collect the pairs of values by their results.
        for left_value, left_literal in left.items():
            for right_value, right_literal in right.items():
                result = function(left_value, right_value)
                if result in forbidden:
                    formula.add(-left_literal, -right_literal)
                    continue
                sources.setdefault(result, {}).setdefault(right_literal, []).append(left_literal)
                pairs.append((left_literal, right_literal, result))
        result_term = self._literals(list(sources))
        if len(result_term) == 1:
            return result_term
        # A pair implies its result.
        for left_literal, right_literal, result in pairs:
            formula.add(-left_literal, -right_literal, result_term[result])
        # A result implies one of its pairs, so that the formula has no additional models.
        if len(result_term) > 2:
            for result, literal in result_term.items():
                for right_literal in right.values():
                    formula.add(-literal, -right_literal, *sources[result].get(right_literal, ()))
        return result_term

    def _literals(self, values: Sequence[Value | None]) -> DirectEncoding:
        """Return a literal for each value; two values share one variable and its negation.

        The caller makes exactly one of them true. A single value gets the true literal.
        """
        if len(values) == 1:
            return {values[0]: self.formula.true}
        if len(values) == 2:
            literal = self.formula.new()
            return {values[0]: literal, values[1]: -literal}
        return dict(zip(values, self.formula.new_variables(len(values)), strict=True))


MAX_TRIED_SETS, MAX_SETS = 5_000, 100
"""Maximum numbers of sets of values of a cage: sets that are tested, and sets that are encoded."""


class Sums(Terms):
    """A maker of formulas that compare sums of terms (encoded expressions) with a number.

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
        """Add clauses: the terms' values form one of the sets that add up to ``total``.

        The terms must be different. Nothing is added if there are many sets.
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
        """Return literals that are all true exactly if a comparison holds, by rules with weights."""
        low, _ = span(terms)
        defined = [-term[None] for term in terms if None in term]
        weights = [step for term in terms for step in self.steps(term)]
        reached = [sign * self.formula.at_least(weights, least - constant - low) for sign, least in REACHED[relation]]
        return [*defined, self.formula.any(reached)] if relation == "!=" else [*defined, *reached]

    def steps(self, term: DirectEncoding) -> list[tuple[int, int]]:
        """Return for each value after the first its increase, and a literal for reaching it."""
        return [(value - preceding, literal) for (preceding, _), (value, literal) in pairwise(self._bounds(term, 1))]

    def count_literals(self, literals: Sequence[int], room: int) -> list[int]:
        """Return for each number up to ``room`` a literal: that many or more are true."""
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
        """Return, in a list, the literal that is true exactly if a comparison holds.

        The encoding is a decision diagram, which has a layer for each term. Its states are the partial sums that are
        still undecided.
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
    """Return whether a sum counts true literals, up to a factor and a constant."""
    pairs = [[value for value in term if isinstance(value, int)] for term in terms]
    is_pair = {*map(len, terms), *map(len, pairs)} == {2}
    return is_pair and len({abs(first - second) for first, second in pairs}) == 1


def _step(relation: str, remaining: Sequence[DirectEncoding]) -> Callable[..., Value | None]:
    """Return the transition function of a diagram's layer: from state and value to next state."""
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


class Expressions(Sums, ABC):
    """A maker of terms (values to literals) for expressions, from the terms of their variables."""

    def __init__(self, formula: Formula) -> None:
        super().__init__(formula)
        self.terms: dict[Variable, DirectEncoding] = {}
        self._expressions: dict[Affine, DirectEncoding] = {}
        self._atoms: dict[Hashable, DirectEncoding] = {}

    @abstractmethod
    def holds(self, constraint: Constraint) -> int:
        """Return a literal that is true if and only if a constraint holds."""

    def term(self, expression: Affine) -> DirectEncoding:
        """Return the term of an expression: a literal for each of its values."""
        # A variable or element may have symbols as values, so that arithmetic must not touch it.
        match expression:
            case Affine(terms=((1, (Variable() | Element()) as atom),), constant=0):
                return self._part(atom)
        if expression not in self._expressions:
            total = self.constant(expression.constant)
            for coefficient, part in expression.terms:
                total = self.combine(total, self._multiple(coefficient, part), _lift(add))
            self._expressions[expression] = total
        return self._expressions[expression]

    def addends(self, coefficient: int, part: Variable | Atom) -> list[DirectEncoding]:
        """Return encoded terms whose sum is ``coefficient * part``.

        A count has one term for each condition.
        """
        match part:
            case Operation(operator="count", operands=conditions):
                literals = [self.holds(condition) for condition in conditions if isinstance(condition, Constraint)]
                return [{coefficient: x, 0: -x} if coefficient else self.constant(0) for x in literals]
        return [self._multiple(coefficient, part)]

    def _multiple(self, coefficient: int, part: Variable | Atom) -> DirectEncoding:
        """Return the term of ``coefficient * part``."""
        return self.image(self._part(part), _lift(lambda value: coefficient * value))

    def _part(self, part: Variable | Atom) -> DirectEncoding:
        """Return the term of a variable or an atom; equal atoms share a term."""
        if isinstance(part, Variable):
            return self.terms[part]
        if part not in self._atoms:
            self._atoms[part] = self._atom(part)
        return self._atoms[part]

    def _atom(self, atom: Atom) -> DirectEncoding:
        """Make the term of an operation, an element or another atom."""
        match atom:
            case Operation():
                return self._operation(atom)
            case Element():
                return self._element(atom)
        return self.term(atom.decompose())

    def _element(self, element: Element) -> DirectEncoding:
        """Make the term of an element ``family(index, ...)``.

        It is undefined if the indices choose no member.
        """
        formula = self.formula
        indices = [self.constant(i) if isinstance(i, str) else self.term(i) for i in element.indices]
        member_literals = []
        sources: dict[Value | None, list[int]] = {}
        for member in element.members:
            if not all(value in index for value, index in zip(member.indices, indices, strict=True)):
                continue
            is_member = formula.all([index[value] for value, index in zip(member.indices, indices, strict=True)])
            member_literals.append(is_member)
            for value, literal in self.terms[member].items():
                sources.setdefault(value, []).append(formula.all([is_member, literal]))
        # A value holds if one of its members is chosen and has it.
        term = {value: formula.any(literals) for value, literals in sources.items()}
        if len(member_literals) < prod(map(len, indices)):
            term[None] = -formula.any(member_literals)
        return term

    def _operation(self, operation: Operation) -> DirectEncoding:
        """Make the term of an operation by combining the terms of its operands."""
        if operation.operator == "count":
            literals = [self.holds(operand) for operand in operation.operands if isinstance(operand, Constraint)]
            return reduce(lambda left, right: self.combine(left, right, _lift(add)), map(self.truth, literals))
        function = _lift(lambda *numbers: operate(operation.operator, numbers))
        terms = [self.term(operand) for operand in operation.operands if isinstance(operand, Affine)]
        if operation.operator == "abs":
            return self.image(terms[0], function)
        return reduce(lambda left, right: self.combine(left, right, function), terms)


def _lift(function: Callable[..., int]) -> Callable[..., Value | None]:
    """Extend a function on integers to None, the undefined value; divisions by zero yield None."""

    def lifted_function(*values: Value | None) -> Value | None:
        try:
            return function(*[integer(value) for value in values if value is not None]) if None not in values else None
        except ZeroDivisionError:
            return None

    return lifted_function
