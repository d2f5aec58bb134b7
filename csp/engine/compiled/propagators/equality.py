"""A variable that equals another one."""

from __future__ import annotations

from ....model import Constraint, Equality
from .all_different import make_apart
from .base import Context, Masks, Propagator, bits


def make_equality(constraint: Constraint, context: Context) -> Propagator | None:
    """``=`` has a filter, ``!=`` keeps two variables apart."""
    assert isinstance(constraint, Equality)
    return Equal(constraint, context) if constraint.equal else make_apart(constraint, context)


class Equal(Propagator):
    """Leaves both variables the values that they have in common."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        one, other = self.domains
        index = {value: i for i, value in enumerate(one)}
        self.there = [1 << index[value] if value in index else 0 for value in other]  # from a value of the other
        self.same = one == other

    def prune(self, masks: Masks) -> Masks | None:
        one, other = masks
        if self.same:
            both = one & other
            return (both, both) if both else None
        kept = sum([1 << i for i in bits(other) if self.there[i] & one])
        common = sum([self.there[i] for i in bits(kept)])
        return (common, kept) if kept else None

    def entailment(self, masks: Masks) -> bool | None:
        found = self.prune(masks)
        if found is None:
            return False
        return True if all(not mask & (mask - 1) for mask in masks) else None
