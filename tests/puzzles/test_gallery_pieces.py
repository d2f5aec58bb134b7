"""Tests that answers of puzzles with pieces keep their rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations, islice

import pytest

import csp
from csp.board.answer import answer_text

from ..plans import Spot, grids, plan
from .test_gallery import list_neighbours, split_into_pieces
from .test_gallery_rooms import Cells, find_shaded_cells, list_block, read_numbers, solve_uniquely, turn_shape

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def read_clues(name: str) -> dict[Spot, str]:
    return {at: str(value) for at, value in grids(name)["clue"].items()}


def check_group_sums(name: str, cells: Cells) -> bool:
    groups = split_into_pieces(find_shaded_cells(cells))
    return all(
        not cells[at] and value in ("?", str(sum(len(group) for group in groups if group & {*list_neighbours(at)})))
        for at, value in read_clues(name).items()
    )


def kurotto(cells: Cells) -> bool:
    return check_group_sums("kurotto", cells)


def island(cells: Cells) -> bool:
    return (
        check_group_sums("island", cells)
        and len(split_into_pieces(find_shaded_cells(cells) | read_clues("island").keys())) == 1
    )


def tetrochain(cells: Cells) -> bool:
    shaded, ways = find_shaded_cells(cells), grids("tetrochain")["way"]
    parts = split_into_pieces(shaded)
    corners = [
        (part, touching)
        for part, touching in combinations(parts, 2)
        if any(abs(r - s) == abs(c - d) == 1 for r, c in part for s, d in touching)
    ]
    # Follow the touching corners from the first part to all parts that they connect.
    connected = {0}
    for _ in parts:
        connected |= {
            parts.index(touching)
            for pair in corners
            for part, touching in (pair, pair[::-1])
            if parts.index(part) in connected
        }
    dark_counts = {
        at: sum((at[0] + k * STEPS[way][0], at[1] + k * STEPS[way][1]) in shaded for k in range(1, 9))
        for at, way in ways.items()
    }
    return (
        all(len(part) == 4 for part in parts)
        and not any(turn_shape(part)[0] in turn_shape(touching) for part, touching in corners)
        and len(connected) == len(parts)
        and all(dark_counts[at] == value and at not in shaded for at, value in read_numbers("tetrochain").items())
    )


def are_galaxies(name: str, rooms: list[set[Spot]]) -> bool:
    """Return whether each room has one star and is symmetric about it."""
    star_counts: Counter[int] = Counter()
    for i, j in grids(name)["star"]:
        centre = {(r, c) for r in ((i + 1) // 2, i // 2 + 1) for c in ((j + 1) // 2, j // 2 + 1)}
        matching_rooms = [k for k, room in enumerate(rooms) if centre <= room]
        if (
            len(matching_rooms) != 1
            or {(i + 1 - r, j + 1 - c) for r, c in rooms[matching_rooms[0]]} != rooms[matching_rooms[0]]
        ):
            return False
        star_counts.update(matching_rooms)
    return star_counts == Counter(range(len(rooms)))


def nuriuzu(cells: Cells) -> bool:
    equal = [values for at in cells if len(values := {cells.get(to) for to in list_block(at)}) == 1]
    return not equal and are_galaxies("nuriuzu", split_into_pieces(cells.keys() - find_shaded_cells(cells)))


def fillomino(cells: Cells) -> bool:
    return all(cells[at] == value for at, value in read_numbers("fillomino").items()) and all(
        len(piece) == size
        for size in {*cells.values()}
        for piece in split_into_pieces({at for at in cells if cells[at] == size})
    )


def gokigen(cells: dict[Spot, str]) -> bool:
    line_counts: Counter[Spot] = Counter()
    parent: dict[Spot, Spot] = {}

    def find_root(at: Spot) -> Spot:
        while at in parent:
            at = parent[at]
        return at

    for (r, c), sign in cells.items():
        start, end = ((r, c), (r + 1, c + 1)) if sign == "╲" else ((r, c + 1), (r + 1, c))
        line_counts.update((start, end))
        # A line whose ends are connected already would close a loop.
        if find_root(start) == find_root(end):
            return False
        parent[find_root(start)] = find_root(end)
    return all(line_counts[at] == value for at, value in read_numbers("gokigen").items())


DARK = {"◤": "ul", "◥": "ur", "◢": "dr", "◣": "dl", "white": ""}


def shakashaka(cells: dict[Spot, str]) -> bool:
    """Return whether the white areas are rectangles and the clues hold.

    Each square consists of four quarters that meet in its middle. White quarters that touch form an area;
    an area is a rectangle if it fills its upright or slanting bounding box.
    """
    white = {(*at, way) for at, sign in cells.items() for way in STEPS if way not in DARK[sign]}
    are_rectangles = True
    while white and are_rectangles:
        # Collect the white quarters that are connected with the first one.
        todo, room = [white.pop()], []
        while todo:
            r, c, way = todo.pop()
            room.append((r, c, way))
            i, j = STEPS[way]
            neighbours = {(r, c, turned) for turned in STEPS if STEPS[turned] not in ((i, j), (-i, -j))}
            neighbours.add((r + i, c + j, next(back for back in STEPS if STEPS[back] == (-i, -j))))
            todo += neighbours & white
            white -= neighbours
        # Compare the number of quarters with the areas of both bounding boxes.
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
        area = [(max(xs) - min(xs)) * (max(ys) - min(ys)) for xs, ys in (upright, slanting)]
        are_rectangles = len(room) in (area[0], area[1] / 2)
    clues_hold = (
        sum(cells.get(neighbour, "white") != "white" for neighbour in list_neighbours(at)) == int(value)
        for at, value in read_clues("shakashaka").items()
        if value != "?"
    )
    return are_rectangles and all(clues_hold)


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
def test_the_only_answer_keeps_the_rules(check: Callable[[Cells], bool]) -> None:
    cells = solve_uniquely(check.__name__, CHECKS[check])
    cells.pop((0, 0), None)  # the rim of a slant
    assert check(cells)
    wrong_answers = [{**cells, a: cells[b], b: cells[a]} for a, b in combinations(cells, 2) if cells[a] != cells[b]]
    assert not any(map(check, wrong_answers[:: 1 + len(wrong_answers) // 300])), "the check refuses wrong answers"


def count_borders(room: set[Spot], at: Spot) -> int:
    return sum(neighbour not in room for neighbour in list_neighbours(at))


def are_pieces_of_size(name: str, size: int, rooms: list[set[Spot]]) -> bool:
    clue_items = read_numbers(name).items()
    return {len(room) for room in rooms} == {size} and all(
        count_borders(room, at) == value for at, value in clue_items for room in rooms if at in room
    )


def fourcells(rooms: list[set[Spot]]) -> bool:
    return are_pieces_of_size("fourcells", 4, rooms)


def fivecells(rooms: list[set[Spot]]) -> bool:
    return are_pieces_of_size("fivecells", 5, rooms)


def tentaisho(rooms: list[set[Spot]]) -> bool:
    return are_galaxies("tentaisho", rooms)


def usotatami(rooms: list[set[Spot]]) -> bool:
    signs = [[value for at, value in read_clues("usotatami").items() if at in room] for room in rooms]
    crossed = any(sum(bool(list_block(at) & room) for room in rooms) == 4 for at in set().union(*rooms))
    return (
        all(
            1 in (len({r for r, _ in room}), len({c for _, c in room})) and len(split_into_pieces(room)) == 1
            for room in rooms
        )
        and all(len(values) == 1 and values[0] != str(len(room)) for values, room in zip(signs, rooms, strict=True))
        and not crossed
    )


def read_printed_rooms(name: str) -> list[set[Spot]]:
    """Return the pieces between the borders of the printed answer."""
    model = plan(name).model
    (answer,) = islice(csp.Solver(model).solutions(), 2)
    borders: set[frozenset[Spot]] = set()
    # Read the borders from the printed lines.
    row, stops = 0, [0]
    for line in answer_text(model, answer).split("\n"):
        if "-" in line:
            borders |= {
                frozenset([(row, c), (row + 1, c)]) for c, at in enumerate(stops, 1) if line[at : at + 1] == "-"
            }
        else:
            row += 1
            stops = [match.start() for match in re.finditer(r"[^ |]", line)]
            borders |= {
                frozenset([(row, c), (row, c + 1)]) for c, at in enumerate(stops, 1) if line[at + 2 : at + 3] == "|"
            }
    remaining = {(r, c) for r in range(1, row + 1) for c in range(1, len(stops) + 1)}
    # Collect the squares that no border separates.
    rooms = []
    while remaining:
        room = [remaining.pop()]
        for at in room:
            connected = {
                neighbour
                for neighbour in remaining & {*list_neighbours(at)}
                if frozenset([at, neighbour]) not in borders
            }
            room += connected
            remaining -= connected
        rooms.append({*room})
    return rooms


@pytest.mark.parametrize("check", [fourcells, fivecells, tentaisho, usotatami], ids=lambda check: check.__name__)
def test_the_pieces_of_the_answer_keep_the_rules(check: Callable[[list[set[Spot]]], bool]) -> None:
    rooms = read_printed_rooms(check.__name__)
    assert check(rooms)
    # Move each square at a border into the neighbouring room.
    wrong_rooms = [
        [room - {at} if room is source else room | {at} if room is target else room for room in rooms if room != {at}]
        for source in rooms
        for at in sorted(source)
        for target in rooms
        if target is not source and target & {*list_neighbours(at)}
    ]
    assert wrong_rooms and not any(map(check, wrong_rooms)), "the check refuses wrong answers"
