"""The constraints: one file, one constraint, and one line in this table."""

from .affine import Affine
from .all_different import AllDifferent
from .base import Constraint
from .equality import Equality
from .linear import Linear

CONSTRAINTS: tuple[type[Constraint], ...] = (AllDifferent, Equality, Linear)

__all__ = ["CONSTRAINTS", "Affine", "AllDifferent", "Constraint", "Equality", "Linear"]
