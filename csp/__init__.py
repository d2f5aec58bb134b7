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
from .constraints.linear import COMPARE
from .constraints.matching import tight_sets
from .constraints.operation import operate
from .lines import TooLarge
from .model import Domain, Model, ModelError, Value, Variable, ordered, show_domain
from .moments import Moment, replay
from .propagation import Effort
from .recorder import record
from .records import Trace, caption
from .search import Limits, Stopped
from .solver import LEVELS, Level, Solver, count, propagate, solve

__all__ = [
    "COMPARE", "LEVELS", "Affine", "AllDifferent", "Answers", "Comparison", "Constraint", "Count", "Domain",
    "Effort", "Either", "Equality", "Fixpoint", "Level", "Limits", "Linear", "Member", "Model", "ModelError",
    "Moment", "Operation", "Solution", "Solver", "Stopped", "Table", "TooLarge", "Trace", "Value", "Variable",
    "apply", "caption", "count", "multiply", "operate", "ordered", "propagate", "record", "replay", "show_domain",
    "solve", "tight_sets",
]  # fmt: skip
