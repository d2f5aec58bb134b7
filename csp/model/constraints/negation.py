"""A constraint does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, conditions
from ..expression import Affine
from ..operation import apply
from .comparison import Comparison
from .conjunction import All
from .either import Either
from .equality import Equality
from .equivalence import Iff

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Not(Constraint):
    """``not constraint``: it does not hold, also where something in it has no value.

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
        conditions((self.constraint,))
        super().__post_init__()

    def parts(self) -> tuple[Constraint, ...]:
        return (self.constraint,)

    def check(self, values: Mapping[str, Value]) -> bool:
        return not self.constraint.check(values)

    def decomposed(self) -> tuple[Constraint, ...]:
        return (Comparison(apply("count", [self.constraint]), "=", Affine()),)

    def text(self, quote: Quote = quoted) -> str:
        return f"not {self.constraint.as_part(quote)}"


def negated(constraint: Constraint) -> Constraint:
    """That a constraint does not hold, said without ``not`` where there are words for it.

    A comparison in which something may have no value has no opposite: ``A // B = 1`` and ``A // B != 1`` are both
    false where B is 0.

    Parameters
    ----------
    constraint : Constraint

    Returns
    -------
    Constraint
        In O(size), without its label.

    Raises
    ------
    ModelError
        If it is no constraint.

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
            return type(constraint)(left, OPPOSITE[relation], right)
        case All(constraints=parts):
            return Either(tuple(map(negated, parts)))
        case Either(alternatives=parts) if len(parts) > 1:
            return All(tuple(map(negated, parts)))
        case Iff(left=left, right=right):
            return Iff(negated(left), right)
    conditions([constraint])
    return Not(replace(constraint, label="") if constraint.label else constraint)
