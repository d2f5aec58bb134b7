"""Techniques that combine several constraints, with a minimal reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....base.notation import quoted
from ....model import Value
from ....trace import show_cause
from ..board import Board, Clash, Deduction, View, join_words, last_candidates
from ..cores import unsatisfiable_cores
from ..minimal import MinimalReason, minimal_reasons
from ..supposing import SuppositionTree, suppositions

MAX_CASE_STEPS = 300_000
"""Maximum number of propagation steps to find cases that refute a candidate; after that, cores are searched."""


def joint_constraints(view: View, is_small: bool = True) -> Iterator[Deduction]:
    """Find candidates that a chain of a few constraints excludes through hidden variables.

    ``is_small``: leave out reasons that name many constraints or cells.
    """
    for reason in minimal_reasons(view.board).find_forced(view, is_small):
        if not reason.removed:
            view.clash = Clash(f"{reason_text(view, reason)}, nothing is left", reason.absent)
            return
        yield _deduction(view, reason)


def small_reason(view: View) -> Iterator[Deduction]:
    """Find a candidate that a minimal set of constraints and known cells excludes."""
    board = view.board
    if not board.program.propagators:
        return
    if (conflict := minimal_reasons(board).conflict(view)) is not None:
        view.clash = Clash(f"{reason_text(view, conflict)}, nothing is left", conflict.absent)
        return
    failing, reasons, cores = suppositions(board), minimal_reasons(board), unsatisfiable_cores(board)
    refuted = [*reasons.find_refuted(view, {bit: SuppositionTree() for bit in failing.find_failing(view)})]
    # No candidate fails by propagation alone: distinguish the cases of other cells, and search if the reason is large.
    refuted = refuted or cores.kept(view)
    if not refuted:
        if (refutation := failing.find_refutation(view, MAX_CASE_STEPS)) is not None:
            refuted = [*reasons.find_refuted(view, dict([refutation]))]
        if not any(reasons.is_small(view, reason) for reason in refuted):
            refuted = [*refuted, *cores.find(view)]
            refuted.sort(key=lambda reason: (len(reason.constraints), reasons.size(view, reason)))
    for reason in refuted:
        yield _deduction(view, reason)


def _deduction(view: View, reason: MinimalReason) -> Deduction:
    """Convert a reason to a deduction, which also places the last candidate of a cell."""
    board = view.board
    removed = reason.removed & view.live
    _, cells, places = minimal_reasons(board).premises(view, reason)
    pattern = cells
    for place in places.values():
        pattern |= place
    return Deduction(
        reason_text(view, reason),
        placed=last_candidates(view, removed),
        removed=removed,
        pattern=pattern or removed,
        constraints=reason.constraints,
        absent=reason.absent,
        live=view.live & ~removed,
        cases=() if _is_searched(board, reason) else reason.cases,
        is_searched=_is_searched(board, reason),
        names_places=bool(places),
    )


def reason_text(view: View, reason: MinimalReason) -> str:
    """Return a text that names the constraints and the known cells of a reason."""
    board = view.board
    _, cells, places = minimal_reasons(board).premises(view, reason)
    text = f"by {constraints_text(board, reason.constraints)}"
    cause = _places_text(board, places) if places else show_cause(board.listed(cells))
    return f"{text}, as {cause}{_cases_text(board, reason)}" if cause else text + _cases_text(board, reason)


def _cases_text(board: Board, reason: MinimalReason) -> str:
    """Return a text about the cases that a reason distinguishes; it names no hidden variables."""
    if _is_searched(board, reason):
        return ", whatever the other cells have"
    names = [str(board.program.layout.variables[variable]) for variable in reason.cases]
    return f", whichever value {join_words(names)} {'has' if len(names) == 1 else 'have'}" if names else ""


def _is_searched(board: Board, reason: MinimalReason) -> bool:
    """Return whether a reason needs a search, or cases of hidden variables."""
    return reason.is_searched or any(not board.domain_masks[variable] & board.shown for variable in reason.cases)


def constraints_text(board: Board, numbers: Sequence[int]) -> str:
    """Return the names of constraints as text; equal adjacent spec lines are written once."""
    constraints = [board.constraints[number] for number in numbers]
    lines = [constraint.place.removeprefix(constraint.name) for constraint in constraints]
    return join_words(
        [
            constraint.name if line == after else constraint.place
            for constraint, line, after in zip(constraints, lines, [*lines[1:], None], strict=True)
        ]
    )


def _places_text(board: Board, places: Mapping[Value, int]) -> str:
    """Return a text that states for some values the only cells that can have them.

    ``places``: for each value, its candidates as a mask.
    """
    values_of: dict[str, list[str]] = {}
    for value, place in places.items():
        values_of.setdefault(f"only in {board.cells(place)}" if place else "nowhere", []).append(quoted(value))
    return join_words([f"{join_words(v)} {'is' if len(v) == 1 else 'are'} {cells}" for cells, v in values_of.items()])
