"""Exact propagation of sums over variables of one domain, by families of sets of values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Any

from ....model import Domain
from ...effort import Meter
from ...memory import Memory
from .base import Masks, bits

MISS_PASSES = 2
"""Steps that are counted for each value if an answer is not in the cache."""

ANSWER_BYTES = 300
"""Estimated bytes of a cached answer."""


class Supports(ABC):
    """A base class of solvers of one constraint that cache the supported values.

    ``steps``: estimated number of steps beyond which the answer is None; ``meter``: counts the steps of answers
    that are not in the cache.
    """

    def __init__(self, steps: int, memory: Memory, meter: Meter | None = None) -> None:
        self._limit = steps
        self._memory = memory
        self._meter = meter or Meter()
        self._cache: dict[Masks, Masks | None] = memory.cache()

    def find_supports(self, masks: tuple[int, ...]) -> Masks | None:
        """Return for each variable the values that occur in a solution of the constraint.

        ``masks``: the domain of each variable; a product needs positive values. Returns an empty tuple if the
        constraint cannot hold, and None if the answer would need too many steps.
        """
        cache = self._cache
        if masks in cache:
            return cache[masks]
        self._meter.steps += MISS_PASSES * sum([mask.bit_count() for mask in masks])
        supports = self._compute(masks)
        self._memory.take(2 * ANSWER_BYTES)
        if supports:
            supports = tuple(supports)
            # The propagator runs again after its own removals: supports are their own supports.
            cache[supports] = supports
        cache[masks] = supports
        return supports

    @abstractmethod
    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        """Return the supported values for domains that are not in the cache."""


MAX_FAMILY_BITS = 10_000_000
"""Maximum number of bits of all families of one domain together: 24,000 for nine digits, 9 million for 16."""

CACHED_DOMAINS = 8
"""Maximum number of domains whose families a process caches."""


def is_narrow(numbers: Sequence[int]) -> bool:
    """Return whether the `Subsets` of these numbers stay within ``MAX_FAMILY_BITS``.

    The numbers must be few, and near each other, so that few sums occur.

    Examples
    --------
    >>> is_narrow(range(1, 10)), is_narrow(range(1, 15)), is_narrow(range(1, 20)), is_narrow([2**n for n in range(14)])
    (True, True, False, False)
    """
    sets = 1 << min(len(numbers), 32)
    sums = sum([number for number in numbers if number > 0]) - sum([number for number in numbers if number < 0])
    return min(sums + 1, sets) * sets <= MAX_FAMILY_BITS


class Subsets:
    """All subsets of a few numbers by sum; a family of subsets is one integer.

    A set is a mask. A *family* of sets is an integer: bit ``s`` is set if the family contains the set with mask ``s``.
    A number is added to all sets of a family at once: the sets without it move up by its bit.

    ``numbers``: see ``is_narrow``.

    Attributes
    ----------
    by_total : dict of int to int
        For each sum of numbers the family of the sets with that sum.

    Examples
    --------
    >>> digits = Subsets((1, 2, 3, 4))
    >>> [bin(mask) for mask in digits.find_supports([0b1111, 0b1111], digits.by_total[4])]
    ['0b101', '0b101']
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        all_sets = (1 << (1 << len(numbers))) - 1
        self.by_total = {0: 1}
        self._lacking: dict[int, int] = {}
        self._totals_by_size: dict[int, list[tuple[int, int]]] = {}
        for index, number in enumerate(numbers):
            bit = 1 << index
            # The family of all sets without this number: alternating blocks of ``bit`` zeros and ones.
            self._lacking[bit] = all_sets // ((1 << 2 * bit) - 1) * ((1 << bit) - 1)
            totals = [*self.by_total.items()]
            for total, family in totals:
                self.by_total[total + number] = self.by_total.get(total + number, 0) | family << bit

    def totals_of_size(self, size: int) -> list[tuple[int, int]]:
        """Return pairs: every sum of ``size`` different numbers, and the family of its sets."""
        if size not in self._totals_by_size:
            all_of_size = self.prefix_families([(1 << len(self._lacking)) - 1] * size)[-1]
            totals = [(total, family & all_of_size) for total, family in self.by_total.items() if family & all_of_size]
            self._totals_by_size[size] = totals
        return self._totals_by_size[size]

    def prefix_families(self, masks: Sequence[int]) -> list[int]:
        """Return for each position the family of value sets that the variables before can have.

        The last family belongs to all variables.
        """
        family, lacking = 1, self._lacking
        families = [family]
        for mask in masks:
            next_family = 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                next_family |= (family & lacking[bit]) << bit
            families.append(family := next_family)
        return families

    def find_supports(self, masks: Sequence[int], allowed: int, prefixes: list[int] | None = None) -> list[int] | None:
        """Return each variable's values that occur in assignments with an allowed value set.

        ``masks``: the values of each variable; ``allowed``: a family; ``prefixes``: the result of ``prefix_families``
        for these masks. Returns None if no assignment has a set of the family.

        Notes
        -----
        Two operations on a family for each value of each variable, once forward and once backward.
        """
        lacking = self._lacking
        supports = []
        prefixes = prefixes or self.prefix_families(masks[:-1])
        # Backward over the variables: remove each value from the allowed sets, and keep those that a prefix can be.
        for position in range(len(masks) - 1, -1, -1):
            mask, family = masks[position], prefixes[position]
            supported = needed = 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                solutions = allowed >> bit & family & lacking[bit]
                if solutions:
                    supported |= bit
                    needed |= solutions
            if not supported:
                return None
            supports.append(supported)
            allowed = needed
        return supports[::-1]


@lru_cache(maxsize=CACHED_DOMAINS)
def subsets_of(numbers: tuple[int, ...]) -> Subsets:
    """Return the cached `Subsets` of some numbers."""
    return Subsets(numbers)


MAX_SUM_SPAN = 4_000
"""Maximum number of distinct sums for which a set of sums is one integer. Beyond, `Cage` is used."""

CACHED_SHAPES = 1_000
"""Maximum number of shapes that a process caches, for all programs."""


Clique = tuple[int, ...]
"""A *part*: variables with equal coefficients that all differ from each other, and from no variable outside."""


class SumShape:
    """The structure of a sum without its bound: coefficients, groups of different variables, domain.

    All sums of one structure share it. A sum is counted from the least possible one, so that a set of sums is an
    integer: bit ``s`` for the sum ``s``.

    Parameters
    ----------
    coefficients : tuple of int
    groups : tuple of tuples of int
        Groups of positions whose variables differ.
    domain : tuple of int
        The values of every variable, ascending.

    Attributes
    ----------
    least : list of int
        For each variable the least multiple of a value.
    places : list of dict of int to int
        For each variable and bit of a value, the difference of its multiple from the least one.
    mates : list of list of int
        For each variable the positions of the variables that differ from it.
    hubs : tuple of int
        Variables that are tried value by value, because their differences do not fit into parts.
    parts : tuple of tuples of int
        The parts of the other variables.
    back : list of int
        The variables of the parts, the last part first.
    is_part : bool
        Whether all variables are one part with coefficient 1, so that the set of values determines the sum.
    """

    def __init__(self, coefficients: tuple[int, ...], groups: tuple[tuple[int, ...], ...], domain: Domain) -> None:
        numbers: Any = domain
        self.coefficients = coefficients
        self.least = [min(c * numbers[0], c * numbers[-1]) for c in coefficients]
        least_of = dict(zip(coefficients, self.least, strict=True))
        places = {c: {1 << i: c * number - least for i, number in enumerate(numbers)} for c, least in least_of.items()}
        self.places = [places[c] for c in coefficients]
        self.mates: list[list[int]] = [
            sorted({j for group in groups if i in group for j in group if j != i}) for i in range(len(coefficients))
        ]
        self.subsets = subsets_of(domain)
        self.hubs, self.parts = self._split(range(len(coefficients)))
        self.back = [i for part in reversed(self.parts) for i in part]
        self.least_sum = sum(self.least)
        self.is_part = {*coefficients} == {1} and len(self.parts) == 1 and not self.hubs

    def _split(self, positions: Iterable[int]) -> tuple[Clique, tuple[Clique, ...]]:
        """Split variables into hubs, which are tried value by value, and parts of different variables."""
        hubs: list[int] = []
        remaining = list(positions)
        while clashing := [i for i in remaining if self._clashes(i, remaining)]:
            # The best hub leaves the fewest clashes among the others.
            hub = min(clashing, key=lambda i: (sum([self._clashes(j, remaining, i) for j in remaining if j != i]), i))
            remaining.remove(hub)
            hubs.append(hub)
        parts = {tuple(sorted([i, *[mate for mate in self.mates[i] if mate in remaining]])) for i in remaining}
        return tuple(hubs), tuple(sorted(parts, key=lambda part: (-len(part), part)))

    def _clashes(self, i: int, remaining: list[int], hub: int | None = None) -> bool:
        """Return whether a variable and those that differ from it cannot form a part.

        The variables of a part have equal coefficients and all differ.
        """
        mates = [mate for mate in self.mates[i] if mate in remaining and mate != hub]
        if any(self.coefficients[mate] != self.coefficients[i] for mate in mates):
            return True
        return any(right not in self.mates[left] for left, right in combinations(mates, 2))

    def partners(self, bound: int) -> dict[int, int]:
        """Map the first variable's value bits to those of the second that complete the sum."""
        left, right = self.places
        bit_at = {place: bit for bit, place in right.items()}
        partner_of = {bit: bit_at[bound - place] for bit, place in left.items() if bound - place in bit_at}
        return {bit: mate for bit, mate in partner_of.items() if bit != mate or not self.mates[0]}

    def sums(self, part: Clique, masks: Sequence[int]) -> int:
        """Return the possible sums of a part (variables that all differ), as bits."""
        sums = 0
        if len(part) == 1:
            places, mask = self.places[part[0]], masks[part[0]]
            while mask:
                bit = mask & -mask
                mask ^= bit
                sums |= 1 << places[bit]
            return sums
        # A sum is possible if one of the sets with that sum is a possible set of values.
        family = self.subsets.prefix_families([masks[i] for i in part])[-1]
        coefficient, least = self.coefficients[part[0]], len(part) * self.least[part[0]]
        for total, sum_family in self.subsets.totals_of_size(len(part)):
            if family & sum_family:
                sums |= 1 << coefficient * total - least
        return sums

    def find_supports(self, part: Clique, masks: Sequence[int], allowed: int) -> list[int] | None:
        """Return the values of a part (different variables) for an allowed sum, or None."""
        first = part[0]
        if len(part) == 1:
            places, mask, supported = self.places[first], masks[first], 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                if allowed >> places[bit] & 1:
                    supported |= bit
            return [supported] if supported else None
        coefficient, least, family = self.coefficients[first], len(part) * self.least[first], 0
        # Collect the sets of all allowed sums.
        for place in bits(allowed):
            total, remainder = divmod(place + least, coefficient)
            family |= 0 if remainder else self.subsets.by_total.get(total, 0)
        return self.subsets.find_supports([masks[i] for i in part], family)


def has_shape(coefficients: tuple[int, ...], domain: Domain) -> bool:
    """Return whether a domain is small enough for `Totals` with these coefficients."""
    numbers: Any = domain
    return sum(map(abs, coefficients)) * (numbers[-1] - numbers[0]) <= MAX_SUM_SPAN and is_narrow(numbers)


shape_of = lru_cache(maxsize=CACHED_SHAPES)(SumShape)
"""Return the cached `SumShape` of coefficients, groups and a domain."""


class Totals(Supports):
    """A solver of one sum over one domain, by families of value sets.

    The constraint is ``c1*x1 + c2*x2 + ... = bound``, in which groups of variables differ.

    ``at_most``: whether the relation is ``<=`` instead of ``=``; ``steps``: estimated number of steps from which there
    is no answer.

    Notes
    -----
    The variables of a *part* have equal coefficients and all differ: the set of their values determines their sum
    (`Subsets`). Dynamic programming on sets of sums combines the parts. *Hubs*, the variables whose differences do not
    fit into parts, are tried value by value.

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

    def __init__(
        self, shape: SumShape, bound: int, at_most: bool, steps: int, memory: Memory, meter: Meter | None = None
    ) -> None:
        super().__init__(steps, memory, meter)
        self._shape = shape
        self._at_most = at_most
        self._bound = bound - shape.least_sum
        self._allowed_sets = shape.subsets.by_total.get(bound, 0) if shape.is_part and not at_most else None
        self._partners = shape.partners(self._bound) if len(shape.places) == 2 and not at_most else None

    def find_supports(self, masks: tuple[int, ...]) -> Masks | None:
        return super().find_supports(masks) if self._partners is None else _pair(self._partners, *masks)

    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        # One part: the sets with the bound as their sum. Else the hubs and the parts.
        if self._allowed_sets is not None:
            return self._shape.subsets.find_supports(masks, self._allowed_sets) or ()
        hub_assignments = prod([masks[hub].bit_count() for hub in self._shape.hubs])
        if max(hub_assignments, len(self._shape.parts)) * sum([mask.bit_count() for mask in masks]) > self._limit:
            return None
        supports = [0] * len(masks)
        return supports if self._bound >= 0 and self._try_hubs(0, masks, self._bound, supports) else ()

    def _try_hubs(self, index: int, masks: Sequence[int], rest: int, supports: list[int]) -> bool:
        """Enumerate hub values from ``index`` on; extend ``supports``, return whether solutions exist.

        Hubs are variables that are tried value by value.
        """
        shape = self._shape
        if index == len(shape.hubs):
            return self._add_supports(masks, rest, supports)
        hub, has_solution = shape.hubs[index], False
        places, mates, mask = shape.places[hub], shape.mates[hub], masks[hub]
        while mask:
            bit = mask & -mask
            mask ^= bit
            next_rest = rest - places[bit]
            # Fix the hub, and remove its value from the variables that differ from it.
            next_masks = list(masks)
            for mate in mates:
                next_masks[mate] &= ~bit
            if next_rest >= 0 and all(next_masks) and self._try_hubs(index + 1, next_masks, next_rest, supports):
                supports[hub] |= bit
                has_solution = True
        return has_solution

    def _add_supports(self, masks: Sequence[int], rest: int, supports: list[int]) -> bool:
        """Add to ``supports`` non-hub variables' values in solutions; return whether any exists."""
        shape, parts = self._shape, self._shape.parts
        allowed_rest = (1 << rest + 1) - 1 if self._at_most else 1 << rest
        # Forward: the sums of each part, and of all parts before each part.
        sums = [shape.sums(part, masks) for part in parts]
        prefix_sums = [1]
        for part_sums in sums[:-1]:
            prefix_sums.append(_sumset(prefix_sums[-1], part_sums))
        # Backward: the sums of each part that the parts before it complete to the bound.
        part_supports: list[int] = []
        for index in range(len(parts) - 1, -1, -1):
            part_sums, reachable = sums[index], prefix_sums[index]
            allowed = needed = 0
            while part_sums:
                bit = part_sums & -part_sums
                part_sums ^= bit
                solutions = allowed_rest >> bit.bit_length() - 1 & reachable
                if solutions:
                    allowed |= bit
                    needed |= solutions
            allowed_rest = needed
            if not allowed_rest or (supported := shape.find_supports(parts[index], masks, allowed)) is None:
                return False
            part_supports += supported
        for i, mask in zip(shape.back, part_supports, strict=True):
            supports[i] |= mask
        return True


def _pair(partners: dict[int, int], left: int, right: int) -> tuple[int, ...]:
    """Return the values of two variables that have partners, or ()."""
    left_supported = right_supported = 0
    while left:
        bit = left & -left
        left ^= bit
        mate = partners.get(bit, 0) & right
        if mate:
            left_supported |= bit
            right_supported |= mate
    return (left_supported, right_supported) if left_supported else ()


def _sumset(left: int, right: int) -> int:
    """Return as bits all sums of one number from each of two sets."""
    sums = 0
    while right:
        bit = right & -right
        right ^= bit
        sums |= left << bit.bit_length() - 1
    return sums
