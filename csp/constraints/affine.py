"""Sums with integer coefficients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..model import Domain, Quote, Value, Variable

if TYPE_CHECKING:
    from .operation import Operation

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Affine:
    """The expression ``c1*x1 + c2*x2 + ... + constant``, in order of first use.

    Parameters
    ----------
    terms : tuple of (int, Variable or Operation)
        Coefficients, none of them zero, and what they multiply, each once.
    constant : int

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> str(2 * (x + y) - x + 3)
    'x + 2*y + 3'
    >>> str(x - x)
    '0'
    """

    terms: tuple[tuple[int, Variable | Operation], ...] = ()
    constant: int = 0

    @classmethod
    def variable(cls, name: str) -> Affine:
        """The variable itself."""
        return cls(((1, name if isinstance(name, Variable) else Variable(name)),))

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        sums = {atom: coefficient for coefficient, atom in self.terms}
        for coefficient, atom in other.terms:
            sums[atom] = sums.get(atom, 0) + coefficient
        return Affine(tuple((c, atom) for atom, c in sums.items() if c), self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if not factor:
            return Affine()
        return Affine(tuple((factor * c, atom) for c, atom in self.terms), factor * self.constant)

    __radd__ = __add__
    __rmul__ = __mul__

    def __sub__(self, other: Affine | int) -> Affine:
        return self + other * -1

    def image(self, value: Value) -> Value:
        """What an expression of one variable is worth when the variable has the value."""
        if self.is_variable:
            return value
        (coefficient, atom), *more = self.terms
        if more or not isinstance(atom, Variable):
            return self.value(dict.fromkeys(self.variables, value))
        return coefficient * integer(value) + self.constant

    def value(self, values: Mapping[str, Value]) -> Value:
        """What the expression is worth.

        Raises
        ------
        ZeroDivisionError
            If it divides by zero, so that it has no value.
        """
        if self.is_variable:
            return values[self.terms[0][1]]  # type: ignore[index]
        return self.number(values)

    def number(self, values: Mapping[str, Value]) -> int:
        """As ``value``, where it must be a number."""
        total = self.constant
        for coefficient, atom in self.terms:
            total += coefficient * (integer(values[atom]) if isinstance(atom, str) else atom.value(values))
        return total

    @cached_property
    def bounds(self) -> Callable[[Mapping[Variable, Domain]], Bounds]:
        """A function from domains to a least and a greatest value, by interval arithmetic.

        It raises ``ZeroDivisionError`` if there can be no value.
        """
        if self.is_variable:
            return _span(self.terms[0][1])  # type: ignore[arg-type]
        constant = self.constant
        parts = [(c, _span(atom) if isinstance(atom, str) else atom.bounds) for c, atom in self.terms]

        def bounds(domains: Mapping[Variable, Domain]) -> Bounds:
            low = high = constant
            for coefficient, part in parts:
                least, most = part(domains)
                if coefficient < 0:
                    least, most = most, least
                low += coefficient * least
                high += coefficient * most
            return low, high

        return bounds

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable in it, once, in order of first use."""
        found: dict[Variable, None] = {}
        for _, atom in self.terms:
            found.update(dict.fromkeys((atom,) if isinstance(atom, str) else atom.variables))
        return tuple(found)

    @property
    def is_variable(self) -> bool:
        """Whether the expression is one variable and nothing else."""
        terms = self.terms
        return len(terms) == 1 and terms[0][0] == 1 and not self.constant and isinstance(terms[0][1], str)

    @property
    def is_linear(self) -> bool:
        """Whether it is a sum of variables, without operations."""
        return all(isinstance(atom, str) for _, atom in self.terms)

    @property
    def is_unary(self) -> bool:
        """Whether it is linear in one variable, so that each of its values is a candidate."""
        return len(self.terms) == 1 and isinstance(self.terms[0][1], str)

    @property
    def divides(self) -> bool:
        """Whether something in it is divided, so that it may have no value."""
        return any(not isinstance(atom, str) and atom.divides for _, atom in self.terms)

    def text(self, quote: Quote = str) -> str:
        """The expression in the language; ``quote`` writes the values in it."""
        if not self.terms:
            return str(self.constant)
        if len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant:
            only = self.terms[0][1]
            return only if isinstance(only, str) else only.text(quote)
        text = ""
        for coefficient, atom in self.terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            factor = atom if isinstance(atom, str) else atom.as_factor(quote)
            text += sign + (f"{abs(coefficient)}*{factor}" if abs(coefficient) != 1 else factor)
        return text + (f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else "")

    def __str__(self) -> str:
        return self.text()


def _span(variable: Variable) -> Callable[[Mapping[Variable, Domain]], Bounds]:
    def span(domains: Mapping[Variable, Domain]) -> Bounds:
        domain = domains[variable]
        return domain[0], domain[-1]  # type: ignore[return-value]

    return span


def integer(value: Value) -> int:
    """The value, which must be a number."""
    if not isinstance(value, int):
        raise TypeError(f"the symbol {value} has no arithmetic")
    return value
