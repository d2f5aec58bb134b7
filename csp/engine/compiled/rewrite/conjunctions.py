"""Conjunctions split into parts, so that each part gets its own propagator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....model import All, Constraint
from .rewriting import Rewriting


def split_conjunctions(rewriting: Rewriting) -> None:
    """Replace each conjunction by its parts; the first part keeps the number of the conjunction.

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
            first, *later_parts = [replace(part, **constraint.tags) for part in _iterate_parts(constraint)]
            rewriting.constraints[number] = first
            for part in later_parts:
                rewriting.add(part, (number,))


def _iterate_parts(constraint: Constraint) -> Iterator[Constraint]:
    """Yield the constraints of nested conjunctions that are not conjunctions themselves."""
    if isinstance(constraint, All):
        for part in constraint.constraints:
            yield from _iterate_parts(part)
    else:
        yield constraint
