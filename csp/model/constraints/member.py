"""The constraint that an expression takes one of some values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from ...base.notation import Domain, Quote, Value, quoted, show_domain
from ..algebra import Constraint
from ..expression import Affine
from ..operand import operand
from ..variable import ordered


class Member(Constraint):
    """The constraint that an expression takes one of the listed values.

    In the language: ``expression in DOMAIN``.

    Parameters
    ----------
    expression : Affine
    values : tuple of int or str
        Sorted as a domain, by ``ordered``.

    Examples
    --------
    >>> print(Member(Affine.variable("x") + 1, (3, 5)))
    x + 1 in {3, 5}
    """

    expression: Affine
    values: Domain
    _set: frozenset[Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", operand(self.expression))
        object.__setattr__(self, "values", ordered(self.values))
        object.__setattr__(self, "_set", frozenset(self.values))
        super().__post_init__()

    def parts(self) -> tuple[Affine, ...]:
        return (self.expression,)

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return self.expression.value(values) in self._set
        except ZeroDivisionError:
            return False

    def over(self, variable: Callable[[Affine], Affine]) -> Member:
        expression = self.expression.over(variable)
        return self if expression == self.expression else replace(self, expression=expression)

    def as_condition(self, quote: Quote = quoted) -> str:
        return f"{unbound(self.expression, quote)} in {show_domain(self.values, quote)}"

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.expression.text(quote)} in {show_domain(self.values, quote)}"


def unbound(expression: Affine, quote: Quote = quoted) -> str:
    """Write an expression for a clause body, in ``sum(...)`` if the body would bind it.

    The body would bind a single variable whose name begins with a capital letter.

    Examples
    --------
    >>> unbound(Affine.variable("A")), unbound(Affine.variable("x(1)"))
    ('sum(A)', 'x(1)')
    """
    text = expression.text(quote)
    return f"sum({text})" if expression.is_variable and text.isidentifier() and not text[0].islower() else text
