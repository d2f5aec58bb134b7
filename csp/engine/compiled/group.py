"""All-different groups over expressions of one variable each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import overload

from ...model import Affine, Domain, Value


class Group:
    """A constraint whose whole meaning is that expressions of one variable each take different values.

    A *block* has plain variables of equal domains: then what a candidate excludes is one pattern, shifted.

    ``number``: of the constraint; ``begin``: the lowest bit of its lines, where it has any; ``members``: the numbers of
    the variables, element by element; ``domains``: of the variables, element by element; ``firsts``: the first
    candidates of the variables, element by element.

    Attributes
    ----------
    number, begin, members
        As above.
    places : dict from value to array of int
        For every value the candidates that give it, element by element; empty for a block.
    is_plain, is_block, is_tight : bool
        Plain: the elements are variables. Tight: there are as many values as elements, so that every value has a place.
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
        equal = all([domain is domains[0] or domain == domains[0] for domain in domains])
        self.is_block = self.is_plain and equal and len({*members}) == len(elements) <= len(domains[0])
        self.places: dict[Value, array[int]] = {}
        self._elements: dict[int, list[Affine]] = {}
        self._firsts, self._size = firsts, len(domains[0])
        if self.is_block:
            self.is_tight = len(elements) == len(domains[0])
            return
        for member, element, domain, first in zip(members, elements, domains, firsts, strict=True):
            self._elements.setdefault(member, []).append(element)
            for candidate, image in enumerate(element.images(domain), first):
                if image not in self.places:
                    self.places[image] = array("I")
                self.places[image].append(candidate)
        self.is_tight = len(self.places) == len(elements)

    def classes(self) -> tuple[Iterable[int], list[int]]:
        """The candidates that give a value, one value after the other, and how many give each."""
        if not self.is_block:
            return chain(*self.places.values()), [len(places) for places in self.places.values()]
        firsts, size = self._firsts, self._size
        return [first + index for index in range(size) for first in firsts], [len(firsts)] * size

    def given(self, member: int, value: Value) -> list[Value]:
        """The values that a value of a variable gives to the elements of a group that is no block."""
        return list(dict.fromkeys([element.image(value) for element in self._elements[member]]))


class Column(Sequence[int]):
    """The candidates of one value of a block, variable by variable, without a number kept for each."""

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
