"""The tree and the search that learns in turns, so that neither costs much more than the better one alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...base.errors import TooLarge
from ..compiled.kernel import Snapshot
from ..compiled.program import CompiledModel, Priority
from ..effort import LITERAL, Budget
from .depth_first import Search

if TYPE_CHECKING:
    from .learner import Learner

BEGIN, EACH = 34_000, 10
"""The work of setting the learner up before it has a formula, as its library is read, and of a constraint besides its
literals."""

SOLUTION = 16
"""A solution lets the tree go on for this part of the learner's set-up, which would have to read and check it, too."""

SHARE, DEAR = 2.0, 0.85
"""The work of the learner for one of the tree, where a conflict costs less than a node, and where it costs more."""

NEAR = 2.6
"""What a tree seems to need, in the work that it may do beyond its turn to come to its end."""

LONGER = 4
"""All work has grown by one in so many at the end of each turn of the tree after its first."""


class Alternation:
    """Gives the tree and the learner their turns.

    The tree has half of the work that setting up the learner will take, by an estimate. From then on their turns grow
    geometrically. The tree goes on where it was, and the learner keeps what it has learnt. A tree that seems to be near
    its end may go on to it first. A formula that turns out larger than estimated is made in several turns of the
    learner. Once that has found a solution it goes on to the end, as it does where the best is looked for.

    References
    ----------
    .. [1] A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy caching", Algorithmica 3, 1988
       (renting and buying skis).
    .. [2] P. Kilby et al., "Estimating search tree size", AAAI 2006.
    .. [3] B. A. Huberman, R. M. Lukose, T. Hogg, "An economics approach to hard computational problems", 1997.
    """

    _making: Learner | None = None
    _setup = 0
    _grace = 0.0

    def __init__(self, program: CompiledModel, tree: Search, budget: Budget) -> None:
        self._program, self._tree, self._budget = program, tree, budget
        self._effort = budget.effort

    def solutions(self, part: Snapshot) -> Iterator[Snapshot]:
        """The solved states below a state at rest, each once; those that differ in what is not shown count as one."""
        self._begin()
        tree = self._tree
        learner: Learner | None = None
        spent = 0
        tree.turn.reward = self._extend(part, 0) // SOLUTION
        for state in tree.turns(part):
            if state is not None:
                yield state
                continue
            if not self._setup:
                tree.turn.reward = self._extend(part, self._cost(part)) // SOLUTION
                continue
            spent = self._effort.propagated - self._began
            if tree.remaining() < NEAR * self._grace:
                tree.turn.until, self._grace = self._began + spent + int(self._grace), 0.0
                continue
            self._grace = spent / (NEAR * LONGER)
            try:
                learner = learner or self._learner(part, spent)
                turn = learner.turns(self._share(spent, learner), tree.nogoods()) if learner else [None]
                for found in turn:
                    if found is None:
                        break
                    if tree.seen is None or found not in tree.seen:
                        yield found
                else:
                    return
            except TooLarge:
                tree.turn.until = None
                continue
            tree.turn.until = self._began + spent + spent // LONGER

    def improving(self, part: Snapshot, priority: Priority) -> Iterator[Snapshot]:
        """Solved states below a state at rest, each better than the one before; the last one is the best."""
        from .learner import Learner

        self._begin()
        program, tree = self._program, self._tree
        self._extend(part, 0)
        for state in tree.turns(part):
            if state is not None:
                yield state
                tree.keep = program.objective_mask(program.worth(state, priority), priority, better=True)
                continue
            if not self._setup:
                self._extend(part, self._cost(part))
                continue
            left = part if tree.keep is None else part & tree.keep
            if not program.layout.values(left, priority.variable):
                return
            try:
                yield from Learner(program, left, self._budget, priority).solutions()
            except TooLarge:
                tree.turn.until = None
                continue
            return

    def _begin(self) -> None:
        """Count work from now on: other parts have worked since this search was made."""
        effort = self._effort
        self._began, self._learnt, self._written = effort.propagated, effort.learning, effort.literals

    def _learner(self, part: Snapshot, spent: int) -> Learner | None:
        """None where its formula takes more than the turn."""
        if self._making is None:
            from .learner import Learner

            self._making = Learner(self._program, part, self._budget)
        written = LITERAL * (self._effort.literals - self._written)
        return self._making if self._making.prepare(int(SHARE * spent) - written) else None

    def _share(self, spent: int, learner: Learner) -> int:
        """The work of the learner's next turn."""
        effort = self._effort
        is_cheap = learner.price * effort.nodes < spent
        return int((SHARE if is_cheap else DEAR) * spent) - (effort.learning - self._learnt)

    def _extend(self, part: Snapshot, setup: int) -> int:
        """Let the tree do the work that setting up the learner takes, and at first what it takes at least; how much."""
        self._setup = setup
        room = max(BEGIN, setup) * self._budget.settings.patience // 100
        self._grace = float(room)
        self._tree.turn.until = self._began + room
        return room

    def _cost(self, part: Snapshot) -> int:
        """About what setting up the learner takes."""
        from ...encoding.estimate import VALUE, estimate_literals

        program, layout = self._program, self._program.layout
        open_ = {v: len(domain) for v, domain in layout.domains_in(part).items()}
        weighed = {
            priority.definition for priority in program.priorities if layout.waits(part, priority.variable)
        }  # which the learner has as weights
        own = [c for n, c in program.active() if n not in weighed and len(c.scope) > 1]
        waiting = [c for c in own if any(open_[v] > 1 for v in c.scope)]
        size = VALUE * sum(open_.values()) + estimate_literals(waiting, open_.__getitem__)
        return BEGIN + EACH * len(waiting) + LITERAL * size
