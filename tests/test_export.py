"""Every model, written for other solvers, has the same solutions there."""

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

from . import foreign
from .conftest import ROOT, TIMES
from .exported import SOLVERS, agree, comparable, random_models

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
ENOUGH = 8
LONGEST = 7_000  # characters of an export that SWI-Prolog is given
QUICK = ("hitori", "numbrix")  # longer ones that it solves at once
SMALLER: dict[str, tuple[dict[str, csp.Value], dict[str, str]]] = {
    "numbrix": ({"n": 4}, {"clue": " 1 . . .\n . . . .\n . . 11 .\n 16 . . ."})
}
"""What clingo and SAT solvers take long for as it is in the gallery: another board."""
LISTS = ("asp", "dimacs")  # where lists of 36 places take long


def has_piece(path: Path) -> bool:
    """Whether a spec or an include is about one piece: its export has variables that a solver must find."""
    text = path.read_text(encoding="utf-8")
    included = re.findall(r"^include (\w+)\.", text, re.MULTILINE)
    folders = (ROOT / "examples", ROOT / "examples" / "rules")
    files = [folder / f"{name}.csp" for name in included for folder in folders]
    return "connected(" in text or any(map(has_piece, filter(Path.is_file, files)))


@cache
def expected(path: Path) -> tuple[Model, list[foreign.Solution]]:
    """The model of an example with its first solutions, good or not: what is best has tests of its own."""
    model = dsl.load(path, *SMALLER.get(path.stem, ({}, {})))
    model = Model(model.domains, model.constraints, model.show, layout=model.layout)
    return model, [solution for solution, _ in zip(Solver(model).solutions(), range(ENOUGH + 1), strict=False)]


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
    files = {path.stem for path in (ROOT / "csp" / "encoding" / "export").glob("*.py")}
    files -= {"__init__", "formulas", "ground", "names", "phrases"}  # what formats share
    assert files == {write.__module__.rpartition(".")[2] for write in EXPORTS.values()}
    assert files == {name.replace("-", "_") for name in EXPORTS}
    assert {*SOLVERS, "xcsp3"} == set(EXPORTS)


FORMS = [form for form in SOLVERS if form != "swi-prolog"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("path", "form"),
    [(path, form) for number, path in enumerate(EXAMPLES) for form in (FORMS * 2)[number % 3 :][: min(TIMES, 3)]],
    ids=lambda one: getattr(one, "stem", one),
)
def test_examples_have_the_same_solutions(path: Path, form: str, tmp_path: Path) -> None:
    """In one of three formats; with ``TIMES=3`` in all."""
    if form == "minizinc" and not shutil.which(form):
        pytest.skip("minizinc is not installed")
    if path.stem == "knights_tour" and form in LISTS:
        pytest.skip("takes long, and the same constraints are in numbrix and in test_export_pieces.py")
    if (path.stem, form) == ("fillomino", "minizinc"):
        pytest.skip("Gecode does not end in ten minutes; clingo and a SAT solver answer at once")
    model, solutions = expected(path)
    (found,) = SOLVERS[form]([(model, EXPORTS[form](model))], tmp_path, ENOUGH + 1)
    agree_so_far(model, found, solutions)


def test_examples_have_the_same_solutions_in_prolog(tmp_path: Path) -> None:
    """All together, so that SWI-Prolog starts once; each fifth, with ``TIMES=5`` every one."""
    some = EXAMPLES if TIMES >= 5 else EXAMPLES[::5]
    asked = [(path, *expected(path), EXPORTS["swi-prolog"](expected(path)[0])) for path in some]
    quick = [
        one for one in asked if one[0].stem in QUICK or (len(one[-1]) <= LONGEST and one[0].stem != "all_interval")
    ]
    answers = foreign.swi_prolog([(model, text) for _, model, _, text in quick], tmp_path, ENOUGH + 1)
    for (_, model, solutions, _), found in zip(quick, answers, strict=True):
        agree_so_far(model, found, solutions)
    assert len(quick) > 5


def agree_so_far(model: Model, found: list[foreign.Solution], solutions: list[foreign.Solution]) -> None:
    """The same solutions, or, where there are more than enough, as many and all different."""
    assert len(found) == len(solutions)
    if len(solutions) <= ENOUGH:
        assert comparable(found, model) == comparable(solutions, model)
    elif len(model.shown) == len(model.domains):
        assert all(map(model.check, found)) and len({tuple(own.items()) for own in found}) == len(found)


@pytest.mark.parametrize("form, count", {"minizinc": 8, "dimacs": 32, "swi-prolog": 32, "asp": 24, "xcsp3": 16}.items())
def test_random_models_have_the_same_solutions(form: str, count: int, tmp_path: Path) -> None:
    models = [strange(), *random_models(form, count * TIMES)]
    agree(form, models, tmp_path)


@pytest.mark.sampled
@pytest.mark.parametrize("path", [p for p in EXAMPLES if not has_piece(p)], ids=lambda path: path.stem)
def test_xcsp3_of_examples_means_the_same(path: Path) -> None:
    model, solutions = expected(path)
    instance = foreign.Instance(EXPORTS["xcsp3"](model))
    rng = random.Random(path.stem)
    for number in range(10):
        values = dict(solutions[number % len(solutions)])
        for variable in rng.sample([*model.domains], min(number, 3)):
            values[variable] = rng.choice(model.domains[variable])
        assert instance.holds(values) == model.check(values)


@pytest.mark.parametrize("name", ["money", "zebra", "states", "kenken", "queens", "skyscrapers", "hitori"])
def test_ace_reads_xcsp3(name: str, tmp_path: Path) -> None:
    model, solutions = expected(ROOT / "examples" / f"{name}.csp")
    (tmp_path / "instance.xml").write_text(EXPORTS["xcsp3"](model), encoding="utf-8")
    assert foreign.ace(tmp_path / "instance.xml", ENOUGH + 1) == len(solutions)


def test_minizinc_multiplies_a_condition_with_what_may_be_negative(tmp_path: Path) -> None:
    """MiniZinc 2.6.4 half-reifies a condition within a product, as if the other factor were positive."""
    model = dsl.loads("B in 0..2. x in 0..3. s in -9..9. s < sum(x - 2 : B < x).")
    agree("minizinc", [model, csp.Model(model.domains, [csp.Not(model.constraints[0])])], tmp_path)


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
    assert refused(spec, "--to", "dimacs").startswith(
        "csp: sum (line 8) needs a formula of more than 1,500 clauses, too"
    )
    monkeypatch.setattr(Formula, "most", 10)
    assert refused(spec, "--to", "dimacs") == "csp: S needs a formula of more than 10 clauses, too many to write\n"
