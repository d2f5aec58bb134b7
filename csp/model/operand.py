"""Convert arguments of callers to expressions, variables and constraints."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import ModelError
from .expression import Affine, Condition
from .variable import Item, Variable, as_integer, check_iterable


def operand(value: object) -> Affine:
    """Convert a variable, an expression or an integer to a plain ``Affine``.

    Raises
    ------
    ModelError
        If the value is not a variable, an expression or an integer.

    Examples
    --------
    >>> operand(3), str(operand(Variable("x")))
    (Affine(terms=(), constant=3), 'x')
    """
    if value.__class__ is Affine:
        return value
    if isinstance(value, Affine):
        return Affine(value.terms, value.constant)
    if isinstance(value, Variable):
        return Affine.variable(value)
    if isinstance(value, str):
        raise ModelError(f"{value!r} is a symbol, and no expression; csp.var({value!r}) is the variable of that name")
    if isinstance(value, Condition):
        raise ModelError(f"{value} is a constraint, and no expression; 0 + (x == 1) is 1 where x == 1 holds, else 0")
    return Affine((), as_integer(value, "an expression"))


def operands(values: Iterable[object]) -> tuple[Affine, ...]:
    """Convert each item of a list to an ``Affine``."""
    expressions = check_iterable(values, "expressions, such as [csp.var('x'), csp.var('y')]")
    return tuple([value if value.__class__ is Affine else operand(value) for value in expressions])


def variable_of(value: object) -> Variable:
    """Convert a name, or an expression that is only a variable, to that variable."""
    if isinstance(value, str):
        return Variable.of(value)
    if isinstance(value, Affine) and value.is_variable:
        return value.variables[0]
    raise ModelError(f"{value} is not a variable")


def check_constraints(values: Iterable[Item]) -> tuple[Item, ...]:
    """Check that all items are constraints, and return them.

    Raises
    ------
    ModelError
        If ``values`` is not an iterable, or an item is not a constraint.
    """
    if isinstance(values, str | Condition) or not isinstance(values, Iterable):
        raise ModelError(f"{values} is not a list of constraints; write [{values}]")
    constraints = tuple(values)
    for value in [value for value in constraints if not isinstance(value, Condition)]:
        if isinstance(value, bool):
            hint = "csp.var('x') == csp.var('y') is one, csp.Expression.of(data) == 3, and csp.Iff(a, b)"
            raise ModelError(f"{value} is not a constraint: == of names and of data compares at once; {hint}")
        raise ModelError(f"{value!r} is not a constraint, such as csp.var('x') != csp.var('y')")
    return constraints
