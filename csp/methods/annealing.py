"""Simulated annealing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import exp

from ..model import Value
from .base import GaveUp, NotForThis, Run
from .groups import Groups

SEED = 1
HOT, COLD, COOLING = 0.4, 0.2, 0.999
"""The temperature in the beginning and in the end, and by what it falls from step to step."""

COOLINGS = 20
"""How often it may cool down before it gives up."""

WIDE, HIGH = 60, 8
"""The most columns of the plot, and its rows."""


def solve(run: Run) -> None:
    """Fill every block with its values at random, and swap two of them; an attempt is a swap tried.

    The blocks are groups that have every variable once, and each all of its values. The cost is how many values are
    missing in the other groups; a swap that costs more is made with the probability exp(-more / temperature). The
    temperature falls by the same factor after as many swaps as are possible, until it is cold; then everything is
    filled anew.

    Raises
    ------
    NotForThis
        If no such groups part the variables, or if an open variable has fewer values than its block.
    GaveUp
        After some coolings.

    References
    ----------
    .. [1] R. Lewis, "Metaheuristics can solve sudoku puzzles", 2007.
    """
    groups = run.only_groups
    filling = _Filling(groups, _blocks(run, groups))
    rng = random.Random(SEED)
    costs: list[int] = []
    try:
        for _ in range(COOLINGS):
            filling.fill(rng)
            costs.append(filling.cost)
            temperature = HOT
            if run.visits is not None:
                run.visits.cooled(temperature, filling.cost)
            while filling.cost and filling.swaps and temperature > COLD:
                for _ in filling.swaps:
                    if not filling.cost:
                        break
                    run.step()
                    filling.try_swap(rng, temperature)
                costs.append(filling.cost)
                temperature *= COOLING
                if run.visits is not None:
                    run.visits.cooled(temperature, filling.cost)
            if not filling.cost:
                run.found(dict(zip(groups.variables, filling.values, strict=True)))
                return
        raise GaveUp(f"the least cost in {COOLINGS} coolings was {min(costs)}")
    finally:
        for line in _plot(costs):
            run.tell(line)


def _blocks(run: Run, groups: Groups) -> list[int]:
    full = [number for number, is_full in enumerate(groups.full) if is_full]
    blocks = groups.partition(full, run.check)
    if blocks is None:
        raise NotForThis("no set of its groups has every variable once and each all of its values")
    for number in blocks:
        for i in groups.groups[number]:
            if len(groups.domains[i]) not in (1, len(groups.groups[number])):
                raise NotForThis(f"{groups.variables[i]} may have some values of {groups.names[number]} and not others")
    return blocks


class _Filling:
    """Blocks that are filled in, and how often each value stands in each of the other groups."""

    def __init__(self, groups: Groups, blocks: Sequence[int]) -> None:
        self._groups, self._blocks = groups, blocks
        self._open = [[i for i in groups.groups[number] if len(groups.domains[i]) > 1] for number in blocks]
        others = [set(own) - set(blocks) for own in groups.groups_of]
        self.swaps = [
            (one, other, sorted(others[one] - others[other]), sorted(others[other] - others[one]))
            for variables in self._open
            for one, other in combinations(variables, 2)
        ]
        self.values: list[Value] = [domain[0] for domain in groups.domains]

    def fill(self, rng: random.Random) -> None:
        """Give the open variables of every block the values that are missing there, at random."""
        groups = self._groups
        for number, variables in zip(self._blocks, self._open, strict=True):
            given = [self.values[i] for i in groups.groups[number] if i not in variables]
            missing = [value for value in groups.values[number] if value not in given]
            if len(missing) != len(variables):
                raise GaveUp(f"two givens of {groups.names[number]} are equal")
            rng.shuffle(missing)
            for i, value in zip(variables, missing, strict=True):
                self.values[i] = value
        self._counts = [dict.fromkeys(values, 0) for values in groups.values]
        for i, value in enumerate(self.values):
            for number in groups.groups_of[i]:
                self._counts[number][value] += 1
        self.cost = sum(
            len(group) - sum(count > 0 for count in counts.values())
            for group, counts in zip(groups.groups, self._counts, strict=True)
        )

    def try_swap(self, rng: random.Random, temperature: float) -> None:
        """Swap two values at random, if that costs no more or chance will have it."""
        one, other, of_one, of_other = self.swaps[int(rng.random() * len(self.swaps))]
        values, counts = self.values, self._counts
        x, y = values[one], values[other]
        more = sum([(counts[number][x] == 1) - (counts[number][y] == 0) for number in of_one])
        more += sum([(counts[number][y] == 1) - (counts[number][x] == 0) for number in of_other])
        if more > 0 and rng.random() >= exp(-more / temperature):
            return
        for number in of_one:
            counts[number][x] -= 1
            counts[number][y] += 1
        for number in of_other:
            counts[number][y] -= 1
            counts[number][x] += 1
        values[one], values[other] = y, x
        self.cost += more


def _plot(costs: Sequence[int]) -> list[str]:
    """The cost from step to step of the temperature, the highest of some steps in one column where they are many.

    Examples
    --------
    >>> print(*_plot([4, 2, 2, 1, 0]), sep="\\n")
    cost in 5 steps of the temperature
       4.0 |#
       3.5 |#
       3.0 |#
       2.5 |#
       2.0 |###
       1.5 |###
       1.0 |####
       0.5 |####
    """
    each = max(1, -(-len(costs) // WIDE))
    bars = [max(costs[start : start + each]) for start in range(0, len(costs), each)]
    top = max(bars, default=0)
    lines = [f"cost in {len(costs):,} steps of the temperature"]
    for row in range(HIGH if top else 0, 0, -1):
        level = top * row / HIGH
        lines.append(f"{level:>6.1f} |{''.join('#' if bar >= level else ' ' for bar in bars)}".rstrip())
    return lines
