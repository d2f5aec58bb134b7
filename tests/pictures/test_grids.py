"""Tests of pictures: the meaning of letters, and the sizes of grids."""

from __future__ import annotations

from itertools import combinations

import pytest

import csp
import dsl
from csp.picture.shapes import shared_area
from dsl.puzzles.each import Each
from dsl.semantics.clauses.build import Program
from dsl.syntax import nodes
from dsl.syntax.errors import Source, SpecError

from ..conftest import ROOT
from ..plans import plan

CELLS = "cell(R, C) in 1..40 :- R in 1..2, C in 1..2. "
XV = """grid mark = "
 .X.V.
".
cell(C) in 1..9 :- C in 1..3.
all_different(cell(C) : C in 1..3).
cell(C) + cell(C+1) = 10 :- mark(1, K, 'X'), C = K // 2.
cell(C) + cell(C+1) = 5 :- mark(1, K, 'V'), C = K // 2."""


def read_constraints(text: str, **grids: str) -> list[str]:
    return [str(constraint) for constraint in dsl.loads(text, grids=grids).constraints]


def read_error(text: str, **grids: str) -> str:
    with pytest.raises(SpecError) as caught:
        dsl.loads(text, grids=grids)
    return str(caught.value)


def test_capital_letters_are_symbols_in_a_picture_of_marks() -> None:
    assert read_constraints(XV)[1:] == ["cell(1) + cell(2) = 10", "cell(2) + cell(3) = 5"]
    solution = csp.solve(dsl.loads(XV))
    assert solution and solution["cell(1)"] + solution["cell(2)"] == 10  # type: ignore[operator]


@pytest.mark.parametrize("clause", [
    "cell(R, C) = V :- clue(R, C, V).",
    "g(R, C, V) :- clue(R, C, V). cell(R, C) = V :- g(R, C, V).",
    "g(V, R, C) :- clue(R, C, W), W = V. V = cell(R, C) :- g(V, R, C).",
    "cell(R, C) + 1 > V :- clue(R, C, V).",
    "cell(R, C) = 2 * V :- clue(R, C, V).",
    "cell(R, C) in 1..V :- clue(R, C, V).",
    "cell(R, C) = max(V, 1) :- clue(R, C, V).",
    "total(10, 5). cell(R, C) = T :- clue(R, C, K), total(K, T).",
    "cell(R, C) = 3 :- clue(R, C, V), V in 1..16.",
])  # fmt: skip
def test_capital_letters_are_numbers_in_a_column_of_numbers(clause: str) -> None:
    text = f"grid clue. y(V) in 1..2 :- clue(_, _, V). {CELLS}{clause}"
    assert "y(10)" in dsl.loads(text, grids={"clue": "A.\n.."}).domains


@pytest.mark.parametrize("clause", [
    "all_different(cell(R, C) : clue(R, C, K)) :- clue(_, _, K).",
    "color in {red, 'A'}. color = V :- clue(_, _, V).",
    "total('A', 5). sum(cell(R, C) : clue(R, C, K)) = T :- total(K, T).",
    "cell(R, C) = 3 :- clue(R, C, V), V != 'B'.",
    "cell(1, 1) = sum(1 : clue(_, _, 'A')).",
])  # fmt: skip
def test_capital_letters_are_symbols_in_a_column_without_numbers(clause: str) -> None:
    text = f"grid clue. y(V) in 1..2 :- clue(_, _, V). {CELLS}{clause}"
    assert "y('A')" in dsl.loads(text, grids={"clue": "A.\n.."}).domains


def test_the_picture_of_the_spec_decides_if_letters_are_numbers() -> None:
    text = 'grid mark = "{}". y(V) in 1..2 :- mark(_, _, V).'
    assert [*dsl.loads(text.format("X"), grids={"mark": "1X"}).domains] == ["y(1)", "y('X')"]
    assert [*dsl.loads(text.format("1"), grids={"mark": "XV"}).domains] == ["y(33)", "y(31)"]


@pytest.mark.parametrize("symbol", ["'X'", "x"])
def test_comparing_a_number_letter_with_a_symbol_is_an_error(symbol: str) -> None:
    report = read_error(XV.replace(".X", "1X").replace("'X'", symbol))
    letter = symbol.strip("'")
    assert f":6:40: error: X in grid mark is the number 33, and not the symbol {letter}\n" in report
    assert "write a small x, in the picture too" in report
    text = f'grid mark = "1X". A in 1..9. A = 1 :- mark(1, _, V), V != {symbol}.'
    assert "is the number 33" in read_error(text)
    assert "is the number 33" in read_error(
        'grid cage = "1X". total(x, 3). A in 1..9. A = T :- cage(1, _, K), total(K, T).'
    )


def test_a_small_letter_in_place_of_a_capital_symbol_is_an_error() -> None:
    assert "grid mark contains X, but not x" in read_error(XV.replace("'X'", "x"))
    text = "grid mark = \"X\". A in 1..9. A = 1 :- mark(1, 1, 'X'). A = 2 :- mark(1, 1, x)."
    assert read_constraints(text) == ["A = 1"]


def test_a_small_letter_in_a_picture_is_a_symbol() -> None:
    text = 'grid board = "1vV". A in 1..40. A = 3 :- board(1, _, v).'
    assert read_constraints(text) == ["A = 3"]


def test_lines_are_solved_with_letters_or_numbers() -> None:
    text = (
        "grid g. cell(R, C) in {'A', 'B'} :- R in 1..2, C in 1..2. all_different(cell(R, C) : C in 1..2) :- R in 1..2. "
    )
    text += "all_different(cell(R, C) : R in 1..2) :- C in 1..2. cell(R, C) = V :- g(R, C, V)."
    assert Each(Program(Source("", text)), {}, {}, "g").solve("A...") == "ABBA"
    numbers = text.replace("{'A', 'B'}", "{10, 11}")
    assert Each(Program(Source("", numbers)), {}, {}, "g").solve("A...") == "ABBA"


# sizes


@pytest.mark.parametrize(("size", "picture", "message"), [
    ("2, 2", "12\n..\n..", ":3:1: error: grid g has 3 rows, but 2 are declared"),
    ("3, 2", "12\n..", ":2:1: error: grid g has 2 rows, but 3 are declared"),
    ("2, n", "123\n...", ":1:1: error: grid g has 3 entries in each row, but 2 are declared"),
    ("n*2, n*2", "1" * 15, ":1:1: error: grid g has 15 characters in one line, expected 4 rows of 4"),
    ("1, 3", "12", ":1:1: error: grid g has 2 entries in each row, but 3 are declared"),
])  # fmt: skip
def test_a_picture_of_another_size_is_refused(size: str, picture: str, message: str) -> None:
    report = read_error(f"param n = 2. grid g({size}). A in 1..3.", g=picture)
    assert report.startswith(f"grid g{message}")
    assert message.split(": error: ")[1] in read_error(f'param n = 2. grid g({size}) = "{picture}". A in 1..3.')


@pytest.mark.parametrize("picture", ["", "\n\n", "...\n...", "." * 80, "0" * 80, "--+--"])
def test_an_empty_picture_fits_any_size(picture: str) -> None:
    assert not dsl.loads(
        'param n = 9. grid g(n, n) = "1". A in 1..3. A = V :- g(1, 1, V).', grids={"g": picture}
    ).constraints


@pytest.mark.parametrize(("size", "picture", "cells"), [
    ("2, 3", "12.3.4", ["y(1,1,1)", "y(1,2,2)", "y(2,1,3)", "y(2,3,4)"]),
    ("1, 4", "1.04", ["y(1,1,1)", "y(1,3,0)", "y(1,4,4)"]),
    ("4, 1", "1.04", ["y(1,1,1)", "y(4,1,4)"]),
])  # fmt: skip
def test_one_line_has_the_declared_size(size: str, picture: str, cells: list[str]) -> None:
    text = f'grid g({size}) = "{picture}". y(R, C, V) in 1..2 :- g(R, C, V).'
    assert [*dsl.loads(text).domains] == cells


@pytest.mark.parametrize("size", ["0, 1", "1, -1", "red, 1", "A, 1", "1, 1 // 0"])
def test_invalid_sizes_are_refused(size: str) -> None:
    assert ":1:" in read_error(f'grid g({size}) = "". A in 1..3.')


def test_a_sudoku_without_its_last_row_is_refused() -> None:
    rows = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n"
    with pytest.raises(SpecError, match="8 rows, but 9 are declared"):
        dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": rows})
    with pytest.raises(SpecError, match="9 rows of 9 are 81 characters"):
        dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": "1" * 80})


def test_every_grid_of_the_gallery_declares_its_size() -> None:
    for path in (ROOT / "examples").glob("*.csp"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line.startswith("grid ") or "(" in line.split("=")[0], path


@pytest.mark.parametrize(("name", "params", "message"), [
    ("sudoku", {"box": -3}, '-3 >= 1 never holds (in "rows and columns of a box")'),
    ("sudoku", {"rows": 0}, '0 >= 1 never holds (in "rows and columns of a box")'),
    ("evenodd", {"cols": -1}, '-1 >= 1 never holds (in "rows and columns of a box")'),
    ("windoku", {"n": 16}, '16 = 9 never holds (in "side of the board")'),
    ("x_sum_sudoku", {"box": -3}, '-3 >= 1 never holds (in "rows and columns of a box")'),
    ("dominosa", {"most": -3}, '-3 >= 0 never holds (in "numbers of the set")'),
    ("qg", {"n": -3}, '-3 >= 1 never holds (in "order")'),
    ("skyscrapers", {"empty": 2}, 'none of these can hold (in "empty is 0 or 1")'),
    ("queens", {"n": 0}, '0 >= 1 never holds (in "side of the board")'),
    ("latin", {"n": 0}, "a grid needs positive integers as its size, found 0"),
])  # fmt: skip
def test_params_out_of_range_are_refused(name: str, params: dict[str, csp.Value], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        dsl.load(ROOT / "examples" / f"{name}.csp", params)
    assert message in str(caught.value)


def test_every_param_of_the_gallery_is_checked() -> None:
    for path in (ROOT / "examples").glob("*.csp"):
        program = Program(Source(str(path), path.read_text(encoding="utf-8")))
        for name in {c.name for c in program.clauses if isinstance(c, nodes.Param)} - {"total"}:  # a sum may be any
            with pytest.raises(SpecError):
                program.build({name: -3}, {})


def test_the_condition_on_a_param_is_reported_first() -> None:
    text = '"n": n >= 1. param n = 0. grid g(n, n) = "1". x(I) in 1..n :- I in 1..n. x(1) = 1.'
    assert '0 >= 1 never holds (in "n")' in read_error(text) and read_error(text).count("error") == 1


@pytest.mark.parametrize(
    ("text", "params", "grids", "message"),
    [
        ("param n = 2. A in 1..2.", {"n": 3}, {}, ":1:7: error: setting n has no effect: nothing uses it"),
        ("param n = 2. param m = n. n >= 1. A in 1..2.", {"n": 3}, {}, "setting n has no effect"),
        ("include sudoku. param rows = 2. param cols = 2.", {"box": 4}, {}, "these have an effect: clue, cols, n"),
        ("grid g = \"1\". A in 1..2.", {}, {"g": "2"}, ":1:6: error: setting g has no effect: nothing uses it"),
    ],
)  # fmt: skip
def test_setting_a_name_without_effect_is_refused(
    text: str, params: dict[str, csp.Value], grids: dict[str, str], message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        dsl.loads(text, params, {"clue": "....\n" * 4, **grids} if "sudoku" in text else grids)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "use",
    ["A in 1..n.", "param m = n. A in 1..m.", 'A in 1..2. "{n}": A > 1.', "A in 1..2. show b(n) = A.",
     "A in 1..2. minimize(A * n).", "A in 1..2. near(X) :- X < n. near(A).",
     'A in 1..2. grid g(1, n) = "11". A = 1 :- g(_, _, 1).'],
)  # fmt: skip
def test_a_param_with_an_effect_can_be_set(use: str) -> None:
    assert dsl.loads(f"param n = 2. {use}", {"n": 2})


def headers(name: str) -> list[str]:
    """Return the numbers of rows and columns of an example's picture."""
    return sorted(shape.text for shape in plan(name).shapes if shape.look == "header")


@pytest.mark.parametrize(("name", "rows", "columns"), [("fivecells", 5, 6), ("hashi", 7, 7), ("tentaisho", 6, 6)])
def test_a_board_without_cells_has_the_numbers_that_captions_name(name: str, rows: int, columns: int) -> None:
    expected = [*range(1, rows + 1), *range(1, columns + 1)]
    assert headers(name) == sorted(map(str, expected))


def test_the_black_squares_of_a_kakuro_have_the_numbers_of_their_lines() -> None:
    assert headers("kakuro") == sorted([*"123456"] * 2), "captions name sums such as below 1,2"


def test_the_slanted_columns_of_a_hexagon_have_numbers_apart_from_clues() -> None:
    shapes = plan("magic_hexagon").shapes
    assert headers("magic_hexagon") == sorted([*"01234"] * 2)
    texts = [shape for shape in shapes if shape.kind == "text"]
    assert not any(shared_area(a.points, b.points) for a, b in combinations(texts, 2))
