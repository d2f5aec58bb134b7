"""Sue de Coq: as many variables of two groups as their values can fill.

Take some variables in both groups (the *intersection*), some others of the first group and some of the second. Within a
group a value occurs once, so that a value occurs at most once, or twice if both outer parts have it. If these maximum
numbers add up to the number of variables, every value occurs exactly that often. Published by "Sue de Coq" in the forum
of sudoku.com in 2005, as two-sector disjoint subsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ....base.notation import listed
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Board, Deduction, Outline, View

MAX_INSIDE, MAX_OUTSIDE = 3, 4
"""Maximum number of variables in the intersection, and in each part outside it."""


class _Part(NamedTuple):
    """A choice of variables of a group, with their values as bits and their number."""

    mask: int
    values: int
    size: int


def sue_de_coq(view: View) -> Iterator[Deduction]:
    """Find variables of two groups where each value occurs as often as it can.

    Removes a value that is surely in the intersection or an outer part from the rest of its group. With g variables in
    a group, the search tries at most 2**g parts of it.
    """
    for first, second, inside in view.board.compute_once("overlapping groups", _overlapping_groups):
        yield from _find_in(view, first, second, inside)


def _overlapping_groups(board: Board) -> list[tuple[int, int, int]]:
    """Return pairs of blocks (by index) with two or more common variables, and their candidates.

    Each block also has variables outside the other.
    """
    scopes = {i: {*group.variables} for i, group in enumerate(board.groups) if group.is_block}
    return [
        (i, j, board.groups[i].mask & board.groups[j].mask)
        for (i, first), (j, second) in combinations(scopes.items(), 2)
        if len(first & second) > 1 and first - second and second - first
    ]


def _find_in(view: View, first: int, second: int, inside: int) -> Iterator[Deduction]:
    """Yield Sue de Coq deductions for two groups whose common candidates are ``inside``."""
    board = view.board
    # The variables of the two groups determine the result: remember a search without any.
    mask = board.groups[first].mask | board.groups[second].mask
    key = "Sue de Coq", first, second, view.live & mask, view.placed & mask
    if key in board.failed_searches:
        return
    is_found = False
    outside = [_parts(view, board.groups[group].mask & ~inside, MAX_OUTSIDE) for group in (first, second)]
    for middle in _parts(view, inside, MAX_INSIDE):
        # The values that the outer parts must take away from the intersection.
        excess = middle.values.bit_count() - middle.size
        if middle.size < 2 or excess < 2:
            continue
        # An outer part with n variables and fewer than n values of its own takes values away.
        useful = [
            [(part, gain) for part in parts if (gain := part.size - (part.values & ~middle.values).bit_count()) > 0]
            for parts in outside
        ]
        max_gain = max([gain for _, gain in useful[1]], default=0)
        for a, gain_a in useful[0]:
            if gain_a + max_gain < excess:
                continue
            for b, gain_b in useful[1]:
                # A value that both outer parts have may occur twice.
                if gain_a + gain_b == excess + (a.values & b.values & middle.values).bit_count():
                    removed = _excluded_candidates(view, (first, second), middle, (a, b))
                    if removed:
                        is_found = True
                        yield _deduction(view, (first, second), middle, (a, b), removed)
    if not is_found:
        board.failed_searches.add(key)


def _parts(view: View, mask: int, max_size: int) -> list[_Part]:
    """Return all choices of 1 to ``max_size`` unplaced variables with candidates in ``mask``."""
    board = view.board
    value_bits = board.compute_once("bits of values", _value_bits)
    cells = [view.cells[variable] for variable in board.variables_of(mask & view.unplaced)]
    values = [sum([value_bits[board.candidates[bit][1]] for bit in bits(cell)]) for cell in cells]
    parts = []
    for size in range(1, max_size + 1):
        for chosen in combinations(range(len(cells)), size):
            part_mask = part_values = 0
            for i in chosen:
                part_mask |= cells[i]
                part_values |= values[i]
            parts.append(_Part(part_mask, part_values, size))
    return parts


def _value_bits(board: Board) -> dict[Value, int]:
    """Return a bit for each value of the board."""
    return {value: 1 << i for i, value in enumerate(dict.fromkeys([value for _, value in board.candidates.values()]))}


def _excluded_candidates(view: View, groups: tuple[int, int], middle: _Part, outer: tuple[_Part, _Part]) -> int:
    """Return the candidates of both groups that a Sue de Coq pattern excludes."""
    removed, value_bits = 0, view.board.compute_once("bits of values", _value_bits)
    for group, part, opposite in ((groups[0], *outer), (groups[1], *outer[::-1])):
        for place in view.board.groups[group].places:
            value = value_bits[place.subject]
            if value & part.values & opposite.values:
                # A value of both outer parts is in each of them.
                removed |= place.mask & ~part.mask
            elif value & (middle.values | part.values) & ~opposite.values:
                # A value of the intersection or of this part only is in one of the two.
                removed |= place.mask & ~part.mask & ~middle.mask
    return removed & view.live


def _deduction(
    view: View, groups: tuple[int, int], middle: _Part, outer: tuple[_Part, _Part], removed: int
) -> Deduction:
    board = view.board
    a, b = outer
    pattern = middle.mask | a.mask | b.mask
    numbers = tuple([board.groups[group].number for group in groups])
    labels = [board.constraints[number].place for number in numbers]
    values = _text_of_values(board, middle.values | a.values | b.values)
    parts = [f"{board.cells(part.mask)} in {label}" for part, label in zip(outer, labels, strict=True)]
    text = f"{board.cells(middle.mask)} with {' and '.join(parts)} have only {values}"
    if twice := a.values & b.values:
        text += f", and twice {_text_of_values(board, twice)}"
    sets = (
        Outline("set", middle.mask, " and ".join(labels)), Outline("set", a.mask, labels[0]),
        Outline("set", b.mask, labels[1]),
    )  # fmt: skip
    return Deduction(text, removed=removed, pattern=pattern, constraints=numbers, sets=sets)


def _text_of_values(board: Board, values: int) -> str:
    """Write the values of these bits, separated by commas."""
    value_bits = board.compute_once("bits of values", _value_bits)
    return listed(sorted([value for value, bit in value_bits.items() if bit & values], key=str))
