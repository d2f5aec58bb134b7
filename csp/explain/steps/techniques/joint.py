"""Techniques that combine several constraints, with a minimal reason."""

from __future__ import annotations

from collections.abc import Iterator

from ....trace import show_cause
from ..board import Board, Clash, Deduction, View, join_words
from ..minimal import MinimalReason, minimal_reasons
from ..supposing import suppositions


def joint_constraints(view: View) -> Iterator[Deduction]:
    """Find candidates that constraints exclude one after the other through hidden variables."""
    reasons = minimal_reasons(view.board)
    if (conflict := reasons.conflict(view)) is not None:
        view.clash = Clash(f"{reason_text(view.board, conflict)}, nothing is left", 0)
        return
    for reason in reasons.forced(view):
        yield _deduction(view, reason)


def small_reason(view: View) -> Iterator[Deduction]:
    """Find a candidate that a minimal set of constraints and known cells excludes."""
    board = view.board
    if not board.program.propagators:
        return
    for reason in minimal_reasons(board).refuted(view, suppositions(board).find_failing(view)):
        yield _deduction(view, reason)


def _deduction(view: View, reason: MinimalReason) -> Deduction:
    """Return the deduction of a reason; the last candidate of its cell is placed."""
    board = view.board
    removed = reason.removed & view.live
    remaining = view.cells[board.owner[removed.bit_length() - 1]] & ~removed
    is_last = not remaining & (remaining - 1)
    return Deduction(
        reason_text(board, reason),
        placed=remaining if is_last else 0,
        removed=removed,
        pattern=reason.known or removed,
        constraints=reason.constraints,
        absent=sum([board.domain_masks[v] for v in board.variables_of(reason.known)]) & ~reason.known,
    )


def reason_text(board: Board, reason: MinimalReason) -> str:
    """Write the constraints and the known cells of a reason."""
    text = f"by {join_words([board.constraints[number].place for number in reason.constraints])}"
    cause = show_cause(board.listed(reason.known))
    return f"{text}, as {cause}" if cause else text
