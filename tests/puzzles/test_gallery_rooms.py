"""Tests that answers of puzzles with rooms keep their rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations, groupby, islice, pairwise

import pytest

import csp

from ..plans import Spot, grids, plan
from .test_gallery import list_neighbours, split_into_pieces

Cells = dict[Spot, int]


def solve_uniquely(name: str, family: str) -> Cells:
    """Return the values of a family in the only answer, by indices."""
    solutions = list(islice(csp.Solver(plan(name).model).solutions(), 2))
    assert len(solutions) == 1
    return {v.indices: value for v, value in solutions[0].items() if v.family == family}  # type: ignore[misc]


def read_numbers(name: str, grid: str = "clue") -> Cells:
    return {at: int(value) for at, value in grids(name)[grid].items()}


def read_rooms(name: str) -> list[set[Spot]]:
    room = grids(name)["room"]
    return [{at for at in room if room[at] == number} for number in dict.fromkeys(room.values())]


def read_lines(cells: Cells) -> list[list[int]]:
    """Return the rows, followed by the columns."""
    return [
        [cells[at] for at in sorted(cells) if at[axis] == index]
        for axis in (0, 1)
        for index in sorted({at[axis] for at in cells})
    ]


def find_shaded_cells(cells: Cells) -> set[Spot]:
    return {at for at, value in cells.items() if value}


def list_block(at: Spot) -> set[Spot]:
    """Return the block of four squares below and right of a corner."""
    r, c = at
    return {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}


def juosan(cells: Cells) -> bool:
    rows, columns = read_lines(cells)[:6], read_lines(cells)[6:]
    too_long = [0] * 3 in [row[i : i + 3] for row in rows for i in range(4)] or [1] * 3 in [
        column[i : i + 3] for column in columns for i in range(4)
    ]
    return not too_long and all(
        value in Counter(cells[at] for at in room).values()
        for at, value in read_numbers("juosan").items()
        for room in read_rooms("juosan")
        if at in room
    )


def meander(cells: Cells) -> bool:
    neighbours = [((r, c), (r + i, c + j)) for r, c in cells for i, j in ((0, 1), (1, -1), (1, 0), (1, 1))]
    return (
        all(sorted(cells[at] for at in room) == [*range(1, len(room) + 1)] for room in read_rooms("meander"))
        and all(
            b in list_neighbours(a)
            for room in read_rooms("meander")
            for a, b in pairwise(sorted(room, key=cells.__getitem__))
        )
        and all(cells[a] != cells[b] for a, b in neighbours if b in cells)
        and read_numbers("meander").items() <= cells.items()
    )


def renban_madoguchi(cells: Cells) -> bool:
    room_of, keeps_clues = grids("renban_madoguchi")["room"], read_numbers("renban_madoguchi").items() <= cells.items()
    walls = grids("renban_madoguchi")
    for right, axis, drawn in ((0, 1, walls["wall_below"]), (1, 0, walls["wall_right"])):
        for line in range(1, 5):
            squares = [(k, line) if right else (line, k) for k in range(1, 6)]
            opposite = {at: (at[0] + axis, at[1] + right) for at in squares}
            for is_wall, run in groupby(squares, key=lambda at: room_of[at] != room_of[opposite[at]] or at in drawn):
                part = [*run]
                if is_wall and any(abs(cells[at] - cells[opposite[at]]) != len(part) for at in part):
                    return False
    return keeps_clues and all(
        sorted(cells[at] for at in room) == [*range(min(cells[at] for at in room), max(cells[at] for at in room) + 1)]
        for room in read_rooms("renban_madoguchi")
    )


def count_steps(room: set[Spot], start: Spot, end: Spot) -> int:
    """Return the number of steps between two squares of a room."""
    seen, count = {start}, 0
    while end not in seen:
        seen |= {at for place in seen for at in list_neighbours(place)} & room
        count += 1
    return count


def mannequin(cells: Cells) -> bool:
    distances: dict[Spot, int] = {}
    for room in read_rooms("mannequin"):
        pair = sorted(room & find_shaded_cells(cells))
        if len(pair) != 2:
            return False
        distances |= dict.fromkeys(room, count_steps(room, *pair) - 1)
    room_of = grids("mannequin")["room"]
    return (
        read_numbers("mannequin").items() <= distances.items()
        and all(
            distances[a] != distances[b]
            for a in distances
            for b in list_neighbours(a)
            if b in distances and room_of[a] != room_of[b]
        )
        and len(split_into_pieces(cells.keys() - find_shaded_cells(cells))) == 1
    )


def fillmat(cells: Cells) -> bool:
    """Check the mats; squares of one size that touch are one mat."""
    mats = [mat for size in (1, 2, 3, 4) for mat in split_into_pieces({at for at in cells if cells[at] == size})]
    mat_of = {at: i for i, mat in enumerate(mats) for at in mat}
    return (
        read_numbers("fillmat").items() <= cells.items()
        and all(len(mat) == cells[next(iter(mat))] for mat in mats)
        and all(1 in (len({r for r, _ in mat}), len({c for _, c in mat})) for mat in mats)
        and all(
            len({mat_of[at] for at in list_block(corner)}) < 4 for corner in cells if list_block(corner) <= cells.keys()
        )
    )


def lither(cells: Cells) -> bool:
    """Check the trees of lines between the corners.

    Both indices of a corner are even; one index of a line is even.
    """
    corners = {(r, c) for r, c in cells if r % 2 == c % 2 == 0}
    on = find_shaded_cells(cells)
    trees = split_into_pieces(on)
    return (
        corners <= on
        and not any(r % 2 == c % 2 == 1 or min(r, c) == 1 or max(r, c) == 13 for r, c in on)
        and all(len({*list_neighbours(at)} & on) in (1, 3, 4) for at in corners)
        and all(len(tree) == 2 * len(tree & corners) - 1 for tree in trees)
        and len(trees) > 1
        and all(
            len({*list_neighbours((2 * r + 1, 2 * c + 1))} & on) == value
            for (r, c), value in read_numbers("lither").items()
        )
    )


def nothree(cells: Cells) -> bool:
    shaded = find_shaded_cells(cells)
    cells_near_dot = {
        dot: {(r, c) for r, c in cells if abs(2 * r - 1 - dot[0]) < 2 and abs(2 * c - 1 - dot[1]) < 2}
        for dot in grids("nothree")["dot"]
    }
    equal_gaps = [
        b - a == c - b
        for line in read_lines(cells)
        for a, b, c in zip(*([k for k, value in enumerate(line) if value][i:] for i in range(3)), strict=False)
    ]
    return (
        all(len(neighbours & shaded) == 1 for neighbours in cells_near_dot.values())
        and not any(at in shaded for cell in shaded for at in list_neighbours(cell))
        and len(split_into_pieces(cells.keys() - shaded)) == 1
        and not any(equal_gaps)
    )


def tapa(cells: Cells) -> bool:
    shaded, ring = find_shaded_cells(cells), [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    for (r, c), value in read_numbers("tapa").items():
        around = "".join("#" if (r + i, c + j) in shaded else "." for i, j in ring)
        rotated = around[around.find(".") :] + around[: around.find(".")]
        if sorted(map(len, rotated.replace(".", " ").split())) != sorted(map(int, str(value))):
            return False
    return (
        len(split_into_pieces(shaded)) == 1
        and not any(list_block(at) <= shaded for at in shaded)
        and not any(at in shaded for at in read_numbers("tapa"))
    )


def turn_shape(shape: set[Spot]) -> list[list[Spot]]:
    """Return the eight positions of a shape in the upper left corner."""
    ways = []
    for _ in range(4):
        shape = {(c, -r) for r, c in shape}
        ways += [shape, {(r, -c) for r, c in shape}]
    corners = [(min(r for r, _ in way), min(c for _, c in way)) for way in ways]
    return [sorted((r - top, c - left) for r, c in way) for way, (top, left) in zip(ways, corners, strict=True)]


def statue_park(cells: Cells) -> bool:
    given = grids("statue_park")
    shapes = [{at for at, letter in given["shape"].items() if letter == name} for name in {*given["shape"].values()}]
    placed = [turn_shape(piece)[0] for piece in split_into_pieces(find_shaded_cells(cells))]
    fits = [{i for i, piece in enumerate(placed) if piece in turn_shape(shape)} for shape in shapes]
    return (
        len(placed) == len(shapes)
        and sorted(map(tuple, fits)) == [(i,) for i in range(5)]
        and len(split_into_pieces(cells.keys() - find_shaded_cells(cells))) == 1
        and all(cells[at] == (sign == "b") for at, sign in given["clue"].items())
    )


def sashigane(cells: Cells) -> bool:
    """Check the L-shaped pieces.

    Each value is the direction to the corner of its piece. The way there is straight, and a corner has two arms.
    """
    steps, given = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}, grids("sashigane")
    next_square = {(r, c): (r + steps[way][0], c + steps[way][1]) for (r, c), way in cells.items() if way != "corner"}
    if any(cells.get(target) not in ("corner", cells[at]) for at, target in next_square.items()):
        return False
    arms: dict[Spot, Counter[str]] = defaultdict(Counter)
    for at in next_square:
        corner = at
        while corner in next_square:
            corner = next_square[corner]
        arms[corner][cells[at]] += 1
    return (
        all(sorted(way in "ud" for way in arms[at]) == [False, True] for at in cells.keys() - next_square.keys())
        and all(value in ("?", 1 + arms[at].total()) and at not in next_square for at, value in given["clue"].items())
        and all(cells[at] == way and at not in next_square.values() for at, way in given["way"].items())
    )


CHECKS: dict[Callable[[Cells], bool], str] = {
    juosan: "across",
    meander: "cell",
    renban_madoguchi: "cell",
    mannequin: "shaded",
    fillmat: "size",
    lither: "on",
    nothree: "shaded",
    sashigane: "to",
    statue_park: "shaded",
    tapa: "shaded",
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_only_answer_keeps_the_rules(check: Callable[[Cells], bool]) -> None:
    cells = solve_uniquely(check.__name__, CHECKS[check])
    assert check(cells)
    wrong_answers = [{**cells, a: cells[b], b: cells[a]} for a, b in combinations(cells, 2) if cells[a] != cells[b]]
    assert not any(map(check, wrong_answers[:: 1 + len(wrong_answers) // 300])), "the check refuses wrong answers"
