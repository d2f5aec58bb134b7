"""Suppositions tried with the engine, which is fast, so that only what fails is told step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...engine.compiled.filters.base import bits
from ...engine.compiled.kernel import Contradiction, State
from ...engine.effort import Budget, Effort
from ...engine.strategy import Strategy
from .board import Board
from .view import View

FIRST_NODES, MOST_NODES = 8, 20_000
"""How many nodes a supposition within suppositions may have at first, four times as many each time, and all of them."""


@dataclass(slots=True)
class SuppositionTree:
    """What is split below a supposition, and the tree below each of the candidates."""

    below: dict[int, SuppositionTree] = field(default_factory=dict)


class Suppositions:
    """What follows from each candidate by propagation, brought up to date when a walk has made steps.

    As propagation is monotone, what has failed fails later, too, and what has not goes on from where it came to.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._live = board.all
        self._rest: State | None = None
        self._at: dict[int, tuple[State, int]] = {}  # where a candidate leads, and how many fixes that took
        self._failed: dict[int, int] = {}
        model = board.program.model
        own = [
            mask
            for mask, variable in zip(board.own, board.program.layout.variables, strict=True)
            if variable in model.domains
        ]
        self._own = sum(own)  # not those of expressions, which a person does not suppose
        self._held = 0  # candidates of solutions
        self._nodes = FIRST_NODES

    def follow(self, view: View) -> None:
        """Come to a view."""
        if view.live & ~self._live:
            self._at, self._failed, self._rest = {}, {}, None
        if self._rest is not None and view.live == self._live:
            return
        self._live = view.live
        budget = Budget(Strategy(), Effort(), view.watch)
        state = self._board.state(view.live)
        rest = self._board.engine.rest(state, self._rest, budget)
        self._rest = None if isinstance(rest, Contradiction) else rest.state
        self._failed = {bit: fixes for bit, fixes in self._failed.items() if view.open >> bit & 1}
        if self._rest is None:
            return
        for bit in self._waiting(view):
            if bit not in self._failed:
                self._try(bit, budget)

    def _waiting(self, view: View) -> list[int]:
        """The open candidates, those of the smallest lines first."""
        covers = view.board.covers
        small = sorted((view.covers[i].bit_count(), i) for i, cover in enumerate(covers) if cover.is_tight)
        order = [bit for size, i in small if size > 1 for bit in bits(view.covers[i] & view.open & self._own)]
        return [bit for bit in dict.fromkeys(order) if not self._held >> bit & 1]

    def _try(self, bit: int, budget: Budget) -> None:
        assert self._rest is not None
        budget.check()
        before, spent = self._at.get(bit) or (self._rest, 0)
        state = self._restricted(self._rest, bit) & before
        if state == before:
            return
        fixes = budget.effort.fixes
        result = self._board.engine.rest(state, before, budget)
        spent += budget.effort.fixes - fixes
        if isinstance(result, Contradiction):
            self._failed[bit] = spent
            self._at.pop(bit, None)
        else:
            self._at[bit] = result.state, spent

    def failed(self, view: View) -> list[int]:
        """The candidates from which propagation alone comes to where nothing can hold, the soonest first."""
        self.follow(view)
        return sorted(self._failed, key=lambda bit: (self._failed[bit], bit))

    def refuted(self, view: View) -> tuple[int, SuppositionTree] | None:
        """A candidate that fails when what it leads to is split, and splits; None if that takes too many nodes."""
        self.follow(view)
        if self._rest is None:
            return None
        budget = Budget(Strategy(), Effort(), view.watch)
        guards = self._board.program.layout.variable_guards
        order = [bit for bit in self._waiting(view) if bit in self._at]
        order.sort(key=lambda bit: (self._at[bit][0] & guards).bit_count())  # what has settled most fails soonest
        while order and budget.effort.nodes < MOST_NODES:
            for bit in order:
                tree = self._split_all(bit, self._nodes, budget)
                if tree is not None:
                    return bit, tree
            order = [bit for bit in order if not self._held >> bit & 1]
            self._nodes = min(4 * self._nodes, MOST_NODES)
        return None

    def _restricted(self, state: State, bit: int) -> State:
        layout = self._board.program.layout
        return state & layout.only(layout.owner(bit), [bit])

    def _split_all(self, bit: int, nodes: int, budget: Budget) -> SuppositionTree | None:
        if self._held >> bit & 1:
            return None
        try:
            return self._split(self._at[bit][0], self._at[bit][0], [nodes], budget)
        except _Holds as found:
            self._held |= found.mask
        except _Enough:
            pass
        return None

    def _split(self, state: State, before: State, left: list[int], budget: Budget) -> SuppositionTree:
        left[0] -= 1
        if left[0] < 0 or budget.effort.nodes >= MOST_NODES:
            raise _Enough
        budget.check()
        result = self._board.engine.rest(state, before, budget)
        if isinstance(result, Contradiction):
            return SuppositionTree()
        layout = self._board.program.layout
        rest = result.state
        if not rest & layout.variable_guards:
            raise _Holds(self._board.mask(rest))
        tree = SuppositionTree()
        for engine_bit in self._board.program.kernel.smallest(rest, []):
            bit = layout.at(engine_bit)
            assert bit is not None
            tree.below[bit] = self._split(self._restricted(rest, bit), rest, left, budget)
        return tree


class _Enough(Exception):
    """A refutation would have too many nodes."""


class _Holds(Exception):
    """A supposition has led to a solution."""

    def __init__(self, mask: int) -> None:
        super().__init__()
        self.mask = mask


def suppositions(board: Board) -> Suppositions:
    """Those of a board, which techniques share."""
    return board.shared("suppositions", Suppositions)
