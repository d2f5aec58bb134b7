"""What follows from there being one solution, which must have been proved.

Four variables that could exchange two values in every solution would give another one. So in the solution not all of
them have these two values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ....engine.compiled.filters.base import bits
from ....ground.frozen import Frozen
from ....ground.notation import quoted
from ....model import Value
from ..board import Board, joined
from ..view import Deduction, Outline, View
from .subsets import choices_of_size

Corners = tuple[int, int, int, int]
"""The numbers of four variables, each beside the next."""


class Rectangle(Frozen):
    """Four variables that are not given and have two values in common.

    Attributes
    ----------
    cells : tuple of int
        What is left to them, each beside the next.
    values : int
        The candidates of the two values.
    extra : int
        All others, of which one holds.
    placed : int
        Those that are written down.
    """

    cells: tuple[int, int, int, int]
    values: int
    extra: int
    placed: int

    @property
    def open(self) -> list[int]:
        """The corners with other values."""
        return [i for i, cell in enumerate(self.cells) if cell & self.extra]

    @property
    def extra_cells(self) -> int:
        """All candidates of the corners with other values."""
        return sum([self.cells[i] for i in self.open])


def _corners(board: Board) -> list[Corners]:
    """Four variables of which every group has two that lie beside each other, or none."""
    groups_of: dict[int, set[int]] = {}
    for index, group in enumerate(board.groups):
        for variable in group.variables:
            if board.only_groups & board.own[variable]:
                groups_of.setdefault(variable, set()).add(index)
    beside: dict[int, dict[int, set[int]]] = {}
    for index, group in enumerate(board.groups):
        for one, two in combinations([v for v in group.variables if v in groups_of], 2):
            beside.setdefault(one, {}).setdefault(two, set()).add(index)
            beside.setdefault(two, {}).setdefault(one, set()).add(index)
    found: dict[frozenset[int], Corners] = {}
    for a, near in beside.items():
        for b, shared in near.items():
            if b < a:
                continue
            for d, other in near.items():
                if d <= b or shared & other or shared | other != groups_of[a]:
                    continue
                for c, its in beside[b].items():
                    if c in near or c <= a or d not in beside[c] or its & shared or its | shared != groups_of[b]:
                        continue
                    fourth = beside[c][d]
                    if fourth | its == groups_of[c] and fourth | other == groups_of[d] and d not in beside[b]:
                        found.setdefault(frozenset((a, b, c, d)), (a, b, c, d))
    return list(found.values())


def _rectangles(view: View) -> list[Rectangle]:
    return view.kept("deadly", lambda: list(_found(view))) if view.is_unique else []


def _found(view: View) -> Iterator[Rectangle]:
    board = view.board
    for corners in board.shared("corners", _corners):
        cells = tuple([view.cells[number] for number in corners])
        whole = cells[0] | cells[1] | cells[2] | cells[3]
        if whole & view.givens:
            continue
        fields = [cell >> board.first[number] for cell, number in zip(cells, corners, strict=True)]
        common = [i for i in bits(fields[0] | fields[1] | fields[2] | fields[3])]
        for i, j in combinations(common, 2):
            pair = 1 << i | 1 << j
            if any(not field & pair for field in fields):
                continue
            values = sum([(field & pair) << board.first[number] for field, number in zip(fields, corners, strict=True)])
            if extra := whole & ~values:
                yield Rectangle(cells, values, extra, whole & view.placed)  # type: ignore[arg-type]


def _told(view: View, one: Rectangle, text: str, removed: int, numbers: Sequence[int] = ()) -> Deduction:
    board = view.board
    whole = one.cells[0] | one.cells[1] | one.cells[2] | one.cells[3]
    lead = f"{board.cells(whole)} cannot have only {board.values(one.values)}, or there were two solutions"
    sets = tuple([Outline("corner", cell, "") for cell in one.cells])
    pattern = one.values | one.extra
    return Deduction(f"{lead}{text}", removed=removed, pattern=pattern, constraints=tuple(numbers), sets=sets)


def type_1(view: View, avoidable: bool = False) -> Iterator[Deduction]:
    """Only one corner has other values: it takes one of these."""
    for one in _rectangles(view):
        if len(one.open) == 1 and bool(one.placed) == avoidable:
            (corner,) = one.open
            if removed := one.cells[corner] & one.values:
                yield _told(view, one, f"; only {view.board.cells(one.cells[corner])} has another value", removed)


def type_2(view: View, avoidable: bool = False) -> Iterator[Deduction]:
    """Two corners beside each other have one other value, the same: it is in one of them."""
    yield from _same_value(view, avoidable, beside=True)


def type_5(view: View) -> Iterator[Deduction]:
    """Two corners across, or three, have one other value, the same: it is in one of them."""
    yield from _same_value(view, False, beside=False)


def _same_value(view: View, avoidable: bool, beside: bool) -> Iterator[Deduction]:
    board = view.board
    for one in _rectangles(view):
        corners = one.open
        if len(corners) < 2 or bool(one.placed) != avoidable:
            continue
        is_beside = len(corners) == 2 and (corners[1] - corners[0]) % 2 == 1
        is_single = len({board.candidates[bit][1] for bit in bits(one.extra)}) == 1
        removed = board.seen_by_all(one.extra) & view.live
        if is_beside == beside and is_single and removed:
            yield _told(view, one, f", so one of {board.cells(one.extra)} is {board.values(one.extra)}", removed)


def type_3(view: View) -> Iterator[Deduction]:
    """The other values of two corners are a subset of a group with those of some variables."""
    board = view.board
    for one in _rectangles(view):
        corners = one.open
        if len(corners) != 2 or one.placed:
            continue
        roof = one.cells[corners[0]] | one.cells[corners[1]]
        numbers = board.variables_of(roof)
        merged: dict[int, tuple[int, list[int]]] = {}
        for index, group in enumerate(board.groups):
            if all(number in group.variables for number in numbers):
                for kept, removed in _subsets(view, one, index, roof):
                    before, places = merged.get(kept, (0, []))
                    merged[kept] = before | removed, [*places, group.number]
        for kept, (removed, places) in merged.items():
            values = board.values(kept | one.extra)
            where = joined([board.constraints[number].place for number in places])
            text = f"; so one of {board.cells(roof)}, and {board.cells(kept)}, have only {values} in {where}"
            yield _told(view, one, text, removed, places)


def _subsets(view: View, one: Rectangle, index: int, roof: int) -> Iterator[tuple[int, int]]:
    """Variables of a group that are a subset with the other values of two corners, and what that removes."""
    board, group = view.board, view.board.groups[index]
    numbers = board.variables_of(roof)
    extra = 0
    for bit in bits(one.extra):
        extra |= 1 << group.place_of[bit]
    fields = [(number, field | extra) for number, field in view.fields(index) if number not in numbers]
    for size in range(2, 5):
        small = [(number, field) for number, field in fields if field.bit_count() <= size]
        for chosen_numbers, union in choices_of_size(small, size - 1, size):
            kept = sum([view.cells[number] for number in chosen_numbers])
            removed = 0
            for place in bits(union):
                removed |= group.places[place].mask & view.live & ~kept & ~roof
            if removed:
                yield kept, removed


def type_4(view: View) -> Iterator[Deduction]:
    """One of the values is in one of two corners beside each other: these cannot have the other value."""
    yield from _forced(view, "beside")


def type_6(view: View) -> Iterator[Deduction]:
    """The same with two corners across."""
    yield from _forced(view, "across")


def hidden(view: View) -> Iterator[Deduction]:
    """A corner that with one value would leave the others no other places."""
    yield from _forced(view, "hidden")


def _forced(view: View, kind: str) -> Iterator[Deduction]:
    board = view.board
    for one in _rectangles(view):
        corners = one.open
        if one.placed or len(corners) < 2:
            continue
        gone: dict[Value, int] = {}
        for i in range(4):
            for bit in bits(one.cells[i] & one.values):
                if _would_be_deadly(view, one, i, bit):
                    value = board.candidates[bit][1]
                    gone[value] = gone.get(value, 0) | 1 << bit
        own = "hidden" if len(corners) > 2 else "across" if corners[1] - corners[0] == 2 else "beside"
        for value, removed in gone.items():
            several = removed & one.extra_cells if own != "hidden" else 0
            if kind == own and several:
                text = f"; with {quoted(value)} in {board.cells(several)} they would have no other place"
                yield _told(view, one, text, several)
            for bit in bits(removed if kind == "hidden" else 0):
                yield _told(view, one, f"; with {board.holds(bit)} they would have no other place", 1 << bit)


def _would_be_deadly(view: View, one: Rectangle, corner: int, bit: int) -> bool:
    """Whether all corners have only the two values if one has one of them, by lines with two places left."""
    board = view.board
    held = {corner: bit}
    todo = [corner]
    while todo:
        i = todo.pop()
        for j in ((i + 1) % 4, (i - 1) % 4):
            if j in held:
                continue
            other = one.cells[i] & one.values & ~(1 << held[i])
            wanted = next((b for b in bits(one.cells[j] & one.values) if _alike(board, b, other)), None)
            if wanted is None:
                continue
            only = not one.cells[j] & one.extra
            conjugate = any(
                view.covers[index] == other | 1 << wanted
                for index in board.covers_of[wanted]
                if board.covers[index].is_tight
            )
            if only or conjugate:
                held[j] = wanted
                todo.append(j)
    return len(held) == 4


def _alike(board: Board, bit: int, other: int) -> bool:
    return bool(other) and board.candidates[bit][1] == board.candidates[other.bit_length() - 1][1]


def grave(view: View) -> Iterator[Deduction]:
    """All open variables but one have two values, and every value two places in each group: with one more it has that.

    Without it there would be none or two solutions, as every variable could take its other value.
    """
    board = view.board
    larger = [cell for cell in view.cells if cell.bit_count() > 2]
    if not view.is_unique or len(larger) != 1 or larger[0].bit_count() != 3 or view.open & ~board.only_groups:
        return
    for bit in bits(larger[0]):
        rest = view.open & ~(1 << bit)
        tight = all(group.is_tight for group in board.groups if group.mask & view.open)
        if tight and all((line.mask & rest).bit_count() in (0, 2) for line in board.covers if line.group is not None):
            text = f"without {board.holds(bit)} every open variable and every place of a value had two ways"
            sets = (Outline("pair", rest & ~larger[0], ""),)
            yield Deduction(text, removed=larger[0] & ~(1 << bit), pattern=larger[0], nodes={1 << bit: True}, sets=sets)
