"""Compute bounds of expressions by interval arithmetic over domains."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.notation import Domain
from .expression import Affine, Condition
from .variable import Interval, Variable, integer


def bounds(expression: Affine, domains: Mapping[Variable, Domain]) -> Interval:
    """Return bounds of an expression over given domains, by interval arithmetic.

    Parameters
    ----------
    expression : Affine
    domains : mapping from Variable to tuple

    Raises
    ------
    ZeroDivisionError
        If the expression can have no value.

    Examples
    --------
    >>> from csp import apply
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> bounds(apply("abs", [x - y]), {"x": range(1, 6), "y": (2, 3)})
    (0, 3)
    """
    low = high = expression.constant
    for coefficient, atom in expression.terms:
        if isinstance(atom, Variable):
            atom_low, atom_high = integer(domains[atom][0]), integer(domains[atom][-1])
        else:
            atom_low, atom_high = atom.span([_bounds_inside(part, domains, atom.optional) for part in atom.parts()])
        # A negative coefficient exchanges the two bounds.
        low += coefficient * (atom_low if coefficient > 0 else atom_high)
        high += coefficient * (atom_high if coefficient > 0 else atom_low)
    return low, high


def _bounds_inside(part: Affine | Condition, domains: Mapping[Variable, Domain], optional: bool) -> Interval | None:
    """Return the bounds of a part of an atom.

    Returns ``None`` if the part can have no value and is ``optional``.
    """
    if not isinstance(part, Affine):
        return 0, 1
    try:
        return bounds(part, domains)
    except ZeroDivisionError:
        if optional:
            return None
        raise
