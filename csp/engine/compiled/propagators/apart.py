"""The values of different elements as bits that all of them share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from ....model import Constraint, Value
from .base import Context, Propagator, bits


class Apart(Propagator):
    """The values of elements as bits that all of them share."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.elements = constraint.apart()
        place = {variable: i for i, variable in enumerate(self.scope)}
        self.of = [place[element.variables[0]] for element in self.elements]
        self.same = all(domain is self.domains[0] for domain in self.domains) and all(
            element.is_variable for element in self.elements
        )  # then a mask is its own image
        if not self.same:
            images = [element.images(self.domains[own]) for element, own in zip(self.elements, self.of, strict=True)]
            values = dict.fromkeys(value for own in images for value in own)
            bit = {v: 1 << i for i, v in enumerate(sorted(values) if are_numbers(values) else values)}
            self.images = [[bit[value] for value in own] for own in images]
            self.shifts = [shift_of(own) for own in self.images]

    def image(self, element: int, mask: int) -> int:
        """The values of an element, when its variable has those of a mask."""
        if self.same:
            return mask
        if (shift := self.shifts[element]) is not None:
            return mask << shift
        images, found = self.images[element], 0
        for index in bits(mask):
            found |= images[index]
        return found

    def kept(self, element: int, mask: int, allowed: int) -> int:
        """The values of a mask for which an element has an allowed value."""
        if self.same:
            return mask & allowed
        if (shift := self.shifts[element]) is not None:
            return mask & allowed >> shift
        images = self.images[element]
        return sum(1 << index for index in bits(mask) if images[index] & allowed)


def are_numbers(values: Iterable[Value]) -> TypeGuard[Iterable[int]]:
    """Whether all values can be put in order."""
    return all(isinstance(value, int) for value in values)


def shift_of(images: list[int]) -> int | None:
    """By how much a mask is shifted to its image, where that is all: as in ``x + 3`` over neighbouring numbers.

    Examples
    --------
    >>> shift_of([8, 16, 32]), shift_of([8, 4])
    (3, None)
    """
    if any(image != images[0] << place for place, image in enumerate(images)):
        return None
    return images[0].bit_length() - 1
