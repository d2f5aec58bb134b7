"""Other methods to solve a model, to compare them with the engine.

Each method is a function and one line in ``METHODS``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ..base.errors import Stopped, TooLarge
from ..base.frozen import Frozen
from ..engine.effort import Progress
from ..engine.settings import LEVELS, Level, Settings
from ..model import Model
from . import annealing, backtracking, cover, engine, human, permutation
from .base import GaveUp, NotApplicable, Result, Run, Visits, WriteLine

__all__ = ["METHODS", "Method", "Result", "Visits", "attempt"]


class Method(Frozen):
    """A solving method for comparison with the engine, and the unit of its attempts.

    Attributes
    ----------
    solve : function
        Finds the solutions for a run, counts its attempts and writes its log.
    unit : str
        The meaning of an attempt, in the plural.
    levels : tuple
        The consistency levels of the engine that the method can use; None if it does not use the engine.
    proves : bool
        Whether the search is complete: no more solutions exist when ``solve`` returns.
    """

    solve: Callable[[Run], None]
    unit: str
    levels: tuple[Level | None, ...] = (None,)
    proves: bool = True


METHODS: dict[str, Method] = {
    "backtracking": Method(backtracking.try_in_order, "values tried"),
    "tracking": Method(backtracking.try_smallest_first, "values tried"),
    "norvig": Method(engine.solve_by_singles, "nodes", ("singles",)),
    "human": Method(human.solve, "deductions"),
    "permutation": Method(permutation.solve, "combinations"),
    "cover": Method(cover.solve, "options tried"),
    "annealing": Method(annealing.solve, "swaps tried", proves=False),
    "graph": Method(engine.solve_on_graph, "snapshots"),
    "engine": Method(engine.solve_by_engine, "nodes", LEVELS),
}
"""Every method by its name, in the order of docs/methods.md."""


def attempt(
    model: Model,
    method: str,
    level: Level | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    log: WriteLine = lambda line: None,
    visits: Visits | None = None,
) -> Result:
    """Solve a model by a named method, and count its solutions.

    Solutions assign all variables, even if the model shows only some. An objective is ignored.

    Parameters
    ----------
    model : Model
    method : str
        One of ``METHODS``.
    level : Level, optional
        One of the levels of the method; the default is the first of them.
    settings : Settings, optional
        Its ``seconds`` limit the method. The other settings are for the engine, which uses its tree search.
    progress : function, optional
        Progress callback: called often with the effort so far, whose nodes are the attempts; an exception
        it raises ends the method.
    log : function, optional
        Called with each line of the method's log.
    visits : Visits, optional
        Collects a sample of the visited nodes, for drawings.

    Returns
    -------
    Result
        If a limit ends the method, the ``note`` says so; no exception is raised.

    Raises
    ------
    ValueError
        If the method is unknown, or has no such level.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> for name in ("backtracking", "cover", "human"):
    ...     result = attempt(model, name, log=print)
    ...     print(f"{result.solutions} solutions, {result.attempts} {result.unit}: {result.note or 'complete'}")
    15 values placed, 0 givens tried
    6 solutions, 15 values tried: complete
    9 options, 6 items
    9 options under the givens
    6 solutions, 15 options tried: complete
    U3,U3
    0 solutions, 0 deductions: gave up: 3 variables are unfixed
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method}")
    levels = METHODS[method].levels
    if level not in (None, *levels):
        raise ValueError(f"{method} has no level {level}")
    level, note = level or levels[0], ""
    began = time.perf_counter()
    tree = replace(settings or Settings(), search="tree")
    # The methods know neither objective nor projection.
    run = Run(Model(model.domains, model.constraints), level, tree, progress, log, visits)
    try:
        run.check()
        if run.is_possible():
            METHODS[method].solve(run)
    except Stopped as limit:
        note = f"stopped by {limit}"
    except GaveUp as reason:
        note = f"gave up: {reason}"
    # Limits and refusals become the note of the result.
    except (NotApplicable, TooLarge) as reason:
        note = f"not for this model: {reason}"
    except MemoryError:
        note = "gave up: out of memory"
    seconds = time.perf_counter() - began
    complete = METHODS[method].proves and not note
    return Result(method, level, run.solutions, complete, run.attempts, METHODS[method].unit, seconds, note, run.first)
