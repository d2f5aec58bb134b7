"""No two tuples of a list are equal."""

from __future__ import annotations

from itertools import combinations

from ....model import Constraint, DifferentTuples
from .base import Context, Masks, Propagator
from .images import Image, images_of


class Pairwise(Propagator):
    """Waits until two tuples are equal in all places but one, and takes the value away that would make them equal."""

    claim = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, DifferentTuples)
        super().__init__(constraint, context)
        self.tuples = [images_of(row, self.scope, self.domains) for row in constraint.tuples]

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        if not all([image.drop(left, None) for row in self.tuples for image in row]):
            return None
        self.memory.steps += len(self.tuples) * (len(self.tuples) - 1) // 2
        for one, other in combinations(self.tuples, 2):
            if not self._apart(left, one, other):
                return None
        return left

    def _apart(self, left: list[int], one: list[Image], other: list[Image]) -> bool:
        """Keep two tuples different; whether they can be."""
        open_: list[tuple[Image, Image]] = []
        for first, second in zip(one, other, strict=True):
            a, b = first.known(left), second.known(left)
            if a is None or b is None:
                open_.append((first, second))
                if len(open_) > 1:
                    return True
            elif a != b:
                return True
        for first, second in open_:
            if (known := second.known(left)) is not None:
                return first.drop(left, known)
            return (known := first.known(left)) is None or second.drop(left, known)
        return False
