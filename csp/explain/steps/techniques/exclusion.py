"""What a candidate excludes at once: by its groups, and by each constraint on its variable, looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.compiled.filters.base import bits
from ..board import Board
from ..supposing import suppositions
from ..view import Clash, Deduction, Link, Outline, View
from .constraints import filtered


def direct_exclusion(view: View) -> Iterator[Deduction]:
    """A candidate excludes so much at once that a line, a constraint, or two variables of a group, could not hold."""
    board = view.board
    if not board.program.filters:
        return
    for bit in suppositions(board).failed(view):
        now = view.placing(bit)
        gone, numbers = 0, dict[int, None]()
        for number in board.shared("filters of", _filters_of)[board.owner[bit]]:
            for one in filtered(now, number):
                if isinstance(one, Deduction):
                    gone |= one.removed
                    numbers[number] = None
        after = now.leaving(now.live & ~gone)
        clash = after.conflict() or _same(after, view.live & ~after.live) or _broken(after, view.live & ~after.live)
        if clash is None:
            continue
        if clash.number is not None:
            numbers[clash.number] = None
        text = f"with {board.holds(bit)}, {clash.text}"
        lost = clash.absent & view.live & ~after.live & ~(1 << bit)
        links = tuple([Link(1 << bit, 1 << other, False, None) for other in bits(lost)])
        yield Deduction(
            text, removed=1 << bit, pattern=1 << bit | lost, constraints=tuple(numbers), links=links,
            nodes={1 << bit: True} | {1 << other: False for other in bits(lost)},
            sets=(Outline("empty", clash.absent, clash.text),),
        )  # fmt: skip


def _filters_of(board: Board) -> list[list[int]]:
    """For every variable the constraints on it that have filters."""
    found: list[list[int]] = [[] for _ in board.own]
    for number, scope in board.program.scopes.items():
        for variable in scope:
            found[variable].append(number)
    return found


def _same(view: View, gone: int) -> Clash | None:
    """Two variables of a group that have lost all but the same value."""
    board = view.board
    touched = set(board.variables_of(gone))
    for group in board.groups:
        taken: dict[int, int] = {}
        for variable in group.variables:
            left = view.cells[variable]
            if variable not in touched or left & (left - 1) or not left:
                continue
            place = group.place_of[next(bits(left))]
            if place in taken:
                both = taken[place] | left
                where = board.constraints[group.number].place
                text = f"{board.cells(both)} would both have {board.values(left)} in {where}"
                owned = sum([board.own[number] for number in board.variables_of(both)])
                return Clash(text, owned & ~both, group.number)
            taken[place] = left
    return None


def _broken(view: View, gone: int) -> Clash | None:
    """A constraint on what has gone that cannot hold."""
    board = view.board
    own = board.shared("filters of", _filters_of)
    for number in dict.fromkeys([number for variable in board.variables_of(gone) for number in own[variable]]):
        for one in filtered(view, number):
            if isinstance(one, Clash):
                return one
            break
    return None
