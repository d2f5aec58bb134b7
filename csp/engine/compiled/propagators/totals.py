"""Sums of variables over one domain, some of which differ: the cages of killer and kakuro, and the rule of 45."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Any

from ....model import Domain
from ...memory import Memory
from .base import Masks, bits
from .subsets import is_narrow, subsets_of
from .supports import Supports

MAX_SUM_SPAN = 4_000
"""Most distinct sums for which the bit representation is used."""

CACHED_SHAPES = 1_000
"""Shapes that a process keeps, over all programs."""


Clique = tuple[int, ...]
"""Variables of one coefficient that all differ, and from no other one."""


class SumShape:
    """What sums of one shape have in common, whatever they must be.

    Sums are counted from the least there can be, so that a set of sums is an integer: bit ``s`` for the sum ``s``.

    ``groups``: the positions of variables that differ; ``domain``: all values of every variable, ascending.

    Attributes
    ----------
    least : list of int
        For each variable the least multiple of a value.
    places : list of dict of int to int
        For each variable and bit of a value, by how much its multiple is more.
    mates : list of list of int
        The positions of the variables that differ from each.
    hubs : tuple of int
        Variables that are tried value by value.
    parts : tuple of tuples of int
        What the others fall into then.
    back : list of int
        The variables of the parts, the last part first.
    is_part : bool
        Whether the set of all values tells the sum.
    """

    def __init__(self, coefficients: tuple[int, ...], groups: tuple[tuple[int, ...], ...], domain: Domain) -> None:
        numbers: Any = domain
        self.coefficients = coefficients
        self.least = [min(c * numbers[0], c * numbers[-1]) for c in coefficients]
        of = dict(zip(coefficients, self.least, strict=True))
        places = {c: {1 << i: c * number - least for i, number in enumerate(numbers)} for c, least in of.items()}
        self.places = [places[c] for c in coefficients]
        self.mates: list[list[int]] = [
            sorted({j for group in groups if i in group for j in group if j != i}) for i in range(len(coefficients))
        ]
        self.subsets = subsets_of(domain)
        self.hubs, self.parts = self._split(range(len(coefficients)))
        self.back = [i for part in reversed(self.parts) for i in part]
        self.least_sum = sum(self.least)
        self.is_part = {*coefficients} == {1} and len(self.parts) == 1 and not self.hubs

    def _split(self, variables: Iterable[int]) -> tuple[Clique, tuple[Clique, ...]]:
        """Variables become hubs until the others fall into parts."""
        hubs: list[int] = []
        others = list(variables)
        while clashing := [i for i in others if self._clashes(i, others)]:
            hub = min(clashing, key=lambda i: (sum([self._clashes(j, others, i) for j in others if j != i]), i))
            others.remove(hub)
            hubs.append(hub)
        parts = {tuple(sorted([i, *[mate for mate in self.mates[i] if mate in others]])) for i in others}
        return tuple(hubs), tuple(sorted(parts, key=lambda part: (-len(part), part)))

    def _clashes(self, i: int, others: list[int], hub: int | None = None) -> bool:
        """Whether what differs from a variable, but for a hub, is not all of one coefficient and different by pairs."""
        near = [mate for mate in self.mates[i] if mate in others and mate != hub]
        if any(self.coefficients[mate] != self.coefficients[i] for mate in near):
            return True
        return any(other not in self.mates[one] for one, other in combinations(near, 2))

    def partners(self, bound: int) -> dict[int, int]:
        """Of two variables, for the bit of each value of the one that of the other that makes a sum of it."""
        one, other = self.places
        bit_at = {place: bit for bit, place in other.items()}
        found = {bit: bit_at[bound - place] for bit, place in one.items() if bound - place in bit_at}
        return {bit: mate for bit, mate in found.items() if bit != mate or not self.mates[0]}

    def sums(self, part: Clique, masks: Sequence[int]) -> int:
        """The sums that a part can have."""
        found = 0
        if len(part) == 1:
            places, mask = self.places[part[0]], masks[part[0]]
            while mask:
                bit = mask & -mask
                mask ^= bit
                found |= 1 << places[bit]
            return found
        family = self.subsets.prefix_families([masks[i] for i in part])[-1]
        coefficient, least = self.coefficients[part[0]], len(part) * self.least[part[0]]
        for total, own in self.subsets.totals_of_size(len(part)):
            if family & own:
                found |= 1 << coefficient * total - least
        return found

    def find_supports(self, part: Clique, masks: Sequence[int], allowed: int) -> list[int] | None:
        """The values that a part takes where its sum is an allowed one; None where there are none."""
        first = part[0]
        if len(part) == 1:
            places, mask, found = self.places[first], masks[first], 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                if allowed >> places[bit] & 1:
                    found |= bit
            return [found] if found else None
        coefficient, least, wanted = self.coefficients[first], len(part) * self.least[first], 0
        for place in bits(allowed):
            total, rest = divmod(place + least, coefficient)
            wanted |= 0 if rest else self.subsets.by_total.get(total, 0)
        return self.subsets.find_supports([masks[i] for i in part], wanted)


def has_shape(coefficients: tuple[int, ...], domain: Domain) -> bool:
    """Whether a domain has so few numbers, and sums of them are so near each other, that ``Totals`` can do them."""
    numbers: Any = domain
    return sum(map(abs, coefficients)) * (numbers[-1] - numbers[0]) <= MAX_SUM_SPAN and is_narrow(numbers)


shape_of = lru_cache(maxsize=CACHED_SHAPES)(SumShape)
"""That of coefficients, groups and a domain, made once."""


class Totals(Supports):
    """``c1*x1 + c2*x2 + ... = bound`` over one domain, in which groups of variables differ.

    ``at_most``: whether ``<=`` is meant instead of ``=``; ``steps``: about how many steps an answer may take.

    Notes
    -----
    Variables of one coefficient that all differ are a *part*: the set of their values tells its sum (``Subsets``).
    Over the parts goes dynamic programming on sets of sums. Variables whose differences do not fit into parts, the
    hubs, are tried value by value.

    References
    ----------
    .. [1] M. A. Trick, "A dynamic programming approach for consistency and propagation for knapsack constraints", 2003.
    .. [2] H. Simonis, "Kakuro as a constraint problem", 2008.

    Examples
    --------
    >>> cage = Totals(SumShape((1, 1), ((0, 1),), (1, 2, 3, 4)), 4, False, 1500, Memory(10000))
    >>> [bin(mask) for mask in cage.find_supports((0b1111, 0b1111))], cage.find_supports((0b0010, 0b0010))
    (['0b101', '0b101'], ())
    """

    def __init__(self, shape: SumShape, bound: int, at_most: bool, steps: int, memory: Memory) -> None:
        super().__init__(steps, memory)
        self._shape = shape
        self._at_most = at_most
        self._bound = bound - shape.least_sum
        self._wanted = shape.subsets.by_total.get(bound, 0) if shape.is_part and not at_most else None
        self._partners = shape.partners(self._bound) if len(shape.places) == 2 and not at_most else None

    def find_supports(self, masks: tuple[int, ...]) -> Masks | None:
        return super().find_supports(masks) if self._partners is None else _pair(self._partners, *masks)

    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        if self._wanted is not None:
            return self._shape.subsets.find_supports(masks, self._wanted) or ()
        tried = prod([masks[hub].bit_count() for hub in self._shape.hubs])
        if max(tried, len(self._shape.parts)) * sum([mask.bit_count() for mask in masks]) > self._most:
            return None
        found = [0] * len(masks)
        return found if self._bound >= 0 and self._try_hubs(0, masks, self._bound, found) else ()

    def _try_hubs(self, number: int, masks: Sequence[int], rest: int, found: list[int]) -> bool:
        """Add what stands in a solution, and tell whether anything does; the hubs from a number on are open."""
        shape = self._shape
        if number == len(shape.hubs):
            return self._add_supports(masks, rest, found)
        hub, holds = shape.hubs[number], False
        places, mates, mask = shape.places[hub], shape.mates[hub], masks[hub]
        while mask:
            bit = mask & -mask
            mask ^= bit
            behind = rest - places[bit]
            below = list(masks)
            for mate in mates:
                below[mate] &= ~bit
            if behind >= 0 and all(below) and self._try_hubs(number + 1, below, behind, found):
                found[hub] |= bit
                holds = True
        return holds

    def _add_supports(self, masks: Sequence[int], rest: int, found: list[int]) -> bool:
        """As ``_try``, where the parts are independent but for their sum."""
        shape, parts = self._shape, self._shape.parts
        wanted = (1 << rest + 1) - 1 if self._at_most else 1 << rest
        sums = [shape.sums(part, masks) for part in parts]
        before = [1]
        for own in sums[:-1]:
            before.append(_sumset(before[-1], own))
        kept: list[int] = []
        for at in range(len(parts) - 1, -1, -1):
            own, behind = sums[at], before[at]
            allowed = needed = 0
            while own:
                bit = own & -own
                own ^= bit
                there = wanted >> bit.bit_length() - 1 & behind
                if there:
                    allowed |= bit
                    needed |= there
            wanted = needed
            if not wanted or (one := shape.find_supports(parts[at], masks, allowed)) is None:
                return False
            kept += one
        for i, mask in zip(shape.back, kept, strict=True):
            found[i] |= mask
        return True


def _pair(partners: dict[int, int], one: int, other: int) -> tuple[int, ...]:
    """The values of two variables that have a partner."""
    mine = theirs = 0
    while one:
        bit = one & -one
        one ^= bit
        mate = partners.get(bit, 0) & other
        if mate:
            mine |= bit
            theirs |= mate
    return (mine, theirs) if mine else ()


def _sumset(some: int, others: int) -> int:
    """The sums of one of some and one of others."""
    found = 0
    while others:
        bit = others & -others
        others ^= bit
        found |= some << bit.bit_length() - 1
    return found
