"""Other ways to solve a model, to be compared with the engine: one file, one method, and one line in METHODS."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ..engine.effort import Watch
from ..engine.strategy import LEVELS, Level, Strategy
from ..ground.errors import Stopped, TooLarge
from ..ground.frozen import Frozen
from ..model import Model
from . import annealing, backtracking, cover, engine, human, norvig, permutation, tracking
from .base import GaveUp, NotForThis, Result, Run, Tell
from .visits import Visits

__all__ = ["METHODS", "Method", "Result", "Visits", "attempt"]


class Method(Frozen):
    """A way to solve a model.

    Attributes
    ----------
    solve : function
        Finds solutions for a run, counts its attempts and writes its log; it returns when there are no more.
    unit : str
        What an attempt is.
    levels : tuple
        The levels of the engine at which it is to be tried; None where the engine has no part in it.
    proves : bool
        Whether there are no more solutions when it returns.
    """

    solve: Callable[[Run], None]
    unit: str
    levels: tuple[Level | None, ...] = (None,)
    proves: bool = True


METHODS: dict[str, Method] = {
    "backtracking": Method(backtracking.solve, "values tried"),
    "tracking": Method(tracking.solve, "values tried"),
    "norvig": Method(norvig.solve, "nodes", ("singles",)),
    "human": Method(human.solve, "deductions"),
    "permutation": Method(permutation.solve, "combinations"),
    "cover": Method(cover.solve, "options tried"),
    "annealing": Method(annealing.solve, "swaps tried", proves=False),
    "engine": Method(engine.solve, "nodes", LEVELS),
}
"""Every method by its name, in the order of docs/methods.md."""


def attempt(
    model: Model,
    method: str,
    level: Level | None = None,
    strategy: Strategy | None = None,
    watch: Watch | None = None,
    tell: Tell = lambda line: None,
    visits: Visits | None = None,
) -> Result:
    """Solve a model by one of the methods, counting all of its solutions where the method can.

    Solutions are of all variables, whatever the model shows, and none is better than another.

    Parameters
    ----------
    model : Model
    method : str
        One of ``METHODS``.
    level : Level, optional
        One of the levels of the method; the first of them if it is not given.
    strategy : Strategy, optional
        Its ``seconds`` are the most for the method; the rest is for the engine, which searches by its tree.
    watch : function, optional
        Progress callback: called often with the effort so far, whose nodes are the attempts; an exception
        it raises ends the method.
    tell : function, optional
        Takes the lines of the method's log.
    visits : Visits, optional
        Takes what the method visits, at bounded size.

    Returns
    -------
    Result
        A limit does not raise, but is told in the ``note``.

    Raises
    ------
    ValueError
        If there is no such method, or it has no such level.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> for name in ("backtracking", "cover", "human"):
    ...     result = attempt(model, name, tell=print)
    ...     print(f"{result.solutions} solutions, {result.attempts} {result.unit}: {result.note or 'complete'}")
    15 values placed, 0 givens tried
    6 solutions, 15 values tried: complete
    9 options, 6 items
    9 options under the givens
    6 solutions, 15 options tried: complete
    U3,U3
    0 solutions, 0 deductions: gave up: 3 variables are left
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method}")
    levels = METHODS[method].levels
    if level not in (None, *levels):
        raise ValueError(f"{method} has no level {level}")
    level, note = level or levels[0], ""
    began = time.perf_counter()
    tree = replace(strategy or Strategy(), search="tree")
    run = Run(Model(model.domains, model.constraints), level, tree, watch, tell, visits)
    try:
        run.check()
        if run.is_possible():
            METHODS[method].solve(run)
    except Stopped as limit:
        note = f"stopped by {limit}"
    except GaveUp as why:
        note = f"gave up: {why}"
    except (NotForThis, TooLarge) as why:
        note = f"not for this model: {why}"
    except MemoryError:
        note = "gave up: out of memory"
    seconds = time.perf_counter() - began
    complete = METHODS[method].proves and not note
    return Result(method, level, run.solutions, complete, run.attempts, METHODS[method].unit, seconds, note, run.first)
