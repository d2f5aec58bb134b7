"""What follows from several constraints together: sums over parts of groups, and groups of pairs that differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from .constraints import Affine, AllDifferent, Constraint, Linear
from .model import Model, Variable

MAX_GROUPS = 3
"""The most groups that are taken together."""

MAX_SETS = 5_000
"""The most sets of groups that are tried."""

MAX_LEFT = 4
"""The most variables that a sum may be about."""

MOST_NAMED = 4
"""How many constraints the label of a sum names."""

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
    sums = _totals(model, are_sums=True)
    groups = _totals(model, are_sums=False) if sums else []
    if not groups:
        return
    order = {variable: i for i, variable in enumerate(model.domains)}
    seen = {variables for variables, _, _ in sums}
    for together in islice(_together(groups, sums), MAX_SETS):
        inside = frozenset().union(*[groups[i][0] for i in together])
        signs, total, used = _less(inside, sum(groups[i][1] for i in together), sums)
        left = frozenset(signs)
        if used and 0 < len(left) <= MAX_LEFT and left not in seen:
            seen.add(left)
            terms = tuple((signs[variable], variable) for variable in sorted(left, key=order.__getitem__))
            implied = Linear(Affine(terms), "=", Affine((), total))
            yield replace(implied, label=f"{implied} from {_named([*(groups[i][2] for i in together), *used])}")


def _totals(model: Model, are_sums: bool) -> list[Total]:
    """What the sums of a model, or its other constraints, tell of totals."""
    return [
        (frozenset(known[0]), known[1], constraint)
        for constraint in model.constraints
        if isinstance(constraint, Linear) == are_sums and (known := constraint.total(model.domains))
    ]


def implied_groups(model: Model) -> Iterator[AllDifferent]:
    """Groups of variables that differ pair by pair and have no more values than variables.

    A clique of pairs is grown from every variable, greedily. Only a tight or an overfull one says more than its pairs.

    Parameters
    ----------
    model : Model

    Yields
    ------
    AllDifferent

    Examples
    --------
    >>> from csp.constraints import Equality
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "CA", "CD")]
    >>> print(*implied_groups(Model({v: range(3) for v in "ABCD"}, pairs)))
    all_different([A, B, C])
    """
    near: dict[Variable, set[Variable]] = {}
    for constraint in model.constraints:
        for group in constraint.differing():
            if len(group) == 2:
                one, other = group
                near.setdefault(one, set()).add(other)
                near.setdefault(other, set()).add(one)
    order = {variable: i for i, variable in enumerate(model.domains)}
    ranked = sorted(near, key=lambda variable: (-len(near[variable]), order[variable]))
    seen = set()
    for variable in ranked:
        clique, common = {variable}, set(near[variable])
        for other in ranked:
            if other in common:
                clique.add(other)
                common &= near[other]
        values = {value for member in clique for value in model.domains[member]}
        members = tuple(sorted(clique, key=order.__getitem__))
        if len(values) <= len(members) > 2 and members not in seen:
            seen.add(members)
            yield AllDifferent.of(members)


def _together(groups: list[Total], sums: list[Total]) -> Iterator[tuple[int, ...]]:
    """Sets of disjoint groups that sums join, the small sets first."""
    of: dict[Variable, list[int]] = {}
    for i, (own, _, _) in enumerate(groups):
        for variable in own:
            of.setdefault(variable, []).append(i)
    near: list[set[int]] = [set() for _ in groups]
    for variables, _, _ in sums:
        touched = {i for variable in variables for i in of.get(variable, ())}
        if len(touched) > 4 * (MAX_GROUPS + MAX_LEFT):
            continue  # a sum over so many groups leaves too much
        for i in touched:
            near[i] |= {j for j in touched if not groups[i][0] & groups[j][0]}
    found: set[tuple[int, ...]] = {(i,) for i in range(len(groups))}
    for _ in range(MAX_GROUPS):
        yield from sorted(found)
        found = {
            tuple(sorted({*some, j}))
            for some in islice(sorted(found), MAX_SETS)
            for j in set().union(*[near[i] for i in some])
            if not any(groups[i][0] & groups[j][0] for i in some)
        }


def _named(constraints: list[Constraint]) -> str:
    """Where something comes from, in a few words."""
    named = [constraint.place for constraint in constraints[:MOST_NAMED]]
    more = len(constraints) - MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _less(
    inside: frozenset[Variable], total: int, sums: list[Total]
) -> tuple[dict[Variable, int], int, list[Constraint]]:
    """What is left of a sum when others are taken away from it: variables with their signs, the total, the others."""
    left = set(inside)
    used = []
    out: set[Variable] = set()
    for variables, known, constraint in sums:
        own = variables & inside
        if own and own <= left and len(variables) < 2 * len(own) and not (variables - own) & out:
            left -= own
            out |= variables - own
            total -= known
            used.append(constraint)
    return {**dict.fromkeys(left, 1), **dict.fromkeys(out, -1)}, total, used
