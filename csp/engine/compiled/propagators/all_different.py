"""Expressions that take different values: pairs, pigeons, and the matching."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....model import Constraint
from .apart import Apart
from .base import Context, Explanation, Masks, Propagator, bits
from .hall import HallIntervals
from .matching import Tight, tight_sets


def make_apart(constraint: Constraint, context: Context) -> Propagator | None:
    """The filter of a constraint whose whole meaning is that expressions of one variable each differ.

    Outside of others, exclusions keep two fixed elements different and lines see that a value of a tight group has
    one place left; then ``Pigeons`` has to count only where there are no such lines.
    """
    elements = constraint.apart()
    level = context.settings.level
    twice = len(constraint.scope) < len(elements)
    if len(elements) == 2 and not twice:
        return Unequal(constraint, context) if context.is_inside else None
    if context.is_inside or twice or (level == "domain" and len(elements) > 2):
        return Matching(constraint, context)
    if level == "bounds" and len(elements) > 2:
        return HallIntervals(constraint, context)
    is_permutation = values_of(constraint, context) == len(elements)
    return None if is_permutation or len(elements) < 3 else Pigeons(constraint, context)


def values_of(constraint: Constraint, context: Context) -> int:
    """How many values the elements of a constraint have."""
    elements = constraint.apart()
    domains = [context.domain(element.terms[0][1]) for element in elements]  # type: ignore[arg-type]
    if all([domain is domains[0] for domain in domains]) and all([element.is_variable for element in elements]):
        return len(domains[0])
    pairs = zip(elements, domains, strict=True)
    return len({image for element, domain in pairs for image in element.images(domain)})


class Unequal(Apart):
    """Two elements of different variables; for constraints inside others, which have no exclusions."""

    def prune(self, masks: Masks) -> Masks | None:
        here, there = self.of
        one, other = self.image(0, masks[here]), self.image(1, masks[there])
        if one & (one - 1) and other & (other - 1):
            return masks
        left = list(masks)
        if not other & (other - 1):
            left[here] = self.kept(0, masks[here], ~other)
        if not one & (one - 1):
            left[there] = self.kept(1, masks[there], ~one)
        return left if all(left) else None

    def decided(self, masks: Masks) -> bool | None:
        here, there = self.of
        one, other = self.image(0, masks[here]), self.image(1, masks[there])
        return True if not one & other else False if one == other and not one & (one - 1) else None


ROOM = 1.5
"""From this ratio of values to elements on, elements seldom run out of values in search."""


class Pigeons(Apart):
    """Counts: elements that have fewer values than they are many cannot all differ. Removes nothing."""

    claim = "check"
    is_late = True

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.in_search = values_of(constraint, context) < ROOM * len(self.elements)

    def prune(self, masks: Masks) -> Masks | None:
        found, most = 0, len(self.elements)
        for element, own in enumerate(self.of):
            found |= self.image(element, masks[own])
            if found.bit_count() >= most:
                return masks
        return None

    def why(self, before: Masks, gone: Masks) -> Explanation:
        return Explanation(tuple(dict.fromkeys(self.of)))


MATCH = 4
"""How often a matching looks at each value of each element."""


class Matching(Apart):
    """Leaves only values for which all elements can differ, if no variable stands in two of them.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        times = Counter(self.of)
        self.twice = [position for position, many in times.items() if many > 1]
        self.claim = "check" if self.twice else "domain"
        self.is_late = not self.twice

    def prune(self, masks: Masks) -> Masks | None:
        left = self._without_clashes(masks)
        if not all(left):
            return None
        set_of: dict[int, int] = {}
        values_of: dict[int, int] = {}
        taken = 0
        for number, (members, values) in enumerate(self._tight_sets(left)):
            if len(members) > values.bit_count():
                return None
            taken |= values
            set_of.update(dict.fromkeys(members, number))
            values_of[number] = values
        for element, own in enumerate(self.of):
            mine = set_of.get(element)
            allowed = ~taken if mine is None else values_of[mine]
            left[own] = self.kept(element, left[own], allowed)
        return left if all(left) else None

    def why(self, before: Masks, gone: Masks) -> Explanation:
        """Where nothing could hold, the elements that have too few values between them."""
        left = self._without_clashes(before)
        if all(left):
            for members, values in self._tight_sets(left):
                if len(members) > values.bit_count():
                    return Explanation(tuple(dict.fromkeys(self.of[element] for element in members)))
        return super().why(before, gone)

    def steps(self, before: Masks, gone: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """The tight sets, each after those that take values away from its own members."""
        left = self._without_clashes(before)
        rest = list(gone)
        clashes = [mask & ~own & lost for mask, own, lost in zip(before, left, rest, strict=True)]
        if any(clashes):
            yield Explanation(()), clashes
            rest = [mask & ~own for mask, own in zip(rest, clashes, strict=True)]
        waiting = sorted(self._tight_sets(left))
        while any(rest):
            images = [self.image(element, left[own]) for element, own in enumerate(self.of)]
            members, values = tight = next(t for t in waiting if all(not images[i] & ~t[1] for i in t[0]))
            waiting.remove(tight)
            now = [0] * len(rest)
            for element, own in enumerate(self.of):
                if element not in members:
                    now[own] |= rest[own] & self.kept(element, left[own], values)
            if any(now):
                yield Explanation(tuple(dict.fromkeys(self.of[i] for i in members))), now
            rest = [mask & ~own for mask, own in zip(rest, now, strict=True)]
            left = [mask & ~own for mask, own in zip(left, now, strict=True)]

    def _tight_sets(self, masks: Masks) -> list[tuple[tuple[int, ...], int]]:
        self.memory.steps += MATCH * sum([mask.bit_count() for mask in masks])
        images = [list(bits(self.image(element, masks[own]))) for element, own in enumerate(self.of)]
        found: list[Tight] = tight_sets(images)
        return [(members, sum(1 << int(value) for value in values)) for members, values in found]

    def _without_clashes(self, masks: Masks) -> list[int]:
        """The domains, without the values for which two elements of the same variable are equal."""
        left = list(masks)
        for position in self.twice:
            own = [element for element, of in enumerate(self.of) if of == position]
            left[position] = sum(
                1 << index
                for index in bits(masks[position])
                if len({self.image(element, 1 << index) for element in own}) == len(own)
            )
        return left
