"""A propagator for ``connected``: the chosen places of a graph are connected."""

from __future__ import annotations

from typing import NamedTuple

from ....model import Connected, Constraint, negated
from .base import Context, Masks, Propagator

OUT, OPEN, IN = range(3)


class Reachable(Propagator):
    """A propagator for ``connected`` by a depth-first search from a chosen place.

    It excludes undecided places that no path joins to a chosen one, and chooses the articulation points that separate
    chosen places. Domain-consistent if each condition is on one variable, and all variables differ. O(places and
    neighbours), and the time of the propagators of the conditions.

    Attributes
    ----------
    near : sequence of sequences of int
        For each place its neighbours.
    positions : list of list of int
        For each place the positions of its condition's variables.
    chosen, not_chosen : list of Propagator or None
        For each place the propagators of its condition and of the negation; None if the place is always chosen.

    References
    ----------
    .. [1] R. Tarjan, "Depth-first search and linear graph algorithms", 1972 (for articulation points).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Connected)
        super().__init__(constraint, context)
        self.claim = "check"
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        conditions = [condition for _, condition in constraint.places]
        self.near = constraint.neighbours
        self._pairs = sum(map(len, self.near))
        self.positions = [
            [] if condition is None else [position_of[variable] for variable in condition.scope]
            for condition in conditions
        ]
        self.chosen = [None if condition is None else context.part(condition) for condition in conditions]
        self.not_chosen = [None if condition is None else context.part(negated(condition)) for condition in conditions]
        if all([len(place_positions) == 1 for place_positions in self.positions]) and len(
            {place_positions[0] for place_positions in self.positions}
        ) == len(self.positions):
            self.claim = "domain"

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        before: list[int] = []
        while narrowed != before:
            before = list(narrowed)
            forced = self._deduce(self._states(narrowed))
            if forced is None or not all([self._force(narrowed, place, is_in) for place, is_in in forced]):
                return None
        return narrowed

    def entailment(self, masks: Masks) -> bool | None:
        states = self._states(masks)
        if self._deduce(states) is None:
            return False
        return None if OPEN in states else True

    def _states(self, masks: Masks) -> list[int]:
        """Return for each place whether it is chosen (IN), excluded (OUT) or undecided (OPEN)."""
        states = []
        self.meter.steps += len(self.near) + self._pairs
        for propagator, positions in zip(self.chosen, self.positions, strict=True):
            entailment = (
                True if propagator is None else propagator.entailment([masks[position] for position in positions])
            )
            states.append(IN if entailment else OPEN if entailment is None else OUT)
        return states

    def _force(self, masks: list[int], place: int, is_in: bool) -> bool:
        """Narrow ``masks`` so that a place is chosen or excluded; return False on failure."""
        propagator = (self.chosen if is_in else self.not_chosen)[place]
        if propagator is None:
            return is_in
        condition_masks = propagator.prune([masks[position] for position in self.positions[place]])
        if condition_masks is None:
            return False
        for position, mask in zip(self.positions[place], condition_masks, strict=True):
            masks[position] = mask
        return True

    def _deduce(self, states: list[int]) -> list[tuple[int, bool]] | None:
        """Return the undecided places to choose (True) or exclude (False); None on failure.

        It fails if the chosen places cannot be connected.
        """
        try:
            root = states.index(IN)
        except ValueError:
            return []
        order, parent_of, low, chosen_below = self._search(root, states)
        if any(state == IN and place not in chosen_below for place, state in enumerate(states)):
            return None
        # Unreachable open places are out.
        forced = [(i, False) for i, state in enumerate(states) if state == OPEN and i not in chosen_below]
        # Propagate to the parents: chosen places in the subtree, and the first place that the subtree sees.
        for place in reversed(order[1:]):
            parent = parent_of[place]
            chosen_below[parent] += chosen_below[place]
            low[parent] = min(low[parent], low[place])
        # A place is an articulation point if a subtree with a chosen place sees nothing before it.
        number = {place: i for i, place in enumerate(order)}
        articulation_points = {
            parent_of[place]
            for place in order[1:]
            if parent_of[place] != root and chosen_below[place] and low[place] >= number[parent_of[place]]
        }
        return forced + [(place, True) for place in order if place in articulation_points and states[place] == OPEN]

    def _search(self, root: int, states: list[int]) -> _Visits:
        """Search depth first from a chosen place through all places that are not excluded."""
        order, parent_of = [root], {}
        number = {root: 0}
        low, chosen_below = {root: 0}, {root: 1}
        stack = [(root, iter(self.near[root]))]
        while stack:
            place, neighbours = stack[-1]
            for neighbour in neighbours:
                if states[neighbour] == OUT:
                    continue
                if neighbour not in number:
                    number[neighbour] = low[neighbour] = len(order)
                    parent_of[neighbour], chosen_below[neighbour] = place, int(states[neighbour] == IN)
                    order.append(neighbour)
                    stack.append((neighbour, iter(self.near[neighbour])))
                    break
                if parent_of.get(place) != neighbour:
                    low[place] = min(low[place], number[neighbour])
            else:
                stack.pop()
        return _Visits(order, parent_of, low, chosen_below)


class _Visits(NamedTuple):
    """The result of a depth-first search: places in order, parents, and earliest neighbours.

    Attributes
    ----------
    order : list of int
        The places in the order of the visits.
    parent_of : dict of int to int
    low : dict of int to int
        For each place the number of the earliest place that it sees.
    chosen_below : dict of int to int
        For each place 1 if it is IN, else 0.
    """

    order: list[int]
    parent_of: dict[int, int]
    low: dict[int, int]
    chosen_below: dict[int, int]
