"""The disjunction of constraints."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, check_constraints


class Either(Constraint):
    """The constraint that at least one alternative holds.

    In the language: ``first ; second ; ...``.

    Parameters
    ----------
    alternatives : tuple of Constraint

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Either((Linear(x, "=", 2 * y), Linear(y, "=", 2 * x))))
    x = 2*y ; y = 2*x
    """

    alternatives: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "alternatives", check_constraints(self.alternatives))
        super().__post_init__()
        if not self.alternatives:
            raise ModelError("a disjunction needs an alternative")

    def parts(self) -> tuple[Constraint, ...]:
        return self.alternatives

    def check(self, values: Mapping[str, Value]) -> bool:
        return any(alternative.check(values) for alternative in self.alternatives)

    def as_part(self, quote: Quote = quoted) -> str:
        return f"({self.text(quote)})" if len(self.alternatives) > 1 else self.alternatives[0].as_part(quote)

    def as_condition(self, quote: Quote = quoted) -> str:
        return self.text(quote) if len(self.alternatives) > 1 else self.alternatives[0].as_condition(quote)

    def text(self, quote: Quote = quoted) -> str:
        return " ; ".join([alternative.as_part(quote) for alternative in self.alternatives])
