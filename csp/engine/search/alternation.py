"""The tree and the search that learns in turns, so that neither costs much more than the better one alone."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from ...formula.estimate import VALUE, literals
from ...ground.errors import TooLarge
from ..compiled.kernel import State
from ..compiled.program import Aim, Program
from ..effort import LITERAL, Budget
from .depth_first import Search

if TYPE_CHECKING:
    from .learner import Learner

BEGIN = 30_000
"""The work of setting the learner up before it has a formula: its library is read."""

ROOM = 2
"""Work of the tree for each literal that the formula may have; it may in any case have more than was estimated."""

AGAIN = 4
"""A formula that had no room is tried again with so many times as much."""

SOLUTION = 16
"""A solution lets the tree go on for this part of the learner's set-up, which would have to read and check it, too."""

LONGER = 2
"""Factor by which all work has grown at the end of each turn of the tree after its first."""


class Alternation:
    """Gives the tree and the learner their turns.

    The tree has about the work that setting up the learner will take. From then on their turns grow geometrically. The
    tree goes on where it was, and the learner keeps what it has learnt. A tree that seems to be near its end may go on
    to it first. Once the learner has found a solution it goes on to the end. Where its formula is too large, it is
    tried again when the tree has done much more.

    References
    ----------
    .. [1] A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy caching", Algorithmica 3, 1988
       (renting and buying skis).
    .. [2] P. Kilby et al., "Estimating search tree size", AAAI 2006.
    .. [3] B. A. Huberman, R. M. Lukose, T. Hogg, "An economics approach to hard computational problems", 1997.
    """

    def __init__(self, program: Program, tree: Search, budget: Budget) -> None:
        self._program, self._tree, self._budget = program, tree, budget
        self._effort = budget.effort
        self._began = budget.effort.propagated
        self._setup = 0
        self._grace = inf
        self._refused = 0

    def solutions(self, part: State) -> Iterator[State]:
        """The solved states below a state at rest, each once; those that differ in what is not shown count as one."""
        tree = self._tree
        learner: Learner | None = None
        spent = 0
        tree.turn.reward = self._extend(part, 0) // SOLUTION
        for state in tree.turns(part):
            if state is not None:
                yield state
                continue
            left = tree.remaining()
            if not self._setup:
                tree.turn.reward = self._extend(part, self._cost(part)) // SOLUTION
                continue
            spent = self._effort.propagated - self._began
            if left < self._grace:
                tree.turn.until, self._grace = self._began + spent + int(left) + 1, 0.0
                continue
            self._grace = float(spent)
            if learner is not None:
                learner.tell(tree.nogoods())
            else:
                learner = self._learner(part, spent)
            for found in learner.turns(spent) if learner else [None]:
                if found is None:
                    break
                if tree.seen is None or found not in tree.seen:
                    yield found
            else:
                return
            tree.turn.until = self._began + LONGER * spent

    def better(self, part: State, aim: Aim) -> Iterator[State]:
        """Solved states below a state at rest, each better than the one before; the last one is the best."""
        from .learner import Learner

        program, tree = self._program, self._tree
        self._extend(part, 0)
        for state in tree.turns(part):
            if state is not None:
                yield state
                tree.keep = program.aimed(program.worth(state, aim), aim, better=True)
                continue
            if not self._setup:
                self._extend(part, self._cost(part))
                continue
            left = part if tree.keep is None else part & tree.keep
            if not program.layout.values(left, aim.variable):
                return
            try:
                yield from Learner(program, left, (), self._budget, aim).solutions()
            except TooLarge:
                tree.turn.until = None
                continue
            return

    def _extend(self, part: State, setup: int) -> int:
        """Let the tree do the work that setting up the learner takes, and at first what it takes at least; how much."""
        self._setup = setup
        self._grace = float(setup)
        room = max(BEGIN, setup) * self._budget.strategy.patience // 100
        self._tree.turn.until = self._began + room
        return room

    def _cost(self, part: State) -> int:
        """About what setting up the learner takes."""
        program, layout = self._program, self._program.layout
        open_ = {v: len(domain) for v, domain in layout.domains_in(part).items()}
        weighed = {
            aim.definition for aim in program.aims if layout.waits(part, aim.variable)
        }  # which the learner has as weights
        waiting = [c for n, c in program.active() if n not in weighed and any(open_[v] > 1 for v in c.scope)]
        return BEGIN + LITERAL * (VALUE * sum(open_.values()) + literals(waiting, open_.__getitem__))

    def _learner(self, part: State, spent: int) -> Learner | None:
        """None where its formula would be too large for the work that the tree has done."""
        from .learner import Learner

        room = max(BEGIN, spent // ROOM, (self._setup - BEGIN) * 8 // (5 * LITERAL))
        if room < AGAIN * self._refused:
            return None
        try:
            return Learner(self._program, part, self._tree.nogoods(), self._budget, room=room)
        except TooLarge:
            self._refused = room
            return None
