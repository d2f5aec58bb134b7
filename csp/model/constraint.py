"""What every constraint tells of itself: its meaning, its parts, and facts that others may build on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, field
from typing import TYPE_CHECKING, Any, NoReturn

from ..base.errors import ModelError
from ..base.frozen import Frozen
from ..base.notation import Domain, Quote, Value, quoted
from .expression import Affine, variables_of
from .variable import Candidate, Variable

if TYPE_CHECKING:
    from .algebra import Expression, Operand

MADE: dict[str, Callable[..., Any]] = {}
"""What operators on constraints make, by their signs; filled by the kinds above."""


class Constraint(Frozen):  # no ABC, whose isinstance() takes five times as long
    """A relation on a few variables: pure data with a meaning.

    ``check`` is the meaning; all else must follow from it. How a constraint narrows domains is told elsewhere, by the
    filters of ``csp.engine``.

    Parameters
    ----------
    label : str
        A name for people; empty when nobody gave one.
    line : int
        The line of the spec it came from, 0 when there is none.
    file : str
        The file of that line; empty for the spec itself. Neither takes part in comparisons.

    Attributes
    ----------
    scope : tuple of Variable
        The variables that it is about, each once, in order of first use.
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
        """What another constraint has of this one that says a part of it: label, line and file."""
        return {"label": self.label, "line": self.line, "file": self.file}

    @abstractmethod
    def parts(self) -> tuple[Affine | Constraint, ...]:
        """The expressions and constraints that it is made of."""

    @abstractmethod
    def check(self, values: Mapping[str, Value]) -> bool:
        """Tell whether the constraint holds when every variable of its scope has a value."""

    @abstractmethod
    def text(self, quote: Quote = quoted) -> str:
        """The constraint in the language, without label and full stop; ``quote`` writes its values."""

    def as_part(self, quote: Quote = quoted) -> str:
        """Its text beside others, in parentheses where it would fall apart otherwise."""
        return self.text(quote)

    def as_condition(self, quote: Quote = quoted) -> str:
        """Its text in a body, where a relation or ``in`` would give a value to a word of its own."""
        return self.text(quote)

    def __str__(self) -> str:
        return self.text()

    def __bool__(self) -> NoReturn:
        hint = "write & for and, | for or, ~ for not, (1 < x) & (x < 3) for 1 < x < 3, and x == y outside of if and in"
        raise ModelError(f"{self} is a constraint, which is neither true nor false before it is solved; {hint}")

    def __and__(self, other: Constraint) -> Constraint:
        return MADE["&"](self, other)  # type: ignore[no-any-return]

    def __or__(self, other: Constraint) -> Constraint:
        return MADE["|"](self, other)  # type: ignore[no-any-return]

    def __xor__(self, other: Constraint) -> Constraint:
        return MADE["^"](self, other)  # type: ignore[no-any-return]

    def __invert__(self) -> Constraint:
        return MADE["~"](self)  # type: ignore[no-any-return]

    def __add__(self, other: Operand) -> Expression:
        return MADE["count"](self) + other  # type: ignore[no-any-return]

    def __sub__(self, other: Operand) -> Expression:
        return MADE["count"](self) - other  # type: ignore[no-any-return]

    def __rsub__(self, other: int) -> Expression:
        return other - MADE["count"](self)  # type: ignore[no-any-return]

    def __mul__(self, other: Operand) -> Expression:
        return MADE["count"](self) * other  # type: ignore[no-any-return]

    def __neg__(self) -> Expression:
        return -MADE["count"](self)  # type: ignore[no-any-return]

    def __lt__(self, other: Operand) -> Constraint:
        return MADE["count"](self) < other  # type: ignore[no-any-return]

    def __le__(self, other: Operand) -> Constraint:
        return MADE["count"](self) <= other  # type: ignore[no-any-return]

    def __gt__(self, other: Operand) -> Constraint:
        return MADE["count"](self) > other  # type: ignore[no-any-return]

    def __ge__(self, other: Operand) -> Constraint:
        return MADE["count"](self) >= other  # type: ignore[no-any-return]

    __radd__ = __add__
    __rmul__ = __mul__

    def decomposed(self) -> tuple[Constraint, ...]:
        """Constraints of simpler kinds that together mean the same, for those who do not know this kind."""
        raise NotImplementedError(type(self).__name__)

    def apart(self) -> tuple[Affine, ...]:
        """The expressions, where the whole meaning is that they take different values; else none."""
        return ()

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        """Sets of at least two variables that the constraint keeps different."""
        plain = tuple([element.terms[0][1] for element in self.apart() if element.is_variable])
        if len(plain) > 1:
            yield plain  # type: ignore[misc]

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        """Variables whose sum the constraint tells, and the sum."""
        return None

    @property
    def given(self) -> Candidate | None:
        """The variable and its value, where it says nothing but that the variable has the value."""
        return None

    @property
    def is_plain(self) -> bool:
        """Whether it is over variables as far as it wants to be, so that ``over`` changes nothing."""
        return True

    def over(self, variable: Callable[[Affine], Affine]) -> Constraint:
        """The constraint over variables, where it has more to say of candidates than of expressions.

        Parameters
        ----------
        variable : function
            From an expression to a variable that stands for it.
        """
        return self

    @property
    def name(self) -> str:
        """The label, or the constraint itself."""
        return self.label or str(self)

    @property
    def origin(self) -> dict[str, int | str | None]:
        """Where the spec says so, for programs: the line, which may be None, and the file if it is an included one."""
        return {"line": self.line or None, **({"file": self.file} if self.file else {})}

    @property
    def place(self) -> str:
        """The name and the line of the spec, as captions print them."""
        if not self.line:
            return self.name
        return f"{self.name} ({self.file} line {self.line})" if self.file else f"{self.name} (line {self.line})"


def conditions(values: Iterable[object]) -> tuple[Constraint, ...]:
    """A list of constraints.

    Raises
    ------
    ModelError
        If one of them is none.
    """
    if isinstance(values, str | Constraint) or not isinstance(values, Iterable):
        raise ModelError(f"{values} is no list of constraints; a list of one is [{values}]")
    found = tuple(values)
    for value in [value for value in found if not isinstance(value, Constraint)]:
        if isinstance(value, bool):
            hint = "csp.var('x') == csp.var('y') is one, csp.Expression.of(data) == 3, and csp.Iff(a, b)"
            raise ModelError(f"{value} is no constraint: == of names and of data compares at once; {hint}")
        raise ModelError(f"{value!r} is no constraint, such as csp.var('x') != csp.var('y')")
    return found  # type: ignore[return-value]
