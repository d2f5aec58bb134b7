"""Answers of the gallery's puzzles with pieces and groups, held to their rules by code that knows no solver."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations, islice

import pytest

import csp
from csp.board.answer import answer_text

from .plans import Spot, grids, plan
from .test_gallery import beside, pieces
from .test_gallery_rooms import Cells, numbers, only_answer, shaded, square, turned_ways

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def clues(name: str) -> dict[Spot, str]:
    return {at: str(value) for at, value in grids(name)["clue"].items()}


def sums_of_groups(name: str, cells: Cells) -> bool:
    groups = pieces(shaded(cells))
    return all(
        not cells[at] and value in ("?", str(sum(len(one) for one in groups if one & {*beside(at)})))
        for at, value in clues(name).items()
    )


def kurotto(cells: Cells) -> bool:
    return sums_of_groups("kurotto", cells)


def island(cells: Cells) -> bool:
    return sums_of_groups("island", cells) and len(pieces(shaded(cells) | clues("island").keys())) == 1


def tetrochain(cells: Cells) -> bool:
    dark, ways = shaded(cells), grids("tetrochain")["way"]
    parts = pieces(dark)
    corners = [
        (one, other)
        for one, other in combinations(parts, 2)
        if any(abs(r - s) == abs(c - d) == 1 for r, c in one for s, d in other)
    ]
    hung = {0}
    for _ in parts:
        hung |= {parts.index(two) for pair in corners for one, two in (pair, pair[::-1]) if parts.index(one) in hung}
    seen = {
        at: sum((at[0] + k * STEPS[way][0], at[1] + k * STEPS[way][1]) in dark for k in range(1, 9))
        for at, way in ways.items()
    }
    return (
        all(len(one) == 4 for one in parts)
        and not any(turned_ways(one)[0] in turned_ways(other) for one, other in corners)
        and len(hung) == len(parts)
        and all(seen[at] == value and at not in dark for at, value in numbers("tetrochain").items())
    )


def are_galaxies(name: str, rooms: list[set[Spot]]) -> bool:
    """Whether each room has one star, around which it is turned onto itself."""
    found: Counter[int] = Counter()
    for i, j in grids(name)["star"]:
        hearts = {(r, c) for r in ((i + 1) // 2, i // 2 + 1) for c in ((j + 1) // 2, j // 2 + 1)}
        own = [k for k, room in enumerate(rooms) if hearts <= room]
        if len(own) != 1 or {(i + 1 - r, j + 1 - c) for r, c in rooms[own[0]]} != rooms[own[0]]:
            return False
        found.update(own)
    return found == Counter(range(len(rooms)))


def nuriuzu(cells: Cells) -> bool:
    alike = [one for at in cells if len(one := {cells.get(to) for to in square(at)}) == 1]
    return not alike and are_galaxies("nuriuzu", pieces(cells.keys() - shaded(cells)))


def fillomino(cells: Cells) -> bool:
    return all(cells[at] == value for at, value in numbers("fillomino").items()) and all(
        len(one) == size for size in {*cells.values()} for one in pieces({at for at in cells if cells[at] == size})
    )


def gokigen(cells: dict[Spot, str]) -> bool:
    met: Counter[Spot] = Counter()
    root: dict[Spot, Spot] = {}

    def top(at: Spot) -> Spot:
        while at in root:
            at = root[at]
        return at

    for (r, c), sign in cells.items():
        one, other = ((r, c), (r + 1, c + 1)) if sign == "╲" else ((r, c + 1), (r + 1, c))
        met.update((one, other))
        if top(one) == top(other):
            return False
        root[top(one)] = top(other)
    return all(met[at] == value for at, value in numbers("gokigen").items())


DARK = {"◤": "ul", "◥": "ur", "◢": "dr", "◣": "dl", "white": ""}


def shakashaka(cells: dict[Spot, str]) -> bool:
    """Each square has four quarters that meet in its middle; white ones that touch are a rectangle by their area."""
    white = {(*at, way) for at, sign in cells.items() for way in STEPS if way not in DARK[sign]}
    whole = True
    while white and whole:
        todo, room = [white.pop()], []
        while todo:
            r, c, way = todo.pop()
            room.append((r, c, way))
            i, j = STEPS[way]
            near = {(r, c, one) for one in STEPS if STEPS[one] not in ((i, j), (-i, -j))}
            near.add((r + i, c + j, next(one for one in STEPS if STEPS[one] == (-i, -j))))
            todo += near & white
            white -= near
        corners = [
            (2 * r + i + a * (not i), 2 * c + j + a * (not j))
            for r, c, way in room
            for i, j in [STEPS[way]]
            for a in (-1, 1)
        ]
        upright, slanting = (
            ([r for r, _ in corners], [c for _, c in corners]),
            ([r + c for r, c in corners], [r - c for r, c in corners]),
        )
        area = [(max(one) - min(one)) * (max(other) - min(other)) for one, other in (upright, slanting)]
        whole = len(room) in (area[0], area[1] / 2)
    told = (
        sum(cells.get(one, "white") != "white" for one in beside(at)) == int(value)
        for at, value in clues("shakashaka").items()
        if value != "?"
    )
    return whole and all(told)


CHECKS: dict[Callable[[Cells], bool], str] = {
    fillomino: "size",
    gokigen: "slant",
    island: "shaded",
    kurotto: "shaded",
    nuriuzu: "shaded",
    shakashaka: "cell",
    tetrochain: "shaded",
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_answer_keeps_the_rules_and_is_the_only_one(check: Callable[[Cells], bool]) -> None:
    cells = only_answer(check.__name__, CHECKS[check])
    cells.pop((0, 0), None)  # the rim of a slant
    assert check(cells)
    wrong = [{**cells, a: cells[b], b: cells[a]} for a, b in combinations(cells, 2) if cells[a] != cells[b]]
    assert not any(map(check, wrong[:: 1 + len(wrong) // 300])), "what is wrong is seen"


def rim(room: set[Spot], at: Spot) -> int:
    return sum(one not in room for one in beside(at))


def even_pieces(name: str, size: int, rooms: list[set[Spot]]) -> bool:
    told = numbers(name).items()
    return {len(room) for room in rooms} == {size} and all(
        rim(room, at) == value for at, value in told for room in rooms if at in room
    )


def fourcells(rooms: list[set[Spot]]) -> bool:
    return even_pieces("fourcells", 4, rooms)


def fivecells(rooms: list[set[Spot]]) -> bool:
    return even_pieces("fivecells", 5, rooms)


def tentaisho(rooms: list[set[Spot]]) -> bool:
    return are_galaxies("tentaisho", rooms)


def usotatami(rooms: list[set[Spot]]) -> bool:
    signs = [[value for at, value in clues("usotatami").items() if at in room] for room in rooms]
    crossed = any(sum(bool(square(at) & room) for room in rooms) == 4 for at in set().union(*rooms))
    return (
        all(1 in (len({r for r, _ in room}), len({c for _, c in room})) and len(pieces(room)) == 1 for room in rooms)
        and all(len(own) == 1 and own[0] != str(len(room)) for own, room in zip(signs, rooms, strict=True))
        and not crossed
    )


def printed_rooms(name: str) -> list[set[Spot]]:
    """The pieces between the borders of the one answer, as it is printed."""
    model = plan(name).model
    (answer,) = islice(csp.Solver(model).solutions(), 2)
    apart: set[frozenset[Spot]] = set()
    row, stops = 0, [0]
    for line in answer_text(model, answer).split("\n"):
        if "-" in line:
            apart |= {frozenset([(row, c), (row + 1, c)]) for c, at in enumerate(stops, 1) if line[at : at + 1] == "-"}
        else:
            row += 1
            stops = [found.start() for found in re.finditer(r"[^ |]", line)]
            apart |= {
                frozenset([(row, c), (row, c + 1)]) for c, at in enumerate(stops, 1) if line[at + 2 : at + 3] == "|"
            }
    left = {(r, c) for r in range(1, row + 1) for c in range(1, len(stops) + 1)}
    rooms = []
    while left:
        room = [left.pop()]
        for at in room:
            more = {one for one in left & {*beside(at)} if frozenset([at, one]) not in apart}
            room += more
            left -= more
        rooms.append({*room})
    return rooms


@pytest.mark.parametrize("check", [fourcells, fivecells, tentaisho, usotatami], ids=lambda check: check.__name__)
def test_the_pieces_keep_the_rules_and_are_the_only_ones(check: Callable[[list[set[Spot]]], bool]) -> None:
    rooms = printed_rooms(check.__name__)
    assert check(rooms)
    wrong = [
        [room - {at} if room is one else room | {at} if room is other else room for room in rooms if room != {at}]
        for one in rooms
        for at in sorted(one)
        for other in rooms
        if other is not one and other & {*beside(at)}
    ]
    assert wrong and not any(map(check, wrong)), "what is wrong is seen"
