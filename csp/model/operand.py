"""Convert arguments of callers to expressions, variables, givens and candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value
from .constraint import Constraint
from .expression import Affine
from .variable import Candidate, Variable, as_integer, check_iterable, value_of

if TYPE_CHECKING:
    from .algebra import Expression

Key = TypeVar("Key")
Mapped = TypeVar("Mapped")


def operand(value: object) -> Affine:
    """Convert a variable, an expression or an integer to an ``Affine``.

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
    if isinstance(value, Constraint):
        raise ModelError(f"{value} is a constraint, and no expression; 0 + (x == 1) is 1 where x == 1 holds, else 0")
    return Affine((), as_integer(value, "an expression"))


def operands(values: Iterable[object]) -> tuple[Affine, ...]:
    """Convert each item of a list to an ``Affine``."""
    expressions = check_iterable(values, "expressions, such as [csp.var('x'), csp.var('y')]")
    return tuple([value if value.__class__ is Affine else operand(value) for value in expressions])


def variable_of(value: object) -> Variable:
    """Convert a name, or an expression of one variable, to that variable."""
    if isinstance(value, str):
        return Variable.of(value)
    if isinstance(value, Affine) and value.is_variable:
        return value.variables[0]
    raise ModelError(f"{value} is no variable")


Givens: TypeAlias = "Mapping[str, Value] | Mapping[Variable, Value] | Mapping[Expression, Value]"
"""Values of variables; the keys are names of variables, or variables from ``csp.var``."""


def named(givens: Givens) -> Mapping[str, Value]:
    """Convert the keys of givens to variables' names.

    Examples
    --------
    >>> from csp import var
    >>> named({var("x"): 1, var("cell", 1, 2): 3})
    {'x': 1, 'cell(1,2)': 3}
    """
    return {variable_of(variable): value for variable, value in given_items(givens)}


def given_items(givens: Givens) -> Iterable[tuple[str | Expression, Value]]:
    """Return the items of a mapping of givens, with unchanged keys.

    Raises
    ------
    ModelError
        If the argument is not a mapping.

    Examples
    --------
    >>> list(given_items({"x": 1}))
    [('x', 1)]
    """
    if not isinstance(givens, Mapping):
        raise ModelError(f"{givens!r} says no givens, such as {{'x': 1}}")
    return givens.items()


def candidates_of(pairs: Iterable[tuple[str, Value]]) -> tuple[Candidate, ...]:
    """Convert pairs of a variable and a value to candidates.

    Raises
    ------
    ModelError
        If an item is not a pair of a variable and a value.
    """
    return tuple(map(_candidate, check_iterable(pairs, "candidates")))


def _candidate(pair: object) -> Candidate:
    match pair:
        case (name, value):
            return variable_of(name), value_of(value)
    raise ModelError(f"{pair!r} is no candidate, such as ('x', 1)")


class MissingDict(dict[Key, Mapped]):
    """A dictionary whose ``in`` and ``get`` also use ``__missing__``.

    This holds for ``[]``, ``in`` and ``get``.
    """

    def __contains__(self, key: Any) -> bool:
        return dict.__contains__(self, key) if isinstance(key, str) else self.get(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, also by ``__missing__``, or the default."""
        try:
            return self[key]
        except KeyError:
            return default


class Domains(MissingDict[Variable, Domain]):
    """The domain of each variable; keys are variables or their names."""

    def __missing__(self, key: object) -> Domain:
        if isinstance(key, Affine) and key.is_variable:
            return self[key.variables[0]]
        raise KeyError(key)
