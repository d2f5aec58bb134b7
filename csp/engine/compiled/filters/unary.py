"""Any constraint on one variable."""

from __future__ import annotations

from collections.abc import Hashable

from ....formula.shape import shape
from ....model import Constraint
from .base import Context, Filter, Masks


class Unary(Filter):
    """Leaves the values that satisfy the constraint."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        ((variable, domain),) = zip(self.scope, self.domains, strict=True)
        known: dict[Hashable, int] = context.shared("unary", context.memory.cache)
        key = shape(constraint), domain
        if key not in known:
            allowed = sum([1 << i for i, value in enumerate(domain) if constraint.check({variable: value})])
            context.memory.take(100 + len(domain) // 8)
            known[key] = allowed
        self.allowed = known[key]

    def filter(self, masks: Masks) -> Masks | None:
        left = masks[0] & self.allowed
        return (left,) if left else None

    def decided(self, masks: Masks) -> bool | None:
        left = masks[0] & self.allowed
        return True if left == masks[0] else None if left else False


class Constant(Filter):
    """A constraint without variables, inside another one."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.holds = constraint.check({})

    def filter(self, masks: Masks) -> Masks | None:
        return masks if self.holds else None

    def decided(self, masks: Masks) -> bool | None:
        return self.holds
