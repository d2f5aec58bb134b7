"""Locked candidates: the places of a value that two groups have in common."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.incidence import Incidence
from ..board import Board, Deduction, Outline, View


def pointing(view: View) -> Iterator[Deduction]:
    """Find a value of a box whose places all lie in one row or column.

    Removes its other places from the row.

    For groups of any shape, the box is the group that shares several variables with more other groups.
    """
    yield from _locked_candidates(view, pointing=True)


def claiming(view: View) -> Iterator[Deduction]:
    """Find a value of a row or column whose places all lie in one box.

    Removes its other places from the box.
    """
    yield from _locked_candidates(view, pointing=False)


def _locked_candidates(view: View, pointing: bool) -> Iterator[Deduction]:
    """Find values that a group confines to another; with ``pointing``, the first is a box."""
    board = view.board
    crossings = board.compute_once("crossings", count_crossings)
    # The base set: the places of a value in one group, at least two.
    for base, candidates in view.unplaced_sets:
        if base.group is None or not candidates & (candidates - 1):
            continue
        # The cover set: all these places in a second group, and some more to remove.
        bit = (candidates & -candidates).bit_length() - 1
        for index in board.covers_of[bit]:
            cover = board.covers[index]
            if cover.group is None or cover.group == base.group or candidates & ~cover.mask:
                continue
            removed = cover.mask & view.live & ~candidates
            if removed and pointing == (crossings[base.group] > crossings[cover.group]):
                text = f"{board.name(base)} fits only {board.cells(candidates)}, all in {board.place(cover.group)}"
                numbers = board.groups[base.group].number, board.groups[cover.group].number
                sets = (
                    Outline("base", candidates, board.name(base)),
                    Outline("cover", candidates | removed, board.name(cover)),
                )
                yield Deduction(text, removed=removed, pattern=candidates, constraints=numbers, sets=sets)


def count_crossings(board: Board) -> list[int]:
    """Return for each group how many other groups share several variables with it."""
    scopes = [set(group.variables) for group in board.groups]
    incidence = Incidence(range(len(board.domain_masks)), scopes)
    counts = []
    for index, scope in enumerate(scopes):
        neighbours = {group for variable in scope for group in incidence.constraints[variable] if group != index}
        counts.append(sum([len(scope & scopes[neighbour]) > 1 for neighbour in neighbours]))
    return counts
