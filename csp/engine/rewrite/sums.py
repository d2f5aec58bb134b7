"""Sums that follow from groups with known totals: the rule of 45."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from ...model import Affine, Constraint, Linear, Variable
from ..strategy import Strategy
from .rewriting import Rewriting

MOST_NAMED = 4
"""How many constraints the label of a sum names."""


class Total(NamedTuple):
    """Variables whose sum a constraint tells."""

    variables: frozenset[Variable]
    total: int
    constraint: int


def add_sums(rewriting: Rewriting, strategy: Strategy) -> None:
    """Add sums over few variables that follow from groups with known totals and from sums inside them.

    A tight group of numbers has a total, as a row of a sudoku adds up to 45. Groups that have no variable in common
    are taken together, and the sums inside them or across their border are taken away.

    Parameters
    ----------
    rewriting : Rewriting
        Changed in place; the sums are labelled by where they come from.
    strategy : Strategy

    References
    ----------
    .. [1] The "rule of 45" of killer sudoku; surplus and deficit, innies and outies.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> x, y = Affine.variable("A"), Affine.variable("B")
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC"), Linear(x + y, "=", Affine((), 4))])
    >>> rewriting = Rewriting.of(model, ())
    >>> add_sums(rewriting, Strategy())
    >>> print(rewriting.constraints[2], rewriting.origins[2])
    C = 2 (0, 1)
    """
    order = {variable: i for i, variable in enumerate(rewriting.model.domains)}
    sums, groups = _totals(rewriting, order)
    if not sums or not groups:
        return
    seen = {one.variables for one in sums}
    for together in islice(_together(groups, sums, strategy), strategy.sets):
        chosen = [groups[i] for i in together]
        signs, total, used = _less(chosen, sums)
        left = frozenset(signs)
        if used and 0 < len(left) <= strategy.left and left not in seen:
            seen.add(left)
            terms = tuple((signs[variable], variable) for variable in sorted(left, key=order.__getitem__))
            numbers = [one.constraint for one in (*chosen, *used)]
            text = str(Linear(Affine(terms), "=", Affine((), total)))
            label = f"{text} from {_named([rewriting.constraints[number] for number in numbers])}"
            rewriting.add(Linear(Affine(terms), "=", Affine((), total), label=label), numbers)


def _totals(rewriting: Rewriting, order: Mapping[Variable, int]) -> tuple[list[Total], list[Total]]:
    """What the sums of a model, and what its groups, tell of totals; in an order that is that of their variables."""
    sums: list[Total] = []
    groups: list[Total] = []
    for number in range(len(rewriting.model.constraints)):
        constraint = rewriting.constraints[number]
        if number not in rewriting.without and (known := constraint.total(rewriting.domains)):
            (groups if constraint.apart() else sums).append(Total(frozenset(known[0]), known[1], number))
    for totals in (sums, groups):
        totals.sort(key=lambda one: sorted([order[variable] for variable in one.variables]))
    return sums, groups


def _together(groups: list[Total], sums: list[Total], strategy: Strategy) -> Iterator[tuple[int, ...]]:
    """Sets of disjoint groups that sums join, the small sets first."""
    of: dict[Variable, list[int]] = {}
    for i, (own, _, _) in enumerate(groups):
        for variable in own:
            of.setdefault(variable, []).append(i)
    near: list[set[int]] = [set() for _ in groups]
    for variables, _, _ in sums:
        touched = {i for variable in variables for i in of.get(variable, ())}
        if len(touched) > 4 * (strategy.together + strategy.left):
            continue  # a sum over so many groups leaves too much
        for i in touched:
            near[i] |= {j for j in touched if not groups[i][0] & groups[j][0]}
    found: set[tuple[int, ...]] = {(i,) for i in range(len(groups))}
    for _ in range(strategy.together):
        yield from sorted(found)
        found = {
            tuple(sorted({*some, j}))
            for some in islice(sorted(found), strategy.sets)
            for j in set().union(*[near[i] for i in some])
            if not any(groups[i][0] & groups[j][0] for i in some)
        }


def _named(constraints: list[Constraint]) -> str:
    """Where something comes from, in a few words."""
    named = [constraint.place for constraint in constraints[:MOST_NAMED]]
    more = len(constraints) - MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _less(chosen: list[Total], sums: list[Total]) -> tuple[dict[Variable, int], int, list[Total]]:
    """What is left of totals when others are taken away from them: variables with their signs, the total, the others.

    A sum is taken where most of its variables are inside; those outside are subtracted again.
    """
    inside = frozenset().union(*[one.variables for one in chosen])
    total = sum(one.total for one in chosen)
    left, out = set(inside), set[Variable]()
    used = []
    for one in sums:
        own = one.variables & inside
        if own and own <= left and len(one.variables) < 2 * len(own) and not (one.variables - own) & out:
            left -= own
            out |= one.variables - own
            total -= one.total
            used.append(one)
    return {**dict.fromkeys(left, 1), **dict.fromkeys(out, -1)}, total, used
