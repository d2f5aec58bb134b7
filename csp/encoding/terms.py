"""Formulas for terms that take exactly one of some values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..base.notation import Value
from .formula import Formula, TooManyClauses

DirectEncoding = dict[Value | None, int]
"""A literal for every value, of which exactly one is true; the value None stands where there is none."""


class Terms:
    """Terms over a formula.

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
        """A term of new variables, one for each value."""
        literals = self.formula.new_variables(len(values))
        self.formula.exactly_one(literals)
        return dict(zip(values, literals, strict=True))

    def constant(self, value: Value) -> DirectEncoding:
        """A term of one value."""
        return {value: self.formula.true}

    def truth(self, literal: int) -> DirectEncoding:
        """A term that is 1 where a literal is true, else 0."""
        return {1: literal, 0: -literal}

    def image(self, term: DirectEncoding, function: Callable[[Value | None], Value | None]) -> DirectEncoding:
        """The function of a term."""
        sources: dict[Value | None, list[int]] = {}
        for value, literal in term.items():
            sources.setdefault(function(value), []).append(literal)
        if len(sources) == 1:
            return dict.fromkeys(sources, self.formula.true)
        if len(sources) == 2:
            (one, literals), (other, _) = sources.items()
            literal = self.formula.any(literals)
            return {one: literal, other: -literal}
        return {value: self.formula.any(literals) for value, literals in sources.items()}

    def combine(
        self,
        left: DirectEncoding,
        right: DirectEncoding,
        function: Callable[[Value | None, Value | None], Value | None],
        forbidden: Iterable[Value | None] = (),
    ) -> DirectEncoding:
        """The function of two terms, whose combinations with a forbidden value are excluded."""
        formula = self.formula
        if len(left) == 1:
            (first,) = left
            made = self.image(right, lambda second: function(first, second))
            for value in forbidden:
                if value in made:
                    formula.add(-made.pop(value))
            return made
        if len(left) * len(right) > formula.most:
            raise TooManyClauses(formula.most)
        sources: dict[Value | None, dict[int, list[int]]] = {}
        pairs = []
        for value, one in left.items():
            for other_value, other in right.items():
                result = function(value, other_value)
                if result in forbidden:
                    formula.add(-one, -other)
                    continue
                sources.setdefault(result, {}).setdefault(other, []).append(one)
                pairs.append((one, other, result))
        made = self._literals(list(sources))
        if len(made) == 1:
            return made
        for one, other, result in pairs:
            formula.add(-one, -other, made[result])
        if len(made) > 2:
            for result, literal in made.items():
                for other in right.values():
                    formula.add(-literal, -other, *sources[result].get(other, ()))
        return made

    def _literals(self, values: Sequence[Value | None]) -> DirectEncoding:
        if len(values) == 1:
            return {values[0]: self.formula.true}
        if len(values) == 2:
            literal = self.formula.new()
            return {values[0]: literal, values[1]: -literal}
        return dict(zip(values, self.formula.new_variables(len(values)), strict=True))
