"""Answers of the gallery's puzzles with rooms, mats and runs, held to their rules by code that knows no solver."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations, groupby, islice, pairwise

import pytest

import csp

from .plans import Spot, grids, plan
from .test_gallery import beside, pieces

Cells = dict[Spot, int]


def only_answer(name: str, family: str) -> Cells:
    """The one answer, by rows and columns."""
    found = list(islice(csp.Solver(plan(name).model).solutions(), 2))
    assert len(found) == 1
    return {v.indices: value for v, value in found[0].items() if v.family == family}  # type: ignore[misc]


def numbers(name: str, grid: str = "clue") -> Cells:
    return {at: int(value) for at, value in grids(name)[grid].items()}


def rooms(name: str) -> list[set[Spot]]:
    room = grids(name)["room"]
    return [{at for at in room if room[at] == one} for one in dict.fromkeys(room.values())]


def lines(cells: Cells) -> list[list[int]]:
    """Rows, and then columns."""
    return [
        [cells[at] for at in sorted(cells) if at[axis] == one]
        for axis in (0, 1)
        for one in sorted({at[axis] for at in cells})
    ]


def shaded(cells: Cells) -> set[Spot]:
    return {at for at, value in cells.items() if value}


def square(at: Spot) -> set[Spot]:
    r, c = at
    return {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}


def juosan(cells: Cells) -> bool:
    rows, columns = lines(cells)[:6], lines(cells)[6:]
    too_long = [0] * 3 in [row[i : i + 3] for row in rows for i in range(4)] or [1] * 3 in [
        column[i : i + 3] for column in columns for i in range(4)
    ]
    return not too_long and all(
        value in Counter(cells[at] for at in room).values()
        for at, value in numbers("juosan").items()
        for room in rooms("juosan")
        if at in room
    )


def meander(cells: Cells) -> bool:
    around = [((r, c), (r + i, c + j)) for r, c in cells for i, j in ((0, 1), (1, -1), (1, 0), (1, 1))]
    return (
        all(sorted(cells[at] for at in room) == [*range(1, len(room) + 1)] for room in rooms("meander"))
        and all(b in beside(a) for room in rooms("meander") for a, b in pairwise(sorted(room, key=cells.__getitem__)))
        and all(cells[a] != cells[b] for a, b in around if b in cells)
        and numbers("meander").items() <= cells.items()
    )


def renban_madoguchi(cells: Cells) -> bool:
    room, inside = grids("renban_madoguchi")["room"], numbers("renban_madoguchi").items() <= cells.items()
    walls = grids("renban_madoguchi")
    for right, axis, drawn in ((0, 1, walls["wall_below"]), (1, 0, walls["wall_right"])):
        for line in range(1, 5):
            sides = [(k, line) if right else (line, k) for k in range(1, 6)]
            over = {at: (at[0] + axis, at[1] + right) for at in sides}
            for is_wall, run in groupby(sides, key=lambda at: room[at] != room[over[at]] or at in drawn):
                part = [*run]
                if is_wall and any(abs(cells[at] - cells[over[at]]) != len(part) for at in part):
                    return False
    return inside and all(
        sorted(cells[at] for at in one) == [*range(min(cells[at] for at in one), max(cells[at] for at in one) + 1)]
        for one in rooms("renban_madoguchi")
    )


def steps(room: set[Spot], one: Spot, other: Spot) -> int:
    """How many steps within a room lead from one square to another."""
    seen, count = {one}, 0
    while other not in seen:
        seen |= {at for old in seen for at in beside(old)} & room
        count += 1
    return count


def mannequin(cells: Cells) -> bool:
    found: dict[Spot, int] = {}
    for room in rooms("mannequin"):
        pair = sorted(room & shaded(cells))
        if len(pair) != 2:
            return False
        found |= dict.fromkeys(room, steps(room, *pair) - 1)
    room_of = grids("mannequin")["room"]
    return (
        numbers("mannequin").items() <= found.items()
        and all(found[a] != found[b] for a in found for b in beside(a) if b in found and room_of[a] != room_of[b])
        and len(pieces(cells.keys() - shaded(cells))) == 1
    )


def fillmat(cells: Cells) -> bool:
    """Squares of one size that touch are one mat."""
    mats = [one for size in (1, 2, 3, 4) for one in pieces({at for at in cells if cells[at] == size})]
    mat_of = {at: i for i, mat in enumerate(mats) for at in mat}
    return (
        numbers("fillmat").items() <= cells.items()
        and all(len(mat) == cells[next(iter(mat))] for mat in mats)
        and all(1 in (len({r for r, _ in mat}), len({c for _, c in mat})) for mat in mats)
        and all(len({mat_of[at] for at in square(one)}) < 4 for one in cells if square(one) <= cells.keys())
    )


def lither(cells: Cells) -> bool:
    """Corners are where both indices are even, and the lines between them where one is."""
    corners = {(r, c) for r, c in cells if r % 2 == c % 2 == 0}
    on = shaded(cells)
    trees = pieces(on)
    return (
        corners <= on
        and not any(r % 2 == c % 2 == 1 or min(r, c) == 1 or max(r, c) == 13 for r, c in on)
        and all(len({*beside(at)} & on) in (1, 3, 4) for at in corners)
        and all(len(tree) == 2 * len(tree & corners) - 1 for tree in trees)
        and len(trees) > 1
        and all(len({*beside((2 * r + 1, 2 * c + 1))} & on) == value for (r, c), value in numbers("lither").items())
    )


def nothree(cells: Cells) -> bool:
    dark = shaded(cells)
    near = {
        dot: {(r, c) for r, c in cells if abs(2 * r - 1 - dot[0]) < 2 and abs(2 * c - 1 - dot[1]) < 2}
        for dot in grids("nothree")["dot"]
    }
    apart = [
        b - a == c - b
        for line in lines(cells)
        for a, b, c in zip(*([k for k, value in enumerate(line) if value][i:] for i in range(3)), strict=False)
    ]
    return (
        all(len(some & dark) == 1 for some in near.values())
        and not any(at in dark for one in dark for at in beside(one))
        and len(pieces(cells.keys() - dark)) == 1
        and not any(apart)
    )


def tapa(cells: Cells) -> bool:
    dark, ring = shaded(cells), [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    for (r, c), value in numbers("tapa").items():
        around = "".join("#" if (r + i, c + j) in dark else "." for i, j in ring)
        turned = around[around.find(".") :] + around[: around.find(".")]
        if sorted(map(len, turned.replace(".", " ").split())) != sorted(map(int, str(value))):
            return False
    return (
        len(pieces(dark)) == 1
        and not any(square(at) <= dark for at in dark)
        and not any(at in dark for at in numbers("tapa"))
    )


def turned_ways(shape: set[Spot]) -> list[list[Spot]]:
    """A shape in its eight positions, from its first row and column."""
    ways = []
    for _ in range(4):
        shape = {(c, -r) for r, c in shape}
        ways += [shape, {(r, -c) for r, c in shape}]
    corners = [(min(r for r, _ in way), min(c for _, c in way)) for way in ways]
    return [sorted((r - top, c - left) for r, c in way) for way, (top, left) in zip(ways, corners, strict=True)]


def statue_park(cells: Cells) -> bool:
    given = grids("statue_park")
    shapes = [{at for at, name in given["shape"].items() if name == one} for one in {*given["shape"].values()}]
    put = [turned_ways(piece)[0] for piece in pieces(shaded(cells))]
    fits = [{i for i, piece in enumerate(put) if piece in turned_ways(shape)} for shape in shapes]
    return (
        len(put) == len(shapes)
        and sorted(map(tuple, fits)) == [(i,) for i in range(5)]
        and len(pieces(cells.keys() - shaded(cells))) == 1
        and all(cells[at] == (sign == "b") for at, sign in given["clue"].items())
    )


def sashigane(cells: Cells) -> bool:
    """Each square says where its corner is: the way there is straight, and two arms begin at a corner."""
    step, given = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}, grids("sashigane")
    after = {(r, c): (r + step[way][0], c + step[way][1]) for (r, c), way in cells.items() if way != "corner"}
    if any(cells.get(other) not in ("corner", cells[at]) for at, other in after.items()):
        return False
    arms: dict[Spot, Counter[str]] = defaultdict(Counter)
    for at in after:
        corner = at
        while corner in after:
            corner = after[corner]
        arms[corner][cells[at]] += 1
    return (
        all(sorted(way in "ud" for way in arms[at]) == [False, True] for at in cells.keys() - after.keys())
        and all(value in ("?", 1 + arms[at].total()) and at not in after for at, value in given["clue"].items())
        and all(cells[at] == way and at not in after.values() for at, way in given["way"].items())
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
def test_the_answer_keeps_the_rules_and_is_the_only_one(check: Callable[[Cells], bool]) -> None:
    cells = only_answer(check.__name__, CHECKS[check])
    assert check(cells)
    wrong = [{**cells, a: cells[b], b: cells[a]} for a, b in combinations(cells, 2) if cells[a] != cells[b]]
    assert not any(map(check, wrong[:: 1 + len(wrong) // 300])), "what is wrong is seen"
