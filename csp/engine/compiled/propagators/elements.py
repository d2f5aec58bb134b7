"""A variable that equals the element of a family which indices choose."""

from __future__ import annotations

from ....model import Affine, Comparison, Constraint, Element
from .base import Context, Masks, Propagator, bits


def is_lookup(constraint: Comparison) -> bool:
    """Whether a comparison says that a variable is an element whose indices are variables or numbers."""
    return constraint.relation == "=" and constraint.left.is_variable and _element(constraint.right) is not None


def _element(expression: Affine) -> Element | None:
    match expression:
        case Affine(terms=((1, Element() as element),), constant=0):
            plain = all(index.is_variable or not index.terms for index in element.expressions)
            return element if plain else None
    return None


class Lookup(Propagator):
    """Leaves the values that some choice of indices allows.

    Domain-consistent where no variable stands twice: as an index, as the result, or as a member.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Comparison)
        super().__init__(constraint, context)
        element = _element(constraint.right)
        assert element is not None
        place = {variable: i for i, variable in enumerate(self.scope)}
        (result,) = constraint.left.variables
        self.result = place[result]
        numbers = [(axis, index) for axis, index in enumerate(element.expressions)]
        open_ = [(axis, place[index.variables[0]]) for axis, index in numbers if index.terms]
        known = [(axis, index.constant) for axis, index in numbers if not index.terms]
        self.indices = [position for _, position in open_]
        chosen = [{value: 1 << i for i, value in enumerate(self.domains[position])} for position in self.indices]
        self.choices = [
            ([own.get(wanted[axis], 0) for own, (axis, _) in zip(chosen, open_, strict=True)], place[member])
            for member in element.members
            if (wanted := element.numbers(member)) and all(wanted[axis] == value for axis, value in known)
        ]
        target = {value: 1 << i for i, value in enumerate(self.domains[self.result])}
        self.images = {
            position: [target.get(value, 0) for value in self.domains[position]] for _, position in self.choices
        }
        used = [self.result, *self.indices, *(position for _, position in self.choices)]
        self.claim = "domain" if len({*used}) == len(used) else "check"

    def prune(self, masks: Masks) -> Masks | None:
        wanted = masks[self.result]
        self.memory.steps += 2 * len(self.choices)
        possible: list[tuple[list[int], int]] = []
        results = 0
        for keys, member in self.choices:
            if all(masks[position] & key for position, key in zip(self.indices, keys, strict=True)):
                images = self.images[member]
                common = 0
                for bit in bits(masks[member]):
                    common |= images[bit]
                if common & wanted:
                    possible.append((keys, member))
                    results |= common
        if not possible:
            return None
        left = list(masks)
        left[self.result] &= results
        for place, position in enumerate(self.indices):
            left[position] &= _union([keys[place] for keys, _ in possible])
        if len(possible) == 1:
            ((_, member),) = possible
            images = self.images[member]
            left[member] = left[member] & sum([1 << b for b in bits(masks[member]) if images[b] & left[self.result]])
        return left if all(left) else None


def _union(masks: list[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
