"""Operators to write models in Python: arithmetic makes expressions, comparisons make constraints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from weakref import WeakValueDictionary

from ..base.errors import ModelError
from ..base.notation import Value
from .constraint import OPERATOR_RESULTS, Constraint, check_constraints
from .constraints.all_different import AllDifferent
from .constraints.conjunction import All
from .constraints.either import Either
from .constraints.equality import Equality
from .constraints.equivalence import Iff
from .constraints.linear import comparing
from .constraints.member import Member
from .constraints.negation import negated
from .expression import Affine, Atom
from .operand import operand, operands
from .operation import apply, multiply
from .variable import Variable, as_integer, ordered

Operand = Affine | Constraint | int
"""An operand of arithmetic; a constraint counts as 1 if it holds, else as 0."""


class Expression(Affine):
    """An expression with Python operators; comparisons of it make constraints.

    ``csp.var`` makes one. An ``Expression`` may be used wherever an ``Affine`` may. Constraints built from it store a
    plain ``Affine``, so that models compare by value.

    Examples
    --------
    >>> x, y = var("x"), var("y")
    >>> print(x * y + 1, abs(x - y), 3 - x, x // 2, x % 2, -x, sep=" | ")
    x*y + 1 | abs(x - y) | 3 - x | x // 2 | x mod 2 | -x
    >>> print(x != y, x == 3, x == "red", (x < y) | ~(x + y > 4), (x == 1) + (y == 1) <= 1, sep=" | ")
    x != y | x = 3 | x = red | x < y ; x + y <= 4 | count(x = 1) + count(y = 1) <= 1
    """

    __repr__ = Affine.__str__
    __array_ufunc__ = None  # numpy's integers leave arithmetic to the expression
    __hash__ = Affine.__hash__

    @classmethod
    def of(cls, value: Operand | Atom) -> Expression:
        """Convert an ``Affine``, ``NValue``, constraint or number to an expression with operators.

        Examples
        --------
        >>> from csp import NValue
        >>> print(Expression.of(NValue((var("x"), var("y")))) == 2)
        nvalue([x, y]) = 2
        """
        return _as_expression(Affine(((1, value),)) if isinstance(value, Atom) else _as_operand(value))

    def __reduce__(self) -> tuple[type[Affine], tuple[object, ...]]:  # type: ignore[override]
        return Expression, (self.terms, self.constant)

    def __add__(self, other: Operand) -> Expression:
        return _as_expression(operand(self) + _as_operand(other))

    def __sub__(self, other: Operand) -> Expression:
        return _as_expression(operand(self) - _as_operand(other))

    def __rsub__(self, other: Operand) -> Expression:
        return _as_expression(_as_operand(other) - operand(self))

    def __mul__(self, other: Operand) -> Expression:
        return _as_expression(multiply(self, _as_operand(other)))

    def __neg__(self) -> Expression:
        return _as_expression(operand(self) * -1)

    def __abs__(self) -> Expression:
        return _as_expression(apply("abs", [self]))

    def __floordiv__(self, other: Operand) -> Expression:
        return _divide("//", self, other)

    def __rfloordiv__(self, other: Operand) -> Expression:
        return _divide("//", other, self)

    def __mod__(self, other: Operand) -> Expression:
        return _divide("mod", self, other)

    def __rmod__(self, other: Operand) -> Expression:
        return _divide("mod", other, self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Expression:
        raise ModelError(f"{self} / {other} may be a fraction; // rounds down, {self} == {other} * q divides")

    def __rtruediv__(self, other: object) -> Expression:
        raise ModelError(f"{other} / {self} may be a fraction; // rounds down, {other} == {self} * q divides")

    def __rpow__(self, base: object) -> Expression:
        raise ModelError(f"{base} ** {self}: an exponent is known; a csp.Table of rows (n, {base} ** n) says this")

    def __pos__(self) -> Expression:
        return self

    def __and__(self, other: object) -> Constraint:
        hint = f"such as ({self} == 1) & (y == 1); {self} != 0 is a constraint"
        raise ModelError(f"{self} is a number before it is solved: & | ^ are of constraints, {hint}")

    __or__ = __xor__ = __and__

    def __invert__(self) -> Constraint:
        raise ModelError(f"~{self}: ~ is of constraints, such as ~(x == 1); {self} == 0 says that {self} is 0")

    def __bool__(self) -> bool:
        raise ModelError(f"{self} is neither true nor false before it is solved; {self} != 0 is a constraint")

    def __pow__(self, exponent: int) -> Expression:
        if as_integer(exponent, "an exponent") < 1:
            raise ModelError(f"{self} ** {exponent!r}: an exponent is 1 or more, and known")
        return _as_expression(reduce(multiply, [operand(self)] * as_integer(exponent, "an exponent")))

    def __eq__(self, other: Operand | str) -> Constraint:  # type: ignore[override]
        return _compare(self, "=", other)

    def __ne__(self, other: Operand | str) -> Constraint:  # type: ignore[override]
        return _compare(self, "!=", other)

    def __lt__(self, other: Operand) -> Constraint:
        return _compare(self, "<", other)

    def __le__(self, other: Operand) -> Constraint:
        return _compare(self, "<=", other)

    def __gt__(self, other: Operand) -> Constraint:
        return _compare(self, ">", other)

    def __ge__(self, other: Operand) -> Constraint:
        return _compare(self, ">=", other)


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
        raise ModelError(f"{name!r} is no name; csp.var('x') and csp.var('cell', 1, 3) are variables")
    variable = Variable.at(name, *indices) if indices else Variable.of(name)
    expression = _as_expression(Affine.variable(variable))
    return _VARIABLES.setdefault((variable, variable.family), expression)


def Or(*alternatives: Constraint | Iterable[Constraint]) -> Constraint:
    """Require that some constraint holds: z3's name for ``Either``.

    Examples
    --------
    >>> print(Or(var("x") == 1, var("y") == 1))
    x = 1 ; y = 1
    """
    return reduce(or_, _constraint_arguments("Or", alternatives))


def And(*constraints: Constraint | Iterable[Constraint]) -> Constraint:
    """Require that all constraints hold: z3's name for ``All``.

    Examples
    --------
    >>> print(And(var("x") == 1, var("y") == 1))
    (x = 1, y = 1)
    """
    return reduce(and_, _constraint_arguments("And", constraints))


def Implies(condition: Constraint, then: Constraint) -> Constraint:
    """Require the second constraint if the first one holds.

    Examples
    --------
    >>> print(Implies(var("x") == 1, var("y") > 2))
    x != 1 ; y > 2
    """
    premise, conclusion = check_constraints((condition, then))
    return ~premise | conclusion


def Distinct(*expressions: Affine | Iterable[Affine]) -> AllDifferent:
    """Require different values: z3's name for ``AllDifferent``.

    Examples
    --------
    >>> print(Distinct(var("x"), var("y") + 1))
    all_different([x, y + 1])
    """
    return AllDifferent(_expression_arguments(expressions))


def InDomain(expression: Affine, values: Iterable[Value]) -> Member:
    """Require one of some values: CPMpy's name for ``Member``.

    Examples
    --------
    >>> print(InDomain(var("x"), {3, 1}))
    x in {1, 3}
    """
    return Member(expression, ordered(values))


def Sum(*expressions: Operand | Iterable[Operand]) -> Expression:
    """Add expressions; a constraint counts as 1 if it holds, else 0.

    Python's ``sum`` returns the same expression, but type checkers do not infer its type.

    Examples
    --------
    >>> print(Sum([var("x"), var("y"), 3]) == 7, Sum(var("x") == 1, var("y") == 1) <= 1)
    x + y + 3 = 7 count(x = 1) + count(y = 1) <= 1
    """
    is_list = len(expressions) == 1 and isinstance(expressions[0], Iterable)
    operands = expressions[0] if is_list else expressions
    return _as_expression(sum(map(_as_operand, operands), Affine()))  # type: ignore[arg-type]


def Maximum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """Return the maximum of some expressions as an expression.

    Python's ``max`` would compare the expressions at once.

    Examples
    --------
    >>> print(Maximum([var("x"), var("y"), 3]) < 7)
    max(x, y, 3) < 7
    """
    return _as_expression(apply("max", _expression_arguments(expressions)))


def Minimum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """Return the minimum of some expressions as an expression.

    Python's ``min`` would compare the expressions at once.

    Examples
    --------
    >>> print(Minimum([var("x"), var("y")]))
    min(x, y)
    """
    return _as_expression(apply("min", _expression_arguments(expressions)))


def _constraint_arguments(
    word: str, arguments: tuple[Constraint | Iterable[Constraint], ...]
) -> tuple[Constraint, ...]:
    """Return the constraints that are passed as arguments or as one list.

    Raises ``ModelError`` for an empty list; ``word`` names the caller in the message.
    """
    is_list = len(arguments) == 1 and not isinstance(arguments[0], Constraint)
    constraints = check_constraints(arguments[0] if is_list else arguments)  # type: ignore[arg-type]
    if not constraints:
        raise ModelError(f"{word} is of one constraint or more, such as {word}(x == 1, y == 1)")
    return constraints


def _expression_arguments(arguments: tuple[Affine | int | Iterable[Affine | int], ...]) -> tuple[Affine, ...]:
    """Return the expressions that are passed as arguments or as one list."""
    is_list = len(arguments) == 1 and isinstance(arguments[0], Iterable)
    return operands(arguments[0] if is_list else arguments)  # type: ignore[arg-type]


def _as_expression(expression: Affine) -> Expression:
    return Expression(expression.terms, expression.constant)


def _as_operand(value: object) -> Affine:
    return apply("count", [value]) if isinstance(value, Constraint) else operand(value)


def _divide(sign: str, dividend: object, divisor: object) -> Expression:
    numerator, denominator = _as_operand(dividend), _as_operand(divisor)
    if denominator == Affine():
        raise ModelError(f"{numerator} {sign} 0 is a division by zero")
    return _as_expression(apply(sign, [numerator, denominator]))


def _compare(left: Affine, relation: str, right: object) -> Constraint:
    """Make the constraint that a comparison in the language would make.

    ``=`` and ``!=`` of a variable with a variable or a value are an ``Equality``; every other comparison compares sums.
    """
    left, is_equal = operand(left), relation == "="
    is_symbol = isinstance(right, str) and not isinstance(right, Variable)
    if is_symbol and relation in ("=", "!=") and left.is_variable:
        return Equality(left.variables[0], right, is_equal)  # type: ignore[arg-type]
    # A variable on either side becomes the left side of the equality.
    right = _as_operand(right)
    variable, term = (left, right) if left.is_variable else (right, left)
    if relation in ("=", "!=") and variable.is_variable and (term.is_variable or not term.terms):
        return Equality(variable.variables[0], term.variables[0] if term.terms else term.constant, is_equal)
    return comparing(left, relation, right)


def _join(kind: type[All] | type[Either], first: Constraint, second: Constraint) -> Constraint:
    """Join two constraints; merge the parts of unlabelled ones of the same kind."""
    parts: list[Constraint] = []
    for side in (first, second):
        parts += side.parts() if type(side) is kind and not side.label else [side]
    return kind(tuple(parts))


OPERATOR_RESULTS["&"] = lambda first, second: _join(All, first, second)
OPERATOR_RESULTS["|"] = lambda first, second: _join(Either, first, second)
OPERATOR_RESULTS["^"] = lambda first, second: negated(Iff(*check_constraints((first, second))))
OPERATOR_RESULTS["~"] = negated
OPERATOR_RESULTS["count"] = lambda constraint: _as_expression(apply("count", [constraint]))
