"""The constraints: one file, one constraint, and one line in this table."""

from .affine import Affine
from .all_different import AllDifferent
from .base import Constraint
from .comparison import Comparison
from .either import Either
from .equality import Equality
from .linear import Linear
from .member import Member
from .operation import Operation, apply, multiply
from .table import Table

CONSTRAINTS: tuple[type[Constraint], ...] = (AllDifferent, Comparison, Either, Equality, Linear, Member, Table)

__all__ = [
    "CONSTRAINTS", "Affine", "AllDifferent", "Comparison", "Constraint", "Either", "Equality", "Linear", "Member",
    "Operation", "Table", "apply", "multiply",
]  # fmt: skip
