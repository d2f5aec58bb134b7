"""Locked candidates: all places of a value in one group are in another one, too."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.compiled.filters.base import bits
from ..board import Board
from ..view import Deduction, Outline, View


def pointing(view: View) -> Iterator[Deduction]:
    """From the group that has more of its variables in common with more others: from a box into a row."""
    yield from _locked(view, pointing=True)


def claiming(view: View) -> Iterator[Deduction]:
    """From a row into a box."""
    yield from _locked(view, pointing=False)


def _locked(view: View, pointing: bool) -> Iterator[Deduction]:
    board = view.board
    crossings = board.shared("crossings", _crossings)
    for line, left in view.lines:
        if line.group is None or not left & (left - 1):
            continue
        bit = next(bits(left))
        for index in board.covers_of[bit]:
            cover = board.covers[index]
            if cover.group is None or cover.group == line.group or left & ~cover.mask:
                continue
            removed = cover.mask & view.live & ~left
            if removed and pointing == (crossings[line.group] > crossings[cover.group]):
                text = f"{board.name(line)} fits only {board.cells(left)}, all in {board.place(cover.group)}"
                numbers = board.groups[line.group].number, board.groups[cover.group].number
                sets = Outline("base", left, board.name(line)), Outline("cover", left | removed, board.name(cover))
                yield Deduction(text, removed=removed, pattern=left, constraints=numbers, sets=sets)


def _crossings(board: Board) -> list[int]:
    """For every group, how many others have several variables in common with it."""
    sets = [set(group.variables) for group in board.groups]
    of: dict[int, list[int]] = {}
    for index, own in enumerate(sets):
        for variable in sorted(own):
            of.setdefault(variable, []).append(index)
    counts = []
    for index, own in enumerate(sets):
        near = {other for variable in own for other in of[variable] if other != index}
        counts.append(sum([len(own & sets[other]) > 1 for other in near]))
    return counts
