"""Which line to branch on: the smallest, and among those the one that has failed most."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..compiled.kernel import Kernel, Snapshot

DIGITS = 4
"""Of how many binary digits the weights are that are drawn."""


class Branching:
    """First-fail over both viewpoints, ties broken by failure weights.

    A line of k candidates gives k alternatives, each fixing one of them, so no solution is met twice. The weights
    are a bit-sliced counter: integer ``i`` holds bit ``i`` of the count of every line, at the line's guard.

    ``lines``: the guards of all lines; ``random``: draws the weights that lines begin with, and the order of
    alternatives; ``first``: bits that are tried before others, with the lines of their variables.

    References
    ----------
    .. [1] R. Haralick, G. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.
    .. [2] D. E. Knuth, "Dancing links", 2000 (the S heuristic, over both kinds of items).
    .. [3] F. Boussemart et al., "Boosting systematic search by weighting constraints", 2004 (dom/wdeg).
    """

    def __init__(
        self, kernel: Kernel, lines: Snapshot, random: Random | None = None, first: Sequence[tuple[int, range]] = ()
    ) -> None:
        self._kernel, self.random, self._first = kernel, random, first
        self.weights: list[Snapshot] = []
        if random is not None:
            self.weights = [lines & random.getrandbits(lines.bit_length()) for _ in range(DIGITS)]

    def blame(self, guards: Snapshot) -> None:
        """Add one to the weight of each of these lines."""
        for i, digit in enumerate(self.weights):
            self.weights[i], guards = digit ^ guards, digit & guards
            if not guards:
                return
        self.weights.append(guards)

    def choose(self, state: Snapshot) -> list[int]:
        """The bits of the candidates of the line to branch on, in a fixpoint in which some line waits."""
        for bit, line in self._first:
            if state.bit_test(line.stop) and state.bit_test(bit):
                return [bit, *(other for other in line if other != bit and state.bit_test(other))]
        chosen = self._kernel.smallest(state, self.weights)
        if self.random is not None:
            self.random.shuffle(chosen)
        return chosen
