"""A search that alternates between tree search and conflict-driven search.

It costs little more than the better of both alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...base.errors import TooLarge
from ..compiled.kernel import PAUSED, Paused, Snapshot, Solved
from ..compiled.program import CompiledModel, Priority
from ..effort import WORK_PER_LITERAL, Budget
from .depth_first import Search

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

    _unprepared: Learner | None = None
    _setup_work = 0
    _grace = 0.0

    def __init__(self, program: CompiledModel, tree: Search, budget: Budget) -> None:
        self._program, self._tree, self._budget = program, tree, budget
        self._effort = budget.effort

    def solutions(self, part: Snapshot) -> Iterator[Snapshot]:
        """Yield the solved snapshots below a fixpoint, one per assignment of the shown variables."""
        self._start_counting()
        tree = self._tree
        learner: Learner | None = None
        spent = 0
        tree.turn.reward = self._set_first_turn(part, 0) // SOLUTION_REWARD_DIVISOR
        for item in tree.turns(part):
            if isinstance(item, Solved):
                yield item.snapshot
                continue
            # First pause: estimate the formula and give the tree its share of that work.
            if not self._setup_work:
                tree.turn.reward = self._set_first_turn(part, self._estimate_setup(part)) // SOLUTION_REWARD_DIVISOR
                continue
            spent = self._effort.propagated - self._work_before
            # Let a tree that seems near its end use its grace, once per turn.
            if tree.estimated_work() < NEAR_END_FACTOR * self._grace:
                tree.turn.until, self._grace = self._work_before + spent + int(self._grace), 0.0
                continue
            self._grace = spent / (NEAR_END_FACTOR * GROWTH_DIVISOR)
            # Learner's turn: it skips what the tree has searched, and reports solutions that are new.
            try:
                learner = learner or self._prepare_learner(part, spent)
                turn = learner.turns(self._learner_work(spent, learner), tree.nogoods()) if learner else (PAUSED,)
                for learned in turn:
                    if isinstance(learned, Paused):
                        break
                    if tree.shown_solutions is None or learned.snapshot not in tree.shown_solutions:
                        yield learned.snapshot
                else:
                    return  # the learner has searched to the end
            except TooLarge:
                # The formula is too large: the tree searches alone.
                tree.turn.until = None
                continue
            # Tree's next turn: its total work grows geometrically.
            tree.turn.until = self._work_before + spent + spent // GROWTH_DIVISOR

    def improving(self, part: Snapshot, priority: Priority) -> Iterator[Snapshot]:
        """Yield solved snapshots below a fixpoint, each better than the previous one."""
        from .learner import Learner

        self._start_counting()
        program, tree = self._program, self._tree
        self._set_first_turn(part, 0)
        for item in tree.turns(part):
            if isinstance(item, Solved):
                yield item.snapshot
                # From now on only better solutions count.
                value = program.objective_value(item.snapshot, priority)
                tree.bound_mask = program.objective_mask(value, priority, better=True)
                continue
            if not self._setup_work:
                self._set_first_turn(part, self._estimate_setup(part))
                continue
            # The tree's only turn is over: the learner finishes the search below the best bound.
            bounded = part if tree.bound_mask is None else part & tree.bound_mask
            if not program.layout.values(bounded, priority.variable):
                return
            try:
                yield from Learner(program, bounded, self._budget, priority).solutions()
            except TooLarge:
                tree.turn.until = None
                continue
            return

    def _start_counting(self) -> None:
        """Store the counters of work, so that only the work of this search counts."""
        effort = self._effort
        self._work_before, self._learning_before = effort.propagated, effort.learning
        self._literals_before = effort.literals

    def _prepare_learner(self, part: Snapshot, spent: int) -> Learner | None:
        """Write more of the learner's formula; return the learner once the formula is complete."""
        if self._unprepared is None:
            from .learner import Learner

            self._unprepared = Learner(self._program, part, self._budget)
        written = WORK_PER_LITERAL * (self._effort.literals - self._literals_before)
        return self._unprepared if self._unprepared.prepare(int(LEARNER_SHARE * spent) - written) else None

    def _learner_work(self, spent: int, learner: Learner) -> int:
        """Return how much work the learner may do in its next turn.

        ``spent``: the work of the tree so far.
        """
        effort = self._effort
        is_cheap = learner.price * effort.nodes < spent
        return int((LEARNER_SHARE if is_cheap else LEARNER_SHARE_EXPENSIVE) * spent) - (
            effort.learning - self._learning_before
        )

    def _set_first_turn(self, part: Snapshot, setup_work: int) -> int:
        """Set the end of the tree's first turn in proportion to the learner's set-up work."""
        self._setup_work = setup_work
        length = max(SETUP_WORK, setup_work) * self._budget.settings.patience // 100
        self._grace = float(length)
        self._tree.turn.until = self._work_before + length
        return length

    def _estimate_setup(self, part: Snapshot) -> int:
        """Estimate the work of writing the learner's formula for a part of the model."""
        from ...encoding.estimate import VALUE, estimate_literals

        program, layout = self._program, self._program.layout
        sizes = {v: len(domain) for v, domain in layout.domains_in(part).items()}
        # The learner encodes these definitions of the objective as weights.
        weighed = {priority.definition for priority in program.priorities if layout.waits(part, priority.variable)}
        encoded = [c for n, c in program.active() if n not in weighed and len(c.scope) > 1]
        unsettled = [c for c in encoded if any(sizes[v] > 1 for v in c.scope)]
        literal_count = VALUE * sum(sizes.values()) + estimate_literals(unsettled, sizes.__getitem__)
        return SETUP_WORK + WORK_PER_CONSTRAINT * len(unsettled) + WORK_PER_LITERAL * literal_count
