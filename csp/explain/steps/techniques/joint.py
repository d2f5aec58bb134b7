"""Techniques that combine several constraints, with a minimal reason."""

from __future__ import annotations

from collections.abc import Iterator

from ....trace import show_cause
from ..board import Board, Clash, Deduction, View, join_words
from ..minimal import MinimalReason, minimal_reasons
from ..supposing import SuppositionTree, suppositions


def joint_constraints(view: View) -> Iterator[Deduction]:
    """Find candidates that constraints exclude one after the other through hidden variables."""
    reasons = minimal_reasons(view.board)
    if (conflict := reasons.conflict(view)) is not None:
        view.clash = Clash(f"{reason_text(view.board, conflict)}, nothing is left", conflict.absent(view.board))
        return
    for reason in reasons.find_forced(view):
        yield _deduction(view, reason)


def small_reason(view: View) -> Iterator[Deduction]:
    """Find a candidate that a minimal set of constraints and known cells excludes."""
    board = view.board
    if not board.program.propagators:
        return
    failing = suppositions(board)
    trees = {bit: SuppositionTree() for bit in failing.find_failing(view)}
    # No candidate fails by propagation alone: distinguish the cases of other cells.
    if not trees and (refutation := failing.find_refutation(view)) is not None:
        trees = dict([refutation])
    for reason in minimal_reasons(board).find_refuted(view, trees):
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
        absent=reason.absent(board),
    )


def reason_text(board: Board, reason: MinimalReason) -> str:
    """Write the constraints and the known cells of a reason."""
    text = f"by {join_words([board.constraints[number].place for number in reason.constraints])}"
    cause = show_cause(board.listed(reason.known))
    cells = join_words([str(board.program.layout.variables[variable]) for variable in reason.cases or (0,)])
    cases = f", whichever value {cells} {'has' if len(reason.cases) == 1 else 'have'}" if reason.cases else ""
    return f"{text}, as {cause}{cases}" if cause else text + cases
