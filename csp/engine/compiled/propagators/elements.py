"""A propagator for the element constraint ``result = family(index, ...)``."""

from __future__ import annotations

from ....model import Affine, Comparison, Constraint, Element
from .base import Context, Masks, Propagator, bits


def is_lookup(constraint: Comparison) -> bool:
    """Return whether a comparison is ``variable = family(indices)`` with variables or numbers as indices."""
    return constraint.relation == "=" and constraint.left.is_variable and _element(constraint.right) is not None


def _element(expression: Affine) -> Element | None:
    """Return the element if an expression consists of one with plain indices, else None."""
    match expression:
        case Affine(terms=((1, Element() as element),), constant=0):
            is_plain = all(index.is_variable or not index.terms for index in element.expressions)
            return element if is_plain else None
    return None


class Lookup(Propagator):
    """A propagator for the element constraint ``result = family(index, ...)``.

    It keeps the values that a possible choice of indices supports. Domain-consistent if no variable occurs twice among
    indices, result and members.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Comparison)
        super().__init__(constraint, context)
        element = _element(constraint.right)
        assert element is not None
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        (result,) = constraint.left.variables
        self.result = position_of[result]
        axes = [(axis, index) for axis, index in enumerate(element.expressions)]
        index_axes = [(axis, position_of[index.variables[0]]) for axis, index in axes if index.terms]
        fixed_axes = [(axis, index.constant) for axis, index in axes if not index.terms]
        self.indices = [position for _, position in index_axes]
        index_bits = [{value: 1 << i for i, value in enumerate(self.domains[position])} for position in self.indices]
        # A choice is a member, and for each index the bit of the value that leads to the member.
        self.choices = [
            (
                [
                    bits_of_value.get(coordinates[axis], 0)
                    for bits_of_value, (axis, _) in zip(index_bits, index_axes, strict=True)
                ],
                position_of[member],
            )
            for member in element.members
            if (coordinates := element.numbers(member))
            and all(coordinates[axis] == value for axis, value in fixed_axes)
        ]
        result_bits = {value: 1 << i for i, value in enumerate(self.domains[self.result])}
        self.images = {
            position: [result_bits.get(value, 0) for value in self.domains[position]] for _, position in self.choices
        }
        occurrences = [self.result, *self.indices, *(position for _, position in self.choices)]
        self.claim = "domain" if len({*occurrences}) == len(occurrences) else "check"

    def prune(self, masks: Masks) -> Masks | None:
        result_mask = masks[self.result]
        self.meter.steps += 2 * len(self.choices)
        choices: list[tuple[list[int], int]] = []
        results = 0
        # A choice is possible if its indices remain and its member shares a value with the result.
        for index_keys, member in self.choices:
            if all(masks[position] & key for position, key in zip(self.indices, index_keys, strict=True)):
                images = self.images[member]
                member_results = 0
                for bit in bits(masks[member]):
                    member_results |= images[bit]
                if member_results & result_mask:
                    choices.append((index_keys, member))
                    results |= member_results
        if not choices:
            return None
        narrowed = list(masks)
        narrowed[self.result] &= results
        for axis, position in enumerate(self.indices):
            narrowed[position] &= _union([index_keys[axis] for index_keys, _ in choices])
        # Only the last possible member must equal the result.
        if len(choices) == 1:
            ((_, member),) = choices
            images = self.images[member]
            narrowed[member] = narrowed[member] & sum(
                [1 << b for b in bits(masks[member]) if images[b] & narrowed[self.result]]
            )
        return narrowed if all(narrowed) else None


def _union(masks: list[int]) -> int:
    """Return the bitwise union of several masks."""
    union = 0
    for mask in masks:
        union |= mask
    return union
