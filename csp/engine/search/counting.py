"""How many solutions there are, without looking at each."""

from __future__ import annotations

from ..compiled.kernel import Snapshot, Stable
from ..compiled.program import CompiledModel
from ..effort import Budget
from .propagation import Propagation
from .residual import Residual

FIRST_LOOK = 500
"""After how many problems it is asked for the first time whether they meet; then after twice as many, and so on."""

SHARE = 8
"""One residual problem in this many must have been met before for counting to go on."""

KEPT_BYTES = 150
"""About what an entry of the dictionary takes besides its key."""


class _Sum:
    """A problem whose alternatives are counted one after the other."""

    __slots__ = ("bits", "key", "state", "total")

    def __init__(self, key: Snapshot, state: Snapshot, bits: list[int]) -> None:
        self.key, self.state, self.bits, self.total = key, state, bits, 0


class _Product:
    """A problem whose parts are counted one after the other."""

    __slots__ = ("key", "parts", "total")

    def __init__(self, key: Snapshot, parts: list[Snapshot]) -> None:
        self.key, self.parts, self.total = key, parts, 1


class SolutionCounter:
    """Counts the solved states below fixpoints; a problem that is met again is not counted again.

    Variables are branched on in their order, so that what is left behind one and the same variable meets often: row by
    row, what is left of a Latin square depends on the sets of values that the columns have had. What falls apart is
    counted part by part and multiplied.

    Attributes
    ----------
    least : int
        A lower bound of the number of solutions, valid also after a limit.
    met : int
        How many problems were met again.

    References
    ----------
    .. [1] R. J. Bayardo, J. D. Pehoushek, "Counting models using connected components", AAAI 2000.
    .. [2] T. Sang et al., "Combining component caching and clause learning for effective model counting", SAT 2004.
    """

    def __init__(self, program: CompiledModel, propagation: Propagation, budget: Budget) -> None:
        self.least = 0
        self.met = 0
        self._program = program
        self._layout = program.layout
        self._restrict = program.kernel.restrict
        self._propagation = propagation
        self._budget = budget
        self._residual = Residual(program)
        self._stack: list[_Sum | _Product] = []
        self._known = program.counted
        self._deepest = 8 * program.settings.max_stack_bytes // max(1, program.layout.length)

    def count(self, root: Snapshot) -> int | None:
        """The solved states below a state at rest; None where problems meet too seldom to go on, or lie too deep.

        Raises
        ------
        Stopped
            At a limit; ``least`` is what has been counted until then.
        """
        try:
            return self._count(root)
        finally:
            self.least = self._counted()
            self._known.clear()

    def _count(self, root: Snapshot) -> int | None:
        effort, budget, stack = self._budget.effort, self._budget, self._stack
        narrow, restrict = self._propagation.narrow, self._restrict
        tried, look = 0, FIRST_LOOK
        found = self._begin(root)
        while stack:
            top = stack[-1]
            if found is not None:
                top.total = top.total + found if isinstance(top, _Sum) else top.total * found
                found = None
            if isinstance(top, _Product):
                if top.total and top.parts:
                    found = self._begin(top.parts.pop(), divided=True)
                    continue
            elif top.bits:
                if not budget.is_endless:
                    budget.check_node()
                effort.nodes += 1
                tried += 1
                if tried == look:
                    look *= 2
                    if SHARE * self.met < tried:
                        return None
                if len(stack) > self._deepest:
                    return None
                result = narrow(restrict(top.state, top.bits.pop()), top.state, budget)
                if isinstance(result, Stable):
                    found = self._begin(result.state)
                else:
                    effort.failures += 1
                continue
            stack.pop()
            found = top.total
            self._program.memory.take(top.key.bit_length() // 8 + KEPT_BYTES)
            self._known[top.key] = found
        assert found is not None
        return found

    def _begin(self, state: Snapshot, divided: bool = False) -> int | None:
        """The number of solutions, if it is known; else it is counted from now on."""
        waiting = self._residual.open(state)
        if not waiting:
            self._budget.effort.solutions += 1
            return 1
        key = self._residual.key(state)
        known = self._known.get(key)
        if known is not None:
            self.met += 1
            return known
        if not divided and len(parts := self._residual.parts(state)) > 1:
            self._stack.append(_Product(key, parts))
            return None
        guard = waiting.bit_scan1()
        layout = self._layout
        first = layout.first[layout.owner(guard)]
        self._stack.append(_Sum(key, state, [bit for bit in range(guard - 1, first - 1, -1) if state.bit_test(bit)]))
        return None

    def _counted(self) -> int:
        """What the stack has counted so far: parts that are not yet begun may have none."""
        least = 0
        for top in reversed(self._stack):
            least = top.total + least if isinstance(top, _Sum) else 0 if top.parts else top.total * least
        return least
