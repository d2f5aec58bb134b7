"""Models of all-different puzzles, and a propagation engine that solves them on wide integers.

>>> import csp
>>> a, b, c = csp.var("A"), csp.var("B"), csp.var("C")
>>> model = csp.Model({v: range(1, 4) for v in (a, b, c)}, [csp.AllDifferent([a, b, c]), a < b, a * c == 3])
>>> csp.solve(model)
{'A': 1, 'B': 2, 'C': 3}

``help(csp.Model)`` explains a name of the table; docs/library.md has examples.

=============  =========================================================================================
Solve          solve, count, propagate, verdict; Solver compiles once, Session restricts a fixpoint further
Model          Model, Objective, Entry, Drawn; var makes a variable, an Expression with ``+ - * // % == != < <=``
Conditions     ``& | ^ ~``, And, Or, Implies, Distinct, InDomain
Operations     ``abs()``, Sum, Maximum, Minimum, element, apply, multiply
Answers        Solution, Answers, Count, Estimate, Fixpoint, Verdict, Effort
Settings       Settings; Level is one of LEVELS, Way is one of WAYS; kernel_in_use
Errors         CspError is the root of ModelError, Stopped, TooLarge; Unfinished is a warning
Steps          record makes a Trace; replay yields its Moment at the start and after each step; caption
               returns a line of text; steps yields each QueueStep; Clue
Graphs         constraint_graph, network, primal
Lists          AllDifferent, AllDifferentExcept, Increasing, Lexicographic, DifferentTuples, Inverse,
               Circuit, Connected, Runs
Relations      Equality, Comparison, Linear, Member, Table with its Rows
Joined         All, Either, Not, Iff; negated
Data           Constraint, Variable, Affine, Atom, Operation, Element, Selection, NValue; Value, Domain,
               Candidate; CONSTRAINTS, OPERATORS, COMPARE
Helpers        bounds, deciding, tight_sets, unseen_drawings, operate, ordered, counted, quoted, show_domain
=============  =========================================================================================
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import model as _model
from .base.errors import CspError, ModelError, Stopped, TooLarge, Unfinished
from .base.late import late as _late
from .base.notation import counted, quoted, show_domain
from .engine.effort import Effort
from .engine.settings import LEVELS, WAYS, Level, Settings, Way
from .engine.solver.answers import Answers, Count, Estimate, Fixpoint, Solution
from .engine.solver.solver import Solver, count, deciding, propagate, solve
from .model import *  # noqa: F403

if _TYPE_CHECKING:
    from . import explain as explain
    from . import graph as graph
    from . import methods as methods
    from . import parallel as parallel
    from . import render as render
    from . import trace as trace
    from .board.drawn.unseen import unseen_drawings
    from .engine.compiled.native import kernel_in_use
    from .engine.compiled.propagators.all_different import tight_sets
    from .engine.solver.session import Session
    from .explain import Verdict, verdict
    from .explain.setting import Clue
    from .graph import constraint_graph
    from .model.bounds import bounds
    from .model.network import network, primal
    from .trace import Moment, QueueStep, Trace, caption, record, replay, steps

_LATE = {
    "Clue": "explain.setting",
    "Moment": "trace",
    "QueueStep": "trace",
    "Session": "engine.solver.session",
    "Trace": "trace",
    "Verdict": "explain",
    "bounds": "model.bounds",
    "caption": "trace",
    "constraint_graph": "graph",
    "kernel_in_use": "engine.compiled.native",
    "network": "model.network",
    "primal": "model.network",
    "record": "trace",
    "replay": "trace",
    "steps": "trace",
    "tight_sets": "engine.compiled.propagators.all_different",
    "unseen_drawings": "board.drawn.unseen",
    "verdict": "explain",
}
"""Names that are imported on first use, each with its module: most starts of ``csp`` need none of them."""

_import_late = _late(__name__, _LATE)

_PACKAGES = ("explain", "graph", "methods", "parallel", "render", "trace")
"""Packages and the module ``graph`` with public names of their own, imported on first use."""

__all__ = [
    "LEVELS", "WAYS", "Answers", "Clue", "Count", "CspError", "Effort", "Estimate", "Fixpoint", "Level",
    "ModelError", "Moment", "QueueStep", "Session", "Settings", "Solution", "Solver", "Stopped", "TooLarge", "Trace",
    "Unfinished", "Verdict", "Way", "bounds", "caption", "constraint_graph", "count", "counted", "deciding",
    "kernel_in_use", "network", "primal", "propagate", "quoted", "record", "replay", "show_domain", "solve", "steps",
    "tight_sets", "unseen_drawings", "verdict",
]  # fmt: skip
__all__ += _model.__all__


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]


def __getattr__(name: str) -> _Any:
    if name == "__version__":
        return _import_module("importlib.metadata").version("alldifferent")
    if name in _PACKAGES:
        return _import_module(f".{name}", __name__)
    return _import_late(name)
