"""Propagators for elements that differ: tuples, lists with an exception, inverse lists and circuits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ....model import Affine, AllDifferentExcept, Circuit, Constraint, DifferentTuples, Domain, Inverse, Value, Variable
from .base import Context, Explanation, Masks, Propagator, bits


class Image(NamedTuple):
    """An expression of at most one variable, as a table of its values.

    ``position``: the index of the variable in the scope, -1 for a constant; ``values``: for each value of the variable
    the expression's value, None if it is undefined. A constant has one value.
    """

    position: int
    values: list[Value | None]

    def remaining(self, masks: Masks) -> Iterator[tuple[int, Value | None]]:
        """Yield the expression's possible values, each with the bit of the variable's value."""
        mask = masks[self.position] if self.position >= 0 else 1
        return ((1 << bit, self.values[bit]) for bit in bits(mask))

    def fixed_value(self, masks: Masks) -> Value | None:
        """Return the value of the expression if the variable is fixed, else None."""
        if self.position < 0:
            return self.values[0]
        mask = masks[self.position]
        return None if mask & (mask - 1) else self.values[mask.bit_length() - 1]

    def keep(self, domains: list[int], allowed: set[Value | None]) -> bool:
        """Keep in ``domains`` only values that give an allowed result; return whether any remains."""
        mask = sum([bit for bit, value in self.remaining(domains) if value in allowed])
        if self.position >= 0:
            domains[self.position] = mask
        return mask != 0

    def drop(self, domains: list[int], value: Value | None) -> bool:
        """Remove from ``domains`` values that give this result; return whether any remains."""
        mask = sum([bit for bit, image in self.remaining(domains) if image != value])
        if self.position >= 0:
            domains[self.position] = mask
        return mask != 0


def images_of(elements: Sequence[Affine | Value], scope: Sequence[Variable], domains: Sequence[Domain]) -> list[Image]:
    """Tabulate each element, of at most one variable, over its variable's domain."""
    position_of: Mapping[Variable, int] = {variable: i for i, variable in enumerate(scope)}
    images: list[Image] = []
    for element in elements:
        if not isinstance(element, Affine):
            images.append(Image(-1, [element]))
        elif not element.variables:
            images.append(Image(-1, [_value(element, {})]))
        else:
            (variable,) = element.variables
            position = position_of[variable]
            images.append(Image(position, [_value(element, {variable: value}) for value in domains[position]]))
    return images


def _value(element: Affine, values: Mapping[str, Value]) -> Value | None:
    """Return the value of an expression under an assignment; None if it is undefined."""
    try:
        return element.value(values)
    except ZeroDivisionError:
        return None


class Pairwise(Propagator):
    """A propagator for different tuples by forward checking of each pair of tuples.

    If two tuples are equal in all places except one, and one of the two elements there is fixed, it removes that value
    from the other element.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, DifferentTuples)
        super().__init__(constraint, context)
        self.claim = "check"
        self.tuples = [images_of(row, self.scope, self.domains) for row in constraint.tuples]

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        # Elements must be defined: drop values without an image.
        if not all([image.drop(narrowed, None) for row in self.tuples for image in row]):
            return None
        self.meter.steps += len(self.tuples) * (len(self.tuples) - 1) // 2
        for first, second in combinations(self.tuples, 2):
            if not self._separate(narrowed, first, second):
                return None
        return narrowed

    def _separate(self, narrowed: list[int], left: list[Image], right: list[Image]) -> bool:
        """Remove the value that would make two tuples equal; return False if that fails.

        It fails if the tuples are equal, or if no value remains.
        """
        undecided: list[tuple[Image, Image]] = []
        for first, second in zip(left, right, strict=True):
            a, b = first.fixed_value(narrowed), second.fixed_value(narrowed)
            if a is None or b is None:
                undecided.append((first, second))
                if len(undecided) > 1:
                    return True
            elif a != b:
                return True
        for first, second in undecided:
            if (value := second.fixed_value(narrowed)) is not None:
                return first.drop(narrowed, value)
            return (value := first.fixed_value(narrowed)) is None or second.drop(narrowed, value)
        return False


class DifferentExcept(Propagator):
    """A propagator for elements that differ, except that one value may repeat.

    Forward checking: the value of a fixed element is removed from all others, unless it is the repeatable one.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, AllDifferentExcept)
        super().__init__(constraint, context)
        self.claim = "check"
        self.images = images_of(constraint.elements, self.scope, self.domains)
        self.repeatable = constraint.value

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        if not all([image.drop(narrowed, None) for image in self.images]):
            return None
        # Remove the value of each newly fixed element from all others.
        done: set[int] = set()
        changed = True
        while changed:
            changed = False
            for index, image in enumerate(self.images):
                value = image.fixed_value(narrowed)
                if index in done or value is None or value == self.repeatable:
                    continue
                done.add(index)
                changed = True
                if not all(
                    [other_image.drop(narrowed, value) for i, other_image in enumerate(self.images) if i != index]
                ):
                    return None
        return narrowed


class Inverses(Propagator):
    """A propagator for two lists that are inverse permutations of each other.

    It keeps place ``j`` for element ``i`` only if element ``j`` of the other list may be ``i``. Each list is also an
    ``all_different``, which is enforced separately.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Inverse)
        super().__init__(constraint, context)
        self.claim = "check"
        self.sides = [images_of(side, self.scope, self.domains) for side in (constraint.left, constraint.right)]
        images = [image for side in self.sides for image in side]
        # Plain lists: different variables whose values are all places, in order, so that value ``j`` has bit ``j - 1``.
        self._is_plain = len({image.position for image in images}) == len(images) and all(
            image.position >= 0 and image.values == list(range(1, len(side) + 1))
            for side in self.sides
            for image in side
        )

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        size = 3 * sum([mask.bit_count() for mask in masks])
        if self._is_plain:
            is_possible = self._prune_plain(narrowed)
            self.meter.steps += size if not is_possible or narrowed == [*masks] else 2 * size
            return narrowed if is_possible else None
        before: list[int] = []
        while narrowed != before:
            before = list(narrowed)
            self.meter.steps += size
            if not self._prune_images(narrowed):
                return None
        return narrowed

    def _prune_plain(self, narrowed: list[int]) -> bool:
        """Narrow the domains of lists of plain variables in place; return False on failure."""
        for side, opposite in (self.sides, self.sides[::-1]):
            # For each place the elements of the opposite list that may be this place.
            back = [0] * len(side)
            for j, image in enumerate(opposite):
                mask, element = narrowed[image.position], 1 << j
                while mask:
                    low = mask & -mask
                    back[low.bit_length() - 1] |= element
                    mask ^= low
            for image, elements in zip(side, back, strict=True):
                narrowed[image.position] &= elements
                if not narrowed[image.position]:
                    return False
        return True

    def _prune_images(self, narrowed: list[int]) -> bool:
        """Narrow the domains of lists of expressions in place; return False on failure."""
        for side, opposite in (self.sides, self.sides[::-1]):
            back_values: list[set[Value | None]] = [
                {value for _, value in image.remaining(narrowed)} for image in opposite
            ]
            for place, image in enumerate(side, 1):
                if not image.keep(narrowed, {j for j, values in enumerate(back_values, 1) if place in values}):
                    return False
        return True

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        """Explain the removal of place ``j`` by element ``j`` of the opposite list."""
        is_failure = any(mask == lost for mask, lost in zip(before, removed, strict=True))
        if is_failure or not self._is_plain:
            return super().explain(before, removed)
        causes = {
            opposite[place].position
            for side, opposite in (self.sides, self.sides[::-1])
            for image in side
            for place in bits(removed[image.position])
        }
        return Explanation(tuple(sorted(causes)))


class RoundTrip(Propagator):
    """A propagator for ``circuit`` without subtours (Caseau and Laburthe).

    It removes successors that would close a path before it contains all places, and fails if a place is out of reach.
    The list of successors is also an ``all_different``, which another propagator enforces.

    References
    ----------
    .. [1] Y. Caseau, F. Laburthe, "Solving small TSPs with constraints", 1997.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Circuit)
        super().__init__(constraint, context)
        self.claim = "check"
        self.images = images_of(constraint.elements, self.scope, self.domains)
        self.places: set[Value | None] = {*range(1, len(self.images) + 1)}

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        if not all([image.keep(narrowed, self.places) for image in self.images]):
            return None
        before: list[int] = []
        while narrowed != before:
            before = list(narrowed)
            if not self._keep_paths_open(narrowed):
                return None
        self.meter.steps += 3 * sum([mask.bit_count() for mask in masks])
        # Every place must be reachable from the first one, and must reach it.
        successors = [
            [int(value) for _, value in image.remaining(narrowed) if value is not None] for image in self.images
        ]
        predecessors: list[list[int]] = [[] for _ in successors]
        for place, targets in enumerate(successors, 1):
            for target in targets:
                predecessors[target - 1].append(place)
        return narrowed if _reaches_all(successors) and _reaches_all(predecessors) else None

    def _keep_paths_open(self, narrowed: list[int]) -> bool:
        """Remove values that would close a cycle too early or repeat a successor.

        Returns False if two successors are equal or a domain becomes empty.
        """
        fixed = [image.fixed_value(narrowed) for image in self.images]
        used = [value for value in fixed if value is not None]
        if len({*used}) < len(used):
            return False
        # Follow each fixed path from its start to its end; the end must not lead back to the start.
        for start in self.places.difference(used):
            end, length = start, 1
            while (successor := fixed[int(end or 0) - 1]) is not None:
                end, length = successor, length + 1
            if length < len(self.images) and not self.images[int(end or 0) - 1].drop(narrowed, start):
                return False
        if len(used) == len(self.images):
            return True
        # Remove the used places from the elements that are unfixed.
        used_values = {*used}
        return all(
            [
                image.keep(narrowed, self.places - used_values)
                for image, value in zip(self.images, fixed, strict=True)
                if value is None
            ]
        )


def _reaches_all(successors: list[list[int]]) -> bool:
    """Return whether every place is reachable from the first place."""
    reached = {1} if successors else set()
    queue = [*reached]
    for place in queue:
        for successor in successors[place - 1]:
            if successor not in reached:
                reached.add(successor)
                queue.append(successor)
    return len(reached) == len(successors)
