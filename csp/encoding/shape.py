"""What constraints have in common: the kinds that everybody has a form for, and a shape, whatever their variables."""

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
"""These mean the same whatever their variables are called; others where they are equal and stand in the same places."""


def shape(constraint: Constraint) -> Hashable:
    """A key that constraints share when one becomes the other by calling the variables of its scope otherwise.

    Returns in O(size). The label is no part of it.

    Examples
    --------
    >>> from csp import Affine, All, Equality, Table, Variable
    >>> a, b, c = map(Variable, "abc")
    >>> shape(Equality(a, b)) == shape(Equality(c, a)), shape(Equality(a, b)) == shape(Equality(a, "b"))
    (True, False)

    Of equal parts it matters where their variables stand in the scope of the whole.

    >>> row = Table("r", (Affine.variable(a), Affine.variable(b)), ((1, 2),))
    >>> shape(All((Equality(a, 1), row))) == shape(All((Equality(b, 1), row)))
    False
    """
    return _shape(constraint, {variable: (Variable, place) for place, variable in enumerate(constraint.scope)})


def _shape(part: Any, place: Mapping[Variable, Hashable]) -> Hashable:
    kind = part.__class__
    if kind is Variable:
        return place[part]
    if kind is int or kind is bool or kind is str:
        return part  # type: ignore[no-any-return]
    if kind is tuple:
        return tuple([_shape(one, place) for one in part])
    if kind is Affine:
        return tuple([(factor, _shape(atom, place)) for factor, atom in part.terms]), part.constant
    if named := _name_text(kind):
        return (kind, *[_shape(getattr(part, name), place) for name in named])
    own = part.scope if isinstance(part, Constraint) else part.variables if isinstance(part, Atom) else ()
    return (part, *[place[variable] for variable in own])


@cache
def _name_text(kind: type) -> tuple[str, ...]:
    """The fields that a meaning is made of; none of what has only itself in common with others."""
    if not issubclass(kind, KINDS):
        return ()
    return tuple([field.name for field in fields(kind) if field.init and field.compare and field.name != "label"])


def is_count(constraint: Constraint) -> bool:
    """Whether a constraint compares a number of conditions, each on a variable of its own, with a number.

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
        case ((_, Operation(operator="count", operands=own)),):
            alone = [one for one in own if isinstance(one, Constraint) and len(one.scope) == 1]
            return len(own) == len(alone) == len(constraint.scope)
    return False


ENCODED_KINDS = (AllDifferent, Circuit, Comparison, Connected, Either, Equality, Member, Table)
"""These; others are said as they are decomposed."""


def decompose_known(constraint: Constraint) -> Iterator[Constraint]:
    """Constraints of these kinds, which together mean the same, with the same label.

    Examples
    --------
    >>> from csp import Affine, Increasing
    >>> [one.place for one in decompose_known(Increasing(tuple(map(Affine.variable, "xyz"))))]
    ['x <= y', 'y <= z']
    """
    if isinstance(constraint, ENCODED_KINDS):
        yield constraint
        return
    for part in constraint.decomposed():
        yield from decompose_known(replace(part, label=constraint.label))
