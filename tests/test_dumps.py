"""Models written as specs, and read again."""

from __future__ import annotations

import pytest

import csp
import dsl
from csp import AllDifferent, Equality, Model, Variable

from .conftest import ROOT


def test_dumps_writes_what_was_read() -> None:
    text = """show x.
x(1), x(2) in {-3, -1..4, 'Big Red', 'in', red}.
"{{a}} ""b"" c": x(1) = 'Big Red'.
x(2) != -3.
"""
    assert dsl.dumps(dsl.loads(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "x(I) in 1..9 :- I in -2..2. x(-1) - 3*x(-2) - 4 <= -x(0) + 2*x(1). "
        "all_different([-x(1), x(0) - 2, 2*x(2) + 1]).",
        "x in {1, 3, 5..7, 9, 11}. y in {1, 2}. z in {4}. w in {1..3}.",
        "color(S) in {red, 'Big Red', 'in', mod2, 'sum', 'color', 'it''s'} :- S in {'a b', 'in', 'color', '', a}. "
        "color('a b') = 'in'. color('in') != 'it''s'. color(a) = color('').",
        '"a  {{b}}, \'c\'  ""d"" % e": A = 1. A, B in 1..3. "don\'t {1 + 1}": A != B. show A.',
        "A in {'red'}. red in 1..3. A = 'red'.",
        "A in 1..2. 3 > A. A != A. 2*A = A + 1. 0 = A - 1.",
        "_a, _A1 in 1..2. all_different([_a, _A1]).",
        '"' + "word " * 60 + '": A = 1. A in 1..3.',
        "A in {'" + "many words " * 30 + "', b}. A = b.",
    ],
    ids=range(9),
)
def test_tricky_models_there_and_back(text: str) -> None:
    model = dsl.loads(text)
    assert dsl.loads(dsl.dumps(model)) == model


def test_a_model_from_python_there_and_back() -> None:
    names = [Variable("x", 1), Variable("x", -2), Variable("A")]
    model = Model(
        dict.fromkeys(names, (1, 5, 6, "no", "Yes")),
        [AllDifferent.of(names, label="{all}"), Equality(names[0], "Yes"), Equality(names[1], names[2], equal=False)],
        show=["A"],
    )
    assert dsl.loads(dsl.dumps(model)) == model


@pytest.mark.parametrize("rule", ["increasing([3, 1]) <-> increasing([1, 3])", "not increasing([1, 3])"])
def test_what_is_about_no_variable_is_written(rule: str) -> None:
    model = dsl.loads(f"A in 0..2. {rule}.")
    assert csp.count(model).value == csp.count(dsl.loads(dsl.dumps(model))).value == 0


def test_what_propagation_leaves_is_a_spec() -> None:
    model = dsl.load(ROOT / "examples" / "sudoku.csp")
    left = csp.propagate(model, "arc").domains
    again = dsl.loads(dsl.residual(model, left))
    assert csp.solve(again) == csp.solve(model) and again.domains == left


def test_what_is_best_means_the_same_where_domains_are_narrower() -> None:
    model = dsl.loads("A, B in 0..3. A < 2. B > 0. maximize(max((A + B : A > B), (B : B > 1)) + 1).")
    left = csp.propagate(model).domains
    again = dsl.loads(dsl.residual(model, left))
    assert again.objective != model.objective  # the number that stands for no value follows from the domains
    assert csp.solve(again) == csp.solve(model) is not None


@pytest.mark.parametrize(
    "names",
    [["A(1)"], ["x y"], ["in"], ["sum"], ["_"]],
)
def test_dumps_refuses_names_that_would_not_read_back(names: list[str]) -> None:
    with pytest.raises(csp.ModelError, match="cannot write a variable named"):
        dsl.dumps(csp.Model(dict.fromkeys(names, (1, 2))))


def test_dumps_refuses_what_would_not_read_back() -> None:
    with pytest.raises(csp.ModelError, match="cannot write a variable named"):
        dsl.dumps(csp.Model({csp.Variable("red", "red"): (1, 2)}))
    with pytest.raises(csp.ModelError, match="18 digits"):
        dsl.dumps(csp.Model({"A": (1, 10**30)}))
