"""What csp check shows for its verdict: values that settle, and how one solution is proved."""

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

from .commands import EXAMPLES, run
from .conftest import ROOT, TIMES, Limits
from .evidence import example, first, random_model
from .oracle import every_solution

PAGE = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
SESSIONS = [
    one
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S)
    for one in re.split(r"^\$ csp ", block, flags=re.M)[1:]
]


def test_the_sessions_of_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    proof = tmp_path / "proof"
    for session in SESSIONS:
        command, _, expected = session.replace("PROOF", str(proof)).partition("\n")
        parts = [re.escape(part) for part in re.split(r"\.\.\.\n", expected)]
        assert re.fullmatch("(?:.*\n)*".join(parts), run(*shlex.split(command)).stdout), command
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], {})  # type: ignore[index]


# several solutions


def test_the_smallest_settling_values_by_brute_force() -> None:
    models = ((model, [tuple(one.values()) for one in every_solution(model)]) for model in map(random_model, count()))
    few = ((model, every) for model, every in models if 2 <= len(every) <= 60)
    for model, every in islice(few, 6 * TIMES):
        first = Solution(zip(model.domains, every[0], strict=True))
        found = settle(Solver(model), first)
        places = [[*model.domains].index(variable) for variable, _ in found.givens]
        assert [value for _, value in found.givens] == [every[0][place] for place in places]

        def is_enough(places: tuple[int, ...] | list[int], every: list[tuple[object, ...]] = every) -> bool:
            return sum(all(one[p] == every[0][p] for p in places) for one in every) == 1

        assert is_enough(places) and found.is_smallest
        assert not any(is_enough(fewer) for fewer in combinations(range(len(every[0])), len(places) - 1))


def test_values_that_settle_but_are_not_proved_to_be_fewest(limits: Limits) -> None:
    model = example("latin")
    solver = Solver(model)
    solution = solver.solve()
    assert solution is not None
    assert settle(solver, solution).is_smallest and len(settle(solver, solution).givens) == 4
    limits("csp.explain.evidence.settling", MAX_QUERIED=0)
    small = settle(solver, solution)
    assert not small.is_smallest and "none of these can go, but fewer others might do" in small.message
    givens = dict(small.givens)
    assert solver.count(givens).value == 1
    for variable in givens:
        assert solver.count({v: value for v, value in givens.items() if v != variable}).value > 1


def test_check_prints_two_solutions_beside_each_other_and_what_settles_them() -> None:
    result = run("check", EXAMPLES / "latin.csp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1 and lines[:5] == [
        "one        another, where it differs",
        "1 2 3 4    . . . .",
        "2 4 1 3    . . . .",
        "3 1 4 2    4 3 2 1",
        "4 3 2 1    3 1 4 2",
    ]
    assert lines[5].endswith(" would leave one solution; no fewer do")
    told = json.loads(run("check", EXAMPLES / "latin.csp", "--json").stdout)
    model = example("latin")
    assert all(model.check(one) for one in told["two"]) and told["two"][0] != told["two"][1] and told["smallest"]
    assert Solver(model).count(told["distinguishing_values"]).value == 1
    best = "A, B in 1..3. C in 1..2. A != B. maximize(A + B)."
    settled = json.loads(run("check", "-", "--json", stdin=best).stdout.splitlines()[-1])
    assert settled["objective"] == 5 and {2, 3} == {settled["two"][0]["A"], settled["two"][0]["B"]}
    assert len(settled["distinguishing_values"]) == 2


def test_check_looks_for_what_settles_to_the_end_only_when_told(limits: Limits) -> None:
    limits("dsl.cli.evidence", MIN_WORK=10)
    early = run("check", EXAMPLES / "latin.csp").stdout
    assert "would leave one solution" not in early and early.rstrip().endswith("settle it may take; --fine goes on")
    assert "would leave one solution; no fewer do" in run("check", EXAMPLES / "latin.csp", "--fine").stdout


def test_where_values_are_drawn_the_second_solution_is_whole() -> None:
    """What is drawn of a value needs the value, which a dot is not."""
    text = "cell(R, C) in 1..2 :- R in 1..1, C in 1..2. draw join(1, 1, 1, 2) : cell(1, 2) = cell(1, 1) + 1."
    assert "1 1    1 2" in run("check", "-", stdin=text).stdout.splitlines()


def test_in_a_layout_the_second_solution_is_whole() -> None:
    """A dot says that a place is empty, and would say that it is as in the first one."""
    text = """x(R, C) in 0..1 :- R in 1..2, C in 1..3.
    "row {R}": sum(x(R, C) : C in 1..3) = 2 :- R in 1..2.
    x(1, 1) != x(2, 1).
    show b(R, C) = '*' : R in 1..2, C in 1..3, x(R, C) = 1."""
    lines = run("check", "-", stdin=text).stdout.splitlines()
    assert lines[:3] == ["one      another", ". * *    . * *", "* . *    * * ."]
    sums = "A, B in 1..2. show pair(1, 1) = A + B, pair(1, 2) = A."
    assert "2 1    3 1" in run("check", "-", stdin=sums).stdout.splitlines()


def test_a_check_that_ends_before_it_can_ask_says_that_it_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*rest: object, **more: object) -> None:
        raise Ended("the limit of 5 seconds", 3)

    for where in ("dsl.lint.report.inspect", "dsl.cli.commands.check.Solver"):
        with monkeypatch.context() as patched:
            patched.setattr(where, end)
            result = run("check", EXAMPLES / "latin.csp", "--timeout", "5")
            assert result.stdout.endswith("latin.csp: not known; stopped by the limit of 5 seconds\n")
            told = json.loads(run("check", EXAMPLES / "latin.csp", "--timeout", "5", "--json").stdout)
            assert result.exit_code == 3 and told["solutions"] == "unknown"
            assert told["message"] == "not known; stopped by the limit of 5 seconds"


# one solution, and the best so far


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (example("shidoku"), "by propagation alone, at level arc"),
        (example("jigsaw"), "by propagation alone, at level singles"),
        (Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC"), Comparison(
            Affine.variable("A"), "<", Affine.variable("B"))]), "by propagation alone, at level"),
        (example("zebra"), "by a search of "),
    ],
)  # fmt: skip
def test_how_one_solution_is_proved(model: Model, told: str) -> None:
    solver = Solver(model)
    assert proof(solver, verdict(solver)).message.startswith(told)


def test_the_learner_is_named_where_it_has_proved_it() -> None:
    solver = Solver(example("zebra"), settings=Settings(search="auto", patience=0))
    assert "clingo after" in proof(solver, verdict(solver)).message
    assert run("check", EXAMPLES / "jigsaw.csp").stdout.endswith("proved by propagation alone, at level singles\n")


@pytest.mark.parametrize("text", [
    "C, D in 0..1. show total = 2. minimize(C).",
    "x(I) in 0..1 :- I in 1..3. show total = x(2). minimize(x(2)).",
])  # fmt: skip
def test_of_the_best_solutions_the_layout_is_the_answer(text: str) -> None:
    model = dsl.loads(text)
    assert verdict(Solver(model)).solutions == "one" and Solver(model).count().value == 1


def test_a_stopped_check_says_the_best_so_far() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "golomb.csp")
    stopped = verdict(Solver(model, settings=Settings(nodes=60, search="tree")))
    assert stopped.solutions == "unknown" and not stopped.is_best and len(stopped.found) == 1
    assert model.check(stopped.found[0]) and stopped.best == model.objective.value(stopped.found[0])  # type: ignore[union-attr]
    assert stopped.message.startswith(f"the least mark(9) so far is {stopped.best}, at least one solution; stopped by")
    nothing = verdict(Solver(model, settings=Settings(nodes=1)))
    assert nothing.message == "not known; stopped by the limit of 1 nodes"


def test_minimal_reasons_shorten_refutations() -> None:
    (model,) = islice(first("sgt_variants", 9), 8, None)
    solution = Solver(model).solve()
    assert solution is not None
    claim = Claim(Variable.of("cell(1,4)"), solution["cell(1,4)"])
    long, short = why(model, claim), why(model, claim, minimal=True)
    assert long.kind == short.kind == "search" and len([*short.lines()]) < len([*long.lines()])
