"""Sums with integer coefficients, of variables and of what is no sum."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..base.frozen import Frozen
from ..base.notation import Quote, Value, quoted
from .variable import Interval, Variable, integer, whole

LinearTerm = tuple[int, "Variable | Atom"]

OPERATORS = "an Affine is data; csp.var('x') has all operators, as in x * y, abs(x - 3), x // 2, x < y"


class Condition(Protocol):
    """A constraint, as far as it is known to the expressions that have it inside."""

    @property
    def scope(self) -> tuple[Variable, ...]:
        """The variables that it is about, each once."""

    def check(self, values: Mapping[str, Value]) -> bool:
        """Tell whether it holds."""

    def text(self, quote: Quote = quoted) -> str:
        """As the language writes it."""


class Atom(Frozen):
    """What stands in a sum and is neither a number nor a variable: an operation, or an element that is looked up."""

    @abstractmethod
    def parts(self) -> tuple[Affine | Condition, ...]:
        """What it is made of."""

    @abstractmethod
    def value(self, values: Mapping[str, Value]) -> Value:
        """What it is worth; ``ZeroDivisionError`` if it has no value."""

    @abstractmethod
    def span(self, parts: Sequence[Any]) -> Interval:
        """Between what it is, when its parts are within these; a condition is between 0 (false) and 1 (true).

        Where it is ``optional``, a part that can have no value is None.

        Raises
        ------
        ZeroDivisionError
            If it can have no value.
        """

    @abstractmethod
    def text(self, quote: Quote = quoted) -> str:
        """As the language writes it."""

    @property
    def partial(self) -> bool:
        """Whether it may have no value. A condition that cannot be told does not hold, and so it has one."""
        return any(isinstance(part, Affine) and part.partial for part in self.parts())

    @property
    def optional(self) -> bool:
        """Whether it may have a value where a part has none."""
        return False

    def partial_factors(self) -> Iterable[Atom]:
        """Atoms that all have a value exactly where this one, which is partial, has one."""
        return (self,)

    def total(self) -> Affine:
        """An expression that always has a value: the same one where the atom has any."""
        raise NotImplementedError(type(self).__name__)

    def decomposed(self) -> Affine:
        """The same said by simpler atoms, for those who do not know this one."""
        raise NotImplementedError(type(self).__name__)

    def over(self, variable: Callable[[Affine], Affine]) -> Affine:
        """The atom, or a variable that stands for it where more can be said of that one's values."""
        return Affine(((1, self),))

    def inside(self, variable: Callable[[Affine], Affine]) -> Atom:
        """The atom itself, with variables for the expressions in it that want one."""
        return self

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable in it, once, in order of first use."""
        return variables_of(self.parts())

    def as_factor(self, quote: Quote = quoted) -> str:
        """Its text as a factor or a term of something larger."""
        return self.text(quote)

    def as_scaled(self, quote: Quote = quoted) -> str:
        """Its text behind a number and ``*``, or behind a sign, which belong to the next factor alone."""
        return self.as_factor(quote)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, init=False)
class Affine:
    """The expression ``c1*x1 + c2*x2 + ... + constant``, in order of first use, as data: equal if it is the same sum.

    What a person writes is an ``Expression``, which has all operators; ``csp.var`` makes it.

    Parameters
    ----------
    terms : tuple of (int, Variable or Atom)
        Coefficients and what they multiply, each once. A coefficient is 0 only where what it multiplies may have no
        value, so that a division by zero is not forgotten.
    constant : int

    Attributes
    ----------
    is_linear, is_variable : bool
        Whether the expression is a sum of variables; one variable and nothing else.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> str(2 * (x + y) - x + 3)
    'x + 2*y + 3'
    >>> str(x - x)
    '0'
    """

    terms: tuple[LinearTerm, ...] = ()
    constant: int = 0
    is_linear: bool = field(init=False, repr=False, compare=False)
    is_variable: bool = field(init=False, repr=False, compare=False)

    def __init__(self, terms: tuple[LinearTerm, ...] = (), constant: int = 0) -> None:
        own = self.__dict__  # for there are many
        own["terms"], own["constant"] = terms, constant
        own["is_linear"] = linear = all([atom.__class__ is Variable for _, atom in terms])
        own["is_variable"] = linear and len(terms) == 1 and terms[0][0] == 1 and not constant

    def __hash__(self) -> int:
        own = self.__dict__
        if "hash" not in own:
            own["hash"] = hash((self.terms, self.constant))
        return own["hash"]  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[type[Affine], tuple[tuple[LinearTerm, ...], int]]:
        return Affine, (self.terms, self.constant)  # without the hash, which another process has not

    @classmethod
    def variable(cls, name: str) -> Affine:
        """The variable itself."""
        return cls(((1, Variable.of(name)),))

    def __add__(self, other: Affine | int) -> Affine:
        if not isinstance(other, Affine):
            return Affine(self.terms, self.constant + whole(other, "an expression"))
        return Affine(summed((*self.terms, *other.terms)), self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if not isinstance(factor, int):
            raise TypeError(f"{factor!r} is no integer to multiply by; {OPERATORS}")
        return Affine(summed((factor * c, atom) for c, atom in self.terms), factor * self.constant)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        if not isinstance(other, Affine):
            return self + -whole(other, "an expression")
        terms = summed((*self.terms, *[(-c, atom) for c, atom in other.terms])) if other.terms else self.terms
        return Affine(terms, self.constant - other.constant)

    def __rsub__(self, other: int) -> Affine:
        return -self + other

    def __lt__(self, other: Any) -> Any:
        raise TypeError(OPERATORS)

    __le__ = __gt__ = __ge__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __lt__

    def __abs__(self) -> Any:
        raise TypeError(OPERATORS)

    def image(self, value: Value) -> Value:
        """What an expression of one variable is worth when the variable has the value."""
        if self.is_variable:
            return value
        (coefficient, atom), *more = self.terms
        if more or not isinstance(atom, Variable):
            return self.value(dict.fromkeys(self.variables, value))
        return coefficient * integer(value) + self.constant

    def images(self, domain: Sequence[Value]) -> list[Value]:
        """As ``image``, for each value of a domain."""
        (coefficient, atom), *more = self.terms
        if more or not isinstance(atom, Variable):
            return [self.image(value) for value in domain]
        if self.is_variable:
            return list(domain)
        constant = self.constant
        if domain:
            integer(domain[-1])  # where symbols are, if there are any
        return [coefficient * value + constant for value in domain]  # type: ignore[operator]

    def value(self, values: Mapping[str, Value]) -> Value:
        """What the expression is worth.

        Raises
        ------
        ZeroDivisionError
            If it divides by zero, so that it has no value.
        """
        if len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant:
            atom = self.terms[0][1]
            return values[atom] if isinstance(atom, Variable) else atom.value(values)
        return self.number(values)

    def number(self, values: Mapping[str, Value]) -> int:
        """As ``value``, where it must be a number."""
        total = self.constant
        for coefficient, atom in self.terms:
            total += coefficient * integer(values[atom] if isinstance(atom, Variable) else atom.value(values))
        return total

    def over(self, variable: Callable[[Affine], Affine]) -> Affine:
        """The expression with variables for the atoms that want one."""
        if self.is_linear:
            return self
        total = Affine((), self.constant)
        for coefficient, atom in self.terms:
            own = Affine(((1, atom),)) if isinstance(atom, Variable) else atom.over(variable)
            total = total + own * coefficient
        return total if total != self else self

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable in it, once, in order of first use."""
        if self.is_linear:  # each term is of another one
            return tuple([atom for _, atom in self.terms])  # type: ignore[misc]
        found: dict[Variable, None] = {}
        for _, atom in self.terms:
            found.update(dict.fromkeys((atom,) if isinstance(atom, Variable) else atom.variables))
        return tuple(found)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """What is no variable in it."""
        return tuple([atom for _, atom in self.terms if not isinstance(atom, Variable)])

    @property
    def is_unary(self) -> bool:
        """Whether it is linear in one variable, so that each of its values is a candidate."""
        return len(self.terms) == 1 and isinstance(self.terms[0][1], Variable)

    @property
    def partial(self) -> bool:
        """Whether it may have no value."""
        return any(atom.partial for atom in self.atoms)

    def total(self) -> Affine:
        """An expression that always has a value: the same one where this has any."""
        if not self.partial:
            return self
        total = Affine((), self.constant)
        for coefficient, atom in self.terms:
            own = atom.total() if isinstance(atom, Atom) and atom.partial else Affine(((1, atom),))
            total = total + own * coefficient
        return total

    def text(self, quote: Quote = quoted) -> str:
        """The expression in the language; ``quote`` writes the values in it."""
        if not self.terms:
            return str(self.constant)
        if len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant:
            only = self.terms[0][1]
            return only if isinstance(only, Variable) else only.text(quote)
        first = self.constant > 0 > self.terms[0][0]  # 10 - x instead of -x + 10
        text = str(self.constant) if first else ""
        for coefficient, atom in self.terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            scaled = abs(coefficient) != 1 or sign == "-"
            factor = atom if isinstance(atom, Variable) else atom.as_scaled(quote) if scaled else atom.as_factor(quote)
            text += sign + (f"{abs(coefficient)}*{factor}" if abs(coefficient) != 1 else factor)
        end = f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant and not first else ""
        return text + end

    def __str__(self) -> str:
        return self.text()


def summed(terms: Iterable[LinearTerm]) -> tuple[LinearTerm, ...]:
    """Terms with every variable and every atom once; those that cancel go, unless they may have no value.

    Examples
    --------
    >>> x, y = Variable("x"), Variable("y")
    >>> summed([(1, x), (2, y), (-1, x)])
    ((2, 'y'),)
    """
    sums: dict[Variable | Atom, int] = {}
    for c, atom in terms:
        sums[atom] = sums.get(atom, 0) + c
    kept: dict[Variable | Atom, int] = {}
    for atom, c in sums.items():
        if c:
            kept[atom] = c
        elif isinstance(atom, Atom) and atom.partial:
            kept.update({part: sums.get(part, 0) for part in atom.partial_factors()})
    return tuple([(c, atom) for atom, c in kept.items()])


def variables_of(parts: Sequence[Affine | Condition]) -> tuple[Variable, ...]:
    """The variables of expressions and constraints, each once, in order of first use."""
    found: dict[Variable, None] = {}
    for part in parts:
        if isinstance(part, Affine) and part.is_linear:
            for _, variable in part.terms:
                found[variable] = None  # type: ignore[index]
            continue
        found.update(dict.fromkeys(part.variables if isinstance(part, Affine) else part.scope))
    return tuple(found)
