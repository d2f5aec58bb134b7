"""Sums of variables with integer coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model import Value, Variable


@dataclass(frozen=True)
class Affine:
    """The expression ``c1*x1 + c2*x2 + ... + constant``, variables in order of first use.

    Parameters
    ----------
    terms : tuple of (int, Variable)
        Coefficients, none of them zero, and variables, each once.
    constant : int

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> str(2 * (x + y) - x + 3)
    'x + 2*y + 3'
    >>> str(x - x)
    '0'
    """

    terms: tuple[tuple[int, Variable], ...] = ()
    constant: int = 0

    @classmethod
    def variable(cls, name: str) -> Affine:
        """The variable itself."""
        return cls(((1, name if isinstance(name, Variable) else Variable(name)),))

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        sums = {variable: coefficient for coefficient, variable in self.terms}
        for coefficient, variable in other.terms:
            sums[variable] = sums.get(variable, 0) + coefficient
        return Affine(tuple((c, v) for v, c in sums.items() if c), self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if not factor:
            return Affine()
        return Affine(tuple((factor * c, v) for c, v in self.terms), factor * self.constant)

    __radd__ = __add__
    __rmul__ = __mul__

    def __sub__(self, other: Affine | int) -> Affine:
        return self + other * -1

    def image(self, value: Value) -> Value:
        """What an expression of one variable is worth when the variable has the value."""
        if self.is_variable:
            return value
        assert isinstance(value, int)
        return self.terms[0][0] * value + self.constant

    def value(self, values: Mapping[str, Value]) -> Value:
        """What the expression is worth."""
        if self.is_variable:
            return values[self.terms[0][1]]
        return self.constant + sum(c * integer(values[v]) for c, v in self.terms)

    @property
    def is_variable(self) -> bool:
        """Whether the expression is one variable and nothing else."""
        return len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant

    def __str__(self) -> str:
        text = ""
        for coefficient, variable in self.terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + (f"{abs(coefficient)}*{variable}" if abs(coefficient) != 1 else variable)
        if not text:
            return str(self.constant)
        return text + (f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else "")


def integer(value: Value) -> int:
    """The value, which must be a number."""
    if not isinstance(value, int):
        raise TypeError(f"the symbol {value} has no arithmetic")
    return value
