"""No two tuples of a list are equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from .all_different import AllDifferent
from .comparison import Comparison
from .either import Either
from .equality import Equality
from .linear import comparing
from .table import constant_or_data, is_large

Coordinate = Affine | Value


class DifferentTuples(Constraint):
    """``all_different([[a, b], [c, d], ...])``: no two tuples are equal.

    Parameters
    ----------
    tuples : tuple of tuples of Affine, int or str
        All of one length.

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

    def decomposed(self) -> tuple[Constraint, ...]:
        pairs = [
            Either(tuple([differing(a, b) for a, b in zip(one, other, strict=True)]) or (differing(0, 0),))
            for one, other in combinations(self.tuples, 2)
        ]
        return (*pairs, *[Comparison(e, "=", e) for e in self.parts() if e.partial])

    @property
    def is_plain(self) -> bool:
        return not any([is_large(element) for row in self.tuples for element in row])

    def over(self, variable: Callable[[Affine], Affine]) -> DifferentTuples:
        if self.is_plain:
            return self
        named = [tuple([variable(e) if isinstance(e, Affine) and is_large(e) else e for e in r]) for r in self.tuples]
        return replace(self, tuples=tuple(named))

    def text(self, quote: Quote = quoted) -> str:
        rows = [[e.text(quote) if isinstance(e, Affine) else quote(e) for e in row] for row in self.tuples]
        return f"all_different([{', '.join([f'[{listed}]' for listed in map(', '.join, rows)])}])"


def differing(one: Coordinate, other: Coordinate) -> Constraint:
    """That two expressions or values are different."""
    if not isinstance(one, Affine):
        one, other = other, one
    if not isinstance(one, Affine):
        return comparing(Affine(), "=" if one != other else "!=", Affine())
    if one.is_variable and not isinstance(other, Affine):
        return Equality(one.variables[0], other, False)
    if isinstance(other, Affine) and one != other and one.variables and other.variables:
        return AllDifferent((one, other))
    if isinstance(other, str):  # what is calculated is a number
        return Comparison(one, "=", one)
    return comparing(one, "!=", other if isinstance(other, Affine) else Affine((), other))
