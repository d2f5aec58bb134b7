"""Implied all_different constraints and implied sums, which make propagation stronger."""

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

MAX_NAMED = 4
"""Maximum number of constraints in the label of a sum; further ones are only counted."""


def add_successors(rewriting: Rewriting) -> None:
    """Add an all_different for the successors of each circuit and each side of an inverse.

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
    """Add all_different constraints for cliques of variables that must pairwise differ.

    It grows a clique of pairs greedily from every variable. Only cliques with as many values as variables, or fewer,
    are added, because others propagate no more than their pairs.

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
    # For each variable, find the variables that differ from it, with the constraint that states it.
    differing: dict[Variable, dict[Variable, int]] = {}
    for number, constraint in rewriting.active():
        for group in constraint.differing():
            if len(group) == 2:
                v, w = group
                differing.setdefault(v, {}).setdefault(w, number)
                differing.setdefault(w, {}).setdefault(v, number)
    order = {variable: i for i, variable in enumerate(rewriting.domains)}
    # Grow a clique from each variable; variables with many neighbours join first.
    ranked = sorted(differing, key=lambda variable: (-len(differing[variable]), order[variable]))
    added = set()
    for variable in ranked:
        clique, common = {variable}, set(differing[variable])
        for other in ranked:
            if other in common:
                clique.add(other)
                common &= differing[other].keys()
        values = {value for member in clique for value in rewriting.domains[member]}
        members = tuple(sorted(clique, key=order.__getitem__))
        if len(values) <= len(members) > 2 and members not in added:
            added.add(members)
            pairs = {differing[v][w] for i, v in enumerate(members) for w in members[:i]}
            rewriting.add(AllDifferent.of(members), sorted(pairs))


class Total(NamedTuple):
    """A sum of variables whose value is known.

    Attributes
    ----------
    places : tuple of int
        The positions of the variables in the order of the model.
    variables : int
        The same positions as bits.
    total : int
        The sum of the variables.
    constraint : int
        The number of the constraint that determines the sum.
    """

    places: tuple[int, ...]
    variables: int
    total: int
    constraint: int


def add_sums(rewriting: Rewriting, settings: Settings) -> None:
    """Add sums of few variables that follow from known sums (rule of 45).

    A permutation of numbers has a known total: a row of a sudoku adds up to 45. The function adds the totals of
    groups without common variables, and subtracts the sums inside them or across their border.

    ``rewriting``: changed in place; the label of a sum names the constraints that it follows from.

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
    known = {total.variables for total in sums}
    touching_sums = [[*bits(indices)] for indices in _meeting(groups, sums)]
    for group_set in islice(_group_sets(groups, sums, settings), settings.max_group_sets):
        # Subtract the sums that have a variable in the groups.
        chosen = [groups[i] for i in group_set]
        touching = [sums[i] for i in sorted({*chain.from_iterable([touching_sums[i] for i in group_set])})]
        added, subtracted, total, used = _subtract_sums(chosen, touching)
        # Add the remaining sum if it is short and new.
        if used and 0 < (added | subtracted).bit_count() <= settings.max_remaining and added | subtracted not in known:
            known.add(added | subtracted)
            terms = tuple([(-1 if subtracted >> i & 1 else 1, variables[i]) for i in bits(added | subtracted)])
            numbers = [source.constraint for source in (*chosen, *used)]
            sides = Affine(terms), Affine((), total)
            # The label begins with positive terms.
            sign = 1 if added else -1
            text = Affine(tuple(sorted([(sign * factor, v) for factor, v in terms], reverse=True, key=itemgetter(0))))
            label = f"{text} = {sign * total} from {_names([rewriting.constraints[number] for number in numbers])}"
            rewriting.add(Linear(sides[0], "=", sides[1], label=label), numbers)


def _totals(rewriting: Rewriting, order: Mapping[Variable, int]) -> tuple[list[Total], list[Total]]:
    """Return the known sums of the model: those of sum constraints, and those of permutations."""
    sums: list[Total] = []
    groups: list[Total] = []
    for number in range(len(rewriting.model.constraints)):
        constraint = rewriting.constraints[number]
        if number not in rewriting.ignored and (known_sum := constraint.total(rewriting.domains)):
            places = tuple(sorted({order[variable] for variable in known_sum[0]}))
            place_bits = reduce(or_, [1 << place for place in places], 0)
            (groups if constraint.apart() else sums).append(Total(places, place_bits, known_sum[1], number))
    return sorted(sums, key=_places), sorted(groups, key=_places)


_places = attrgetter("places")


def _group_sets(groups: list[Total], sums: list[Total], settings: Settings) -> Iterator[tuple[int, ...]]:
    """Yield sets of disjoint permutations that known sums connect, small sets first.

    A set is a sorted tuple of indices.
    """
    # For each group, find the groups with a common variable, and the disjoint groups that a sum connects to it.
    meeting = _meeting(groups, groups)
    connected = [0] * len(groups)
    for touched in _meeting(sums, groups):
        if touched.bit_count() > 4 * (settings.max_groups + settings.max_remaining):
            continue  # a sum across this many groups leaves too many variables
        for i in bits(touched):
            connected[i] |= touched & ~meeting[i]
    # Extend every set by one connected group at a time. The values: the groups connected to a set, those that meet it.
    neighbours: dict[tuple[int, ...], tuple[int, int]] = {(i,): (connected[i], meeting[i]) for i in range(len(groups))}
    for _ in range(settings.max_groups):
        group_sets = sorted(neighbours)
        yield from group_sets
        neighbours = {
            tuple(sorted((*group_set, j))): (
                neighbours[group_set][0] | connected[j],
                neighbours[group_set][1] | meeting[j],
            )
            for group_set in group_sets[: settings.max_group_sets]
            for j in bits(neighbours[group_set][0] & ~neighbours[group_set][1])
        }


def _meeting(totals: list[Total], others: list[Total]) -> list[int]:
    """Return for each known sum, as bits, which of ``others`` share variables with it."""
    totals_at: dict[int, int] = {}
    for i, other in enumerate(others):
        for place in other.places:
            totals_at[place] = totals_at.get(place, 0) | 1 << i
    return [reduce(or_, [totals_at.get(place, 0) for place in total.places], 0) for total in totals]


def _names(constraints: list[Constraint]) -> str:
    """Return as text the names of the first constraints, and how many others follow."""
    names = [constraint.place for constraint in constraints[:MAX_NAMED]]
    unnamed = len(constraints) - MAX_NAMED
    return ", ".join(names) + (f" and {unnamed} more" if unnamed > 0 else "")


class _Remainder(NamedTuple):
    """The sum that remains of some permutations after subtracting known sums.

    Attributes
    ----------
    added, subtracted : int
        The variables with the factor 1, and those with the factor -1, as bits.
    total : int
    used : list of Total
        The subtracted sums.
    """

    added: int
    subtracted: int
    total: int
    used: list[Total]


def _subtract_sums(chosen: list[Total], sums: list[Total]) -> _Remainder:
    """Subtract known sums from the total of some permutations, greedily.

    A sum is subtracted if most of its variables are inside the groups and none of them is in a sum that was subtracted
    before. Its variables outside the groups then have the factor -1.
    """
    inside = reduce(or_, [group.variables for group in chosen])
    remaining = sum([group.total for group in chosen])
    added, subtracted = inside, 0
    used = []
    for candidate in sums:
        places, variables, amount, _ = candidate
        covered = variables & added
        outside = variables ^ covered
        if not outside & (inside | subtracted) and 2 * covered.bit_count() > len(places):
            added ^= covered
            subtracted |= outside
            remaining -= amount
            used.append(candidate)
    return _Remainder(added, subtracted, remaining, used)
