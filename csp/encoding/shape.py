"""Shapes: keys that are equal if constraints differ only in the names of variables.

``decompose_known`` writes a constraint by the kinds that encoders translate directly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from ..model import (
    Affine,
    All,
    AllDifferent,
    Atom,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    Either,
    Equality,
    Iff,
    Linear,
    Member,
    Not,
    Operation,
    Table,
    Variable,
)

KINDS = (All, AllDifferent, Comparison, Either, Equality, Iff, Linear, Member, Not, Operation)
"""Kinds whose fields alone define their meaning. Other kinds have equal shapes only if they are equal constraints whose
variables have equal positions."""


def shape(constraint: Constraint) -> Hashable:
    """Return a key for the form of a constraint, without its variables' names and label.

    O(size of the constraint).

    Examples
    --------
    >>> from csp import Affine, All, Equality, Table, Variable
    >>> a, b, c = map(Variable, "abc")
    >>> shape(Equality(a, b)) == shape(Equality(c, a)), shape(Equality(a, b)) == shape(Equality(a, "b"))
    (True, False)

    Equal parts have equal shapes only if their variables have equal positions in the scope.

    >>> row = Table("r", (Affine.variable(a), Affine.variable(b)), ((1, 2),))
    >>> shape(All((Equality(a, 1), row))) == shape(All((Equality(b, 1), row)))
    False
    """
    return _shape(constraint, {variable: (Variable, place) for place, variable in enumerate(constraint.scope)})


def _shape(part: Any, key_of: Mapping[Variable, Hashable]) -> Hashable:
    """Return the key of a part of a constraint, given a key for each variable."""
    kind = part.__class__
    if kind is Variable:
        return key_of[part]
    if kind is int or kind is bool or kind is str:
        return part  # type: ignore[no-any-return]
    if kind is tuple:
        return tuple([_shape(item, key_of) for item in part])
    if kind is Affine:
        return tuple([(factor, _shape(atom, key_of)) for factor, atom in part.terms]), part.constant
    if field_names := _meaningful_fields(kind):
        return (kind, *[_shape(getattr(part, field), key_of) for field in field_names])
    variables = part.scope if isinstance(part, Constraint) else part.variables if isinstance(part, Atom) else ()
    return (part, *[key_of[variable] for variable in variables])


@cache
def _meaningful_fields(kind: type) -> tuple[str, ...]:
    """Return the fields that define a constraint's meaning, or () if fields do not suffice."""
    if not issubclass(kind, KINDS):
        return ()
    return tuple([field.name for field in fields(kind) if field.init and field.compare and field.name != "label"])


def is_count(constraint: Constraint) -> bool:
    """Return whether a constraint compares a count of unary conditions with a number.

    No two conditions have the same variable.

    Examples
    --------
    >>> from csp import apply
    >>> some = [Equality(Variable(name), 1) for name in "abc"]
    >>> is_count(Comparison(apply("count", some), "<=", Affine((), 1)))
    True
    """
    if not isinstance(constraint, Comparison):
        return False
    match constraint.difference.terms:
        case ((_, Operation(operator="count", operands=conditions)),):
            on_one_variable = [
                condition for condition in conditions if isinstance(condition, Constraint) and len(condition.scope) == 1
            ]
            return len(conditions) == len(on_one_variable) == len(constraint.scope)
    return False


ENCODED_KINDS = (AllDifferent, Circuit, Comparison, Connected, Either, Equality, Member, Table)
"""The kinds that encoders translate directly. Other kinds are decomposed into these first."""


def decompose_known(constraint: Constraint) -> Iterator[Constraint]:
    """Yield constraints of directly encoded kinds whose conjunction is equivalent to a constraint.

    Examples
    --------
    >>> from csp import Affine, Increasing
    >>> [part.place for part in decompose_known(Increasing(tuple(map(Affine.variable, "xyz"))))]
    ['x <= y', 'y <= z']
    """
    if isinstance(constraint, ENCODED_KINDS):
        yield constraint
        return
    for part in constraint.decompose():
        yield from decompose_known(replace(part, label=constraint.label))
