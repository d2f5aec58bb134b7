"""The constraint that a variable equals, or differs from, a value or variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from ..operand import variable_of
from ..variable import Candidate, Variable, value_of


class Equality(Constraint):
    """The constraint that both sides are equal, or different if ``equal`` is false.

    In the language: ``left = right`` or ``left != right``, for integers and symbols. A symbol never equals a variable's
    name.

    Parameters
    ----------
    left : Variable
    right : Variable, int or str
        Another variable, or a value. A plain string is a symbol; a model rejects a symbol that no domain contains and
        that is the name of a variable.
    equal : bool
        False for ``!=``.

    Attributes
    ----------
    between : bool
        Whether the right side is a variable.

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
    between: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", variable_of(self.left))
        is_variable = isinstance(self.right, Affine | Variable)
        right = variable_of(self.right) if is_variable else value_of(self.right)
        object.__setattr__(self, "right", right)
        object.__setattr__(self, "between", is_variable)
        if not isinstance(self.equal, bool):
            raise ModelError(f"equal is True for = and False for !=, not {self.equal!r}")
        is_unary = not isinstance(right, Variable) or right == self.left
        object.__setattr__(self, "scope", (self.left,) if is_unary else (self.left, right))

    def parts(self) -> tuple[Affine, ...]:
        return tuple([Affine.variable(side) for side in (self.left, self.right) if isinstance(side, Variable)])

    def check(self, values: Mapping[str, Value]) -> bool:
        right = values[self.right] if isinstance(self.right, Variable) else self.right
        return (values[self.left] == right) == self.equal

    @property
    def given(self) -> Candidate | None:
        return (self.left, self.right) if self.equal and not isinstance(self.right, Variable) else None

    def apart(self) -> tuple[Affine, ...]:
        return () if self.equal or len(self.scope) < 2 else self.parts()

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        if not self.equal and len(self.scope) == 2:
            yield self.scope

    def text(self, quote: Quote = quoted) -> str:
        right = self.right if isinstance(self.right, Variable) else quote(self.right)
        return f"{self.left} {'=' if self.equal else '!='} {right}"
