"""Which line to branch on: the smallest, and among those the one that has failed most."""

from __future__ import annotations

from gmpy2 import mpz

from .lines import Lines


class Branching:
    """First-fail over both viewpoints, ties broken by failure weights.

    A line of k candidates gives k alternatives, each fixing one of them, so no solution is met twice. The weights
    are a bit-sliced counter: integer ``i`` holds bit ``i`` of the count of every line, at the line's guard.

    Parameters
    ----------
    lines : Lines

    References
    ----------
    .. [1] R. Haralick, G. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.
    .. [2] D. E. Knuth, "Dancing links", 2000 (the S heuristic, over both kinds of items).
    .. [3] F. Boussemart et al., "Boosting systematic search by weighting constraints", 2004 (dom/wdeg).
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self._weights: list[mpz] = []

    def blame(self, guards: mpz) -> None:
        """Add one to the weight of each of these lines."""
        for i, digit in enumerate(self._weights):
            self._weights[i], guards = digit ^ guards, digit & guards
            if not guards:
                return
        self._weights.append(guards)

    def choose(self, state: mpz) -> list[int]:
        """The bits of the candidates of the line to branch on.

        Strips the lowest candidate off all lines at once until some line is empty: O(size of that line) wide
        operations.

        Parameters
        ----------
        state : mpz
            A fixpoint in which some line waits.
        """
        guards, ones = self.lines.guards, self.lines.ones
        waiting = state & guards
        rest, smallest = state, mpz(0)
        while not smallest:
            rest = rest & ((rest | guards) - ones)
            smallest = waiting & ~((rest | guards) - ones)
        for digit in reversed(self._weights):
            smallest = smallest & digit or smallest
        guard = smallest.bit_scan1()
        bits = []
        bit = state.bit_scan1(self.lines.begin[guard])
        while bit < guard:
            bits.append(bit)
            bit = state.bit_scan1(bit + 1)
        return bits
