"""What is asked, as pure data: variables, expressions, constraints, models."""

from ..notation import Domain, Value
from .constraints.all_different import AllDifferent
from .constraints.base import Constraint
from .constraints.comparison import COMPARE, Comparison
from .constraints.either import Either
from .constraints.equality import Equality
from .constraints.increasing import Increasing
from .constraints.linear import Linear
from .constraints.member import Member
from .constraints.table import Table
from .element import Element, element
from .expression import Affine, Atom
from .model import Model
from .objective import Objective
from .operation import OPERATORS, Operation, apply, multiply, operate
from .variable import Candidate, Variable, ordered

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
    "COMPARE", "CONSTRAINTS", "OPERATORS", "Affine", "AllDifferent", "Atom", "Candidate", "Comparison", "Constraint",
    "Domain", "Either", "Element", "Equality", "Increasing", "Linear", "Member", "Model", "Objective", "Operation",
    "Table", "Value", "Variable", "apply", "element", "multiply", "operate", "ordered",
]  # fmt: skip
