"""Conjunctions taken apart, so that each part has a filter, a group or a sum of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....model import All, Constraint
from .rewriting import Rewriting


def split_conjunctions(rewriting: Rewriting) -> None:
    """Give every part of a conjunction a number; the first one keeps that of the whole.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Equality, Model, Variable
    >>> both = All((Equality(Variable("A"), 1), Equality(Variable("B"), 2)))
    >>> rewriting = Rewriting.of(Model({"A": (1, 2), "B": (1, 2)}, [both]), ())
    >>> split_conjunctions(rewriting)
    >>> print(*rewriting.constraints, rewriting.origins, sep=", ")
    A = 1, B = 2, [(0,), (0,)]
    """
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, All):
            first, *others = [replace(part, **constraint.tags) for part in _flat(constraint)]
            rewriting.constraints[number] = first
            for part in others:
                rewriting.add(part, (number,))


def _flat(constraint: Constraint) -> Iterator[Constraint]:
    if isinstance(constraint, All):
        for part in constraint.constraints:
            yield from _flat(part)
    else:
        yield constraint
