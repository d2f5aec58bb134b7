"""Wing techniques: two bivalue cells linked by a pivot or a conjugate pair."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Deduction, Link, Outline, View
from ..inference import conjugate_pairs, excluding_constraints


def xy_wing(view: View) -> Iterator[Deduction]:
    """Find a two-valued cell (pivot) that sees two cells, each sharing one of its values.

    The pivot has the values x and y, one wing x and z, the other y and z: one of the wings has z. Removes z where both
    wings see it.
    """
    yield from _wings(view, 2)


def xyz_wing(view: View) -> Iterator[Deduction]:
    """Find a three-valued cell (pivot) that sees two cells with two of its values each.

    The pivot has the values x, y and z, one wing x and z, the other y and z: one of the three has z. Removes z where
    all three see it.
    """
    yield from _wings(view, 3)


def _wings(view: View, size: int) -> Iterator[Deduction]:
    """Yield XY-wings if ``size`` is 2, XYZ-wings if it is 3."""
    board = view.board
    cells = [cell for cell in view.cells if cell & board.shown]
    bivalue = sum([cell for cell in cells if cell.bit_count() == 2])
    for pivot in cells:
        if pivot.bit_count() != size:
            continue
        pivot_bits = {board.candidates[bit][1]: bit for bit in bits(pivot)}
        # Possible wings: bivalue cells one candidate of which sees the same value in the pivot.
        wings = []
        seen = 0
        for bit in pivot_bits.values():
            seen |= board.sees[bit] & bivalue & ~pivot
        for cell in [view.cells[variable] for variable in board.variables_of(seen)]:
            low, high = bits(cell)
            for near_bit, end_bit in ((low, high), (high, low)):
                value = board.candidates[near_bit][1]
                if value in pivot_bits and board.sees[pivot_bits[value]] >> near_bit & 1 and cell != pivot:
                    wings.append((value, board.candidates[end_bit][1], end_bit, cell))
        # Two wings exclude different values from the pivot and have the same value z at their ends.
        for (x, z, first_end, first), (y, second_z, second_end, second) in combinations(wings, 2):
            if (
                z != second_z
                or x == y
                or first == second
                or (z in pivot_bits) != (size == 3)
                or {x, y} - pivot_bits.keys()
            ):
                continue
            # One of the ends holds, or in an XYZ-wing z in the pivot.
            ends = 1 << first_end | 1 << second_end | (1 << pivot_bits[z] if z in pivot_bits else 0)
            if removed := board.seen_by_all(ends) & view.live & ~(pivot | first | second):
                text = (
                    f"{board.describe(pivot)}, which leaves {board.describe(ends)}: "
                    f"{board.cells(first)} has only {board.values(first)}, {board.cells(second)} {board.values(second)}"
                )
                # From the pivot a weak link leads to each wing, and in the wing a strong one to its end.
                links = []
                for value, end_bit, cell in ((x, first_end, first), (y, second_end, second)):
                    near = cell & ~(1 << end_bit)
                    by = excluding_constraints(board, 1 << pivot_bits[value], near)
                    links.append(Link(1 << pivot_bits[value], near, False, by[0] if by else None))
                    links.append(Link(near, 1 << end_bit, True, None))
                ends_on = dict.fromkeys([1 << bit for bit in bits(ends)], True)
                yield Deduction(
                    text, removed=removed, pattern=pivot | first | second, links=tuple(links),
                    nodes={**{node: node in ends_on for link in links for node in link[:2]}, **ends_on},
                    sets=(Outline("pivot", pivot, ""), Outline("wing", first, ""), Outline("wing", second, "")),
                )  # fmt: skip


def w_wing(view: View) -> Iterator[Deduction]:
    """Find two cells with the same two values, connected by a conjugate pair.

    Both cells have the values x and y. One place of the conjugate pair has x and excludes x from the cell that it sees,
    so this cell has y. Removes y where both cells see it.
    """
    board = view.board
    pairs = list(conjugate_pairs(view, variables=False))
    if not pairs:
        return
    by_values: dict[tuple[Value, Value], list[int]] = {}
    for cell in view.cells:
        if cell.bit_count() == 2 and cell & board.shown:
            low, high = bits(cell)
            by_values.setdefault((board.candidates[low][1], board.candidates[high][1]), []).append(cell)
    for cells in by_values.values():
        for first, second in combinations(cells, 2):
            # Each of the two values may be x.
            for first_x, second_x in zip(bits(first), bits(second), strict=True):
                ends = (first | second) & ~(1 << first_x | 1 << second_x)
                removed = board.seen_by_all(ends) & view.live
                if not removed:
                    continue
                for pair in pairs:
                    if (pair.start | pair.end) & (first | second):
                        continue
                    is_forward = board.sees[first_x] & pair.start and board.sees[second_x] & pair.end
                    if is_forward or (board.sees[first_x] & pair.end and board.sees[second_x] & pair.start):
                        assert pair.cover is not None
                        cover = board.covers[pair.cover]
                        places = board.cells(pair.start | pair.end)
                        text = (
                            f"{board.cells(first | second)} have only {board.values(first)}; {board.name(cover)} fits "
                            f"only {places}, so one of the former is not {board.values(1 << first_x)}"
                        )
                        number = board.groups[cover.group].number  # type: ignore[index]
                        pattern = first | second | pair.start | pair.end
                        # As a chain: y in the first cell, x, the pair, x in the second cell, y.
                        inner = (pair.start, pair.end) if is_forward else (pair.end, pair.start)
                        chain = (
                            first & ~(1 << first_x),
                            1 << first_x,
                            *inner,
                            1 << second_x,
                            second & ~(1 << second_x),
                        )
                        by = [None, *(excluding_constraints(board, chain[1], inner[0])[:1] or (None,)), number]
                        by += [*(excluding_constraints(board, inner[1], chain[4])[:1] or (None,)), None]
                        links = [Link(chain[i], chain[i + 1], i % 2 == 0, by[i]) for i in range(5)]
                        nodes = {node: bool(i % 2) for i, node in enumerate(chain)}
                        yield Deduction(
                            text, removed=removed, pattern=pattern, constraints=(number,), nodes=nodes,
                            links=tuple(links),
                        )  # fmt: skip
                        break
