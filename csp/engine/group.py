"""What keeps expressions of one variable each apart."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..model import Affine, Value

if TYPE_CHECKING:
    from .layout import Layout


class Group:
    """A constraint whose whole meaning is that expressions of one variable each take different values.

    A *block* has plain variables of equal domains: then what a candidate excludes is one pattern, shifted.

    Parameters
    ----------
    number : int
    elements : tuple of Affine
    layout : Layout
        Of which the variables are there already.

    Attributes
    ----------
    number : int
        Of the constraint.
    members : tuple of int
        The numbers of the variables, element by element.
    places : dict from value to array of int
        For every value the candidates that give it, element by element; empty for a block.
    is_block, is_tight : bool
        Tight: there are as many values as elements, so that every value has a place.
    begin : int
        The lowest bit of its lines, where it has any.
    """

    def __init__(self, number: int, elements: tuple[Affine, ...], layout: Layout) -> None:
        self.number, self.begin = number, layout.length
        self._layout = layout
        names = [element.terms[0][1] for element in elements]
        self.members = tuple([layout.number[name] for name in names])  # type: ignore[index]
        domains = [layout.domains[member] for member in self.members]
        plain = all([element.is_variable for element in elements])
        equal = all([domain is domains[0] or domain == domains[0] for domain in domains])
        self.is_block = plain and equal and len({*self.members}) == len(elements) <= len(domains[0])
        self.places: dict[Value, array[int]] = {}
        self._elements: dict[int, list[Affine]] = {}
        if self.is_block:
            self.is_tight = len(elements) == len(domains[0])
            return
        for member, element, domain in zip(self.members, elements, domains, strict=True):
            self._elements.setdefault(member, []).append(element)
            for candidate, image in enumerate(element.images(domain), layout.first[member]):
                if image not in self.places:
                    self.places[image] = array("I")
                self.places[image].append(candidate)
        self.is_tight = len(self.places) == len(elements)

    def given(self, candidate: int) -> list[Value]:
        """The values that a candidate of a group that is no block gives to elements."""
        layout = self._layout
        owner = layout.owner(candidate)
        value = layout.domains[owner][candidate - layout.first[owner]]
        return list(dict.fromkeys([element.image(value) for element in self._elements[owner]]))
