"""The technique that excludes a candidate by its direct consequences."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.compiled.propagators.base import bits
from ..board import Board, Clash, Deduction, Link, Outline, View
from ..supposing import suppositions
from .constraints import apply_constraint, find_removed
from .joint import constraints_text


def direct_exclusion(view: View) -> Iterator[Deduction]:
    """Find a candidate with contradictory direct consequences, and remove the candidate.

    Direct consequences follow from its groups, and from each constraint on its variable taken separately.
    """
    board = view.board
    if not board.program.propagators:
        return
    # The engine has found which candidates fail; look for a direct contradiction only there.
    for bit in suppositions(board).find_failing(view):
        now = view.with_placed(bit)
        excluded, removed_by = 0, dict[int, int]()
        for number in board.compute_once("constraints of variables", _constraints_of_variables)[board.owner[bit]]:
            if removed := find_removed(now, number):
                removed_by[number] = removed & ~excluded
                excluded |= removed
        after = now.with_live(now.live & ~excluded)
        clash = (
            after.conflict()
            or _find_equal_variables(after, view.live & ~after.live)
            or _find_violated(after, view.live & ~after.live)
        )
        if clash is None or clash.absent & ~board.shown:
            continue
        # The reason names only the constraints that remove what the clash depends on.
        numbers = [n for n, removed in removed_by.items() if removed & clash.absent and n != clash.number]
        by = [f"by {constraints_text(board, numbers)}"] if numbers else []
        numbers += [] if clash.number is None else [clash.number]
        text = ", ".join([f"with {board.assignment(bit)}", *by, clash.text])
        # The pattern has only the excluded candidates that the clash depends on.
        relevant = clash.absent & view.live & ~after.live & ~(1 << bit)
        links = tuple([Link(1 << bit, 1 << excluded_bit, False, None) for excluded_bit in bits(relevant)])
        yield Deduction(
            text, removed=1 << bit, pattern=1 << bit | relevant, constraints=tuple(numbers), links=links,
            nodes={1 << bit: True} | {1 << excluded_bit: False for excluded_bit in bits(relevant)},
            sets=(Outline("empty", clash.absent, clash.text),),
        )  # fmt: skip


def _constraints_of_variables(board: Board) -> list[list[int]]:
    """Return for each variable its propagated constraints that have no hidden variables."""
    numbers_of: list[list[int]] = [[] for _ in board.domain_masks]
    for number in board.program.propagators:
        scope = board.program.incidence.scopes[number]
        if all(board.domain_masks[variable] & board.shown for variable in scope):
            for variable in scope:
                numbers_of[variable].append(number)
    return numbers_of


def _find_equal_variables(view: View, removed: int) -> Clash | None:
    """Return a ``Clash`` of two changed variables with the same single value, or None.

    Both belong to one group. Changed variables have at least one of the removed candidates.
    """
    board = view.board
    changed = set(board.variables_of(removed))
    for group in board.groups:
        single_of: dict[int, int] = {}
        for variable in group.variables:
            domain = view.cells[variable]
            if variable not in changed or domain & (domain - 1) or not domain:
                continue
            place = group.place_of[next(bits(domain))]
            if place in single_of:
                both = single_of[place] | domain
                label = board.constraints[group.number].place
                text = f"{board.cells(both)} would both have {board.values(domain)} in {label}"
                domains = sum([board.domain_masks[number] for number in board.variables_of(both)])
                return Clash(text, domains & ~both, group.number)
            single_of[place] = domain
    return None


def _find_violated(view: View, removed: int) -> Clash | None:
    """Return a ``Clash`` for a constraint on variables of ``removed`` that cannot hold, or None."""
    board = view.board
    numbers_of = board.compute_once("constraints of variables", _constraints_of_variables)
    for number in dict.fromkeys([n for variable in board.variables_of(removed) for n in numbers_of[variable]]):
        # A clash is always the first result of a constraint.
        if find_removed(view, number) is None:
            (clash,) = apply_constraint(view, number)
            assert isinstance(clash, Clash)
            return clash
    return None
