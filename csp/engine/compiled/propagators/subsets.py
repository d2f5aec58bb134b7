"""Sets of numbers as bits of integers, for sums of different variables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

MAX_FAMILY_BITS = 10_000_000
"""Maximum number of bits of all families of one domain together: 24,000 for nine digits, 9 million for 16."""

CACHED_DOMAINS = 8
"""Maximum number of domains whose families a process caches."""


def is_narrow(numbers: Sequence[int]) -> bool:
    """Return whether `Subsets` of these numbers fit into memory.

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
    """All sets of a few numbers, as families (integers) by their sum.

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
        """Return every sum of ``size`` different numbers, with the sets that have the sum."""
        if size not in self._totals_by_size:
            all_of_size = self.prefix_families([(1 << len(self._lacking)) - 1] * size)[-1]
            totals = [(total, family & all_of_size) for total, family in self.by_total.items() if family & all_of_size]
            self._totals_by_size[size] = totals
        return self._totals_by_size[size]

    def prefix_families(self, masks: Sequence[int]) -> list[int]:
        """Return for each position the possible value sets of the variables before it.

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
        """Return the values of different variables that are part of an allowed set of values.

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
