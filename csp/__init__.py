"""The engine: models of all-different puzzles, propagated and solved on wide integers.

>>> import csp
>>> model = csp.Model({v: range(1, 4) for v in "ABC"}, [csp.AllDifferent.of("ABC"), csp.Equality(csp.Variable("A"), 2)])
>>> csp.count(model).value
2
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import model
from .engine.ask.answers import Answers, Count, Estimate, Fixpoint, Solution
from .engine.ask.session import Session
from .engine.ask.solver import Solver, count, propagate, solve
from .engine.effort import Effort
from .engine.strategy import LEVELS, WAYS, Level, Strategy, Way
from .ground.errors import CspError, ModelError, Stopped, TooLarge
from .ground.notation import quoted, show_domain
from .ground.show import painters
from .model import *  # noqa: F403

if TYPE_CHECKING:
    from .engine.ask.deciding import deciding
    from .engine.compiled.filters.matching import tight_sets
    from .explain import Verdict, verdict
    from .explain.setting import Clue
    from .model.bounds import bounds
    from .story import Moment, Trace, caption, record, replay

LATE = {
    "Clue": "explain.setting",
    "Moment": "story",
    "Trace": "story",
    "Verdict": "explain",
    "bounds": "model.bounds",
    "caption": "story",
    "deciding": "engine.ask.deciding",
    "record": "story",
    "replay": "story",
    "tight_sets": "engine.compiled.filters.matching",
    "verdict": "explain",
}
"""What is imported when it is asked for, and from where: most starts do without."""

__all__ = [
    "LEVELS", "WAYS", "Answers", "Clue", "Count", "CspError", "Effort", "Estimate", "Fixpoint", "Level", "ModelError",
    "Moment",
    "Session", "Solution", "Solver", "Stopped", "Strategy", "TooLarge", "Trace", "Verdict", "Way", "bounds", "caption",
    "count", "deciding", "propagate", "quoted", "record", "replay", "show_domain", "solve", "tight_sets", "verdict",
]  # fmt: skip
__all__ += model.__all__


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("alldifferent")
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATE[name]}", __name__), name)


def _painter(name: str) -> Callable[[Any], str | None]:
    return lambda shown: getattr(import_module(".paint.notebook", __name__), name)(shown)


painters.update(
    Model=_painter("model_svg"),
    Network=_painter("network_svg"),
    Solution=_painter("solution_html"),
    Trace=_painter("trace_html"),
)
