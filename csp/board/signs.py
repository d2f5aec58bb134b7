"""Find the signs between neighbouring cells, and the constraints that no clause states."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.frozen import Frozen
from ..model import Constraint, Equality, Linear, Model, Variable
from .clue_texts import MIRRORED, SYMBOLS
from .grid import Grid

VERTICAL_SIGNS = {"<": "∧", "≤": "⊼", ">": "∨", "≥": "⊻", "≠": "≠", "=": "‖"}
"""The signs of vertical pairs, by the sign of a horizontal pair."""
DOTS = {"1−": "○", "2÷": "●"}
"""Signs of pairs with a difference of 1 or a ratio of 2, where many overlap."""


class Sign(Frozen):
    """A sign between two neighbouring cells, such as ``<``.

    Attributes
    ----------
    number : int
        The number of the constraint in the model.
    first, second : Variable
        The left or upper cell, and the other.
    text : str
        Between the first cell and the second.
    """

    number: int
    first: Variable
    second: Variable
    text: str


def find_sign(number: int, constraint: Constraint, grid: Grid) -> Sign | None:
    """Return the sign that shows a comparison of neighbours, or None.

    Examples
    --------
    >>> from csp import Affine
    >>> first, second = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> less = Linear(Affine.variable(second), "<", Affine.variable(first))
    >>> find_sign(0, less, {first: (0, 0), second: (0, 1)}).text
    '>'
    """
    comparison = plain_comparison(constraint)
    if comparison is None:
        return None
    left, text, right = comparison
    first, second = sorted((left, right), key=grid.__getitem__)
    (r, c), (s, d) = grid[first], grid[second]
    if (s - r, d - c) not in ((0, 1), (1, 0)):
        return None
    text = text if first == left else MIRRORED[text]
    return Sign(number, first, second, text if r == s else VERTICAL_SIGNS[text])


def dot_of(text: str) -> str:
    """Return the dot that shows a clue of two neighbours, or an empty text."""
    return DOTS.get(text, "")


def unstated_constraints(model: Model, origins: Sequence[Sequence[int]] = ()) -> frozenset[int]:
    """Return the numbers of implied constraints, which no clause of the spec states.

    They are implied by others, and shown only while they remove values.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> domains = {v: (1, 2) for v in "ABC"}
    >>> unstated_constraints(Model(domains, [AllDifferent.of("AB", line=7), AllDifferent.of("BC")]))
    frozenset({1})
    >>> unstated_constraints(Model(domains, [AllDifferent.of("AB"), AllDifferent.of("BC")]), [(0,), (0,)])
    frozenset({1})
    """
    unstated = frozenset(number for number, constraint in enumerate(model.constraints) if not constraint.line)
    return unstated if len(unstated) < len(model.constraints) else implied_constraints(origins)


def implied_constraints(origins: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the numbers of the constraints that were derived from others.

    Examples
    --------
    >>> implied_constraints([(0,), (1,), (0, 1)])
    frozenset({2})
    """
    return frozenset(number for number, origin in enumerate(origins) if tuple(origin) != (number,))


def plain_comparison(constraint: Constraint) -> tuple[Variable, str, Variable] | None:
    """Return the left variable, sign and right variable of a comparison, or None.

    Both sides must be single variables; for other constraints the result is None.

    Examples
    --------
    >>> plain_comparison(Equality(Variable("A"), Variable("B"), equal=False))
    ('A', '≠', 'B')
    """
    match constraint:
        case Equality(left, right, equal) if isinstance(left, Variable) and isinstance(right, Variable):
            return left, "=" if equal else "≠", right
        case Linear(left, relation, right) if left.is_variable and right.is_variable:
            (_, left_variable), (_, right_variable) = left.terms[0], right.terms[0]
            if isinstance(left_variable, Variable) and isinstance(right_variable, Variable):
                return left_variable, SYMBOLS.get(relation, relation), right_variable
    return None
