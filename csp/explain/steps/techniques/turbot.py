"""Turbot fish: two lines with two places each for a value, joined at one end; one of the other ends has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ....engine.compiled.filters.base import bits
from ....ground.frozen import Frozen
from ..view import Deduction, View
from ..web import Chain, Strong, Web, conjugates, grouped


class Found(Frozen):
    """Two links and how they are joined.

    Attributes
    ----------
    kind : str
    chain : Chain
        Far end, near end, near end, far end.
    links : tuple of Strong
    removed : int
    """

    kind: str
    chain: Chain
    links: tuple[Strong, Strong]
    removed: int


def skyscraper(view: View) -> Iterator[Deduction]:
    """The lines are parallel, and another one that crosses both joins them."""
    yield from _told(view, "skyscraper")


def kite(view: View) -> Iterator[Deduction]:
    """The lines cross, and a group that has several variables of both joins them."""
    yield from _told(view, "kite")


def turbot(view: View) -> Iterator[Deduction]:
    """The lines are joined in any other way."""
    yield from _told(view, "turbot")


def empty_rectangle(view: View) -> Iterator[Deduction]:
    """In one group the value is in two others alone; a line with two places leads from the one to the other."""
    for one in _rectangles(view):
        yield _web(view).deduction(one.chain, one.removed)


def dual_kite(view: View) -> Iterator[Deduction]:
    """Two kites that are joined in the same two variables, also of two values."""
    kites = [one for one in _found(view) if one.kind == "kite"]
    yield from _dual(
        view, kites, lambda one: frozenset(view.board.variables_of(one.chain.nodes[1] | one.chain.nodes[2]))
    )


def dual_empty_rectangle(view: View) -> Iterator[Deduction]:
    """Two empty rectangles in the same group."""
    yield from _dual(view, _rectangles(view), lambda one: frozenset(one.chain.nodes[:2]))


def _dual(view: View, found: list[Found], key: Callable[[Found], frozenset[int]]) -> Iterator[Deduction]:
    alike: dict[frozenset[int], list[Found]] = {}
    for one in found:
        alike.setdefault(key(one), []).append(one)
    for one, other in (pair for some in alike.values() for pair in combinations(some, 2)):
        if one.removed != other.removed:
            web = _web(view)
            first, second = web.deduction(one.chain, one.removed), web.deduction(other.chain, other.removed)
            yield Deduction(
                f"{first.text}; and {second.text}",
                removed=one.removed | other.removed,
                pattern=first.pattern | second.pattern,
                constraints=tuple(dict.fromkeys(first.constraints + second.constraints)),
                nodes={**first.nodes, **second.nodes},
                links=tuple(dict.fromkeys(first.links + second.links)),
            )


def _web(view: View) -> Web:
    """The web used to put chains into words."""
    return view.kept(
        "turbot web", lambda: Web(view, [*conjugates(view, cells=False), *grouped(view), *_overlaps(view)])
    )


def _told(view: View, kind: str) -> Iterator[Deduction]:
    for one in _found(view):
        if one.kind == kind:
            yield _web(view).deduction(one.chain, one.removed)


def _found(view: View) -> list[Found]:
    return view.kept("turbots", lambda: list(_joined(view)))


def _joined(view: View) -> Iterator[Found]:
    board = view.board
    links = list(conjugates(view, cells=False))
    at: dict[int, list[tuple[Strong, int, int]]] = {}
    for link in links:
        at.setdefault(link.one, []).append((link, link.one, link.other))
        at.setdefault(link.other, []).append((link, link.other, link.one))
    for near, own in at.items():
        seen = board.sees[near.bit_length() - 1] & view.live
        for bit in bits(seen >> near.bit_length() << near.bit_length()):
            for first, _, far in own:
                for second, its_near, its_far in at.get(1 << bit, ()):
                    removed = board.seen_by_all(far | its_far) & view.live
                    if not removed or first.cover == second.cover or far == its_near or not _alike(view, first, second):
                        continue
                    chain = Chain((far, near, its_near, its_far))
                    yield Found(_kind(view, first, second, near | its_near), chain, (first, second), removed)


def _alike(view: View, first: Strong, second: Strong) -> bool:
    """Whether two links are of one value."""
    assert first.cover is not None and second.cover is not None
    return view.board.covers[first.cover].what == view.board.covers[second.cover].what


def _kind(view: View, first: Strong, second: Strong, joint: int) -> str:
    """What two links are called, by the lines that they are in and those that join them."""
    covers = view.board.covers
    assert first.cover is not None and second.cover is not None
    one, other = covers[first.cover].mask, covers[second.cover].mask
    low = (joint & -joint).bit_length() - 1
    joints = [covers[i].mask for i in view.board.covers_of[low] if not joint & ~covers[i].mask]
    common = (one & other).bit_count()
    for mask in joints:
        shared = (mask & one).bit_count(), (mask & other).bit_count()
        if not common and shared == (1, 1):
            return "skyscraper"
        if common == 1 and min(shared) > 1:
            return "kite"
    return "turbot"


def _overlaps(view: View) -> Iterator[Strong]:
    """Places of a value that are all in two others, which may have one of them in common."""
    board = view.board
    seen = set()
    for index, cover in enumerate(board.covers):
        left = view.covers[index]
        if cover.group is None or not cover.is_tight or left.bit_count() < 2 or left & view.placed:
            continue
        near = dict.fromkeys([other for bit in bits(left) for other in board.covers_of[bit] if other != index])
        places = [i for i in near if board.covers[i].group is not None]
        masks = [(i, left & board.covers[i].mask) for i in places]
        for (i, one), (j, other) in combinations(masks, 2):
            wide = (board.covers[i].mask & cover.mask).bit_count() > 1 < (board.covers[j].mask & cover.mask).bit_count()
            if wide and one | other == left and one != left != other and (index, one, other) not in seen:
                seen.add((index, one, other))
                yield Strong(one, other, index)


def _rectangles(view: View) -> list[Found]:
    return view.kept("rectangles", lambda: list(_with_overlaps(view)))


def _with_overlaps(view: View) -> Iterator[Found]:
    board = view.board
    at: dict[int, list[tuple[Strong, int]]] = {}
    for link in conjugates(view, cells=False):
        at.setdefault(link.one.bit_length() - 1, []).append((link, link.other))
        at.setdefault(link.other.bit_length() - 1, []).append((link, link.one))
    ends = sum([1 << bit for bit in at])
    for link in _overlaps(view):
        for one, other in ((link.one, link.other), (link.other, link.one)):
            seen, its = board.seen_by_all(one) & ends, board.seen_by_all(other) & view.live
            for near in bits(seen):
                for second, far in at[near]:
                    if second.cover == link.cover or (1 << near | far) & (one | other):
                        continue
                    if removed := its & board.sees[far.bit_length() - 1] & ~(1 << near):
                        yield Found("rectangle", Chain((other, one, 1 << near, far)), (link, second), removed)
