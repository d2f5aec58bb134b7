"""The choice of the exactly-one set whose candidates are the next branches."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..compiled.kernel import Kernel, Snapshot, has_bit

INITIAL_WEIGHT_BITS = 4
"""Binary digits of the random weights that a seed draws."""


class Branching:
    """A first-fail heuristic with dom/wdeg weights, which branches on exactly-one sets.

    An exactly-one set of k candidates gives k alternatives, each fixing one candidate, so no solution is found twice.
    The weights are a bit-sliced counter: integer ``i`` holds bit ``i`` of the failure count of every exactly-one set,
    at the guard of the set.

    Parameters
    ----------
    kernel : Kernel
    guards : Snapshot
        The guards of all exactly-one sets.
    random : random.Random, optional
        Draws the initial weights and the order of alternatives.
    preferred : sequence of (int, range)
        Bits of candidates to try before all others, each with the candidate bits of its variable.

    References
    ----------
    .. [1] R. Haralick, G. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.
    .. [2] D. E. Knuth, "Dancing links", 2000 (the S heuristic, over both kinds of items).
    .. [3] F. Boussemart et al., "Boosting systematic search by weighting constraints", 2004 (dom/wdeg).
    """

    def __init__(
        self,
        kernel: Kernel,
        guards: Snapshot,
        random: Random | None = None,
        preferred: Sequence[tuple[int, range]] = (),
    ) -> None:
        self._kernel, self.random, self._preferred = kernel, random, preferred
        self.weights: list[Snapshot] = []
        if random is not None:
            self.weights = [guards & random.getrandbits(guards.bit_length()) for _ in range(INITIAL_WEIGHT_BITS)]

    def blame(self, guards: Snapshot) -> None:
        """Add 1 to the failure weight of each exactly-one set with a given guard bit."""
        # Add with carry, all counters at once: ``guards`` holds the carries into the next digit.
        for i, digit in enumerate(self.weights):
            self.weights[i], guards = digit ^ guards, digit & guards
            if not guards:
                return
        self.weights.append(guards)

    def choose(self, snapshot: Snapshot) -> list[int]:
        """Choose an exactly-one set; return its candidate bits in the order of trying.

        ``snapshot``: a fixpoint with an unfixed set.
        """
        # Candidates that the user prefers come first, with the alternatives of their variable.
        for bit, candidates in self._preferred:
            if has_bit(snapshot, candidates.stop) and has_bit(snapshot, bit):
                return [bit, *(other for other in candidates if other != bit and has_bit(snapshot, other))]
        chosen = self._kernel.smallest(snapshot, self.weights)
        if self.random is not None:
            self.random.shuffle(chosen)
        return chosen
