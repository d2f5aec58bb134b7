"""A variable is, or is not, a value or another variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from ..variable import Variable


@dataclass(frozen=True)
class Equality(Constraint):
    """``left = right`` or ``left != right``, for integers and symbols alike.

    Parameters
    ----------
    left : Variable
    right : Variable, int or str
        Another variable, or a value; a plain string is a symbol.
    equal : bool
        False for ``!=``.

    Examples
    --------
    >>> print(Equality(Variable("A"), 4))
    A = 4
    >>> print(Equality(Variable("A"), Variable("B"), equal=False))
    A != B
    """

    left: Variable
    right: Variable | Value
    equal: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", Variable.of(self.left))
        super().__post_init__()

    def parts(self) -> tuple[Affine, ...]:
        return tuple([Affine.variable(side) for side in (self.left, self.right) if isinstance(side, Variable)])

    def check(self, values: Mapping[str, Value]) -> bool:
        right = values[self.right] if isinstance(self.right, Variable) else self.right
        return (values[self.left] == right) == self.equal

    def apart(self) -> tuple[Affine, ...]:
        return () if self.equal or len(self.scope) < 2 else self.parts()

    def text(self, quote: Quote = quoted) -> str:
        right = self.right if isinstance(self.right, Variable) else quote(self.right)
        return f"{self.left} {'=' if self.equal else '!='} {right}"
