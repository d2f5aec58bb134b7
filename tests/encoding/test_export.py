"""Compare the solutions of models with the solutions of their exports."""

from __future__ import annotations

import random
import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Either,
    Equality,
    Linear,
    Member,
    Model,
    Solver,
    Table,
    apply,
)
from csp.encoding.export import EXPORTS
from csp.encoding.formula import Formula
from dsl.cli import main

from .. import foreign
from ..conftest import ROOT, TIMES
from ..exported import SOLVERS, agree, comparable, random_models

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
ENOUGH = 8
LONGEST = 7_000  # characters of an export that SWI-Prolog is given
QUICK = ("hitori", "numbrix")  # longer exports that SWI-Prolog solves at once
SMALLER: dict[str, tuple[dict[str, csp.Value], dict[str, str]]] = {
    "numbrix": ({"n": 4}, {"clue": " 1 . . .\n . . . .\n . . 11 .\n 16 . . ."})
}
"""Other boards for examples that take clingo and SAT solvers a long time."""
LISTS = ("asp", "dimacs")  # formats in which lists of 36 places take long


def has_piece(path: Path) -> bool:
    """Return whether a spec or an include is about one piece.

    The export of such a spec has auxiliary variables that a solver must find.
    """
    text = path.read_text(encoding="utf-8")
    included = re.findall(r"^include (\w+)\.", text, re.MULTILINE)
    folders = (ROOT / "examples", ROOT / "examples" / "rules")
    files = [folder / f"{name}.csp" for name in included for folder in folders]
    return "connected(" in text or any(map(has_piece, filter(Path.is_file, files)))


@cache
def model_of(path: Path) -> Model:
    """Return an example's model without its objective."""
    model = dsl.load(path, *SMALLER.get(path.stem, ({}, {})))
    return Model(model.domains, model.constraints, model.show, layout=model.layout)


@cache
def model_and_solutions(path: Path) -> tuple[Model, list[foreign.Solution]]:
    """Return an example's model without its objective, and its first solutions."""
    model = model_of(path)
    return model, [solution for solution, _ in zip(Solver(model).solutions(), range(ENOUGH + 1), strict=False)]


def model_of_reserved_words() -> Model:
    """Return a model whose names and symbols are words of other languages."""
    texts = ["x-1", "x(-1)", "it's", 'a "b"', "Größe", "1", "a\\(b)", "<&>"]
    texts += ["var", "not", "V1", "Max", "E", "max", "largest", "show"]
    symbols = (3, "red", "Big Red", "don't", 'say "no"', "\\n", "not", "Ä")
    domains: dict[str, tuple[int | str, ...]] = {name: (1, 2) for name in texts}
    domains |= {"p": symbols, "q": symbols, "r": ("red", "not", "Ä"), "s": (4, 5, 6)}
    label = "{*% \\(x) -- */ \"row\"\n'1'"
    p, s, v1 = Affine.variable("p"), Affine.variable("s"), Affine.variable("1")
    rows = (("red", 4), ("Big Red", 5), ("Ä", 6), ("\\n", 4), ('say "no"', 4), (3, 4))
    count_of_conditions = apply("count", [Equality(csp.Variable("p"), "red"), Member(p, ("Ä", 3))])
    constraints = [
        *(Equality(csp.Variable(a), csp.Variable(b)) for a, b in pairwise(texts)),
        AllDifferent((p, Affine.variable("q"), s - 1), label=label),
        Table("r", (p, s), rows, label=label),
        Equality(csp.Variable("q"), "don't", equal=False),
        Member(Affine.variable("q"), (3, "red", "Ä", "nothing", 77), label=label),
        Either((Equality(csp.Variable("r"), csp.Variable("p")), Linear(s, "=", Affine((), 6))), label=label),
        Comparison(count_of_conditions + v1, ">=", Affine((), 2)),
    ]
    return Model(domains, constraints)


def test_every_format_has_a_module_and_a_solver() -> None:
    files = {path.stem for path in (ROOT / "csp" / "encoding" / "export").glob("*.py")}
    files -= {"__init__", "formulas", "ground", "names", "phrases"}  # modules that formats share
    assert files == {write.__module__.rpartition(".")[2] for write in EXPORTS.values()}
    assert files == {name.replace("-", "_") for name in EXPORTS}
    assert {*SOLVERS, "xcsp3"} == set(EXPORTS)


FORMS = [form for form in SOLVERS if form != "swi-prolog"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("path", "form"),
    [(path, form) for number, path in enumerate(EXAMPLES) for form in (FORMS * 2)[number % 3 :][: min(TIMES, 3)]],
    ids=lambda parameter: getattr(parameter, "stem", parameter),
)
def test_an_exported_example_has_the_same_solutions(path: Path, form: str, tmp_path: Path) -> None:
    """Use one of three formats for each example; ``TIMES=3`` uses all three."""
    if form == "minizinc" and not shutil.which(form):
        pytest.skip("minizinc is not installed")
    if path.stem == "knights_tour" and form in LISTS:
        pytest.skip("takes long, and the same constraints are in numbrix and in test_export_pieces.py")
    if (path.stem, form) == ("fillomino", "minizinc"):
        pytest.skip("Gecode does not end in ten minutes; clingo and a SAT solver answer at once")
    model, solutions = model_and_solutions(path)
    (answers,) = SOLVERS[form]([(model, EXPORTS[form](model))], tmp_path, ENOUGH + 1)
    agree_so_far(model, answers, solutions)


def test_prolog_finds_the_same_solutions_of_examples(tmp_path: Path) -> None:
    """Export all examples first, so that SWI-Prolog starts only once.

    Use every fifth example; ``TIMES=5`` uses all examples.
    """
    paths = EXAMPLES if TIMES >= 5 else EXAMPLES[::5]
    exports = [(path, model := model_of(path), EXPORTS["swi-prolog"](model)) for path in paths]
    quick = [
        (path, model, text)
        for path, model, text in exports
        if path.stem in QUICK or (len(text) <= LONGEST and path.stem != "all_interval")
    ]
    answers_of_models = foreign.swi_prolog([(model, text) for _, model, text in quick], tmp_path, ENOUGH + 1)
    for (path, model, _), answers in zip(quick, answers_of_models, strict=True):
        agree_so_far(model, answers, model_and_solutions(path)[1])
    assert len(quick) > 5


def agree_so_far(model: Model, answers: list[foreign.Solution], solutions: list[foreign.Solution]) -> None:
    """Compare the answers of a solver with the first solutions of a model.

    If the model has more than ``ENOUGH`` solutions, compare their number and check that answers differ.
    """
    assert len(answers) == len(solutions)
    if len(solutions) <= ENOUGH:
        assert comparable(answers, model) == comparable(solutions, model)
    elif len(model.shown) == len(model.domains):
        assert all(map(model.check, answers)) and len({tuple(answer.items()) for answer in answers}) == len(answers)


@pytest.mark.parametrize("form, count", {"minizinc": 8, "dimacs": 32, "swi-prolog": 32, "asp": 24, "xcsp3": 16}.items())
def test_exported_random_models_have_the_same_solutions(form: str, count: int, tmp_path: Path) -> None:
    models = [model_of_reserved_words(), *random_models(form, count * TIMES)]
    agree(form, models, tmp_path)


@pytest.mark.sampled
@pytest.mark.parametrize("path", [p for p in EXAMPLES if not has_piece(p)], ids=lambda path: path.stem)
def test_xcsp3_of_an_example_has_the_same_meaning(path: Path) -> None:
    model, solutions = model_and_solutions(path)
    instance = foreign.Instance(EXPORTS["xcsp3"](model))
    rng = random.Random(path.stem)
    for number in range(10):
        values = dict(solutions[number % len(solutions)])
        for variable in rng.sample([*model.domains], min(number, 3)):
            values[variable] = rng.choice(model.domains[variable])
        assert instance.holds(values) == model.check(values)


@pytest.mark.parametrize("name", ["money", "zebra", "states", "kenken", "queens", "skyscrapers", "hitori"])
def test_ace_reads_xcsp3(name: str, tmp_path: Path) -> None:
    model, solutions = model_and_solutions(ROOT / "examples" / f"{name}.csp")
    (tmp_path / "instance.xml").write_text(EXPORTS["xcsp3"](model), encoding="utf-8")
    assert foreign.ace(tmp_path / "instance.xml", ENOUGH + 1) == len(solutions)


def test_minizinc_multiplies_a_condition_with_a_negative_factor(tmp_path: Path) -> None:
    """Export a product that MiniZinc 2.6.4 half-reifies as if factors were positive."""
    model = dsl.loads("B in 0..2. x in 0..3. s in -9..9. s < sum(x - 2 : B < x).")
    agree("minizinc", [model, csp.Model(model.domains, [csp.Not(model.constraints[0])])], tmp_path)


@pytest.mark.parametrize("form", EXPORTS)
def test_the_command_prints_or_saves_an_export(form: str, tmp_path: Path) -> None:
    spec, target = str(ROOT / "examples" / "latin.csp"), tmp_path / "latin.txt"
    printed = CliRunner().invoke(main, ["export", spec, "--set", "n=3", "--to", form])
    assert printed.exit_code == 0 and printed.stdout == EXPORTS[form](dsl.load(spec, params={"n": 3}))
    saved = CliRunner().invoke(main, ["export", spec, "--set", "n=3", "--to", form, "--out", str(target)])
    assert saved.exit_code == 0 and saved.output == "" and target.read_bytes() == printed.stdout.encode()
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_the_command_refuses_unknown_formats_and_large_formulas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_refused_export(*words: str) -> str:
        result = CliRunner().invoke(main, ["export", *words])
        assert result.exit_code == 2 and not result.stdout
        return result.stderr

    spec = str(ROOT / "examples" / "money.csp")
    assert "'prolog' is not one of" in run_refused_export(spec, "--to", "prolog")
    assert "Missing option '--to'" in run_refused_export(spec)
    target = tmp_path / "none" / "money.cnf"
    assert f"csp: {target}: No such file or directory" in run_refused_export(
        spec, "--to", "dimacs", "--out", str(target)
    )
    monkeypatch.setattr(Formula, "most", 1500)
    assert run_refused_export(spec, "--to", "dimacs").startswith(
        "csp: sum (line 8) needs a formula of more than 1,500 clauses, too"
    )
    monkeypatch.setattr(Formula, "most", 10)
    assert (
        run_refused_export(spec, "--to", "dimacs")
        == "csp: S needs a formula of more than 10 clauses, too many to write\n"
    )
