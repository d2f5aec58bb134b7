"""Connectivity: the places that conditions choose are one component of a graph."""

from __future__ import annotations

from ....model import Connected, Constraint, negated
from .base import Consistency, Context, Masks, Propagator

OUT, OPEN, IN = range(3)


class Reachable(Propagator):
    """Takes out what no way leads to, and in what every way between two chosen places goes through.

    Leaves only values that stand in a solution where each condition is on one variable, and no two on the same.
    O(places and neighbours), and what the filters of the conditions take.

    References
    ----------
    .. [1] R. Tarjan, "Depth-first search and linear graph algorithms", 1972 (for the places that part a piece).
    """

    claim: Consistency = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Connected)
        super().__init__(constraint, context)
        place = {variable: i for i, variable in enumerate(self.scope)}
        conditions = [condition for _, condition in constraint.places]
        self.near = constraint.neighbours
        self._pairs = sum(map(len, self.near))
        self.at = [[] if one is None else [place[variable] for variable in one.scope] for one in conditions]
        self.chosen = [None if one is None else context.part(one) for one in conditions]
        self.not_chosen = [None if one is None else context.part(negated(one)) for one in conditions]
        if all([len(at) == 1 for at in self.at]) and len({at[0] for at in self.at}) == len(self.at):
            self.claim = "domain"

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        before: list[int] = []
        while left != before:
            before = list(left)
            forced = self._forced(self._states(left))
            if forced is None or not all([self._force(left, place, is_in) for place, is_in in forced]):
                return None
        return left

    def entailment(self, masks: Masks) -> bool | None:
        states = self._states(masks)
        if self._forced(states) is None:
            return False
        return None if OPEN in states else True

    def _states(self, masks: Masks) -> list[int]:
        """Whether each place is chosen for certain, or may be, or not."""
        found = []
        self.memory.steps += len(self.near) + self._pairs
        for propagator, at in zip(self.chosen, self.at, strict=True):
            known = True if propagator is None else propagator.entailment([masks[position] for position in at])
            found.append(IN if known else OPEN if known is None else OUT)
        return found

    def _force(self, left: list[int], place: int, is_in: bool) -> bool:
        propagator = (self.chosen if is_in else self.not_chosen)[place]
        if propagator is None:
            return is_in
        kept = propagator.prune([left[position] for position in self.at[place]])
        if kept is None:
            return False
        for position, mask in zip(self.at[place], kept, strict=True):
            left[position] = mask
        return True

    def _forced(self, states: list[int]) -> list[tuple[int, bool]] | None:
        """The open places that must be in, or out; None if the places that are in cannot be one piece."""
        try:
            root = states.index(IN)
        except ValueError:
            return []
        order, above, low, inside = self._search(root, states)
        if any(state == IN and place not in inside for place, state in enumerate(states)):
            return None
        forced = [(i, False) for i, state in enumerate(states) if state == OPEN and i not in inside]
        for place in reversed(order[1:]):
            parent = above[place]
            inside[parent] += inside[place]
            low[parent] = min(low[parent], low[place])
        number = {place: i for i, place in enumerate(order)}
        parting = {
            above[place]
            for place in order[1:]
            if above[place] != root and inside[place] and low[place] >= number[above[place]]
        }
        return forced + [(place, True) for place in order if place in parting and states[place] == OPEN]

    def _search(self, root: int, states: list[int]) -> tuple[list[int], dict[int, int], dict[int, int], dict[int, int]]:
        """Depth first from a place: the order, the place before each, the first place that it sees, and if it is in."""
        order, above = [root], {}
        number = {root: 0}
        low, inside = {root: 0}, {root: 1}
        stack = [(root, iter(self.near[root]))]
        while stack:
            place, others = stack[-1]
            for other in others:
                if states[other] == OUT:
                    continue
                if other not in number:
                    number[other] = low[other] = len(order)
                    above[other], inside[other] = place, int(states[other] == IN)
                    order.append(other)
                    stack.append((other, iter(self.near[other])))
                    break
                if above.get(place) != other:
                    low[place] = min(low[place], number[other])
            else:
                stack.pop()
        return order, above, low, inside
