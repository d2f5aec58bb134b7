"""A propagator for ``connected``: the chosen places of a graph are connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import inf
from typing import NamedTuple

from ....model import Connected, Constraint, negated
from .base import Context, Explanation, Masks, Propagator

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
    .. [2] K. Menger, "Zur allgemeinen Kurventheorie", 1927 (for the smallest separating sets of explanations).
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

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        if self.claim != "domain":
            return super().explain(before, removed)
        positions = [position for reason, _ in self.steps(before, removed) for position in reason.positions]
        return Explanation(tuple(dict.fromkeys(positions)))

    def steps(self, before: Masks, removed: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Yield the removals with the fewest excluded places that separate two chosen places.

        Each place that is chosen has a reason of its own. Places that are excluded together have one reason.
        """
        if self.claim != "domain":
            yield from super().steps(before, removed)
            return
        states = self._states(before)
        forced = self._deduce(states)
        if forced is None:
            yield Explanation(self._explain_failure(states)), removed
            return
        place_of = {positions[0]: place for place, positions in enumerate(self.positions) if positions}
        is_in = dict(forced)
        parts: dict[tuple[int, ...], list[int]] = {}
        for position, values in enumerate(removed):
            if values:
                place = place_of[position]
                reason = (self._explain_chosen if is_in[place] else self._explain_excluded)(place, states)
                parts.setdefault(reason, [0] * len(removed))[position] = values
        for reason, part in parts.items():
            yield Explanation(reason), part

    def _explain_failure(self, states: list[int]) -> tuple[int, ...]:
        """Return the positions that explain why chosen places cannot be connected."""
        ends, reached = [], set[int]()
        for place, state in enumerate(states):
            if state == IN and place not in reached:
                ends.append(place)
                reached.update(self._walk(place, states))
        return self._separate(ends, states)

    def _explain_chosen(self, place: int, states: list[int]) -> tuple[int, ...]:
        """Return the positions that explain why an undecided place is chosen."""
        without = [OUT if i == place else state for i, state in enumerate(states)]
        # On each side of the place, the nearest chosen place.
        ends, reached = [], set[int]()
        for neighbour in self.near[place]:
            if without[neighbour] != OUT and neighbour not in reached:
                side = self._walk(neighbour, without)
                reached.update(side)
                ends += [i for i in side if states[i] == IN][:1]
        return self._separate(ends, states, place)

    def _explain_excluded(self, place: int, states: list[int]) -> tuple[int, ...]:
        """Return the positions that explain why an undecided place is excluded.

        They are the same for places that are connected.
        """
        first = min(self._walk(place, states))
        nearest = next(i for i in self._walk(first, [OPEN] * len(states)) if states[i] == IN)
        return self._separate([first, nearest], states)

    def _walk(self, start: int, states: list[int]) -> list[int]:
        """Return the places that are reached from a place, nearest first.

        No path goes through an excluded place.
        """
        reached = {start: None}
        queue = [start]
        for place in queue:
            new = [i for i in self.near[place] if states[i] != OUT and i not in reached]
            reached |= dict.fromkeys(new)
            queue += new
        self.meter.steps += len(queue)
        return queue

    def _separate(self, ends: list[int], states: list[int], excluded: int = -1) -> tuple[int, ...]:
        """Return the positions of a smallest separator of two ends, and of these ends.

        ``excluded``: a place that is supposed to be excluded, too. Positions whose initial domain is enough are left
        out.
        """
        costs = [
            inf if state != OUT else 0 if was == OUT else 1 for state, was in zip(states, self._at_start, strict=True)
        ]
        if excluded >= 0:
            costs[excluded] = 0
        separators = []
        for pair in combinations(ends, 2):
            separator = smallest_separator(self.near, costs, *pair)
            self.meter.steps += len(self.near) * (1 + len(separator))
            separators.append((len(separator), separator, pair))
        _, separator, pair = min(separators)
        chosen = [end for end in pair if states[end] == IN and self._at_start[end] != IN]
        return tuple([position for place in (*separator, *chosen) for position in self.positions[place]])

    @cached_property
    def _at_start(self) -> list[int]:
        """The state of each place with the initial domains."""
        return self._states([(1 << len(domain)) - 1 for domain in self.domains])

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


def smallest_separator(near: Sequence[Sequence[int]], costs: Sequence[float], start: int, end: int) -> list[int]:
    """Return the fewest places of cost 1 without which two other places are not connected.

    By Menger's theorem they are as many as there are paths that share no place of cost 1. Some separator must exist.
    ``networkx.minimum_node_cut`` knows no costs, and ``networkx.minimum_cut`` on entries and exits took 6 to 18 times
    as long for the reasons of seven puzzles (masyu: 1.12 s, here 0.11 s).

    Parameters
    ----------
    near : sequence of sequences of int
        For each place its neighbours.
    costs : sequence of float
        For each place 0 (there is no way through it), 1, or infinity (it cannot be part of the separator).
    start, end : int

    Examples
    --------
    >>> ring = [(1, 3), (0, 2), (1, 3), (0, 2)]
    >>> smallest_separator(ring, [inf, 1, inf, 1], 0, 2), smallest_separator(ring, [inf, 1, inf, 0], 0, 2)
    ([1, 3], [1])
    """
    # Each place has an entry and an exit; a path uses up one unit of the cost between them.
    inner, outer = Counter[int](), Counter[tuple[int, int]]()
    source, target = (start, True), (end, False)
    while True:
        came_from: dict[tuple[int, bool], tuple[int, bool] | None] = {source: None}
        queue = [source]
        for node in queue:
            place, is_exit = node
            if is_exit:
                after = [(i, False) for i in near[place] if costs[i]]
                after += [(place, False)] if inner[place] else []
            else:
                after = [(place, True)] if inner[place] < costs[place] else []
                after += [(i, True) for i in near[place] if outer[i, place]]
            new = [each for each in after if each not in came_from]
            came_from |= dict.fromkeys(new, node)
            queue += new
        if target not in came_from:
            return [i for i in range(len(costs)) if (i, False) in came_from and (i, True) not in came_from]
        # Add the path to the flow, from its end to its start; a step backwards takes flow away.
        node = target
        while (before := came_from[node]) is not None:
            if before[0] == node[0]:
                inner[node[0]] += 1 if node[1] else -1
            elif before[1]:
                outer[before[0], node[0]] += 1
            else:
                outer[node[0], before[0]] -= 1
            node = before


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
