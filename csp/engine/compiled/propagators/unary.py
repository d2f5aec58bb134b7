"""Propagators for constraints on one variable, and for constraints without variables."""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import and_, or_

from ....encoding.shape import shape
from ....model import Affine, All, Constraint, Domain, Either, Equality, Table, Variable
from .base import Context, Masks, Propagator


def satisfying_values(constraint: Constraint, context: Context) -> int:
    """Return as bits the values that satisfy a unary constraint, from the cache if possible."""
    (variable,) = constraint.scope
    domain = context.domain(variable)
    cache: dict[Hashable, int] = context.shared("unary", context.memory.cache)
    key = shape(constraint), domain
    if key not in cache:
        context.memory.take(100 + len(domain) // 8)
        cache[key] = satisfying(constraint, variable, domain)
    return cache[key]


def satisfying(constraint: Constraint, variable: Variable, domain: Domain) -> int:
    """Return as bits the values of a domain that satisfy a unary constraint."""
    match constraint:
        case Either(alternatives=parts):
            return reduce(or_, [satisfying(part, variable, domain) for part in parts])
        case All(constraints=parts):
            return reduce(and_, [satisfying(part, variable, domain) for part in parts])
        case Equality(right=value, equal=equal) if not isinstance(value, Variable):
            value_bit = 1 << domain.index(value) if value in domain else 0
            return value_bit if equal else (1 << len(domain)) - 1 ^ value_bit
        case Table(columns=columns, rows=rows):
            # With one column for the variable, look each value up instead of testing all rows.
            variable_columns = [index for index, column in enumerate(columns) if isinstance(column, Affine)]
            if [columns[index] for index in variable_columns] == [Affine.variable(variable)]:
                before, after = columns[: variable_columns[0]], columns[variable_columns[0] + 1 :]
                return sum([1 << i for i, value in enumerate(domain) if (*before, value, *after) in rows])
    return sum([1 << i for i, value in enumerate(domain) if constraint.check({variable: value})])


class Unary(Propagator):
    """A propagator for a unary constraint inside another one. Domain-consistent."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.allowed = satisfying_values(constraint, context)

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = masks[0] & self.allowed
        return (narrowed,) if narrowed else None

    def entailment(self, masks: Masks) -> bool | None:
        narrowed = masks[0] & self.allowed
        return True if narrowed == masks[0] else None if narrowed else False


class Constant(Propagator):
    """A propagator for a constraint without variables, always true or always false."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.holds = constraint.check({})

    def prune(self, masks: Masks) -> Masks | None:
        return masks if self.holds else None

    def entailment(self, masks: Masks) -> bool | None:
        return self.holds
