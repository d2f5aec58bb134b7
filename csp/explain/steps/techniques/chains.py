"""Chains of one value, of variables with two values, and of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ....engine.compiled.filters.base import bits
from ....model import Value
from ..board import Board
from ..view import Deduction, Link, View
from ..web import Strong, Web, conjugates, grouped


def _web(view: View, name: str, links: Callable[[View], Iterable[Strong]]) -> Web:
    """The web of a view, which several techniques look at."""
    return view.kept(f"web of {name}", lambda: Web(view, links(view)))


def _all(view: View) -> Web:
    return _web(view, "all", conjugates)


def _with_groups(view: View) -> Web:
    return _web(view, "grouped", lambda view: [*conjugates(view), *grouped(view)])


def x_chain(view: View) -> Iterator[Deduction]:
    """Places of one value, two in a group, that lead from one to the other."""
    board = view.board
    links: dict[Value, list[Strong]] = {}
    for link in conjugates(view, cells=False):
        assert link.cover is not None
        links.setdefault(board.covers[link.cover].what, []).append(link)
    for value, own in links.items():
        if len(own) > 2:
            web = Web(view, own, within=board.shared("values", _values)[value])
            for chain, removed in web.chains(3):
                yield web.deduction(chain, removed)


def _values(board: Board) -> dict[Value, int]:
    """For every value the candidates of its places."""
    found: dict[Value, int] = {}
    for cover in board.covers:
        if cover.group is not None:
            found[cover.what] = found.get(cover.what, 0) | cover.mask
    return found


def xy_chain(view: View) -> Iterator[Deduction]:
    """Variables with two values that lead from one to the other; the first and the last have a value in common."""
    web = _web(view, "cells", lambda view: conjugates(view, places=False))
    for chain, removed in web.chains(3):
        ends = [view.board.candidates[node.bit_length() - 1][1] for node in (chain.nodes[0], chain.nodes[-1])]
        if ends[0] == ends[1]:
            yield web.deduction(chain, removed)


def chain(view: View) -> Iterator[Deduction]:
    """An alternating inference chain of any lines with two candidates left."""
    web = _all(view)
    for chain, removed in web.chains():
        yield web.deduction(chain, removed)


def grouped_chain(view: View) -> Iterator[Deduction]:
    """A chain in which several places in two groups at once may be one node."""
    web = _with_groups(view)
    for chain, removed in web.chains():
        yield web.deduction(chain, removed)


def loop(view: View) -> Iterator[Deduction]:
    """A chain whose ends exclude each other: a continuous nice loop."""
    web = _all(view)
    for chain, removed in web.loops():
        yield web.deduction(chain, removed, is_loop=True)


def grouped_loop(view: View) -> Iterator[Deduction]:
    """A loop in which several places in two groups at once may be one node."""
    web = _with_groups(view)
    for chain, removed in web.loops():
        yield web.deduction(chain, removed, is_loop=True)


def discontinuous(view: View) -> Iterator[Deduction]:
    """A loop with one place where it does not go on: a candidate that holds, or that does not."""
    yield from turning(_all(view))


def grouped_discontinuous(view: View) -> Iterator[Deduction]:
    """Such a loop in which several places in two groups at once may be one node."""
    yield from turning(_with_groups(view))


def turning(web: Web) -> Iterator[Deduction]:
    """The loops of a web with one place where they do not go on: a candidate that holds, or that does not."""
    view = web.view
    for chain, node in web.returns():
        if not node & (node - 1):
            others = view.cells[view.board.owner[node.bit_length() - 1]] & ~node
            if others:
                yield web.deduction(chain, others)
    done = set()
    for chain, removed in web.chains():
        for bit in bits(removed):
            if bit not in done:
                done.add(bit)
                yield web.deduction(chain, 1 << bit)


def remote_pairs(view: View) -> Iterator[Deduction]:
    """Variables with the same two values, each seeing the next: what sees both kinds of them loses both values."""
    board = view.board
    pairs: dict[tuple[object, object], list[int]] = {}
    for left in view.cells:
        if left.bit_count() == 2:
            low, high = bits(left)
            pairs.setdefault((board.candidates[low][1], board.candidates[high][1]), []).append(left)
    for cells in pairs.values():
        for chained in _components(view, cells):
            sides = [0, 0]
            for left, side in chained.items():
                sides[side] |= left
            if len(chained) < 4:
                continue
            removed = 0
            whole = sides[0] | sides[1]
            for bit in bits(view.live & ~whole):
                if board.sees[bit] & sides[0] and board.sees[bit] & sides[1]:
                    same = board.candidates[bit][1]
                    if all(
                        any(board.candidates[b][1] == same for b in bits(board.peers[bit] & side)) for side in sides
                    ):
                        removed |= 1 << bit
            if removed:
                ones, others = board.cells(sides[0]), board.cells(sides[1])
                text = f"{ones} have one of {board.values(whole)}, and {others} the other one"
                links = [Link(cell & -cell, cell & (cell - 1), True, None) for cell in chained]
                nodes = {cell & -cell: not side for cell, side in chained.items()}
                nodes |= {cell & (cell - 1): bool(side) for cell, side in chained.items()}
                yield Deduction(text, removed=removed, pattern=whole, nodes=nodes, links=tuple(links))


def _components(view: View, cells: list[int]) -> Iterator[dict[int, int]]:
    """Cells of one pair that see each other in both values, from one to the next, with the side that each is on."""
    left = dict.fromkeys(cells)
    while left:
        first = next(iter(left))
        sides = {first: 0}
        todo = [first]
        while todo:
            one = todo.pop()
            seen = view.board.peers[(one & -one).bit_length() - 1], view.board.peers[one.bit_length() - 1]
            for other in left:
                if other not in sides and other & -other & seen[0] and seen[1] >> (other.bit_length() - 1) & 1:
                    sides[other] = 1 - sides[one]
                    todo.append(other)
        for one in sides:
            del left[one]
        yield sides
