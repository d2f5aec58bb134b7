"""The kinds of constraints that everybody has a form for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..model import AllDifferent, Circuit, Comparison, Connected, Constraint, Either, Equality, Member, Table

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
