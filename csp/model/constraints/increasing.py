"""Each expression of a list is at most the next."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar

from ...base.notation import Value
from ..constraint import Constraint
from ..expression import Affine
from ..listed import Listed
from .linear import comparing


class Increasing(Listed):
    """``increasing([e1, e2, ...])``: each expression is at most the next.

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
        return all(one <= other for one, other in pairwise(numbers))

    def decomposed(self) -> tuple[Constraint, ...]:
        chain = self.elements if len(self.elements) != 1 else self.elements * 2  # one alone may have no value
        return tuple([comparing(one, "<=", other) for one, other in pairwise(chain)])
