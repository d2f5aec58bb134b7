"""Expressions that are not sums: products, quotients, absolute values, extremes, counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ..base.errors import ModelError
from ..base.notation import Quote, Value, quoted
from .bounds import absolute_span, product_span, quotient_span, remainder_span
from .expression import Affine, Atom, Condition
from .operand import check_constraints, operand, operands
from .variable import Interval


class Operator(NamedTuple):
    """The arity of an operator, and the functions for its value and its bounds.

    ``arity`` is the number of operands (0: any number), ``value`` calculates the result, ``span`` calculates its bounds
    from the bounds of the operands, and ``divides`` says whether a second operand of 0 makes it undefined.
    """

    arity: int
    value: Callable[[Sequence[int]], int]
    span: Callable[[Sequence[Interval]], Interval]
    divides: bool = False


class Operation(Atom):
    """An operator applied to expressions, or a count of conditions that hold.

    ``//`` and ``mod`` round down, as in Python; a division by zero has no value.

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
    """

    operator: str
    operands: tuple[Affine | Condition, ...]

    def __post_init__(self) -> None:
        if self.operator not in OPERATORS:
            raise ModelError(f"{self.operator} is not one of {' '.join(OPERATORS)}")
        checked = check_constraints(self.operands) if self.operator == "count" else operands(self.operands)
        object.__setattr__(self, "operands", checked)
        arity = OPERATORS[self.operator].arity
        if not self.operands or (arity and len(self.operands) != arity):
            raise ModelError(f"{self.operator} does not take {len(self.operands)} operands")

    def parts(self) -> tuple[Affine | Condition, ...]:
        return self.operands

    def value(self, values: Mapping[str, Value]) -> int:
        numbers = [part.number(values) if isinstance(part, Affine) else part.check(values) for part in self.operands]
        return OPERATORS[self.operator].value(numbers)

    def span(self, parts: Sequence[Interval]) -> Interval:
        return OPERATORS[self.operator].span(parts)

    @property
    def partial(self) -> bool:
        return OPERATORS[self.operator].divides or super().partial

    def partial_factors(self) -> Iterable[Atom]:
        if self.operator != "*":
            return (self,)
        # A product of several partial atoms is defined if each of them is.
        atoms = [atom for operand in self.operands if isinstance(operand, Affine) for atom in operand.atoms]
        return [part for atom in atoms if atom.partial for part in atom.partial_factors()]

    def total(self) -> Affine:
        operands = [part.total() for part in self.operands if isinstance(part, Affine)]
        if OPERATORS[self.operator].divides:
            # Replace a divisor of 0 by 1, so that the operation is always defined.
            is_not_zero = apply("min", [apply("abs", [operands[1]]), Affine((), 1)])
            operands[1] = operands[1] + 1 - is_not_zero
        return Affine(((1, Operation(self.operator, tuple(operands))),))

    def as_factor(self, quote: Quote = quoted) -> str:
        return f"({self.text(quote)})" if self.operator in ("//", "mod") else self.text(quote)

    def as_scaled(self, quote: Quote = quoted) -> str:
        has_sum_first = self.operator == "*" and not _is_single(self.operands[0])
        return f"({self.text(quote)})" if has_sum_first else self.as_factor(quote)

    def text(self, quote: Quote = quoted) -> str:
        if self.operator in ("*", "//", "mod"):
            sign = "*" if self.operator == "*" else f" {self.operator} "
            return sign.join([_factor(part, quote) for part in self.operands])
        return f"{self.operator}({', '.join([part.text(quote) for part in self.operands])})"

    def __str__(self) -> str:
        return self.text()


def multiply(left: Affine, right: Affine) -> Affine:
    """Return the product of two expressions; a constant factor becomes a coefficient."""
    left, right = operand(left), operand(right)
    if not left.terms:
        return right * left.constant
    if not right.terms:
        return left * right.constant
    coefficient, factors = 1, []
    for side in (left, right):
        # Take the coefficient out of a single term, and merge nested products.
        (factor, atom), *more_terms = side.terms
        if more_terms or side.constant:
            factors.append(side)
            continue
        coefficient *= factor
        if isinstance(atom, Operation) and atom.operator == "*":
            factors += atom.operands  # type: ignore[arg-type]
        else:
            factors.append(Affine(((1, atom),)))
    term = Affine(((coefficient, Operation("*", tuple(factors))),))
    # With the coefficient 0, only factors that may have no value remain.
    return term if coefficient else term * 1


def apply(operator: str, operands: Sequence[Affine | Condition]) -> Affine:
    """Make the expression that applies an operator to operands.

    Parameters
    ----------
    operator : str
        One of ``// mod abs min max count``; use ``multiply`` for ``*``.
    operands : sequence of Affine, or of Constraint for ``count``
    """
    return Affine(((1, Operation(operator, tuple(operands))),))


def operate(operator: str, numbers: Sequence[int]) -> int:
    """Return the result of an operator, such as ``//`` or ``min``, for numbers.

    Raises
    ------
    ZeroDivisionError
        If the operation divides by zero.
    """
    return OPERATORS[operator].value(numbers)


def _is_single(side: Affine | Condition) -> bool:
    """Return whether an expression is one variable or atom, without factor and constant."""
    return isinstance(side, Affine) and len(side.terms) == 1 and side == Affine(((1, side.terms[0][1]),))


def _factor(side: Affine | Condition, quote: Quote) -> str:
    assert isinstance(side, Affine)
    text = side.text(quote)
    if _is_single(side):
        atom = side.terms[0][1]
        return f"({text})" if isinstance(atom, Operation) and atom.operator in ("*", "//", "mod") else text
    return f"({text})" if side.terms or side.constant < 0 else text


OPERATORS: dict[str, Operator] = {
    "*": Operator(0, prod, product_span),
    "//": Operator(2, lambda numbers: numbers[0] // numbers[1], quotient_span, divides=True),
    "mod": Operator(2, lambda numbers: numbers[0] % numbers[1], remainder_span, divides=True),
    "abs": Operator(1, lambda numbers: abs(numbers[0]), absolute_span),
    "min": Operator(0, min, lambda spans: (min(spans)[0], min([high for _, high in spans]))),
    "max": Operator(0, max, lambda spans: (max([low for low, _ in spans]), max([high for _, high in spans]))),
    "count": Operator(0, sum, lambda spans: (sum([low for low, _ in spans]), sum([high for _, high in spans]))),
}
"""The operators by name, with the rules to evaluate them."""
