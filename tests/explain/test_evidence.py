"""Tests of the evidence of csp check: distinguishing values and proofs of uniqueness."""

from __future__ import annotations

import json
import re
import shlex
from itertools import combinations, count, islice
from pathlib import Path

import pytest

import dsl
from csp import Affine, AllDifferent, Comparison, Model, Settings, Solution, Solver, Variable, verdict
from csp.explain import Claim, proof, settle, why
from dsl.cli.progress import Ended

from ..commands import EXAMPLES, run
from ..conftest import ROOT, TIMES, Limits
from ..evidence import example, first, random_model
from ..oracle import every_solution

PAGE = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
SESSIONS = [
    session
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S)
    for session in re.split(r"^\$ csp ", block, flags=re.M)[1:]
]


def test_the_sessions_on_the_page_are_the_output_of_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    proof = tmp_path / "proof"
    for session in SESSIONS:
        command, _, expected = session.replace("PROOF", str(proof)).partition("\n")
        parts = [re.escape(part) for part in re.split(r"\.\.\.\n", expected)]
        assert re.fullmatch("(?:.*\n)*".join(parts), run(*shlex.split(command)).stdout), command
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], {})  # type: ignore[index]


# several solutions


def test_the_smallest_distinguishing_values_agree_with_brute_force() -> None:
    models = (
        (model, [tuple(values.values()) for values in every_solution(model)]) for model in map(random_model, count())
    )
    small_models = ((model, rows) for model, rows in models if 2 <= len(rows) <= 60)
    for model, rows in islice(small_models, 6 * TIMES):
        solution = Solution(zip(model.domains, rows[0], strict=True))
        settling = settle(Solver(model), solution)
        places = [[*model.domains].index(variable) for variable, _ in settling.givens]
        assert [value for _, value in settling.givens] == [rows[0][place] for place in places]

        def is_enough(places: tuple[int, ...] | list[int], rows: list[tuple[object, ...]] = rows) -> bool:
            return sum(all(row[p] == rows[0][p] for p in places) for row in rows) == 1

        assert is_enough(places) and settling.is_smallest
        assert not any(is_enough(fewer) for fewer in combinations(range(len(rows[0])), len(places) - 1))


def test_distinguishing_values_without_proof_are_irreducible(limits: Limits) -> None:
    model = example("latin")
    solver = Solver(model)
    solution = solver.solve()
    assert solution is not None
    assert settle(solver, solution).is_smallest and len(settle(solver, solution).givens) == 4
    limits("csp.explain.evidence.settling", MAX_QUERIED=0)
    settling = settle(solver, solution)
    assert not settling.is_smallest and "each of them is needed, but another set" in settling.message
    givens = dict(settling.givens)
    assert solver.count(givens).value == 1
    for variable in givens:
        assert solver.count({v: value for v, value in givens.items() if v != variable}).value > 1


def test_check_prints_two_solutions_side_by_side_and_distinguishing_values() -> None:
    result = run("check", EXAMPLES / "latin.csp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1 and lines[:5] == [
        "one        another, where it differs",
        "1 2 3 4    . . . .",
        "2 4 1 3    . . . .",
        "3 1 4 2    4 3 2 1",
        "4 3 2 1    3 1 4 2",
    ]
    assert lines[5].startswith("giving these values makes the solution unique; fewer do not suffice: cell(1,1) = ")
    record = json.loads(run("check", EXAMPLES / "latin.csp", "--json").stdout)
    model = example("latin")
    assert (
        all(model.check(solution) for solution in record["two"])
        and record["two"][0] != record["two"][1]
        and record["smallest"]
    )
    assert Solver(model).count(record["distinguishing_values"]).value == 1
    spec = "A, B in 1..3. C in 1..2. A != B. maximize(A + B)."
    record_of_optimum = json.loads(run("check", "-", "--json", stdin=spec).stdout.splitlines()[-1])
    assert record_of_optimum["objective"] == 5 and {2, 3} == {
        record_of_optimum["two"][0]["A"],
        record_of_optimum["two"][0]["B"],
    }
    assert len(record_of_optimum["distinguishing_values"]) == 2


def test_check_completes_a_long_search_for_distinguishing_values_only_with_fine(limits: Limits) -> None:
    limits("dsl.cli.evidence", MIN_WORK=10)
    output = run("check", EXAMPLES / "latin.csp").stdout
    assert "makes the solution unique" not in output
    assert output.rstrip().endswith("for the distinguishing values; --fine continues")
    assert "makes the solution unique; fewer do not suffice" in run("check", EXAMPLES / "latin.csp", "--fine").stdout


def test_the_second_solution_is_printed_in_full_if_values_are_drawn() -> None:
    """Print all values, because a drawing needs a value, not a dot."""
    text = "cell(R, C) in 1..2 :- R in 1..1, C in 1..2. draw join(1, 1, 1, 2) : cell(1, 2) = cell(1, 1) + 1."
    assert "1 1    1 2" in run("check", "-", stdin=text).stdout.splitlines()


def test_the_second_solution_is_printed_in_full_in_a_layout() -> None:
    """Print all places of a layout, where a dot is an empty place."""
    text = """x(R, C) in 0..1 :- R in 1..2, C in 1..3.
    "row {R}": sum(x(R, C) : C in 1..3) = 2 :- R in 1..2.
    x(1, 1) != x(2, 1).
    show b(R, C) = '*' : R in 1..2, C in 1..3, x(R, C) = 1."""
    lines = run("check", "-", stdin=text).stdout.splitlines()
    assert lines[:3] == ["one      another", ". * *    . * *", "* . *    * * ."]
    sums = "A, B in 1..2. show pair(1, 1) = A + B, pair(1, 2) = A."
    assert "2 1    3 1" in run("check", "-", stdin=sums).stdout.splitlines()


def test_a_check_stopped_before_its_search_reports_an_unknown_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_ended(*arguments: object, **options: object) -> None:
        raise Ended("the limit of 5 seconds", 3)

    for target in ("dsl.lint.report.inspect", "dsl.cli.commands.check.Solver"):
        with monkeypatch.context() as patched:
            patched.setattr(target, raise_ended)
            result = run("check", EXAMPLES / "latin.csp", "--timeout", "5")
            assert result.stdout.endswith("latin.csp: not known; stopped by the limit of 5 seconds\n")
            record = json.loads(run("check", EXAMPLES / "latin.csp", "--timeout", "5", "--json").stdout)
            assert result.exit_code == 3 and record["solutions"] == "unknown"
            assert record["message"] == "not known; stopped by the limit of 5 seconds"


# one solution, and the best so far


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (example("shidoku"), "by propagation only, at level arc"),
        (example("jigsaw"), "by propagation only, at level singles"),
        (Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC"), Comparison(
            Affine.variable("A"), "<", Affine.variable("B"))]), "by propagation only, at level"),
        (example("zebra"), "by a search of "),
    ],
)  # fmt: skip
def test_a_proof_of_uniqueness_names_its_method(model: Model, message: str) -> None:
    solver = Solver(model)
    assert proof(solver, verdict(solver)).message.startswith(message)


def test_a_proof_by_the_learner_names_clingo() -> None:
    solver = Solver(example("zebra"), settings=Settings(search="auto", patience=0))
    assert "clingo after" in proof(solver, verdict(solver)).message
    assert run("check", EXAMPLES / "jigsaw.csp").stdout.endswith("proved by propagation only, at level singles\n")


@pytest.mark.parametrize("text", [
    "C, D in 0..1. show total = 2. minimize(C).",
    "x(I) in 0..1 :- I in 1..3. show total = x(2). minimize(x(2)).",
])  # fmt: skip
def test_optimal_solutions_with_equal_layouts_are_one_answer(text: str) -> None:
    model = dsl.loads(text)
    assert verdict(Solver(model)).solutions == "one" and Solver(model).count().value == 1


def test_a_stopped_check_reports_the_best_solution_so_far() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "golomb.csp")
    stopped = verdict(Solver(model, settings=Settings(nodes=60, search="tree")))
    assert stopped.solutions == "unknown" and not stopped.is_best and len(stopped.found) == 1
    assert model.check(stopped.found[0]) and stopped.best == model.objective.value(stopped.found[0])  # type: ignore[union-attr]
    assert stopped.message.startswith(f"the least mark(9) so far is {stopped.best}, at least one solution; stopped by")
    without_solution = verdict(Solver(model, settings=Settings(nodes=1)))
    assert without_solution.message == "not known; stopped by the limit of 1 node"


def test_minimal_reasons_shorten_refutations() -> None:
    (model,) = islice(first("sgt_variants", 9), 8, None)
    solution = Solver(model).solve()
    assert solution is not None
    claim = Claim(Variable.of("cell(1,4)"), solution["cell(1,4)"])
    long, short = why(model, claim), why(model, claim, minimal=True)
    assert long.kind == short.kind == "search" and len([*short.lines()]) < len([*long.lines()])
