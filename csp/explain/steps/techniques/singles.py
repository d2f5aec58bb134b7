"""Lines with one candidate left."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.compiled.filters.base import bits
from ..view import Deduction, View


def full_house(view: View) -> Iterator[Deduction]:
    """A group has one open variable, which takes the value that is left."""
    board = view.board
    seen = 0
    for group in board.groups:
        if not group.is_tight:
            continue
        left = view.open & group.mask
        if left and not left & (left - 1) and not seen & left:
            seen |= left
            text = f"only {board.cells(left)} is open in {board.constraints[group.number].place}"
            yield Deduction(text, placed=left, pattern=left, constraints=(group.number,), absent=group.mask & ~left)


def naked_single(view: View) -> Iterator[Deduction]:
    """A variable has one value left."""
    board = view.board
    for number, left in enumerate(view.cells):
        if left and not left & (left - 1) and not left & view.placed:
            (bit,) = bits(left)
            variable, _ = board.candidates[bit]
            text = f"nothing else is left for {variable}"
            yield Deduction(text, placed=left, pattern=left, absent=board.own[number] & ~left)


def hidden_single(view: View) -> Iterator[Deduction]:
    """A value has one place left in a group."""
    board = view.board
    for line, left in view.lines:
        if line.group is not None and left and not left & (left - 1):
            (bit,) = bits(left)
            if view.cells[board.owner[bit]] == left:
                continue  # a naked single
            number = board.groups[line.group].number
            text = f"{board.name(line)} fits only {board.cells(left)}"
            yield Deduction(text, placed=left, pattern=left, constraints=(number,), absent=line.mask & ~left)
