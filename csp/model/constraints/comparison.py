"""Comparisons of expressions that may contain products, quotients, extremes and counts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import field, replace

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine, variables_of
from ..operand import operand
from ..variable import Interval

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Comparison(Constraint):
    """The constraint ``left RELATION right`` on expressions of any kind.

    If an expression has no value, the comparison does not hold.

    Parameters
    ----------
    left, right : Affine
    relation : str
        One of ``= != < <= > >=``.

    Attributes
    ----------
    difference : Affine
        The expression ``left - right``, to compare with 0.

    Examples
    --------
    >>> from csp import multiply
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Comparison(multiply(x, y), "=", Affine((), 6)))
    x*y = 6
    """

    left: Affine
    relation: str
    right: Affine
    difference: Affine = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.relation not in COMPARE:
            raise ModelError(f"{self.relation} is not one of {' '.join(COMPARE)}")
        fields = self.__dict__  # fast, because a model has many comparisons
        if not fields["left"].__class__ is fields["right"].__class__ is Affine:
            fields["left"], fields["right"] = operand(self.left), operand(self.right)
        fields["difference"] = self.left - self.right
        fields["scope"] = variables_of((self.left, self.right))

    def parts(self) -> tuple[Affine, ...]:
        return self.left, self.right

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return COMPARE[self.relation](self.left.number(values), self.right.number(values))
        except ZeroDivisionError:
            return False

    def over(self, variable: Callable[[Affine], Affine]) -> Comparison:
        left, right = self.left.over(variable), self.right.over(variable)
        return self if (left, right) == (self.left, self.right) else replace(self, left=left, right=right)

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.left.text(quote)} {self.relation} {self.right.text(quote)}"


def compared(relation: str, difference: Interval) -> bool | None:
    """Decide a comparison from bounds of ``left - right``.

    Returns ``None`` if the bounds do not decide it.

    Examples
    --------
    >>> compared("<", (-3, -1)), compared("<", (-3, 0)), compared("=", (1, 5))
    (True, None, False)
    """
    low, high = difference
    match relation:
        case "=" | "!=":
            is_equal = True if low == high == 0 else None if low <= 0 <= high else False
            return is_equal if is_equal is None else is_equal == (relation == "=")
        case "<" | ">=":
            is_less = True if high < 0 else False if low >= 0 else None
            return is_less if is_less is None else is_less == (relation == "<")
    is_greater = True if low > 0 else False if high <= 0 else None
    return is_greater if is_greater is None else is_greater == (relation == ">")
