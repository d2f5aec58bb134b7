"""Almost locked sets: n variables of a group with n + 1 values.

If one of the values is in none of them, all the others are: so of any two values, one is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from ....engine.compiled.filters.base import bits
from ....ground.frozen import Frozen
from ....ground.notation import listed, quoted
from ....model import Value
from ..view import Deduction, Link, Outline, View
from ..web import Strong, Web, conjugates, grouped, joining
from .chains import turning

MOST, LARGEST = 6, 5
"""How many strong links a chain of sets has at most, and how many variables a set."""


class Set(Frozen):
    """An almost locked set.

    Attributes
    ----------
    mask : int
        The candidates of its variables.
    number : int
        Of the constraint by which they differ.
    parts : mapping from value to int
        For every value its candidates.
    seen : mapping from value to int
        What all of these see.
    """

    mask: int
    number: int
    parts: dict[Value, int]
    seen: dict[Value, int]


def sets(view: View) -> list[Set]:
    """The almost locked sets of a view, the small ones first; of the same in several groups one."""
    return view.kept("sets", lambda: _sets(view))


def _sets(view: View) -> list[Set]:
    board = view.board
    found: dict[int, Set] = {}
    for index, group in enumerate(board.groups):
        for size in range(1, LARGEST + 1):
            for numbers, union in _almost(view.fields(index), size):
                mask = sum([view.cells[number] for number in numbers])
                if mask not in found:
                    parts = {group.places[place].what: group.places[place].mask & mask for place in bits(union)}
                    seen = {what: board.seen_by_all(part) & view.live & ~mask for what, part in parts.items()}
                    found[mask] = Set(mask, group.number, parts, seen)
    return sorted(found.values(), key=lambda one: len(one.parts))


def _almost(fields: list[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """So many fields that have one bit more in all."""

    def extend(start: int, names: tuple[int, ...], union: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(names) == size:
            if union.bit_count() == size + 1:
                yield names, union
            return
        for i in range(start, len(fields)):
            name, field = fields[i]
            if (union | field).bit_count() <= size + 1:
                yield from extend(i + 1, (*names, name), union | field)

    return extend(0, (), 0)


def _links(view: View) -> Iterator[Strong]:
    """Two values of a set, one of which is in it."""
    for one in sets(view):
        if one.mask.bit_count() == 2 and len(one.parts) == 2:
            continue  # a variable with two values is a line
        for a, b in combinations(one.parts.values(), 2):
            yield Strong(a, b, None, one.mask, one.number)


class Tie(Frozen):
    """Another set, by its place in the list, and a value that only one of the two can have."""

    other: int
    value: Value


def _ties(view: View) -> list[list[Tie]]:
    """For every set its ties to others."""
    by_low: dict[tuple[Value, int], list[tuple[int, int]]] = {}
    known = sets(view)
    for i, one in enumerate(known):
        for value, part in one.parts.items():
            by_low.setdefault((value, (part & -part).bit_length() - 1), []).append((i, part))
    lows: dict[Value, int] = {}
    for value, low in by_low:
        lows[value] = lows.get(value, 0) | 1 << low
    return [
        [
            Tie(j, value)
            for value, seen in one.seen.items()
            for low in bits(seen & lows[value])
            for j, part in by_low[value, low]
            if not part & ~seen
        ]
        for one in known
    ]


def als_xz(view: View) -> Iterator[Deduction]:
    """Two sets of which only one can have a value: what both would have besides goes from where both see it."""
    known = sets(view)
    for i, ties in enumerate(view.kept("ties", lambda: _ties(view))):
        by_other: dict[int, list[Value]] = {}
        for tie in ties:
            if tie.other > i:
                by_other.setdefault(tie.other, []).append(tie.value)
        for j, tied in by_other.items():
            if removed := _common(known[i], known[j], tied):
                yield _told(view, [known[i], known[j]], tied[:2], removed)


def _common(one: Set, other: Set, tied: list[Value]) -> int:
    """What two sets remove that are tied by one value, or by two."""
    removed = 0
    if len(tied) == 1:
        for value, seen in one.seen.items():
            if value not in tied and value in other.seen:
                removed |= seen & other.seen[value]
    else:
        for mine in (one, other):
            for value, seen in mine.seen.items():
                if value not in tied[:2]:
                    removed |= seen
        for value in tied[:2]:
            removed |= one.seen[value] & other.seen[value]
    return removed & ~one.mask & ~other.mask


def als_xy_wing(view: View) -> Iterator[Deduction]:
    """Two sets that a third is tied to by two values, one of which it gives away."""
    known = sets(view)
    for middle, ties in enumerate(view.kept("ties", lambda: _ties(view))):
        for first, last in combinations(ties, 2):
            if first.value == last.value:
                continue
            one, other = known[first.other], known[last.other]
            removed = 0
            for value, seen in one.seen.items():
                if value != first.value and value != last.value and value in other.seen:
                    removed |= seen & other.seen[value]
            removed &= ~known[middle].mask
            if removed:
                yield _told(view, [one, known[middle], other], [first.value, last.value], removed)


def _web(view: View) -> Web:
    return view.kept("web of sets", lambda: Web(view, [*conjugates(view, places=False), *_links(view)], MOST))


def als_chain(view: View) -> Iterator[Deduction]:
    """Sets each tied to the next."""
    web, board = _web(view), view.board
    for chain, removed in web.chains(3):
        ends = [board.candidates[node.bit_length() - 1][1] for node in (chain.nodes[0], chain.nodes[-1])]
        if ends[0] == ends[1]:
            yield web.deduction(chain, removed)


def _everything(view: View) -> Web:
    return view.kept("web of everything", lambda: Web(view, [*conjugates(view), *grouped(view), *_links(view)], MOST))


def chain(view: View) -> Iterator[Deduction]:
    """A grouped chain in which values of almost locked sets are nodes, too."""
    web = _everything(view)
    for chain, removed in web.chains():
        yield web.deduction(chain, removed)


def loop(view: View) -> Iterator[Deduction]:
    """Such a chain whose ends exclude each other."""
    web = _everything(view)
    for chain, removed in web.loops():
        yield web.deduction(chain, removed, is_loop=True)


def discontinuous(view: View) -> Iterator[Deduction]:
    """Such a loop with one place where it does not go on."""
    yield from turning(_everything(view))


def _told(view: View, chosen: list[Set], tied: list[Value], removed: int) -> Deduction:
    board = view.board
    pattern = 0
    for one in chosen:
        pattern |= one.mask
    names = [f"{board.cells(one.mask)} have {listed(one.parts)} but for one" for one in chosen]
    words = [quoted(value) for value in tied]
    if len(chosen) == 3:
        between = f"the first two cannot both have {words[0]}, nor the last two {words[1]}"
    else:
        between = f"both cannot have {' nor '.join(words)}"
    numbers = tuple(dict.fromkeys([one.number for one in chosen]))
    pairs = [*pairwise(chosen)] if len(chosen) == 3 else [(chosen[0], chosen[1])] * len(tied)
    links = []
    for (one, other), value in zip(pairs, tied, strict=True):
        by = joining(board, one.parts[value], other.parts[value])
        links.append(Link(one.parts[value], other.parts[value], False, by[0] if by else None))
    return Deduction(
        f"{'; '.join(names)}; {between}", removed=removed, pattern=pattern, constraints=numbers,
        nodes={node: False for link in links for node in link[:2]}, links=tuple(links),
        sets=tuple([Outline("set", one.mask, board.constraints[one.number].place) for one in chosen]),
    )  # fmt: skip
