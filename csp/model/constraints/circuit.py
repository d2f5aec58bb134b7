"""The circuit constraint: successors that form a single cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from ...base.notation import Value
from ..expression import Affine
from ..variable import Variable
from .base import Listed


class Circuit(Listed):
    """The constraint that the successors of all places form a single cycle.

    In the language: ``circuit([x1, ..., xn])``. Place ``i`` is followed by place ``xi``; the places have the numbers 1
    to n.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> print(Circuit((Affine.variable("x"), Affine.variable("y"))))
    circuit([x, y])
    """

    elements: tuple[Affine, ...]
    word: ClassVar[str] = "circuit"

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            successors = [element.value(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        # The successors must be a permutation of the places.
        if sorted(successors, key=str) != sorted(range(1, len(successors) + 1), key=str):
            return False
        # Follow the successors from place 1 until they return to it.
        place, steps = 1, 0
        while successors:
            place, steps = int(successors[place - 1]), steps + 1
            if place == 1:
                break
        return steps == len(successors)

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        variables = dict.fromkeys(element.terms[0][1] for element in self.elements if element.is_variable)
        if len(variables) > 1:
            yield tuple(variables)  # type: ignore[arg-type]
