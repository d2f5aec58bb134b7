"""Tables of the values of expressions that have at most one variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....model import Affine, Domain, Value, Variable
from .base import Masks, bits


class Image(NamedTuple):
    """An expression of at most one variable, as a table of its values.

    ``position``: the index of the variable in the scope, -1 for a constant; ``values``: for each value of the variable
    the expression's value, None if it is undefined. A constant has one value.
    """

    position: int
    values: list[Value | None]

    def remaining(self, masks: Masks) -> Iterator[tuple[int, Value | None]]:
        """Yield the expression's possible values, each with the bit of the variable's value."""
        mask = masks[self.position] if self.position >= 0 else 1
        return ((1 << bit, self.values[bit]) for bit in bits(mask))

    def fixed_value(self, masks: Masks) -> Value | None:
        """Return the value of the expression if the variable is fixed, else None."""
        if self.position < 0:
            return self.values[0]
        mask = masks[self.position]
        return None if mask & (mask - 1) else self.values[mask.bit_length() - 1]

    def keep(self, domains: list[int], allowed: set[Value | None]) -> bool:
        """Remove values for which the expression is not allowed; return False if none remains."""
        mask = sum([bit for bit, value in self.remaining(domains) if value in allowed])
        if self.position >= 0:
            domains[self.position] = mask
        return mask != 0

    def drop(self, domains: list[int], value: Value | None) -> bool:
        """Remove values for which the expression has a value; return False if none remains."""
        mask = sum([bit for bit, image in self.remaining(domains) if image != value])
        if self.position >= 0:
            domains[self.position] = mask
        return mask != 0


def images_of(elements: Sequence[Affine | Value], scope: Sequence[Variable], domains: Sequence[Domain]) -> list[Image]:
    """Return the `Image` of each expression of at most one variable."""
    position_of: Mapping[Variable, int] = {variable: i for i, variable in enumerate(scope)}
    images: list[Image] = []
    for element in elements:
        if not isinstance(element, Affine):
            images.append(Image(-1, [element]))
        elif not element.variables:
            images.append(Image(-1, [_value(element, {})]))
        else:
            (variable,) = element.variables
            position = position_of[variable]
            images.append(Image(position, [_value(element, {variable: value}) for value in domains[position]]))
    return images


def _value(element: Affine, values: Mapping[str, Value]) -> Value | None:
    """Return the value of an expression under an assignment; None if it is undefined."""
    try:
        return element.value(values)
    except ZeroDivisionError:
        return None
