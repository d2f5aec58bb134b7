"""The engine: models of all-different puzzles, propagated and solved on wide integers.

>>> import csp
>>> model = csp.Model({v: range(1, 4) for v in "ABC"}, [csp.AllDifferent.of("ABC"), csp.Equality(csp.Variable("A"), 2)])
>>> csp.count(model).value
2
"""

from .constraints import Affine, AllDifferent, Constraint, Equality, Linear
from .lines import TooLarge
from .model import Model, ModelError, Value, Variable
from .search import Limits, Stopped
from .solver import Answers, Count, Fixpoint, Solution, Solver, count, propagate, solve

__all__ = [
    "Affine", "AllDifferent", "Answers", "Constraint", "Count", "Equality", "Fixpoint", "Limits", "Linear", "Model",
    "ModelError", "Solution", "Solver", "Stopped", "TooLarge", "Value", "Variable", "count", "propagate", "solve",
]  # fmt: skip
