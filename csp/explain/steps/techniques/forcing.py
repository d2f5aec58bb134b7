"""Techniques that follow what a supposed candidate implies, in chains or in a net.

A *literal* is a candidate that holds or not. A candidate that holds excludes others. If all candidates of an
exactly-one set but one do not hold, the last one holds. In a chain, each literal follows from a single one: sets with
two live candidates pass it on. In a net, it may follow from several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ....engine.compiled.propagators.base import bits
from ..board import Deduction, Link, Outline, View, join_words
from ..inference import excluding_constraints

Literal = tuple[int, bool]
"""A candidate, and whether it holds."""


Implied = tuple[Literal, tuple[Literal, ...], int | None]
"""A literal, those it follows from, and the index of the exactly-one set that passes it on."""


class Consequences(NamedTuple):
    """The literals that follow from a supposed candidate.

    Attributes
    ----------
    premises : dict from Literal to (tuple of Literal, int or None)
        For each implied literal those it follows from, and the exactly-one set that passes it on; the nearest first.
    distance : dict from Literal to int
        For each implied literal of chains, the number of literals of its chain.
    conflict : list of Literal
        Literals that contradict each other; only a net can have them.
    """

    premises: dict[Literal, tuple[tuple[Literal, ...], int | None]]
    distance: dict[Literal, int]
    conflict: list[Literal]


def nishio(view: View) -> Iterator[Deduction]:
    """Find a candidate with which its value would have too few places.

    Only the places of this value count.
    """
    sets_of_value: dict[object, list[int]] = {}
    for index in _open_sets(view):
        if view.board.covers[index].group is not None:
            sets_of_value.setdefault(view.board.covers[index].subject, []).append(index)
    yield from _nets(view, sets_of_value.values())


def forcing_net(view: View) -> Iterator[Deduction]:
    """Find a candidate from which singles lead to a contradiction."""
    yield from _nets(view, [_open_sets(view)])


def forcing_chains(view: View) -> Iterator[Deduction]:
    """Find a conclusion to which chains lead from every candidate of an exactly-one set."""
    indices = _open_sets(view)
    sets_of = _sets_of(view, indices)
    implied = {bit: _follow(view, bit, sets_of, view.live, is_net=False) for bit in bits(view.unplaced)}
    ends = []
    for index in indices:
        starts = list(bits(view.covers[index]))
        for literal in implied[starts[0]].distance:
            if all(literal in implied[bit].distance for bit in starts):
                ends.append((sum([implied[bit].distance[literal] for bit in starts]), index, literal))
    done = set()
    for _, index, literal in sorted(ends):
        if literal not in done:
            done.add(literal)
            yield _join_chains(view, index, literal, implied)


def _open_sets(view: View) -> list[int]:
    """Return the indices of the exactly-one sets without a placed candidate."""
    covers = view.board.covers
    return [i for i, mask in enumerate(view.covers) if covers[i].is_exactly_one and not mask & view.placed]


def _sets_of(view: View, indices: Iterable[int]) -> dict[int, list[int]]:
    """Return for each live candidate those of the sets that contain it."""
    sets_of: dict[int, list[int]] = {}
    for index in indices:
        for bit in bits(view.covers[index]):
            sets_of.setdefault(bit, []).append(index)
    return sets_of


def _follow(view: View, start: int, sets_of: Mapping[int, list[int]], within: int, is_net: bool) -> Consequences:
    """Return the literals that follow from a candidate.

    Only consequences about the candidates of ``within`` count. A net stops at its first conflict.
    """
    sees, absent, present = view.board.sees, 0, 1 << start
    premises: dict[Literal, tuple[tuple[Literal, ...], int | None]] = {(start, True): ((), None)}
    distance = {(start, True): 1}
    queue: list[Literal] = [(start, True)]
    for literal in queue:
        bit, holds = literal
        if holds:
            # The candidates that it sees do not hold.
            excluded = sees[bit] & within & ~absent
            if is_net and (both := excluded & present):
                return Consequences(premises, distance, [literal, (next(bits(both)), True)])
            absent |= excluded
            implied: list[Implied] = [((other, False), (literal,), None) for other in bits(excluded)]
        else:
            # The last candidate of a set holds.
            implied = []
            for index in sets_of.get(bit, ()):
                lost = view.covers[index] & absent if is_net else 1 << bit
                rest = view.covers[index] & ~lost
                causes = tuple([(other, False) for other in bits(lost)])
                if not rest:
                    return Consequences(premises, distance, list(causes))
                if not rest & (rest - 1) and not rest & present:
                    present |= rest
                    implied.append(((rest.bit_length() - 1, True), causes, index))
        for new, causes, by in implied:
            premises[new] = causes, by
            distance[new] = distance[literal] + 1
            queue.append(new)
    return Consequences(premises, distance, [])


def _nets(view: View, families: Iterable[list[int]]) -> Iterator[Deduction]:
    """Yield the nets that have a conflict, the smallest first.

    Each net follows a candidate through the sets of one of the families.
    """
    found = []
    for indices in families:
        sets_of = _sets_of(view, indices)
        within = sum([1 << bit for bit in sets_of])
        for bit in sets_of:
            net = _follow(view, bit, sets_of, within, is_net=True)
            if net.conflict:
                found.append((len(_trace_back(net, net.conflict)), bit, net))
    for _, bit, net in sorted(found, key=lambda entry: entry[:2]):
        yield _describe_net(view, bit, net)


def _trace_back(consequences: Consequences, ends: Iterable[Literal]) -> list[Literal]:
    """Return the literals from which ``ends`` follow, and ``ends``, in order."""
    required, todo = set[Literal](), list(ends)
    while todo:
        literal = todo.pop()
        if literal not in required:
            required.add(literal)
            todo += consequences.premises[literal][0]
    return [literal for literal in consequences.premises if literal in required]


def _join_chains(view: View, index: int, end: Literal, implied: Mapping[int, Consequences]) -> Deduction:
    """Return the deduction of the chains from all candidates of a set to one literal."""
    board, cover = view.board, view.board.covers[index]
    words, nodes, links = [], dict[int, bool](), list[Link]()
    for start in bits(view.covers[index]):
        chain = _trace_back(implied[start], [end])
        words.append("if " + ", then ".join([_write(view, literal) for literal in chain]))
        nodes |= {1 << bit: holds for bit, holds in chain if 1 << bit not in nodes}
        links += _links(view, implied[start], chain)
    numbers = [link.number for link in links if link.number is not None]
    numbers += [] if cover.group is None else [board.groups[cover.group].number]
    return Deduction(
        f"one of {board.describe(view.covers[index])} holds: {'; '.join(words)}",
        placed=end[1] << end[0],
        removed=(not end[1]) << end[0],
        pattern=sum(nodes),
        constraints=tuple(dict.fromkeys(numbers)),
        nodes=nodes,
        links=tuple(links),
        sets=(Outline("cell" if cover.group is None else "line", view.covers[index], board.name(cover)),),
    )


def _describe_net(view: View, start: int, net: Consequences) -> Deduction:
    """Return the deduction that removes a candidate whose net has a conflict."""
    board = view.board
    literals = _trace_back(net, net.conflict)
    conflict = sum([1 << bit for bit, _ in net.conflict])
    # The conflict is a set without candidates, or two candidates that exclude each other.
    is_empty = not net.conflict[0][1]
    if not is_empty:
        numbers = excluding_constraints(board, *[1 << bit for bit, _ in net.conflict])
        cause = f"{join_words([board.assignment(bit) for bit in bits(conflict)])} exclude each other"
        cause += "".join([f" by {board.constraints[number].place}" for number in numbers])
    else:
        index = next(i for i in board.covers_of[net.conflict[0][0]] if view.covers[i] == conflict)
        group = board.covers[index].group
        numbers = () if group is None else (board.groups[group].number,)
        cause = f"nothing is left for {board.name(board.covers[index])}"
    followers = [board.assignment(bit) for bit, holds in literals[1:] if holds]
    then = f", then {join_words(followers)}" if followers else ""
    links = _links(view, net, literals)
    return Deduction(
        f"if {board.assignment(start)}{then}; but {cause}",
        removed=1 << start,
        pattern=sum([1 << bit for bit, _ in literals]),
        constraints=tuple(dict.fromkeys([*numbers, *[link.number for link in links if link.number is not None]])),
        nodes={1 << bit: holds for bit, holds in literals},
        links=tuple(links),
        sets=(Outline("empty" if is_empty else "line", conflict, cause),),
    )


def _write(view: View, literal: Literal) -> str:
    return f"{'' if literal[1] else 'not '}{view.board.assignment(literal[0])}"


def _links(view: View, consequences: Consequences, literals: Iterable[Literal]) -> list[Link]:
    """Return the links by which literals follow from a single one."""
    board, links = view.board, []
    for bit, holds in literals:
        premises, index = consequences.premises[bit, holds]
        if len(premises) == 1:
            before = 1 << premises[0][0]
            if index is None:
                by = excluding_constraints(board, before, 1 << bit)
                links.append(Link(before, 1 << bit, False, by[0] if by else None))
            else:
                group = board.covers[index].group
                links.append(Link(before, 1 << bit, True, None if group is None else board.groups[group].number))
    return links
