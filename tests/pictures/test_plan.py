"""The plan of a picture: printed signs of each gallery family."""

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

from ..conftest import ROOT
from ..plans import FAMILIES, PLANS, Spot, Values, facts, grids, marks, plan
from ..printed import PLAIN, PRINTED


def spots(name: str) -> dict[Spot, tuple[float, float]]:
    """Return the centres of the cells by row and column."""
    points = plan(name).layout.points
    return {(int(v.indices[0]), int(v.indices[1])): point for v, point in points.items() if v.family == "cell"}


def borders(name: str, look: str) -> set[frozenset[Spot]]:
    """Return the pairs of neighbours with a line of the given look between them."""
    centres = spots(name)
    pairs = set()
    for shape in marks(name, look):
        for (x, y), (p, q) in pairwise(shape.points):
            for (r, c), (a, b) in centres.items():
                for neighbour in ((r, c + 1), (r + 1, c)):
                    if neighbour not in centres:
                        continue
                    (m, n), across = centres[neighbour], neighbour[0] == r
                    if across and x == p and a < x < m and min(y, q) < b < max(y, q):
                        pairs.add(frozenset(((r, c), neighbour)))
                    if not across and y == q and b < y < n and min(x, p) < a < max(x, p):
                        pairs.add(frozenset(((r, c), neighbour)))
    return pairs


def parted(cells: Values) -> set[frozenset[Spot]]:
    """Return the pairs of neighbours that belong to two regions."""
    return {
        frozenset(((r, c), neighbour))
        for (r, c), region in cells.items()
        for neighbour in ((r, c + 1), (r + 1, c))
        if neighbour in cells and cells[neighbour] != region
    }


def corner_texts(name: str) -> dict[Spot, str]:
    """Return the texts in the corners of cells."""
    texts = {}
    for shape in marks(name, "corner"):
        [(x, y)] = shape.points[:1]
        inside = [spot for spot, (p, q) in spots(name).items() if p - CELL / 2 < x < p and q - CELL / 2 < y < q]
        assert len(inside) == 1
        texts[inside[0]] = shape.text
    return texts


def gaps(name: str, axis: int) -> set[int]:
    """Return the rows, or columns, that are followed by a wider gap."""
    line = sorted({point[axis] for point in spots(name).values()})
    steps = [b - a for a, b in pairwise(line)]
    return {i + 1 for i, step in enumerate(steps) if step > min(steps)}


# Families.

CAGED = {"factors", "doublers", "schroedinger"}
BOXED = {"sudoku", "sudoku_x", "windoku", "evenodd", "killer"}
LINED = {  # the look of the lines, and the grid whose regions they separate
    "jigsaw": ("region", "region"),
    "suguru": ("region", "region"),
    "cojun": ("region", "room"),
    "hakyuu": ("region", "room"),
    "killer": ("cage", "cage"),
    "kenken": ("cage", "cage"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_has_exactly_the_listed_looks(name: str) -> None:
    looks = Counter(shape.look for shape in plan(name).shapes)
    for ignored in ("header", "title"):
        looks.pop(ignored, None)
    assert looks == ({} if name in PLAIN else PRINTED[name])
    constraint_count = len(plan(name).model.constraints)
    for shape in plan(name).shapes:
        assert all(0 <= index < constraint_count and index not in plan(name).hidden for index in shape.constraints)


@pytest.mark.parametrize("name", [*sorted(BOXED), "jigsaw", "suguru", "kenken", "futoshiki", "skyscrapers", "tenner"])
def test_only_boxes_are_separated_by_gaps(name: str) -> None:
    assert gaps(name, 0) == gaps(name, 1) == ({3, 6} if name in BOXED else set())


@pytest.mark.parametrize("name", LINED)
def test_lines_run_between_regions_and_nowhere_else(name: str) -> None:
    look, grid = LINED[name]
    assert borders(name, look) == parted(grids(name)[grid])
    for other_look in {"region", "cage"} - {look}:
        assert not marks(name, other_look)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_no_other_family_has_borders(name: str) -> None:
    looks = {shape.look for shape in marks(name, "region", "cage")}
    expected = {LINED[name][0]} if name in LINED else {"cage"} if name in CAGED else set()
    has_drawn_border = any(entry.name == "border" and not entry.variables for entry in plan(name).model.drawn)
    assert looks == expected | ({"region"} if has_drawn_border else set())


def test_cages_have_their_totals_in_the_corner() -> None:
    cage = grids("killer")["cage"]
    totals = {int(number): total for number, total in facts("killer", "total")}
    first = {number: spot for spot, number in sorted(cage.items(), reverse=True)}
    assert corner_texts("killer") == {first[number]: total for number, total in totals.items()}
    cage = grids("kenken")["cage"]
    first = {number: spot for spot, number in sorted(cage.items(), reverse=True)}
    signs = {"plus": "+", "times": "×", "minus": "−", "over": "÷"}
    expected = {first[number]: total + signs[kind] for number, kind, total in facts("kenken", "clue")}
    assert corner_texts("kenken") == expected


def test_windows_and_diagonals_are_shaded() -> None:
    spot_of = {point: spot for spot, point in spots("windoku").items()}
    assert {spot_of[shape.points[0]] for shape in marks("windoku", "shade")} == {
        (r + i, c + j) for r in (2, 6) for c in (2, 6) for i in range(3) for j in range(3)
    }
    spot_of = {point: spot for spot, point in spots("sudoku_x").items()}
    assert {spot_of[shape.points[0]] for shape in marks("sudoku_x", "shade")} == {
        (i, j) for i in range(1, 10) for j in (i, 10 - i)
    }


def test_even_cells_are_grey_and_odd_cells_have_a_disc() -> None:
    spot_of = {point: spot for spot, point in spots("evenodd").items()}
    looks = {spot_of[shape.points[0]]: shape.look for shape in marks("evenodd", "shade", "odd")}
    names = {"e": "shade", "o": "odd"}
    assert looks == {spot: names[str(sign)] for spot, sign in grids("evenodd")["parity"].items()}


def test_kakuro_has_its_sums_in_black_cells() -> None:
    clues, centres = grids("kakuro"), spots("kakuro")
    xs, ys = {c: x for (_, c), (x, _) in centres.items()}, {r: y for (r, _), (_, y) in centres.items()}
    pitch = xs[3] - xs[2]
    xs[1], ys[1] = xs[2] - pitch, ys[2] - pitch
    black = {(round(xs[c]), round(ys[r])) for r in range(1, 7) for c in range(1, 7) if (r, c) not in centres}
    assert {(round(x), round(y)) for (x, y), _ in (shape.points for shape in marks("kakuro", "black"))} == black
    across, down = {}, {}
    for shape in marks("kakuro", "sum"):
        x, y = shape.points[0]
        r = min(ys, key=lambda row: abs(ys[row] - y))
        c = min(xs, key=lambda column: abs(xs[column] - x))
        assert (x > xs[c]) == (y < ys[r]), "a sum is above on the right, or below on the left"
        (across if x > xs[c] else down)[r, c] = int(shape.text)
    assert across == {spot: sum_ for spot, sum_ in clues["across"].items() if sum_ != "#"}
    assert down == {spot: sum_ for spot, sum_ in clues["down"].items() if sum_ != "#"}


def test_signs_lie_between_neighbours() -> None:
    for name, signs in (("futoshiki", {"<": "<", ">": ">", "^": "∧", "v": "∨"}), ("futoshiki_adjacent", {"o": "○"})):
        centres = spots(name)
        texts = {}
        for shape in marks(name, "sign"):
            x, y = shape.points[0]
            (r, c), (s, d) = sorted(centres, key=lambda spot: abs(centres[spot][0] - x) + abs(centres[spot][1] - y))[:2]
            texts[r + s - 1, c + d - 1] = shape.text
        board = grids(name)["board"]
        assert texts == {spot: signs[str(sign)] for spot, sign in board.items() if not isinstance(sign, int)}


def find_outside_clues(name: str) -> Iterator[tuple[Spot, str]]:
    """Yield the clues outside the board, as cells of a frame around the board."""
    centres = spots(name)
    (left, top), (right, bottom) = min(centres.values()), max(centres.values())
    for shape in marks(name, "clue"):
        x, y = shape.points[0]
        r, c = min(centres, key=lambda spot: abs(centres[spot][0] - x) + abs(centres[spot][1] - y))
        yield (
            (
                0 if y < top - CELL / 2 else r + 1 if y > bottom + CELL / 2 else r,
                0 if x < left - CELL / 2 else c + 1 if x > right + CELL / 2 else c,
            ),
            shape.text,
        )


def test_clues_lie_outside_the_board() -> None:
    board = grids("skyscrapers")["board"]
    outside = {(r - 1, c - 1): str(v) for (r, c), v in board.items() if r in (1, 8) or c in (1, 8)}
    assert dict(find_outside_clues("skyscrapers")) == outside
    board = grids("tents")["board"]
    [cells] = plan("tents").layout.grids
    trees = {v for v, (r, c) in cells.items() if board.get((r + 2, c + 2)) == "t"}
    assert len(cells) == 64 and trees == {v for v in cells if plan("tents").model.domains[v] == ("t",)}
    assert dict(find_outside_clues("tents")) == {(r - 1, c - 1): str(v) for (r, c), v in board.items() if v != "t"}
    totals = grids("tenner")["total"]
    assert dict(find_outside_clues("tenner")) == {(5, c): str(total) for (_, c), total in totals.items()}, (
        "totals are below their columns"
    )
    assert Counter(find_outside_clues("magic_square")) == Counter(
        [((i, 0), "34") for i in range(5)] + [((0, i), "34") for i in range(1, 6)]
    )


def test_a_sandwich_has_its_sums_outside() -> None:
    text = (ROOT / "tests" / "benchmarks" / "hard" / "sandwich.csp").read_text(encoding="utf-8")
    PLANS["sandwich"] = Plan(dsl.loads(text))
    sums = {
        kind: re.findall(rf"\b{kind}\((\d+), (\d+)\)\.", text) for kind in ("across", "down")
    }  # fmt: skip
    expected = {(int(r), 0): total for r, total in sums["across"]} | {(0, int(c)): total for c, total in sums["down"]}
    assert dict(find_outside_clues("sandwich")) == expected


def test_rows_of_a_hexagon_are_centred() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "hexagon.csp")
    points = layout(model).points
    rows = {r: sorted(x for v, (x, _) in points.items() if v.indices[0] == r) for r in range(5)}
    middles = {round((row[0] + row[-1]) / 2) for row in rows.values()}
    assert len(middles) == 1 and [len(row) for row in rows.values()] == [3, 4, 5, 4, 3]
    clues = [shape for shape in Plan(model).shapes if shape.look == "clue"]
    assert len(clues) == 15 and {shape.text for shape in clues} == {"38"}
    for clue in clues:
        for neighbour in (*clues, *(Shape("box", "shade", (p, (CELL, CELL))) for p in points.values())):
            (x, y), (p, q) = clue.points[0], neighbour.points[0]
            room = 18 if neighbour.kind == "text" else CELL / 2 + 8
            assert clue is neighbour or max(abs(x - p), abs(y - q)) > room, "clues do not overlap"


def test_loops_have_their_clues_in_the_cells() -> None:
    points = plan("slitherlink").layout.points
    expected = grids("slitherlink")["clue"]
    found_clues = {}
    for shape in marks("slitherlink", "inner"):
        [v] = [v for v, point in points.items() if point == shape.points[0] and plan("slitherlink").layout.is_cell(v)]
        found_clues[v.indices] = int(shape.text)
    assert found_clues == expected


def test_a_number_for_several_values_is_not_a_clue() -> None:
    """Check the golfers: 3 is the count of several values."""
    assert marks("golfers", "clue") == []


def test_a_star_has_six_lines_with_their_sums() -> None:
    spot_of = {point: spot for spot, point in spots("star").items()}
    ends = {frozenset(shape.constraints) for shape in marks("star", "thread")}
    assert len(ends) == 6 and {shape.text for shape in marks("star", "clue")} == {"26"}
    assert all(min(abs(x - p) + abs(y - q) for p, q in spot_of) > CELL / 2 for (x, y), _ in
               (shape.points for shape in marks("star", "clue")))  # fmt: skip


def test_a_value_is_given_only_by_a_clause_that_fixes_a_variable() -> None:
    """Check hashi, where the sum of an island with one neighbour fixes the bridge to it."""
    given = Plan(dsl.load(ROOT / "examples" / "hashi.csp")).given
    assert given and all(v.startswith("bridges(0,") for v in given)
    labelled = Plan(dsl.loads('A, B in 1..3.\n"first": A = 1. A < B.')).given
    assert set(labelled) == {"A"}, "an unlabelled constraint on the line of a labelled given"
