"""Relations of numbers, and bounds of expressions by interval arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product

from ..base.notation import Domain
from .expression import Affine, Condition
from .variable import Interval, Variable, integer

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""The functions that decide relations, by sign."""

OPPOSITE_RELATIONS = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The relation that holds exactly if the other one does not."""


def bounds(expression: Affine, domains: Mapping[Variable, Domain]) -> Interval:
    """Return a lower and an upper bound of an expression, by interval arithmetic.

    Parameters
    ----------
    expression : Affine
    domains : mapping from Variable to tuple

    Raises
    ------
    ZeroDivisionError
        If the expression can have no value.

    Examples
    --------
    >>> from csp import apply
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> bounds(apply("abs", [x - y]), {"x": range(1, 6), "y": (2, 3)})
    (0, 3)
    """
    low = high = expression.constant
    for coefficient, atom in expression.terms:
        if isinstance(atom, Variable):
            atom_low, atom_high = integer(domains[atom][0]), integer(domains[atom][-1])
        else:
            atom_low, atom_high = atom.span([_bounds_inside(part, domains, atom.optional) for part in atom.parts()])
        # A negative coefficient exchanges the two bounds.
        low += coefficient * (atom_low if coefficient > 0 else atom_high)
        high += coefficient * (atom_high if coefficient > 0 else atom_low)
    return low, high


def _bounds_inside(part: Affine | Condition, domains: Mapping[Variable, Domain], optional: bool) -> Interval | None:
    """Return the bounds of a part of an atom; (0, 1) for a condition.

    Returns ``None`` if the part can have no value and is ``optional``.
    """
    if not isinstance(part, Affine):
        return 0, 1
    try:
        return bounds(part, domains)
    except ZeroDivisionError:
        if optional:
            return None
        raise


def compared(relation: str, difference: Interval) -> bool | None:
    """Return whether a comparison holds, if bounds of ``left - right`` decide it; else ``None``.

    Examples
    --------
    >>> compared("<", (-3, -1)), compared("<", (-3, 0)), compared("=", (1, 5))
    (True, None, False)
    """
    low, high = difference
    match relation:
        case "=" | "!=":
            is_equal = True if low == high == 0 else None if low <= 0 <= high else False
            return is_equal if is_equal is None else is_equal == (relation == "=")
        case "<" | ">=":
            is_less = True if high < 0 else False if low >= 0 else None
            return is_less if is_less is None else is_less == (relation == "<")
    is_greater = True if low > 0 else False if high <= 0 else None
    return is_greater if is_greater is None else is_greater == (relation == ">")


def absolute_span(spans: Sequence[Interval]) -> Interval:
    ((low, high),) = spans
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def product_span(spans: Sequence[Interval]) -> Interval:
    return reduce(_product_of_two_spans, spans)


def _product_of_two_spans(first: Interval, second: Interval) -> Interval:
    corners = [a * b for a, b in product(first, second)]
    return min(corners), max(corners)


def quotient_span(spans: Sequence[Interval]) -> Interval:
    quotients = [a // b for a, b in product(spans[0], _extreme_divisors(*spans[1]))]
    return min(quotients), max(quotients)


def _extreme_divisors(low: int, high: int) -> list[int]:
    """Return the divisors in a range that can give the extreme quotients.

    They are the bounds, and 1 and -1 if they lie between the bounds.
    """
    divisors = [divisor for divisor in (low, high) if divisor]
    divisors += [1] if low <= 0 < high else []
    divisors += [-1] if low < 0 <= high else []
    if not divisors:
        raise ZeroDivisionError
    return divisors


def remainder_span(spans: Sequence[Interval]) -> Interval:
    dividend, (low, high) = spans
    if low == high == 0:
        raise ZeroDivisionError
    # One divisor, and all dividends have the same quotient: the remainders are consecutive.
    if low == high and dividend[0] // low == dividend[1] // low:
        return dividend[0] % low, dividend[1] % low
    # Dividends from 0 that are less than every divisor are their own remainders.
    if dividend[0] >= 0 and dividend[1] < low:
        return dividend
    return min(0, low + 1), max(0, high - 1)
