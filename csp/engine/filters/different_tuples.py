"""No two tuples of a list are equal."""

from __future__ import annotations

from itertools import combinations

from ...model import Affine, Constraint, DifferentTuples, Value
from .base import Context, Filter, Masks, bits

Image = tuple[int, list[Value | None]]
"""The position of a variable, and what an element is worth with each of its values; -1 for a value itself."""


class Pairwise(Filter):
    """Waits until two tuples are equal in all places but one, and takes the value away that would make them equal."""

    claim = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, DifferentTuples)
        super().__init__(constraint, context)
        place = {variable: i for i, variable in enumerate(self.scope)}

        def image(element: Affine | Value) -> Image:
            if not isinstance(element, Affine):
                return -1, [element]
            if not element.variables:
                return -1, [None]
            (variable,) = element.variables
            return place[variable], [_worth(element, value) for value in self.domains[place[variable]]]

        self.tuples = [[image(element) for element in row] for row in constraint.tuples]

    def filter(self, masks: Masks) -> Masks | None:
        left = list(masks)
        for row in self.tuples:
            for position, images in row:
                mask = left[position] if position >= 0 else 1
                kept = sum([1 << bit for bit in bits(mask) if images[bit] is not None])
                if not kept:
                    return None
                if position >= 0:
                    left[position] = kept
        for one, other in combinations(self.tuples, 2):
            if not self._apart(left, one, other):
                return None
        return left

    def _apart(self, left: list[int], one: list[Image], other: list[Image]) -> bool:
        """Keep two tuples different; whether they can be."""
        open_: list[tuple[Image, Image]] = []
        for first, second in zip(one, other, strict=True):
            a, b = self._known(left, first), self._known(left, second)
            if a is None or b is None:
                open_.append((first, second))
                if len(open_) > 1:
                    return True
            elif a != b:
                return True
        if not open_:
            return False
        ((first, second),) = open_
        for mine, known in ((first, self._known(left, second)), (second, self._known(left, first))):
            position, images = mine
            if known is not None:
                left[position] &= sum([1 << bit for bit, image in enumerate(images) if image != known])
                return left[position] != 0
        return True

    def _known(self, masks: Masks, image: Image) -> Value | None:
        """The value of an element, where it has but one."""
        position, images = image
        if position < 0:
            return images[0]
        mask = masks[position]
        return None if mask & (mask - 1) else images[mask.bit_length() - 1]


def _worth(element: Affine, value: Value) -> Value | None:
    try:
        return element.image(value)
    except ZeroDivisionError:
        return None
