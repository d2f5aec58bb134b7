"""Test domains, numbers, symbols, params, grids, labels and text in clauses."""

from __future__ import annotations

import pytest

import dsl
from csp import Model

from ..meanings import domains, posted, rows, solutions

# domains


def test_domains_are_ranges_sets_and_unions() -> None:
    assert domains("A in 1..4.") == {"A": (1, 2, 3, 4)}
    assert domains("A in {3, 1}.") == {"A": (1, 3)}
    assert domains("A in {1, 3..5, red}.") == {"A": (1, 3, 4, 5, "red")}
    assert domains("A in 1..3 \\/ 7..9 \\/ {12, 2} \\/ 20.") == {"A": (1, 2, 3, 7, 8, 9, 12, 20)}
    assert domains("A in -2..1.") == {"A": (-2, -1, 0, 1)}
    assert domains("A in {red, green, 'Big Red'}.") == {"A": ("red", "green", "Big Red")}
    assert domains("param n = 3. A in n..2*n. B in {n, n + 9}.") == {"A": (3, 4, 5, 6), "B": (3, 12)}


def test_two_declarations_of_a_variable_intersect() -> None:
    assert domains("A in 1..6. A in 4..9. A in {5, 6, 7}.") == {"A": (5, 6)}
    assert domains("x(I) in 1..3 :- I in 1..2. x(2) in {3}.") == {"x(1)": (1, 2, 3), "x(2)": (3,)}
    assert domains("A in {red, green}. A in {green, blue}.") == {"A": ("green",)}


def test_a_domain_may_depend_on_the_body() -> None:
    assert domains("x(I) in 1..I :- I in 1..3.") == {"x(1)": (1,), "x(2)": (1, 2), "x(3)": (1, 2, 3)}
    assert domains("may(a, 3). may(b, 5). x(S) in {0, V} :- may(S, V).") == {"x(a)": (0, 3), "x(b)": (0, 5)}


def test_variables_are_plain_names_or_families() -> None:
    text = "A, total, x(1), _x in 1..2. y(S, 2*I) in 1..2 :- S in {red, 'Big Red'}, I in -1..0."
    names = ["A", "total", "x(1)", "_x", "y(red,-2)", "y(red,0)", "y('Big Red',-2)", "y('Big Red',0)"]
    assert list(domains(text)) == names
    assert solutions("x(1) in 1..2. x('1') in 3..4. x(1) = 2. x('1') = 3.") == ["2 3"]


# numbers


def test_arithmetic_is_evaluated() -> None:
    text = "x(1) in -99..99. x(1) = {}."
    for expression, value in {
        "7 // 2": 3, "-7 // 2": -4, "7 mod 3": 1, "-7 mod 3": 2, "2 + 3 * 4": 14, "(2 + 3) * 4": 20, "10 - 3 - 2": 5,
        "- - 3": 3, "-2 * 3": -6, "abs(-4)": 4, "min(3, 1, 2)": 1, "max([3, 1, 2])": 3, "sum(1, 2, 3)": 6,
        "sum(I * I : I in 1..3)": 14, "product(I : I in 1..4)": 24, "product(I : I in 1..0)": 1,
        "sum(I : I in 1..0)": 0, "max(0, I : I in 1..0)": 0, "max(0, I : I in 1..5)": 5, "100 // 7 // 2": 7,
        "007": 7, "1 - 2 mod 2": 1,
    }.items():  # fmt: skip
        assert posted(text.format(expression)) == [f"x(1) = {value}"], expression


def test_indices_may_contain_division_and_remainder() -> None:
    text = "x(I) in 1..9 :- I in 0..3. x(I // 2) != x(I mod 3) :- I in 2..3."
    assert posted(text) == ["x(1) != x(2)", "x(1) != x(0)"]


def test_linear_constraints_are_simplified() -> None:
    text = "A, B, C in 0..9. "
    assert posted(text + "A + 2*B - C - A + 3 = B.") == ["2*B - C + 3 = B"]
    assert posted(text + "3*(A - B) <= -C.") == ["3*A - 3*B <= -C"]
    assert posted(text + "sum(A, B, 2*C) > sum([A, 1]).") == ["A + B + 2*C > A + 1"]
    assert posted(text + "A + 0 = 3. A*1 = B. B - A + A = 4.") == ["A = 3", "A = B", "B = 4"]
    assert posted(text + "A - A = 0. 3 = 3. red = red. red != blue.") == []
    assert solutions("A, B in 1..3. A + B = 5.") == ["2 3", "3 2"]
    assert solutions("A, B in 1..3. A < B. A != 1.") == ["2 3"]
    assert solutions("A, B in -2..2. 2*A >= B + 5.") == [f"2 {b}" for b in (-1, -2)]


def test_all_different_takes_expressions_and_mixed_arguments() -> None:
    text = "A, B in 1..3. x(I) in 1..3 :- I in 1..2. "
    groups = posted(text + "all_different([A + 1, 2*B, -x(1)]). all_different(A, x(I) : I in 1..2). all_different([]).")
    assert groups == ["all_different([A + 1, 2*B, -x(1)])", "all_different([A, x(1), x(2)])"]
    assert posted(text + "all_different(x(I) : I in 1..0).") == []


# symbols


def test_symbols_can_be_equal_or_different() -> None:
    text = "house(english), house(red), drink in {left, middle, 3}. "
    assert posted(text + "house(english) = house(red). drink != left. 3 = drink.") == [
        "house(english) = house(red)", "drink != left", "drink = 3",
    ]  # fmt: skip
    assert solutions("A, B in {red, green}. A != B. A = red.") == ["red green"]
    assert solutions("A, B in {red, 'Big Red', 'don''t'}. all_different([A, B]). A = 'Big Red'. B != red.") == [
        "Big Red don't"
    ]


# params and grids


def test_params_have_defaults_that_a_call_can_replace() -> None:
    text = "param box = 3. param rows = box. param n = rows * box. A in {rows, n}."
    assert domains(text) == {"A": (3, 9)}
    assert domains(text, params={"box": 2}) == {"A": (2, 4)}
    assert domains(text, params={"rows": 5}) == {"A": (5, 15)}
    assert domains("param n = m + 1. A in {n}. param m = 2.") == {"A": (3,)}
    assert domains("param n = m. param m = n. A in {n}.", params={"m": 4}) == {"A": (4,)}
    assert domains("param c = red. A in {c, green}.") == {"A": ("red", "green")}
    assert domains("param c = red. A in {c, green}.", params={"c": "blue"}) == {"A": ("blue", "green")}
    assert domains("param n = sum(I : I in 1..4). A in {n}.") == {"A": (10,)}


@pytest.mark.parametrize(
    ("picture", "cells"),
    [
        ("12\n.4", "1,1,1 1,2,2 2,2,4"),
        ("  1 2\n  . 4  ", "1,1,1 1,2,2 2,2,4"),
        ("12.4", "1,1,1 1,2,2 2,2,4"),
        ("1204", "1,1,1 1,2,2 2,2,4"),
        ("12 | .4\n---+---\n__ | 3_", "1,1,1 1,2,2 1,4,4 2,3,3"),
        ("\n+--+--+\n|12|.4|\n+==+==+\n", "1,1,1 1,2,2 1,4,4"),
        ("10 2\n . A", "1,1,10 1,2,2 2,2,10"),
        ("10 | 2 .\n_ | . G", "1,1,10 1,2,2 2,3,16"),
        ("1. | .2", "1,1,1 1,4,2"),
        ("1 2 . 4", "1,1,1 1,2,2 1,4,4"),
        ("aB\n#.", "1,1,a 1,2,'B' 2,1,'#'"),
        ("aB\n3.", "1,1,a 1,2,11 2,1,3"),
        ("1. .2\n.. 3.", "1,1,1 1,4,2 2,3,3"),
        ("... | 12.\n... | 3..", "1,4,1 1,5,2 2,4,3"),
        ("... ...\n... 1..", "2,4,1"),
        ("big Red\n-3 'q'", "1,1,big 1,2,'Red' 2,1,-3 2,2,'''q'''"),
        ("12\r\n3.\r\n", "1,1,1 1,2,2 2,1,3"),
        ("123", "1,1,1 1,2,2 1,3,3"),
        ("0\n1", "1,1,0 2,1,1"),
        ("", ""),
        ("..\n..", ""),
    ],
)
def test_pictures_of_grids_become_facts(picture: str, cells: str) -> None:
    assert rows(f'grid g = "{picture}".', "g", 3) == cells.split()
    model = dsl.loads(f'grid g = "{picture}". y(X, Y, Z) in 1..1 :- g(X, Y, Z).', grids={"g": picture})
    assert [str(name)[2:-1] for name in model.domains] == cells.split()


def test_a_grid_is_a_relation_that_facts_can_add_to() -> None:
    assert rows('grid g = "1.\n.." . g(2, 2, 7). g(1, 1, 1).', "g", 3) == ["1,1,1", "2,2,7"]


def test_a_grid_can_declare_the_cells_of_a_shape() -> None:
    text = 'grid shape = "\n x.\n xx\n". cell(R, C) in 1..9 :- shape(R, C, _). show cell.'
    assert list(domains(text)) == ["cell(1,1)", "cell(2,1)", "cell(2,2)"]


# labels, show, text


def test_labels_contain_values_of_logical_variables() -> None:
    text = "param n = 2. x(I) in 1..3 :- I in 1..2. "

    def labels(clauses: str) -> list[str]:
        return [constraint.label for constraint in dsl.loads(text + clauses).constraints]

    assert labels('"row {I}": x(I) = 1 :- I in 1..2.') == ["row 1", "row 2"]
    assert labels('"{I + 1},{n * I}": x(I) = 1 :- I in 1..2.') == ["2,2", "3,4"]
    assert labels("\"{{I}} {S}\": x(1) = 1 :- S in {'Big Red'}.") == ["{I} Big Red"]
    assert labels('"say ""no""": x(1) = 1. "": x(2) = 2.') == ['say "no"', ""]
    assert labels('"{I}": x(1) = 1 :- I in 1..2.') == ["1", "2"]


def test_constraints_have_the_line_of_their_clause() -> None:
    text = "A in 1..3.\n\nA = 1.\n'x' = 'x'. A\n!= 2."
    assert [constraint.line for constraint in dsl.loads(text).constraints] == [3, 4]


def test_show_lists_names_once() -> None:
    assert dsl.loads("A, B in 1..2. x(1) in 1..2. show x, A. show A.").show == ("x", "A")
    assert dsl.loads("A in 1..2.").show == ()


def test_comments_and_layout_are_ignored() -> None:
    text = '% a comment\r\nA in%here\r\n 1..3.%and "here"\r\n\tB in 1..2.B=2.A=3.\f% the end'
    assert domains(text) == {"A": (1, 2, 3), "B": (1, 2)} and posted(text) == ["B = 2", "A = 3"]
    assert posted("A in {'%', '.'}. A = '.'.") == ["A = '.'"]
    assert dsl.loads("") == dsl.loads("% nothing") == Model({})
