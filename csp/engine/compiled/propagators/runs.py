"""A propagator for ``runs``: runs with given sums, by a layered graph of states."""

from __future__ import annotations

from ....model import Constraint, Runs
from .base import Context, Masks, Propagator, list_elements
from .tabulated import Tabulated

MAX_LAYER_STEPS = 20_000
"""Maximum number of steps of a layer. Beyond, a table of assignments is used, which only checks at first."""


LayerStep = tuple[int, int, int]
"""A step of a layered graph: the state before, the state after (one bit each), and the values that lead there."""


class Layered(Propagator):
    """A propagator for ``runs`` by paths in a layered graph of states (Pesant).

    It removes the values that are on no path from the start state to an end state. Domain-consistent if no variable is
    in two elements. O(steps); the graph is made once.

    References
    ----------
    .. [1] G. Pesant, "A regular language membership constraint for finite sequences of variables", 2004.
    """

    def __init__(
        self, constraint: Constraint, context: Context, layers: list[list[LayerStep]], positions: list[int]
    ) -> None:
        super().__init__(constraint, context)
        self.layers = layers
        # The position of each element; -1 for a number.
        self.positions = positions
        self._size = sum(map(len, layers))
        if len(self.scope) < sum(position >= 0 for position in positions):
            self.claim = "check"

    def prune(self, masks: Masks) -> Masks | None:
        self.meter.steps += self._size
        # Forward: the states that each layer can reach.
        reached = [1]
        for position, steps in zip(self.positions, self.layers, strict=True):
            domain, before, after = (masks[position] if position >= 0 else 1), reached[-1], 0
            for source, target, values in steps:
                if before & source and domain & values:
                    after |= target
            reached.append(after)
        # Backward: a step is supported if it joins a reached state with one that reaches the end.
        narrowed, after = list(masks), reached.pop()
        if not after:
            return None
        for position, steps in zip(reversed(self.positions), reversed(self.layers), strict=True):
            before, sources, supported = reached.pop(), 0, 0
            for source, target, values in steps:
                if after & target and before & source and (position < 0 or masks[position] & values):
                    sources |= source
                    supported |= values
            after = sources
            if position >= 0:
                narrowed[position] &= supported
                if not narrowed[position]:
                    return None
        return narrowed


def make_runs(constraint: Constraint, context: Context) -> Propagator:
    """Return the propagator of ``runs``: a layered graph, or a table if it is large."""
    assert isinstance(constraint, Runs)
    elements = list_elements(constraint.elements, constraint.scope, context)
    layers = constraint.layers([element.numbers for element in elements], MAX_LAYER_STEPS)
    if layers is None:
        return Tabulated(constraint, context)
    steps = []
    for element, arcs in zip(elements, layers, strict=True):
        bit = {number: 1 << i for i, number in enumerate(element.numbers)}
        steps.append(
            [
                (1 << source, 1 << target, sum([bit[n] for n in numbers_between]))
                for (source, target), numbers_between in arcs.items()
            ]
        )
    return Layered(constraint, context, steps, [element.position for element in elements])
