"""The base class of propagators for elements that must differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from ....model import Constraint, Value
from .base import Context, Propagator, bits


class DifferentElements(Propagator):
    """A base class of propagators for elements (expressions of one variable) that must differ.

    An *element* is an expression of one variable. All elements share one numbering of their values: bit ``k``
    of an *image* means the same value for each element.

    Attributes
    ----------
    elements : sequence of Affine
    positions : list of int
        For each element the position of its variable.
    is_identity : bool
        Whether a domain mask is its own image.
    images : list of list of int
        For each element and each value of its variable the bit of the element's value. Only if not ``is_identity``.
    shifts : list of int or None
        For each element the shift from mask to image if that is all. Only if not ``is_identity``.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.elements = constraint.apart()
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        self.positions = [position_of[element.variables[0]] for element in self.elements]
        self.is_identity = all(domain is self.domains[0] for domain in self.domains) and all(
            element.is_variable for element in self.elements
        )
        # Number the values of all elements in one order, so that equal values are equal bits.
        if not self.is_identity:
            images = [
                element.images(self.domains[position])
                for element, position in zip(self.elements, self.positions, strict=True)
            ]
            values = dict.fromkeys(value for row in images for value in row)
            bit = {v: 1 << i for i, v in enumerate(sorted(values) if are_numbers(values) else values)}
            self.images = [[bit[value] for value in row] for row in images]
            self.shifts = [shift_of(row) for row in self.images]

    def image(self, element: int, mask: int) -> int:
        """Return the values that an element has, given its variable's domain; both as bits."""
        if self.is_identity:
            return mask
        if (shift := self.shifts[element]) is not None:
            return mask << shift
        images, image = self.images[element], 0
        for index in bits(mask):
            image |= images[index]
        return image

    def preimage(self, element: int, mask: int, allowed: int) -> int:
        """Return the values of a variable that give an element allowed values; all as bits."""
        if self.is_identity:
            return mask & allowed
        if (shift := self.shifts[element]) is not None:
            return mask & allowed >> shift
        images = self.images[element]
        return sum(1 << index for index in bits(mask) if images[index] & allowed)


def are_numbers(values: Iterable[Value]) -> TypeGuard[Iterable[int]]:
    """Return whether all values are numbers, so that they can be sorted."""
    return all(isinstance(value, int) for value in values)


def shift_of(images: list[int]) -> int | None:
    """Return the shift from a variable's value bits to its element's bits, or None.

    Expressions such as ``x + 3`` over consecutive numbers are shifts.
    ``images``: for each value of the variable its bit.

    Examples
    --------
    >>> shift_of([8, 16, 32]), shift_of([8, 4])
    (3, None)
    """
    if any(image != images[0] << index for index, image in enumerate(images)):
        return None
    return images[0].bit_length() - 1
