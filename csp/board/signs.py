"""Comparisons that a grid shows as signs between its cells, and which constraints nobody has asked for."""

from __future__ import annotations

from collections.abc import Sequence

from ..ground.frozen import Frozen
from ..model import Constraint, Equality, Linear, Model, Variable
from .asked import MIRRORED, SYMBOLS
from .grid import Grid

UPRIGHT = {"<": "∧", "≤": "⊼", ">": "∨", "≥": "⊻", "≠": "≠", "=": "‖"}
"""The same signs, turned to stand between a cell and the one below it."""
DOTS = {"1−": "○", "2÷": "●"}
"""Neighbours in a row of numbers, and one that is double the other, where many are marked so."""


class Sign(Frozen):
    """A comparison of two neighbours.

    Attributes
    ----------
    number : int
        Of the constraint in the model.
    one, other : Variable
        The left or upper one first.
    text : str
        From the first to the second.
    """

    number: int
    one: Variable
    other: Variable
    text: str


def find_sign(number: int, constraint: Constraint, grid: Grid) -> Sign | None:
    """The sign of a comparison of two neighbours on a grid.

    Examples
    --------
    >>> from csp import Affine
    >>> one, other = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> less = Linear(Affine.variable(other), "<", Affine.variable(one))
    >>> find_sign(0, less, {one: (0, 0), other: (0, 1)}).text
    '>'
    """
    known = plain_comparison(constraint)
    if known is None:
        return None
    left, text, right = known
    one, other = sorted((left, right), key=grid.__getitem__)
    (r, c), (s, d) = grid[one], grid[other]
    if (s - r, d - c) not in ((0, 1), (1, 0)):
        return None
    text = text if one == left else MIRRORED[text]
    return Sign(number, one, other, text if r == s else UPRIGHT[text])


def dot_of(text: str) -> str:
    """The dot that stands for what is asked of two neighbours; none for most."""
    return DOTS.get(text, "")


def unsaid(model: Model, origins: Sequence[Sequence[int]] = ()) -> frozenset[int]:
    """The numbers of the constraints that no line of the spec says: they were found to follow, and show only at work.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> unsaid(Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB", line=7), AllDifferent.of("BC")]))
    frozenset({1})
    >>> unsaid(Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB"), AllDifferent.of("BC")]), [(0,), (0,)])
    frozenset({1})
    """
    without = frozenset(number for number, constraint in enumerate(model.constraints) if not constraint.line)
    return without if len(without) < len(model.constraints) else follows(origins)


def follows(origins: Sequence[Sequence[int]]) -> frozenset[int]:
    """The numbers of the constraints that were made of those of the model.

    Examples
    --------
    >>> follows([(0,), (1,), (0, 1)])
    frozenset({2})
    """
    return frozenset(number for number, own in enumerate(origins) if tuple(own) != (number,))


def plain_comparison(constraint: Constraint) -> tuple[Variable, str, Variable] | None:
    """Left, sign and right of a plain comparison of two variables.

    Examples
    --------
    >>> plain_comparison(Equality(Variable("A"), Variable("B"), equal=False))
    ('A', '≠', 'B')
    """
    match constraint:
        case Equality(left, right, equal) if isinstance(left, Variable) and isinstance(right, Variable):
            return left, "=" if equal else "≠", right
        case Linear(left, relation, right) if left.is_variable and right.is_variable:
            (_, one), (_, other) = left.terms[0], right.terms[0]
            if isinstance(one, Variable) and isinstance(other, Variable):
                return one, SYMBOLS.get(relation, relation), other
    return None
