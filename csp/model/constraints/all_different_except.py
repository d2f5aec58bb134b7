"""The constraint ``all_different`` with one value that may be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import ClassVar

from ...base.notation import Quote, Value
from ..algebra import Comparison, Constraint, Either
from ..expression import Affine
from ..variable import value_of
from .base import Listed
from .different_tuples import differing
from .member import Member


class AllDifferentExcept(Listed):
    """The constraint that values other than ``value`` occur at most once.

    In the language: ``all_different_except(0, [e1, e2, ...])``.

    Parameters
    ----------
    value : int or str
    elements : tuple of Affine

    Examples
    --------
    >>> print(AllDifferentExcept(0, (Affine.variable("x"), Affine.variable("y") + 1)))
    all_different_except(0, [x, y + 1])
    """

    value: Value
    elements: tuple[Affine, ...]
    word: ClassVar[str] = "all_different_except"

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", value_of(self.value))
        super().__post_init__()

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            other_values = [value for element in self.elements if (value := element.value(values)) != self.value]
        except ZeroDivisionError:
            return False
        return len({*other_values}) == len(other_values)

    def decompose(self) -> tuple[Constraint, ...]:
        pairs = [
            Either((Member(first, (self.value,)), differing(first, second)))
            for first, second in combinations(self.elements, 2)
        ]
        return (*pairs, *[Comparison(e, "=", e) for e in self.elements if e.partial])

    def texts(self, quote: Quote) -> list[str]:
        return [quote(self.value), *super().texts(quote)]
