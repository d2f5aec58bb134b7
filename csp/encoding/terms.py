"""Terms: dictionaries from values to literals, of which exactly one is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..base.notation import Value
from .formula import Formula, TooManyClauses

DirectEncoding = dict[Value | None, int]
"""A *term*: a literal for every value, of which exactly one is true. The value None means undefined."""


class Terms:
    """A maker of terms (a literal for each value) over a formula.

    Examples
    --------
    >>> from csp.encoding.cnf import Clauses
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
        """Return the term of ``function(x)``, where x is the value of a term."""
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
        """Return the term of ``function(x, y)`` for the values of two terms.

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
        """Return new literals for values; one variable suffices for two values."""
        if len(values) == 1:
            return {values[0]: self.formula.true}
        if len(values) == 2:
            literal = self.formula.new()
            return {values[0]: literal, values[1]: -literal}
        return dict(zip(values, self.formula.new_variables(len(values)), strict=True))
