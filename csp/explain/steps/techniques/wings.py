"""Wings: a few variables with two or three values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....engine.compiled.filters.base import bits
from ....model import Value
from ..view import Deduction, Link, Outline, View
from ..web import conjugates, joining


def xy_wing(view: View) -> Iterator[Deduction]:
    """A variable with two values sees two others that have one of them each, and the same third value."""
    yield from _winged(view, 2)


def xyz_wing(view: View) -> Iterator[Deduction]:
    """The same with a third value in the first variable, too."""
    yield from _winged(view, 3)


def _winged(view: View, size: int) -> Iterator[Deduction]:
    board = view.board
    pairs = [cell for cell in view.cells if cell.bit_count() == 2]
    for pivot in view.cells:
        if pivot.bit_count() != size:
            continue
        own = {board.candidates[bit][1]: bit for bit in bits(pivot)}
        wings = []
        for cell in pairs:
            low, high = bits(cell)
            for tied, other in ((low, high), (high, low)):
                value = board.candidates[tied][1]
                if value in own and board.sees[own[value]] >> tied & 1 and cell != pivot:
                    wings.append((value, board.candidates[other][1], other, cell))
        for (x, z, one, first), (y, its, other, second) in combinations(wings, 2):
            if z != its or x == y or first == second or (z in own) != (size == 3) or {x, y} - own.keys():
                continue
            ends = 1 << one | 1 << other | (1 << own[z] if z in own else 0)
            if removed := board.seen_by_all(ends) & view.live & ~(pivot | first | second):
                text = (
                    f"whichever value {board.cells(pivot)} has of {board.values(pivot)}, {board.said(ends)}: "
                    f"{board.cells(first)} has only {board.values(first)}, {board.cells(second)} {board.values(second)}"
                )
                links = []
                for value, end, cell in ((x, one, first), (y, other, second)):
                    near = cell & ~(1 << end)
                    by = joining(board, 1 << own[value], near)
                    links.append(Link(1 << own[value], near, False, by[0] if by else None))
                    links.append(Link(near, 1 << end, True, None))
                ends_on = dict.fromkeys([1 << bit for bit in bits(ends)], True)
                yield Deduction(
                    text, removed=removed, pattern=pivot | first | second, links=tuple(links),
                    nodes={**{node: node in ends_on for link in links for node in link[:2]}, **ends_on},
                    sets=(Outline("pivot", pivot, ""), Outline("wing", first, ""), Outline("wing", second, "")),
                )  # fmt: skip


def w_wing(view: View) -> Iterator[Deduction]:
    """Two variables have the same two values, one of which a line with two places takes from one of them."""
    board = view.board
    same: dict[tuple[Value, Value], list[int]] = {}
    for cell in view.cells:
        if cell.bit_count() == 2:
            low, high = bits(cell)
            same.setdefault((board.candidates[low][1], board.candidates[high][1]), []).append(cell)
    links = list(conjugates(view, cells=False))
    for cells in same.values():
        for first, second in combinations(cells, 2):
            for one, other in zip(bits(first), bits(second), strict=True):
                ends = (first | second) & ~(1 << one | 1 << other)
                removed = board.seen_by_all(ends) & view.live
                if not removed:
                    continue
                for link in links:
                    if (link.one | link.other) & (first | second):
                        continue
                    near = board.sees[one] & link.one and board.sees[other] & link.other
                    if near or (board.sees[one] & link.other and board.sees[other] & link.one):
                        assert link.cover is not None
                        cover = board.covers[link.cover]
                        places = board.cells(link.one | link.other)
                        text = (
                            f"{board.cells(first | second)} have only {board.values(first)}; {board.name(cover)} fits "
                            f"only {places}, so one of the former is not {board.values(1 << one)}"
                        )
                        number = board.groups[cover.group].number  # type: ignore[index]
                        pattern = first | second | link.one | link.other
                        inner = (link.one, link.other) if near else (link.other, link.one)
                        chain = (first & ~(1 << one), 1 << one, *inner, 1 << other, second & ~(1 << other))
                        by = [None, *(joining(board, chain[1], inner[0])[:1] or (None,)), number]
                        by += [*(joining(board, inner[1], chain[4])[:1] or (None,)), None]
                        links_of = [Link(chain[i], chain[i + 1], i % 2 == 0, by[i]) for i in range(5)]
                        nodes = {node: bool(i % 2) for i, node in enumerate(chain)}
                        yield Deduction(
                            text, removed=removed, pattern=pattern, constraints=(number,), nodes=nodes,
                            links=tuple(links_of),
                        )  # fmt: skip
                        break
