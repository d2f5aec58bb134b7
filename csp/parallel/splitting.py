"""Split the search space of a model into disjoint pieces."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import log2

from ..base.incidence import Incidence
from ..engine.solver.session import Session
from ..engine.solver.solver import Solver
from ..model import Constraint, Model, Value, Variable

Piece = dict[str, Value]
"""Values of some variables, as additional givens of a query to one piece."""


def split(
    solver: Solver,
    pieces: int,
    check: Callable[[], None] | None = None,
) -> list[Piece]:
    """Split the search space into pieces; each solution lies in exactly one.

    Propagation refutes none of the pieces. The piece with the most remaining assignments is split next, by its variable
    with the fewest values. Only shown variables are used, so solutions that agree on them are in the same piece.

    Parameters
    ----------
    solver : Solver
    pieces : int
        The number of pieces to reach; a small search space has fewer.
    check : function, optional
        Progress callback: called often; an exception it raises ends the work.

    Returns
    -------
    list of dict
        In the order of a depth-first search; empty if propagation refutes the model. O(pieces) propagations.

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
    progress = (lambda effort: check()) if check else None
    root = solver.session(progress=progress)
    if not root.holds:
        return []
    shown = solver.model.shown
    path: tuple[int, ...] = ()
    unsplittable: list[tuple[tuple[int, ...], Piece]] = []
    waiting = [(-_log_size(root, shown), path, Piece(), root)]
    # Split the largest piece until there are enough; the path is its place in the search order.
    while waiting and len(waiting) + len(unsplittable) < pieces:
        _, path, piece, session = heapq.heappop(waiting)
        variable = _smallest_domain(session, shown)
        # All shown variables are fixed: the piece cannot be split.
        if variable is None:
            unsplittable.append((path, piece))
            continue
        for number, value in enumerate(session.domains[variable]):
            child = session.given({variable: value}, progress)
            if child.holds:
                heapq.heappush(waiting, (-_log_size(child, shown), (*path, number), {**piece, variable: value}, child))
    pieces_by_path = unsplittable + [(path, piece) for _, path, piece, _ in waiting]
    return [piece for _, piece in sorted(pieces_by_path, key=lambda entry: entry[0])]


def check_splits(solver: Solver, pieces: int) -> None:
    """Check that the arguments are a solver and a number of pieces."""
    if not isinstance(solver, Solver):
        raise TypeError(f"{solver!r} is no solver: csp.Solver(model) is one")
    if not isinstance(pieces, int):
        raise TypeError(f"{pieces!r} is no number of pieces")


def _log_size(session: Session, variables: list[Variable]) -> float:
    """Return log2 of the number of assignments that the domains permit."""
    domains = session.domains
    return sum([log2(len(domains[variable])) for variable in variables])


def _smallest_domain(session: Session, variables: list[Variable]) -> Variable | None:
    """Return the unfixed variable with the fewest values, or None."""
    domains = session.domains
    unfixed = (variable for variable in variables if len(domains[variable]) > 1)
    return min(unfixed, key=lambda variable: len(domains[variable]), default=None)


def parts(model: Model) -> list[Model]:
    """Split a model into independent models, which share no constraint.

    All isolated variables form one part. A model that shows only some of its variables is not split.

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
    # Find the connected components of the constraint network.
    groups = Incidence(variables, [constraint.scope for constraint in model.constraints]).parts()
    isolated = [group[0] for group in groups if len(group) == 1]
    variable_groups = [group for group in groups if len(group) > 1] + [isolated] * bool(isolated)
    if len(variable_groups) < 2:
        return [model]
    # Give each constraint to the part of its variables.
    part_of = {variables[n]: part for part, group in enumerate(variable_groups) for n in group}
    constraints: list[list[Constraint]] = [[] for _ in variable_groups]
    for constraint in model.constraints:
        constraints[part_of[constraint.scope[0]] if constraint.scope else 0].append(constraint)
    part_models = []
    for group, part_constraints in zip(variable_groups, constraints, strict=True):
        part_models.append(Model({variables[n]: model.domains[variables[n]] for n in group}, part_constraints))
    return part_models
