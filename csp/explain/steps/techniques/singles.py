"""Single techniques: the last candidate of an exactly-one set must hold."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.compiled.propagators.base import bits
from ..board import Deduction, View


def full_house(view: View) -> Iterator[Deduction]:
    """Find a permutation group with one unplaced variable, and place its last value."""
    board = view.board
    seen = 0
    for group in board.groups:
        if not group.is_permutation:
            continue
        candidates = view.unplaced & group.mask
        if candidates and not candidates & (candidates - 1) and not seen & candidates:
            seen |= candidates
            text = f"only {board.cells(candidates)} is unfixed in {board.constraints[group.number].place}"
            yield Deduction(
                text,
                placed=candidates,
                pattern=candidates,
                constraints=(group.number,),
                absent=group.mask & ~candidates,
            )


def naked_single(view: View) -> Iterator[Deduction]:
    """Find a variable with one candidate; place this candidate."""
    board = view.board
    for number, candidates in enumerate(view.cells):
        if candidates and not candidates & (candidates - 1) and not candidates & view.placed:
            (bit,) = bits(candidates)
            variable, _ = board.candidates[bit]
            text = f"no other value is left for {variable}"
            yield Deduction(
                text, placed=candidates, pattern=candidates, absent=board.domain_masks[number] & ~candidates
            )


def hidden_single(view: View) -> Iterator[Deduction]:
    """Find a value with one place in a permutation group, and place it there.

    Variables with a single candidate are left to ``naked_single``.
    """
    board = view.board
    for cover, candidates in view.unplaced_sets:
        if cover.group is not None and candidates and not candidates & (candidates - 1):
            (bit,) = bits(candidates)
            if view.cells[board.owner[bit]] == candidates:
                continue  # this is a naked single, too
            number = board.groups[cover.group].number
            text = f"{board.name(cover)} fits only {board.cells(candidates)}"
            yield Deduction(
                text,
                placed=candidates,
                pattern=candidates,
                constraints=(number,),
                absent=cover.mask & ~candidates,
            )
