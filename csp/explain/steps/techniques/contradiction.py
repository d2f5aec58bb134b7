"""The technique that supposes a candidate and derives a conflict by simple steps."""

from __future__ import annotations

from collections.abc import Iterator

from ..board import Clash, Deduction, Outline, View, place_opposites
from ..minimal import minimal_reasons
from ..supposing import SuppositionTree, suppositions
from .constraints import apply_constraint, technique_of
from .joint import joint_constraints, reason_text
from .singles import hidden_single, naked_single

Steps = tuple[tuple[str, Deduction], ...]
"""The steps inside a supposition, each with the name of its technique."""


def contradiction(view: View) -> Iterator[Deduction]:
    """Find a candidate whose supposition leads to a conflict; remove the candidate.

    Candidates that fail by propagation alone come first, in the order of the fixes that they need. If no candidate
    does, one candidate is yielded that fails with nested suppositions.
    """
    failing = suppositions(view.board)
    for bit in failing.find_failing(view):
        yield _refute(view, bit, {})
    if not failing.find_failing(view) and (refutation := failing.find_refutation(view)) is not None:
        bit, tree = refutation
        yield _refute(view, bit, tree.children)


def _refute(view: View, bit: int, branches: dict[int, SuppositionTree]) -> Deduction:
    """Return the deduction that refutes a candidate, with the steps to its conflict."""
    board = view.board
    steps, conflict = steps_to_conflict(view, bit, branches)
    depth = 1 + max([step.depth for _, step in steps], default=0)
    numbers = dict.fromkeys([number for _, step in steps for number in step.constraints])
    if conflict.number is not None:
        numbers[conflict.number] = None
    text = f"suppose {board.assignment(bit)}"
    absent, removed_before = conflict.absent, board.all & ~view.live
    for _, step in steps:
        absent |= step.absent
    last = Deduction(conflict.text, absent=conflict.absent)
    return Deduction(
        text,
        removed=1 << bit,
        pattern=1 << bit,
        constraints=tuple(numbers),
        absent=absent & removed_before,
        inside=(*steps, ("conflict", last)),
        depth=depth,
        nodes={1 << bit: True},
        sets=(Outline("empty", conflict.absent, last.text),),
    )


def steps_to_conflict(view: View, bit: int, branches: dict[int, SuppositionTree]) -> tuple[Steps, Clash]:
    """Return the steps that refute a supposition, and the conflict that ends them.

    The supposition is that the candidate ``bit`` holds. Only steps that the conflict depends on are returned.
    ``branches`` are the suppositions to refute on the way, when singles and single constraints find nothing more;
    with them the supposition must fail.
    """
    steps: list[tuple[str, Deduction]] = []
    removed_by_step: list[int] = []  # for every step the candidates that it removes, with the peers of placed ones
    now = view.with_placed(bit)
    removed_at_start = view.live & ~now.live
    todo = list(branches.items())
    while True:
        step = now.conflict() or _next_step(now)
        if step is None:
            assert todo, "the engine has found a failure"
            if not view.board.shown >> todo[0][0] & 1:
                step = _conflict_of_hidden(now, SuppositionTree(dict(todo)))
        if step is None:
            branch_bit, tree = todo.pop(0)
            if not now.live >> branch_bit & 1:
                continue
            step = "contradiction", _refute(now, branch_bit, tree.children)
        if isinstance(step, Clash):
            return _necessary_steps(steps, removed_by_step, step, removed_at_start), step
        after = now.after(place_opposites(now, step[1]))
        steps.append(step)
        removed_by_step.append(now.live & ~after.live)
        now = after


def _conflict_of_hidden(view: View, tree: SuppositionTree) -> Clash:
    """Return the conflict of a view whose hidden variables fail in each case of ``tree``.

    Hidden variables are never supposed to have a value: the cases belong to one reason.
    """
    reason = minimal_reasons(view.board).conflict(view, tree)
    if reason is None:
        return Clash("no values of the hidden variables agree with the cells", view.board.all & ~view.live)
    return Clash(f"{reason_text(view, reason)}, nothing is left", reason.absent)


def _next_step(view: View) -> tuple[str, Deduction] | Clash | None:
    """Return the next single or constraint deduction in a view, a ``Clash``, or None.

    Singles come first, then results of constraints.
    """
    for name, find in (("naked single", naked_single), ("hidden single", hidden_single)):
        for deduction in find(view):
            if deduction.placed & view.board.shown:
                return name, deduction
    # With hidden variables, steps and conflict are about the shown cells.
    if view.board.shown != view.board.all:
        joint = next(joint_constraints(view, is_small=False), None)
        return view.clash if joint is None else ("joint constraints", joint)
    for number in view.board.program.propagators:
        for result in apply_constraint(view, number):
            return result if isinstance(result, Clash) else (technique_of(view.board, number), result)
    return None


def _necessary_steps(
    steps: list[tuple[str, Deduction]], removed_by_step: list[int], conflict: Clash, removed_at_start: int
) -> Steps:
    """Return only those steps on which a conflict depends."""
    required = conflict.absent & ~removed_at_start
    necessary = []
    # Go back from the conflict: a step is necessary if it removes a candidate whose absence is required.
    for step, removed in zip(reversed(steps), reversed(removed_by_step), strict=True):
        if removed & required:
            necessary.append(step)
            required = (required & ~removed) | (step[1].absent & ~removed_at_start)
    return tuple(reversed(necessary))
