"""The constraint that tuples of expressions are pairwise different."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import Comparison, Constraint, Either, Equality, comparing
from ..expression import Affine
from .all_different import AllDifferent
from .table import constant_or_data, is_large

Coordinate = Affine | Value


class DifferentTuples(Constraint):
    """The constraint that no two tuples are equal.

    In the language: ``all_different([[a, b], [c, d], ...])``.

    Parameters
    ----------
    tuples : tuple of tuples of Affine, int or str
        Tuples of equal length.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(DifferentTuples(((x, y), (y, 3))))
    all_different([[x, y], [y, 3]])
    """

    tuples: tuple[tuple[Coordinate, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tuples", tuple([tuple(map(constant_or_data, row)) for row in self.tuples]))
        if len({len(row) for row in self.tuples}) > 1:
            raise ModelError("tuples of different lengths are not compared")
        super().__post_init__()

    def parts(self) -> tuple[Affine, ...]:
        return tuple([element for row in self.tuples for element in row if isinstance(element, Affine)])

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            rows = [tuple([e.value(values) if isinstance(e, Affine) else e for e in row]) for row in self.tuples]
        except ZeroDivisionError:
            return False
        return len({*rows}) == len(rows)

    def decompose(self) -> tuple[Constraint, ...]:
        pairs = [
            Either(tuple([differing(a, b) for a, b in zip(first, second, strict=True)]) or (differing(0, 0),))
            for first, second in combinations(self.tuples, 2)
        ]
        return (*pairs, *[Comparison(e, "=", e) for e in self.parts() if e.partial])

    @property
    def is_plain(self) -> bool:
        return not any([is_large(element) for row in self.tuples for element in row])

    def over(self, variable: Callable[[Affine], Affine]) -> DifferentTuples:
        if self.is_plain:
            return self
        rows = [
            tuple([variable(e) if isinstance(e, Affine) and is_large(e) else e for e in row]) for row in self.tuples
        ]
        return replace(self, tuples=tuple(rows))

    def text(self, quote: Quote = quoted) -> str:
        rows = [[e.text(quote) if isinstance(e, Affine) else quote(e) for e in row] for row in self.tuples]
        return f"all_different([{', '.join([f'[{texts}]' for texts in map(', '.join, rows)])}])"


def differing(first: Coordinate, second: Coordinate) -> Constraint:
    """Make the simplest constraint that two expressions or values differ."""
    # An expression, if there is any, becomes ``first``.
    if not isinstance(first, Affine):
        first, second = second, first
    # Two values: a comparison that always or never holds.
    if not isinstance(first, Affine):
        return comparing(Affine(), "=" if first != second else "!=", Affine())
    if first.is_variable and not isinstance(second, Affine):
        return Equality(first.variables[0], second, False)
    if isinstance(second, Affine) and first != second and first.variables and second.variables:
        return AllDifferent((first, second))
    # An expression with a value is a number, and so it differs from every symbol.
    if isinstance(second, str):
        return Comparison(first, "=", first)
    return comparing(first, "!=", second if isinstance(second, Affine) else Affine((), second))
