"""Sums and products of variables some of which differ: the cages of killer, kakuro and kenken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import comb, prod
from operator import mul
from typing import Any

from ....model import Domain
from ...memory import Memory
from .base import Masks, bits
from .supports import ANSWER_BYTES, Supports

UNLIMITED = 1 << 256

PositionGroups = tuple[tuple[int, ...], ...]
ValueTuple = tuple[int, ...]
Fold = Callable[[int, int], int | None]


class Cage(Supports):
    """``c1*x1 + c2*x2 + ... = bound`` in which groups of variables differ; or ``x1*x2*... = bound``.

    ``coefficients``: one for each variable; none for a product of positive variables; ``at_most``: whether ``<=`` is
    meant instead of ``=``; for sums only; ``groups``: the positions of variables that differ; ``domains``: all values
    of each variable, ascending; ``steps``: about how many steps an answer may take.

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
    >>> digits, memory = tuple(range(1, 5)), Memory(1000)
    >>> [bin(mask) for mask in Cage((1, 1), 4, False, ((0, 1),), (digits,) * 2, 1500, memory).find_supports((15, 15))]
    ['0b101', '0b101']
    >>> [bin(mask) for mask in Cage((), 12, False, (), (digits,) * 2, 1500, memory).find_supports((15, 15))]
    ['0b1100', '0b1100']
    """

    def __init__(
        self,
        coefficients: ValueTuple,
        bound: int,
        at_most: bool,
        groups: PositionGroups,
        domains: tuple[Domain, ...],
        steps: int,
        memory: Memory,
    ) -> None:
        super().__init__(steps, memory)
        self.bound = bound
        self.at_most = at_most
        self.is_sum = bool(coefficients)
        factors = coefficients or (1,) * len(domains)
        self._order = sorted(range(len(domains)), key=lambda i: -abs(factors[i]))
        rank = {position: i for i, position in enumerate(self._order)}
        self._back = [rank[position] for position in range(len(domains))]
        self._factors = [factors[i] for i in self._order]
        self._domains: list[Any] = [domains[i] for i in self._order]
        self._groups = tuple(tuple(sorted(rank[position] for position in group)) for group in groups)
        self._mates: list[set[int]] = [set() for _ in domains]
        for group in self._groups:
            for i in group:
                self._mates[i].update(set(group) - {i})
        whole = any(len(group) == len(domains) for group in groups)
        self._is_counted = whole and len({*factors}) == 1 and self.is_sum  # the values in use tell the sum
        self._step: Fold = _take if self.is_sum else _divide
        caches: dict[Domain, dict[int, list[int]]] = {domain: memory.cache() for domain in domains}
        self._decoded = [caches[domain] for domain in domains]
        self._all: tuple[Any, ...] = domains
        self._bit = [{value: 1 << i for i, value in enumerate(domain)} for domain in domains]

    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        domains = [self._values(i, masks[i]) for i in self._order]
        if self._steps(domains) > self._most:
            return None
        self._memory.steps += min(self._most, prod(map(len, domains)) // 2)
        values = self._solve(domains)
        if not values:
            return None if values is None else ()
        found = [0] * len(masks)
        for i, own in zip(self._order, values, strict=True):
            bit = self._bit[i]
            found[i] = sum([bit[value] for value in own])
        return found

    def _values(self, position: int, mask: int) -> list[int]:
        """The values of a mask."""
        known = self._decoded[position]
        values = known.get(mask)
        if values is None:
            domain = self._all[position]
            values = [domain[index] for index in bits(mask)]
            self._memory.take(ANSWER_BYTES)
            known[mask] = values
        return values

    def _steps(self, domains: list[list[int]]) -> int:
        """About how many steps ``_solve`` would take, at most."""
        if prod(map(len, domains)) <= self._most:
            return 0
        span = 1
        if self.is_sum and not self._is_counted:
            span += sum(abs(c) * (d[-1] - d[0]) for c, d in zip(self._factors, domains, strict=True))
        most = max(map(len, domains))
        total, assignments = 0, 1
        for i, domain in enumerate(domains):
            used = [sum(member < i for member in group) for group in self._groups if group[-1] >= i]
            states = span * prod([comb(most, min(count, most // 2)) for count in used])
            total += min(assignments, states) * len(domain)
            assignments *= len(domain)
        return total

    def _solve(self, domains: list[list[int]]) -> list[list[int]] | tuple[()] | None:
        """The supported values, with the variables in the order of search; None where that takes too many steps."""
        open_ = [i for i, domain in enumerate(domains) if len(domain) > 1]
        if len(open_) <= (2 if self.at_most else 3):
            return self._solve_few(domains, open_)
        images = [[c * value for value in domain] for c, domain in zip(self._factors, domains, strict=True)]
        low, high = self._remaining(images)
        marks, keep = _marks(domains, self._groups)
        step = self._step
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
                    rest = step(left, image)
                    if rest is not None and least <= rest <= most:
                        moves.append((state, index, (rest, (used | mark) & kept)))
            layers.append(moves)
            total += len(moves)
            if total > self._most:
                return None
            states = {after for _, _, after in moves}
        if not states:
            return ()
        found = []
        for domain, moves in zip(reversed(domains), reversed(layers), strict=True):
            useful = [(before, index) for before, index, after in moves if after in states]
            states = {before for before, _ in useful}
            found.append([domain[index] for index in {index for _, index in useful}])
        return found[::-1]

    def _solve_few(self, domains: list[list[int]], open_: list[int]) -> list[list[int]] | tuple[()]:
        """As ``_solve``, where few variables have more than one value."""
        fixed = {i: domain[0] for i, domain in enumerate(domains) if i not in open_}
        left = self.bound
        for i, value in fixed.items():
            after = self._step(left, self._factors[i] * value)
            if after is None or any(fixed.get(mate) == value for mate in self._mates[i]):
                return ()
            left = after
        taken = [{fixed[mate] for mate in self._mates[i] if mate in fixed} for i in open_]
        values = [[v for v in domains[i] if v not in own] for i, own in zip(open_, taken, strict=True)]
        apart = [(a, b) for (a, i), (b, j) in combinations(enumerate(open_), 2) if j in self._mates[i]]
        rows = [
            row
            for row in self._rows(left, [self._factors[i] for i in open_], values)
            if not any(row[a] == row[b] for a, b in apart)
        ]
        if not rows:
            return ()
        found = list(domains)
        for i, column in zip(open_, zip(*rows, strict=True), strict=True):
            found[i] = list({*column})
        return found

    def _rows(self, left: int, factors: list[int], values: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """The assignments of a few variables that reach what is left."""
        if self.at_most:
            yield from (row for row in product(*values) if sum(map(mul, factors, row)) <= left)
            return
        if not values:
            yield from [()] if left == (0 if self.is_sum else 1) else []
            return
        last = {factors[-1] * value: value for value in values[-1]}
        for row in product(*values[:-1]):
            if self.is_sum:
                rest: int | None = left - sum(map(mul, factors, row))
            else:
                rest = _divide(left, prod(row))
            if rest in last:
                yield *row, last[rest]

    def _remaining(self, images: list[list[int]]) -> tuple[list[int], list[int]]:
        """The least and the greatest that may be left behind each variable."""
        is_sum = self.is_sum
        low, high = [0 if is_sum else 1], [0 if is_sum else 1]
        for own in reversed(images[1:]):
            low.append(low[-1] + min(own) if is_sum else low[-1] * min(own))
            high.append(high[-1] + max(own) if is_sum else high[-1] * max(own))
        return low[::-1], [UNLIMITED] * len(high) if self.at_most else high[::-1]


def _take(left: int, image: int) -> int:
    return left - image


def _divide(left: int, image: int) -> int | None:
    whole, rest = divmod(left, image)
    return None if rest else whole


def _marks(domains: list[list[int]], groups: PositionGroups) -> tuple[list[list[int]], list[int]]:
    """For each variable and value the bits that say it is in use, and the bits that still matter behind a variable."""
    place = {value: i for i, value in enumerate(sorted({value for domain in domains for value in domain}))}
    width = len(place)
    fields = [sum(1 << width * n for n, group in enumerate(groups) if i in group) for i in range(len(domains))]
    marks = [[field << place[v] for v in domain] for field, domain in zip(fields, domains, strict=True)]
    full = (1 << width) - 1
    keep = [sum(full << width * n for n, group in enumerate(groups) if group[-1] > i) for i in range(len(domains))]
    return marks, keep
