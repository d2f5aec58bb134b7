"""Sums and products of variables some of which differ: the cages of killer, kakuro and kenken."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, prod

from ..model import Variable

MAX_STEPS = 20_000
"""The most steps that a table of partial sums may need; beyond, bounds must do."""

ENDLESS = 1 << 256

Domain = tuple[int, ...]
Groups = tuple[tuple[int, ...], ...]


def positions(scope: Sequence[Variable], groups: Sequence[Sequence[Variable]]) -> Groups:
    """Groups of variables as the positions that these have in a scope."""
    place = {variable: i for i, variable in enumerate(scope)}
    return tuple(tuple(sorted(place[variable] for variable in group)) for group in groups)


def steps(sizes: Sequence[int], groups: Groups, span: int) -> int:
    """About how many steps ``supported`` would take, at most.

    Parameters
    ----------
    sizes : sequence of int
        How many values each variable has.
    groups : tuple of tuples of int
        The positions of variables that differ.
    span : int
        How many different partial sums or products there can be for the same values in use.
    """
    most = max(sizes, default=0)
    total, assignments = 0, 1
    for i, size in enumerate(sizes):
        used = [sum(member < i for member in group) for group in groups if group[-1] >= i]
        total += min(assignments, span * prod(comb(most, min(count, most // 2)) for count in used)) * size
        assignments *= size
    return total


@lru_cache(maxsize=1 << 15)
def supported(
    domains: tuple[Domain, ...], coefficients: tuple[int, ...], bound: int, at_most: bool, groups: Groups
) -> tuple[Domain, ...] | None:
    """The values that stand in some solution of ``c1*x1 + c2*x2 + ... = bound`` in which groups of variables differ.

    Without coefficients it is ``x1*x2*... = bound``, for positive values.

    Parameters
    ----------
    domains : tuple of tuples of int
        The values of each variable, ascending.
    coefficients : tuple of int
        One for each variable; or none, for a product.
    bound : int
    at_most : bool
        Whether ``<=`` is meant instead of ``=``; for sums only.
    groups : tuple of tuples of int
        The positions of variables that differ.

    Returns
    -------
    tuple of tuples of int, or None
        None where there is no solution.

    Notes
    -----
    Dynamic programming over (what is left of the bound, the values in use): forward to the states that can be
    reached, backward over those that reach the end. O(states * values).

    References
    ----------
    .. [1] M. A. Trick, "A dynamic programming approach for consistency and propagation for knapsack constraints", 2003.
    .. [2] H. Simonis, "Kakuro as a constraint problem", 2008.

    Examples
    --------
    >>> supported(((1, 2, 3, 4), (1, 2, 3, 4)), (1, 1), 4, False, ((0, 1),))
    ((1, 3), (1, 3))
    >>> supported(((1, 2, 3, 4), (1, 2, 3, 4)), (), 12, False, ())
    ((3, 4), (3, 4))
    """
    images = [
        [c * value for value in domain] for c, domain in zip(coefficients or (1,) * len(domains), domains, strict=True)
    ]
    low, high = _remaining(images, bool(coefficients), at_most)
    marks, keep = _marks(domains, groups)
    states = {(bound, 0)}
    layers = []
    for i, own in enumerate(images):
        least, most, kept = low[i], high[i], keep[i]
        moves = []
        for state in states:
            left, used = state
            for index, (image, mark) in enumerate(zip(own, marks[i], strict=True)):
                if used & mark:
                    continue
                if coefficients:
                    rest = left - image
                elif left % image:
                    continue
                else:
                    rest = left // image
                if least <= rest <= most:
                    moves.append((state, index, (rest, (used | mark) & kept)))
        layers.append(moves)
        states = {after for _, _, after in moves}
        if not states:
            return None
    found = []
    for domain, moves in zip(reversed(domains), reversed(layers), strict=True):
        useful = [(before, index) for before, index, after in moves if after in states]
        states = {before for before, _ in useful}
        found.append(tuple([domain[index] for index in sorted({index for _, index in useful})]))
    return tuple(reversed(found))


def _remaining(images: list[list[int]], is_sum: bool, at_most: bool) -> tuple[list[int], list[int]]:
    """The least and the greatest that may be left behind each variable."""
    low, high = [0 if is_sum else 1], [0 if is_sum else 1]
    for own in reversed(images[1:]):
        low.append(low[-1] + min(own) if is_sum else low[-1] * min(own))
        high.append(high[-1] + max(own) if is_sum else high[-1] * max(own))
    return low[::-1], [ENDLESS] * len(high) if at_most else high[::-1]


def _marks(domains: tuple[Domain, ...], groups: Groups) -> tuple[list[list[int]], list[int]]:
    """For each variable and value the bits that say it is in use, and the bits that still matter behind a variable."""
    place = {value: i for i, value in enumerate(sorted({value for domain in domains for value in domain}))}
    width = len(place)
    fields = [sum(1 << width * n for n, group in enumerate(groups) if i in group) for i in range(len(domains))]
    marks = [[field << place[v] for v in domain] for field, domain in zip(fields, domains, strict=True)]
    full = (1 << width) - 1
    keep = [sum(full << width * n for n, group in enumerate(groups) if group[-1] > i) for i in range(len(domains))]
    return marks, keep
