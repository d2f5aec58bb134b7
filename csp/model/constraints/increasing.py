"""The constraint that a list is sorted in increasing order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar

from ...base.notation import Value
from ..algebra import Constraint, comparing
from ..expression import Affine
from .base import Listed


class Increasing(Listed):
    """The constraint that each element is at most the next one.

    In the language: ``increasing([e1, e2, ...])``.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> print(Increasing((Affine.variable("x"), Affine.variable("y") + 1)))
    increasing([x, y + 1])
    """

    elements: tuple[Affine, ...]
    word: ClassVar[str] = "increasing"
    takes_numbers: ClassVar[bool] = True

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            numbers = [element.number(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        return all(first <= second for first, second in pairwise(numbers))

    def decompose(self) -> tuple[Constraint, ...]:
        # A single element is compared with itself, because it must have a value.
        chain = self.elements if len(self.elements) != 1 else self.elements * 2
        return tuple([comparing(first, "<=", second) for first, second in pairwise(chain)])
