"""Implied constraints: what follows from several of a model, or from what one of them means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import chain, islice
from operator import attrgetter, itemgetter, or_
from typing import NamedTuple

from ....model import Affine, AllDifferent, Circuit, Constraint, Inverse, Linear, Variable
from ...settings import Settings
from ..propagators.base import bits
from .rewriting import Rewriting

MOST_NAMED = 4
"""How many constraints the label of a sum names."""


def add_successors(rewriting: Rewriting) -> None:
    """Add the groups that follow from round trips and inverses.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Affine, Model
    >>> trip = Circuit(tuple(map(Affine.variable, "xyz")))
    >>> rewriting = Rewriting.of(Model({v: (1, 2, 3) for v in "xyz"}, [trip]), ())
    >>> add_successors(rewriting)
    >>> print(rewriting.constraints[1], rewriting.origins[1])
    all_different([x, y, z]) (0,)
    """
    for number, constraint in list(rewriting.active()):
        match constraint:
            case Circuit(elements=elements):
                sides = [elements]
            case Inverse(left=left, right=right):
                sides = [left, right]
            case _:
                continue
        for side in sides:
            if len(side) > 1 and len({*side}) == len(side) and all(element.variables for element in side):
                rewriting.add(AllDifferent(side, **constraint.tags), (number,))


def add_groups(rewriting: Rewriting) -> None:
    """Add groups of variables that differ pair by pair and have no more values than variables.

    A clique of pairs is grown from every variable, greedily. Only a tight or an overfull one says more than its pairs.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Equality, Model
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "CA", "CD")]
    >>> rewriting = Rewriting.of(Model({v: range(3) for v in "ABCD"}, pairs), ())
    >>> add_groups(rewriting)
    >>> print(rewriting.constraints[4], rewriting.origins[4])
    all_different([A, B, C]) (0, 1, 2)
    """
    near: dict[Variable, dict[Variable, int]] = {}
    for number, constraint in rewriting.active():
        for group in constraint.differing():
            if len(group) == 2:
                one, other = group
                near.setdefault(one, {}).setdefault(other, number)
                near.setdefault(other, {}).setdefault(one, number)
    order = {variable: i for i, variable in enumerate(rewriting.domains)}
    ranked = sorted(near, key=lambda variable: (-len(near[variable]), order[variable]))
    seen = set()
    for variable in ranked:
        clique, common = {variable}, set(near[variable])
        for other in ranked:
            if other in common:
                clique.add(other)
                common &= near[other].keys()
        values = {value for member in clique for value in rewriting.domains[member]}
        members = tuple(sorted(clique, key=order.__getitem__))
        if len(values) <= len(members) > 2 and members not in seen:
            seen.add(members)
            pairs = {near[one][other] for i, one in enumerate(members) for other in members[:i]}
            rewriting.add(AllDifferent.of(members), sorted(pairs))


class Total(NamedTuple):
    """Variables whose sum a constraint tells, by their places in the order of the model, and as bits."""

    places: tuple[int, ...]
    variables: int
    total: int
    constraint: int


def add_sums(rewriting: Rewriting, settings: Settings) -> None:
    """Add sums over few variables that follow from groups with known totals and from sums inside them.

    A tight group of numbers has a total, as a row of a sudoku adds up to 45. Groups that have no variable in common
    are taken together, and the sums inside them or across their border are taken away.

    ``rewriting``: changed in place; the sums are labelled by where they come from.

    References
    ----------
    .. [1] The "rule of 45" of killer sudoku; surplus and deficit, innies and outies.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> x, y = Affine.variable("A"), Affine.variable("B")
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC"), Linear(x + y, "=", Affine((), 4))])
    >>> rewriting = Rewriting.of(model, ())
    >>> add_sums(rewriting, Settings())
    >>> print(rewriting.constraints[2], rewriting.origins[2])
    C = 2 (0, 1)
    """
    variables = tuple(rewriting.model.domains)
    sums, groups = _totals(rewriting, {variable: i for i, variable in enumerate(variables)})
    if not sums or not groups:
        return
    seen = {one.variables for one in sums}
    across = [[*bits(own)] for own in _meeting(groups, sums)]
    for together in islice(_together(groups, sums, settings), settings.max_group_sets):
        chosen = [groups[i] for i in together]
        touching = [sums[i] for i in sorted({*chain.from_iterable([across[i] for i in together])})]
        left, out, total, used = _less(chosen, touching)
        if used and 0 < (left | out).bit_count() <= settings.max_remaining and left | out not in seen:
            seen.add(left | out)
            terms = tuple([(-1 if out >> i & 1 else 1, variables[i]) for i in bits(left | out)])
            numbers = [one.constraint for one in (*chosen, *used)]
            sides = Affine(terms), Affine((), total)
            sign = 1 if left else -1
            said = Affine(tuple(sorted([(sign * one, v) for one, v in terms], reverse=True, key=itemgetter(0))))
            label = f"{said} = {sign * total} from {_named([rewriting.constraints[number] for number in numbers])}"
            rewriting.add(Linear(sides[0], "=", sides[1], label=label), numbers)


def _totals(rewriting: Rewriting, order: Mapping[Variable, int]) -> tuple[list[Total], list[Total]]:
    """What the sums of a model, and what its groups, tell of totals; in an order that is that of their variables."""
    sums: list[Total] = []
    groups: list[Total] = []
    for number in range(len(rewriting.model.constraints)):
        constraint = rewriting.constraints[number]
        if number not in rewriting.without and (known := constraint.total(rewriting.domains)):
            places = tuple(sorted({order[variable] for variable in known[0]}))
            own = reduce(or_, [1 << place for place in places], 0)
            (groups if constraint.apart() else sums).append(Total(places, own, known[1], number))
    return sorted(sums, key=_places), sorted(groups, key=_places)


_places = attrgetter("places")


def _together(groups: list[Total], sums: list[Total], settings: Settings) -> Iterator[tuple[int, ...]]:
    """Sets of disjoint groups that sums join, the small sets first."""
    meeting = _meeting(groups, groups)
    near = [0] * len(groups)
    for touched in _meeting(sums, groups):
        if touched.bit_count() > 4 * (settings.max_groups + settings.max_remaining):
            continue  # a sum over so many groups leaves too much
        for i in bits(touched):
            near[i] |= touched & ~meeting[i]
    found: dict[tuple[int, ...], tuple[int, int]] = {(i,): (near[i], meeting[i]) for i in range(len(groups))}
    for _ in range(settings.max_groups):
        ordered = sorted(found)
        yield from ordered
        found = {
            tuple(sorted((*some, j))): (found[some][0] | near[j], found[some][1] | meeting[j])
            for some in ordered[: settings.max_group_sets]
            for j in bits(found[some][0] & ~found[some][1])
        }


def _meeting(totals: list[Total], others: list[Total]) -> list[int]:
    """For each total those of the others, as bits, with which it has a variable in common."""
    of: dict[int, int] = {}
    for i, one in enumerate(others):
        for place in one.places:
            of[place] = of.get(place, 0) | 1 << i
    return [reduce(or_, [of.get(place, 0) for place in one.places], 0) for one in totals]


def _named(constraints: list[Constraint]) -> str:
    """Where something comes from, in a few words."""
    named = [constraint.place for constraint in constraints[:MOST_NAMED]]
    more = len(constraints) - MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _less(chosen: list[Total], sums: list[Total]) -> tuple[int, int, int, list[Total]]:
    """What is left of totals when others are taken away from them: variables, those to subtract, the total, the others.

    A sum is taken where most of its variables are inside; those outside are subtracted again.
    """
    inside = reduce(or_, [one.variables for one in chosen])
    total = sum([one.total for one in chosen])
    left, out = inside, 0
    used = []
    for one in sums:
        places, variables, amount, _ = one
        own = variables & left
        beyond = variables ^ own
        if not beyond & (inside | out) and 2 * own.bit_count() > len(places):
            left ^= own
            out |= beyond
            total -= amount
            used.append(one)
    return left, out, total, used
