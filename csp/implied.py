"""Sums that follow from others: what is known of whole groups, less what is known of parts."""

from __future__ import annotations

from collections.abc import Iterator

from .constraints import Affine, Constraint, Linear
from .model import Model, Variable

MAX_GROUPS = 3
"""The most groups that are taken together."""

MAX_LEFT = 4
"""The most variables that a sum may be about."""

Total = tuple[frozenset[Variable], int, Constraint]


def implied_sums(model: Model) -> Iterator[Linear]:
    """Sums over few variables that follow from groups with known totals and from sums inside them.

    A tight group of numbers has a total, as a row of a sudoku adds up to 45. Groups that have no variable in common
    are taken together, and the sums inside them or across their border are taken away.

    Parameters
    ----------
    model : Model

    Yields
    ------
    Linear
        Labelled by where it comes from.

    References
    ----------
    .. [1] The "rule of 45" of killer sudoku; surplus and deficit, innies and outies.

    Examples
    --------
    >>> from csp.constraints import AllDifferent
    >>> x, y = Affine.variable("A"), Affine.variable("B")
    >>> row = AllDifferent.of("ABC", label="row")
    >>> print(*implied_sums(Model({v: range(1, 4) for v in "ABC"}, [row, Linear(x + y, "=", Affine((), 4))])))
    C = 2
    """
    groups: list[Total] = []
    sums: list[Total] = []
    for constraint in model.constraints:
        if known := constraint.total(model.domains):
            variables, total = known
            of = sums if isinstance(constraint, Linear) else groups
            of.append((frozenset(variables), total, constraint))
    if not groups or not sums:
        return
    order = {variable: i for i, variable in enumerate(model.domains)}
    seen = {variables for variables, _, _ in sums}
    for together in _together(groups, sums):
        inside = frozenset().union(*[groups[i][0] for i in together])
        signs, total = _less(inside, sum(groups[i][1] for i in together), sums)
        left = frozenset(signs)
        if 0 < len(left) <= MAX_LEFT and left not in seen:
            seen.add(left)
            terms = tuple((signs[variable], variable) for variable in sorted(left, key=order.__getitem__))
            names = " and ".join(groups[i][2].name for i in together)
            yield Linear(Affine(terms), "=", Affine((), total), label=f"{names} less sums")


def _together(groups: list[Total], sums: list[Total]) -> Iterator[tuple[int, ...]]:
    """Sets of disjoint groups that sums join, the small sets first."""
    touching = [{i for i, (own, _, _) in enumerate(groups) if own & variables} for variables, _, _ in sums]
    near: list[set[int]] = [set() for _ in groups]
    for touched in touching:
        for i in touched:
            near[i] |= {j for j in touched if not groups[i][0] & groups[j][0]}
    found: set[tuple[int, ...]] = {(i,) for i in range(len(groups))}
    for _ in range(MAX_GROUPS):
        yield from sorted(found)
        found = {
            tuple(sorted({*some, j}))
            for some in found
            for j in set().union(*[near[i] for i in some])
            if not any(groups[i][0] & groups[j][0] for i in some)
        }


def _less(inside: frozenset[Variable], total: int, sums: list[Total]) -> tuple[dict[Variable, int], int]:
    """What is left of a sum when others are taken away from it: variables with their signs, and the total."""
    left = set(inside)
    out: set[Variable] = set()
    for variables, known, _ in sums:
        own = variables & inside
        if own and own <= left and len(variables) < 2 * len(own) and not (variables - own) & out:
            left -= own
            out |= variables - own
            total -= known
    return {**dict.fromkeys(left, 1), **dict.fromkeys(out, -1)}, total
