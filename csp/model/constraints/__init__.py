"""The kinds of constraints: one file, one kind, and one line in this table."""

from .all_different import AllDifferent
from .base import Constraint
from .comparison import Comparison
from .either import Either
from .equality import Equality
from .increasing import Increasing
from .linear import Linear
from .member import Member
from .table import Table

CONSTRAINTS: tuple[type[Constraint], ...] = (
    AllDifferent,
    Comparison,
    Either,
    Equality,
    Increasing,
    Linear,
    Member,
    Table,
)

__all__ = [
    "CONSTRAINTS", "AllDifferent", "Comparison", "Constraint", "Either", "Equality", "Increasing", "Linear", "Member",
    "Table",
]  # fmt: skip
