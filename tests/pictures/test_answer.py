"""Tests of printed answers: borders between regions, layers and layouts."""

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

from ..conftest import ROOT

Place = tuple[int, int]
Pair = tuple[Place, Place]


def drawn_borders(text: str) -> set[Pair]:
    """Return the neighbours between which a printed grid has a border.

    The columns are found by the positions of the letters in the first row.
    """
    lines = text.split("\n")
    rows = [number for number, line in enumerate(lines) if re.search(r"[\w.]", line)]
    columns = [match.end() - 1 for match in re.finditer(r"[\w.]+", lines[rows[0]])]
    borders: set[Pair] = set()
    for r, number in enumerate(rows):
        for c, (left, right) in enumerate(pairwise(columns)):
            if "|" in lines[number][left:right]:
                borders.add(((r, c), (r, c + 1)))
        between = lines[number + 1 : rows[r + 1]] if r + 1 < len(rows) else []
        assert len(between) < 2
        # a line between two rows has a dash below each cell with a border
        for line in between:
            borders |= {((r, c), (r + 1, c)) for c, x in enumerate(columns) if line[x : x + 1] == "-"}
    return borders


def expected_borders(names: dict[Place, object]) -> set[Pair]:
    """Return the pairs of neighbours that have different names."""
    pairs = [((r, c), neighbour) for r, c in names for neighbour in ((r, c + 1), (r + 1, c)) if neighbour in names]
    return {pair for pair in pairs if names[pair[0]] != names[pair[1]]}


def golden_answer(name: str) -> str:
    """Read the golden answer of an example."""
    return (ROOT / "tests" / "golden" / f"{name}.answer").read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.parametrize("name", ["jigsaw", "suguru"])
def test_borders_follow_the_irregular_regions_of_the_picture(name: str) -> None:
    spec = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    picture = re.search(r'grid region.*?"\n(.*?)"', spec, re.DOTALL)
    assert picture
    rows = picture[1].split()
    assert drawn_borders(golden_answer(name)) == expected_borders(
        {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    )


@pytest.mark.parametrize("name", ["sudoku", "sudoku_x", "windoku", "evenodd"])
def test_borders_follow_boxes_rather_than_windows(name: str) -> None:
    assert drawn_borders(golden_answer(name)) == expected_borders(
        {(r, c): (r // 3, c // 3) for r in range(9) for c in range(9)}
    )


def test_a_border_lies_only_between_two_cells() -> None:
    rows = [
        re.sub(r"[ |]", "", line)
        for line in golden_answer("samurai").split("\n")
        if "." in line or re.search(r"\d", line)
    ]
    cells = {(r, c): (r // 3, c // 3) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "."}
    assert len(cells) == 369 and drawn_borders(golden_answer("samurai")) == expected_borders(cells)
    assert (
        not drawn_borders(golden_answer("latin"))
        and not drawn_borders(golden_answer("kakuro"))
        and not drawn_borders(golden_answer("star"))
    )


def grow_pieces(rng: random.Random, height: int, width: int) -> list[list[Place]]:
    """Fill a grid with connected pieces, each grown from a cell."""
    free_cells = {(r, c) for r in range(height) for c in range(width)}
    pieces = []
    while free_cells:
        piece = [rng.choice(sorted(free_cells))]
        free_cells -= {*piece}
        for _ in range(rng.randint(1, 5)):
            neighbours = [(r + i, c + j) for r, c in piece for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            if candidates := sorted({*neighbours} & free_cells):
                piece.append(rng.choice(candidates))
                free_cells -= {*piece}
        pieces.append(piece)
    return pieces


@pytest.mark.parametrize("seed", range(40))
def test_borders_follow_random_regions(seed: int) -> None:
    rng = random.Random(seed)
    height, width = rng.randint(2, 6), rng.randint(2, 6)
    cell = {(r, c): Variable("cell", r + 1, c + 1) for r in range(height) for c in range(width)}
    lines = [[(r, c) for c in range(width)] for r in range(height)] + [
        [(r, c) for r in range(height)] for c in range(width)
    ]
    regions = grow_pieces(rng, height, width)
    names = {at: number for number, piece in enumerate(regions) for at in piece}
    # a single cell is not a group, and a whole row or column is not a region
    for piece in regions:
        if len(piece) == 1 or sorted(piece) in lines:
            names |= dict.fromkeys(piece, -1)
    groups = [*regions, *lines]
    rng.shuffle(groups)
    values = {variable: rng.randint(1, rng.choice([9, 40])) for variable in cell.values()}

    def print_answer(groups: list[list[Place]]) -> str:
        constraints = [AllDifferent.of([cell[at] for at in group]) for group in groups if len(group) > 1]
        return answer_text(Model(dict.fromkeys(cell.values(), range(1, 41)), constraints), Solution(values))

    answer = print_answer(groups)
    printed = {(r, c): value for r, c, value in read_grid(answer, "shown")}
    assert printed == {at: values[variable] for (r, c), variable in cell.items() for at in [(r + 1, c + 1)]}
    has_all_borders_in_rows = len({number for number in names.values()}) > 1 and all(
        pair in expected_borders(names) for pair in pairs_in_rows(cell)
    )
    assert drawn_borders(answer) == expected_borders(names) or (
        has_all_borders_in_rows and max(values.values()) > 9 and not drawn_borders(answer)
    )
    # with a window that overlaps regions, every drawn border belongs to a region or to the window
    at = rng.randrange(height - 1), rng.randrange(width - 1)
    window = [(at[0] + i, at[1] + j) for i in (0, 1) for j in (0, 1)]
    edges = set().union(
        *(expected_borders(dict.fromkeys(cell) | dict.fromkeys(group, 1)) for group in (*regions, window))
    )
    assert drawn_borders(print_answer([window, *groups])) <= edges


def pairs_in_rows(cell: dict[Place, Variable]) -> set[Pair]:
    """Return the pairs of neighbours in a row."""
    return {((r, c), (r, c + 1)) for r, c in cell if (r, c + 1) in cell}


def printed_answer(text: str) -> str:
    """Solve a spec and return its printed answer."""
    model = dsl.loads(text)
    solution = csp.solve(model)
    assert solution
    return answer_text(model, solution)


def test_variables_with_three_indices_are_printed_in_layers() -> None:
    text = "c(L, R, C) in {L * R - C} :- L in {2, 10}, R in 1..2, C in 1..2."
    assert printed_answer(text) == "c(2,_,_):\n1 0\n3 2\n\nc(10,_,_):\n 9  8\n19 18"
    spec = "c(1, R, C) in 1..4 :- R in 1..4, C in 1..4. b(1). b(3)."
    spec += "all_different(c(1, R+I, C+J) : I in 0..1, J in 0..1) :- b(R), b(C)."
    title, _, grid = printed_answer(spec).partition("\n")
    assert title == "c(1,_,_):" and drawn_borders(grid) == expected_borders(
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
def test_a_layout_is_printed_as_declared(show: str) -> None:
    assert printed_answer(QUEENS + show) == LAYOUTS[show]


def test_the_layouts_of_the_documentation_are_printed_as_shown() -> None:
    page = (ROOT / "docs" / "meaning.md").read_text(encoding="utf-8").partition("\n## Answers\n")[2]
    block = re.search(r"```prolog\n(.*?)```", page, re.DOTALL)
    text = """param n = 3. queen(C) in {C} :- C in 1..n. at(K) in {(K * 4) mod 9} :- K in 1..n*n. A in {1}. B in {2}.
        clue(R, C, R + C) :- R in 1..n, C in 1..n. shaded(R, C) in {(R + C) mod 2} :- R in 1..n, C in 1..n."""
    assert block and printed_answer(text + block[1]) == (
        "A = 1\ntotal = 3\n\nboard:\nQ . .\n. Q .\n. . Q\n\ntour:\n9 7 5\n3 1 8\n6 4 2\n\nleft:\n2 . 4\n. 4 .\n4 . 6"
    )


def test_borders_are_drawn_in_layouts_and_parts() -> None:
    text = "c(R, C) in 1..4 :- R in 1..4, C in 1..4. all_different(c(R, C) : R in 1..2, C in 1..2). "
    corner = expected_borders({(r, c): r < 2 > c for r in range(4) for c in range(3)})
    assert drawn_borders(printed_answer(text + "show c(R, C) : R in 1..4, C in 1..3.")) == corner
    assert drawn_borders(printed_answer(text + "show d(R, C) = c(R, C) : R in 1..4, C in 1..3.")) == corner
    assert not drawn_borders(printed_answer(text + "show d(R, C) = c(R, C) + 1 : R in 1..4, C in 1..3."))


def test_answers_are_counted_by_the_variables_of_the_layout() -> None:
    text = "A in 1..2. B in 1..3. C in 1..5. show parity = A mod 2, B."
    assert csp.count(dsl.loads(text)).value == 6
    out = CliRunner().invoke(main, ["solve", "-", "--all", "--json"], input=text).stdout.splitlines()
    assert len(out) == 6 and out[0] == '{"format": 2, "solution": {"A": 1, "B": 1}}'


def test_a_loop_does_not_cover_walls_and_clues() -> None:
    """Check walls and clues in the pictures of loops.

    A black wall is ``#`` and a grey wall ``+``, each with its number and its arrow.
    """
    text = (ROOT / "tests/golden/castle_wall.answer").read_text(encoding="utf-8")
    assert text.splitlines()[2] == "#1↓ ·   ·   #2↓ #2↓ ·" and text.endswith("└───────┘   └───┘   +2↑\n")
    assert "│  #  0↑ #  │  2←" in (ROOT / "tests/golden/yajilin.answer").read_text(encoding="utf-8")
    assert " 0↑" in (ROOT / "tests/golden/yajikazu.answer").read_text(encoding="utf-8")


def test_layouts_survive_dumping_and_pickling() -> None:
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


def test_the_method_norvig_keeps_all_values_of_a_layout() -> None:
    text = (ROOT / "examples" / "latin.csp").read_text(encoding="utf-8") + "show b(R, cell(R, 1)) = 1 : R in 1..n."
    result = CliRunner().invoke(main, ["compare", "-", "--set", "n=2", "--methods", "norvig"], input=text)
    assert result.exit_code == 0 and "12 12" in result.stdout


def test_clues_are_printed_beside_a_grid_of_shaded_squares() -> None:
    spec = """
    x(R, C) in 0..1 :- R in 1..2, C in 1..2.
    x(R, C) = 1 :- R in 1..2, C in 1..2.
    draw shade(R, C) = blue : R in 1..2, C in 1..2, x(R, C) = 1.
    draw text(0, 1) = 10. draw text(0, 1) = 2. draw text(2, 0) = '1 1'.
    """
    answer = csp.solve(dsl.loads(spec))
    assert str(answer) == "    10\n     2\n     # #\n1 1  # #"
    assert str(csp.solve(dsl.loads(spec.replace("blue", "yellow")))) == "    10\n     2\n     . .\n1 1  . ."
