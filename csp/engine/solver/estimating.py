"""About how many solutions there are, from walks down the tree by chance."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from random import Random

from ...base.errors import Stopped
from ..compiled.kernel import Snapshot, Stable
from ..compiled.program import CompiledModel
from ..effort import Budget
from ..search.branching import Branching
from ..search.depth_first import Search
from ..search.propagation import Propagation
from .answers import Estimate


class Estimating:
    """Walks from a state at rest to a leaf, each time by chance; what it passes by is taken to be alike.

    References
    ----------
    .. [1] D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
    """

    def __init__(self, program: CompiledModel, propagation: Propagation, budget: Budget) -> None:
        self._program = program
        self._kernel = program.kernel
        self._propagation = propagation
        self._budget = budget
        self._branching = Branching(program.kernel, program.layout.guards)

    def estimate(self, root: Snapshot, probes: int, seed: int) -> Estimate:
        """The mean of what the walks find, and its standard error; a limit makes it fewer walks."""
        random = Random(seed)
        walks = total = squares = 0
        stopped = ""
        try:
            for _ in range(probes):
                found = self._walk(root, random)
                walks, total, squares = walks + 1, total + found, squares + found * found
        except Stopped as limit:
            stopped = str(limit)
        spread = (walks * squares - total * total) // (walks * walks * (walks - 1)) if walks > 1 else 0
        return Estimate(total // max(1, walks), isqrt(spread), walks, self._budget.effort, stopped)

    def _walk(self, state: Snapshot, random: Random) -> int:
        """The product of the numbers of alternatives on the way to a solution; 0 on the way to none."""
        budget, found = self._budget, 1
        while open_lines := self._shown(state):
            budget.check_node()
            bits = self._branching.choose(open_lines)
            found *= len(bits)
            budget.effort.nodes += 1
            result = self._propagation.narrow(self._kernel.restrict(state, random.choice(bits)), state, budget)
            if not isinstance(result, Stable):
                budget.effort.failures += 1
                return 0
            state = result.state
        return found if next(self._completed(state), None) is not None else 0

    def _shown(self, state: Snapshot) -> Snapshot:
        """The state with the lines of what is shown alone, or nothing where none of them waits."""
        projection, guards = self._program.projection, self._program.layout.guards
        left = state if projection is None else state & ~projection.guards
        return left if left & guards else Snapshot(0)

    def _completed(self, state: Snapshot) -> Iterator[Snapshot]:
        return Search(self._program, self._propagation, self._budget).solutions(state)
