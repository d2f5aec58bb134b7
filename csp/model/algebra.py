"""Python's operators of expressions and constraints, and the constraints that they make."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import reduce
from typing import NoReturn, TypeAlias

from ..base.errors import ModelError
from ..base.notation import Domain, Quote, Value, quoted
from .bounds import COMPARE, OPPOSITE_RELATIONS
from .expression import Affine, Atom, Condition, variables_of
from .operand import check_constraints, operand, variable_of
from .operation import apply, multiply
from .variable import Candidate, Variable, as_integer, value_of

Operand: TypeAlias = "Affine | Constraint | int"
"""An operand of arithmetic; a constraint counts as 1 if it holds, else as 0."""


class Arithmetic:
    """A base class with arithmetic and order operators, for expressions and constraints.

    A constraint counts as 1 if it holds, else as 0.
    """

    def __add__(self, other: Operand) -> Expression:
        return _as_expression(_as_operand(self) + _as_operand(other))

    def __sub__(self, other: Operand) -> Expression:
        return _as_expression(_as_operand(self) - _as_operand(other))

    def __rsub__(self, other: Operand) -> Expression:
        return _as_expression(_as_operand(other) - _as_operand(self))

    def __mul__(self, other: Operand) -> Expression:
        return _as_expression(multiply(_as_operand(self), _as_operand(other)))

    def __neg__(self) -> Expression:
        return _as_expression(_as_operand(self) * -1)

    def __lt__(self, other: Operand) -> Constraint:
        return _compare(self, "<", other)

    def __le__(self, other: Operand) -> Constraint:
        return _compare(self, "<=", other)

    def __gt__(self, other: Operand) -> Constraint:
        return _compare(self, ">", other)

    def __ge__(self, other: Operand) -> Constraint:
        return _compare(self, ">=", other)

    __radd__, __rmul__ = __add__, __mul__


class Constraint(Arithmetic, Condition):
    """A condition with Python's operators; the base class of all kinds of constraints.

    ``& | ^ ~`` join and negate constraints. In arithmetic, a constraint counts as 1 if it holds, else as 0.
    ``Condition`` has the fields: the label, the line and file of the spec, and the scope.
    """

    @abstractmethod
    def parts(self) -> tuple[Affine | Constraint, ...]:
        """Return the expressions and constraints that are direct parts of this constraint."""

    def decompose(self) -> tuple[Constraint, ...]:
        """Return simpler constraints whose conjunction is equivalent to this constraint.

        Exports and encoders use them if they do not support this kind.
        """
        raise NotImplementedError(type(self).__name__)

    def __bool__(self) -> NoReturn:
        hint = "write & for and, | for or, ~ for not, (1 < x) & (x < 3) for 1 < x < 3, and x == y outside of if and in"
        raise ModelError(f"{self} is a constraint, which is neither true nor false before it is solved; {hint}")

    def __and__(self, other: Constraint) -> Constraint:
        return _join(All, self, other)

    def __or__(self, other: Constraint) -> Constraint:
        return _join(Either, self, other)

    def __xor__(self, other: Constraint) -> Constraint:
        return negated(Iff(self, other))

    def __invert__(self) -> Constraint:
        return negated(self)


class Expression(Arithmetic, Affine):
    """An expression whose operators make expressions, and whose comparisons make constraints.

    ``csp.var`` makes one. An ``Expression`` may be used wherever an ``Affine`` may. Constraints built from it store a
    plain ``Affine``, so that models compare by value.

    Examples
    --------
    >>> from csp import var
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
        """Convert an ``Affine``, ``Atom``, constraint or number to an expression with operators.

        Examples
        --------
        >>> from csp import NValue, var
        >>> print(Expression.of(NValue((var("x"), var("y")))) == 2)
        nvalue([x, y]) = 2
        """
        return _as_expression(Affine(((1, value),)) if isinstance(value, Atom) else _as_operand(value))

    def __reduce__(self) -> tuple[type[Affine], tuple[object, ...]]:  # type: ignore[override]
        return Expression, (self.terms, self.constant)

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


class Comparison(Constraint):
    """The constraint ``left RELATION right`` on expressions of any kind.

    If an expression has no value, the comparison does not hold.

    Parameters
    ----------
    left, right : Affine
    relation : str
        One of ``= != < <= > >=``.

    Attributes
    ----------
    difference : Affine
        The expression ``left - right``, to compare with 0.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Comparison(multiply(x, y), "=", Affine((), 6)))
    x*y = 6
    """

    left: Affine
    relation: str
    right: Affine
    difference: Affine = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.relation not in COMPARE:
            raise ModelError(f"{self.relation} is not one of {' '.join(COMPARE)}")
        fields = self.__dict__  # fast, because a model has many comparisons
        if not fields["left"].__class__ is fields["right"].__class__ is Affine:
            fields["left"], fields["right"] = operand(self.left), operand(self.right)
        fields["difference"] = self.left - self.right
        fields["scope"] = variables_of((self.left, self.right))

    def parts(self) -> tuple[Affine, ...]:
        return self.left, self.right

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return COMPARE[self.relation](self.left.number(values), self.right.number(values))
        except ZeroDivisionError:
            return False

    def over(self, variable: Callable[[Affine], Affine]) -> Comparison:
        left, right = self.left.over(variable), self.right.over(variable)
        return self if (left, right) == (self.left, self.right) else replace(self, left=left, right=right)

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.left.text(quote)} {self.relation} {self.right.text(quote)}"


class Linear(Comparison):
    """The constraint ``left RELATION right`` on linear sums of integer variables.

    Its difference has no operations, so that a propagator for linear sums applies.

    Parameters
    ----------
    left, right : Affine
        Sums without operations.
    relation : str
        One of ``= != < <= > >=``.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Linear(x + 2, "<", y))
    x + 2 < y
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.left.is_linear and self.right.is_linear):
            raise ModelError(f"{self} is not linear")

    def apart(self) -> tuple[Affine, ...]:
        difference = self.difference
        if self.relation != "!=" or len(difference.terms) != 2:
            return ()
        first, second = difference.terms
        return Affine((first,)), Affine((second,), difference.constant) * -1

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        difference = self.difference
        # ``x - y`` compared with 0 by ``!=``, ``<`` or ``>``.
        if self.relation in ("!=", "<", ">") and len(difference.terms) == 2 and not difference.constant:
            (a, x), (b, y) = difference.terms
            if a == -b:
                yield x, y  # type: ignore[misc]

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        difference = self.difference
        if self.relation != "=" or any(coefficient != 1 for coefficient, _ in difference.terms):
            return None
        return difference.variables, -difference.constant


def comparing(left: Affine, relation: str, right: Affine) -> Comparison:
    """Make a comparison: ``Linear`` if both sides are linear, else ``Comparison``.

    Examples
    --------
    >>> type(comparing(Affine.variable("x"), "<", Affine((), 3))).__name__
    'Linear'
    """
    kind = Linear if left.is_linear and right.is_linear else Comparison
    return kind(left, relation, right)


class All(Constraint):
    """The constraint that all of two or more constraints hold.

    In the language: ``(first, second, ...)``.

    Parameters
    ----------
    constraints : tuple of Constraint

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(All((Linear(x, "<", y), Linear(y, "<", 2 * x))))
    (x < y, y < 2*x)
    """

    constraints: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "constraints", check_constraints(self.constraints))
        super().__post_init__()
        if len(self.constraints) < 2:
            raise ModelError("a conjunction needs two constraints")

    def parts(self) -> tuple[Constraint, ...]:
        return self.constraints

    def check(self, values: Mapping[str, Value]) -> bool:
        return all(constraint.check(values) for constraint in self.constraints)

    def decompose(self) -> tuple[Constraint, ...]:
        return self.constraints

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        for constraint in self.constraints:
            yield from constraint.differing()

    def text(self, quote: Quote = quoted) -> str:
        return f"({', '.join([constraint.as_part(quote) for constraint in self.constraints])})"


class Either(Constraint):
    """The constraint that at least one alternative holds.

    In the language: ``first ; second ; ...``.

    Parameters
    ----------
    alternatives : tuple of Constraint

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Either((Linear(x, "=", 2 * y), Linear(y, "=", 2 * x))))
    x = 2*y ; y = 2*x
    """

    alternatives: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "alternatives", check_constraints(self.alternatives))
        super().__post_init__()
        if not self.alternatives:
            raise ModelError("a disjunction needs an alternative")

    def parts(self) -> tuple[Constraint, ...]:
        return self.alternatives

    def check(self, values: Mapping[str, Value]) -> bool:
        return any(alternative.check(values) for alternative in self.alternatives)

    def as_part(self, quote: Quote = quoted) -> str:
        return f"({self.text(quote)})" if len(self.alternatives) > 1 else self.alternatives[0].as_part(quote)

    def as_condition(self, quote: Quote = quoted) -> str:
        return self.text(quote) if len(self.alternatives) > 1 else self.alternatives[0].as_condition(quote)

    def text(self, quote: Quote = quoted) -> str:
        return " ; ".join([alternative.as_part(quote) for alternative in self.alternatives])


class Iff(Constraint):
    """The constraint that two constraints both hold or both fail.

    In the language: ``left <-> right``.

    Parameters
    ----------
    left, right : Constraint

    Examples
    --------
    >>> print(Iff(Equality(Variable("A"), 1), Equality(Variable("B"), 2)))
    A = 1 <-> B = 2
    """

    left: Constraint
    right: Constraint

    def __post_init__(self) -> None:
        check_constraints((self.left, self.right))
        super().__post_init__()

    def parts(self) -> tuple[Constraint, ...]:
        return self.left, self.right

    def check(self, values: Mapping[str, Value]) -> bool:
        return self.left.check(values) == self.right.check(values)

    def decompose(self) -> tuple[Constraint, ...]:
        return (Comparison(apply("count", [self.left]), "=", apply("count", [self.right])),)

    def as_part(self, quote: Quote = quoted) -> str:
        return f"({self.text(quote)})"

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.left.as_part(quote)} <-> {self.right.as_part(quote)}"


class Not(Constraint):
    """The constraint that another constraint does not hold.

    In the language: ``not constraint``. It is true also if an expression in the constraint has no value.

    Parameters
    ----------
    constraint : Constraint

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(Not(AllDifferent.of("AB")))
    not all_different([A, B])
    """

    constraint: Constraint

    def __post_init__(self) -> None:
        check_constraints((self.constraint,))
        super().__post_init__()

    def parts(self) -> tuple[Constraint, ...]:
        return (self.constraint,)

    def check(self, values: Mapping[str, Value]) -> bool:
        return not self.constraint.check(values)

    def decompose(self) -> tuple[Constraint, ...]:
        return (Comparison(apply("count", [self.constraint]), "=", Affine()),)

    def text(self, quote: Quote = quoted) -> str:
        return f"not {self.constraint.as_part(quote)}"


def negated(constraint: Constraint) -> Constraint:
    """Return the negation of a constraint in its simplest form.

    It is a ``Not`` only if no simpler constraint has this meaning. A comparison of partial expressions has no opposite
    relation: if B is 0, both ``A // B = 1`` and ``A // B != 1`` are false.

    Parameters
    ----------
    constraint : Constraint

    Returns
    -------
    Constraint
        Without the label of the given constraint. O(size) time.

    Raises
    ------
    ModelError
        If the argument is not a constraint.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(negated(All((Linear(x, "<", y), AllDifferent((x, y))))))
    x >= y ; not all_different([x, y])
    """
    match constraint:
        case Not(constraint=inner):
            return inner
        case Equality(left=left, right=right, equal=equal):
            return Equality(left, right, not equal)
        case Comparison(left=left, relation=relation, right=right) if not left.partial and not right.partial:
            return type(constraint)(left, OPPOSITE_RELATIONS[relation], right)
        case All(constraints=parts):
            return Either(tuple(map(negated, parts)))
        case Either(alternatives=parts) if len(parts) > 1:
            return All(tuple(map(negated, parts)))
        case Iff(left=left, right=right):
            return Iff(negated(left), right)
    check_constraints([constraint])
    return Not(replace(constraint, label="") if constraint.label else constraint)


def _as_expression(expression: Affine) -> Expression:
    return Expression(expression.terms, expression.constant)


def _as_operand(value: object) -> Affine:
    return apply("count", [value]) if isinstance(value, Constraint) else operand(value)


def _divide(sign: str, dividend: object, divisor: object) -> Expression:
    numerator, denominator = _as_operand(dividend), _as_operand(divisor)
    if denominator == Affine():
        raise ModelError(f"{numerator} {sign} 0 is a division by zero")
    return _as_expression(apply(sign, [numerator, denominator]))


def _compare(first: object, relation: str, right: object) -> Constraint:
    """Make an ``Equality``, a ``Linear`` or a ``Comparison`` of two expressions.

    ``=`` and ``!=`` between a variable and a variable or value make an ``Equality``. Other comparisons are ``Linear``
    if both sides are linear.
    """
    left, is_equal = _as_operand(first), relation == "="
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
    """Join two constraints by ``kind``; flatten unlabelled constraints of the same kind."""
    parts: list[Constraint] = []
    for side in (first, second):
        parts += side.parts() if type(side) is kind and not side.label else [side]
    return kind(tuple(parts))
