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
"""These mean the same whatever their variables are called; others have only themselves in common with others."""


def shape(constraint: Constraint) -> Hashable:
    """A key that constraints share when one becomes the other by calling the variables of its scope otherwise.

    Returns in O(size). The label is no part of it.

    Examples
    --------
    >>> from csp import Equality, Variable
    >>> a, b, c = map(Variable, "abc")
    >>> shape(Equality(a, b)) == shape(Equality(c, a)), shape(Equality(a, b)) == shape(Equality(a, "b"))
    (True, False)
    """
    return _shape(constraint, {variable: place for place, variable in enumerate(constraint.scope)})


def _shape(part: Any, place: Mapping[Variable, int]) -> Hashable:
    if part.__class__ is Variable:
        return Variable, place[part]
    if part.__class__ is tuple:
        return tuple([_shape(one, place) for one in part])
    if part.__class__ is Affine:
        return tuple([(factor, _shape(atom, place)) for factor, atom in part.terms]), part.constant
    if isinstance(part, KINDS):
        return (part.__class__, *[_shape(getattr(part, name), place) for name in _named(part.__class__)])
    return part  # type: ignore[no-any-return]


@cache
def _named(kind: type) -> tuple[str, ...]:
    """The fields that a meaning is made of."""
    return tuple([field.name for field in fields(kind) if field.init and field.compare and field.name != "label"])


KNOWN = (AllDifferent, Circuit, Comparison, Connected, Either, Equality, Member, Table)
"""These; others are said as they are decomposed."""


def known(constraint: Constraint) -> Iterator[Constraint]:
    """Constraints of these kinds, which together mean the same, with the same label.

    Examples
    --------
    >>> from csp import Affine, Increasing
    >>> [one.place for one in known(Increasing(tuple(map(Affine.variable, "xyz"))))]
    ['x <= y', 'y <= z']
    """
    if isinstance(constraint, KNOWN):
        yield constraint
        return
    for part in constraint.decomposed():
        yield from known(replace(part, label=constraint.label))
