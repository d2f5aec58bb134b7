"""Successors make one round trip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from ...base.notation import Value
from ..expression import Affine
from ..listed import Listed
from ..variable import Variable


class Circuit(Listed):
    """``circuit([x1, ..., xn])``: from place 1 the way leads to place x1, and so on through all places back to 1.

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
            after = [element.value(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        if sorted(after, key=str) != sorted(range(1, len(after) + 1), key=str):
            return False
        place, steps = 1, 0
        while after:
            place, steps = int(after[place - 1]), steps + 1
            if place == 1:
                break
        return steps == len(after)

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        plain = dict.fromkeys(element.terms[0][1] for element in self.elements if element.is_variable)
        if len(plain) > 1:
            yield tuple(plain)  # type: ignore[arg-type]
