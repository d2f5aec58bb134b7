"""Cheapest flows through sets of limited room, and what their potentials say of every choice."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple


class ReducedCosts(NamedTuple):
    """Costs that mean the same but for a constant: none is negative, and what a set has left costs something, too."""

    bound: int
    costs: list[list[int]]
    room: list[int]


def reduce_costs(
    costs: Sequence[Sequence[int]], ways: Sequence[Sequence[int]], sets: Sequence[tuple[int, int]]
) -> ReducedCosts | None:
    """Rewrite the costs of choices by the potentials of a cheapest flow.

    Whoever chooses pays the new costs of what is chosen and, for each set, for every place that stays free in it; with
    the bound that is what the old costs come to, for every choice that the sets have room for.

    ``costs``: for everyone who chooses, what each choice costs; ``ways``: for each of these choices, the innermost set
    that it is in; ``len(sets)`` where it is in none; ``sets``: for each set, how many choices it has room for, and the
    set around it, or ``len(sets)``. Returns none where the sets have not room for all.

    Notes
    -----
    Successive cheapest paths with potentials: O(n m log m) time for n that choose and m choices. The bound is the
    least that the old costs can come to as far as these sets matter.

    References
    ----------
    .. [1] J. Edmonds, R. Karp, "Theoretical improvements in algorithmic efficiency for network flow problems", 1972.
    .. [2] F. Focacci, A. Lodi, M. Milano, "Cost-based domain filtering", CP 1999.
    .. [3] J.-C. Régin, "Cost-based arc consistency for global cardinality constraints", Constraints 7, 2002.

    Examples
    --------
    >>> reduce_costs([[1, 5], [1, 2]], [[0, 1], [0, 1]], [(1, 2), (1, 2)])
    Reduced(bound=3, costs=[[0, 3], [0, 0]], room=[1, 0])
    """
    network = _Network(len(costs) + len(sets) + 2)
    first = len(costs)
    sink, source = first + len(sets), first + len(sets) + 1
    least = [min(own) for own in costs]
    for number in range(len(costs)):
        network.join(source, number, 1, 0)
    arcs = [
        [network.join(n, first + way, 1, cost - least[n]) for cost, way in zip(costs[n], ways[n], strict=True)]
        for n in range(len(costs))
    ]
    for number, (room, outer) in enumerate(sets):
        network.join(first + number, first + outer, room, 0)
    if not all([network.augment(source, sink) for _ in costs]):
        return None
    potential = network.potential
    dear = [potential[first + number] - potential[first + outer] for number, (_, outer) in enumerate(sets)]
    above = [0] * (len(sets) + 1)  # what a choice pays for the sets that it is in, where these stay open
    for number in sorted(range(len(sets)), key=lambda one: _depth(sets, one)):
        above[number] = max(dear[number], 0) + above[sets[number][1]]
    left = [max(-one, 0) for one in dear]
    reduced = [
        [
            network.cost[arc] + potential[n] - potential[first + way] + above[way]
            for arc, way in zip(arcs[n], ways[n], strict=True)
        ]
        for n in range(len(costs))
    ]
    spare = [min(own) for own in reduced]
    reduced = [[cost - less for cost in own] for own, less in zip(reduced, spare, strict=True)]
    bound = sum(least) + sum(spare) + sum(potential[sink] - potential[n] for n in range(len(costs)))
    bound -= sum(own * places for own, (places, _) in zip(left, sets, strict=True))
    return ReducedCosts(bound, reduced, left)


def _depth(sets: Sequence[tuple[int, int]], number: int) -> int:
    depth = 0
    while number < len(sets):
        number, depth = sets[number][1], depth + 1
    return depth


class _Network:
    """Arcs in pairs, each with its residual arc behind it."""

    def __init__(self, nodes: int) -> None:
        self.arcs: list[list[int]] = [[] for _ in range(nodes)]
        self.end: list[int] = []
        self.free: list[int] = []
        self.cost: list[int] = []
        self.potential = [0] * nodes

    def join(self, one: int, other: int, room: int, cost: int) -> int:
        for node, end, free, own in ((one, other, room, cost), (other, one, 0, -cost)):
            self.arcs[node].append(len(self.end))
            self.end.append(end)
            self.free.append(free)
            self.cost.append(own)
        return len(self.end) - 2

    def augment(self, source: int, sink: int) -> bool:
        """Send one more unit by a cheapest path."""
        potential, end, free, cost = self.potential, self.end, self.free, self.cost
        distance, into, settled = {source: 0}, {source: -1}, set()
        queue = [(0, source)]
        while queue:
            before, node = heappop(queue)
            if node in settled:
                continue
            settled.add(node)
            if node == sink:
                break
            for arc in self.arcs[node]:
                other = end[arc]
                if free[arc] and other not in settled:
                    after = before + cost[arc] + potential[node] - potential[other]
                    if after < distance.get(other, after + 1):
                        distance[other], into[other] = after, arc
                        heappush(queue, (after, other))
        if sink not in settled:
            return False
        far = distance[sink]
        for node in range(len(potential)):
            potential[node] += distance[node] if node in settled else far
        node = sink
        while (arc := into[node]) >= 0:
            free[arc] -= 1
            free[arc ^ 1] += 1
            node = end[arc ^ 1]
        return True
