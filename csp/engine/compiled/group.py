"""Groups: all_different constraints whose expressions have one variable each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import overload

from ...model import Affine, Domain, Value


class Group:
    """An all_different constraint whose expressions, the elements, have one variable each.

    A *block* is a group of plain variables with equal domains. The bits that a candidate excludes there are one
    pattern, shifted. A *permutation* is a group with as many values as elements, so every value has exactly one place.

    Parameters
    ----------
    number : int
        The number of the constraint.
    begin : int
        The lowest bit of the exactly-one sets of the group, if it is a permutation.
    elements : tuple of Affine
    members : tuple of int
        The number of the variable of each element.
    domains : sequence of Domain
        The domain of the variable of each element.
    firsts : sequence of int
        The first candidate of the variable of each element.

    Attributes
    ----------
    number, begin, members
        As above.
    places : dict of Value to array of int
        For every value, the candidates that give it to an element; empty for a block.
    is_plain : bool
        Whether all elements are variables.
    is_block, is_permutation : bool
        As above.
    """

    def __init__(
        self,
        number: int,
        begin: int,
        elements: tuple[Affine, ...],
        members: tuple[int, ...],
        domains: Sequence[Domain],
        firsts: Sequence[int],
    ) -> None:
        self.number, self.begin, self.members = number, begin, members
        self.is_plain = all([element.is_variable for element in elements])
        has_equal_domains = all([domain is domains[0] or domain == domains[0] for domain in domains])
        self.is_block = self.is_plain and has_equal_domains and len({*members}) == len(elements) <= len(domains[0])
        self.places: dict[Value, array[int]] = {}
        self._elements: dict[int, list[Affine]] = {}
        self._firsts, self._size = firsts, len(domains[0])
        if self.is_block:
            self.is_permutation = len(elements) == len(domains[0])
            return
        # Collect the places of every value, element by element.
        for member, element, domain, first in zip(members, elements, domains, firsts, strict=True):
            self._elements.setdefault(member, []).append(element)
            for candidate, image in enumerate(element.images(domain), first):
                if image not in self.places:
                    self.places[image] = array("I")
                self.places[image].append(candidate)
        self.is_permutation = len(self.places) == len(elements)

    def classes(self) -> tuple[Iterable[int], list[int]]:
        """Return all candidates, ordered by value, and their number for each value."""
        if not self.is_block:
            return chain(*self.places.values()), [len(places) for places in self.places.values()]
        firsts, size = self._firsts, self._size
        return [first + index for index in range(size) for first in firsts], [len(firsts)] * size

    def images(self, member: int, value: Value) -> list[Value]:
        """Return the values that the elements have if a variable is fixed; not for blocks."""
        return list(dict.fromkeys([element.image(value) for element in self._elements[member]]))


class Column(Sequence[int]):
    """The candidates of one value in all variables of a block, computed on access.

    There is one candidate for each variable of the block.

    ``firsts``: the first candidate of each variable; ``value``: the position of the value in the domain.
    """

    __slots__ = ("firsts", "value")

    def __init__(self, firsts: list[int], value: int) -> None:
        self.firsts = firsts
        self.value = value

    def __len__(self) -> int:
        return len(self.firsts)

    @overload
    def __getitem__(self, position: int) -> int: ...
    @overload
    def __getitem__(self, position: slice) -> list[int]: ...
    def __getitem__(self, position: int | slice) -> int | list[int]:
        if isinstance(position, slice):
            return [first + self.value for first in self.firsts[position]]
        return self.firsts[position] + self.value
