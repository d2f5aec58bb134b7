"""Tests of dumps and residual: models written as specs, and read again."""

from __future__ import annotations

import pytest

import csp
import dsl
from csp import AllDifferent, Equality, Model, Variable

from ..conftest import ROOT
from ..oracle import every_solution


def test_dumps_reproduces_a_spec() -> None:
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
def test_tricky_models_survive_writing_and_reading(text: str) -> None:
    model = dsl.loads(text)
    assert dsl.loads(dsl.dumps(model)) == model


def test_a_model_from_python_survives_writing_and_reading() -> None:
    names = [Variable("x", 1), Variable("x", -2), Variable("A")]
    model = Model(
        dict.fromkeys(names, (1, 5, 6, "no", "Yes")),
        [AllDifferent.of(names, label="{all}"), Equality(names[0], "Yes"), Equality(names[1], names[2], equal=False)],
        show=["A"],
    )
    assert dsl.loads(dsl.dumps(model)) == model


@pytest.mark.parametrize("rule", ["increasing([3, 1]) <-> increasing([1, 3])", "not increasing([1, 3])"])
def test_a_false_rule_without_variables_is_refused(rule: str) -> None:
    with pytest.raises(dsl.SpecError, match="this constraint can never hold"):
        dsl.loads(f"A in 0..2. {rule}.")


def test_a_constraint_without_variables_is_written() -> None:
    three, four = csp.Affine((), 3), csp.Affine((), 4)
    for rule, count in [
        (csp.Increasing((four, three)), 0),
        (csp.Increasing((three, four)), 3),
        (csp.Not(csp.Increasing((three, four))), 0),
        (csp.Linear(three, "=", four), 0),
        (csp.Comparison(three, "=", csp.apply("//", [four, csp.Affine()])), 0),
        (csp.Runs((three,), (4,)), 0),
        (csp.Inverse((four,), (three,)), 0),
        (csp.Circuit((three,)), 0),
        (csp.Either((csp.Table("r", (1, 2), ((2, 2),)),)), 0),
    ]:
        reread_model = dsl.loads(dsl.dumps(Model({"A": range(3)}, [rule])))
        assert csp.count(reread_model).value == count, rule


def test_a_maximum_under_conditions_of_lists_is_written() -> None:
    for name in ("increasing", "decreasing", "strictly_increasing", "circuit", "all_equal"):
        expression = f"max([x(J) : J in 1..2, {name}([x(J) - x(1)])])"
        model = dsl.loads(f"A in 1..2. x(I) in 1..4 :- I in 1..2. {expression} != A ; A = 3.")
        reread_model = dsl.loads(dsl.dumps(model))
        residual_model = dsl.loads(dsl.residual(model, csp.propagate(model).domains))
        assert (
            csp.count(model).value
            == csp.count(reread_model).value
            == csp.count(residual_model).value
            == len([*every_solution(model)])
        )


def test_the_residual_after_propagation_is_a_spec() -> None:
    model = dsl.load(ROOT / "examples" / "sudoku.csp")
    remaining = csp.propagate(model, "arc").domains
    residual_model = dsl.loads(dsl.residual(model, remaining))
    assert csp.solve(residual_model) == csp.solve(model) and residual_model.domains == remaining


def test_the_residual_has_the_same_objective() -> None:
    model = dsl.loads("A, B in 0..3. A < 2. B > 0. maximize(max((A + B : A > B), (B : B > 1)) + 1).")
    remaining = csp.propagate(model).domains
    residual_model = dsl.loads(dsl.residual(model, remaining))
    assert residual_model.objective == model.objective  # also where another number stands for no value
    assert csp.solve(residual_model) == csp.solve(model) is not None


@pytest.mark.parametrize(
    "rule",
    [
        "B * x(B) * 0 = 0",
        "0*x(A)*x(B) + A = 1",
        "(A + 1)*x(B + 1)*0 + x(B + 1) = 1",
        "0*((A // B)*x(A) + B) = 0",
        "B*x(B + 1) - x(B + 1)*B + A = 1",
        "sum(0*B*(x(A - 1) + A), A*x(B)*B*0) = 0",
        "not 0*A*(B // A) = 0",
        "product(A, x(B + 1), 0, B) <= A",
    ],
)
def test_a_product_multiplied_by_0_survives_writing_and_reading(rule: str) -> None:
    model = dsl.loads(f"A, B in 0..1. x(I) in 0..1 :- I in 0..1. {rule}.")
    text = dsl.dumps(model)
    assert dsl.loads(text) == model and dsl.dumps(dsl.loads(text)) == text
    assert csp.count(model).value == len([*every_solution(model)])


def test_the_residual_has_the_same_layout() -> None:
    chosen = "max([C, x(I) : (x(1) > x(C), C = 2), I in 1..3])"
    model = dsl.loads(f"C in 1..3. x(I) in {{3, 5}} :- I in 1..3. C = 3. B in 1..4. show board(B, {chosen}) = q.")
    remaining = csp.propagate(model).domains
    residual_model = dsl.loads(dsl.residual(model, remaining))
    assert residual_model.domains == remaining and residual_model.layout == model.layout


@pytest.mark.parametrize(
    "names",
    [["A(1)"], ["x y"], ["in"], ["sum"], ["_"]],
)
def test_dumps_refuses_names_that_cannot_be_read(names: list[str]) -> None:
    with pytest.raises(csp.ModelError, match="cannot write a variable named"):
        dsl.dumps(csp.Model(dict.fromkeys(names, (1, 2))))


def test_dumps_refuses_values_that_cannot_be_read() -> None:
    with pytest.raises(csp.ModelError, match="cannot write a variable named"):
        dsl.dumps(csp.Model({csp.Variable("red", "red"): (1, 2)}))
    with pytest.raises(csp.ModelError, match="18 digits"):
        dsl.dumps(csp.Model({"A": (1, 10**30)}))
