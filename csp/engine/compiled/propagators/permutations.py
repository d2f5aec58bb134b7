"""Lists of places: each other's inverse, round trips, and values that are taken once."""

from __future__ import annotations

from ....model import AllDifferentExcept, Circuit, Constraint, Inverse, Value
from .base import Consistency, Context, Masks, Propagator
from .images import images_of


class DifferentExcept(Propagator):
    """Takes the value of an element away from all others, unless it is the one that may be taken often."""

    claim = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, AllDifferentExcept)
        super().__init__(constraint, context)
        self.images = images_of(constraint.elements, self.scope, self.domains)
        self.free = constraint.value

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        if not all([image.drop(left, None) for image in self.images]):
            return None
        done: set[int] = set()
        changed = True
        while changed:
            changed = False
            for number, image in enumerate(self.images):
                value = image.known(left)
                if number in done or value is None or value == self.free:
                    continue
                done.add(number)
                changed = True
                if not all([other.drop(left, value) for i, other in enumerate(self.images) if i != number]):
                    return None
        return left


class Inverses(Propagator):
    """Leaves a place to an element while the element of that place can lead back.

    What the two lists tell as groups, whose elements differ, is told by groups.
    """

    claim: Consistency = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Inverse)
        super().__init__(constraint, context)
        self.sides = [images_of(side, self.scope, self.domains) for side in (constraint.left, constraint.right)]

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        before: list[int] = []
        while left != before:
            before = list(left)
            self.memory.steps += 3 * sum([mask.bit_count() for mask in masks])
            for one, other in (self.sides, self.sides[::-1]):
                back: list[set[Value | None]] = [{value for _, value in image.left(left)} for image in other]
                for place, image in enumerate(one, 1):
                    if not image.keep(left, {j for j, found in enumerate(back, 1) if place in found}):
                        return None
        return left


class RoundTrip(Propagator):
    """Takes away what would close a way before it has been everywhere; from each place all others must be in reach.

    That the successors differ is told by a group besides.

    References
    ----------
    .. [1] Y. Caseau, F. Laburthe, "Solving small TSPs with constraints", 1997.
    """

    claim = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Circuit)
        super().__init__(constraint, context)
        self.images = images_of(constraint.elements, self.scope, self.domains)
        self.places: set[Value | None] = {*range(1, len(self.images) + 1)}

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        if not all([image.keep(left, self.places) for image in self.images]):
            return None
        before: list[int] = []
        while left != before:
            before = list(left)
            if not self._open_ways(left):
                return None
        self.memory.steps += 3 * sum([mask.bit_count() for mask in masks])
        after = [[int(value) for _, value in image.left(left) if value is not None] for image in self.images]
        into: list[list[int]] = [[] for _ in after]
        for place, targets in enumerate(after, 1):
            for target in targets:
                into[target - 1].append(place)
        return left if _reaches_all(after) and _reaches_all(into) else None

    def _open_ways(self, left: list[int]) -> bool:
        """Take from the end of every way its beginning, and from all others what is taken; whether all have a place."""
        known = [image.known(left) for image in self.images]
        taken = [value for value in known if value is not None]
        if len({*taken}) < len(taken):
            return False
        for start in self.places.difference(taken):
            end, steps = start, 1
            while (after := known[int(end or 0) - 1]) is not None:
                end, steps = after, steps + 1
            if steps < len(self.images) and not self.images[int(end or 0) - 1].drop(left, start):
                return False
        if len(taken) == len(self.images):
            return True
        every = {*taken}
        return all(
            [
                image.keep(left, self.places - every)
                for image, own in zip(self.images, known, strict=True)
                if own is None
            ]
        )


def _reaches_all(after: list[list[int]]) -> bool:
    """Whether all places are in reach of the first one."""
    reached = {1} if after else set()
    waiting = [*reached]
    for place in waiting:
        for other in after[place - 1]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return len(reached) == len(after)
