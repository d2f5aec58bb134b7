"""The engine: models of all-different puzzles, propagated and solved on wide integers.

>>> import csp
>>> model = csp.Model({v: range(1, 4) for v in "ABC"}, [csp.AllDifferent.of("ABC"), csp.Equality(csp.Variable("A"), 2)])
>>> csp.count(model).value
2
"""

from .answers import Answers, Count, Fixpoint, Solution
from .constraints import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    Either,
    Equality,
    Linear,
    Member,
    Operation,
    Table,
    apply,
    multiply,
)
from .lines import TooLarge
from .model import Model, ModelError, Value, Variable
from .moments import Moment, replay
from .recorder import record
from .records import Trace, caption
from .search import Limits, Stopped
from .solver import Solver, count, propagate, solve

__all__ = [
    "Affine", "AllDifferent", "Answers", "Comparison", "Constraint", "Count", "Either", "Equality", "Fixpoint",
    "Limits", "Linear", "Member", "Model", "ModelError", "Moment", "Operation", "Solution", "Solver", "Stopped",
    "Table", "TooLarge", "Trace", "Value", "Variable", "apply", "caption", "count", "multiply", "propagate", "record",
    "replay", "solve",
]  # fmt: skip
