"""How large the formula of a constraint will be, without making it."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..model import Affine, Atom, Circuit, Comparison, Connected, Constraint, Element, Operation, Table, Variable
from ..model.expression import Condition
from .encoder import MAX_TRIED
from .sums import MAX_STEPS

Sizes = Callable[[Variable], int]
"""How many values a variable has left."""

GATE = 3
"""About how many literals define one that is true where some others are, for each of them."""


def literals(constraint: Constraint, sizes: Sizes) -> int:
    """About how many literals say that a constraint holds.

    Parameters
    ----------
    constraint : Constraint
    sizes : function
        How many values each variable of its scope has.

    Returns
    -------
    int
        Within a small factor of what ``Encoder.require`` writes, as far as its shape tells.

    Notes
    -----
    O(parts of the constraint).

    Examples
    --------
    >>> from csp import Affine, AllDifferent, Linear
    >>> literals(AllDifferent.of("ABCD"), lambda variable: 9)
    36
    >>> literals(Linear(sum(map(Affine.variable, "ABC"), Affine((), 0)), "=", Affine((), 9)), lambda variable: 9)
    1093
    """
    own = [sizes(variable) for variable in constraint.scope]
    if constraint.apart():
        return sum(own)
    if not isinstance(constraint, Connected | Circuit) and (tried := prod(own)) <= MAX_TRIED:
        return tried * len(own) // 2 + 1
    return _inside(constraint, sizes)


def _inside(part: Affine | Condition | Atom, sizes: Sizes) -> int:
    """About how many literals it takes to say what a part is worth, or whether it holds."""
    match part:
        case Connected():
            places = len(part.places) + sum(map(len, part.neighbours))
            conditions = [condition for _, condition in part.places if condition is not None]
            return GATE * places + sum([_inside(condition, sizes) for condition in conditions])
        case Circuit():
            return GATE * sum([_inside(element, sizes) for element in part.elements])
        case Table():
            return (len(part.columns) + 2) * len(part.rows)
        case Comparison():
            return _inside(part.difference, sizes) + 1
        case Constraint():
            parts = part.parts()
            return GATE * len(parts) + sum([_inside(one, sizes) for one in parts])
        case Element():
            return GATE * sum([1 + sizes(member) for member in part.members])
        case Operation(operator="count"):
            return sum([GATE + _inside(one, sizes) for one in part.parts()])
        case Operation():
            parts = part.parts()
            return GATE * prod([min(MAX_STEPS, _values(one, sizes)) for one in parts]) + _sum(parts, sizes)
        case Affine(terms=((_, Variable() as variable),)):
            return sizes(variable)
        case Affine():
            atoms = [atom for _, atom in part.terms if not isinstance(atom, Variable)]
            return _diagram([_width(atom, sizes) for _, atom in part.terms]) + sum([_inside(a, sizes) for a in atoms])
    return sum([_inside(one, sizes) for one in part.parts()]) if isinstance(part, Atom | Constraint) else 0


def _sum(parts: tuple[Affine | Condition, ...], sizes: Sizes) -> int:
    return sum([_inside(part, sizes) for part in parts])


def _values(part: Affine | Condition, sizes: Sizes) -> int:
    """About how many values an expression has."""
    return prod([_width(atom, sizes) for _, atom in part.terms]) if isinstance(part, Affine) else 2


def _width(part: Variable | Atom, sizes: Sizes) -> int:
    if isinstance(part, Variable):
        return sizes(part)
    return 2 if isinstance(part, Operation) and part.operator == "count" else max(map(sizes, part.variables), default=1)


def _diagram(widths: list[int]) -> int:
    """The steps of a diagram of a sum, or the weights where these are fewer."""
    states, steps, span = 1, 0, 1 + sum(widths)
    for width in sorted(widths):
        steps += states * width
        states = min(states * width, 2 * span)
    return GATE * steps if steps <= MAX_STEPS else 2 * GATE * sum(widths)
