"""Uniqueness techniques, for puzzles that are proved to have one solution.

In a *deadly pattern*, two values can be exchanged in every solution, so that the puzzle has at least two solutions. The
unique rectangle is a deadly pattern of four corners with the same two values. So in the only solution of a puzzle, not
all four corners have these values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ....base.frozen import Frozen
from ....base.notation import quoted
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Board, Deduction, Outline, View, join_words
from .subsets import choices_of_size

Corners = tuple[int, int, int, int]
"""The variables of the four corners of a rectangle; each is adjacent to the next, and the last to the first."""


class Rectangle(Frozen):
    """A possible unique rectangle: four variables, none given, with two common values.

    Attributes
    ----------
    cells : tuple of int
        The live candidates of the corners, each adjacent to the next.
    values : int
        The candidates of the two common values.
    extra : int
        All other candidates of the corners; at least one of them holds.
    placed : int
        The placed candidates of the corners.
    """

    cells: tuple[int, int, int, int]
    values: int
    extra: int
    placed: int

    @property
    def corners_with_extra(self) -> list[int]:
        """The indices of the corners that have more than the two common values."""
        return [i for i, cell in enumerate(self.cells) if cell & self.extra]

    @property
    def cells_with_extra(self) -> int:
        """The mask of all candidates of the corners with extra values."""
        return sum([self.cells[i] for i in self.corners_with_extra])


def _find_corners(board: Board) -> list[Corners]:
    """Return the corner variables of all rectangles that could be unique rectangles.

    Every group contains two adjacent corners of a rectangle, or none. No other constraint restricts the corners.
    """
    # The groups of every possible corner, and the common groups of any two.
    groups_of: dict[int, set[int]] = {}
    for index, group in enumerate(board.groups):
        for variable in group.variables:
            if board.exchangeable & board.domain_masks[variable]:
                groups_of.setdefault(variable, set()).add(index)
    common: dict[int, dict[int, set[int]]] = {}
    for index, group in enumerate(board.groups):
        for x, y in combinations([v for v in group.variables if v in groups_of], 2):
            common.setdefault(x, {}).setdefault(y, set()).add(index)
            common.setdefault(y, {}).setdefault(x, set()).add(index)
    # Go round a, b, c, d. Every group of a corner must contain exactly one of its two sides: ab has those of a and b.
    rectangles: dict[frozenset[int], Corners] = {}
    for a, neighbours in common.items():
        for b, ab in neighbours.items():
            if b < a:
                continue
            for d, ad in neighbours.items():
                if d <= b or ab & ad or ab | ad != groups_of[a]:
                    continue
                for c, bc in common[b].items():
                    if c in neighbours or c <= a or d not in common[c] or bc & ab or bc | ab != groups_of[b]:
                        continue
                    cd = common[c][d]
                    if cd | bc == groups_of[c] and cd | ad == groups_of[d] and d not in common[b]:
                        rectangles.setdefault(frozenset((a, b, c, d)), (a, b, c, d))
    return list(rectangles.values())


def _rectangles(view: View) -> list[Rectangle]:
    """Return the view's possible unique rectangles; empty unless uniqueness is proved."""
    return view.compute_once("rectangles", lambda: list(_find_rectangles(view))) if view.is_unique else []


def _find_rectangles(view: View) -> Iterator[Rectangle]:
    board = view.board
    for corners in board.compute_once("corners", _find_corners):
        cells = tuple([view.cells[number] for number in corners])
        candidates = cells[0] | cells[1] | cells[2] | cells[3]
        if candidates & view.givens:
            continue
        # Bits of values are the same in all corners, which belong to blocks with equal domains.
        masks = [cell >> board.first[number] for cell, number in zip(cells, corners, strict=True)]
        occurring = [i for i in bits(masks[0] | masks[1] | masks[2] | masks[3])]
        for i, j in combinations(occurring, 2):
            pair = 1 << i | 1 << j
            if any(not mask & pair for mask in masks):
                continue
            values = sum([(mask & pair) << board.first[number] for mask, number in zip(masks, corners, strict=True)])
            if extra := candidates & ~values:
                yield Rectangle(cells, values, extra, candidates & view.placed)  # type: ignore[arg-type]


def _deduction(view: View, rectangle: Rectangle, text: str, removed: int, numbers: Sequence[int] = ()) -> Deduction:
    """Return the deduction that removes ``removed``; its text first explains the rectangle."""
    board = view.board
    candidates = rectangle.cells[0] | rectangle.cells[1] | rectangle.cells[2] | rectangle.cells[3]
    lead = f"{board.cells(candidates)} cannot have only {board.values(rectangle.values)}, or two solutions would exist"
    sets = tuple([Outline("corner", cell, "") for cell in rectangle.cells])
    pattern = rectangle.values | rectangle.extra
    return Deduction(f"{lead}{text}", removed=removed, pattern=pattern, constraints=tuple(numbers), sets=sets)


def uniqueness_test_1(view: View, avoidable: bool = False) -> Iterator[Deduction]:
    """Find four cells sharing two values, with other values in only one cell.

    Removes the two common values from this corner. An avoidable rectangle has placed corners.
    """
    for rectangle in _rectangles(view):
        if len(rectangle.corners_with_extra) == 1 and bool(rectangle.placed) == avoidable:
            (corner,) = rectangle.corners_with_extra
            if removed := rectangle.cells[corner] & rectangle.values:
                yield _deduction(
                    view, rectangle, f"; only {view.board.cells(rectangle.cells[corner])} has another value", removed
                )


def uniqueness_test_2(view: View, avoidable: bool = False) -> Iterator[Deduction]:
    """Find four cells sharing two values, and one extra value in two adjacent cells.

    Removes this value where both corners see it. An avoidable rectangle has placed corners.
    """
    yield from _same_extra_value(view, avoidable, adjacent=True)


def uniqueness_test_5(view: View) -> Iterator[Deduction]:
    """Find four cells sharing two values, and one extra value in opposite or more cells.

    Removes this value where all these corners see it.
    """
    yield from _same_extra_value(view, False, adjacent=False)


def _same_extra_value(view: View, avoidable: bool, adjacent: bool) -> Iterator[Deduction]:
    board = view.board
    for rectangle in _rectangles(view):
        corners = rectangle.corners_with_extra
        if len(corners) < 2 or bool(rectangle.placed) != avoidable:
            continue
        is_adjacent = len(corners) == 2 and (corners[1] - corners[0]) % 2 == 1
        is_single_value = len({board.candidates[bit][1] for bit in bits(rectangle.extra)}) == 1
        removed = board.seen_by_all(rectangle.extra) & view.live
        if is_adjacent == adjacent and is_single_value and removed:
            yield _deduction(
                view,
                rectangle,
                f", so one of {board.cells(rectangle.extra)} is {board.values(rectangle.extra)}",
                removed,
            )


def uniqueness_test_3(view: View) -> Iterator[Deduction]:
    """Find four cells sharing two values, whose extra values complete a naked subset.

    The two corners act as one variable with the extra values. With other variables of a common group it makes a naked
    subset, which removes the values of the subset from the rest of the group.
    """
    board = view.board
    for rectangle in _rectangles(view):
        corners = rectangle.corners_with_extra
        if len(corners) != 2 or rectangle.placed:
            continue
        roof = rectangle.cells[corners[0]] | rectangle.cells[corners[1]]
        roof_variables = board.variables_of(roof)
        # Join the removals of one subset in all groups that contain the two corners.
        merged: dict[int, tuple[int, list[int]]] = {}
        for index, group in enumerate(board.groups):
            if all(variable in group.variables for variable in roof_variables):
                for subset, removed in _subsets_with_roof(view, rectangle, index, roof):
                    before, numbers = merged.get(subset, (0, []))
                    merged[subset] = before | removed, [*numbers, group.number]
        for subset, (removed, numbers) in merged.items():
            values = board.values(subset | rectangle.extra)
            labels = join_words([board.constraints[number].place for number in numbers])
            text = f"; so one of {board.cells(roof)}, and {board.cells(subset)}, have only {values} in {labels}"
            yield _deduction(view, rectangle, text, removed, numbers)


def _subsets_with_roof(view: View, rectangle: Rectangle, index: int, roof: int) -> Iterator[tuple[int, int]]:
    """Yield variables that form a naked subset with two corners (the roof) of a rectangle.

    The roof is the two corners with extra values. Yields the candidates of the variables, and the removed candidates.
    """
    board, group = view.board, view.board.groups[index]
    roof_variables = board.variables_of(roof)
    extra_values = 0
    for bit in bits(rectangle.extra):
        extra_values |= 1 << group.place_of[bit]
    masks = [(v, values | extra_values) for v, values in view.value_masks(index) if v not in roof_variables]
    # The subset has n - 1 variables and the roof, with n values in all.
    for size in range(2, 5):
        small = [(variable, values) for variable, values in masks if values.bit_count() <= size]
        for variables, union in choices_of_size(small, size - 1, size):
            subset = sum([view.cells[variable] for variable in variables])
            removed = 0
            for place in bits(union):
                removed |= group.places[place].mask & view.live & ~subset & ~roof
            if removed:
                yield subset, removed


def uniqueness_test_4(view: View) -> Iterator[Deduction]:
    """Find four cells sharing two values, and a conjugate pair in two adjacent ones.

    Only these two have extra values. These two corners are adjacent. Removes the second common value from both: it
    would make the rectangle deadly.
    """
    yield from _deadly_candidates(view, "adjacent")


def uniqueness_test_6(view: View) -> Iterator[Deduction]:
    """Find four cells sharing two values, with extra values only in two opposite ones.

    Conjugate pairs force one of the values into all four. Removes the common value that would make the rectangle deadly
    from these corners.
    """
    yield from _deadly_candidates(view, "opposite")


def hidden_rectangle(view: View) -> Iterator[Deduction]:
    """Find corner candidates that would force a rectangle with two interchangeable values.

    Removes this value from the corner.
    """
    yield from _deadly_candidates(view, "hidden")


def _deadly_candidates(view: View, technique: str) -> Iterator[Deduction]:
    """Yield deductions that remove corner candidates which would complete a deadly rectangle.

    In adjacent and opposite corners with extra values, the candidates of one value are removed together. In a hidden
    rectangle, each candidate is a step of its own.
    """
    board = view.board
    for rectangle in _rectangles(view):
        corners = rectangle.corners_with_extra
        if rectangle.placed or len(corners) < 2:
            continue
        deadly: dict[Value, int] = {}
        for i in range(4):
            for bit in bits(rectangle.cells[i] & rectangle.values):
                if _would_be_deadly(view, rectangle, i, bit):
                    value = board.candidates[bit][1]
                    deadly[value] = deadly.get(value, 0) | 1 << bit
        kind = "hidden" if len(corners) > 2 else "opposite" if corners[1] - corners[0] == 2 else "adjacent"
        for value, removed in deadly.items():
            together = removed & rectangle.cells_with_extra if kind != "hidden" else 0
            if technique == kind and together:
                text = f"; with {quoted(value)} in {board.cells(together)} they would have no other place"
                yield _deduction(view, rectangle, text, together)
            for bit in bits(removed if technique == "hidden" else 0):
                yield _deduction(
                    view, rectangle, f"; with {board.assignment(bit)} they would have no other place", 1 << bit
                )


def _would_be_deadly(view: View, rectangle: Rectangle, corner: int, bit: int) -> bool:
    """Return whether a candidate would force the two values into all corners of ``rectangle``.

    A corner with one of the two values forces the second value into an adjacent corner, if this is bivalue, or if the
    two corners are a conjugate pair of the second value.
    """
    board = view.board
    bit_at = {corner: bit}
    todo = [corner]
    while todo:
        i = todo.pop()
        for j in ((i + 1) % 4, (i - 1) % 4):
            if j in bit_at:
                continue
            second = rectangle.cells[i] & rectangle.values & ~(1 << bit_at[i])
            forced = next(
                (b for b in bits(rectangle.cells[j] & rectangle.values) if _have_same_value(board, b, second)), None
            )
            if forced is None:
                continue
            is_bivalue = not rectangle.cells[j] & rectangle.extra
            is_conjugate = any(
                view.covers[index] == second | 1 << forced
                for index in board.covers_of[forced]
                if board.covers[index].is_exactly_one
            )
            if is_bivalue or is_conjugate:
                bit_at[j] = forced
                todo.append(j)
    return len(bit_at) == 4


def _have_same_value(board: Board, bit: int, second: int) -> bool:
    return bool(second) and board.candidates[bit][1] == board.candidates[second.bit_length() - 1][1]


def bivalue_universal_grave(view: View) -> Iterator[Deduction]:
    """Find the candidate without which every unplaced variable would have two values.

    In a bivalue universal grave, every unplaced variable has two values, and every unplaced value two places in each
    group: then every variable could take its second value, and the puzzle has two solutions or none. So the candidate
    without which the view would be a grave holds. Removes the other candidates of its variable.
    """
    board = view.board
    larger = [cell for cell in view.cells if cell.bit_count() > 2]
    if not view.is_unique or len(larger) != 1 or larger[0].bit_count() != 3 or view.unplaced & ~board.exchangeable:
        return
    for bit in bits(larger[0]):
        rest = view.unplaced & ~(1 << bit)
        only_permutations = all(group.is_permutation for group in board.groups if group.mask & view.unplaced)
        if only_permutations and all(
            (cover.mask & rest).bit_count() in (0, 2) for cover in board.covers if cover.group is not None
        ):
            text = f"without {board.assignment(bit)} every unfixed variable and every place would have two options"
            sets = (Outline("pair", rest & ~larger[0], ""),)
            yield Deduction(text, removed=larger[0] & ~(1 << bit), pattern=larger[0], nodes={1 << bit: True}, sets=sets)
