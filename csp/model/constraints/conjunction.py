"""The conjunction of constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, check_constraints
from ..variable import Variable


class All(Constraint):
    """The constraint that all of two or more constraints hold.

    In the language: ``(first, second, ...)``.

    Parameters
    ----------
    constraints : tuple of Constraint

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(All((Linear(x, "<", y), Linear(y, "<", 2 * x))))
    (x < y, y < 2*x)
    """

    constraints: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "constraints", check_constraints(self.constraints))
        super().__post_init__()
        if len(self.constraints) < 2:
            raise ModelError("a conjunction needs two constraints")

    def parts(self) -> tuple[Constraint, ...]:
        return self.constraints

    def check(self, values: Mapping[str, Value]) -> bool:
        return all(constraint.check(values) for constraint in self.constraints)

    def decompose(self) -> tuple[Constraint, ...]:
        return self.constraints

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        for constraint in self.constraints:
            yield from constraint.differing()

    def text(self, quote: Quote = quoted) -> str:
        return f"({', '.join([constraint.as_part(quote) for constraint in self.constraints])})"
