"""A question split into many that can be asked apart."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import log2

from ..engine.ask.session import Session
from ..engine.ask.solver import Solver
from ..engine.compiled.parts import independent
from ..model import Constraint, Model, Value, Variable

Piece = dict[str, Value]
"""Values of some variables, as givens of a question that is a part of the whole one."""


def split(
    solver: Solver,
    pieces: int,
    check: Callable[[], None] | None = None,
) -> list[Piece]:
    """Givens that split the solutions of a model, so that each solution belongs to exactly one of them.

    All are consistent with propagation, and the piece that leaves most is split next, by its variable with the fewest
    values. Only shown variables are split by, so that solutions that show alike stay together.

    Parameters
    ----------
    solver : Solver
    pieces : int
        How many are enough; there are fewer where the question is smaller.
    check : function, optional
        Progress callback: called often; an exception it raises ends the work.

    Returns
    -------
    list of dict
        In the order of a search that goes through them; none where propagation proves that there is no solution.
        O(pieces) propagations.

    References
    ----------
    .. [1] J.-C. Régin, M. Rezgui, A. Malapert, "Embarrassingly parallel search", 2013.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> split(solver, 2)
    [{'A': 1}, {'A': 2}, {'A': 3}]
    """
    check_splits(solver, pieces)
    watch = (lambda effort: check()) if check else None
    root = solver.session(watch=watch)
    if not root.holds:
        return []
    shown = solver.model.shown
    path: tuple[int, ...] = ()
    settled: list[tuple[tuple[int, ...], Piece]] = []
    waiting = [(-_size(root, shown), path, Piece(), root)]
    while waiting and len(waiting) + len(settled) < pieces:
        _, path, piece, session = heapq.heappop(waiting)
        chosen = _smallest(session, shown)
        if chosen is None:
            settled.append((path, piece))
            continue
        for number, value in enumerate(session.domains[chosen]):
            below = session.given({chosen: value}, watch)
            if below.holds:
                heapq.heappush(waiting, (-_size(below, shown), (*path, number), {**piece, chosen: value}, below))
    found = settled + [(path, piece) for _, path, piece, _ in waiting]
    return [piece for _, piece in sorted(found, key=lambda one: one[0])]


def check_splits(solver: Solver, pieces: int) -> None:
    """Refuse what is no solver to split, or no number of pieces."""
    if not isinstance(solver, Solver):
        raise TypeError(f"{solver!r} is no solver: csp.Solver(model) is one")
    if not isinstance(pieces, int):
        raise TypeError(f"{pieces!r} is no number of pieces")


def _size(session: Session, variables: list[Variable]) -> float:
    """How much is left, as the logarithm of the number of assignments."""
    domains = session.domains
    return sum([log2(len(domains[variable])) for variable in variables])


def _smallest(session: Session, variables: list[Variable]) -> Variable | None:
    """The variable with the fewest values, of those that have several."""
    domains = session.domains
    several = (variable for variable in variables if len(domains[variable]) > 1)
    return min(several, key=lambda variable: len(domains[variable]), default=None)


def parts(model: Model) -> list[Model]:
    """A model as models that no constraint connects, of which those of one variable are one together.

    What shows only some of its variables stays whole.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABCD"}, [AllDifferent.of("AC")])
    >>> [list(part.domains) for part in parts(model)]
    [['A', 'C'], ['B', 'D']]
    """
    variables = list(model.domains)
    if len(model.shown) < len(variables):
        return [model]
    number = {variable: n for n, variable in enumerate(variables)}
    groups = independent([[number[v] for v in c.scope] for c in model.constraints], len(variables))
    alone = [group[0] for group in groups if len(group) == 1]
    joined = [group for group in groups if len(group) > 1] + [alone] * bool(alone)
    if len(joined) < 2:
        return [model]
    owner = {variables[n]: part for part, group in enumerate(joined) for n in group}
    constraints: list[list[Constraint]] = [[] for _ in joined]
    for constraint in model.constraints:
        constraints[owner[constraint.scope[0]] if constraint.scope else 0].append(constraint)
    found = []
    for group, own in zip(joined, constraints, strict=True):
        found.append(Model({variables[n]: model.domains[variables[n]] for n in group}, own))
    return found
