"""The data types of a puzzle: variables, expressions, constraints, objectives and models."""

from ..base.notation import Domain, Value
from .algebra import All, Comparison, Constraint, Either, Equality, Expression, Iff, Linear, Not, negated
from .atoms.aggregates import NValue, Selection
from .atoms.element import Element, element
from .bounds import COMPARE
from .constraints.all_different import AllDifferent
from .constraints.all_different_except import AllDifferentExcept
from .constraints.circuit import Circuit
from .constraints.connected import Connected
from .constraints.different_tuples import DifferentTuples
from .constraints.increasing import Increasing
from .constraints.inverse import Inverse
from .constraints.lexicographic import Lexicographic
from .constraints.member import Member
from .constraints.runs import Runs
from .constraints.table import Rows, Table
from .entry import Drawn, Entry
from .expression import Affine, Atom
from .functions import And, Distinct, Implies, InDomain, Maximum, Minimum, Or, Sum, var
from .model import Model
from .objective import Objective
from .operation import OPERATORS, Operation, apply, multiply, operate
from .variable import Candidate, Variable, ordered

CONSTRAINTS: tuple[type[Constraint], ...] = (
    All, AllDifferent, AllDifferentExcept, Circuit, Comparison, Connected, DifferentTuples, Either, Equality, Iff,
    Increasing, Inverse, Lexicographic, Linear, Member, Not, Runs, Table,
)  # fmt: skip

__all__ = [
    "COMPARE", "CONSTRAINTS", "OPERATORS", "Affine", "All", "AllDifferent", "AllDifferentExcept", "And", "Atom",
    "Candidate", "Circuit", "Comparison", "Connected", "Constraint", "DifferentTuples", "Distinct", "Domain",
    "Drawn", "Either", "Element", "Entry", "Equality", "Expression", "Iff", "Implies", "InDomain", "Increasing",
    "Inverse", "Lexicographic", "Linear", "Maximum", "Member", "Minimum", "Model", "NValue", "Not", "Objective",
    "Operation", "Or", "Rows", "Runs", "Selection", "Sum", "Table", "Value", "Variable", "apply", "element",
    "multiply", "negated", "operate", "ordered", "var",
]  # fmt: skip
