"""Propagators for equality and order: of two variables, of a list, of two tuples."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import neg

from ....model import Constraint, Equality, Increasing, Lexicographic
from .all_different import make_apart
from .base import Context, Masks, Propagator, bits, list_elements


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
        self.common = sum(self.left_bits)
        # Domains such as 1..5 and 3..9 have their common values at one distance: then shifts do.
        distances = {index[value] - i for i, value in enumerate(right) if value in index} or {0}
        self.distance = distances.pop() if len(distances) == 1 else None

    def prune(self, masks: Masks) -> Masks | None:
        left, right = masks
        if self.distance is not None:
            up, down = max(self.distance, 0), max(-self.distance, 0)
            common = left & (right << up >> down) & self.common
            return (common, common << down >> up) if common else None
        narrowed = sum([1 << i for i in bits(right) if self.left_bits[i] & left])
        common = sum([self.left_bits[i] for i in bits(narrowed)])
        return (common, narrowed) if narrowed else None

    def entailment(self, masks: Masks) -> bool | None:
        narrowed = self.prune(masks)
        if narrowed is None:
            return False
        return True if all(not mask & (mask - 1) for mask in masks) else None


class Ascending(Propagator):
    """A propagator for ``increasing`` that passes over the list once in each direction.

    It raises each least value to the preceding one, and lowers each greatest value to the following one.
    Domain-consistent if no variable is in two elements: after both passes any value has a solution with the least
    values before it and the greatest values after it. O(elements), and a binary search in each domain.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Increasing)
        super().__init__(constraint, context)
        self.elements = list_elements(constraint.elements, self.scope, context)
        if len(self.scope) < sum(bool(element.terms) for element in constraint.elements):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        # Forward: each element is at least the least value of the preceding one.
        low = None
        for position, numbers in self.elements:
            if low is not None and not self._restrict(narrowed, position, numbers, low, True):
                return None
            low, _ = _span(narrowed, position, numbers)
        # Backward: each element is at most the greatest value of the following one.
        high = None
        for position, numbers in reversed(self.elements):
            if high is not None and not self._restrict(narrowed, position, numbers, high, False):
                return None
            _, high = _span(narrowed, position, numbers)
        return narrowed

    def _restrict(self, narrowed: list[int], position: int, numbers: list[int], bound: int, at_least: bool) -> bool:
        """Remove values of an element beyond a bound; return False if the domain becomes empty."""
        if position < 0:
            return numbers[0] >= bound if at_least else numbers[0] <= bound
        # The numbers descend if the coefficient of the variable is negative.
        is_ascending = numbers[0] <= numbers[-1]
        limit, key = (bound, None) if is_ascending else (-bound, neg)
        if is_ascending == at_least:
            narrowed[position] &= -1 << bisect_left(numbers, limit, key=key)
        else:
            narrowed[position] &= (1 << bisect_right(numbers, limit, key=key)) - 1
        return narrowed[position] != 0


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
        left, right = [list_elements(side, self.scope, context) for side in (constraint.left, constraint.right)]
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
            left_span, right_span = _span(narrowed, i, left), _span(narrowed, j, right)
            # Only behind a pair of fixed, equal elements the next pair decides the order.
            if not left_span[0] == left_span[1] == right_span[0] == right_span[1]:
                return narrowed
        return None if self.strict else narrowed

    def entailment(self, masks: Masks) -> bool | None:
        for (i, left), (j, right) in self.pairs:
            (low, high), (least, most) = _span(masks, i, left), _span(masks, j, right)
            if high < least or low > most:
                return high < least
            if not low == high == least == most:
                return super().entailment(masks)
        return not self.strict

    def _can_follow(self, masks: Masks, start: int) -> bool:
        """Return whether the pairs of elements from ``start`` on can satisfy the order."""
        for (i, left), (j, right) in self.pairs[start:]:
            low, high = _span(masks, i, left)[0], _span(masks, j, right)[1]
            if low != high:
                return low < high
        return not self.strict

    def _restrict(
        self, narrowed: list[int], i: int, left: list[int], j: int, right: list[int], is_strict: bool
    ) -> bool:
        """Remove values that violate ``left <= right`` or ``left < right``; return False on failure."""
        high = _span(narrowed, j, right)[1] - is_strict
        if i < 0 and left[0] > high:
            return False
        if i >= 0:
            narrowed[i] &= sum([1 << bit for bit, image in enumerate(left) if image <= high])
            if not narrowed[i]:
                return False
        low = _span(narrowed, i, left)[0] + is_strict
        if j < 0:
            return right[0] >= low
        narrowed[j] &= sum([1 << bit for bit, image in enumerate(right) if image >= low])
        return narrowed[j] != 0


def _span(masks: Masks, position: int, numbers: list[int]) -> tuple[int, int]:
    """Return the least and the greatest number that an element can be."""
    if position < 0:
        return numbers[0], numbers[0]
    mask = masks[position]
    first, last = numbers[(mask & -mask).bit_length() - 1], numbers[mask.bit_length() - 1]
    return (first, last) if first <= last else (last, first)
