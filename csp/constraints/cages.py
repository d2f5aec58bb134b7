"""Sums and products of variables some of which differ: the cages of killer, kakuro and kenken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod
from operator import mul

from ..model import Variable

MAX_STEPS = 1_500
"""The most steps that a table of partial sums may need; beyond, bounds must do."""

MAX_KNOWN = 1 << 12
"""How many answers a cage keeps."""

ENDLESS = 1 << 256

Domain = tuple[int, ...]
Groups = tuple[tuple[int, ...], ...]


def positions(scope: Sequence[Variable], groups: Sequence[Sequence[Variable]]) -> Groups:
    """Groups of variables as the positions that these have in a scope."""
    place = {variable: i for i, variable in enumerate(scope)}
    return tuple(tuple(sorted(place[variable] for variable in group)) for group in groups)


class Cage:
    """``c1*x1 + c2*x2 + ... = bound`` in which groups of variables differ; or ``x1*x2*... = bound``.

    Parameters
    ----------
    coefficients : tuple of int
        One for each variable; for a product of positive variables all are 0.
    bound : int
    at_most : bool
        Whether ``<=`` is meant instead of ``=``; for sums only.
    groups : tuple of tuples of int
        The positions of variables that differ.

    Notes
    -----
    Dynamic programming over (what is left of the bound, the values in use): forward to the states that can be
    reached, backward over those that reach the end. O(states * values). Answers are kept.

    References
    ----------
    .. [1] M. A. Trick, "A dynamic programming approach for consistency and propagation for knapsack constraints", 2003.
    .. [2] H. Simonis, "Kakuro as a constraint problem", 2008.

    Examples
    --------
    >>> Cage((1, 1), 4, False, ((0, 1),)).supported(((1, 2, 3, 4), (1, 2, 3, 4)))
    ((1, 3), (1, 3))
    >>> Cage((0, 0), 12, False, ()).supported(((1, 2, 3, 4), (1, 2, 3, 4)))
    ((3, 4), (3, 4))
    """

    def __init__(self, coefficients: tuple[int, ...], bound: int, at_most: bool, groups: Groups) -> None:
        self.coefficients = coefficients
        self.bound = bound
        self.at_most = at_most
        self.is_sum = any(coefficients)
        self._order = sorted(range(len(coefficients)), key=lambda i: -abs(coefficients[i]))
        rank = {position: i for i, position in enumerate(self._order)}
        self._back = [rank[position] for position in range(len(coefficients))]
        self._groups = tuple(tuple(sorted(rank[position] for position in group)) for group in groups)
        self._mates: list[set[int]] = [set() for _ in coefficients]
        for group in self._groups:
            for i in group:
                self._mates[i].update(set(group) - {i})
        whole = any(len(group) == len(coefficients) for group in groups)
        self._is_counted = whole and len({*coefficients}) == 1  # the values in use tell the sum
        self._known: dict[tuple[Domain, ...], tuple[Domain, ...] | None] = {}

    def supported(self, domains: tuple[Domain, ...]) -> tuple[Domain, ...] | None:
        """The values that stand in some solution, for each variable; empty where there is none.

        Parameters
        ----------
        domains : tuple of tuples of int
            The values of each variable, ascending; positive for a product.

        Returns
        -------
        tuple of tuples of int, or None
            None where it would take more than about ``MAX_STEPS`` steps.
        """
        try:
            return self._known[domains]
        except KeyError:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            found = self._solve([domains[i] for i in self._order]) if self._steps(domains) <= MAX_STEPS else None
            if found is not None:
                found = tuple([found[i] for i in self._back])
                self._known[domains] = found
            return found

    def _steps(self, domains: tuple[Domain, ...]) -> int:
        """About how many steps ``_solve`` would take, at most."""
        if prod(map(len, domains)) <= MAX_STEPS:
            return 0
        span = 1
        if self.is_sum and not self._is_counted:
            span += sum(abs(c) * (d[-1] - d[0]) for c, d in zip(self.coefficients, domains, strict=True))
        most = max(map(len, domains))
        total, assignments = 0, 1
        for i, position in enumerate(self._order):
            used = [sum(member < i for member in group) for group in self._groups if group[-1] >= i]
            states = span * prod([comb(most, min(count, most // 2)) for count in used])
            total += min(assignments, states) * len(domains[position])
            assignments *= len(domains[position])
        return total

    def _solve(self, domains: list[Domain]) -> tuple[Domain, ...] | None:
        """The supported values, with the variables in the order of search; None where that takes too many steps."""
        is_sum = self.is_sum
        open_ = [i for i, domain in enumerate(domains) if len(domain) > 1]
        if len(open_) <= (2 if self.at_most else 3):
            return self._solve_few(domains, open_)
        coefficients = [self.coefficients[i] if is_sum else 1 for i in self._order]
        images = [[c * value for value in domain] for c, domain in zip(coefficients, domains, strict=True)]
        low, high = _remaining(images, is_sum, self.at_most)
        marks, keep = _marks(domains, self._groups)
        states, total = {(self.bound, 0)}, 0
        layers = []
        for i, own in enumerate(images):
            least, most, kept = low[i], high[i], keep[i]
            moves = []
            for state in states:
                left, used = state
                for index, (image, mark) in enumerate(zip(own, marks[i], strict=True)):
                    if used & mark:
                        continue
                    if is_sum:
                        rest = left - image
                    elif left % image:
                        continue
                    else:
                        rest = left // image
                    if least <= rest <= most:
                        moves.append((state, index, (rest, (used | mark) & kept)))
            layers.append(moves)
            total += len(moves)
            if total > MAX_STEPS:
                return None
            states = {after for _, _, after in moves}
        found = []
        for domain, moves in zip(reversed(domains), reversed(layers), strict=True):
            useful = [(before, index) for before, index, after in moves if after in states]
            states = {before for before, _ in useful}
            found.append(tuple([domain[index] for index in sorted({index for _, index in useful})]))
        return tuple(found[::-1])

    def _solve_few(self, domains: list[Domain], open_: list[int]) -> tuple[Domain, ...]:
        """As ``_solve``, where few variables have more than one value."""
        fixed = {i: domain[0] for i, domain in enumerate(domains) if i not in open_}
        impossible = tuple([() for _ in domains])
        left = self.bound
        for i, value in fixed.items():
            if any(fixed.get(mate) == value for mate in self._mates[i]):
                return impossible
            if self.is_sum:
                left -= self.coefficients[self._order[i]] * value
            elif left % value:
                return impossible
            else:
                left //= value
        taken = [{fixed[mate] for mate in self._mates[i] if mate in fixed} for i in open_]
        values = [[v for v in domains[i] if v not in own] for i, own in zip(open_, taken, strict=True)]
        apart = [(a, b) for (a, i), (b, j) in combinations(enumerate(open_), 2) if j in self._mates[i]]
        rows = [
            row
            for row in self._rows(left, [self.coefficients[self._order[i]] for i in open_], values)
            if not any(row[a] == row[b] for a, b in apart)
        ]
        if not rows:
            return impossible
        found = list(domains)
        for i, column in zip(open_, zip(*rows, strict=True), strict=True):
            found[i] = tuple(sorted({*column}))
        return tuple(found)

    def _rows(self, left: int, factors: list[int], values: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """The assignments of a few variables that reach what is left."""
        if self.at_most:
            yield from (row for row in product(*values) if sum(map(mul, factors, row)) <= left)
            return
        if not values:
            yield from [()] if left == (0 if self.is_sum else 1) else []
            return
        last = {factors[-1] * value if self.is_sum else value: value for value in values[-1]}
        for row in product(*values[:-1]):
            if self.is_sum:
                value = last.get(left - sum(map(mul, factors, row)))
            else:
                whole, rest = divmod(left, prod(row))
                value = None if rest else last.get(whole)
            if value is not None:
                yield *row, value


cage = lru_cache(maxsize=1 << 12)(Cage)
"""The same cage for the same arguments, so that constraints of one shape share what is known."""


def _remaining(images: list[list[int]], is_sum: bool, at_most: bool) -> tuple[list[int], list[int]]:
    """The least and the greatest that may be left behind each variable."""
    low, high = [0 if is_sum else 1], [0 if is_sum else 1]
    for own in reversed(images[1:]):
        low.append(low[-1] + min(own) if is_sum else low[-1] * min(own))
        high.append(high[-1] + max(own) if is_sum else high[-1] * max(own))
    return low[::-1], [ENDLESS] * len(high) if at_most else high[::-1]


def _marks(domains: list[Domain], groups: Groups) -> tuple[list[list[int]], list[int]]:
    """For each variable and value the bits that say it is in use, and the bits that still matter behind a variable."""
    place = {value: i for i, value in enumerate(sorted({value for domain in domains for value in domain}))}
    width = len(place)
    fields = [sum(1 << width * n for n, group in enumerate(groups) if i in group) for i in range(len(domains))]
    marks = [[field << place[v] for v in domain] for field, domain in zip(fields, domains, strict=True)]
    full = (1 << width) - 1
    keep = [sum(full << width * n for n, group in enumerate(groups) if group[-1] > i) for i in range(len(domains))]
    return marks, keep
