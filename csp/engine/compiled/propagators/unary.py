"""Any constraint on one variable."""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import and_, or_

from ....encoding.shape import shape
from ....model import Affine, All, Constraint, Domain, Either, Equality, Table, Variable
from .base import Context, Masks, Propagator


def satisfying_values(constraint: Constraint, context: Context) -> int:
    """The values that satisfy a constraint on one variable."""
    (variable,) = constraint.scope
    domain = context.domain(variable)
    known: dict[Hashable, int] = context.shared("unary", context.memory.cache)
    key = shape(constraint), domain
    if key not in known:
        context.memory.take(100 + len(domain) // 8)
        known[key] = satisfying(constraint, variable, domain)
    return known[key]


def satisfying(constraint: Constraint, variable: Variable, domain: Domain) -> int:
    """The values of a domain for which a constraint on no other variable holds, as bits."""
    match constraint:
        case Either(alternatives=parts):
            return reduce(or_, [satisfying(part, variable, domain) for part in parts])
        case All(constraints=parts):
            return reduce(and_, [satisfying(part, variable, domain) for part in parts])
        case Equality(right=value, equal=equal) if not isinstance(value, Variable):
            own = 1 << domain.index(value) if value in domain else 0
            return own if equal else (1 << len(domain)) - 1 ^ own
        case Table(columns=columns, rows=rows):
            open_ = [place for place, one in enumerate(columns) if isinstance(one, Affine)]
            if [columns[place] for place in open_] == [Affine.variable(variable)]:
                before, after = columns[: open_[0]], columns[open_[0] + 1 :]
                return sum([1 << i for i, value in enumerate(domain) if (*before, value, *after) in rows])
    return sum([1 << i for i, value in enumerate(domain) if constraint.check({variable: value})])


class Unary(Propagator):
    """Leaves the values that satisfy the constraint."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.allowed = satisfying_values(constraint, context)

    def prune(self, masks: Masks) -> Masks | None:
        left = masks[0] & self.allowed
        return (left,) if left else None

    def entailment(self, masks: Masks) -> bool | None:
        left = masks[0] & self.allowed
        return True if left == masks[0] else None if left else False


class Constant(Propagator):
    """A constraint without variables, inside another one."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.holds = constraint.check({})

    def prune(self, masks: Masks) -> Masks | None:
        return masks if self.holds else None

    def entailment(self, masks: Masks) -> bool | None:
        return self.holds
