"""What is asked, as pure data: variables, expressions, constraints, models."""

from ..notation import Domain, Value
from .constraints import (
    CONSTRAINTS,
    AllDifferent,
    Comparison,
    Constraint,
    Either,
    Equality,
    Increasing,
    Linear,
    Member,
    Table,
)
from .constraints.comparison import COMPARE
from .element import Element, element
from .expression import Affine, Atom
from .model import Model
from .operation import OPERATORS, Operation, apply, multiply, operate
from .variable import Candidate, Variable, ordered

__all__ = [
    "COMPARE", "CONSTRAINTS", "OPERATORS", "Affine", "AllDifferent", "Atom", "Candidate", "Comparison", "Constraint",
    "Domain", "Either", "Element", "Equality", "Increasing", "Linear", "Member", "Model", "Operation", "Table", "Value",
    "Variable", "apply", "element", "multiply", "operate", "ordered",
]  # fmt: skip
