"""A propagator for the lexicographic order of two tuples."""

from __future__ import annotations

from ....model import Constraint, Lexicographic
from .base import Context, Masks, Propagator, items_of


class Ordered(Propagator):
    """A propagator for the lexicographic order of two tuples (Frisch).

    It finds the first place where the tuples may differ, and keeps the left element at most the right one there, or
    less if the rest of the tuples cannot be in order. Domain-consistent if no variable is in two elements. O(elements).

    References
    ----------
    .. [1] A. Frisch et al., "Global constraints for lexicographic orderings", 2002.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Lexicographic)
        super().__init__(constraint, context)
        left, right = [items_of(side, self.scope, context) for side in (constraint.left, constraint.right)]
        self.pairs = [*zip(left, right, strict=True)]
        self.strict = constraint.strict
        if len(self.scope) < sum(bool(element.terms) for element in constraint.parts()):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        for index, ((i, left), (j, right)) in enumerate(self.pairs):
            # If the rest cannot be in order, the left element must be less here.
            if not self._can_follow(narrowed, index + 1):
                return narrowed if self._restrict(narrowed, i, left, j, right, True) else None
            if not self._restrict(narrowed, i, left, j, right, False):
                return None
            left_span, right_span = self._span(narrowed, i, left), self._span(narrowed, j, right)
            # Only behind a pair of fixed, equal elements the next pair decides the order.
            if not left_span[0] == left_span[1] == right_span[0] == right_span[1]:
                return narrowed
        return None if self.strict else narrowed

    def entailment(self, masks: Masks) -> bool | None:
        for (i, left), (j, right) in self.pairs:
            (low, high), (least, most) = self._span(masks, i, left), self._span(masks, j, right)
            if high < least or low > most:
                return high < least
            if not low == high == least == most:
                return super().entailment(masks)
        return not self.strict

    def _can_follow(self, masks: Masks, start: int) -> bool:
        """Return whether the pairs of elements from ``start`` on can satisfy the order."""
        for (i, left), (j, right) in self.pairs[start:]:
            low, high = self._span(masks, i, left)[0], self._span(masks, j, right)[1]
            if low != high:
                return low < high
        return not self.strict

    def _span(self, masks: Masks, position: int, images: list[int]) -> tuple[int, int]:
        """Return the least and the greatest value that an element can have."""
        if position < 0:
            return images[0], images[0]
        mask = masks[position]
        first, last = images[(mask & -mask).bit_length() - 1], images[mask.bit_length() - 1]
        return (first, last) if first <= last else (last, first)

    def _restrict(
        self, narrowed: list[int], i: int, left: list[int], j: int, right: list[int], is_strict: bool
    ) -> bool:
        """Remove values that violate ``left <= right`` or ``left < right``; return False on failure."""
        high = self._span(narrowed, j, right)[1] - is_strict
        if i < 0 and left[0] > high:
            return False
        if i >= 0:
            narrowed[i] &= sum([1 << bit for bit, image in enumerate(left) if image <= high])
            if not narrowed[i]:
                return False
        low = self._span(narrowed, i, left)[0] + is_strict
        if j < 0:
            return right[0] >= low
        narrowed[j] &= sum([1 << bit for bit, image in enumerate(right) if image >= low])
        return narrowed[j] != 0
