"""All assignments of a few variables at once: which of them satisfy a constraint, as the bits of one integer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from operator import and_, or_

from ....model import (
    Affine,
    All,
    Atom,
    Comparison,
    Constraint,
    Domain,
    Either,
    Equality,
    Iff,
    Not,
    Operation,
    Variable,
    operate,
)
from ....model.variable import integer

AssignmentsByValue = dict[int, int]
"""By the value of an expression, the assignments that give it; those without a value are in none."""


class NoBulkEvaluation(Exception):
    """There is no quicker way than to try one assignment after the other."""


class Assignments:
    """The assignments of a scope; the last variable changes first.

    A condition is the set of assignments in which it holds, and an expression one set for each of its values, so that
    and, or, not are operations on integers, and a sum takes the pairs of values of its terms.

    Parameters
    ----------
    scope : sequence of Variable
    domains : sequence of tuple
        The values of each.
    most : int
        The most pairs of values that are looked at.

    Attributes
    ----------
    columns : list of list of int
        For each variable and each of its values the assignments that have it.
    whole : int
        All assignments.
    pairs : int
        How many pairs of values have been looked at.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> own = Assignments((Variable("x"), Variable("y")), ((1, 2), (1, 2, 3)), 100)
    >>> f"{own.satisfying(Comparison(x, '=', y)):06b}", own.columns[0]
    ('010001', [7, 56])
    """

    def __init__(self, scope: Sequence[Variable], domains: Sequence[Domain], most: int) -> None:
        self.pairs, self._most = 0, most
        many = prod(map(len, domains))
        self.whole = (1 << many) - 1
        self.columns: list[list[int]] = []
        inner = many
        for domain in domains:
            outer, inner = inner, inner // len(domain)
            every = self.whole // ((1 << outer) - 1) * ((1 << inner) - 1)
            self.columns.append([every << index * inner for index in range(len(domain))])
        self._of = {
            variable: list(zip(domain, own, strict=True))
            for variable, domain, own in zip(scope, domains, self.columns, strict=True)
        }
        self._known: dict[Affine, AssignmentsByValue] = {}

    def satisfying(self, constraint: Constraint) -> int:
        """The assignments in which a constraint holds.

        Raises
        ------
        Unsaid
            If it is of a kind, or has so many values, that trying them one by one is the better way.
        """
        if len(constraint.scope) == 1:
            (variable,) = constraint.scope
            return reduce(or_, [own for value, own in self._of[variable] if constraint.check({variable: value})], 0)
        match constraint:
            case All(constraints=parts):
                return reduce(and_, map(self.satisfying, parts))
            case Either(alternatives=parts):
                return reduce(or_, map(self.satisfying, parts), 0)
            case Not(constraint=part):
                return self.whole & ~self.satisfying(part)
            case Iff(left=left, right=right):
                return self.whole & ~(self.satisfying(left) ^ self.satisfying(right))
            case Equality(left=left, right=Variable() as right, equal=equal):
                return self.same(left, right) if equal else self.whole & ~self.same(left, right)
            case Comparison(left=left, relation=relation, right=right):
                return self._compared(relation, self._worth(left), self._worth(right))
        raise NoBulkEvaluation

    def same(self, one: Variable, other: Variable) -> int:
        """The assignments in which two variables have the same value."""
        own = dict(self._of[one])
        return reduce(or_, [own.get(value, 0) & found for value, found in self._of[other]], 0)

    def _compared(self, relation: str, left: AssignmentsByValue, right: AssignmentsByValue) -> int:
        if relation in (">", ">="):
            left, right, relation = right, left, relation.replace(">", "<")
        equal = reduce(or_, [own & right.get(value, 0) for value, own in left.items()], 0)
        if relation == "=":
            return equal
        if relation == "!=":
            return _any(left) & _any(right) & ~equal
        lower = sorted(left, reverse=True)
        below = found = 0
        for value in sorted(right):
            while lower and lower[-1] < value:
                below |= left[lower.pop()]
            found |= right[value] & below
        return found | equal if relation == "<=" else found

    def _worth(self, expression: Affine) -> AssignmentsByValue:
        """What an expression is worth."""
        if expression not in self._known:
            total: AssignmentsByValue = {expression.constant: self.whole}
            for coefficient, part in expression.terms:
                own = self._part(part)
                times = {coefficient * value: found for value, found in own.items()} if coefficient else {0: _any(own)}
                total = self._combined(total, times, lambda one, other: one + other)
            self._known[expression] = total
        return self._known[expression]

    def _part(self, part: Variable | Atom) -> AssignmentsByValue:
        if isinstance(part, Variable):
            return {integer(value): own for value, own in self._of[part]}
        if not isinstance(part, Operation):
            raise NoBulkEvaluation
        if part.operator == "count":
            return self._count([one for one in part.operands if isinstance(one, Constraint)])
        operands = [self._worth(one) for one in part.operands if isinstance(one, Affine)]
        if len(operands) == 1:
            made: AssignmentsByValue = {}
            for value, own in operands[0].items():
                result = operate(part.operator, [value])
                made[result] = made.get(result, 0) | own
            return made
        return reduce(lambda left, right: self._combined(left, right, _operation(part.operator)), operands)

    def _count(self, conditions: Sequence[Constraint]) -> AssignmentsByValue:
        counts = [self.whole]
        for holds in map(self.satisfying, conditions):
            self._look(len(counts))
            fewer = [own & ~holds for own in counts]
            more = [own & holds for own in counts]
            counts = [one | other for one, other in zip([*fewer, 0], [0, *more], strict=True)]
        return {number: own for number, own in enumerate(counts) if own}

    def _combined(
        self, left: AssignmentsByValue, right: AssignmentsByValue, function: Callable[[int, int], int | None]
    ) -> AssignmentsByValue:
        self._look(len(left) * len(right))
        made: AssignmentsByValue = {}
        for value, own in left.items():
            for other_value, other in right.items():
                if (both := own & other) and (result := function(value, other_value)) is not None:
                    made[result] = made.get(result, 0) | both
        return made

    def _look(self, pairs: int) -> None:
        self.pairs += pairs
        if self.pairs > self._most:
            raise NoBulkEvaluation


def _any(worth: AssignmentsByValue) -> int:
    """The assignments in which an expression has a value."""
    return reduce(or_, worth.values(), 0)


def _operation(operator: str) -> Callable[[int, int], int | None]:
    def operation(one: int, other: int) -> int | None:
        try:
            return operate(operator, (one, other))
        except ZeroDivisionError:
            return None

    return operation
