"""Exact counting of solutions without enumeration, by caching the counts of residual problems."""

from __future__ import annotations

from ..compiled.kernel import Snapshot, Stable, has_bit, next_bit
from ..compiled.program import CompiledModel
from ..effort import Budget
from .propagation import Propagation
from .residual import Residual

FIRST_CHECK_NODES = 500
"""Nodes until the first check whether residual problems repeat; each further check comes after twice as many nodes."""

MAX_NODES_PER_REPEAT = 8
"""At a check, counting gives up unless one residual problem has repeated per this many nodes."""

ENTRY_BYTES = 150
"""Estimated bytes of an entry of the cache without its key."""


class _Sum:
    """A residual problem on the stack; its count is the sum over its branches."""

    __slots__ = ("bits", "key", "snapshot", "total")

    def __init__(self, key: Snapshot, snapshot: Snapshot, bits: list[int]) -> None:
        self.key, self.snapshot, self.bits, self.total = key, snapshot, bits, 0


class _Product:
    """A residual problem on the stack; its count is the product over independent parts."""

    __slots__ = ("key", "parts", "total")

    def __init__(self, key: Snapshot, parts: list[Snapshot]) -> None:
        self.key, self.parts, self.total = key, parts, 1


class SolutionCounter:
    """A counter of solutions that caches the count of each residual problem.

    It branches on the variables in their order, so that the residual problem after a variable repeats often: row by
    row, the rest of a Latin square depends only on the sets of values that its columns have used. Independent parts
    are counted separately and multiplied. The attributes describe the last count.

    Attributes
    ----------
    least : int
        A lower bound of the number of solutions, valid also after a limit.
    repeats : int
        How many residual problems were found in the cache.

    References
    ----------
    .. [1] R. J. Bayardo, J. D. Pehoushek, "Counting models using connected components", AAAI 2000.
    .. [2] T. Sang et al., "Combining component caching and clause learning for effective model counting", SAT 2004.
    """

    def __init__(self, program: CompiledModel, propagation: Propagation) -> None:
        self.least = 0
        self.repeats = 0
        self._program = program
        self._layout = program.layout
        self._fix = program.kernel.fix
        self._propagation = propagation
        self._counts: dict[Snapshot, int] = program.memory.cache()
        self._max_depth = 8 * program.settings.max_stack_bytes // max(1, program.layout.length)

    def count(self, root: Snapshot, budget: Budget) -> int | None:
        """Return the number of solutions below a fixpoint, or None if counting gives up.

        It gives up if residual problems repeat too seldom for the cache to pay or the tree is deeper than the memory of
        ``Settings.max_stack_bytes`` allows.

        Raises
        ------
        Stopped
            At a limit of the budget; ``least`` is the number counted until then.
        """
        self.least = self.repeats = 0
        self._budget, self._residual = budget, Residual(self._program)
        self._stack: list[_Sum | _Product] = []
        try:
            return self._count(root)
        finally:
            self.least = self._lower_bound()
            self._counts.clear()
            del self._budget, self._residual, self._stack

    def _count(self, root: Snapshot) -> int | None:
        """Count the solutions below a fixpoint with a stack of sums and products, as ``count``."""
        effort, budget, stack = self._budget.effort, self._budget, self._stack
        propagate, fix = self._propagation.propagate, self._fix
        nodes, next_check = 0, FIRST_CHECK_NODES
        solutions = self._begin(root)
        while stack:
            top = stack[-1]
            # Add or multiply the count of the subproblem that has just been finished.
            if solutions is not None:
                top.total = top.total + solutions if isinstance(top, _Sum) else top.total * solutions
                solutions = None
            if isinstance(top, _Product):
                # Product: count the next part, unless one without solutions makes the product zero.
                if top.total and top.parts:
                    solutions = self._begin(top.parts.pop(), is_part=True)
                    continue
            elif top.bits:
                # Sum: give up if the cache does not pay, else propagate the next alternative and count below it.
                if not budget.is_endless:
                    budget.check_node()
                effort.nodes += 1
                nodes += 1
                if nodes == next_check:
                    next_check *= 2
                    if MAX_NODES_PER_REPEAT * self.repeats < nodes:
                        return None
                if len(stack) > self._max_depth:
                    return None
                result = propagate(fix(top.snapshot, top.bits.pop()), top.snapshot, budget)
                if isinstance(result, Stable):
                    solutions = self._begin(result.snapshot)
                else:
                    effort.failures += 1
                continue
            # The problem on top is finished: cache its count and hand it to the problem below.
            stack.pop()
            solutions = top.total
            self._program.memory.take(top.key.bit_length() // 8 + ENTRY_BYTES)
            self._counts[top.key] = solutions
        assert solutions is not None
        return solutions

    def _begin(self, snapshot: Snapshot, is_part: bool = False) -> int | None:
        """Return the count of a problem if known; else push the problem and return None."""
        unfixed = self._residual.unfixed_guards(snapshot)
        if not unfixed:
            self._budget.effort.solutions += 1
            return 1
        # Look up the residual problem in the cache.
        key = self._residual.key(snapshot)
        count = self._counts.get(key)
        if count is not None:
            self.repeats += 1
            return count
        # Divide it into independent parts.
        if not is_part and len(parts := self._residual.parts(snapshot)) > 1:
            self._stack.append(_Product(key, parts))
            return None
        # Branch on its first unfixed variable.
        guard = next_bit(unfixed)
        assert guard is not None
        layout = self._layout
        first = layout.first[layout.owner(guard)]
        self._stack.append(
            _Sum(key, snapshot, [bit for bit in range(guard - 1, first - 1, -1) if has_bit(snapshot, bit)])
        )
        return None

    def _lower_bound(self) -> int:
        """Return a lower bound of the count, from the problems on the stack.

        A product counts as 0 while parts of it have not begun.
        """
        least = 0
        for top in reversed(self._stack):
            least = top.total + least if isinstance(top, _Sum) else 0 if top.parts else top.total * least
        return least
