"""Runs with given sums: what stands on no way through the layers goes."""

from __future__ import annotations

from ....model import Affine, Constraint, Runs
from .base import Context, Masks, Propagator, numbers_of
from .tabulated import Tabulated

MAX_LAYER_STEPS = 20_000
"""How many steps a layer may have."""


class Layered(Propagator):
    """Goes forward through the states that the elements lead to, and back from the ends.

    Leaves only values that stand in a solution, if no variable stands in two elements. O(steps), which are made once.

    References
    ----------
    .. [1] G. Pesant, "A regular language membership constraint for finite sequences of variables", 2004.
    """

    def __init__(
        self, constraint: Constraint, context: Context, steps: list[list[tuple[int, int, int]]], at: list[int]
    ) -> None:
        super().__init__(constraint, context)
        self.layers = steps  # of each layer: the state here and the one there as bits, and the values that lead there
        self.at = at  # the position of each element; -1 for a number
        self._size = sum(map(len, steps))
        if len(self.scope) < sum(position >= 0 for position in at):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        self.memory.steps += self._size
        reached = [1]
        for position, steps in zip(self.at, self.layers, strict=True):
            own, here, there = (masks[position] if position >= 0 else 1), reached[-1], 0
            for one, other, values in steps:
                if here & one and own & values:
                    there |= other
            reached.append(there)
        left, there = list(masks), reached.pop()
        if not there:
            return None
        for position, steps in zip(reversed(self.at), reversed(self.layers), strict=True):
            here, before, kept = reached.pop(), 0, 0
            for one, other, values in steps:
                if there & other and here & one and (position < 0 or masks[position] & values):
                    before |= one
                    kept |= values
            there = before
            if position >= 0:
                left[position] &= kept
                if not left[position]:
                    return None
        return left


def make_runs(constraint: Constraint, context: Context) -> Propagator:
    """The filter by layers; where these are large, one that only checks."""
    assert isinstance(constraint, Runs)
    place = {variable: i for i, variable in enumerate(constraint.scope)}

    def element(one: Affine) -> tuple[int, list[int]]:
        """The position of its variable, and what it is worth with each value of that; -1 for a number."""
        if not one.terms:
            return -1, [one.constant]
        ((coefficient, variable),) = one.terms
        numbers = numbers_of(context.domain(variable), context)  # type: ignore[arg-type]
        return place[variable], [coefficient * number + one.constant for number in numbers]  # type: ignore[index]

    elements = [element(one) for one in constraint.elements]
    layers = constraint.layers([numbers for _, numbers in elements], MAX_LAYER_STEPS)
    if layers is None:
        return Tabulated(constraint, context)
    steps = []
    for (_, numbers), arcs in zip(elements, layers, strict=True):
        bit = {number: 1 << i for i, number in enumerate(numbers)}
        steps.append([(1 << one, 1 << other, sum([bit[n] for n in led])) for (one, other), led in arcs.items()])
    return Layered(constraint, context, steps, [position for position, _ in elements])
