"""Minimum-cost flows, whose potentials reduce the costs of an objective."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple


class ReducedCosts(NamedTuple):
    """Non-negative costs that, with a constant, replace the costs of choices: see ``reduce_costs``.

    ``bound``: the constant; ``costs``: for each chooser the cost of each choice; ``room``: for each set the cost of a
    free place.
    """

    bound: int
    costs: list[list[int]]
    room: list[int]


def reduce_costs(
    costs: Sequence[Sequence[int]], sets_of_choice: Sequence[Sequence[int]], sets: Sequence[tuple[int, int]]
) -> ReducedCosts | None:
    """Reduce the costs of choices by the potentials of a minimum-cost flow.

    The old costs of any choices that fit are equal to: the bound, plus the new costs of the choices, plus for each set
    the cost of its free places.

    ``costs``: for each chooser the cost of each choice; ``sets_of_choice``: for each of these choices the innermost set
    that contains it, or ``len(sets)``; ``sets``: for each set the number of choices that fit, and the set around it,
    or ``len(sets)``. Returns None if the choices of all do not fit into the sets.

    Notes
    -----
    Successive shortest paths with potentials: O(n m log m) time for n choosers and m choices. The bound is the minimum
    of the old costs, with regard to these sets only.

    References
    ----------
    .. [1] J. Edmonds, R. Karp, "Theoretical improvements in algorithmic efficiency for network flow problems", 1972.
    .. [2] F. Focacci, A. Lodi, M. Milano, "Cost-based domain filtering", CP 1999.
    .. [3] J.-C. Régin, "Cost-based arc consistency for global cardinality constraints", Constraints 7, 2002.

    Examples
    --------
    >>> reduce_costs([[1, 5], [1, 2]], [[0, 1], [0, 1]], [(1, 2), (1, 2)])
    ReducedCosts(bound=3, costs=[[0, 3], [0, 0]], room=[1, 0])
    """
    # The network: source, choosers, sets from inner to outer, sink.
    network = _Network(len(costs) + len(sets) + 2)
    first_set = len(costs)
    sink, source = first_set + len(sets), first_set + len(sets) + 1
    least_costs = [min(row) for row in costs]
    for index in range(len(costs)):
        network.join(source, index, 1, 0)
    arcs = [
        [
            network.join(n, first_set + innermost, 1, cost - least_costs[n])
            for cost, innermost in zip(costs[n], sets_of_choice[n], strict=True)
        ]
        for n in range(len(costs))
    ]
    for index, (room, outer) in enumerate(sets):
        network.join(first_set + index, first_set + outer, room, 0)
    # One unit of flow for each chooser.
    if not all([network.augment(source, sink) for _ in costs]):
        return None
    # A full set has a price, by the difference of its potentials.
    potential = network.potential
    set_costs = [potential[first_set + index] - potential[first_set + outer] for index, (_, outer) in enumerate(sets)]
    # A choice pays the prices of all sets around it.
    outer_costs = [0] * (len(sets) + 1)
    for index in sorted(range(len(sets)), key=lambda i: _depth(sets, i)):
        outer_costs[index] = max(set_costs[index], 0) + outer_costs[sets[index][1]]
    # Prices of the other sign are paid for the places that stay free.
    free_costs = [max(-price, 0) for price in set_costs]
    reduced = [
        [
            network.cost[arc] + potential[n] - potential[first_set + innermost] + outer_costs[innermost]
            for arc, innermost in zip(arcs[n], sets_of_choice[n], strict=True)
        ]
        for n in range(len(costs))
    ]
    # Subtract each chooser's least cost, and add it to the bound.
    slack = [min(row) for row in reduced]
    reduced = [[cost - amount for cost in row] for row, amount in zip(reduced, slack, strict=True)]
    bound = sum(least_costs) + sum(slack) + sum(potential[sink] - potential[n] for n in range(len(costs)))
    bound -= sum(price * places for price, (places, _) in zip(free_costs, sets, strict=True))
    return ReducedCosts(bound, reduced, free_costs)


def _depth(sets: Sequence[tuple[int, int]], number: int) -> int:
    """Return the nesting depth of a set: how many sets contain it, including itself."""
    depth = 0
    while number < len(sets):
        number, depth = sets[number][1], depth + 1
    return depth


class _Network:
    """A flow network; each arc is stored directly before its residual arc."""

    def __init__(self, nodes: int) -> None:
        self.arcs: list[list[int]] = [[] for _ in range(nodes)]
        self.end: list[int] = []
        self.free: list[int] = []
        self.cost: list[int] = []
        self.potential = [0] * nodes

    def join(self, tail: int, head: int, capacity: int, cost: int) -> int:
        """Add an arc and its residual arc; return the number of the arc."""
        for node, end, free, arc_cost in ((tail, head, capacity, cost), (head, tail, 0, -cost)):
            self.arcs[node].append(len(self.end))
            self.end.append(end)
            self.free.append(free)
            self.cost.append(arc_cost)
        return len(self.end) - 2

    def augment(self, source: int, sink: int) -> bool:
        """Send one unit of flow along a cheapest path; return False without a path.

        This also updates the potentials of the nodes.
        """
        potential, end, free, cost = self.potential, self.end, self.free, self.cost
        distance, arc_into, settled = {source: 0}, {source: -1}, set()
        # Dijkstra's algorithm on reduced costs.
        queue = [(0, source)]
        while queue:
            length, node = heappop(queue)
            if node in settled:
                continue
            settled.add(node)
            if node == sink:
                break
            for arc in self.arcs[node]:
                neighbour = end[arc]
                if free[arc] and neighbour not in settled:
                    new_length = length + cost[arc] + potential[node] - potential[neighbour]
                    if new_length < distance.get(neighbour, new_length + 1):
                        distance[neighbour], arc_into[neighbour] = new_length, arc
                        heappush(queue, (new_length, neighbour))
        if sink not in settled:
            return False
        # Update the potentials, so that reduced costs stay at least 0.
        total = distance[sink]
        for node in range(len(potential)):
            potential[node] += distance[node] if node in settled else total
        # Send the unit back along the path.
        node = sink
        while (arc := arc_into[node]) >= 0:
            free[arc] -= 1
            free[arc ^ 1] += 1
            node = end[arc ^ 1]
        return True
