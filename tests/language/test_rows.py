"""Facts, grids and params from Python objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import csp
import dsl

from ..model.test_api import Integer

ROWS = """
    param n = 2.  guest(bob).  seat(P) in 1..n :- guest(P).
    grid clue.  x(R, C) in 1..12 :- R in 1..2, C in 1..2.  x(R, C) = V :- clue(R, C, V).
"""


class Frame:
    """The part of a pandas.DataFrame that facts need."""

    def itertuples(self, index: bool) -> Iterator[tuple[str, Integer]]:
        assert not index
        yield from [("ann", Integer(1)), ("O'Brien", Integer(2))]


def test_facts_grids_and_params_are_read_from_python_objects() -> None:
    model = dsl.loads(
        ROWS, {"n": Integer(1)}, {"clue": [[None, 12], [Integer(3), "."]]}, facts={"guest": ["ann", ("cy",)]}
    )  # type: ignore[dict-item]
    assert dict(model.domains)[csp.Variable("seat", "cy")] == (1,) and "seat(bob)" not in model.domains
    answer = csp.solve(model)
    assert answer is not None and (answer["x", 1, 2], answer["x", 2, 1]) == (12, 3)
    from_list = dsl.loads(ROWS, grids={"clue": ["1.", ".2"]})
    assert (
        from_list == dsl.loads(ROWS, grids={"clue": "1.\n.2"}) == dsl.loads(ROWS, grids={"clue": [[1, None], ["", 2]]})
    )
    ages = dsl.loads("A in 1..N :- age(P, N).  age(x, 1).", facts={"age": [("ann", 4)]})
    assert ages.domains[csp.Variable("A")] == (1, 2, 3, 4)
    from_frame = dsl.loads("seat(P) in 1..N :- age(P, N).", facts={"age": Frame()})  # type: ignore[dict-item]
    assert dict(from_frame.domains) == {"seat(ann)": (1,), "seat('O''Brien')": (1, 2)}
    model_without_facts = dsl.loads("A in 1..2.  A > N :- age(N).  age(1).", facts={"age": []})
    assert csp.count(model_without_facts).value == 2


def test_load_takes_facts_for_a_file(tmp_path: Any) -> None:
    path = tmp_path / "seats.csp"
    path.write_text("seat(P) in 1..2 :- guest(P).", encoding="utf-8")
    assert list(dsl.load(path, facts={"guest": ["ann"]}).domains) == ["seat(ann)"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"params": {"n": "3"}}, "'3' is a symbol\n  hint: write the number 3 without quotes"),
    ({"params": {"n": 3.0}}, "3.0 is neither an integer nor a symbol\n  hint: write 3"),
    ({"facts": {"gest": ["ann"]}}, "no clause uses the relation gest\n  hint: did you mean guest?"),
    ({"facts": {"guest": [2.5]}}, "facts guest, row 1: error: 2.5 is neither an integer nor a symbol"),
    ({"facts": {"guest": [("a", 1), ("b", 2)]}}, "facts guest:1:1: error: this row has 2 values, and guest has 1 arg"),
    (
        {"facts": [("guest", "ann")]},
        "facts: error: [('guest', 'ann')] is not a mapping\n  hint: write facts={'age': [(",
    ),
    ({"params": csp.Model({"A": range(99)}, [])}, "params: error: <Model: 1 var...0 constraints> is not a mapping\n"),
    ({"params": ["n"]}, "params: error: ['n'] is not a mapping\n  hint: write params={'n': 3}"),
    ({"grids": ".."}, "grids: error: '..' is not a mapping\n  hint: write grids={'clue': [["),
    ({"grids": {"clue": None}}, "grid clue: error: None is not a list of rows\n  hint: a grid is a list of lists"),
    ({"facts": {"guest": "ann"}}, "facts guest: error: 'ann' is not a list of rows"),
    ({"facts": {"guest": {"ann": 1}}}, "items() of a dict"),
    ({"facts": {"guest": [("a", 1), ("b",)]}}, "facts guest:2:1: error: guest has 1 argument here, but 2 in line 1"),
    ({"grids": {"clue": [[1, 2], [3]]}}, "row 2 of grid clue has 1 entry, and row 1 has 2"),
    ({"grids": {"clue": [["a b", 1]]}}, "a picture cannot contain this entry"),
    ({"grids": {"clue": [["-", "-"], [1, 2]]}}, "a picture cannot contain this entry"),
    ({"grids": {"clue": [1, 2]}}, "grid clue, row 1: error: 1 is not a row"),
    ({"grids": {"clue": [[1.0, 2]]}}, "grid clue, row 1: error: 1.0 is neither an integer nor a symbol"),
    ({"grids": {"clue": [[0, 1], [1, 1]]}}, "x(1,1) = 0 is outside its domain 1..12"),
]


@pytest.mark.parametrize(("passed", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_rows_are_reported(passed: dict[str, Any], message: str) -> None:
    with pytest.raises(dsl.SpecError) as error:
        dsl.loads(ROWS, **{"grids": {"clue": "..\n.."}, **passed})
    assert message in str(error.value)
    with pytest.raises(dsl.SpecError, match="the relation p has no facts"):
        dsl.loads("x(P) in 1..2 :- p(P).", facts={"p": []})


@pytest.mark.parametrize("row", [(10**30, 1), (1, "a\nb")], ids=["a long number", "a line end"])
def test_a_row_that_cannot_be_read_is_the_only_diagnostic(row: tuple[Any, ...]) -> None:
    with pytest.raises(dsl.SpecError) as error:
        dsl.loads("X in 1..2.  X != A :- f(A, B).", facts={"f": [row]})
    assert [diagnostic.text for diagnostic in error.value.diagnostics] == ["facts f"]


@pytest.mark.parametrize("text", [None, b"X in 1..2."], ids=str)
def test_loads_refuses_arguments_that_are_not_str(text: Any) -> None:
    with pytest.raises(TypeError, match=r"is not a text; use dsl\.load\(path\)"):
        dsl.loads(text)
