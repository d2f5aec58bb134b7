"""Affine expressions, the atoms in them, and the conditions in atoms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

from ..base.frozen import Frozen
from ..base.notation import Domain, Quote, Value, quoted
from .variable import Candidate, Interval, Variable, as_integer, integer

LinearTerm = tuple[int, "Variable | Atom"]

OPERATORS = "an Affine is data; csp.var('x') has all operators, as in x * y, abs(x - 3), x // 2, x < y"
"""The hint in errors about operators that ``Affine`` lacks."""


class Condition(Frozen):  # no ABC, whose isinstance() takes five times as long
    """An immutable constraint without Python's operators; ``check`` decides which assignments satisfy it.

    Atoms of expressions contain conditions. Each condition is a ``Constraint``, which adds operators. The propagators
    of ``csp.engine`` narrow domains.

    Parameters
    ----------
    label : str
        A name that captions and messages print; may be empty.
    line : int
        The line of the spec that states the constraint; 0 if unknown.
    file : str
        The file of that line; empty for the spec itself. Comparisons ignore line and file.

    Attributes
    ----------
    scope : tuple of Variable
        The variables in the constraint, each once, in order of first use.
    """

    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)
    file: str = field(default="", compare=False)
    scope: tuple[Variable, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", variables_of(self.parts()))

    @property
    def tags(self) -> dict[str, Any]:
        """The label, line and file as keyword arguments for a replacement of this constraint."""
        return {"label": self.label, "line": self.line, "file": self.file}

    @abstractmethod
    def parts(self) -> tuple[Affine | Condition, ...]:
        """Return the expressions and constraints that are direct parts of this constraint."""

    @abstractmethod
    def check(self, values: Mapping[str, Value]) -> bool:
        """Return whether an assignment of the scope satisfies the constraint."""

    @abstractmethod
    def text(self, quote: Quote = quoted) -> str:
        """Write the constraint in the language, without its label and full stop."""

    def as_part(self, quote: Quote = quoted) -> str:
        """Write the constraint inside another constraint, in parentheses if needed."""
        return self.text(quote)

    def as_condition(self, quote: Quote = quoted) -> str:
        """Write the constraint as a condition in the body of a clause.

        A relation or ``in`` in a body would bind a variable whose name begins with a capital letter; the text avoids
        this.
        """
        return self.text(quote)

    def __str__(self) -> str:
        return self.text()

    def apart(self) -> tuple[Affine, ...]:
        """Return the expressions if the constraint only requires them to differ, else ().

        For other constraints the tuple is empty.
        """
        return ()

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        """Yield sets of variables that the constraint keeps pairwise different."""
        plain = tuple([element.terms[0][1] for element in self.apart() if element.is_variable])
        if len(plain) > 1:
            yield plain  # type: ignore[misc]

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        """Return variables whose sum the constraint fixes, and the sum; else ``None``."""
        return None

    @property
    def given(self) -> Candidate | None:
        """The variable and the value if the constraint fixes one variable; else ``None``."""
        return None

    @property
    def is_plain(self) -> bool:
        """Whether propagators can use the constraint's expressions without auxiliary variables."""
        return True

    def over(self, variable: Callable[[Affine], Affine]) -> Self:
        """Return the constraint after replacing complex expressions by auxiliary variables.

        Parameters
        ----------
        variable : function
            Maps an expression to a variable that is equal to it.
        """
        return self

    @property
    def name(self) -> str:
        """The label of the constraint, or its text without a label."""
        return self.label or str(self)

    @property
    def origin(self) -> dict[str, int | str | None]:
        """The spec line and the included file of the constraint, for JSON.

        An unknown line is ``None``; the key for the file is missing for the spec itself.
        """
        return {"line": self.line or None, **({"file": self.file} if self.file else {})}

    @property
    def place(self) -> str:
        """The name and spec line of the constraint, as messages print them."""
        if not self.line:
            return self.name
        return f"{self.name} ({self.file} line {self.line})" if self.file else f"{self.name} (line {self.line})"


class Atom(Frozen):
    """A term of a sum that is neither number nor variable, such as ``x*y``.

    There are operations, elements, selections and numbers of values.
    """

    @abstractmethod
    def parts(self) -> tuple[Affine | Condition, ...]:
        """Return the expressions and conditions inside the atom."""

    @abstractmethod
    def value(self, values: Mapping[str, Value]) -> Value:
        """Return the value of the atom; raise ``ZeroDivisionError`` if it is undefined."""

    @abstractmethod
    def span(self, parts: Sequence[Any]) -> Interval:
        """Return bounds of the atom, computed from the bounds of its parts.

        A condition has bounds between 0 (false) and 1 (true). If the atom is ``optional``, the list has ``None`` in
        place of the bounds of an undefined part.

        Raises
        ------
        ZeroDivisionError
            If the atom can have no value.
        """

    @abstractmethod
    def text(self, quote: Quote = quoted) -> str:
        """Write the atom in the language."""

    @property
    def partial(self) -> bool:
        """Whether the atom can be undefined.

        An undefined condition does not hold, and so an atom on conditions has a value.
        """
        return any(isinstance(part, Affine) and part.partial for part in self.parts())

    @property
    def optional(self) -> bool:
        """Whether the atom can be defined although one of its parts is undefined."""
        return False

    def partial_factors(self) -> Iterable[Atom]:
        """Return atoms that are all defined exactly if this atom is.

        For a product these are its partial factors; every other atom returns itself.
        """
        return (self,)

    def total(self) -> Affine:
        """Return an always defined expression that equals the atom whenever the atom is defined."""
        raise NotImplementedError(type(self).__name__)

    def decompose(self) -> Affine:
        """Return an equal expression made of simpler atoms.

        Exports and encoders use it if they do not support this atom.
        """
        raise NotImplementedError(type(self).__name__)

    def over(self, variable: Callable[[Affine], Affine]) -> Affine:
        """Return the atom, or an auxiliary variable if propagators need one for it."""
        return Affine(((1, self),))

    def inside(self, variable: Callable[[Affine], Affine]) -> Atom:
        """Return the atom after replacing complex expressions inside it by auxiliary variables."""
        return self

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the atom, each once, in order of first use."""
        return variables_of(self.parts())

    def as_factor(self, quote: Quote = quoted) -> str:
        """Write the atom as a factor or a term of a larger expression."""
        return self.text(quote)

    def as_scaled(self, quote: Quote = quoted) -> str:
        """Write the atom after a sign or after a coefficient and ``*``.

        Both apply to the next factor only, and so a product of a sum needs parentheses.
        """
        return self.as_factor(quote)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, init=False)
class Affine:
    """The expression ``c1*x1 + c2*x2 + ... + constant`` as immutable data.

    Terms are in order of first use. Two expressions are equal if they are the same sum. In Python code, ``csp.var``
    makes an ``Expression``, which has all operators.

    Parameters
    ----------
    terms : tuple of (int, Variable or Atom)
        Coefficients, each with its variable or atom, each once. A coefficient is 0 only if the atom may have no value:
        the term keeps a possible division by zero.
    constant : int

    Attributes
    ----------
    is_linear, is_variable : bool
        Whether the expression is a sum of variables; whether it is a single variable.

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
        fields = self.__dict__  # fast, because a model has many expressions
        fields["terms"], fields["constant"] = terms, constant
        fields["is_linear"] = is_linear = all([atom.__class__ is Variable for _, atom in terms])
        fields["is_variable"] = is_linear and len(terms) == 1 and terms[0][0] == 1 and not constant

    def __hash__(self) -> int:
        fields = self.__dict__
        if "hash" not in fields:
            fields["hash"] = hash((self.terms, self.constant))
        return fields["hash"]  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[type[Affine], tuple[tuple[LinearTerm, ...], int]]:
        return Affine, (self.terms, self.constant)  # without the cached hash: other processes hash strings differently

    @classmethod
    def variable(cls, name: str) -> Affine:
        """Make the expression that consists of one variable."""
        return cls(((1, Variable.of(name)),))

    def __add__(self, other: Affine | int) -> Affine:
        if not isinstance(other, Affine):
            return Affine(self.terms, self.constant + as_integer(other, "an expression"))
        return Affine(merge_terms((*self.terms, *other.terms)), self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if not isinstance(factor, int):
            raise TypeError(f"{factor!r} is not an integer factor; {OPERATORS}")
        return Affine(merge_terms((factor * c, atom) for c, atom in self.terms), factor * self.constant)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        if not isinstance(other, Affine):
            return self + -as_integer(other, "an expression")
        terms = merge_terms((*self.terms, *[(-c, atom) for c, atom in other.terms])) if other.terms else self.terms
        return Affine(terms, self.constant - other.constant)

    def __rsub__(self, other: int) -> Affine:
        return -self + other

    def __lt__(self, other: Any) -> Any:
        raise TypeError(OPERATORS)

    __le__ = __gt__ = __ge__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __lt__

    def __abs__(self) -> Any:
        raise TypeError(OPERATORS)

    def image(self, value: Value) -> Value:
        """Return the value of a unary expression for a value of its variable."""
        if self.is_variable:
            return value
        (coefficient, atom), *more_terms = self.terms
        if more_terms or not isinstance(atom, Variable):
            return self.value(dict.fromkeys(self.variables, value))
        return coefficient * integer(value) + self.constant

    def images(self, domain: Sequence[Value]) -> list[Value]:
        """Return the value of a unary expression for each value of a domain."""
        (coefficient, atom), *more_terms = self.terms
        if more_terms or not isinstance(atom, Variable):
            return [self.image(value) for value in domain]
        if self.is_variable:
            return list(domain)
        constant = self.constant
        # Symbols are at the end of a domain, so the last value shows whether all are numbers.
        if domain:
            integer(domain[-1])
        return [coefficient * value + constant for value in domain]  # type: ignore[operator]

    def value(self, values: Mapping[str, Value]) -> Value:
        """Return the value of the expression under an assignment.

        It is a symbol only if the expression is a single variable or element.

        Raises
        ------
        ZeroDivisionError
            If the expression has no value, because it divides by zero.
        """
        if len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant:
            atom = self.terms[0][1]
            return values[atom] if isinstance(atom, Variable) else atom.value(values)
        return self.number(values)

    def number(self, values: Mapping[str, Value]) -> int:
        """Return the value of the expression as an integer; raise ``TypeError`` for a symbol.

        Raises ``ZeroDivisionError`` if the expression is undefined.
        """
        total = self.constant
        for coefficient, atom in self.terms:
            total += coefficient * integer(values[atom] if isinstance(atom, Variable) else atom.value(values))
        return total

    def over(self, variable: Callable[[Affine], Affine]) -> Affine:
        """Return the expression after replacing complex atoms by auxiliary variables."""
        if self.is_linear:
            return self
        total = Affine((), self.constant)
        for coefficient, atom in self.terms:
            term = Affine(((1, atom),)) if isinstance(atom, Variable) else atom.over(variable)
            total = total + term * coefficient
        return total if total != self else self

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the expression, each once, in order of first use."""
        # The terms of a linear expression have different variables.
        if self.is_linear:
            return tuple([atom for _, atom in self.terms])  # type: ignore[misc]
        variables: dict[Variable, None] = {}
        for _, atom in self.terms:
            variables.update(dict.fromkeys((atom,) if isinstance(atom, Variable) else atom.variables))
        return tuple(variables)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The terms of the sum that are not variables."""
        return tuple([atom for _, atom in self.terms if not isinstance(atom, Variable)])

    @property
    def is_unary(self) -> bool:
        """Whether the expression is a coefficient times one variable, plus a constant."""
        return len(self.terms) == 1 and isinstance(self.terms[0][1], Variable)

    @property
    def partial(self) -> bool:
        """Whether the expression can be undefined."""
        return any(atom.partial for atom in self.atoms)

    def total(self) -> Affine:
        """Return an always defined expression that equals this one whenever this one is defined."""
        if not self.partial:
            return self
        total = Affine((), self.constant)
        for coefficient, atom in self.terms:
            term = atom.total() if isinstance(atom, Atom) and atom.partial else Affine(((1, atom),))
            total = total + term * coefficient
        return total

    def text(self, quote: Quote = quoted) -> str:
        """Write the expression in the language; ``quote`` writes the values in it."""
        if not self.terms:
            return str(self.constant)
        if len(self.terms) == 1 and self.terms[0][0] == 1 and not self.constant:
            atom_alone = self.terms[0][1]
            return atom_alone if isinstance(atom_alone, Variable) else atom_alone.text(quote)
        # Write ``10 - x``, not ``-x + 10``.
        constant_first = self.constant > 0 > self.terms[0][0]
        text = str(self.constant) if constant_first else ""
        for coefficient, atom in self.terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            scaled = abs(coefficient) != 1 or sign == "-"
            factor = atom if isinstance(atom, Variable) else atom.as_scaled(quote) if scaled else atom.as_factor(quote)
            text += sign + (f"{abs(coefficient)}*{factor}" if abs(coefficient) != 1 else factor)
        end = (
            f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant and not constant_first else ""
        )
        return text + end

    def __str__(self) -> str:
        return self.text()


def merge_terms(terms: Iterable[LinearTerm]) -> tuple[LinearTerm, ...]:
    """Add up the coefficients of each variable and atom, so that each has one term.

    Terms that cancel are removed, unless they may have no value.

    Examples
    --------
    >>> x, y = Variable("x"), Variable("y")
    >>> merge_terms([(1, x), (2, y), (-1, x)])
    ((2, 'y'),)
    """
    sums: dict[Variable | Atom, int] = {}
    for coefficient, atom in terms:
        sums[atom] = sums.get(atom, 0) + coefficient
    merged: dict[Variable | Atom, int] = {}
    for atom, coefficient in sums.items():
        if coefficient:
            merged[atom] = coefficient
        elif isinstance(atom, Atom) and atom.partial:
            # A cancelled product keeps its partial factors, so that it can still be undefined.
            merged.update({part: sums.get(part, 0) for part in atom.partial_factors()})
    return tuple([(coefficient, atom) for atom, coefficient in merged.items()])


def variables_of(parts: Sequence[Affine | Condition]) -> tuple[Variable, ...]:
    """Return all variables of expressions and constraints, in order of first use."""
    variables: dict[Variable, None] = {}
    for part in parts:
        if isinstance(part, Affine) and part.is_linear:
            for _, variable in part.terms:
                variables[variable] = None  # type: ignore[index]
            continue
        variables.update(dict.fromkeys(part.variables if isinstance(part, Affine) else part.scope))
    return tuple(variables)
