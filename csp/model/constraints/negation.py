"""The negation of a constraint, and its simplification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, check_constraints
from ..expression import Affine
from ..operation import apply
from .comparison import Comparison
from .conjunction import All
from .either import Either
from .equality import Equality
from .equivalence import Iff

OPPOSITE_RELATIONS = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The relation that holds exactly if the other one does not."""


class Not(Constraint):
    """The constraint that another constraint does not hold.

    In the language: ``not constraint``. It is true also if an expression in the constraint has no value.

    Parameters
    ----------
    constraint : Constraint

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(Not(AllDifferent.of("AB")))
    not all_different([A, B])
    """

    constraint: Constraint

    def __post_init__(self) -> None:
        check_constraints((self.constraint,))
        super().__post_init__()

    def parts(self) -> tuple[Constraint, ...]:
        return (self.constraint,)

    def check(self, values: Mapping[str, Value]) -> bool:
        return not self.constraint.check(values)

    def decompose(self) -> tuple[Constraint, ...]:
        return (Comparison(apply("count", [self.constraint]), "=", Affine()),)

    def text(self, quote: Quote = quoted) -> str:
        return f"not {self.constraint.as_part(quote)}"


def negated(constraint: Constraint) -> Constraint:
    """Return the negation of a constraint in its simplest form.

    It is a ``Not`` only if no simpler constraint has this meaning. A comparison of partial expressions has no opposite
    relation: if B is 0, both ``A // B = 1`` and ``A // B != 1`` are false.

    Parameters
    ----------
    constraint : Constraint

    Returns
    -------
    Constraint
        Without the label of the given constraint. O(size) time.

    Raises
    ------
    ModelError
        If the argument is not a constraint.

    Examples
    --------
    >>> from csp import Affine, AllDifferent, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(negated(All((Linear(x, "<", y), AllDifferent((x, y))))))
    x >= y ; not all_different([x, y])
    """
    match constraint:
        case Not(constraint=inner):
            return inner
        case Equality(left=left, right=right, equal=equal):
            return Equality(left, right, not equal)
        case Comparison(left=left, relation=relation, right=right) if not left.partial and not right.partial:
            return type(constraint)(left, OPPOSITE_RELATIONS[relation], right)
        case All(constraints=parts):
            return Either(tuple(map(negated, parts)))
        case Either(alternatives=parts) if len(parts) > 1:
            return All(tuple(map(negated, parts)))
        case Iff(left=left, right=right):
            return Iff(negated(left), right)
    check_constraints([constraint])
    return Not(replace(constraint, label="") if constraint.label else constraint)
