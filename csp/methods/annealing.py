"""The method that solves by simulated annealing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import exp

from ..model import Value
from .base import GaveUp, NotApplicable, Run
from .groups import Groups

SEED = 1
START_TEMPERATURE, END_TEMPERATURE, COOLING = 0.4, 0.2, 0.999
"""Temperature at the start and at the end of a cooling, and the factor from step to step."""

MAX_COOLINGS = 20
"""Maximum number of coolings; after the last one, the method gives up."""

COLUMNS, ROWS = 60, 8
"""Maximum number of columns of the plot, and its number of rows."""


def solve(run: Run) -> None:
    """Fill blocks (disjoint permutation groups) at random, then swap values to lower the cost.

    An attempt is a tried swap.

    The blocks are permutations: groups with as many values as variables that together contain each variable once. The
    cost is the number of missing values, summed over the other groups. A swap that raises the cost is accepted with the
    probability exp(-increase / temperature). One step of the temperature tries as many swaps as exist; then the
    temperature falls by a constant factor. When it is cold, all blocks are filled again.

    Raises
    ------
    NotApplicable
        If no such groups partition the variables, or if an unfixed variable has fewer values than its block.
    GaveUp
        After the last cooling.

    References
    ----------
    .. [1] R. Lewis, "Metaheuristics can solve sudoku puzzles", 2007.
    """
    groups = run.only_groups
    filling = _Filling(groups, _choose_blocks(run, groups))
    rng = random.Random(SEED)
    costs: list[int] = []
    try:
        for _ in range(MAX_COOLINGS):
            # Each cooling starts from a new random filling.
            filling.fill(rng)
            costs.append(filling.cost)
            temperature = START_TEMPERATURE
            if run.visits is not None:
                run.visits.add_cost(temperature, filling.cost)
            while filling.cost and filling.swaps and temperature > END_TEMPERATURE:
                # One step of the temperature: as many tries as there are swaps.
                for _ in filling.swaps:
                    if not filling.cost:
                        break
                    run.count_attempt()
                    filling.try_swap(rng, temperature)
                costs.append(filling.cost)
                temperature *= COOLING
                if run.visits is not None:
                    run.visits.add_cost(temperature, filling.cost)
            if not filling.cost:
                run.add_solution(dict(zip(groups.variables, filling.values, strict=True)))
                return
        raise GaveUp(f"the minimum cost in {MAX_COOLINGS} coolings was {min(costs)}")
    finally:
        for line in _plot(costs):
            run.log(line)


def _choose_blocks(run: Run, groups: Groups) -> list[int]:
    # Blocks can only be groups in which every value has a place.
    permutations = [number for number, is_permutation in enumerate(groups.is_permutation) if is_permutation]
    blocks = groups.partition(permutations, run.check)
    if blocks is None:
        raise NotApplicable("no partition of the variables into groups has all values in each group")
    # A swap must keep both variables in their domains, so an unfixed one needs all values of its block.
    for number in blocks:
        for i in groups.groups[number]:
            if len(groups.domains[i]) not in (1, len(groups.groups[number])):
                raise NotApplicable(f"{groups.variables[i]} lacks some values of {groups.names[number]}")
    return blocks


class _Filling:
    """A random assignment that fills blocks, with counts of the values in all groups."""

    def __init__(self, groups: Groups, blocks: Sequence[int]) -> None:
        self._groups, self._blocks = groups, blocks
        # The unfixed variables of each block.
        self._open = [[i for i in groups.groups[number] if len(groups.domains[i]) > 1] for number in blocks]
        other_groups = [set(group_numbers) - set(blocks) for group_numbers in groups.groups_of]
        # Each swap has its two variables, and the groups of either that the other is not in.
        self.swaps = [
            (
                first,
                second,
                sorted(other_groups[first] - other_groups[second]),
                sorted(other_groups[second] - other_groups[first]),
            )
            for variables in self._open
            for first, second in combinations(variables, 2)
        ]
        self.values: list[Value] = [domain[0] for domain in groups.domains]

    def fill(self, rng: random.Random) -> None:
        """Assign each block's missing values at random; give up if its givens repeat.

        Counts the values of all groups, and sets ``cost``.
        """
        groups = self._groups
        for number, variables in zip(self._blocks, self._open, strict=True):
            given = [self.values[i] for i in groups.groups[number] if i not in variables]
            missing = [value for value in groups.values[number] if value not in given]
            if len(missing) != len(variables):
                raise GaveUp(f"two givens of {groups.names[number]} are equal")
            rng.shuffle(missing)
            for i, value in zip(variables, missing, strict=True):
                self.values[i] = value
        # Count the values in all groups; a value with count 0 is missing.
        self._counts = [dict.fromkeys(values, 0) for values in groups.values]
        for i, value in enumerate(self.values):
            for number in groups.groups_of[i]:
                self._counts[number][value] += 1
        self.cost = sum(
            len(group) - sum(count > 0 for count in counts.values())
            for group, counts in zip(groups.groups, self._counts, strict=True)
        )

    def try_swap(self, rng: random.Random, temperature: float) -> None:
        """Swap two random values of a block, unless chance rejects a higher cost.

        Updates ``values``, the counts and ``cost``.
        """
        first, second, first_groups, second_groups = self.swaps[int(rng.random() * len(self.swaps))]
        values, counts = self.values, self._counts
        first_value, second_value = values[first], values[second]
        # A lost last occurrence costs 1, a gained first occurrence saves 1.
        increase = sum(
            [(counts[number][first_value] == 1) - (counts[number][second_value] == 0) for number in first_groups]
        )
        increase += sum(
            [(counts[number][second_value] == 1) - (counts[number][first_value] == 0) for number in second_groups]
        )
        if increase > 0 and rng.random() >= exp(-increase / temperature):
            return
        for number in first_groups:
            counts[number][first_value] -= 1
            counts[number][second_value] += 1
        for number in second_groups:
            counts[number][second_value] -= 1
            counts[number][first_value] += 1
        values[first], values[second] = second_value, first_value
        self.cost += increase


def _plot(costs: Sequence[int]) -> list[str]:
    """Draw the cost at each temperature as lines of text.

    If there are more steps than columns, a column shows the maximum of several steps.

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
    interval = max(1, -(-len(costs) // COLUMNS))
    # Each bar shows the maximum of an interval of steps.
    bars = [max(costs[start : start + interval]) for start in range(0, len(costs), interval)]
    top = max(bars, default=0)
    lines = [f"cost in {len(costs):,} steps of the temperature"]
    for row in range(ROWS if top else 0, 0, -1):
        level = top * row / ROWS
        lines.append(f"{level:>6.1f} |{''.join('#' if bar >= level else ' ' for bar in bars)}".rstrip())
    return lines
