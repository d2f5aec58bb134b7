"""What one constraint leaves to its variables: sums and their combinations, comparisons, tables, and all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations as choices

from ....engine.compiled.filters import Filter
from ....engine.compiled.filters.base import bits
from ....model import Candidate, Linear
from ....story import show_cause, show_conflict
from ..board import Board
from ..view import Clash, Deduction, View
from .counting import all_counts

MOST_SETS, MOST_TRIED = 6, 2000
"""How many combinations of a sum a sentence lists, and how many choices are looked at to find them."""


def combinations(view: View) -> Iterator[Deduction]:
    """The combinations of a sum of the model that are left."""
    yield from _narrowed(view, "combinations")


def innies_and_outies(view: View) -> Iterator[Deduction]:
    """Sums that follow from groups with known totals and the sums inside them."""
    board = view.board
    for number, mask in board.narrowed:
        if removed := view.live & ~mask:
            text = f"{board.constraints[number].place} leaves {board.cells(removed)} no other value"
            yield Deduction(text, removed=removed, constraints=(number,))
    yield from _narrowed(view, "innies and outies")


def neighbours(view: View) -> Iterator[Deduction]:
    """What a constraint on two variables leaves to the one, as the other is."""
    yield from _narrowed(view, "neighbours")


def parity(view: View) -> Iterator[Deduction]:
    """Of one variable of a sum it is open whether it is odd: all others say what it is."""
    board, program = view.board, view.board.program
    for number in program.filters:
        constraint = program.constraints[number]
        if not isinstance(constraint, Linear) or constraint.relation != "=" or len(constraint.scope) < 3:
            continue
        total, both, seen = constraint.difference.constant, [], 0
        for factor, variable in constraint.difference.terms:
            left = view.cells[program.layout.number[variable]]  # type: ignore[index]
            odd = sum([1 << bit for bit in bits(left) if int(board.candidates[bit][1]) % 2])
            if factor % 2 and odd and odd != left:
                both.append((left, odd))
            elif factor % 2:
                total += bool(odd)
                seen |= left
        if len(both) == 1:
            ((left, odd),) = both
            removed = left & ~odd if total % 2 else odd
            text = f"by {board.constraints[number].place}, {board.cells(left)} is {'odd' if total % 2 else 'even'}"
            yield Deduction(text, removed=removed, pattern=left | seen, constraints=(number,))


def single_constraint(view: View) -> Iterator[Deduction]:
    """Any other constraint by itself."""
    yield from _narrowed(view, "single constraint")


def _narrowed(view: View, name: str) -> Iterator[Deduction]:
    for number in view.board.program.filters:
        if kind(view.board, number) == name:
            for one in filtered(view, number):
                if isinstance(one, Clash):
                    view.clash = one
                    return
                yield one


def broken(view: View) -> Clash | None:
    """A constraint that cannot hold."""
    for number, mask in view.board.narrowed:
        if view.placed & ~mask:
            return Clash(f"{view.board.constraints[number].place} cannot hold", 0, number)
    for number in view.board.program.filters:
        for one in filtered(view, number):
            if isinstance(one, Clash):
                return one
    return None


def kind(board: Board, number: int) -> str:
    """The technique that a constraint belongs to: a sum has three terms, or two that add up."""
    program, constraint = board.program, board.program.constraints[number]
    if number in all_counts(board):
        return "count"
    if len(constraint.scope) == 2 and all(variable in program.model.domains for variable in constraint.scope):
        terms = constraint.difference.terms if isinstance(constraint, Linear) and constraint.relation == "=" else ()
        return "combinations" if terms and len({c > 0 for c, _ in terms}) == 1 else "neighbours"
    if not isinstance(constraint, Linear) or constraint.relation != "=":
        return "single constraint"
    if any(variable not in program.model.domains for variable in constraint.scope):
        return "single constraint"  # what defines a variable for an expression
    if len(program.origins[number]) > 1:
        return "innies and outies"
    return "combinations"


def filtered(view: View, number: int) -> Iterator[Deduction | Clash]:
    """What the filter of a constraint makes of a view: what goes, in parts that have a reason each, or a conflict."""
    board = view.board
    program = board.program
    filter, scope = program.filters[number], program.scopes[number]
    masks = [view.cells[variable] >> board.first[variable] for variable in scope]
    if not all(masks) or board.rested.get(number) == masks:
        return
    kept = filter.filter(masks)
    if kept is None:
        needed = [scope[i] for i in filter.why(masks, masks).positions]
        text = f"{board.constraints[number].place} cannot hold"
        named = [scope[i] for i in filter.conflict(masks)]
        if cause := show_conflict(board.constraints[number], _cause(board, view, named)):
            text += f": {cause}"
        yield Clash(text, _gone(view, needed), number)
        return
    gone = [mask & ~left for mask, left in zip(masks, kept, strict=True)]
    if not any(gone):
        board.rested[number] = masks
        return
    for reason, part in filter.steps(masks, gone):
        needed = [scope[i] for i in reason.positions]
        removed = sum([lost << board.first[variable] for variable, lost in zip(scope, part, strict=True)])
        if not removed & view.live:
            continue
        numbers = (number, *[borrowed.constraint for borrowed in filter.borrowed])
        text = _text(board, view, number, filter, needed)
        pattern = sum([view.cells[variable] for variable in needed])
        yield Deduction(text, removed=removed, pattern=pattern, constraints=numbers, absent=_gone(view, needed))
        masks = [mask & ~lost for mask, lost in zip(masks, part, strict=True)]
        view = view.leaving(view.live & ~removed)


def _gone(view: View, variables: Sequence[int]) -> int:
    return sum([view.board.own[variable] & ~view.live for variable in variables])


def _cause(board: Board, view: View, variables: Sequence[int]) -> Sequence[Candidate]:
    return board.listed(sum([view.cells[variable] for variable in variables]))


def _text(board: Board, view: View, number: int, filter: Filter, needed: Sequence[int]) -> str:
    """The reason in words: the combinations of a sum where they are few, else what is left to the variables."""
    place = board.constraints[number].place
    if sets := _sets(board, view, number, filter):
        return f"{place} leaves {board.cells(sum([view.cells[v] for v in _open(board, view, number)]))} {sets}"
    cause = show_cause(_cause(board, view, needed), board.constraints[number])
    return f"by {place}, as {cause}" if cause else f"by {place}"


def _open(board: Board, view: View, number: int) -> list[int]:
    return [variable for variable in board.program.scopes[number] if view.cells[variable] & ~view.placed]


def _sets(board: Board, view: View, number: int, filter: Filter) -> str:
    """The sets of values that the open variables of a sum can have, where all of them differ and there are few."""
    constraint = filter.constraint
    if not isinstance(constraint, Linear) or constraint.relation != "=":
        return ""
    terms = constraint.difference.terms
    if {abs(c) for c, _ in terms} != {1} or len({c for c, _ in terms}) != 1:
        return ""
    variables = _open(board, view, number)
    names = {board.program.layout.variables[variable] for variable in variables}
    if len(variables) < 2 or not any(names <= set(group) for group, _ in filter.borrowed):
        return ""
    sign = terms[0][0]
    total = -sign * constraint.difference.constant
    for variable in board.program.scopes[number]:
        if variable not in variables:
            total -= int(board.candidates[next(bits(view.cells[variable]))][1])
    values = sorted({int(board.candidates[b][1]) for variable in variables for b in bits(view.cells[variable])})
    found = []
    for tried, choice in enumerate(choices(values, len(variables))):
        if tried == MOST_TRIED:
            return ""
        if sum(choice) == total and _fits(choice, [view.cells[variable] for variable in variables], board):
            found.append(choice)
    if not 0 < len(found) <= MOST_SETS:
        return ""
    return "only " + " or ".join(["+".join(map(str, choice)) for choice in found])


def _fits(values: tuple[int, ...], cells: list[int], board: Board) -> bool:
    """Whether every variable can have another one of the values."""
    if not cells:
        return True
    own = {board.candidates[bit][1] for bit in bits(cells[0])}
    return any(value in own and _fits(values[:i] + values[i + 1 :], cells[1:], board) for i, value in enumerate(values))
