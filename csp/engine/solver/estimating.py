"""Estimates of the number of solutions by random walks down the search tree."""

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


class Estimator:
    """An estimator of the number of solutions by random walks, after Knuth.

    A walk leads from a fixpoint to a leaf. It assumes that the alternatives it does not try have as many solutions as
    the one that it tries.

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
        """Return the mean of the walks' estimates of the number of solutions, and its standard error.

        At a limit of the budget the walks so far count.
        """
        random = Random(seed)
        walks = total = squares = 0  # of the counts
        stopped = ""
        try:
            for _ in range(probes):
                solutions = self._walk(root, random)
                walks, total, squares = walks + 1, total + solutions, squares + solutions * solutions
        except Stopped as limit:
            stopped = str(limit)
        variance = (walks * squares - total * total) // (walks * walks * (walks - 1)) if walks > 1 else 0
        return Estimate(total // max(1, walks), isqrt(variance), walks, self._budget.effort, stopped)

    def _walk(self, snapshot: Snapshot, random: Random) -> int:
        """Walk at random to a leaf, and return the estimate of the number of solutions.

        The estimate is the product of the numbers of alternatives on the path, or 0 at a leaf without a solution.
        """
        budget, product = self._budget, 1
        while shown_part := self._shown_part(snapshot):
            budget.check_node()
            # Decide at random, and propagate the decision.
            alternatives = self._branching.choose(shown_part)
            product *= len(alternatives)
            budget.effort.nodes += 1
            result = self._propagation.propagate(
                self._kernel.restrict(snapshot, random.choice(alternatives)), snapshot, budget
            )
            if not isinstance(result, Stable):
                budget.effort.failures += 1
                return 0
            snapshot = result.state
        # All shown variables are fixed: the leaf counts if the hidden ones have a solution.
        return product if next(self._completions(snapshot), None) is not None else 0

    def _shown_part(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot without hidden exactly-one sets; 0 if all shown variables are fixed."""
        projection, guards = self._program.projection, self._program.layout.guards
        shown_part = snapshot if projection is None else snapshot & ~projection.guards
        return shown_part if shown_part & guards else Snapshot(0)

    def _completions(self, snapshot: Snapshot) -> Iterator[Snapshot]:
        return Search(self._program, self._propagation, snapshot, self._budget).solutions()
