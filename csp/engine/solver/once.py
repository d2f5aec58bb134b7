"""Functions for a single query to a model; use a ``Solver`` for several queries."""

from __future__ import annotations

from typing import Any

from ...model import Model
from ..settings import Level, Settings
from .answers import Count, Fixpoint, Solution
from .solver import Solver


def solve(
    model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any
) -> Solution | None:
    """Return a solution of a model, or None if there is none; see ``Solver.solve``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Solution or None

    Raises
    ------
    Stopped
        If a limit is reached before the answer.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solve(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")]), timeout=10)
    {'A': 2, 'B': 1}
    """
    return Solver(model, level, settings, **options).solve()


def count(model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any) -> Count:
    """Count the solutions of a model; see ``Solver.count``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Count
        A lower bound if a limit was reached.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> count(Model({v: range(3) for v in "ABC"}, [AllDifferent.of("ABC")])).value
    6
    """
    return Solver(model, level, settings, **options).count()


def propagate(model: Model, level: Level | None = None, settings: Settings | None = None, **options: Any) -> Fixpoint:
    """Return the domains of a model after propagation, without search; see ``Solver.propagate``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "bounds", "domain"}, optional
    settings : Settings, optional
    **options
        As for ``Solver``.

    Returns
    -------
    Fixpoint

    Examples
    --------
    >>> from csp import AllDifferent
    >>> propagate(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")])).domains
    {'A': (2,), 'B': (1,)}
    """
    return Solver(model, level, settings, **options).propagate()
