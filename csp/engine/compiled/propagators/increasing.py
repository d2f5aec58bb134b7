"""A propagator for ``increasing``: the elements of a list do not decrease."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ....model import Constraint, Increasing
from .base import Context, Masks, Propagator, numbers_of


class LinearElement(NamedTuple):
    """An element ``coefficient * variable + constant``; the position of a number is -1."""

    position: int
    coefficient: int
    constant: int


class Ascending(Propagator):
    """A propagator for ``increasing`` that passes over the list once in each direction.

    It raises each least value to the preceding one, and lowers each greatest value to the following one.
    Domain-consistent if no variable is in two elements: after both passes any value has a solution with the least
    values before it and the greatest values after it. O(elements), and a binary search in each domain.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Increasing)
        super().__init__(constraint, context)
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        self.elements: list[LinearElement] = []
        for element in constraint.elements:
            if element.terms:
                ((coefficient, variable),) = element.terms
                self.elements.append(LinearElement(position_of[variable], coefficient, element.constant))  # type: ignore[index]
            else:
                self.elements.append(LinearElement(-1, 0, element.constant))
        self.numbers = [numbers_of(domain, context) for domain in self.domains]
        if len(self.scope) < sum(bool(element.terms) for element in constraint.elements):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        # Forward: each element is at least the least value of the preceding one.
        low = None
        for position, coefficient, constant in self.elements:
            if low is not None and not self._restrict(narrowed, position, coefficient, constant, low, True):
                return None
            low = self._end(narrowed, position, coefficient, constant, True)
        # Backward: each element is at most the greatest value of the following one.
        high = None
        for position, coefficient, constant in reversed(self.elements):
            if high is not None and not self._restrict(narrowed, position, coefficient, constant, high, False):
                return None
            high = self._end(narrowed, position, coefficient, constant, False)
        return narrowed

    def _end(self, masks: list[int], position: int, coefficient: int, constant: int, is_least: bool) -> int:
        """Return the least or the greatest value that an element can have."""
        if position < 0:
            return constant
        mask, numbers = masks[position], self.numbers[position]
        lowest = (coefficient > 0) == is_least
        number = numbers[(mask & -mask).bit_length() - 1] if lowest else numbers[mask.bit_length() - 1]
        return coefficient * number + constant

    def _restrict(
        self, narrowed: list[int], position: int, coefficient: int, constant: int, bound: int, at_least: bool
    ) -> bool:
        """Remove values of an element beyond a bound; return False if the domain becomes empty."""
        if position < 0:
            return constant >= bound if at_least else constant <= bound
        numbers = self.numbers[position]
        limit = bound - constant
        if (coefficient > 0) == at_least:
            count = bisect_left(numbers, -(-limit // coefficient))
            narrowed[position] &= -1 << count
        else:
            count = bisect_right(numbers, limit // coefficient)
            narrowed[position] &= (1 << count) - 1
        return narrowed[position] != 0
