"""Two tuples in the order of a dictionary."""

from __future__ import annotations

from ....model import Affine, Constraint, Lexicographic
from .base import Context, Masks, Propagator, numbers_of


class Ordered(Propagator):
    """Finds the first place where the tuples may differ, and asks it to be less there if it must.

    Leaves only values that stand in a solution, if no variable stands in two elements. O(elements) a step.

    References
    ----------
    .. [1] A. Frisch et al., "Global constraints for lexicographic orderings", 2002.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Lexicographic)
        super().__init__(constraint, context)
        place = {variable: i for i, variable in enumerate(self.scope)}

        def side(element: Affine) -> tuple[int, list[int]]:
            """The position of its variable, and what it is worth with each value of that; -1 for a number."""
            if not element.terms:
                return -1, [element.constant]
            ((coefficient, variable),) = element.terms
            position = place[variable]  # type: ignore[index]
            return position, [coefficient * n + element.constant for n in numbers_of(self.domains[position], context)]

        self.pairs = [(side(one), side(other)) for one, other in zip(constraint.left, constraint.right, strict=True)]
        self.strict = constraint.strict
        if len(self.scope) < sum(bool(element.terms) for element in constraint.parts()):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        for number, ((i, one), (j, other)) in enumerate(self.pairs):
            if not self._can_follow(left, number + 1):  # it must be less here
                return left if self._restrict(left, i, one, j, other, True) else None
            if not self._restrict(left, i, one, j, other, False):
                return None
            low, high = self._span(left, i, one), self._span(left, j, other)
            if not low[0] == low[1] == high[0] == high[1]:
                return left
        return None if self.strict else left

    def entailment(self, masks: Masks) -> bool | None:
        for (i, one), (j, other) in self.pairs:
            (low, high), (least, most) = self._span(masks, i, one), self._span(masks, j, other)
            if high < least or low > most:
                return high < least
            if not low == high == least == most:
                return super().entailment(masks)
        return not self.strict

    def _can_follow(self, masks: Masks, start: int) -> bool:
        """Whether what begins at a pair can be in order, when all before it are equal."""
        for (i, one), (j, other) in self.pairs[start:]:
            low, most = self._span(masks, i, one)[0], self._span(masks, j, other)[1]
            if low != most:
                return low < most
        return not self.strict

    def _span(self, masks: Masks, position: int, images: list[int]) -> tuple[int, int]:
        if position < 0:
            return images[0], images[0]
        mask = masks[position]
        one, other = images[(mask & -mask).bit_length() - 1], images[mask.bit_length() - 1]
        return (one, other) if one <= other else (other, one)

    def _restrict(self, left: list[int], i: int, one: list[int], j: int, other: list[int], strict: bool) -> bool:
        """Keep what can be less, or equal where that will do."""
        most = self._span(left, j, other)[1] - strict
        if i < 0 and one[0] > most:
            return False
        if i >= 0:
            left[i] &= sum([1 << bit for bit, image in enumerate(one) if image <= most])
            if not left[i]:
                return False
        least = self._span(left, i, one)[0] + strict
        if j < 0:
            return other[0] >= least
        left[j] &= sum([1 << bit for bit, image in enumerate(other) if image >= least])
        return left[j] != 0
