"""Place the values that remain after a deduction has removed others."""

from __future__ import annotations

from .board import Deduction, View


def last_candidates(view: View, removed: int) -> int:
    """Return the candidates that are alone in their variables after ``removed`` are gone.

    Only variables that lose candidates are considered.
    """
    last = 0
    for variable in view.board.variables_of(removed & view.live):
        remaining = view.cells[variable] & ~removed
        last |= remaining if not remaining & (remaining - 1) else 0
    return last


def place_opposites(view: View, deduction: Deduction) -> Deduction:
    """Place the other value of each variable of two values that loses one.

    Returns the deduction. In a variable with the values 0 and 1, "not 0" and "1" are the same fact.
    """
    board = view.board
    for variable in board.variables_of(deduction.removed & view.live):
        domain = board.domain_masks[variable]
        if domain.bit_count() == 2:
            deduction.placed |= last_candidates(view, deduction.removed & domain)
    return deduction
