"""Functions to write models in Python: variables, sums, extremes, joined constraints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from weakref import WeakValueDictionary

from ..base.errors import ModelError
from ..base.notation import Value
from .algebra import Constraint, Expression, Operand
from .constraints.all_different import AllDifferent
from .constraints.member import Member
from .expression import Affine
from .operand import check_constraints, operands
from .operation import apply
from .variable import Variable, ordered

_VARIABLES: WeakValueDictionary[tuple[str, str], Expression] = WeakValueDictionary()
"""The variables in use, one object each: sets and dicts find it by identity, because its ``==`` makes a constraint."""


def var(name: str, *indices: Value) -> Expression:
    """Make a variable for use in expressions; the model gives it a domain.

    Parameters
    ----------
    name : str
        The name of the variable, or of its family.
    *indices : int or str
        The indices of the variable in its family.

    Returns
    -------
    Expression

    Examples
    --------
    >>> print(var("x") + 1 < var("cell", 1, 3), var("seat", "O'Brien"))
    x + 1 < cell(1,3) seat('O''Brien')
    """
    if not isinstance(name, str):
        raise ModelError(f"{name!r} is not a name; write csp.var('x') or csp.var('cell', 1, 3)")
    variable = Variable.at(name, *indices) if indices else Variable.of(name)
    expression = Expression.of(Affine.variable(variable))
    return _VARIABLES.setdefault((variable, variable.family), expression)


def Or(*alternatives: Constraint | Iterable[Constraint]) -> Constraint:
    """Make the constraint that at least one constraint holds: z3's name for ``Either``.

    Examples
    --------
    >>> print(Or(var("x") == 1, var("y") == 1))
    x = 1 ; y = 1
    """
    return reduce(or_, _constraint_arguments("Or", alternatives))


def And(*constraints: Constraint | Iterable[Constraint]) -> Constraint:
    """Make the constraint that all constraints hold: z3's name for ``All``.

    Examples
    --------
    >>> print(And(var("x") == 1, var("y") == 1))
    (x = 1, y = 1)
    """
    return reduce(and_, _constraint_arguments("And", constraints))


def Implies(condition: Constraint, then: Constraint) -> Constraint:
    """Make the constraint that ``then`` holds if ``condition`` holds.

    Examples
    --------
    >>> print(Implies(var("x") == 1, var("y") > 2))
    x != 1 ; y > 2
    """
    premise, conclusion = check_constraints((condition, then))
    return ~premise | conclusion


def Distinct(*expressions: Affine | Iterable[Affine]) -> AllDifferent:
    """Make the constraint that expressions have different values: z3's name for ``AllDifferent``.

    Examples
    --------
    >>> print(Distinct(var("x"), var("y") + 1))
    all_different([x, y + 1])
    """
    return AllDifferent(_expression_arguments(expressions))


def InDomain(expression: Affine, values: Iterable[Value]) -> Member:
    """Make the constraint that an expression has one of these values: CPMpy's ``Member``.

    Examples
    --------
    >>> print(InDomain(var("x"), {3, 1}))
    x in {1, 3}
    """
    return Member(expression, ordered(values))


def Sum(*expressions: Operand | Iterable[Operand]) -> Expression:
    """Make the sum of expressions; a constraint counts as 1 if it holds, else 0.

    Python's ``sum`` returns the same expression, but type checkers do not infer its type.

    Examples
    --------
    >>> print(Sum([var("x"), var("y"), 3]) == 7, Sum(var("x") == 1, var("y") == 1) <= 1)
    x + y + 3 = 7 count(x = 1) + count(y = 1) <= 1
    """
    is_list = len(expressions) == 1 and isinstance(expressions[0], Iterable)
    operands = expressions[0] if is_list else expressions
    return Expression.of(sum(map(Expression.of, operands), Affine()))  # type: ignore[arg-type]


def Maximum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """Make the expression for the maximum of expressions.

    Python's ``max`` would compare the expressions at once.

    Examples
    --------
    >>> print(Maximum([var("x"), var("y"), 3]) < 7)
    max(x, y, 3) < 7
    """
    return Expression.of(apply("max", _expression_arguments(expressions)))


def Minimum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """Make the expression for the minimum of expressions.

    Python's ``min`` would compare the expressions at once.

    Examples
    --------
    >>> print(Minimum([var("x"), var("y")]))
    min(x, y)
    """
    return Expression.of(apply("min", _expression_arguments(expressions)))


def _constraint_arguments(
    word: str, arguments: tuple[Constraint | Iterable[Constraint], ...]
) -> tuple[Constraint, ...]:
    """Return the constraints that are passed as arguments or as one list.

    Raises ``ModelError`` for an empty list; ``word`` names the caller in the message.
    """
    is_list = len(arguments) == 1 and not isinstance(arguments[0], Constraint)
    constraints: tuple[Constraint, ...] = check_constraints(arguments[0] if is_list else arguments)  # type: ignore[arg-type]
    if not constraints:
        raise ModelError(f"{word} is of one constraint or more, such as {word}(x == 1, y == 1)")
    return constraints


def _expression_arguments(arguments: tuple[Affine | int | Iterable[Affine | int], ...]) -> tuple[Affine, ...]:
    """Return the expressions that are passed as arguments or as one list."""
    is_list = len(arguments) == 1 and isinstance(arguments[0], Iterable)
    return operands(arguments[0] if is_list else arguments)  # type: ignore[arg-type]
