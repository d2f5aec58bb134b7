"""The operators of a model written in Python: expressions that calculate, and comparisons that are constraints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from weakref import WeakValueDictionary

from ..base.errors import ModelError
from ..base.notation import Value
from .constraint import MADE, Constraint, conditions
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
from .variable import Variable, ordered, whole

Operand = Affine | Constraint | int
"""What an expression is calculated with; a constraint is 1 where it holds, else 0."""


class Expression(Affine):
    """An expression whose comparisons are constraints, ``==`` and ``!=`` too; ``csp.var`` makes one.

    It is an ``Affine``, and may stand wherever one may. What is built of it keeps a plain ``Affine``, so that models
    are compared by value.

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
        """What is data, as an expression with operators: an ``Affine``, an ``NValue``, a constraint, a number.

        Examples
        --------
        >>> from csp import NValue
        >>> print(Expression.of(NValue((var("x"), var("y")))) == 2)
        nvalue([x, y]) = 2
        """
        return _written(Affine(((1, value),)) if isinstance(value, Atom) else _calculated(value))

    def __reduce__(self) -> tuple[type[Affine], tuple[object, ...]]:  # type: ignore[override]
        return Expression, (self.terms, self.constant)

    def __add__(self, other: Operand) -> Expression:
        return _written(operand(self) + _calculated(other))

    def __sub__(self, other: Operand) -> Expression:
        return _written(operand(self) - _calculated(other))

    def __rsub__(self, other: Operand) -> Expression:
        return _written(_calculated(other) - operand(self))

    def __mul__(self, other: Operand) -> Expression:
        return _written(multiply(self, _calculated(other)))

    def __neg__(self) -> Expression:
        return _written(operand(self) * -1)

    def __abs__(self) -> Expression:
        return _written(apply("abs", [self]))

    def __floordiv__(self, other: Operand) -> Expression:
        return _divided("//", self, other)

    def __rfloordiv__(self, other: Operand) -> Expression:
        return _divided("//", other, self)

    def __mod__(self, other: Operand) -> Expression:
        return _divided("mod", self, other)

    def __rmod__(self, other: Operand) -> Expression:
        return _divided("mod", other, self)

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
        if whole(exponent, "an exponent") < 1:
            raise ModelError(f"{self} ** {exponent!r}: an exponent is 1 or more, and known")
        return _written(reduce(multiply, [operand(self)] * whole(exponent, "an exponent")))

    def __eq__(self, other: Operand | str) -> Constraint:  # type: ignore[override]
        return _compared(self, "=", other)

    def __ne__(self, other: Operand | str) -> Constraint:  # type: ignore[override]
        return _compared(self, "!=", other)

    def __lt__(self, other: Operand) -> Constraint:
        return _compared(self, "<", other)

    def __le__(self, other: Operand) -> Constraint:
        return _compared(self, "<=", other)

    def __gt__(self, other: Operand) -> Constraint:
        return _compared(self, ">", other)

    def __ge__(self, other: Operand) -> Constraint:
        return _compared(self, ">=", other)


_VARIABLES: WeakValueDictionary[tuple[str, str], Expression] = WeakValueDictionary()
"""Those in use: one object each, so that it is found in a set or dict, which compare by identity first."""


def var(name: str, *indices: Value) -> Expression:
    """The variable of a name, to calculate and compare with; its values are said by the model.

    Parameters
    ----------
    name : str
        The name, or that of the family.
    *indices : int or str
        Which one of the family.

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
    made = _written(Affine.variable(variable))
    return _VARIABLES.setdefault((variable, variable.family), made)


def Or(*alternatives: Constraint | Iterable[Constraint]) -> Constraint:
    """At least one holds: ``Either`` of several, in z3's words.

    Examples
    --------
    >>> print(Or(var("x") == 1, var("y") == 1))
    x = 1 ; y = 1
    """
    return reduce(or_, _several("Or", alternatives))


def And(*constraints: Constraint | Iterable[Constraint]) -> Constraint:
    """All hold: ``All`` of several, in z3's words.

    Examples
    --------
    >>> print(And(var("x") == 1, var("y") == 1))
    (x = 1, y = 1)
    """
    return reduce(and_, _several("And", constraints))


def Implies(condition: Constraint, then: Constraint) -> Constraint:
    """The second holds where the first does.

    Examples
    --------
    >>> print(Implies(var("x") == 1, var("y") > 2))
    x != 1 ; y > 2
    """
    one, other = conditions((condition, then))
    return ~one | other


def Distinct(*expressions: Affine | Iterable[Affine]) -> AllDifferent:
    """All take different values: ``AllDifferent`` of several, in z3's words.

    Examples
    --------
    >>> print(Distinct(var("x"), var("y") + 1))
    all_different([x, y + 1])
    """
    return AllDifferent(_listed(expressions))


def InDomain(expression: Affine, values: Iterable[Value]) -> Member:
    """An expression takes one of some values: ``Member``, in CPMpy's words.

    Examples
    --------
    >>> print(InDomain(var("x"), {3, 1}))
    x in {1, 3}
    """
    return Member(expression, ordered(values))


def Sum(*expressions: Operand | Iterable[Operand]) -> Expression:
    """Add expressions; a constraint counts 1 if it holds, else 0.

    Python's ``sum`` does the same, except that type checkers do not see an expression in it.

    Examples
    --------
    >>> print(Sum([var("x"), var("y"), 3]) == 7, Sum(var("x") == 1, var("y") == 1) <= 1)
    x + y + 3 = 7 count(x = 1) + count(y = 1) <= 1
    """
    is_list = len(expressions) == 1 and isinstance(expressions[0], Iterable)
    operands = expressions[0] if is_list else expressions
    return _written(sum(map(_calculated, operands), Affine()))  # type: ignore[arg-type]


def Maximum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """The greatest of some expressions, ``apply("max", expressions)``; Python's ``max`` compares at once.

    Examples
    --------
    >>> print(Maximum([var("x"), var("y"), 3]) < 7)
    max(x, y, 3) < 7
    """
    return _written(apply("max", _listed(expressions)))


def Minimum(*expressions: Affine | int | Iterable[Affine | int]) -> Expression:
    """The least of some expressions, ``apply("min", expressions)``; Python's ``min`` compares at once.

    Examples
    --------
    >>> print(Minimum([var("x"), var("y")]))
    min(x, y)
    """
    return _written(apply("min", _listed(expressions)))


def _several(word: str, found: tuple[Constraint | Iterable[Constraint], ...]) -> tuple[Constraint, ...]:
    """The arguments, or those of the one list that is passed."""
    is_list = len(found) == 1 and not isinstance(found[0], Constraint)
    several = conditions(found[0] if is_list else found)  # type: ignore[arg-type]
    if not several:
        raise ModelError(f"{word} is of one constraint or more, such as {word}(x == 1, y == 1)")
    return several


def _listed(found: tuple[Affine | int | Iterable[Affine | int], ...]) -> tuple[Affine, ...]:
    """The arguments, or those of the one list that is passed."""
    is_list = len(found) == 1 and isinstance(found[0], Iterable)
    return operands(found[0] if is_list else found)  # type: ignore[arg-type]


def _written(expression: Affine) -> Expression:
    return Expression(expression.terms, expression.constant)


def _calculated(value: object) -> Affine:
    return apply("count", [value]) if isinstance(value, Constraint) else operand(value)


def _divided(sign: str, dividend: object, divisor: object) -> Expression:
    one, other = _calculated(dividend), _calculated(divisor)
    if other == Affine():
        raise ModelError(f"{one} {sign} 0 is a division by zero")
    return _written(apply(sign, [one, other]))


def _compared(left: Affine, relation: str, right: object) -> Constraint:
    """A comparison as the language reads it: of a variable with a variable or a value, or of sums."""
    left, is_equal = operand(left), relation == "="
    is_symbol = isinstance(right, str) and not isinstance(right, Variable)
    if is_symbol and relation in ("=", "!=") and left.is_variable:
        return Equality(left.variables[0], right, is_equal)  # type: ignore[arg-type]
    right = _calculated(right)
    one, other = (left, right) if left.is_variable else (right, left)
    if relation in ("=", "!=") and one.is_variable and (other.is_variable or not other.terms):
        return Equality(one.variables[0], other.variables[0] if other.terms else other.constant, is_equal)
    return comparing(left, relation, right)


def _joined(kind: type[All] | type[Either], one: Constraint, other: Constraint) -> Constraint:
    """Two conditions as one; those without a name that are joined alike are taken apart."""
    parts: list[Constraint] = []
    for side in (one, other):
        parts += side.parts() if type(side) is kind and not side.label else [side]
    return kind(tuple(parts))


MADE["&"] = lambda one, other: _joined(All, one, other)
MADE["|"] = lambda one, other: _joined(Either, one, other)
MADE["^"] = lambda one, other: negated(Iff(*conditions((one, other))))
MADE["~"] = negated
MADE["count"] = lambda constraint: _written(apply("count", [constraint]))
