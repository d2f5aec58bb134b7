"""Models that are printed as specs and read back."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import csp
import dsl
from csp import Model, ModelError, Variable

from .. import makers
from ..conftest import TIMES

D = "A, B in 1..2. "


@pytest.mark.parametrize(("text", "printed"), [
    ('A in 1..5. "c": sum(A) in {1, 3}.', '"c": sum(A) in {1, 3}.'),
    ('A, B in 1..5. "c": A + (B - B) in {1, 3}.', '"c": sum(A) in {1, 3}.'),
    ("A in 1..5. product(1) * A in {1, 3}.", "sum(A) in {1, 3}."),
    ("A in {red, blue}. sum(A) in {red, green}.", "sum(A) in {red, green}."),
    ("A in {0}. sum(A) in 1..3.", "sum(A) in 1..3."),
    ("A in {0, 4}. p(3). A = 2 ; p(0).", "A = 2 ; 1 = 2."),
    ("A in 1..3. A = 1 ; 1 = 2. A = 2 ; 1 = 2.", "A = 2 ; 1 = 2."),
    ("A, B, C in 1..2. all_different([A, B, C]) ; 1 = 2.", "all_different([A, B, C]) ; 1 = 2."),
    ("A in 1..3. abs(A) in 3..2 ; A = 1.", "abs(A) in {} ; A = 1."),
    ("A in 1..3. A in {} ; A = 1.", "A in {} ; A = 1."),
    ("y, z in 1..3. (y - z) * -y = 3.", "-((y - z)*y) = 3."),
    ("A, y in 1..3. 2*((A + 1)*y) = 8.", "2*((A + 1)*y) = 8."),
    ("A, y in 1..3. 2*(A + 1)*y = 8.", "(2*A + 2)*y = 8."),
    ("A, y in 1..3. y - (A + 1)*y = 8.", "y - (A + 1)*y = 8."),
    (D + "A = 1 ; all_different([B, 2]).", "A = 1 ; B != 2."),
])  # fmt: skip
def test_a_printed_constraint_reads_back_as_the_same_model(text: str, printed: str) -> None:
    model = dsl.loads(text)
    dumped = dsl.dumps(model)
    assert dumped.splitlines()[-1] == printed
    assert dsl.loads(dumped) == model and dsl.dumps(dsl.loads(dumped)) == dumped


@pytest.mark.parametrize(("text", "count"), [
    ("p(2). A in 1..3. x(I) in 0..9 :- I in 1..2. 5 = sum(x(I) : I in 1..2, (I = 2 -> p(A))).", 26),
    ("x(I), y(I) in 1..2 :- I in 1..1. A in 0..2. A = count(all_different([x(I), y(I)] : I in 1..1)).", 4),
    ("p(2). A in 1..3. B in 0..9. B = sum(5 : I in 1..2, (I = 2 -> p(A))).", 2),
    ("p(2). A in 1..3. x(I) in 0..1 :- I in 1..2. show x(I) : I in 1..2, (I = 2 -> p(A)).", 12),
    ("p(2). A in 1..3. connected(p2, I : I in 1..3, (I != 2 -> p(A))). p2(1, 2).", 2),
    ("z('Big Red') in 0..1. show z('Big Red').", 2),
    ("z(I) in 0..1 :- I in 1..2. p('Big Red'). show z(I) : I in 1..2, p(X), X = 'Big Red'.", 4),
    ("p1(2). Foo_1 in 1..3. max(0 : 0 = 1 ; p1(Foo_1)) >= 0.", 1),
    (D + "param n = 3. v(I) in 1..3 :- I in 1..3. B = count(all_different([v(I), A] : I in 1..n, I < 2)).", 54),
    ("path(1, 2). path(2, 3). u in 0..2. connected(path, P : P in 1..3, all_different([0, u] : I in 1..1)).", 3),
    ("x(I) in 1..3 :- I in 1..n. A in 0..1. param n = 3. n <= max([(0 : A = A), x(2)]).", 18),
    ("x(I, J) in 0..2 :- I in 1..2, J in 1..2. e(1, 2). e(2, 1). far(Y) :- Y < 1. "
     "far(sum([(1 : circuit(x(I, J) : e(I, J))), 0])).", 72),
    (D + "p(1). minimize(sum(A : p(sum(B))) + A).", 1),
])  # fmt: skip
def test_conditions_and_tuples_read_back_as_the_same_model(text: str, count: int) -> None:
    model = dsl.loads(text)
    dumped = dsl.dumps(model)
    assert dsl.loads(dumped) == model and dsl.dumps(dsl.loads(dumped)) == dumped
    residual = dsl.loads(dsl.residual(model, csp.propagate(model).domains))
    assert csp.count(model).value == csp.count(dsl.loads(dumped)).value == csp.count(residual).value == count


def test_a_single_list_in_a_list_is_a_tuple() -> None:
    model = dsl.loads(D + "A = count(all_different([[A, B]])).")
    assert str(model.constraints[0]) == "A = count(all_different([[A, B]]))"
    with pytest.raises(dsl.SpecError, match=":1:20: error: a list cannot be used here"):
        dsl.loads(D + "sum([[A, B]]) = 3.")


def random_models(count: int) -> Iterator[Model]:
    """Yield models with random constraints on small domains; many are contradictory."""
    for seed in range(count):
        rng = random.Random(seed)
        domains = {name: tuple(sorted(rng.sample(range(-2, 6), rng.randint(1, 4)))) for name in makers.NAMES}
        constraints = [makers.any_kind(rng, [*makers.MAKERS]) for _ in range(rng.randint(1, 4))]
        try:
            yield dsl.loads(dsl.dumps(Model(domains, constraints)))
        except (ModelError, dsl.SpecError):  # the language cannot express the model, or refuses a contradiction
            continue


def test_random_models_read_back_as_the_same_model() -> None:
    compared = 0
    for model in random_models(100 * TIMES):
        text = dsl.dumps(model)
        reread = dsl.loads(text)
        assert reread == model and dsl.dumps(reread) == text
        compared += 1
    assert compared > 80 * TIMES


def test_residual_specs_of_random_models_keep_the_number_of_solutions() -> None:
    unfinished = 0
    for model in random_models(75 * TIMES):
        result = csp.propagate(model)
        text = dsl.residual(model, result.domains)
        assert csp.count(dsl.loads(text)).value == csp.count(model).value, text
        unfinished += not result.holds
    assert unfinished > 25


def test_a_residual_spec_with_an_empty_domain_has_no_solution() -> None:
    model = dsl.loads("A in 1..3. B in 1..2. A * A = 5.")
    domains = {Variable("A"): (), Variable("B"): (1, 2)}
    text = dsl.residual(model, domains)
    assert text.splitlines()[1:] == ["A in 1..3.", "B in {1, 2}.", "sum(A) in {}."]
    assert csp.count(dsl.loads(text)).value == 0


def test_dumps_refuses_text_that_reads_back_as_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the printer by one that loses parentheses; its text is still readable."""
    model = dsl.loads("A, B, C in 0..1. A = 1 -> (B = 1 -> C = 1).")
    monkeypatch.setattr("dsl.semantics.dumping.write_model", lambda _: "A, B, C in 0..1. (A = 1 -> B = 1) -> C = 1.")
    with pytest.raises(csp.ModelError, match="the language cannot write this model"):
        dsl.dumps(model)


def test_dumps_refuses_an_element_of_a_missing_family() -> None:
    """Refuse the element, because it would read back as a variable."""
    a, missing = csp.Affine.variable("A"), csp.Element("x", (csp.Affine((), 1),), (csp.Variable("x", 1),))
    domains = {"A": (1, 2), "x(1)": (1, 2)}
    for constraint in (
        csp.Member(csp.Affine(((1, missing),)), (1,)),
        csp.Comparison(csp.apply("//", [a, csp.Affine()]), "=", a),
    ):
        with pytest.raises(csp.ModelError, match="the language cannot write"):
            dsl.dumps(csp.Model(domains, [constraint]))


def test_an_element_may_be_a_member() -> None:
    model = dsl.loads("A in 1..3. x(I) in 1..3 :- I in 1..3. x(A) in {1, 3}. A + x(A) in {5}.")
    assert [str(constraint) for constraint in model.constraints] == ["x(A) in {1, 3}", "A + x(A) in {5}"]
    assert dsl.loads(dsl.dumps(model)) == model and csp.count(model).value == 9
