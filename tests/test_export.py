"""Every model, written for other solvers, has the same solutions there."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import prod
from pathlib import Path

import pytest
from click.testing import CliRunner

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
    Solver,
    Table,
    Variable,
    apply,
    element,
    multiply,
    ordered,
)
from csp.encoding import cnf, encoder, sums
from csp.encoding.formula import Formula
from csp.export import EXPORTS, asp
from csp.model.expression import Interval
from dsl.cli import main

from . import foreign
from .conftest import ROOT
from .makers import MAKERS, NAMES, affine, any_kind, expression
from .oracle import every_solution

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
SOLVERS = {"minizinc": foreign.minizinc, "dimacs": foreign.dimacs, "swi-prolog": foreign.swi_prolog, "asp": foreign.asp}
PIECES = ("hitori", "nurikabe", "slitherlink")  # which only dimacs and asp can say
ENOUGH = 8
LONGEST = 7_000  # characters of an export that SWI-Prolog is given


def is_small(model: Model) -> bool:
    """Whether all assignments can be tried."""
    return prod(map(len, model.domains.values())) < 10_000


def comparable(solutions: list[foreign.Solution], model: Model) -> list[tuple[tuple[str, str], ...]]:
    shown = set(model.shown)
    return sorted(tuple(sorted((v, repr(w)) for v, w in own.items() if v in shown)) for own in solutions)


@cache
def expected(path: Path) -> tuple[Model, list[foreign.Solution]]:
    """The model of an example with its first solutions."""
    model = dsl.load(path)
    return model, [solution for solution, _ in zip(Solver(model).solutions(), range(ENOUGH + 1), strict=False)]


def answered(form: str, models: list[tuple[Model, str]], folder: Path) -> Iterator[list[foreign.Solution]]:
    """All solutions of every model: what a solver says, or, for XCSP3, what passes our own reading of the format."""
    if form in SOLVERS:
        yield from SOLVERS[form](models, folder, 0)
        return
    for model, text in models:
        instance = foreign.Instance(text)
        tried = every_solution(Model(model.domains)) if is_small(model) else Solver(model).solutions()
        yield [dict(values) for values in tried if instance.holds(values)]


def agree(form: str, models: list[Model], folder: Path) -> None:
    """Every solution passes the check, and every assignment that passes is a solution."""
    answers = answered(form, [(model, EXPORTS[form](model)) for model in models], folder)
    for model, found in zip(models, answers, strict=True):
        solutions = list(every_solution(model) if is_small(model) else Solver(model).solutions())
        assert comparable(found, model) == comparable(solutions, model), [*map(str, model.constraints)]


def random_models(seed: str, count: int) -> Iterator[Model]:
    rng = random.Random(seed)
    kinds = list(MAKERS)
    for number in range(count):
        chosen = [kinds[number % len(kinds)], *rng.choices(kinds, k=rng.randint(0, 2))]
        domains = {name: rng.sample(range(-2, 4), rng.randint(1, 5)) for name in NAMES}
        yield Model(domains, [MAKERS[kind](rng) for kind in chosen])


LINE = [Variable("x", number) for number in (-1, 0, 2)]
GRID = [Variable("y", row, column) for row in (0, 1) for column in (0, 1)]


def looked_up(rng: random.Random) -> Affine:
    """An element of a line or of a grid."""
    index = apply("//", [affine(rng, NAMES[:1]), affine(rng, NAMES[1:2])])
    index = index if rng.random() < 0.2 else affine(rng, [rng.choice(NAMES)])
    if rng.random() < 0.6:
        return element([index], LINE)
    return element([index, rng.choice([Affine.variable("B"), Affine((), 1)])], GRID)


def increasing(rng: random.Random) -> Increasing:
    made = [looked_up(rng) if rng.random() < 0.2 else expression(rng, rng.randrange(2)) for _ in range(4)]
    return Increasing(tuple(made[: rng.randint(0, 4)]), label=rng.choice(["", "up"]))


def about_an_element(rng: random.Random) -> Constraint:
    one, other = looked_up(rng), rng.choice([looked_up(rng), Affine.variable("C"), Affine((), 1)])
    match rng.randrange(5):
        case 0:
            return Member(one, ordered(rng.sample(range(-2, 4), 3)))
        case 1 if other.variables and other != one:
            return AllDifferent((one, other))
        case 2:
            return Table("r", (one, other), tuple(product(rng.sample(range(-2, 4), 3), (1, 2))))
        case 3:
            return Comparison(one * rng.choice([0, 1, -2]) + other, rng.choice(["=", "<"]), one + 1)
    return Comparison(one, rng.choice(["=", "!=", "<="]), other)


def models_of_late_kinds(seed: str, count: int) -> Iterator[Model]:
    """Increasing and elements, alone, among alternatives and counted, over few values."""
    rng = random.Random(seed)
    for number in range(count):
        one = (increasing, about_an_element)[number % 2](rng)
        other = any_kind(rng, [Equality, Linear, Member]) if rng.random() < 0.7 else increasing(rng)
        counted = apply("count", [one, other])
        rules = [one, Either((one, other), label="or"), Comparison(counted, "=", Affine((), rng.randint(0, 2)))]
        rule = rules[number // 2 % 3]
        names = rule.scope or NAMES[:1]
        yield Model(
            {name: rng.sample(range(-1, 3), rng.randint(2, 3 if len(names) < 8 else 2)) for name in names}, [rule]
        )


@dataclass(frozen=True)
class Steps(Constraint):
    """A kind that no export knows: the elements increase, and the last is no more than twice the first."""

    elements: tuple[Affine, ...]

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def check(self, values: Mapping[str, csp.Value]) -> bool:
        return all(one.check(values) for one in self.decomposed())

    def decomposed(self) -> tuple[Constraint, ...]:
        twice = [Comparison(self.elements[-1], "<=", doubled(self.elements[0]))] if self.elements else []
        return (Increasing(self.elements), *twice)

    def text(self, quote: csp.notation.Quote = csp.quoted) -> str:
        return f"steps({', '.join(map(str, self.elements))})"


@dataclass(frozen=True)
class Doubled(Atom):
    """An atom that no export knows."""

    half: Affine

    def parts(self) -> tuple[Affine, ...]:
        return (self.half,)

    def value(self, values: Mapping[str, csp.Value]) -> int:
        return 2 * self.half.number(values)

    def span(self, parts: Sequence[Interval]) -> Interval:
        ((low, high),) = parts
        return 2 * low, 2 * high

    def decomposed(self) -> Affine:
        return 2 * self.half

    def text(self, quote: csp.notation.Quote = csp.quoted) -> str:
        return f"doubled({self.half})"


def doubled(expression: Affine) -> Affine:
    return Affine(((1, Doubled(expression)),))


def strange() -> Model:
    """Names, symbols and labels that mean something else in one language or another."""
    texts = ["x-1", "x(-1)", "it's", 'a "b"', "Größe", "1", "a\\(b)", "<&>"]
    texts += ["var", "not", "V1", "Max", "E", "max", "largest", "show"]
    symbols = (3, "red", "Big Red", "don't", 'say "no"', "\\n", "not", "Ä")
    domains: dict[str, tuple[int | str, ...]] = {name: (1, 2) for name in texts}
    domains |= {"p": symbols, "q": symbols, "r": ("red", "not", "Ä"), "s": (4, 5, 6)}
    label = "{*% \\(x) -- */ \"row\"\n'1'"
    p, s, first = Affine.variable("p"), Affine.variable("s"), Affine.variable("1")
    rows = (("red", 4), ("Big Red", 5), ("Ä", 6), ("\\n", 4), ('say "no"', 4), (3, 4))
    counted = apply("count", [Equality(csp.Variable("p"), "red"), Member(p, ("Ä", 3))])
    constraints = [
        *(Equality(csp.Variable(one), csp.Variable(other)) for one, other in pairwise(texts)),
        AllDifferent((p, Affine.variable("q"), s - 1), label=label),
        Table("r", (p, s), rows, label=label),
        Equality(csp.Variable("q"), "don't", equal=False),
        Member(Affine.variable("q"), (3, "red", "Ä", "nothing", 77), label=label),
        Either((Equality(csp.Variable("r"), csp.Variable("p")), Linear(s, "=", Affine((), 6))), label=label),
        Comparison(counted + first, ">=", Affine((), 2)),
    ]
    return Model(domains, constraints)


def test_every_format_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "csp" / "export").glob("*.py")}
    files -= {"__init__", "formulas", "ground", "names"}  # what formats share
    assert files == {write.__module__.rpartition(".")[2] for write in EXPORTS.values()}
    assert files == {name.replace("-", "_") for name in EXPORTS}
    assert {*SOLVERS, "xcsp3"} == set(EXPORTS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("form", SOLVERS)
def test_examples_have_the_same_solutions(form: str, path: Path, tmp_path: Path) -> None:
    if path.stem in PIECES and form not in ("dimacs", "asp"):
        with pytest.raises(ModelError, match="is too large for this language; dimacs and asp say it"):
            EXPORTS[form](dsl.load(path))
        return
    if (program := {"minizinc": "minizinc", "swi-prolog": "swipl"}.get(form)) and not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    text = EXPORTS[form](dsl.load(path))
    if form == "swi-prolog" and (len(text) > LONGEST or path.stem == "all_interval"):
        pytest.skip("takes SWI-Prolog long")
    model, solutions = expected(path)
    (found,) = SOLVERS[form]([(model, text)], tmp_path, ENOUGH + 1)
    assert len(found) == len(solutions)
    if len(solutions) <= ENOUGH:
        assert comparable(found, model) == comparable(solutions, model)
    elif not model.show:
        assert all(map(model.check, found)) and len({tuple(own.items()) for own in found}) == len(found)


@pytest.mark.parametrize(
    "form, count", {"minizinc": 24, "dimacs": 80, "swi-prolog": 80, "asp": 60, "xcsp3": 60}.items()
)
def test_random_models_have_the_same_solutions(form: str, count: int, tmp_path: Path) -> None:
    models = [strange(), *random_models(form, count)]
    agree(form, models, tmp_path)


@pytest.mark.parametrize(
    "form, count, tried",
    [
        ("minizinc", 24, 0),
        ("dimacs", 60, 0),
        ("dimacs", 36, 100),
        ("swi-prolog", 36, 0),
        ("asp", 60, 0),
        ("xcsp3", 36, 0),
    ],
)
def test_kinds_that_are_decomposed(
    form: str, count: int, tried: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", tried)
    monkeypatch.setattr(sums, "MAX_STEPS", tried)
    models = list(models_of_late_kinds(f"{form} {tried}", count))
    agree(form, models, tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_elements_that_are_symbols(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", 0)
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
    models = [Model({"I": own, **domains}, [rule]) for own, rule in zip(indices, rules, strict=True)]
    pair = Comparison(
        element([i], [Variable("w", 0), Variable("w", 2)]), "=", Affine((), 1)
    )  # 2 is no number of a symbol
    models.append(Model({"I": (0, "one"), "w(0)": (0, 1), "w(2)": (0, 1)}, [pair]))
    agree(form, models, tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_kinds_of_strangers(form: str, tmp_path: Path) -> None:
    """Whoever adds a kind adds nothing here."""
    x, y, z = map(Affine.variable, "xyz")
    rules: list[Constraint] = [
        Steps((x, y, apply("//", [y, z])), label="steps"),
        Steps(()),
        Either((Steps((z, x)), Linear(y, "=", z))),
        Comparison(apply("count", [Steps((x, y)), Steps(()), Steps((y, z))]), ">=", Affine((), 2)),
        Comparison(doubled(x) + y, "=", z + 2),
        AllDifferent((doubled(x), y, z)),
    ]
    models = [Model(dict.fromkeys("xyz", (0, 1, 2, 4)), [rule, AllDifferent.of("x")]) for rule in rules]
    assert "steps" in EXPORTS[form](models[0])
    agree(form, models, tmp_path)


@pytest.mark.parametrize("tried", [0, 1000])
def test_the_variables_fix_the_whole_formula(tried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", tried)
    monkeypatch.setattr(cnf, "MAX_PAIRS", 3)
    rng = random.Random(tried)
    for model in [*random_models(f"fixed {tried}", 60), *models_of_late_kinds(f"fixed {tried}", 30)]:
        text = EXPORTS["dimacs"](model)
        formula, meaning = foreign.Formula(text), foreign.literals(model, text)
        assignments = [dict(zip(model.domains, row, strict=True)) for row in product(*model.domains.values())]
        for values in rng.sample(assignments, min(len(assignments), 8)):
            true = [one if values[variable] == value else -one for one, (variable, value) in meaning.items()]
            assert formula.fixed(true) == (formula.size if model.check(values) else None)


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem not in PIECES], ids=lambda path: path.stem)
def test_xcsp3_of_examples_means_the_same(path: Path) -> None:
    model, solutions = expected(path)
    instance = foreign.Instance(EXPORTS["xcsp3"](model))
    rng = random.Random(path.stem)
    for number in range(10):
        values = dict(solutions[number % len(solutions)])
        for variable in rng.sample([*model.domains], min(number, 3)):
            values[variable] = rng.choice(model.domains[variable])
        assert instance.holds(values) == model.check(values)


@pytest.mark.parametrize("name", ["money", "zebra", "states", "kenken", "queens", "skyscrapers"])
def test_ace_reads_xcsp3(name: str, tmp_path: Path) -> None:
    model, solutions = expected(ROOT / "examples" / f"{name}.csp")
    (tmp_path / "instance.xml").write_text(EXPORTS["xcsp3"](model), encoding="utf-8")
    assert foreign.ace(tmp_path / "instance.xml", ENOUGH + 1) == len(solutions)


@pytest.mark.parametrize("form", EXPORTS)
def test_division_by_zero_and_below_zero(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", 0)
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
def test_a_division_that_is_multiplied_by_0(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", 0)
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
    answers = answered(form, [(model, EXPORTS[form](model)) for model in models], tmp_path)
    for (spec, right), found in zip(specs.items(), answers, strict=True):
        assert sorted((own["A"], own["B"]) for own in found) == sorted(right), spec


def test_same_bytes_whatever_the_hash_seed() -> None:
    code = "import dsl, csp.export as e; [print(write(dsl.load('examples/%s.csp'))) for write in e.EXPORTS.values()]"
    for name in ("kenken", "australia"):
        told = [
            subprocess.run(
                [sys.executable, "-c", code % name], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True, check=True,
            ).stdout
            for seed in ("1", "2")
        ]  # fmt: skip
        assert told[0] == told[1] and told[0]


@pytest.mark.parametrize("form", EXPORTS)
def test_command(form: str, tmp_path: Path) -> None:
    spec, target = str(ROOT / "examples" / "latin.csp"), tmp_path / "latin.txt"
    shown = CliRunner().invoke(main, ["export", spec, "--set", "n=3", "--to", form])
    assert shown.exit_code == 0 and shown.stdout == EXPORTS[form](dsl.load(spec, params={"n": 3}))
    written = CliRunner().invoke(main, ["export", spec, "--set", "n=3", "--to", form, "--out", str(target)])
    assert written.exit_code == 0 and written.output == "" and target.read_bytes() == shown.stdout.encode()
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_what_the_command_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*words: str) -> str:
        result = CliRunner().invoke(main, ["export", *words])
        assert result.exit_code == 2 and not result.stdout
        return result.stderr

    spec = str(ROOT / "examples" / "money.csp")
    assert "'prolog' is not one of" in refused(spec, "--to", "prolog")
    assert "Missing option '--to'" in refused(spec)
    target = tmp_path / "none" / "money.cnf"
    assert f"csp: {target}: No such file or directory" in refused(spec, "--to", "dimacs", "--out", str(target))
    monkeypatch.setattr(Formula, "most", 1500)
    assert refused(spec, "--to", "dimacs").startswith("sum (line 8) needs a formula of more than 1,500 clauses, too")
    monkeypatch.setattr(Formula, "most", 10)
    assert refused(spec, "--to", "dimacs") == "S needs a formula of more than 10 clauses, too many to write\n"


def test_a_value_beyond_those_of_gringo() -> None:
    with pytest.raises(ModelError, match="2,147,483,647, the largest number of gringo"):
        asp.write_asp(Model({"x": (0, 2**31)}))


@pytest.mark.parametrize("form", ["asp", "dimacs"])
def test_numbers_that_are_not_written(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_TRIED", 0)
    monkeypatch.setattr(sums, "MAX_STEPS", 0)
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
def test_a_constraint_without_variables(form: str, tmp_path: Path) -> None:
    rules = [Linear(Affine((), left), "<", Affine((), 2)) for left in (1, 2)]
    models = [Model({"x": (1, 2)}, [rule, AllDifferent.of("x")]) for rule in rules]
    answers = answered(form, [(model, EXPORTS[form](model)) for model in models], tmp_path)
    assert [len(found) for found in answers] == [2, 0]
