"""Families of sets of numbers, each family one integer: which sets variables that all differ can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

MAX_FAMILY_BITS = 10_000_000
"""Most bits of all families of one domain together: 24,000 for nine digits, 9 million for 16."""

CACHED_DOMAINS = 8
"""Domains whose families a process keeps."""


def is_narrow(numbers: Sequence[int]) -> bool:
    """Whether numbers are so few, and so near each other, that there are ``Subsets`` of them.

    Examples
    --------
    >>> is_narrow(range(1, 10)), is_narrow(range(1, 15)), is_narrow(range(1, 20)), is_narrow([2**n for n in range(14)])
    (True, True, False, False)
    """
    sets = 1 << min(len(numbers), 32)
    sums = sum([number for number in numbers if number > 0]) - sum([number for number in numbers if number < 0])
    return min(sums + 1, sets) * sets <= MAX_FAMILY_BITS


class Subsets:
    """The sets of a few numbers. A set is a mask, a *family* of sets is an integer that has bit ``s`` for a set ``s``.

    A number joins all sets of a family at once: those that lack it move up by its bit.

    ``numbers``: see ``is_narrow``.

    Attributes
    ----------
    by_total : dict of int to int
        For every sum that some numbers have the family of their sets.

    Examples
    --------
    >>> digits = Subsets((1, 2, 3, 4))
    >>> [bin(mask) for mask in digits.find_supports([0b1111, 0b1111], digits.by_total[4])]
    ['0b101', '0b101']
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        every = (1 << (1 << len(numbers))) - 1
        self.by_total = {0: 1}
        self._lacking: dict[int, int] = {}
        self._of_size: dict[int, list[tuple[int, int]]] = {}
        for index, number in enumerate(numbers):
            bit = 1 << index
            self._lacking[bit] = every // ((1 << 2 * bit) - 1) * ((1 << bit) - 1)
            before = [*self.by_total.items()]
            for total, family in before:
                self.by_total[total + number] = self.by_total.get(total + number, 0) | family << bit

    def totals_of_size(self, size: int) -> list[tuple[int, int]]:
        """Every sum of ``count`` numbers, with the family of the sets that have it."""
        if size not in self._of_size:
            every = self.prefix_families([(1 << len(self._lacking)) - 1] * size)[-1]
            found = [(total, family & every) for total, family in self.by_total.items() if family & every]
            self._of_size[size] = found
        return self._of_size[size]

    def prefix_families(self, masks: Sequence[int]) -> list[int]:
        """Before each variable, and behind the last, the sets that those before it can be; they all differ.

        ``masks``: the values of each variable.
        """
        family, lacking = 1, self._lacking
        found = [family]
        for mask in masks:
            after = 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                after |= (family & lacking[bit]) << bit
            found.append(family := after)
        return found

    def find_supports(self, masks: Sequence[int], wanted: int, reached: list[int] | None = None) -> list[int] | None:
        """The values that variables take where they all differ and are a set of a family; None if that cannot be.

        ``wanted``: a family; ``reached``: of these masks, where that is known.

        Notes
        -----
        Two operations on a family for each value of each variable, once forward and once backward.
        """
        lacking = self._lacking
        found = []
        reached = reached or self.prefix_families(masks[:-1])
        for at in range(len(masks) - 1, -1, -1):
            mask, family = masks[at], reached[at]
            own = before = 0
            while mask:
                bit = mask & -mask
                mask ^= bit
                there = wanted >> bit & family & lacking[bit]
                if there:
                    own |= bit
                    before |= there
            if not own:
                return None
            found.append(own)
            wanted = before
        return found[::-1]


@lru_cache(maxsize=CACHED_DOMAINS)
def subsets_of(numbers: tuple[int, ...]) -> Subsets:
    """Those of a domain, made once."""
    return Subsets(numbers)
