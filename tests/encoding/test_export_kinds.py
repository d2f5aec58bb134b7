"""Tests of exports of kinds without a native form, and of large numbers."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest

import csp
import dsl
from csp import (
    Affine,
    AllDifferent,
    Atom,
    Comparison,
    Constraint,
    Either,
    Equality,
    Increasing,
    Linear,
    Member,
    Model,
    ModelError,
    Table,
    Variable,
    apply,
    element,
    multiply,
)
from csp.encoding.export import EXPORTS, asp
from csp.model.variable import Interval

from .. import foreign
from ..conftest import TIMES, Limits
from ..exported import agree, models_of_late_kinds, random_models, solve_with

pytestmark = pytest.mark.sampled(5)


class Steps(Constraint):
    """A constraint without a native export: increasing elements within a factor of 2."""

    elements: tuple[Affine, ...]

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def check(self, values: Mapping[str, csp.Value]) -> bool:
        return all(part.check(values) for part in self.decompose())

    def decompose(self) -> tuple[Constraint, ...]:
        twice = [Comparison(self.elements[-1], "<=", double(self.elements[0]))] if self.elements else []
        return (Increasing(self.elements), *twice)

    def text(self, quote: csp.base.notation.Quote = csp.quoted) -> str:
        return f"steps({', '.join(map(str, self.elements))})"


class Doubled(Atom):
    """An atom without a native export."""

    half: Affine

    def parts(self) -> tuple[Affine, ...]:
        return (self.half,)

    def value(self, values: Mapping[str, csp.Value]) -> int:
        return 2 * self.half.number(values)

    def span(self, parts: Sequence[Interval]) -> Interval:
        ((low, high),) = parts
        return 2 * low, 2 * high

    def decompose(self) -> Affine:
        return 2 * self.half

    def text(self, quote: csp.base.notation.Quote = csp.quoted) -> str:
        return f"doubled({self.half})"


def double(expression: Affine) -> Affine:
    return Affine(((1, Doubled(expression)),))


@pytest.mark.parametrize(
    "form, count, max_tried",
    [
        ("minizinc", 6, 0),
        ("dimacs", 24, 0),
        ("dimacs", 16, 100),
        ("swi-prolog", 16, 0),
        ("asp", 24, 0),
        ("xcsp3", 8, 0),
    ],
)
def test_decomposed_kinds_have_the_same_solutions(
    form: str, count: int, max_tried: int, tmp_path: Path, limits: Limits
) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=max_tried)
    limits("csp.encoding.terms", MAX_STEPS=max_tried)
    models = list(models_of_late_kinds(f"{form} {max_tried}", count * TIMES))
    agree(form, models, tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_elements_may_be_symbols(form: str, tmp_path: Path, limits: Limits) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=0)
    i, y, members = Affine.variable("I"), Affine.variable("y"), [Variable("x", 1), Variable("x", 2)]
    chosen = element([i], members)
    rules = [
        Member(chosen, ("red", 3)),
        Table("r", (chosen, y), (("red", 3), (3, "red"), ("blue", "red"))),
        AllDifferent((chosen, y)),
        Either((AllDifferent((y, chosen)), Member(i, (2,)))),
        Comparison(apply("count", [Member(chosen, ("red",)), Equality(Variable("I"), 1)]), "=", Affine((), 1)),
        Comparison(element([i], [Variable("z", 1), Variable("x", 2)]), ">", Affine((), 1)),  # 2 is no index here
    ]
    domains = {"x(1)": ("red", "blue"), "x(2)": ("red", 3), "y": ("red", 3), "z(1)": (1, 2)}
    indices = [(1, 2, 3, "one")] * 5 + [(1, "one")]
    models = [Model({"I": index_domain, **domains}, [rule]) for index_domain, rule in zip(indices, rules, strict=True)]
    pair = Comparison(
        element([i], [Variable("w", 0), Variable("w", 2)]), "=", Affine((), 1)
    )  # 2 is no number of a symbol
    models.append(Model({"I": (0, "one"), "w(0)": (0, 1), "w(2)": (0, 1)}, [pair]))
    agree(form, models, tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_unknown_kinds_are_exported_by_their_decomposition(form: str, tmp_path: Path) -> None:
    """Export kinds that no format knows, by their decomposition."""
    x, y, z = map(Affine.variable, "xyz")
    rules: list[Constraint] = [
        Steps((x, y, apply("//", [y, z])), label="steps"),
        Steps(()),
        Either((Steps((z, x)), Linear(y, "=", z))),
        Comparison(apply("count", [Steps((x, y)), Steps(()), Steps((y, z))]), ">=", Affine((), 2)),
        Comparison(double(x) + y, "=", z + 2),
        AllDifferent((double(x), y, z)),
    ]
    models = [Model(dict.fromkeys("xyz", (0, 1, 2, 4)), [rule, AllDifferent.of("x")]) for rule in rules]
    assert "steps" in EXPORTS[form](models[0])
    agree(form, models, tmp_path)


@pytest.mark.parametrize("max_tried", [0, 1000])
def test_unit_propagation_of_an_assignment_fixes_the_whole_formula(max_tried: int, limits: Limits) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=max_tried)
    limits("csp.encoding.formula", MAX_PAIRS=3)
    rng = random.Random(max_tried)
    for model in [*random_models(f"fixed {max_tried}", 60), *models_of_late_kinds(f"fixed {max_tried}", 30)]:
        text = EXPORTS["dimacs"](model)
        formula, meaning = foreign.Formula(text), foreign.literals(model, text)
        assignments = [dict(zip(model.domains, row, strict=True)) for row in product(*model.domains.values())]
        for values in rng.sample(assignments, min(len(assignments), 8)):
            true_literals = [
                number if values[variable] == value else -number for number, (variable, value) in meaning.items()
            ]
            assert formula.count_fixed(true_literals) == (formula.size if model.check(values) else None)


@pytest.mark.parametrize("form", EXPORTS)
def test_division_by_zero_and_of_negative_numbers_is_exported(form: str, tmp_path: Path, limits: Limits) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=0)
    x, y, three = Affine.variable("x"), Affine.variable("y"), Affine((), 3)
    quotient, remainder = apply("//", [x, y]), apply("mod", [x, y - 1])
    rules = [
        Comparison(quotient, "=", remainder - 2),
        Comparison(apply("//", [x, three]), "=", apply("mod", [x, three]) - 2),
        Comparison(quotient + x, ">=", quotient + x),
        Comparison(30 * x + remainder, ">", Affine((), -1000)),
        Comparison(apply("count", [Comparison(remainder, ">=", Affine())]), "=", Affine()),
        Either((Comparison(quotient, "=", three), Comparison(remainder, "=", three))),
        AllDifferent((apply("//", [y, x]), y)),
        Linear(x + 1, "=", x + 2),
    ]
    models = [Model({"x": range(-7, 8), "y": range(-3, 4)}, [rule]) for rule in rules]
    agree(form, models, tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_a_division_multiplied_by_0_excludes_a_divisor_of_0(form: str, tmp_path: Path, limits: Limits) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=0)
    specs = {  # with the solutions for A, B
        "0 * (A // B) = 0.": {(0, 1), (1, 1)},
        "0 * (A // B) != 1.": {(0, 1), (1, 1)},
        "A // B - A // B = 0.": {(0, 1), (1, 1)},
        "product(0, A // B) = 0.": {(0, 1), (1, 1)},
        "p(0). p(A // B * 0).": {(0, 1), (1, 1)},
        "all_different(A, (A // B)*0 + B).": {(0, 1)},
        "A // B * (A - A) in {0, 2}.": {(0, 1), (1, 1)},
        "A = 1 ; 0 * (A mod B) = 0.": {(0, 1), (1, 1), (1, 0)},
        "count(0 * (A // B) = 0, A = 1) = 1.": {(0, 1), (1, 0)},
        "max(0 * (A // B), A) = 0.": {(0, 1)},
    }
    models = [dsl.loads(f"A in 0..1. B in 0..1. {spec}") for spec in specs]
    answers = solve_with(form, [(model, EXPORTS[form](model)) for model in models], tmp_path)
    for (spec, expected), solutions in zip(specs.items(), answers, strict=True):
        assert sorted((solution["A"], solution["B"]) for solution in solutions) == sorted(expected), spec


def test_a_value_above_the_limit_of_gringo_is_refused() -> None:
    with pytest.raises(ModelError, match="2,147,483,647, the largest number of gringo"):
        asp.write_asp(Model({"x": (0, 2**31)}))


@pytest.mark.parametrize("form", ["asp", "dimacs"])
def test_large_numbers_inside_of_constraints_are_exported(form: str, tmp_path: Path, limits: Limits) -> None:
    limits("csp.encoding.encoder", MAX_TRIED=0)
    limits("csp.encoding.terms", MAX_STEPS=0)
    x = Affine.variable("x")
    rules: list[tuple[Iterable[int], Constraint]] = [
        ((0, 2**30), Linear(2 * x, ">", Affine((), 1))),
        (range(30), Member(2 * multiply(x, 10**9 * x), (0, 2 * 10**9))),
        (range(90), Linear(10**8 * x, "<", Affine((), 10**9))),
        ((0, 1), Equality(csp.Variable("x"), 2**40, equal=False)),
        (range(9), Linear(10**9 * x, ">=", 10**9 * Affine.variable("y"))),
    ]
    agree(form, [Model({"x": domain, "y": (1, 2)}, [rule]) for domain, rule in rules], tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_a_constraint_without_variables_is_exported(form: str, tmp_path: Path) -> None:
    rules = [Linear(Affine((), number), "<", Affine((), 2)) for number in (1, 2)]
    models = [Model({"x": (1, 2)}, [rule, AllDifferent.of("x")]) for rule in rules]
    answers = solve_with(form, [(model, EXPORTS[form](model)) for model in models], tmp_path)
    assert [len(solutions) for solutions in answers] == [2, 0]


@pytest.mark.skipif(not shutil.which("minizinc"), reason="minizinc is not installed")
def test_minizinc_respects_constraints_on_hidden_variables(tmp_path: Path) -> None:
    model = dsl.loads("x in 1..4. D in 1..4. D < x. D >= x. show x.")
    assert [*foreign.minizinc([(model, EXPORTS["minizinc"](model))], tmp_path, 0)] == [[]]


@pytest.mark.parametrize("form", EXPORTS)
def test_nested_elements_are_exported(form: str, tmp_path: Path) -> None:
    line = "A in 0..3. x(I) in -1..2 :- I in 0..2. "
    grid = "y(I, J) in 0..2 :- I in 0..1, J in 1..2. all_different(y(0, J) : J in 1..2). "
    specs = [
        f"{line} x(x(x(A))) = 1.",
        f"{line} not x(x(x(A))) = 1.",
        f"{line} x(x(1 // x(A))) < 2 ; A = 3.",
        f"{line} {grid} y(x(A), x(x(0))) = x(1).",
        f"{line} count(x(x(A)) = 0, x(x(x(A))) != 1) = 1.",
        f"{line} x(count(x(x(A)) = 0)) + x(max(x(0) : x(x(A)) > 0)) = 2.",
    ]
    agree(form, [dsl.loads(text) for text in specs], tmp_path)


@pytest.mark.parametrize("form", ["minizinc", "xcsp3", "swi-prolog"])
def test_the_export_of_nested_elements_grows_linearly(form: str) -> None:
    x = "x(I) in 0..1 :- I in 0..1."
    lengths = [len(EXPORTS[form](dsl.loads(f"{x} {'x(' * n}0{')' * n} = 0."))) for n in (12, 24, 48)]
    assert lengths[2] < 3 * lengths[1] < 9 * lengths[0] < 100_000


@pytest.mark.parametrize("form", ["minizinc", "xcsp3"])
def test_an_export_of_too_many_characters_is_refused_with_its_place(form: str, limits: Limits) -> None:
    limits("csp.encoding.export.formulas", MAX_LENGTH=1_000_000)
    model = dsl.loads(f"A, B in 0..1.\n{'B // (1 - ' * 40}A{')' * 40} = 1.")
    with pytest.raises(ModelError, match=r"\(line 2\) takes more than 1,000,000 characters"):
        EXPORTS[form](model)
    goal = dsl.loads(f"A, B in 0..1.\nminimize({'max(1 + ' * 24}A{' : B = 0)' * 24}).")
    with pytest.raises(ModelError, match=r"minimize.*\(line 2\) takes more than 1,000,000 characters"):
        EXPORTS[form](goal)


@pytest.mark.parametrize("form", EXPORTS)
def test_runs_with_an_undefined_element_are_exported(form: str, tmp_path: Path) -> None:
    text = "u(I) in 3..4 :- I in 1..2. C in 1..2. runs([C, u(u(1))], [3])"
    agree(form, [dsl.loads(f"{text}."), dsl.loads(f"{text} ; C = 1.")], tmp_path)


def test_nested_conditions_are_exported_to_minizinc(tmp_path: Path) -> None:
    texts = [
        "C in -2..0. y in 0..1. y = 2 ; runs([2 - C, 0, C], [2]).",
        "C in 0..1. y in 0..1. y = 2 ; runs([2 - C, 0, C], [2]).",
        "s in -2..2. B in 0..3. x in 0..3. s < count(B < x)*(x - 2).",
        "C in -2..0. y in 0..1. count(y = 2, count(count(C > -3) = 1) = 1) = 1.",
    ]
    agree("minizinc", [dsl.loads(text) for text in texts], tmp_path)
