"""A propagator that keeps several tuples of expressions different."""

from __future__ import annotations

from itertools import combinations

from ....model import Constraint, DifferentTuples
from .base import Context, Masks, Propagator
from .images import Image, images_of


class Pairwise(Propagator):
    """A propagator for different tuples by forward checking of each pair of tuples.

    If two tuples are equal in all places except one, and one of the two elements there is fixed, it removes that value
    from the other element.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, DifferentTuples)
        super().__init__(constraint, context)
        self.claim = "check"
        self.tuples = [images_of(row, self.scope, self.domains) for row in constraint.tuples]

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        # Elements must be defined: drop values without an image.
        if not all([image.drop(narrowed, None) for row in self.tuples for image in row]):
            return None
        self.meter.steps += len(self.tuples) * (len(self.tuples) - 1) // 2
        for first, second in combinations(self.tuples, 2):
            if not self._separate(narrowed, first, second):
                return None
        return narrowed

    def _separate(self, narrowed: list[int], left: list[Image], right: list[Image]) -> bool:
        """Remove values that make two tuples equal; return False if the tuples are equal."""
        undecided: list[tuple[Image, Image]] = []
        for first, second in zip(left, right, strict=True):
            a, b = first.fixed_value(narrowed), second.fixed_value(narrowed)
            if a is None or b is None:
                undecided.append((first, second))
                if len(undecided) > 1:
                    return True
            elif a != b:
                return True
        for first, second in undecided:
            if (value := second.fixed_value(narrowed)) is not None:
                return first.drop(narrowed, value)
            return (value := first.fixed_value(narrowed)) is None or second.drop(narrowed, value)
        return False
