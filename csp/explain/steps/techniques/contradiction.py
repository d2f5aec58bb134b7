"""Suppose a candidate; singles and single constraints then leave nothing for some line; so it does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from ..supposing import SuppositionTree, suppositions
from ..view import Clash, Deduction, Outline, View
from .constraints import filtered, kind
from .singles import hidden_single, naked_single

Inside = tuple[tuple[str, Deduction], ...]


def contradiction(view: View) -> Iterator[Deduction]:
    """The candidate whose supposition fails soonest; where none fails by itself, suppositions within suppositions."""
    tried = suppositions(view.board)
    for bit in tried.failed(view):
        yield _told(view, bit, {})
    if not tried.failed(view) and (found := tried.refuted(view)) is not None:
        bit, tree = found
        yield _told(view, bit, tree.below)


def _told(view: View, bit: int, splits: dict[int, SuppositionTree]) -> Deduction:
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
        nodes={1 << bit: True},
        sets=(Outline("empty", conflict.absent, last.text),),
    )


def refutation(view: View, bit: int, splits: dict[int, SuppositionTree]) -> tuple[Inside, Clash]:
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
        if isinstance(found, Clash):
            return _needed(steps, takers, found, taken), found
        _, deduction = found
        after = now.after(deduction)
        steps.append(found)
        takers.append(now.live & ~after.live)
        now = after


def _next(view: View) -> tuple[str, Deduction] | Clash | None:
    """The next single, or what a single constraint leaves."""
    for name, find in (("naked single", naked_single), ("hidden single", hidden_single)):
        if (found := next(find(view), None)) is not None:
            return name, found
    for number in view.board.program.filters:
        for one in filtered(view, number):
            return one if isinstance(one, Clash) else (kind(view.board, number), one)
    return None


def _needed(steps: list[tuple[str, Deduction]], takers: list[int], conflict: Clash, taken: int) -> Inside:
    """The steps without which the conflict would not be seen."""
    wanted = conflict.absent & ~taken
    kept = []
    for step, gone in zip(reversed(steps), reversed(takers), strict=True):
        if gone & wanted:
            kept.append(step)
            wanted = (wanted & ~gone) | (step[1].absent & ~taken)
    return tuple(reversed(kept))
