"""What stands in constraints and operations: whatever a person passes, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value
from .constraint import Constraint
from .expression import Affine
from .variable import Candidate, Variable, each_of, value_of, whole

if TYPE_CHECKING:
    from .algebra import Expression

Key = TypeVar("Key")
Held = TypeVar("Held")


def operand(value: object) -> Affine:
    """What stands in a constraint or an operation, as data.

    Raises
    ------
    ModelError
        If it is neither an expression nor an integer.

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
    return Affine((), whole(value, "an expression"))


def operands(values: Iterable[object]) -> tuple[Affine, ...]:
    """A list of expressions, as data."""
    own = each_of(values, "expressions, such as [csp.var('x'), csp.var('y')]")
    return tuple([value if value.__class__ is Affine else operand(value) for value in own])


def variable_of(value: object) -> Variable:
    """The variable that is meant: by its name, or as an expression that is nothing else."""
    if isinstance(value, str):
        return Variable.of(value)
    if isinstance(value, Affine) and value.is_variable:
        return value.variables[0]
    raise ModelError(f"{value} is no variable")


Givens: TypeAlias = "Mapping[str, Value] | Mapping[Variable, Value] | Mapping[Expression, Value]"
"""Values of variables, which are called by their names, or as ``csp.var`` makes them."""


def named(givens: Givens) -> Mapping[str, Value]:
    """Givens under the names of their variables.

    Examples
    --------
    >>> from csp import var
    >>> named({var("x"): 1, var("cell", 1, 2): 3})
    {'x': 1, 'cell(1,2)': 3}
    """
    return {variable_of(variable): value for variable, value in given_items(givens)}


def given_items(givens: Givens) -> Iterable[tuple[str | Expression, Value]]:
    """Givens one by one.

    Raises
    ------
    ModelError
        If it is no mapping.

    Examples
    --------
    >>> list(given_items({"x": 1}))
    [('x', 1)]
    """
    if not isinstance(givens, Mapping):
        raise ModelError(f"{givens!r} says no givens, such as {{'x': 1}}")
    return givens.items()


def candidates_of(pairs: Iterable[tuple[str, Value]]) -> tuple[Candidate, ...]:
    """Candidates, each a variable with a value.

    Raises
    ------
    ModelError
        If one is none.
    """
    return tuple(map(_candidate, each_of(pairs, "candidates")))


def _candidate(pair: object) -> Candidate:
    match pair:
        case (name, value):
            return variable_of(name), value_of(value)
    raise ModelError(f"{pair!r} is no candidate, such as ('x', 1)")


class MissingDict(dict[Key, Held]):
    """What has its value also under keys that ``__missing__`` takes, in all three ways of asking."""

    def __contains__(self, key: Any) -> bool:
        return dict.__contains__(self, key) if isinstance(key, str) else self.get(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or what is said instead."""
        try:
            return self[key]
        except KeyError:
            return default


class Domains(MissingDict[Variable, Domain]):
    """Domains by the names of their variables; what ``csp.var`` makes is looked up too."""

    def __missing__(self, key: object) -> Domain:
        if isinstance(key, Affine) and key.is_variable:
            return self[key.variables[0]]
        raise KeyError(key)
