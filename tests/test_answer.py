"""Answers as people draw them: borders where regions are and nowhere else, layers, layouts."""

from __future__ import annotations

import pickle
import random
import re
from itertools import pairwise

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import Affine, AllDifferent, Entry, Model, Solution, Variable
from csp.board.answer import answer_text
from dsl.cli import main
from dsl.syntax.grids import read_grid

from .conftest import ROOT

Place = tuple[int, int]
Pair = tuple[Place, Place]


def drawn(text: str) -> set[Pair]:
    """The neighbours between which a printed grid has a border, found by where its letters stand."""
    lines = text.split("\n")
    rows = [number for number, line in enumerate(lines) if re.search(r"[\w.]", line)]
    columns = [match.end() - 1 for match in re.finditer(r"[\w.]+", lines[rows[0]])]
    found: set[Pair] = set()
    for r, number in enumerate(rows):
        for c, (left, right) in enumerate(pairwise(columns)):
            if "|" in lines[number][left:right]:
                found.add(((r, c), (r, c + 1)))
        between = lines[number + 1 : rows[r + 1]] if r + 1 < len(rows) else []
        assert len(between) < 2
        for line in between:
            found |= {((r, c), (r + 1, c)) for c, x in enumerate(columns) if line[x : x + 1] == "-"}
    return found


def parted(names: dict[Place, object]) -> set[Pair]:
    """The neighbours that have different names."""
    beside = [((r, c), other) for r, c in names for other in ((r, c + 1), (r + 1, c)) if other in names]
    return {pair for pair in beside if names[pair[0]] != names[pair[1]]}


def answer(name: str) -> str:
    return (ROOT / "tests" / "golden" / f"{name}.answer").read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.parametrize("name", ["jigsaw", "suguru"])
def test_irregular_regions_are_those_of_the_picture(name: str) -> None:
    spec = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    picture = re.search(r'grid region.*?"\n(.*?)"', spec, re.DOTALL)
    assert picture
    rows = picture[1].split()
    assert drawn(answer(name)) == parted({(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)})


@pytest.mark.parametrize("name", ["sudoku", "sudoku_x", "windoku", "evenodd"])
def test_boxes_come_before_windows(name: str) -> None:
    assert drawn(answer(name)) == parted({(r, c): (r // 3, c // 3) for r in range(9) for c in range(9)})


def test_no_border_where_there_is_no_cell() -> None:
    rows = [
        re.sub(r"[ |]", "", line) for line in answer("samurai").split("\n") if "." in line or re.search(r"\d", line)
    ]
    cells = {(r, c): (r // 3, c // 3) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "."}
    assert len(cells) == 369 and drawn(answer("samurai")) == parted(cells)
    assert not drawn(answer("latin")) and not drawn(answer("kakuro")) and not drawn(answer("star"))


def pieces(rng: random.Random, height: int, width: int) -> list[list[Place]]:
    """Pieces in one piece that fill a grid, each grown from a cell."""
    left = {(r, c) for r in range(height) for c in range(width)}
    found = []
    while left:
        piece = [rng.choice(sorted(left))]
        left -= {*piece}
        for _ in range(rng.randint(1, 5)):
            beside = [(r + i, c + j) for r, c in piece for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            if free := sorted({*beside} & left):
                piece.append(rng.choice(free))
                left -= {*piece}
        found.append(piece)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_random_regions(seed: int) -> None:
    rng = random.Random(seed)
    height, width = rng.randint(2, 6), rng.randint(2, 6)
    cell = {(r, c): Variable("cell", r + 1, c + 1) for r in range(height) for c in range(width)}
    lines = [[(r, c) for c in range(width)] for r in range(height)] + [
        [(r, c) for r in range(height)] for c in range(width)
    ]
    regions = pieces(rng, height, width)
    names = {at: number for number, piece in enumerate(regions) for at in piece}
    for piece in regions:  # one cell is no group, and a whole row or column no region
        if len(piece) == 1 or sorted(piece) in lines:
            names |= dict.fromkeys(piece, -1)
    groups = [*regions, *lines]
    rng.shuffle(groups)
    values = {variable: rng.randint(1, rng.choice([9, 40])) for variable in cell.values()}

    def text(groups: list[list[Place]]) -> str:
        made = [AllDifferent.of([cell[at] for at in group]) for group in groups if len(group) > 1]
        return answer_text(Model(dict.fromkeys(cell.values(), range(1, 41)), made), Solution(values))

    shown = text(groups)
    told = {(r, c): value for r, c, value in read_grid(shown, "shown")}
    assert told == {at: values[variable] for (r, c), variable in cell.items() for at in [(r + 1, c + 1)]}
    every = len({number for number in names.values()}) > 1 and all(pair in parted(names) for pair in across(cell))
    assert drawn(shown) == parted(names) or (every and max(values.values()) > 9 and not drawn(shown))
    at = rng.randrange(height - 1), rng.randrange(width - 1)
    window = [(at[0] + i, at[1] + j) for i in (0, 1) for j in (0, 1)]
    edges = set().union(*(parted(dict.fromkeys(cell) | dict.fromkeys(group, 1)) for group in (*regions, window)))
    assert drawn(text([window, *groups])) <= edges


def across(cell: dict[Place, Variable]) -> set[Pair]:
    return {((r, c), (r, c + 1)) for r, c in cell if (r, c + 1) in cell}


def solved(text: str) -> str:
    model = dsl.loads(text)
    solution = csp.solve(model)
    assert solution
    return answer_text(model, solution)


def test_three_indices_are_layers() -> None:
    text = "c(L, R, C) in {L * R - C} :- L in {2, 10}, R in 1..2, C in 1..2."
    assert solved(text) == "c(2,_,_):\n1 0\n3 2\n\nc(10,_,_):\n 9  8\n19 18"
    boxed = "c(1, R, C) in 1..4 :- R in 1..4, C in 1..4. b(1). b(3)."
    boxed += "all_different(c(1, R+I, C+J) : I in 0..1, J in 0..1) :- b(R), b(C)."
    title, _, grid = solved(boxed).partition("\n")
    assert title == "c(1,_,_):" and drawn(grid) == parted(
        {(r, c): (r // 2, c // 2) for r in range(4) for c in range(4)}
    )


QUEENS = "q(C) in 1..4 :- C in 1..4. q(1) = 2. q(2) = 4. q(3) = 1. q(4) = 3. "

LAYOUTS = {
    "show b(q(C), C) = 'Q' : C in 1..4.": ". . Q .\nQ . . .\n. . . Q\n. Q . .",
    "show b(R, C) = 'Q' : R in 1..4, C in 1..4, q(C) = R.": ". . Q .\nQ . . .\n. . . Q\n. Q . .",
    "show b(R, C) = x : R in 3..4, C in 1..3, q(C) = 9.": ". . .\n. . .",
    "show b((q(C) - 1) // 2, (q(C) - 1) mod 2) = 10*C : C in 1..4.": "30 10\n40 20",
    "show b(1, q(C) // 3) = C : C in 1..4.": "1/3 2/4",
    "show total = q(1) + q(2), q, w(wa) = q(3).": "q(1) = 2\nq(2) = 4\nq(3) = 1\nq(4) = 3\ntotal = 6\nw(wa) = 1",
    "show p(I) = I : I in 1..4, q(I) > 2.": "p(2) = 2\np(4) = 4",
    "show q(I) : I in 2..3.": "q(2) = 4\nq(3) = 1",
    "show d(I) = 6 // (q(I) - 1) : I in 1..4, q(I) != 4.": "d(1) = 6\nd(4) = 3",  # no value, no entry
    "show q(1). show b(1, 1) = q(1). show b(1, 3) = q(2).": "q(1) = 2\n\nb:\n2 4",
}


@pytest.mark.parametrize("show", LAYOUTS)
def test_layouts(show: str) -> None:
    assert solved(QUEENS + show) == LAYOUTS[show]


def test_the_layouts_of_the_page() -> None:
    page = (ROOT / "docs" / "meaning.md").read_text(encoding="utf-8").partition("\n## Answers\n")[2]
    block = re.search(r"```prolog\n(.*?)```", page, re.DOTALL)
    text = """param n = 3. queen(C) in {C} :- C in 1..n. at(K) in {(K * 4) mod 9} :- K in 1..n*n. A in {1}. B in {2}.
        clue(R, C, R + C) :- R in 1..n, C in 1..n. shaded(R, C) in {(R + C) mod 2} :- R in 1..n, C in 1..n."""
    assert block and solved(text + block[1]) == (
        "A = 1\ntotal = 3\n\nboard:\nQ . .\n. Q .\n. . Q\n\ntour:\n9 7 5\n3 1 8\n6 4 2\n\nleft:\n2 . 4\n. 4 .\n4 . 6"
    )


def test_regions_of_layouts_and_parts() -> None:
    text = "c(R, C) in 1..4 :- R in 1..4, C in 1..4. all_different(c(R, C) : R in 1..2, C in 1..2). "
    corner = parted({(r, c): r < 2 > c for r in range(4) for c in range(3)})
    assert drawn(solved(text + "show c(R, C) : R in 1..4, C in 1..3.")) == corner
    assert drawn(solved(text + "show d(R, C) = c(R, C) : R in 1..4, C in 1..3.")) == corner
    assert not drawn(solved(text + "show d(R, C) = c(R, C) + 1 : R in 1..4, C in 1..3."))


def test_an_answer_is_about_the_variables_of_its_layout() -> None:
    text = "A in 1..2. B in 1..3. C in 1..5. show parity = A mod 2, B."
    assert csp.count(dsl.loads(text)).value == 6
    out = CliRunner().invoke(main, ["solve", "-", "--all", "--json"], input=text).stdout.splitlines()
    assert len(out) == 6 and out[0] == '{"format": 2, "solution": {"A": 1, "B": 1}}'


def test_a_loop_leaves_walls_and_clues_their_room() -> None:
    """Of castle wall black walls are #, grey ones +, with their number and its arrow."""
    text = (ROOT / "tests/golden/castle_wall.answer").read_text(encoding="utf-8")
    assert text.splitlines()[2] == "#1↓ ·   ·   #2↓ #2↓ ·" and text.endswith("└───────┘   └───┘   +2↑\n")
    assert "│  #  0↑ #  │  2←" in (ROOT / "tests/golden/yajilin.answer").read_text(encoding="utf-8")
    assert " 0↑" in (ROOT / "tests/golden/yajikazu.answer").read_text(encoding="utf-8")


def test_layouts_there_and_back() -> None:
    text = "show t = A + 1, b(A, 'in') = 'Big Red', b(2, 1) = A.\nshow b(3, 1) = 2 : A > 1.\nA in 1..3.\n"
    model = dsl.loads(text)
    assert dsl.dumps(model) == text and pickle.loads(pickle.dumps(model)) == model != dsl.loads("A in 1..3.")
    assert [str(entry) for entry in model.layout][-1] == "b(3, 1) = 2 : A > 1"
    assert dsl.loads(dsl.residual(model, csp.propagate(model).domains)).layout == model.layout
    with pytest.raises(csp.ModelError, match="b = Z names Z, which has no domain"):
        Model({"A": (1, 2)}, layout=[Entry("b", (), Affine.variable("Z"))])
    for name in ("B b", "A", "sum"):
        with pytest.raises(csp.ModelError, match="the language cannot write"):
            dsl.dumps(Model({"A": (1, 2)}, layout=[Entry(name, (), 1)]))


def test_norvigs_grid_has_all_values() -> None:
    text = (ROOT / "examples" / "latin.csp").read_text(encoding="utf-8") + "show b(R, cell(R, 1)) = 1 : R in 1..n."
    said = CliRunner().invoke(main, ["compare", "-", "--set", "n=2", "--methods", "norvig"], input=text)
    assert said.exit_code == 0 and "12 12" in said.stdout


def test_clues_beside_a_grid_of_shaded_squares() -> None:
    spec = """
    x(R, C) in 0..1 :- R in 1..2, C in 1..2.
    x(R, C) = 1 :- R in 1..2, C in 1..2.
    draw shade(R, C) = blue : R in 1..2, C in 1..2, x(R, C) = 1.
    draw text(0, 1) = 10. draw text(0, 1) = 2. draw text(2, 0) = '1 1'.
    """
    answer = csp.solve(dsl.loads(spec))
    assert str(answer) == "    10\n     2\n     # #\n1 1  # #"
    assert str(csp.solve(dsl.loads(spec.replace("blue", "yellow")))) == "    10\n     2\n     . .\n1 1  . ."
