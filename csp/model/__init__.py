"""What is asked, as pure data: variables, expressions, constraints, models."""

from ..notation import Domain, Value
from .constraint import Constraint
from .constraints.all_different import AllDifferent
from .constraints.comparison import COMPARE, Comparison
from .constraints.conjunction import All
from .constraints.different_tuples import DifferentTuples
from .constraints.either import Either
from .constraints.equality import Equality
from .constraints.equivalence import Iff
from .constraints.increasing import Increasing
from .constraints.lexicographic import Lexicographic
from .constraints.linear import Linear
from .constraints.member import Member
from .constraints.negation import Not, negated
from .constraints.table import Table
from .element import Element, element
from .expression import Affine, Atom
from .model import Model
from .operation import OPERATORS, Operation, apply, multiply, operate
from .selection import Selection
from .variable import Candidate, Variable, ordered

CONSTRAINTS: tuple[type[Constraint], ...] = (
    All,
    AllDifferent,
    Comparison,
    DifferentTuples,
    Either,
    Equality,
    Iff,
    Increasing,
    Lexicographic,
    Linear,
    Member,
    Not,
    Table,
)

__all__ = [
    "COMPARE", "CONSTRAINTS", "OPERATORS", "Affine", "All", "AllDifferent", "Atom", "Candidate", "Comparison",
    "Constraint", "DifferentTuples", "Domain", "Either", "Element", "Equality", "Iff", "Increasing", "Lexicographic",
    "Linear", "Member", "Model", "Not", "Operation", "Selection", "Table", "Value", "Variable", "apply", "element",
    "multiply", "negated", "operate", "ordered",
]  # fmt: skip
