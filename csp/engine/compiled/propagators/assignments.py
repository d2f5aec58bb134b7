"""Evaluation of a constraint for all assignments of its scope at once."""

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
"""From each value of an expression to the assignments that give it, as bits. Undefined assignments are in no entry."""


class NoBulkEvaluation(Exception):
    """An error: the constraint cannot be evaluated for all assignments at once."""


class Assignments:
    """All assignments of a scope; a set of them is one integer.

    The last variable changes first. A condition is the set of assignments that satisfy it. An expression is one set for
    each of its values. So *and*, *or* and *not* are operations on integers, and a sum combines the pairs of values of
    its terms.

    Parameters
    ----------
    scope : sequence of Variable
    domains : sequence of tuple
        The values of each variable.
    most : int
        Maximum number of pairs of values to combine.

    Attributes
    ----------
    columns : list of list of int
        For each variable and each of its values the assignments that contain it.
    whole : int
        All assignments.
    pairs : int
        The number of pairs of values that were combined so far.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> space = Assignments((Variable("x"), Variable("y")), ((1, 2), (1, 2, 3)), 100)
    >>> f"{space.satisfying(Comparison(x, '=', y)):06b}", space.columns[0]
    ('010001', [7, 56])
    """

    def __init__(self, scope: Sequence[Variable], domains: Sequence[Domain], most: int) -> None:
        self.pairs, self._limit = 0, most
        count = prod(map(len, domains))
        self.whole = (1 << count) - 1
        self.columns: list[list[int]] = []
        # Value number i of a variable is in block i of each period: one block is ``inner`` assignments long.
        inner = count
        for domain in domains:
            outer, inner = inner, inner // len(domain)
            first_block = self.whole // ((1 << outer) - 1) * ((1 << inner) - 1)
            self.columns.append([first_block << index * inner for index in range(len(domain))])
        self._columns_of = {
            variable: list(zip(domain, column, strict=True))
            for variable, domain, column in zip(scope, domains, self.columns, strict=True)
        }
        self._evaluated: dict[Affine, AssignmentsByValue] = {}

    def satisfying(self, constraint: Constraint) -> int:
        """Return the set of assignments that satisfy a constraint.

        Raises
        ------
        NoBulkEvaluation
            If the kind has no evaluation here, or the limit of pairs is exceeded.
        """
        if len(constraint.scope) == 1:
            (variable,) = constraint.scope
            return reduce(
                or_, [column for value, column in self._columns_of[variable] if constraint.check({variable: value})], 0
            )
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
                return self._compare(relation, self._evaluate(left), self._evaluate(right))
        raise NoBulkEvaluation

    def same(self, left: Variable, right: Variable) -> int:
        """Return, as bits, the assignments that give two variables equal values."""
        left_columns = dict(self._columns_of[left])
        return reduce(or_, [left_columns.get(value, 0) & column for value, column in self._columns_of[right]], 0)

    def _compare(self, relation: str, left: AssignmentsByValue, right: AssignmentsByValue) -> int:
        """Return, as bits, the assignments that satisfy a relation between two expressions."""
        if relation in (">", ">="):
            left, right, relation = right, left, relation.replace(">", "<")
        equal = reduce(or_, [assignments & right.get(value, 0) for value, assignments in left.items()], 0)
        if relation == "=":
            return equal
        if relation == "!=":
            return _any(left) & _any(right) & ~equal
        # Sweep the right values upwards, and collect all assignments with a smaller left value.
        lower = sorted(left, reverse=True)
        smaller = less = 0
        for value in sorted(right):
            while lower and lower[-1] < value:
                smaller |= left[lower.pop()]
            less |= right[value] & smaller
        return less | equal if relation == "<=" else less

    def _evaluate(self, expression: Affine) -> AssignmentsByValue:
        """Return for each value of an expression the set of assignments that produce the value."""
        if expression not in self._evaluated:
            total: AssignmentsByValue = {expression.constant: self.whole}
            for coefficient, part in expression.terms:
                values = self._part(part)
                times = (
                    {coefficient * value: assignments for value, assignments in values.items()}
                    if coefficient
                    else {0: _any(values)}
                )
                total = self._combine(total, times, lambda left, right: left + right)
            self._evaluated[expression] = total
        return self._evaluated[expression]

    def _part(self, part: Variable | Atom) -> AssignmentsByValue:
        """Return for each value of a variable or operation the assignments that produce the value."""
        if isinstance(part, Variable):
            return {integer(value): assignments for value, assignments in self._columns_of[part]}
        if not isinstance(part, Operation):
            raise NoBulkEvaluation
        if part.operator == "count":
            return self._count([operand for operand in part.operands if isinstance(operand, Constraint)])
        operands = [self._evaluate(operand) for operand in part.operands if isinstance(operand, Affine)]
        if len(operands) == 1:
            results: AssignmentsByValue = {}
            for value, assignments in operands[0].items():
                result = operate(part.operator, [value])
                results[result] = results.get(result, 0) | assignments
            return results
        return reduce(lambda left, right: self._combine(left, right, _operation(part.operator)), operands)

    def _count(self, conditions: Sequence[Constraint]) -> AssignmentsByValue:
        """Return for each possible count the assignments that satisfy this many conditions."""
        counts = [self.whole]
        for holds in map(self.satisfying, conditions):
            self._count_pairs(len(counts))
            # Each condition keeps the count of an assignment, or raises it by one.
            without_condition = [assignments & ~holds for assignments in counts]
            with_condition = [assignments & holds for assignments in counts]
            counts = [same | raised for same, raised in zip([*without_condition, 0], [0, *with_condition], strict=True)]
        return {number: assignments for number, assignments in enumerate(counts) if assignments}

    def _combine(
        self, left: AssignmentsByValue, right: AssignmentsByValue, function: Callable[[int, int], int | None]
    ) -> AssignmentsByValue:
        """Return for each result of a binary function the assignments that produce the result."""
        self._count_pairs(len(left) * len(right))
        results: AssignmentsByValue = {}
        for left_value, left_assignments in left.items():
            for right_value, right_assignments in right.items():
                if (both := left_assignments & right_assignments) and (
                    result := function(left_value, right_value)
                ) is not None:
                    results[result] = results.get(result, 0) | both
        return results

    def _count_pairs(self, pairs: int) -> None:
        """Add to the number of combined pairs; raise `NoBulkEvaluation` above the limit."""
        self.pairs += pairs
        if self.pairs > self._limit:
            raise NoBulkEvaluation


def _any(assignments: AssignmentsByValue) -> int:
    """Return the set of assignments for which an expression is defined."""
    return reduce(or_, assignments.values(), 0)


def _operation(operator: str) -> Callable[[int, int], int | None]:
    """Return the function of a binary operator, which returns None where the operator is undefined."""

    def operation(left: int, right: int) -> int | None:
        try:
            return operate(operator, (left, right))
        except ZeroDivisionError:
            return None

    return operation
