"""What expressions of one variable are worth with each value of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....model import Affine, Domain, Value, Variable
from .base import Masks, bits


class Image(NamedTuple):
    """Where the variable of an expression stands in a scope, and the expression's values, None where it has none.

    A number has no variable: its position is -1, and its one value is first.
    """

    position: int
    values: list[Value | None]

    def left(self, masks: Masks) -> Iterator[tuple[int, Value | None]]:
        """The values that are left, each with the bit of the variable's value."""
        mask = masks[self.position] if self.position >= 0 else 1
        return ((1 << bit, self.values[bit]) for bit in bits(mask))

    def known(self, masks: Masks) -> Value | None:
        """The value, where there is but one left."""
        if self.position < 0:
            return self.values[0]
        mask = masks[self.position]
        return None if mask & (mask - 1) else self.values[mask.bit_length() - 1]

    def keep(self, left: list[int], kept: set[Value | None]) -> bool:
        """Leave only such values; whether there are any."""
        mask = sum([bit for bit, value in self.left(left) if value in kept])
        if self.position >= 0:
            left[self.position] = mask
        return mask != 0

    def drop(self, left: list[int], value: Value | None) -> bool:
        """Take a value away; whether others are left."""
        mask = sum([bit for bit, own in self.left(left) if own != value])
        if self.position >= 0:
            left[self.position] = mask
        return mask != 0


def images_of(elements: Sequence[Affine | Value], scope: Sequence[Variable], domains: Sequence[Domain]) -> list[Image]:
    """The images of expressions of at most one variable."""
    place: Mapping[Variable, int] = {variable: i for i, variable in enumerate(scope)}
    found: list[Image] = []
    for element in elements:
        if not isinstance(element, Affine):
            found.append(Image(-1, [element]))
        elif not element.variables:
            found.append(Image(-1, [_value(element, {})]))
        else:
            (variable,) = element.variables
            position = place[variable]
            found.append(Image(position, [_value(element, {variable: value}) for value in domains[position]]))
    return found


def _value(element: Affine, values: Mapping[str, Value]) -> Value | None:
    try:
        return element.value(values)
    except ZeroDivisionError:
        return None
