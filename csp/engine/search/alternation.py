"""A search that alternates between tree search and conflict-driven search.

It costs little more than the better of both alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...base.errors import TooLarge
from ..compiled.kernel import PAUSED, Paused, Snapshot
from ..compiled.program import CompiledModel, Priority
from ..effort import WORK_PER_LITERAL, Budget
from .depth_first import Bound, Search
from .propagation import Propagation

if TYPE_CHECKING:
    from .learner import Learner

SETUP_WORK, WORK_PER_CONSTRAINT = 34_000, 10
"""Work of setting up the learner without a formula (its library is read), and of a constraint without its literals."""

SOLUTION_REWARD_DIVISOR = 16
"""A solution extends the turn of the tree by the set-up work divided by this, as the learner has to read it and check
it, too."""

LEARNER_SHARE, LEARNER_SHARE_EXPENSIVE = 2.0, 0.85
"""Work of the learner per work of the tree, where a conflict costs less than a node, and where it costs more."""

NEAR_END_FACTOR = 2.6
"""The tree is near its end if its estimated work is below its grace, the work beyond its turn, times this factor."""

GROWTH_DIVISOR = 4
"""Each turn of the tree after the first lets its work grow by its present work divided by this."""


class Alternation:
    """A search that alternates between a tree search and a conflict-driven search, the learner.

    First the tree works for half of the estimated work of setting up the learner (``Settings.patience``). From then
    on the turns of both grow geometrically. The tree resumes where it paused, and the learner keeps its learned
    clauses. A tree that seems near its end may finish first. A formula larger than estimated is written in several
    turns of the learner. A learner that has found a solution searches to its end; a learner that looks for better
    solutions does so from its first turn.

    References
    ----------
    .. [1] A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy caching", Algorithmica 3, 1988
       (renting and buying skis).
    .. [2] P. Kilby et al., "Estimating search tree size", AAAI 2006.
    .. [3] B. A. Huberman, R. M. Lukose, T. Hogg, "An economics approach to hard computational problems", 1997.
    """

    def __init__(self, program: CompiledModel, propagation: Propagation, budget: Budget) -> None:
        self._program, self._propagation, self._budget = program, propagation, budget
        self._effort = budget.effort
        self._unprepared: Learner | None = None
        self._setup_work = 0
        self._grace = 0.0

    def solutions(self, part: Snapshot) -> Iterator[Snapshot]:
        """Yield the solved snapshots below a fixpoint, one per assignment of the shown variables."""
        self._start_counting()
        search = Search(self._program, self._propagation, part, self._budget, projection=self._program.projection)
        learner: Learner | None = None
        spent = 0
        search.turn.reward = self._set_first_turn(search, part, 0) // SOLUTION_REWARD_DIVISOR
        for item in search.tree:
            if not isinstance(item, Paused):
                yield item
                continue
            # First pause: estimate the formula and give the tree its share of that work.
            if not self._setup_work:
                length = self._set_first_turn(search, part, self._estimate_setup(part))
                search.turn.reward = length // SOLUTION_REWARD_DIVISOR
                continue
            spent = self._effort.propagated - self._work_before
            # Let a tree that seems near its end use its grace, once per turn.
            if search.estimated_work() < NEAR_END_FACTOR * self._grace:
                search.turn.until, self._grace = self._work_before + spent + int(self._grace), 0.0
                continue
            self._grace = spent / (NEAR_END_FACTOR * GROWTH_DIVISOR)
            # Learner's turn: it skips what the tree has searched, and reports solutions that are new.
            try:
                learner = learner or self._prepare_learner(part, spent)
                turn = learner.turns(self._learner_work(spent, learner), search.nogoods()) if learner else (PAUSED,)
                for learned in turn:
                    if isinstance(learned, Paused):
                        break
                    if search.shown_solutions is None or learned not in search.shown_solutions:
                        yield learned
                else:
                    return  # the learner has searched to the end
            except TooLarge:
                # The formula is too large: the tree searches alone.
                search.turn.until = None
                continue
            # Tree's next turn: its total work grows geometrically.
            search.turn.until = self._work_before + spent + spent // GROWTH_DIVISOR

    def improving(self, part: Snapshot, priority: Priority) -> Iterator[Snapshot]:
        """Yield solved snapshots below a fixpoint, each better than the previous one."""
        from .learner import Learner

        self._start_counting()
        program, bound = self._program, Bound(self._program, priority)
        search = Search(program, self._propagation, part, self._budget, bound=bound)
        self._set_first_turn(search, part, 0)
        for item in search.tree:
            if not isinstance(item, Paused):
                yield item
                bound.tighten(item)
                continue
            if not self._setup_work:
                self._set_first_turn(search, part, self._estimate_setup(part))
                continue
            # The tree's only turn is over: the learner finishes the search below the best bound.
            bounded = part if bound.mask is None else part & bound.mask
            if not program.layout.values(bounded, priority.variable):
                return
            try:
                yield from Learner(program, bounded, self._budget, priority).solutions()
            except TooLarge:
                search.turn.until = None
                continue
            return

    def _start_counting(self) -> None:
        """Store the counters of work, so that only the work of this search counts."""
        effort = self._effort
        self._work_before, self._learning_before = effort.propagated, effort.learning
        self._literals_before = effort.literals

    def _prepare_learner(self, part: Snapshot, spent: int) -> Learner | None:
        """Write more of the ``Learner``'s formula; return the ``Learner`` once it is complete, else None."""
        if self._unprepared is None:
            from .learner import Learner

            self._unprepared = Learner(self._program, part, self._budget)
        written = WORK_PER_LITERAL * (self._effort.literals - self._literals_before)
        return self._unprepared if self._unprepared.prepare(int(LEARNER_SHARE * spent) - written) else None

    def _learner_work(self, spent: int, learner: Learner) -> int:
        """Return how much work the ``Learner`` may do in its next turn.

        ``spent``: the work of the tree so far.
        """
        effort = self._effort
        is_cheap = learner.price * effort.nodes < spent
        return int((LEARNER_SHARE if is_cheap else LEARNER_SHARE_EXPENSIVE) * spent) - (
            effort.learning - self._learning_before
        )

    def _set_first_turn(self, search: Search, part: Snapshot, setup_work: int) -> int:
        """Set the tree search's first turn in proportion to ``setup_work``; return its length.

        ``setup_work``: the estimated work of setting up the ``Learner``.
        """
        self._setup_work = setup_work
        length = max(SETUP_WORK, setup_work) * self._budget.settings.patience // 100
        self._grace = float(length)
        search.turn.until = self._work_before + length
        return length

    def _estimate_setup(self, part: Snapshot) -> int:
        """Estimate the work of writing the ``Learner``'s formula for an independent part."""
        from ...encoding.estimate import VALUE, estimate_literals

        program, layout = self._program, self._program.layout
        sizes = {v: len(domain) for v, domain in layout.domains_in(part).items()}
        # The learner encodes these definitions of the objective as weights.
        weighed = {priority.definition for priority in program.priorities if layout.is_unfixed(part, priority.variable)}
        encoded = [c for n, c in program.kept_constraints() if n not in weighed and len(c.scope) > 1]
        unsettled = [c for c in encoded if any(sizes[v] > 1 for v in c.scope)]
        literal_count = VALUE * sum(sizes.values()) + estimate_literals(unsettled, sizes.__getitem__)
        return SETUP_WORK + WORK_PER_CONSTRAINT * len(unsettled) + WORK_PER_LITERAL * literal_count
