"""The plan of a picture: what is printed on every family of the gallery is what its spec says, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

import dsl
from csp.picture.layout.forms import CELL
from csp.picture.layout.layout import layout
from csp.picture.plan import Plan
from csp.picture.shapes import Shape

from .conftest import ROOT
from .plans import FAMILIES, PLANS, Spot, Values, facts, grids, marks, plan
from .printed import PLAIN, PRINTED


def spots(name: str) -> dict[Spot, tuple[float, float]]:
    """The middles of the cells, by row and column."""
    points = plan(name).layout.points
    return {(int(v.indices[0]), int(v.indices[1])): point for v, point in points.items() if v.family == "cell"}


def borders(name: str, look: str) -> set[frozenset[Spot]]:
    """The pairs of neighbours between which a line of some look runs."""
    at = spots(name)
    found = set()
    for mark in marks(name, look):
        for (x, y), (p, q) in pairwise(mark.points):
            for (r, c), (a, b) in at.items():
                for other in ((r, c + 1), (r + 1, c)):
                    if other not in at:
                        continue
                    (m, n), across = at[other], other[0] == r
                    if across and x == p and a < x < m and min(y, q) < b < max(y, q):
                        found.add(frozenset(((r, c), other)))
                    if not across and y == q and b < y < n and min(x, p) < a < max(x, p):
                        found.add(frozenset(((r, c), other)))
    return found


def parted(cells: Values) -> set[frozenset[Spot]]:
    """The pairs of neighbours that are of two regions."""
    return {
        frozenset(((r, c), other))
        for (r, c), region in cells.items()
        for other in ((r, c + 1), (r + 1, c))
        if other in cells and cells[other] != region
    }


def corner_texts(name: str) -> dict[Spot, str]:
    """What stands in the corners of cells."""
    found = {}
    for mark in marks(name, "corner"):
        [(x, y)] = mark.points[:1]
        inside = [at for at, (p, q) in spots(name).items() if p - CELL / 2 < x < p and q - CELL / 2 < y < q]
        assert len(inside) == 1
        found[inside[0]] = mark.text
    return found


def gaps(name: str, axis: int) -> set[int]:
    """The rows, or columns, after which there is more room than after others."""
    line = sorted({point[axis] for point in spots(name).values()})
    steps = [b - a for a, b in pairwise(line)]
    return {i + 1 for i, step in enumerate(steps) if step > min(steps)}


# Families.

CAGED = {"factors", "doublers", "schroedinger"}
BOXED = {"sudoku", "sudoku_x", "windoku", "evenodd", "killer"}
LINED = {  # the look of the lines, and the grid that says between which cells they run
    "jigsaw": ("region", "region"),
    "suguru": ("region", "region"),
    "cojun": ("region", "room"),
    "hakyuu": ("region", "room"),
    "killer": ("cage", "cage"),
    "kenken": ("cage", "cage"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_printed_is_all_that_is_printed(name: str) -> None:
    looks = Counter(mark.look for mark in plan(name).shapes)
    for beside in ("header", "title"):
        looks.pop(beside, None)
    assert looks == ({} if name in PLAIN else PRINTED[name])
    number = len(plan(name).model.constraints)
    for mark in plan(name).shapes:
        assert all(0 <= own < number and own not in plan(name).hidden for own in mark.constraints)


@pytest.mark.parametrize("name", [*sorted(BOXED), "jigsaw", "suguru", "kenken", "futoshiki", "skyscrapers", "tenner"])
def test_only_boxes_stand_apart(name: str) -> None:
    assert gaps(name, 0) == gaps(name, 1) == ({3, 6} if name in BOXED else set())


@pytest.mark.parametrize("name", LINED)
def test_lines_run_between_regions_and_nowhere_else(name: str) -> None:
    look, grid = LINED[name]
    assert borders(name, look) == parted(grids(name)[grid])
    for other in {"region", "cage"} - {look}:
        assert not marks(name, other)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_no_other_family_has_borders(name: str) -> None:
    has = {mark.look for mark in marks(name, "region", "cage")}
    asked = {LINED[name][0]} if name in LINED else {"cage"} if name in CAGED else set()
    drawn = any(one.name == "border" and not one.variables for one in plan(name).model.drawn)
    assert has == asked | ({"region"} if drawn or name == "zebra" else set())


def test_cages_have_their_totals_in_the_corner() -> None:
    cage = grids("killer")["cage"]
    totals = {int(own): total for own, total in facts("killer", "total")}
    first = {own: spot for spot, own in sorted(cage.items(), reverse=True)}
    assert corner_texts("killer") == {first[own]: total for own, total in totals.items()}
    cage = grids("kenken")["cage"]
    first = {own: spot for spot, own in sorted(cage.items(), reverse=True)}
    signs = {"plus": "+", "times": "×", "minus": "−", "over": "÷"}
    asked = {first[own]: total + signs[kind] for own, kind, total in facts("kenken", "clue")}
    assert corner_texts("kenken") == asked


def test_windows_and_diagonals_are_shaded() -> None:
    at = {point: spot for spot, point in spots("windoku").items()}
    assert {at[mark.points[0]] for mark in marks("windoku", "shade")} == {
        (r + i, c + j) for r in (2, 6) for c in (2, 6) for i in range(3) for j in range(3)
    }
    at = {point: spot for spot, point in spots("sudoku_x").items()}
    assert {at[mark.points[0]] for mark in marks("sudoku_x", "shade")} == {
        (i, j) for i in range(1, 10) for j in (i, 10 - i)
    }


def test_even_cells_are_grey_and_odd_ones_have_a_disc() -> None:
    at = {point: spot for spot, point in spots("evenodd").items()}
    shown = {at[mark.points[0]]: mark.look for mark in marks("evenodd", "shade", "odd")}
    names = {"e": "shade", "o": "odd"}
    assert shown == {spot: names[str(sign)] for spot, sign in grids("evenodd")["parity"].items()}


def test_kakuro_has_its_sums_in_black_cells() -> None:
    own, at = grids("kakuro"), spots("kakuro")
    xs, ys = {c: x for (_, c), (x, _) in at.items()}, {r: y for (r, _), (_, y) in at.items()}
    pitch = xs[3] - xs[2]
    xs[1], ys[1] = xs[2] - pitch, ys[2] - pitch
    black = {(round(xs[c]), round(ys[r])) for r in range(1, 7) for c in range(1, 7) if (r, c) not in at}
    assert {(round(x), round(y)) for (x, y), _ in (mark.points for mark in marks("kakuro", "black"))} == black
    across, down = {}, {}
    for mark in marks("kakuro", "sum"):
        x, y = mark.points[0]
        r = min(ys, key=lambda row: abs(ys[row] - y))
        c = min(xs, key=lambda column: abs(xs[column] - x))
        assert (x > xs[c]) == (y < ys[r]), "on the right above, or on the left below"
        (across if x > xs[c] else down)[r, c] = int(mark.text)
    assert across == {spot: sum_ for spot, sum_ in own["across"].items() if sum_ != "#"}
    assert down == {spot: sum_ for spot, sum_ in own["down"].items() if sum_ != "#"}


def test_signs_stand_between_neighbours() -> None:
    for name, signs in (("futoshiki", {"<": "<", ">": ">", "^": "∧", "v": "∨"}), ("futoshiki_adjacent", {"o": "○"})):
        at = spots(name)
        shown = {}
        for mark in marks(name, "sign"):
            x, y = mark.points[0]
            (r, c), (s, d) = sorted(at, key=lambda spot: abs(at[spot][0] - x) + abs(at[spot][1] - y))[:2]
            shown[r + s - 1, c + d - 1] = mark.text
        board = grids(name)["board"]
        assert shown == {spot: signs[str(sign)] for spot, sign in board.items() if not isinstance(sign, int)}


def beyond(name: str) -> Iterator[tuple[Spot, str]]:
    """The clues outside, as on a board with a frame of one more cell on each side."""
    at = spots(name)
    (left, top), (right, bottom) = min(at.values()), max(at.values())
    for mark in marks(name, "clue"):
        x, y = mark.points[0]
        r, c = min(at, key=lambda spot: abs(at[spot][0] - x) + abs(at[spot][1] - y))
        yield (
            (
                0 if y < top - CELL / 2 else r + 1 if y > bottom + CELL / 2 else r,
                0 if x < left - CELL / 2 else c + 1 if x > right + CELL / 2 else c,
            ),
            mark.text,
        )


def test_clues_stand_outside() -> None:
    board = grids("skyscrapers")["board"]
    outside = {(r - 1, c - 1): str(v) for (r, c), v in board.items() if r in (1, 8) or c in (1, 8)}
    assert dict(beyond("skyscrapers")) == outside
    board = grids("tents")["board"]
    [one] = plan("tents").layout.grids
    trees = {v for v, (r, c) in one.items() if board.get((r + 2, c + 2)) == "t"}
    assert len(one) == 64 and trees == {v for v in one if plan("tents").model.domains[v] == ("t",)}
    assert dict(beyond("tents")) == {(r - 1, c - 1): str(v) for (r, c), v in board.items() if v != "t"}
    totals = grids("tenner")["total"]
    assert dict(beyond("tenner")) == {(5, c): str(total) for (_, c), total in totals.items()}, "below, as in a sum"
    assert Counter(beyond("magic_square")) == Counter(
        [((i, 0), "34") for i in range(5)] + [((0, i), "34") for i in range(1, 6)]
    )


def test_a_sandwich_has_its_sums_outside() -> None:
    text = (ROOT / "tests" / "benchmarks" / "hard" / "sandwich.csp").read_text(encoding="utf-8")
    PLANS["sandwich"] = Plan(dsl.loads(text))
    asked = {
        kind: re.findall(rf"\b{kind}\((\d+), (\d+)\)\.", text) for kind in ("across", "down")
    }  # fmt: skip
    wanted = {(int(r), 0): total for r, total in asked["across"]} | {(0, int(c)): total for c, total in asked["down"]}
    assert dict(beyond("sandwich")) == wanted


def test_a_hexagon_leans() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "hexagon.csp")
    points = layout(model).points
    rows = {r: sorted(x for v, (x, _) in points.items() if v.indices[0] == r) for r in range(5)}
    middles = {round((row[0] + row[-1]) / 2) for row in rows.values()}
    assert len(middles) == 1 and [len(row) for row in rows.values()] == [3, 4, 5, 4, 3]
    clues = [mark for mark in Plan(model).shapes if mark.look == "clue"]
    assert len(clues) == 15 and {mark.text for mark in clues} == {"38"}
    for one in clues:
        for other in (*clues, *(Shape("box", "shade", (p, (CELL, CELL))) for p in points.values())):
            (x, y), (p, q) = one.points[0], other.points[0]
            room = 18 if other.kind == "text" else CELL / 2 + 8
            assert one is other or max(abs(x - p), abs(y - q)) > room, "no two lie on each other"


def test_loops_have_their_clues_in_the_cells() -> None:
    points = plan("slitherlink").layout.points
    asked = grids("slitherlink")["clue"]
    shown = {}
    for mark in marks("slitherlink", "inner"):
        [v] = [v for v, point in points.items() if point == mark.points[0] and plan("slitherlink").layout.is_cell(v)]
        shown[v.indices] = int(mark.text)
    assert shown == asked


def test_a_number_that_stands_for_several_values_is_no_clue() -> None:
    """In each week of the golfers each of three groups has 3."""
    assert marks("golfers", "clue") == []


def test_a_star_has_its_lines() -> None:
    at = {point: spot for spot, point in spots("star").items()}
    ends = {frozenset(mark.constraints) for mark in marks("star", "thread")}
    assert len(ends) == 6 and {mark.text for mark in marks("star", "clue")} == {"26"}
    assert all(min(abs(x - p) + abs(y - q) for p, q in at) > CELL / 2 for (x, y), _ in
               (mark.points for mark in marks("star", "clue")))  # fmt: skip
