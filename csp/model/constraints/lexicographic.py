"""The constraint that one tuple precedes another lexicographically."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import All, Comparison, Constraint, Either, comparing
from ..expression import Affine
from .base import Listed


class Lexicographic(Listed):
    """The constraint that the left tuple precedes the right one lexicographically.

    In the language: ``[a, b, ...] < [c, d, ...]``. The first pair of different elements decides.

    Parameters
    ----------
    left, right : tuple of Affine
        Tuples of equal length.
    strict : bool
        False for ``<=``, which allows equal tuples.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Lexicographic((x, y), (y, Affine((), 3)), strict=False))
    [x, y] <= [y, 3]
    """

    left: tuple[Affine, ...]
    right: tuple[Affine, ...]
    strict: bool = True
    sides: ClassVar[tuple[str, ...]] = ("left", "right")
    takes_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.left) != len(self.right):
            raise ModelError(f"tuples of {len(self.left)} and of {len(self.right)} are not compared")

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            left, right = ([element.number(values) for element in side] for side in (self.left, self.right))
        except ZeroDivisionError:
            return False
        return left < right or (left == right and not self.strict)

    def decompose(self) -> tuple[Constraint, ...]:
        pairs = [*zip(self.left, self.right, strict=True)]
        cases: list[Constraint] = []
        # One case for each place: all preceding elements are equal, and the pair there decides.
        for place, (first, second) in enumerate(pairs):
            equal = [comparing(a, "=", b) for a, b in pairs[:place]]
            last = place == len(pairs) - 1 and not self.strict
            precedes = comparing(first, "<=" if last else "<", second)
            cases.append(All((*equal, precedes)) if equal else precedes)
        if not cases:
            return () if not self.strict else (comparing(Affine(), "<", Affine()),)
        return (Either(tuple(cases)), *[Comparison(e, "=", e) for e in self.parts() if e.partial])

    def text(self, quote: Quote = quoted) -> str:
        return f" {'<' if self.strict else '<='} ".join(self.texts(quote))
