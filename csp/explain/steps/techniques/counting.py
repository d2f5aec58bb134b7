"""Constraints that count how many of some candidates hold: what one leaves, and several together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....engine.compiled.filters.base import bits
from ....ground.frozen import Frozen
from ....model import Candidate, Constraint, Equality, Variable
from ....model.constraints.comparison import Comparison
from ....model.operation import Operation
from ..board import Board, joined
from ..view import Deduction, Outline, View

MOST_BASES, MOST_NEEDED = 4, 6
"""How many constraints are taken together, and how many candidates they may need in all."""


class Cardinality(Frozen):
    """Of some candidates of different variables so many hold.

    Attributes
    ----------
    number : int
        Of the constraint.
    mask : int
        The candidates.
    least, most : int
    """

    number: int
    mask: int
    least: int
    most: int

    def needed(self, view: View) -> int:
        """How many more must hold."""
        return self.least - (self.mask & view.placed).bit_count()

    def spare(self, view: View) -> int:
        """How many more may hold."""
        return self.most - (self.mask & view.placed).bit_count()


def counts(view: View) -> Iterator[Deduction]:
    """A count has all that it may have, or needs all the places that are left."""
    board = view.board
    for one in all_counts(board).values():
        left = one.mask & view.open
        if not left:
            continue
        place, values = board.constraints[one.number].place, board.values(one.mask)
        gone, held = one.mask & ~view.live, one.mask & view.placed
        if one.spare(view) == 0:
            text = f"{place} has its {one.most} of {values}" if one.most else f"{place} has no {values}"
            yield Deduction(text, removed=left, pattern=held or left, constraints=(one.number,))
        elif one.needed(view) == left.bit_count():
            text = f"{place} needs {left.bit_count()} more of {values}, and only {board.cells(left)} can be"
            yield Deduction(text, placed=left, pattern=left, constraints=(one.number,), absent=gone)


def all_counts(board: Board) -> dict[int, Cardinality]:
    """The constraints that count, by their numbers."""
    return board.shared("counts", _counts)


def _counts(board: Board) -> dict[int, Cardinality]:
    found = {}
    for number in board.program.filters:
        one = _count(board, number, board.program.constraints[number])
        if one is not None:
            found[number] = one
    return found


def _count(board: Board, number: int, constraint: Constraint) -> Cardinality | None:
    """A comparison of a sum of 0 and 1, or of ``count`` of values of variables, with a number."""
    if not isinstance(constraint, Comparison) or constraint.relation == "!=":
        return None
    difference = constraint.difference
    if len({factor for factor, _ in difference.terms}) != 1 or abs(difference.terms[0][0]) != 1:
        return None
    chosen: list[Candidate] = []
    for _, atom in difference.terms:
        if isinstance(atom, Variable):
            if not {0, 1}.issuperset(board.program.domains[atom]):
                return None
            chosen += [(atom, 1)] if 1 in board.program.domains[atom] else []
        elif isinstance(atom, Operation) and atom.operator == "count" and len(difference.terms) == 1:
            for part in atom.operands:
                if not (isinstance(part, Equality) and part.equal and not isinstance(part.right, Variable)):
                    return None
                if (part.left, part.right) not in board.bit_of:
                    return None
                chosen.append((part.left, part.right))
        else:
            return None
    if len({variable for variable, _ in chosen}) < len(chosen) or len(chosen) < 2:
        return None
    if any(variable not in board.program.model.domains for variable, _ in chosen):
        return None
    size = len(chosen)
    sign, constant = difference.terms[0][0], difference.constant
    holding = [k for k in range(size + 1) if _holds(sign * k + constant, constraint.relation)]
    if not holding:
        return None
    mask = sum([1 << board.bit_of[one] for one in chosen])
    return Cardinality(number, mask, holding[0], holding[-1])


def _holds(difference: int, relation: str) -> bool:
    match relation:
        case "=":
            return difference == 0
        case "<":
            return difference < 0
        case "<=":
            return difference <= 0
        case ">":
            return difference > 0
    return difference >= 0


def shared_counts(view: View) -> Iterator[Deduction]:
    """What some counts need is all in others, which may have no more: they have nothing elsewhere.

    As the fish, with any numbers instead of one: two rows have all the stars that two regions need.
    """
    board = view.board
    every = [one for one in all_counts(board).values() if one.mask & view.open]
    bases = [one for one in every if 0 < one.needed(view) <= MOST_NEEDED]
    at: dict[int, list[Cardinality]] = {}
    for one in every:
        for bit in bits(one.mask & view.open):
            at.setdefault(bit, []).append(one)
    key = ("shared counts", view.open)
    if key in board.barren:
        return
    found = False
    for size in range(1, MOST_BASES + 1):
        for chosen in combinations(bases, size):
            if size > 1 and any(one.mask & other.mask for one, other in combinations(chosen, 2)):
                continue
            needed = sum([one.needed(view) for one in chosen])
            if needed > MOST_NEEDED or (size > 2 and len({_clause(board, one) for one in chosen}) > 1):
                continue
            union = sum([one.mask & view.open for one in chosen])
            for covers in _covers(view, at, union, needed, chosen):
                removed = 0
                for one in covers:
                    removed |= one.mask & view.open & ~union
                if removed:
                    found = True
                    yield _told(view, chosen, covers, union, needed, removed)
    if not found:
        board.barren.add(key)


def _clause(board: Board, one: Cardinality) -> tuple[str, int | None]:
    constraint = board.constraints[one.number]
    return constraint.file or "", constraint.line


def _covers(
    view: View, at: dict[int, list[Cardinality]], union: int, needed: int, bases: tuple[Cardinality, ...]
) -> Iterator[tuple[Cardinality, ...]]:
    """Counts that have all of some candidates and may together have no more than is needed."""

    def extend(chosen: tuple[Cardinality, ...], left: int, spare: int) -> Iterator[tuple[Cardinality, ...]]:
        if not left:
            if not spare:
                yield chosen
            return
        low = (left & -left).bit_length() - 1
        for one in at[low]:
            if one not in bases and 0 < (its := one.spare(view)) <= spare:
                rest = left & ~one.mask
                if rest.bit_count() <= 9 * (spare - its):
                    yield from extend((*chosen, one), rest, spare - its)

    return extend((), union, needed)


def _told(
    view: View, bases: tuple[Cardinality, ...], covers: tuple[Cardinality, ...], union: int, needed: int, removed: int
) -> Deduction:
    board = view.board
    names = joined([board.constraints[one.number].place for one in bases])
    over = joined([board.constraints[one.number].place for one in covers])
    verb = "need" if len(bases) > 1 else "needs"
    text = f"{names} {verb} {needed} more of {board.values(union)} inside {over}, which can have no more"
    numbers = tuple(dict.fromkeys([one.number for one in (*bases, *covers)]))
    sets = [Outline("base", one.mask & view.open, board.constraints[one.number].place) for one in bases]
    sets += [Outline("cover", one.mask & view.open, board.constraints[one.number].place) for one in covers]
    return Deduction(text, removed=removed, pattern=union, constraints=numbers, sets=tuple(sets))
