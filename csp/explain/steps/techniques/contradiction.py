"""Suppose a candidate; singles and single constraints then leave nothing for some line; so it does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....engine.compiled.filters.base import bits
from ....engine.compiled.kernel import Conflict as Clash
from ....engine.compiled.kernel import State
from ....engine.effort import Budget, Effort
from ....engine.strategy import Strategy
from ..view import Conflict, Deduction, View
from .constraints import filtered, kind
from .singles import hidden_single, naked_single

Inside = tuple[tuple[str, Deduction], ...]

FIRST_NODES, MOST_NODES = 8, 100_000
"""How many nodes a supposition within suppositions may have at first, four times as many each time, and at most."""


def contradiction(view: View) -> Iterator[Deduction]:
    """The candidate whose supposition fails soonest; where none fails by itself, suppositions within suppositions."""
    search = _Search(view)
    shallow = sorted((fixes, bit) for bit in search.bits if (fixes := search.fails(bit)) is not None)
    for _, bit in shallow:
        yield _told(view, bit, {})
        del search.bits[bit]
    nodes = FIRST_NODES
    while search.bits and nodes <= MOST_NODES:
        for bit in list(search.bits):
            tree = search.refuted(bit, nodes) if bit in search.bits else None
            if tree is not None:
                yield _told(view, bit, tree)
                del search.bits[bit]
        nodes *= 4


@dataclass(slots=True)
class _Tree:
    """What is split below a supposition, and the tree below each of the candidates."""

    below: dict[int, _Tree] = field(default_factory=dict)


class _Search:
    """Tries suppositions with the engine, which is fast, so that only what fails is told step by step."""

    def __init__(self, view: View) -> None:
        self._board = view.board
        self._engine = view.board.engine
        self._budget = Budget(Strategy(), Effort(), view.watch)
        rest = self._engine.rest(view.board.state(view.live), None, self._budget)
        self._rest = None if isinstance(rest, Clash) else rest.state
        small = sorted((view.covers[i].bit_count(), i) for i, cover in enumerate(view.board.covers) if cover.is_tight)
        order = [bit for size, i in small if size > 1 for bit in bits(view.covers[i] & view.open)]
        self._held: list[int] = view.board.shared("held", lambda board: [0])
        self.bits = dict.fromkeys([bit for bit in order if not self._held[0] >> bit & 1])

    def _restricted(self, state: State, bit: int) -> State:
        variable, value = self._board.candidates[bit]
        layout = self._board.program.layout
        found = layout.find(variable, value)
        assert found is not None
        return state & layout.only(layout.owner(found), [found])

    def fails(self, bit: int) -> int | None:
        """How many candidates are fixed until a supposition fails by itself; None if it does not."""
        if self._rest is None:
            return 0
        before = self._budget.effort.fixes
        result = self._engine.rest(self._restricted(self._rest, bit), self._rest, self._budget)
        return self._budget.effort.fixes - before if isinstance(result, Clash) else None

    def refuted(self, bit: int, nodes: int) -> dict[int, _Tree] | None:
        """What has to be split below a supposition so that all fails; None if that takes more nodes, or does not."""
        assert self._rest is not None
        left = [nodes]
        try:
            return self._split(self._restricted(self._rest, bit), self._rest, left).below
        except _Holds as found:
            self._held[0] |= found.mask
            for held in bits(found.mask):
                self.bits.pop(held, None)
            return None
        except _Enough:
            return None

    def _split(self, state: State, before: State, left: list[int]) -> _Tree:
        left[0] -= 1
        if left[0] < 0:
            raise _Enough
        self._budget.check()
        result = self._engine.rest(state, before, self._budget)
        if isinstance(result, Clash):
            return _Tree()
        layout = self._board.program.layout
        kernel = self._board.program.kernel
        rest = result.state
        if not rest & layout.variable_guards:
            raise _Holds(self._board.mask(rest))
        tree = _Tree()
        for engine_bit in kernel.smallest(rest, []):
            candidate = layout.at(engine_bit)
            assert candidate is not None
            bit = self._board.bit_of[layout.candidate(candidate)]
            tree.below[bit] = self._split(self._restricted(rest, bit), rest, left)
        return tree


class _Enough(Exception):
    """A refutation would have too many nodes."""


class _Holds(Exception):
    """A supposition has led to a solution."""

    def __init__(self, mask: int) -> None:
        super().__init__()
        self.mask = mask


def _told(view: View, bit: int, splits: dict[int, _Tree]) -> Deduction:
    """A supposition that fails, with the steps that show it."""
    board = view.board
    steps, conflict = refutation(view, bit, splits)
    depth = 1 + max([step.depth for _, step in steps], default=0)
    numbers = dict.fromkeys([number for _, step in steps for number in step.constraints])
    if conflict.number is not None:
        numbers[conflict.number] = None
    text = f"suppose {board.holds(bit)}"
    absent, gone = conflict.absent, board.all & ~view.live
    for _, step in steps:
        absent |= step.absent
    last = Deduction(conflict.text, absent=conflict.absent)
    return Deduction(
        text,
        removed=1 << bit,
        pattern=1 << bit,
        constraints=tuple(numbers),
        absent=absent & gone,
        inside=(*steps, ("conflict", last)),
        depth=depth,
    )


def refutation(view: View, bit: int, splits: dict[int, _Tree]) -> tuple[Inside, Conflict]:
    """The steps that follow from a supposition until nothing is left for some line; only those that are needed."""
    steps: list[tuple[str, Deduction]] = []
    takers: list[int] = []  # for every step what goes with it
    now = view.placing(bit)
    taken = view.live & ~now.live
    todo = list(splits.items())
    while True:
        found = now.conflict() or _next(now)
        if found is None:
            assert todo, "the engine has found that nothing is left"
            split, tree = todo.pop(0)
            if not now.live >> split & 1:
                continue
            found = "contradiction", _told(now, split, tree.below)
        if isinstance(found, Conflict):
            return _needed(steps, takers, found, taken), found
        _, deduction = found
        after = now.after(deduction)
        steps.append(found)
        takers.append(now.live & ~after.live)
        now = after


def _next(view: View) -> tuple[str, Deduction] | Conflict | None:
    """The next single, or what a single constraint leaves."""
    for name, find in (("naked single", naked_single), ("hidden single", hidden_single)):
        if (found := next(find(view), None)) is not None:
            return name, found
    for number in view.board.program.filters:
        for one in filtered(view, number):
            return one if isinstance(one, Conflict) else (kind(view.board, number), one)
    return None


def _needed(steps: list[tuple[str, Deduction]], takers: list[int], conflict: Conflict, taken: int) -> Inside:
    """The steps without which the conflict would not be seen."""
    wanted = conflict.absent & ~taken
    kept = []
    for step, gone in zip(reversed(steps), reversed(takers), strict=True):
        if gone & wanted:
            kept.append(step)
            wanted = (wanted & ~gone) | (step[1].absent & ~taken)
    return tuple(reversed(kept))
