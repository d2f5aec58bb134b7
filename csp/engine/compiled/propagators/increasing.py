"""Each expression of a list is at most the next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ....model import Constraint, Increasing
from .base import Context, Masks, Propagator, numbers_of


class Ascending(Propagator):
    """Raises every element to the one before and lowers it to the one behind.

    Leaves only values that stand in a solution, if no variable stands in two elements: once every least value is at
    most the next, and every greatest, any value goes with the least ones before it and the greatest behind it.
    O(elements), and a search in each domain.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Increasing)
        super().__init__(constraint, context)
        place = {variable: i for i, variable in enumerate(self.scope)}
        self.steps_of: list[tuple[int, int, int]] = []  # position, coefficient and constant; position -1 for a number
        for element in constraint.elements:
            if element.terms:
                ((coefficient, variable),) = element.terms
                self.steps_of.append((place[variable], coefficient, element.constant))  # type: ignore[index]
            else:
                self.steps_of.append((-1, 0, element.constant))
        self.numbers = [numbers_of(domain, context) for domain in self.domains]
        if len(self.scope) < sum(bool(element.terms) for element in constraint.elements):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        low = None
        for position, coefficient, constant in self.steps_of:
            if low is not None and not self._restrict(left, position, coefficient, constant, low, True):
                return None
            low = self._end(left, position, coefficient, constant, True)
        high = None
        for position, coefficient, constant in reversed(self.steps_of):
            if high is not None and not self._restrict(left, position, coefficient, constant, high, False):
                return None
            high = self._end(left, position, coefficient, constant, False)
        return left

    def _end(self, left: list[int], position: int, coefficient: int, constant: int, least: bool) -> int:
        """The least or the greatest value of an element."""
        if position < 0:
            return constant
        mask, numbers = left[position], self.numbers[position]
        lowest = (coefficient > 0) == least
        number = numbers[(mask & -mask).bit_length() - 1] if lowest else numbers[mask.bit_length() - 1]
        return coefficient * number + constant

    def _restrict(
        self, left: list[int], position: int, coefficient: int, constant: int, bound: int, at_least: bool
    ) -> bool:
        """Keep the values for which an element is at least, or at most, a number; whether there are any."""
        if position < 0:
            return constant >= bound if at_least else constant <= bound
        numbers = self.numbers[position]
        rest = bound - constant
        if (coefficient > 0) == at_least:
            count = bisect_left(numbers, -(-rest // coefficient))
            left[position] &= -1 << count
        else:
            count = bisect_right(numbers, rest // coefficient)
            left[position] &= (1 << count) - 1
        return left[position] != 0
