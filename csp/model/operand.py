"""What stands in constraints and operations: whatever a person passes, as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from ..ground.errors import ModelError
from ..ground.notation import Domain
from .constraint import Constraint
from .expression import Affine
from .variable import Variable, whole

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
    if isinstance(values, str | Affine) or not isinstance(values, Iterable):
        raise ModelError(f"{values!r} is no list of expressions, such as [csp.var('x'), csp.var('y')]")
    return tuple([value if value.__class__ is Affine else operand(value) for value in values])


def variable_of(value: object) -> Variable:
    """The variable that is meant: by its name, or as an expression that is nothing else."""
    if isinstance(value, str):
        return Variable.of(value)
    if isinstance(value, Affine) and value.is_variable:
        return value.variables[0]
    raise ModelError(f"{value} is no variable")


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
