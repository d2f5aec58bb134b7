"""Integers and arrays of numpy and frames of pandas as input."""

from __future__ import annotations

from typing import Any

import pytest

import csp
import dsl
from csp import var

np: Any = pytest.importorskip("numpy", reason="numpy is not installed")
pd: Any = pytest.importorskip("pandas", reason="pandas is not installed")

x, y, z = var("x"), var("y"), var("z")
DOMAINS = {x: np.arange(1, 4), y: pd.Series([1, 2, 3]), z: range(1, 4)}
FOUR = np.array([[0, 0, 4, 0], [0, 2, 0, 0], [0, 0, 1, 0], [3, 0, 0, 0]])
SMALL = "include sudoku.  param box = 2."
LESSONS = "at(C) in 1..3 :- lesson(C, _).  at(C) != at(D) :- lesson(C, T), lesson(D, T), C < D.  lesson(1, a)."
FRAME = pd.DataFrame({"class": [1, 2, 3], "teacher": ["ann", "ann", "bob"]})


def count_solutions(*constraints: Any) -> int:
    return csp.count(csp.Model(DOMAINS, constraints)).value


ACCEPTED: dict[str, Any] = {
    "a factor on the left": (lambda: count_solutions(np.int64(2) * x == y), 3),
    "a sum on the left": (lambda: count_solutions(np.int64(2) + x == y), 3),
    "a difference": (lambda: count_solutions(np.int64(4) - x == y), 9),
    "a quotient": (lambda: count_solutions(np.int64(4) // x == 1), 9),
    "a remainder": (lambda: count_solutions(np.int64(4) % x == 1), 9),
    "an exponent": (lambda: count_solutions(x ** np.int64(2) == 4), 9),
    "a comparison on the left": (lambda: count_solutions(np.int64(2) >= x), 18),
    "an array of variables": (lambda: count_solutions(np.array([x, y, z]).sum() == 6), 7),
    "a scalar product": (lambda: count_solutions(np.array([1, 2, 3]) @ np.array([x, y, z]) == 6), 1),
    "a series of variables": (lambda: count_solutions(pd.Series([x, y, z]).sum() == 6), 7),
    "all different in an array": (lambda: count_solutions(csp.Distinct(np.array([x, y, z]))), 6),
    "the maximum of an array": (lambda: count_solutions(csp.Maximum(np.array([x, y, z])) == 2), 7),
    "values of an array": (lambda: count_solutions(csp.InDomain(x, np.array([1, 3]))), 18),
    "rows of an array": (lambda: count_solutions(csp.Table("", (x, y), np.array([[1, 2], [2, 3]]))), 6),
    "rows of a frame": (lambda: count_solutions(csp.Table("", (x, y), pd.DataFrame([[1, 2], [2, 3]]).to_numpy())), 6),
    "a given": (lambda: csp.Solver(csp.Model(DOMAINS)).count({x: np.int64(2)}).value, 9),
    "symbols of an array": (lambda: repr(csp.solve(csp.Model({"A": np.array(["a", "b"])}))), "{'A': 'a'}"),
    "symbols of categories": (lambda: csp.count(csp.Model({"A": pd.Categorical(["a", "b", "a"])})).value, 2),
    "an index": (lambda: str(var("seat", np.int64(1), np.str_("O'Brien"))), "seat(1,'O''Brien')"),
    "a timeout": (lambda: csp.count(csp.Model(DOMAINS), timeout=np.float64(60)).value, 27),
    "a grid": (lambda: csp.count(dsl.loads(SMALL, grids={"clue": np.where(FOUR == 0, None, FOUR)})).value, 1),
    "a grid of letters": (lambda: csp.count(dsl.loads(SMALL, grids={"clue": np.array([["."] * 4] * 4)})).value, 288),
    "a frame as facts": (lambda: csp.count(dsl.loads(LESSONS, facts={"lesson": FRAME})).value, 18),
    "an array as facts": (lambda: csp.count(dsl.loads(LESSONS, facts={"lesson": FRAME.to_numpy()})).value, 18),
    "records as facts": (
        lambda: csp.count(dsl.loads(LESSONS, facts={"lesson": FRAME.itertuples(index=False)})).value,
        18,
    ),
    "a column as facts": (
        lambda: csp.count(dsl.loads("A in {X : p(X)}.  p(1).", facts={"p": FRAME["class"]})).value,
        3,
    ),
    "a param": (lambda: csp.count(dsl.loads("param n = 3.  A in 1..n.", params={"n": np.int64(5)})).value, 5),
    "answers as a frame": (lambda: pd.DataFrame(csp.Solver(csp.Model(DOMAINS)).solutions()).shape, (27, 3)),
    "one answer as a frame": (lambda: csp.solve(csp.Model(DOMAINS)).to_frame("x")["x"].tolist(), [1]),  # type: ignore[union-attr]
}

REFUSED: dict[str, Any] = {
    "a float": (lambda: np.float64(2) * x, "the integer is 2"),
    "a domain of floats": (lambda: csp.Model({x: np.array([1.0, 2.0])}), "the integer is 1"),
    "a domain of rows": (lambda: csp.Model({x: FOUR}), "neither an integer nor a symbol"),
    "a missing value in a domain": (lambda: csp.Model({x: pd.Series([1, None], dtype="Int64")}), "<NA> is neither"),
    "comparisons of an array": (lambda: np.array([x, y]) >= 2, "neither true nor false before it is solved"),
    "a variable and an array": (lambda: x + np.array([1, 2]), "neither an integer nor an expression"),
    "groups of an array": (lambda: csp.Distinct(np.array([[x, y], [y, z]])), "neither an integer nor an expression"),
    "givens in a series": (lambda: csp.Solver(csp.Model(DOMAINS)).solve(pd.Series({"x": 2})), "says no givens"),
    "a missing value in a grid": (
        lambda: dsl.loads(SMALL, grids={"clue": pd.DataFrame(FOUR).astype("Int64").replace(0, pd.NA)}),
        "<NA> is neither an integer nor a symbol\n  hint: write None for a blank",
    ),
    "a grid of floats": (
        lambda: dsl.loads(SMALL, grids={"clue": FOUR / 1}),
        "neither an integer nor a symbol\n  hint: write 0",
    ),
    "a grid of zeros": (lambda: dsl.loads(SMALL, grids={"clue": FOUR}), r"cell\(1,1\) = 0 is outside its domain"),
    "facts by their columns": (
        lambda: dsl.loads(LESSONS, facts={"lesson": FRAME.to_dict("records")}),
        "facts lesson, row 1: error: .* has no order",
    ),
    "facts with their numbers": (
        lambda: dsl.loads(LESSONS, facts={"lesson": FRAME.itertuples()}),
        "this row has 3 values",
    ),
    "facts that are missing": (
        lambda: dsl.loads(LESSONS, facts={"lesson": FRAME.assign(teacher=[None, "ann", "bob"])}),
        "row 1: error: (nan|None) is neither",
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_numpy_and_pandas_values_are_accepted(case: str) -> None:
    compute, expected = ACCEPTED[case]
    assert compute() == expected


@pytest.mark.parametrize("case", REFUSED)
def test_values_that_are_neither_integers_nor_symbols_are_refused(case: str) -> None:
    compute, message = REFUSED[case]
    with pytest.raises((csp.ModelError, dsl.SpecError), match=message):
        compute()


def test_answers_keep_plain_numbers() -> None:
    answer = csp.solve(csp.Model({**DOMAINS, "c": np.array(["red"])}))
    assert answer is not None and {*map(type, answer.values())} == {int, str}
    grid = csp.Solution({csp.Variable("c", r, k): 10 * r + k for r in (1, 2) for k in (1, 2)})
    assert grid.to_frame("c")["c"].unstack().to_numpy().tolist() == [[11, 12], [21, 22]]
    assert list(grid.to_frame()["value"]) == [11, 12, 21, 22]
