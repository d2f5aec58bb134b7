"""A propagator for the equality of two variables."""

from __future__ import annotations

from ....model import Constraint, Equality
from .all_different import make_apart
from .base import Context, Masks, Propagator, bits


def make_equality(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of ``=`` or ``!=`` between two variables."""
    assert isinstance(constraint, Equality)
    return Equal(constraint, context) if constraint.equal else make_apart(constraint, context)


class Equal(Propagator):
    """A propagator for two equal variables. Domain-consistent.

    It keeps the values that both variables have.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        left, right = self.domains
        index = {value: i for i, value in enumerate(left)}
        # For each value of the right variable its bit in the left domain, or 0.
        self.left_bits = [1 << index[value] if value in index else 0 for value in right]
        self.same = left == right

    def prune(self, masks: Masks) -> Masks | None:
        left, right = masks
        if self.same:
            both = left & right
            return (both, both) if both else None
        narrowed = sum([1 << i for i in bits(right) if self.left_bits[i] & left])
        common = sum([self.left_bits[i] for i in bits(narrowed)])
        return (common, narrowed) if narrowed else None

    def entailment(self, masks: Masks) -> bool | None:
        narrowed = self.prune(masks)
        if narrowed is None:
            return False
        return True if all(not mask & (mask - 1) for mask in masks) else None
