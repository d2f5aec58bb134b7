"""The equivalence of two constraints."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, check_constraints
from ..operation import apply
from .comparison import Comparison


class Iff(Constraint):
    """The constraint that two constraints both hold or both fail.

    In the language: ``left <-> right``.

    Parameters
    ----------
    left, right : Constraint

    Examples
    --------
    >>> from csp import Equality, Variable
    >>> print(Iff(Equality(Variable("A"), 1), Equality(Variable("B"), 2)))
    A = 1 <-> B = 2
    """

    left: Constraint
    right: Constraint

    def __post_init__(self) -> None:
        check_constraints((self.left, self.right))
        super().__post_init__()

    def parts(self) -> tuple[Constraint, ...]:
        return self.left, self.right

    def check(self, values: Mapping[str, Value]) -> bool:
        return self.left.check(values) == self.right.check(values)

    def decompose(self) -> tuple[Constraint, ...]:
        return (Comparison(apply("count", [self.left]), "=", apply("count", [self.right])),)

    def as_part(self, quote: Quote = quoted) -> str:
        return f"({self.text(quote)})"

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.left.as_part(quote)} <-> {self.right.as_part(quote)}"
