"""Givens, candidates and domains, by variables or their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value
from .algebra import Expression
from .expression import Affine
from .operand import variable_of
from .variable import Candidate, Variable, check_iterable, value_of

Key = TypeVar("Key")
Mapped = TypeVar("Mapped")

Givens: TypeAlias = Mapping[str, Value] | Mapping[Variable, Value] | Mapping[Expression, Value]
"""Values of variables; the keys are names of variables, or variables from ``csp.var``."""


def named(givens: Givens) -> Mapping[str, Value]:
    """Return givens with ``Variable`` keys, instead of names or expressions.

    Examples
    --------
    >>> from csp import var
    >>> named({var("x"): 1, var("cell", 1, 2): 3})
    {'x': 1, 'cell(1,2)': 3}
    """
    return {variable_of(variable): value for variable, value in given_items(givens)}


def given_items(givens: Givens) -> Iterable[tuple[str | Expression, Value]]:
    """Return the (variable, value) pairs of givens, with unchanged keys.

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
    """Convert (name, value) pairs to candidates: tuples of ``Variable`` and checked value.

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
    raise ModelError(f"{pair!r} is not a candidate, such as ('x', 1)")


class MissingDict(dict[Key, Mapped]):
    """A dictionary whose ``in`` and ``get`` also use ``__missing__``, as ``[]`` does."""

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
