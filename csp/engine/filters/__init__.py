"""The filters: one file, one algorithm, and for each kind of constraint the maker of its filter in this table."""

from __future__ import annotations

from ...model import (
    All,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    DifferentTuples,
    Either,
    Equality,
    Iff,
    Increasing,
    Inverse,
    Lexicographic,
    Linear,
    Member,
    Not,
    Table,
)
from .all_different import make_apart
from .base import Borrowed, Claim, Context, Filter, Maker, Masks, Reason
from .connected import Piece
from .different_tuples import Pairwise
from .disjunction import Disjunction
from .equality import make_equality
from .increasing import Ascending
from .lexicographic import Ordered
from .logic import Conjunction, Truth
from .permutations import Inverses, RoundTrip, Spread
from .sums import make_comparison, make_linear
from .table import Tuples
from .tabulated import Tabulated, make_member
from .unary import Constant, Unary

MAKERS: dict[type[Constraint], Maker] = {
    All: Conjunction,
    AllDifferent: make_apart,
    AllDifferentExcept: Spread,
    Circuit: RoundTrip,
    Comparison: make_comparison,
    Connected: Piece,
    DifferentTuples: Pairwise,
    Either: Disjunction,
    Equality: make_equality,
    Iff: Truth,
    Increasing: Ascending,
    Inverse: Inverses,
    Lexicographic: Ordered,
    Linear: make_linear,
    Member: make_member,
    Not: Truth,
    Table: Tuples,
}


def make_filter(constraint: Constraint, context: Context) -> Filter | None:
    """The filter of a constraint; None if lines and exclusions do all that it can.

    Parameters
    ----------
    constraint : Constraint
        Of any kind: one that is not in the table is tabulated.
    context : Context
        Its program.
    """
    if not constraint.scope:
        return Constant(constraint, context)
    if len(constraint.scope) == 1:
        return Unary(constraint, context)
    if not constraint.is_plain:
        return Tabulated(constraint, context)  # inside another one: what it wants no variable stands for
    return MAKERS.get(type(constraint), Tabulated)(constraint, context)


__all__ = ["MAKERS", "Borrowed", "Claim", "Context", "Filter", "Masks", "Reason", "make_filter"]
