"""Propagation of sums and products over all-different groups, by dynamic programming."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import comb, prod
from operator import mul
from typing import Any

from ....model import Domain
from ...effort import Meter
from ...memory import Memory
from .base import Masks, bits
from .supports import ANSWER_BYTES, Supports

UNLIMITED = 1 << 256
"""An upper bound that no partial sum reaches, for ``<=``."""

PositionGroups = tuple[tuple[int, ...], ...]
ValueTuple = tuple[int, ...]
Fold = Callable[[int, int], int | None]


class Cage(Supports):
    """A solver of one sum or product over groups of different variables, by dynamic programming.

    The constraint is ``c1*x1 + c2*x2 + ... = bound``, or ``x1*x2*... = bound`` without coefficients.

    Parameters
    ----------
    coefficients : tuple of int
        One for each variable. Empty for a product of positive variables.
    bound : int
    at_most : bool
        Whether the relation is ``<=`` instead of ``=``. Only for sums.
    groups : tuple of tuples of int
        Groups of positions whose variables differ.
    domains : tuple of tuples
        The values of each variable, ascending.
    steps : int
        Estimated number of steps beyond which the answer is None.
    memory : Memory
    meter : Meter, optional

    Notes
    -----
    Dynamic programming over states (rest of the bound, values in use): a forward pass finds the reachable states, a
    backward pass the states that reach the end. O(states * values). Answers are cached.

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
        meter: Meter | None = None,
    ) -> None:
        super().__init__(steps, memory, meter)
        self.bound = bound
        self.at_most = at_most
        self.is_sum = bool(coefficients)
        factors = coefficients or (1,) * len(domains)
        # The variables with the largest coefficients come first.
        self._order = sorted(range(len(domains)), key=lambda i: -abs(factors[i]))
        rank = {position: i for i, position in enumerate(self._order)}
        self._back = [rank[position] for position in range(len(domains))]
        self._factors = [factors[i] for i in self._order]
        self._domains: list[Any] = [domains[i] for i in self._order]
        self._groups = tuple(tuple(sorted(rank[position] for position in group)) for group in groups)
        # For each variable, the variables that differ from it.
        self._mates: list[set[int]] = [set() for _ in domains]
        for group in self._groups:
            for i in group:
                self._mates[i].update(set(group) - {i})
        # With one group and one coefficient, the values in use determine the sum.
        is_one_group = any(len(group) == len(domains) for group in groups)
        self._is_counted = is_one_group and len({*factors}) == 1 and self.is_sum
        self._step: Fold = _take if self.is_sum else _divide
        caches: dict[Domain, dict[int, list[int]]] = {domain: memory.cache() for domain in domains}
        self._decoded = [caches[domain] for domain in domains]
        self._all: tuple[Any, ...] = domains
        self._bit = [{value: 1 << i for i, value in enumerate(domain)} for domain in domains]

    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        domains = [self._values(i, masks[i]) for i in self._order]
        if self._steps(domains) > self._limit:
            return None
        self._meter.steps += min(self._limit, prod(map(len, domains)) // 2)
        values = self._solve(domains)
        if not values:
            return None if values is None else ()
        supports = [0] * len(masks)
        for i, remaining_values in zip(self._order, values, strict=True):
            bit = self._bit[i]
            supports[i] = sum([bit[value] for value in remaining_values])
        return supports

    def _values(self, position: int, mask: int) -> list[int]:
        """Return the numbers of a domain that is given as a mask."""
        cache = self._decoded[position]
        values = cache.get(mask)
        if values is None:
            domain = self._all[position]
            values = [domain[index] for index in bits(mask)]
            self._memory.take(ANSWER_BYTES)
            cache[mask] = values
        return values

    def _steps(self, domains: list[list[int]]) -> int:
        """Return an upper estimate of the number of steps of ``_solve``."""
        if prod(map(len, domains)) <= self._limit:
            return 0
        sums = 1
        if self.is_sum and not self._is_counted:
            sums += sum(abs(c) * (d[-1] - d[0]) for c, d in zip(self._factors, domains, strict=True))
        largest = max(map(len, domains))
        total, assignments = 0, 1
        # States before variable i: partial sums times the sets of values in use, or all assignments if fewer.
        for i, domain in enumerate(domains):
            used = [sum(member < i for member in group) for group in self._groups if group[-1] >= i]
            states = sums * prod([comb(largest, min(count, largest // 2)) for count in used])
            total += min(assignments, states) * len(domain)
            assignments *= len(domain)
        return total

    def _solve(self, domains: list[list[int]]) -> list[list[int]] | tuple[()] | None:
        """Return the supported values of each variable, in the internal order of the variables.

        Returns None beyond the limit of steps.
        """
        unfixed = [i for i, domain in enumerate(domains) if len(domain) > 1]
        if len(unfixed) <= (2 if self.at_most else 3):
            return self._solve_few(domains, unfixed)
        images = [[c * value for value in domain] for c, domain in zip(self._factors, domains, strict=True)]
        low, high = self._remaining(images)
        used_bits, relevant_bits = _marks(domains, self._groups)
        step = self._step
        # Forward pass: all moves from reachable states that leave a possible rest.
        states, total = {(self.bound, 0)}, 0
        layers = []
        for i, variable_images in enumerate(images):
            least, most, mask = low[i], high[i], relevant_bits[i]
            moves = []
            for state in states:
                rest, used = state
                for index, (image, bit) in enumerate(zip(variable_images, used_bits[i], strict=True)):
                    if used & bit:
                        continue
                    next_rest = step(rest, image)
                    if next_rest is not None and least <= next_rest <= most:
                        moves.append((state, index, (next_rest, (used | bit) & mask)))
            layers.append(moves)
            total += len(moves)
            if total > self._limit:
                return None
            states = {after for _, _, after in moves}
        if not states:
            return ()
        # Backward pass: a value is supported if one of its moves leads to a state that reaches the end.
        supports = []
        for domain, moves in zip(reversed(domains), reversed(layers), strict=True):
            supported = [(before, index) for before, index, after in moves if after in states]
            states = {before for before, _ in supported}
            supports.append([domain[index] for index in {index for _, index in supported}])
        return supports[::-1]

    def _solve_few(self, domains: list[list[int]], unfixed: list[int]) -> list[list[int]] | tuple[()]:
        """Return the supported values by enumeration, for at most three unfixed variables."""
        # Apply the fixed variables to the bound, and check their differences.
        fixed = {i: domain[0] for i, domain in enumerate(domains) if i not in unfixed}
        rest = self.bound
        for i, value in fixed.items():
            next_rest = self._step(rest, self._factors[i] * value)
            if next_rest is None or any(fixed.get(mate) == value for mate in self._mates[i]):
                return ()
            rest = next_rest
        # Remove the values of fixed mates, and enumerate the rest.
        used_by_mates = [{fixed[mate] for mate in self._mates[i] if mate in fixed} for i in unfixed]
        values = [[v for v in domains[i] if v not in used] for i, used in zip(unfixed, used_by_mates, strict=True)]
        different = [(a, b) for (a, i), (b, j) in combinations(enumerate(unfixed), 2) if j in self._mates[i]]
        rows = [
            row
            for row in self._rows(rest, [self._factors[i] for i in unfixed], values)
            if not any(row[a] == row[b] for a, b in different)
        ]
        if not rows:
            return ()
        supports = list(domains)
        for i, column in zip(unfixed, zip(*rows, strict=True), strict=True):
            supports[i] = list({*column})
        return supports

    def _rows(self, bound: int, factors: list[int], values: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """Yield the values of a few variables whose sum or product satisfies the bound."""
        if self.at_most:
            yield from (row for row in product(*values) if sum(map(mul, factors, row)) <= bound)
            return
        if not values:
            yield from [()] if bound == (0 if self.is_sum else 1) else []
            return
        # The last variable is determined by the others.
        last = {factors[-1] * value: value for value in values[-1]}
        for row in product(*values[:-1]):
            if self.is_sum:
                missing: int | None = bound - sum(map(mul, factors, row))
            else:
                missing = _divide(bound, prod(row))
            if missing in last:
                yield *row, last[missing]

    def _remaining(self, images: list[list[int]]) -> tuple[list[int], list[int]]:
        """Return the least and greatest contribution of all variables after each variable."""
        is_sum = self.is_sum
        low, high = [0 if is_sum else 1], [0 if is_sum else 1]
        for variable_images in reversed(images[1:]):
            low.append(low[-1] + min(variable_images) if is_sum else low[-1] * min(variable_images))
            high.append(high[-1] + max(variable_images) if is_sum else high[-1] * max(variable_images))
        return low[::-1], [UNLIMITED] * len(high) if self.at_most else high[::-1]


def _take(rest: int, image: int) -> int:
    """Return what remains of a sum after subtracting one term."""
    return rest - image


def _divide(product: int, factor: int) -> int | None:
    """Return what remains of a product after dividing by a factor, or None."""
    quotient, remainder = divmod(product, factor)
    return None if remainder else quotient


def _marks(domains: list[list[int]], groups: PositionGroups) -> tuple[list[list[int]], list[int]]:
    """Return the bits with which a state records the values in use.

    The first result has one entry for each variable and value. The second one is for each variable a mask of the bits
    that matter after it.
    """
    index = {value: i for i, value in enumerate(sorted({value for domain in domains for value in domain}))}
    # Each group has a field of one bit per value; a variable uses its value's bit in all fields of its groups.
    width = len(index)
    fields = [sum(1 << width * n for n, group in enumerate(groups) if i in group) for i in range(len(domains))]
    marks = [[field << index[v] for v in domain] for field, domain in zip(fields, domains, strict=True)]
    # After the last variable of a group, its field is cleared, so that states coincide.
    full = (1 << width) - 1
    keep = [sum(full << width * n for n, group in enumerate(groups) if group[-1] > i) for i in range(len(domains))]
    return marks, keep
