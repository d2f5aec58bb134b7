"""What is no sum: products, quotients, remainders, absolute values, least and greatest, and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

from ..model import ModelError, Quote, Value, Variable
from .affine import Affine, Bounds
from .base import Constraint, Domains

OPERATORS = ("*", "//", "mod", "abs", "min", "max", "count")


@dataclass(frozen=True)
class Operation:
    """An operation on expressions, or the number of conditions that hold.

    ``//`` and ``mod`` round down, as in Python; where they divide by zero there is no value.

    Parameters
    ----------
    operator : str
        One of ``* // mod abs min max count``.
    operands : tuple of Affine, or of Constraint for ``count``

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(multiply(2 * x, y + 1), "|", apply("//", [x, y]) + 1, "|", apply("max", [x - y, Affine((), 3)]))
    2*x*(y + 1) | (x // y) + 1 | max(x - y, 3)
    >>> apply("abs", [x - y]).bounds({"x": (1, 5), "y": (2, 3)})
    (0, 3)
    """

    operator: str
    operands: tuple[Affine | Constraint, ...]

    def __post_init__(self) -> None:
        if self.operator not in OPERATORS:
            raise ModelError(f"{self.operator} is not one of {' '.join(OPERATORS)}")
        kind = Constraint if self.operator == "count" else Affine
        for operand in self.operands:
            if not isinstance(operand, kind):
                raise ModelError(f"{operand!r} is no operand of {self.operator}")
        fixed = {"abs": 1, "//": 2, "mod": 2}.get(self.operator)
        if not self.operands or (fixed and len(self.operands) != fixed):
            raise ModelError(f"{self.operator} does not take {len(self.operands)} operands")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable in it, once, in order of first use."""
        found: dict[Variable, None] = {}
        for operand in self.operands:
            found.update(dict.fromkeys(operand.variables if isinstance(operand, Affine) else operand.scope))
        return tuple(found)

    def value(self, values: Mapping[str, Value]) -> int:
        """What it is worth.

        Raises
        ------
        ZeroDivisionError
            If it divides by zero.
        """
        if self.operator == "count":
            return sum(operand.check(values) for operand in self.operands)  # type: ignore[union-attr]
        return operate(self.operator, [operand.number(values) for operand in self.operands])  # type: ignore[union-attr]

    @cached_property
    def bounds(self) -> Callable[[Domains], Bounds]:
        """A function from domains to a least and a greatest value, by interval arithmetic.

        It raises ``ZeroDivisionError`` if it can only divide by zero.
        """
        if self.operator == "count":
            return _count([operand for operand in self.operands if isinstance(operand, Constraint)])
        parts = [operand.bounds for operand in self.operands if isinstance(operand, Affine)]
        match self.operator:
            case "*":
                return lambda domains: reduce(_product, [part(domains) for part in parts])
            case "//":
                return lambda domains: _extremes(parts[0](domains), _divisors(parts[1](domains)))
            case "mod":
                return lambda domains: _remainders(parts[0](domains), parts[1](domains))
            case "abs":
                return lambda domains: _distance(parts[0](domains))
            case "min":
                return _least(parts)
        return _greatest(parts)

    @property
    def divides(self) -> bool:
        """Whether something in it is divided; a condition that cannot be told does not hold, and so has a value."""
        inner = any(isinstance(operand, Affine) and operand.divides for operand in self.operands)
        return inner or self.operator in ("//", "mod")

    def as_factor(self, quote: Quote = str) -> str:
        """Its text as a factor or a term of something larger."""
        return f"({self.text(quote)})" if self.operator in ("//", "mod") else self.text(quote)

    def text(self, quote: Quote = str) -> str:
        """The operation in the language; ``quote`` writes the values in it."""
        if self.operator in ("*", "//", "mod"):
            sign = "*" if self.operator == "*" else f" {self.operator} "
            return sign.join([_factor(operand, quote) for operand in self.operands])
        return f"{self.operator}({', '.join([operand.text(quote) for operand in self.operands])})"

    def __str__(self) -> str:
        return self.text()


def multiply(left: Affine, right: Affine) -> Affine:
    """The product of two expressions; factors that are numbers become coefficients."""
    if not left.terms:
        return right * left.constant
    if not right.terms:
        return left * right.constant
    coefficient, factors = 1, []
    for side in (left, right):
        (factor, atom), *more = side.terms
        if more or side.constant:
            factors.append(side)
            continue
        coefficient *= factor
        if isinstance(atom, Operation) and atom.operator == "*":
            factors += atom.operands  # type: ignore[arg-type]
        else:
            factors.append(Affine(((1, atom),)))
    return Affine(((coefficient, Operation("*", tuple(factors))),))


def apply(operator: str, operands: Sequence[Affine | Constraint]) -> Affine:
    """An operation as an expression.

    Parameters
    ----------
    operator : str
        One of ``// mod abs min max count``; for ``*`` there is ``multiply``.
    operands : sequence of Affine, or of Constraint for ``count``
    """
    return Affine(((1, Operation(operator, tuple(operands))),))


def operate(operator: str, numbers: Sequence[int]) -> int:
    """The operation on numbers.

    Raises
    ------
    ZeroDivisionError
        If it divides by zero.
    """
    match operator:
        case "*":
            result = 1
            for number in numbers:
                result *= number
            return result
        case "//":
            return numbers[0] // numbers[1]
        case "mod":
            return numbers[0] % numbers[1]
        case "abs":
            return abs(numbers[0])
    return min(numbers) if operator == "min" else max(numbers)


def _factor(operand: Affine | Constraint, quote: Quote) -> str:
    assert isinstance(operand, Affine)
    text = operand.text(quote)
    if len(operand.terms) == 1 and operand.terms[0][0] == 1 and not operand.constant:
        atom = operand.terms[0][1]
        return f"({text})" if isinstance(atom, Operation) and atom.operator in ("*", "//", "mod") else text
    return f"({text})" if operand.terms or operand.constant < 0 else text


def _count(conditions: list[Constraint]) -> Callable[[Domains], Bounds]:
    decided = [condition.decided for condition in conditions]

    def bounds(domains: Domains) -> Bounds:
        low = high = 0
        for decide in decided:
            known = decide(domains)
            if known:
                low += 1
            if known is not False:
                high += 1
        return low, high

    return bounds


def _least(parts: list[Callable[[Domains], Bounds]]) -> Callable[[Domains], Bounds]:
    def bounds(domains: Domains) -> Bounds:
        pairs = [part(domains) for part in parts]
        return min(pairs)[0], min([high for _, high in pairs])

    return bounds


def _greatest(parts: list[Callable[[Domains], Bounds]]) -> Callable[[Domains], Bounds]:
    def bounds(domains: Domains) -> Bounds:
        pairs = [part(domains) for part in parts]
        return max(pairs)[0], max([high for _, high in pairs])

    return bounds


def _distance(bounds: Bounds) -> Bounds:
    low, high = bounds
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _product(one: Bounds, other: Bounds) -> Bounds:
    corners = [a * b for a, b in product(one, other)]
    return min(corners), max(corners)


def _divisors(bounds: Bounds) -> list[int]:
    """The divisors among which the extreme quotients are."""
    low, high = bounds
    found = [divisor for divisor in (low, high) if divisor]
    found += [1] if low <= 0 < high else []
    found += [-1] if low < 0 <= high else []
    if not found:
        raise ZeroDivisionError
    return found


def _extremes(dividend: Bounds, divisors: list[int]) -> Bounds:
    quotients = [a // b for a, b in product(dividend, divisors)]
    return min(quotients), max(quotients)


def _remainders(dividend: Bounds, divisor: Bounds) -> Bounds:
    low, high = divisor
    if low == high == 0:
        raise ZeroDivisionError
    if low == high and dividend[0] // low == dividend[1] // low:
        one, other = dividend[0] % low, dividend[1] % low
        return one, other
    if dividend[0] >= 0 and dividend[1] < low:
        return dividend
    return min(0, low + 1), max(0, high - 1)
