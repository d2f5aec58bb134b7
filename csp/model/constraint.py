"""The base class of constraints, with the methods that propagators and encoders use."""

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

OPERATOR_RESULTS: dict[str, Callable[..., Any]] = {}
"""The functions that build the results of operators on constraints, by sign; ``algebra`` fills the table."""


class Constraint(Frozen):  # no ABC, whose isinstance() takes five times as long
    """A relation on the variables of its scope: immutable data with a meaning.

    ``check`` defines the meaning; everything else must follow from it. The propagators of ``csp.engine`` narrow
    domains.

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
        """The label, line and file to copy to a replacement of this constraint."""
        return {"label": self.label, "line": self.line, "file": self.file}

    @abstractmethod
    def parts(self) -> tuple[Affine | Constraint, ...]:
        """Return the expressions and constraints that this constraint consists of."""

    @abstractmethod
    def check(self, values: Mapping[str, Value]) -> bool:
        """Return whether the constraint holds for an assignment of its scope."""

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

    def __bool__(self) -> NoReturn:
        hint = "write & for and, | for or, ~ for not, (1 < x) & (x < 3) for 1 < x < 3, and x == y outside of if and in"
        raise ModelError(f"{self} is a constraint, which is neither true nor false before it is solved; {hint}")

    def __and__(self, other: Constraint) -> Constraint:
        return OPERATOR_RESULTS["&"](self, other)  # type: ignore[no-any-return]

    def __or__(self, other: Constraint) -> Constraint:
        return OPERATOR_RESULTS["|"](self, other)  # type: ignore[no-any-return]

    def __xor__(self, other: Constraint) -> Constraint:
        return OPERATOR_RESULTS["^"](self, other)  # type: ignore[no-any-return]

    def __invert__(self) -> Constraint:
        return OPERATOR_RESULTS["~"](self)  # type: ignore[no-any-return]

    def __add__(self, other: Operand) -> Expression:
        return OPERATOR_RESULTS["count"](self) + other  # type: ignore[no-any-return]

    def __sub__(self, other: Operand) -> Expression:
        return OPERATOR_RESULTS["count"](self) - other  # type: ignore[no-any-return]

    def __rsub__(self, other: int) -> Expression:
        return other - OPERATOR_RESULTS["count"](self)  # type: ignore[no-any-return]

    def __mul__(self, other: Operand) -> Expression:
        return OPERATOR_RESULTS["count"](self) * other  # type: ignore[no-any-return]

    def __neg__(self) -> Expression:
        return -OPERATOR_RESULTS["count"](self)  # type: ignore[no-any-return]

    def __lt__(self, other: Operand) -> Constraint:
        return OPERATOR_RESULTS["count"](self) < other  # type: ignore[no-any-return]

    def __le__(self, other: Operand) -> Constraint:
        return OPERATOR_RESULTS["count"](self) <= other  # type: ignore[no-any-return]

    def __gt__(self, other: Operand) -> Constraint:
        return OPERATOR_RESULTS["count"](self) > other  # type: ignore[no-any-return]

    def __ge__(self, other: Operand) -> Constraint:
        return OPERATOR_RESULTS["count"](self) >= other  # type: ignore[no-any-return]

    __radd__ = __add__
    __rmul__ = __mul__

    def decompose(self) -> tuple[Constraint, ...]:
        """Return simpler constraints that together have the same meaning.

        Exports and encoders use them if they do not support this kind.
        """
        raise NotImplementedError(type(self).__name__)

    def apart(self) -> tuple[Affine, ...]:
        """Return the expressions if the constraint only states that they differ.

        For other constraints the tuple is empty.
        """
        return ()

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        """Yield sets of variables that must take pairwise different values."""
        plain = tuple([element.terms[0][1] for element in self.apart() if element.is_variable])
        if len(plain) > 1:
            yield plain  # type: ignore[misc]

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        """Return variables with a fixed sum, and the sum; else ``None``."""
        return None

    @property
    def given(self) -> Candidate | None:
        """The variable and the value if the constraint fixes one variable; else ``None``."""
        return None

    @property
    def is_plain(self) -> bool:
        """Whether the propagator can use the expressions without auxiliary variables."""
        return True

    def over(self, variable: Callable[[Affine], Affine]) -> Constraint:
        """Replace expressions by auxiliary variables if that improves propagation.

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


def check_constraints(values: Iterable[object]) -> tuple[Constraint, ...]:
    """Check that all items are constraints, and return them.

    Raises
    ------
    ModelError
        If ``values`` is not an iterable, or an item is not a constraint.
    """
    if isinstance(values, str | Constraint) or not isinstance(values, Iterable):
        raise ModelError(f"{values} is no list of constraints; a list of one is [{values}]")
    constraints = tuple(values)
    for value in [value for value in constraints if not isinstance(value, Constraint)]:
        if isinstance(value, bool):
            hint = "csp.var('x') == csp.var('y') is one, csp.Expression.of(data) == 3, and csp.Iff(a, b)"
            raise ModelError(f"{value} is no constraint: == of names and of data compares at once; {hint}")
        raise ModelError(f"{value!r} is no constraint, such as csp.var('x') != csp.var('y')")
    return constraints  # type: ignore[return-value]
