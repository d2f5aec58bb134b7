"""The constraint that two lists are inverse permutations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from ...base.errors import ModelError
from ...base.notation import Value
from ..algebra import Constraint, Either, comparing
from ..expression import Affine
from ..variable import Variable
from .base import Listed
from .member import Member


class Inverse(Listed):
    """The constraint that two lists are inverse permutations of 1 to n.

    In the language: ``inverse([x1, ..., xn], [y1, ..., yn])``. ``xi = j`` if and only if ``yj = i``, for all i and j
    from 1 to n.

    Parameters
    ----------
    left, right : tuple of Affine
        Lists of equal length.

    Examples
    --------
    >>> print(Inverse((Affine.variable("x"),), (Affine.variable("y"),)))
    inverse([x], [y])
    """

    left: tuple[Affine, ...]
    right: tuple[Affine, ...]
    word: ClassVar[str] = "inverse"
    sides: ClassVar[tuple[str, ...]] = ("left", "right")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.left) != len(self.right):
            raise ModelError(f"lists of {len(self.left)} and of {len(self.right)} are not each other's inverse")

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            left, right = ([element.value(values) for element in side] for side in (self.left, self.right))
        except ZeroDivisionError:
            return False
        places = range(1, len(left) + 1)
        return all(j in places and right[int(j) - 1] == i for i, j in enumerate(left, 1))

    def decompose(self) -> tuple[Constraint, ...]:
        places = tuple(range(1, len(self.left) + 1))
        pairs = [
            Either((comparing(x, "!=", Affine((), j)), comparing(y, "=", Affine((), i))))
            for i, x in enumerate(self.left, 1)
            for j, y in enumerate(self.right, 1)
        ]
        return (*[Member(element, places) for element in self.parts()], *pairs)

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        for side in self.lists:
            variables = dict.fromkeys(element.terms[0][1] for element in side if element.is_variable)
            if len(variables) > 1:
                yield tuple(variables)  # type: ignore[arg-type]
