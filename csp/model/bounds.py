"""The least and the greatest value of an expression, by interval arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.notation import Domain
from .expression import Affine, Condition
from .variable import Interval, Variable, integer


def bounds(expression: Affine, domains: Mapping[Variable, Domain]) -> Interval:
    """The least and the greatest value of an expression, by interval arithmetic over whole domains.

    Parameters
    ----------
    expression : Affine
    domains : mapping from Variable to tuple

    Raises
    ------
    ZeroDivisionError
        If it can have no value.

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
            least, most = integer(domains[atom][0]), integer(domains[atom][-1])
        else:
            least, most = atom.span([_bounds_inside(part, domains, atom.optional) for part in atom.parts()])
        low += coefficient * (least if coefficient > 0 else most)
        high += coefficient * (most if coefficient > 0 else least)
    return low, high


def _bounds_inside(part: Affine | Condition, domains: Mapping[Variable, Domain], optional: bool) -> Interval | None:
    """The bounds of a part of an atom; None for a part without a value that the atom may not need."""
    if not isinstance(part, Affine):
        return 0, 1
    try:
        return bounds(part, domains)
    except ZeroDivisionError:
        if optional:
            return None
        raise
