"""Propagators for ``all_different`` at each consistency level, and the choice between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....model import Constraint
from .apart import DifferentElements
from .base import Context, Explanation, Masks, Propagator, bits
from .hall import HallIntervals
from .matching import TightSet, tight_sets


def make_apart(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a constraint that only requires its expressions to differ.

    The constraint has expressions of one variable each, and no other meaning. At the top level exclusions keep fixed
    elements different, and exactly-one sets place the values of a permutation. A group that is not a permutation gets
    ``Pigeons``, which counts values.
    """
    elements = constraint.apart()
    level = context.settings.level
    has_repeats = len(constraint.scope) < len(elements)
    # Exclusions enforce a pair of different variables; only a nested pair needs a propagator.
    if len(elements) == 2 and not has_repeats:
        return Unequal(constraint, context) if context.is_inside else None
    # Nested groups and repeated variables have no exclusions, so the matching works at each level.
    if context.is_inside or has_repeats or (level == "domain" and len(elements) > 2):
        return Matching(constraint, context)
    if level == "bounds" and len(elements) > 2:
        return HallIntervals(constraint, context)
    is_permutation = values_of(constraint, context) == len(elements)
    return None if is_permutation or len(elements) < 3 else Pigeons(constraint, context)


def values_of(constraint: Constraint, context: Context) -> int:
    """Return how many distinct values the elements of a constraint can have together."""
    elements = constraint.apart()
    domains = [context.domain(element.terms[0][1]) for element in elements]  # type: ignore[arg-type]
    if all([domain is domains[0] for domain in domains]) and all([element.is_variable for element in elements]):
        return len(domains[0])
    element_domains = zip(elements, domains, strict=True)
    # Count distinct values of the elements, not of their variables.
    return len({image for element, domain in element_domains for image in element.images(domain)})


class Unequal(DifferentElements):
    """A propagator for two different elements inside another constraint. Domain-consistent."""

    def prune(self, masks: Masks) -> Masks | None:
        left_position, right_position = self.positions
        left_image, right_image = self.image(0, masks[left_position]), self.image(1, masks[right_position])
        if left_image & (left_image - 1) and right_image & (right_image - 1):
            return masks
        narrowed = list(masks)
        # Forward checking in both directions: a fixed element removes its value from the other one.
        if not right_image & (right_image - 1):
            narrowed[left_position] = self.preimage(0, masks[left_position], ~right_image)
        if not left_image & (left_image - 1):
            narrowed[right_position] = self.preimage(1, masks[right_position], ~left_image)
        return narrowed if all(narrowed) else None

    def entailment(self, masks: Masks) -> bool | None:
        left_position, right_position = self.positions
        left_image, right_image = self.image(0, masks[left_position]), self.image(1, masks[right_position])
        return (
            True
            if not left_image & right_image
            else False
            if left_image == right_image and not left_image & (left_image - 1)
            else None
        )


SLACK_RATIO = 1.5
"""Ratio of values to elements from which counting runs at the root only.

With that many values, elements seldom run out of values in search.
"""


class Pigeons(DifferentElements):
    """A propagator that fails if elements that must differ have too few values together.

    It counts the values of all elements, and removes none (the pigeonhole principle).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.claim = "check"
        self.is_late = True
        self.in_search = values_of(constraint, context) < SLACK_RATIO * len(self.elements)

    def prune(self, masks: Masks) -> Masks | None:
        union, count = 0, len(self.elements)
        # Stop as soon as the union of the domains is large enough.
        for element, position in enumerate(self.positions):
            union |= self.image(element, masks[position])
            if union.bit_count() >= count:
                return masks
        return None

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        return Explanation(tuple(dict.fromkeys(self.positions)))


MATCHING_PASSES = 4
"""Steps that a matching counts for each value of each element."""


class Matching(DifferentElements):
    """A propagator for ``all_different`` by maximum matching (Régin). Domain-consistent.

    It removes each value that is in no matching of all elements with different values. If a variable is in two
    elements, they are treated as independent, and the result is weaker.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        occurrences = Counter(self.positions)
        self.repeated = [position for position, count in occurrences.items() if count > 1]
        self.claim = "check" if self.repeated else "domain"
        self.is_late = not self.repeated

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = self._without_clashes(masks)
        if not all(narrowed):
            return None
        # Find the Hall sets: sets of elements that use up all of their values.
        set_of: dict[int, int] = {}
        values_of: dict[int, int] = {}
        used_values = 0
        for index, (members, values) in enumerate(self._tight_sets(narrowed)):
            if len(members) > values.bit_count():
                return None
            used_values |= values
            set_of.update(dict.fromkeys(members, index))
            values_of[index] = values
        # A member keeps the values of its set; every other element loses them.
        for element, position in enumerate(self.positions):
            own_set = set_of.get(element)
            allowed = ~used_values if own_set is None else values_of[own_set]
            narrowed[position] = self.preimage(element, narrowed[position], allowed)
        return narrowed if all(narrowed) else None

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        """Explain a failure by elements that together have too few values."""
        narrowed = self._without_clashes(before)
        if all(narrowed):
            for members, values in self._tight_sets(narrowed):
                if len(members) > values.bit_count():
                    return Explanation(tuple(dict.fromkeys(self.positions[element] for element in members)))
        return super().explain(before, removed)

    def steps(self, before: Masks, removed: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Yield the values that each Hall set removes, in an order of deduction."""
        current = self._without_clashes(before)
        remaining = list(removed)
        # First, the values for which two elements of one variable are equal: the constraint alone explains them.
        clashes = [
            mask & ~narrowed_mask & removed_mask
            for mask, narrowed_mask, removed_mask in zip(before, current, remaining, strict=True)
        ]
        if any(clashes):
            yield Explanation(()), clashes
            remaining = [mask & ~clash for mask, clash in zip(remaining, clashes, strict=True)]
        pending = sorted(self._tight_sets(current))
        while any(remaining):
            # Take the first Hall set whose members already have no values outside of it.
            images = [self.image(element, current[position]) for element, position in enumerate(self.positions)]
            members, values = hall_set = next(t for t in pending if all(not images[i] & ~t[1] for i in t[0]))
            pending.remove(hall_set)
            # The set removes its values from all other elements.
            step = [0] * len(remaining)
            for element, position in enumerate(self.positions):
                if element not in members:
                    step[position] |= remaining[position] & self.preimage(element, current[position], values)
            if any(step):
                yield Explanation(tuple(dict.fromkeys(self.positions[i] for i in members))), step
            remaining = [mask & ~step_mask for mask, step_mask in zip(remaining, step, strict=True)]
            current = [mask & ~step_mask for mask, step_mask in zip(current, step, strict=True)]

    def _tight_sets(self, masks: Masks) -> list[tuple[tuple[int, ...], int]]:
        """Return the Hall sets of the elements, each with its values as bits."""
        self.meter.steps += MATCHING_PASSES * sum([mask.bit_count() for mask in masks])
        images = [list(bits(self.image(element, masks[position]))) for element, position in enumerate(self.positions)]
        hall_sets: list[TightSet] = tight_sets(images)
        return [(members, sum(1 << int(value) for value in values)) for members, values in hall_sets]

    def _without_clashes(self, masks: Masks) -> list[int]:
        """Remove each value of a variable that gives two elements the same value."""
        narrowed = list(masks)
        for position in self.repeated:
            repeated = [element for element, place in enumerate(self.positions) if place == position]
            narrowed[position] = sum(
                1 << index
                for index in bits(masks[position])
                if len({self.image(element, 1 << index) for element in repeated}) == len(repeated)
            )
        return narrowed
