"""Tests that tree, learner and brute force find the same answers.

``LEARNED=2000`` in the environment sets the number of random models.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import (
    WAYS,
    Affine,
    AllDifferent,
    CspError,
    Effort,
    Linear,
    Model,
    Objective,
    Settings,
    Solver,
    Stopped,
    TooLarge,
    Value,
    apply,
    multiply,
    verdict,
)
from csp.encoding import encoder
from csp.encoding.formula import Formula
from dsl.cli import main, progress

from ..conftest import ROOT, Limits
from ..makers import MAKERS, NAMES, expression
from ..oracle import every_solution

LEARNED = int(os.environ.get("LEARNED", "40"))
FAULT_SEEDS = (493, 625, 1162, 1576)
"""Seeds that found faults before."""

HARD = ROOT / "tests" / "benchmarks" / "hard"
STRATEGIES = [Settings(search="tree"), Settings(search="learn"), Settings(patience=0), Settings(patience=2)]
Shown = tuple[tuple[str, Value], ...]


def random_model(seed: int) -> Model:
    """Return a random model of several kinds of constraints.

    Some models have a cage, an objective or hidden variables.
    """
    rng = random.Random(f"learner {seed}")
    kinds = list(MAKERS)
    chosen = [kinds[seed % len(kinds)], *rng.choices(kinds, k=rng.randint(0, 2))]
    rules = [MAKERS[kind](rng) for kind in chosen]
    if rng.random() < 0.3:
        names = rng.sample(NAMES, rng.randint(3, 4))
        total = sum((Affine.variable(name) for name in names), Affine())
        rules += [AllDifferent.of(names), Linear(total, "=", Affine((), rng.randint(-2, 10)))]
    goal = rng.choice([expression(rng, rng.randrange(2)), Affine.variable(rng.choice(NAMES))])
    objective = Objective(rng.choice(["minimize", "maximize"]), goal) if goal.variables and rng.random() < 0.4 else None
    show = rng.choice([(), (), ("x",), ("C",), ("x", "D")])
    return Model({name: rng.sample(range(-2, 4), rng.randint(1, 5)) for name in NAMES}, rules, show, objective)


def find_answers_by_brute_force(model: Model) -> tuple[int | None, set[Shown]]:
    """Try all assignments; return the optimal objective and the shown solutions."""
    solutions = [values for values in every_solution(model) if model.check(values)]
    best = None
    if model.objective and solutions:
        best = model.objective.sign * min(model.objective.sign * model.objective.value(values) for values in solutions)
        solutions = [values for values in solutions if model.objective.value(values) == best]
    return best, {shown(model, values) for values in solutions}


def shown(model: Model, values: Any) -> Shown:
    return tuple((variable, values[variable]) for variable in model.shown)


def check_answers(model: Model, settings: Settings) -> None:
    """Check solutions, counts, verdict and optimum against brute force."""
    best, expected = find_answers_by_brute_force(model)
    solver = Solver(model, settings=settings)
    answers = solver.solutions()
    rows = [shown(model, solution) for solution in answers if model.check(solution)]
    assert (len(rows), set(rows), answers.complete) == (len(expected), expected, True)
    assert solver.count() == solver.session().count() == csp.Count(len(expected), True)
    first = solver.solve()
    assert (first is None) == (not expected) and (first is None or shown(model, first) in expected)
    assert verdict(solver).solutions == ("none", "one", "several")[min(2, len(expected))]
    if model.objective:
        values = [model.objective.value(solution) for solution in solver.improving()]
        assert values[-1:] == ([] if best is None else [best])
        assert values == sorted(set(values), key=lambda value: model.objective and model.objective.sign * -value)


@pytest.mark.parametrize("part", range(8))
def test_answers_of_random_models_equal_those_of_brute_force(part: int, limits: Limits) -> None:
    for seed in [*FAULT_SEEDS[part::8], *range(part, LEARNED, 8)]:
        limits("csp.encoding.encoder", MAX_TRIED=(0, 1000, 20)[seed % 3])
        limits("csp.encoding.terms", MAX_STEPS=(500, 0)[seed % 2])
        model = random_model(seed)
        try:
            for settings in STRATEGIES:
                check_answers(model, settings)
        except (AssertionError, CspError) as error:
            raise AssertionError(f"seed {seed}: {error}: {dsl.dumps(model)}") from error


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("qg5", 120), ("qg5_pairs", 120), ("knight", 304), ("steiner", 30), ("golfers", 72), ("hexagon", 1),
        ("squares", 1), ("sandwich", 1),
    ],
)  # fmt: skip
def test_the_learner_confirms_known_counts(name: str, count: int) -> None:
    solver = Solver(dsl.load(HARD / f"{name}.csp"), settings=Settings(search="learn"))
    assert solver.count() == csp.Count(count, True)


@pytest.mark.parametrize(("name", "best"), [("assignment", 124), ("salesman", 314)])
def test_known_optima_are_found(name: str, best: int) -> None:
    """Compare with optima that other methods found.

    An assignment algorithm found the first; the second is the minimum over all round trips.
    """
    model = dsl.load(HARD / f"{name}.csp")
    assert model.objective
    for search in WAYS:
        solution = csp.solve(model, settings=Settings(search=search))
        assert solution and model.check(solution) and model.objective.value(solution) == best


def test_optimal_golomb_rulers_are_found() -> None:
    lengths = {m: 44 if m == 9 else length for m, length in {4: 6, 5: 11, 6: 17, 7: 25}.items()}
    for marks, length in lengths.items():
        model = dsl.load(HARD / "golomb.csp", params={"m": marks})
        solution = csp.solve(model)
        assert solution and solution[f"mark({marks})"] == length


def test_the_tree_never_imports_clingo() -> None:
    code = "import sys, dsl, csp; csp.count(dsl.load('examples/sudoku.csp')); print('clingo' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert process.stdout == "False\n"


@pytest.mark.parametrize("patience", [0, 1, 5, 100])
def test_the_tree_hands_its_residual_over_to_the_learner(patience: int) -> None:
    """Check that tree and learner together find each answer once."""
    model = dsl.load(ROOT / "examples" / "all_interval.csp")
    solver = Solver(model, settings=Settings(patience=patience))
    answers = solver.solutions()
    rows = [tuple(solution.items()) for solution in answers]
    assert len(rows) == len(set(rows)) == 40 and answers.effort.conflicts > 0
    assert patience == 0 or answers.effort.failures > 0


def test_an_event_log_requires_the_tree() -> None:
    solver = Solver(dsl.load(ROOT / "examples" / "all_interval.csp"), settings=Settings(search="learn"))
    log: list[Any] = []
    answers = solver.solutions(log=log)
    next(answers)
    assert answers.effort.nodes > 1 and log


@pytest.mark.parametrize("search", WAYS)
def test_completions_of_one_answer_are_not_enumerated(search: csp.Way) -> None:
    spec = "X in 1..2. h(I) in 1..10 :- I in 1..6. X = 1 ; h(1) > 20. h(I) != h(I+1) :- I in 1..5. show X."
    solver = Solver(dsl.loads(spec), settings=Settings(search=search))
    count = solver.count()
    assert (count.value, count.complete) == (1, True)
    assert count.effort.nodes < 50 and count.effort.solutions < 5
    assert verdict(solver).solutions == "one"


@pytest.mark.parametrize("search", WAYS)
def test_solutions_that_show_equal_values_are_one_answer(search: csp.Way) -> None:
    rng = random.Random(search)
    cells = [f"x({i})" for i in range(1, 6)] + [f"h({i})" for i in range(1, 6)]
    for _ in range(3):
        pairs = [rng.sample(cells, 2) for _ in range(9)]
        rules = [Linear(Affine.variable(a), "<", Affine.variable(b) + rng.randint(0, 1)) for a, b in pairs]
        model = Model(dict.fromkeys(cells, (1, 2, 3)), rules, ("x",))
        answers = Solver(model, settings=Settings(search=search, patience=3)).solutions()
        rows = [shown(model, solution) for solution in answers]
        expected = {shown(model, values) for values in every_solution(model)}
        assert len(rows) == len(expected) and set(rows) == expected


def test_a_search_stops_at_its_limits() -> None:
    solver = Solver(dsl.load(HARD / "salesman.csp", params={"n": 18}), settings=Settings(search="learn"))
    with pytest.raises(Stopped, match=r"0\.2 seconds"):
        solver.solve(settings=Settings(search="learn", seconds=0.2))
    answers = solver.improving(settings=Settings(search="learn", nodes=50))
    assert (
        not [solution for solution in answers if not solver.model.check(solution)]
        and answers.stopped == "the limit of 50 nodes"
        and not answers.complete
    )
    assert answers.effort.conflicts >= 40

    def stop(effort: csp.Effort) -> None:
        raise Stopped("the user")

    assert solver.count(settings=Settings(search="learn"), progress=stop).stopped == "the user"


def test_a_too_large_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Formula, "most", 100)
    with pytest.raises(TooLarge, match="would need a formula of more than 100 clauses"):
        list(Solver(dsl.load(HARD / "knight.csp"), settings=Settings(search="learn")).solutions())


def make_weighted_model(xs: tuple[int, ...], ys: tuple[int, ...]) -> Model:
    x, y = csp.var("x"), csp.var("y")
    return Model({x: xs, y: ys}, [x != y], objective=Objective("maximize", x + y))


def test_weights_beyond_those_of_clingo_are_refused() -> None:
    best = {"x": 2_000_000_000, "y": 3_000_000_000}
    model = make_weighted_model((1, 1_000, best["x"]), (0, 5, best["y"]))
    with pytest.raises(TooLarge, match="would need a weight of 2,999,999,995 for the objective, beyond 2,147,483,647"):
        list(Solver(model, search="learn").improving())
    assert Solver(model, patience=0).solve() == Solver(model).solve() == best


def test_weights_are_divided_by_their_common_divisor() -> None:
    trillion = 10**12
    model = make_weighted_model((0, trillion, 3 * trillion), (0, 2 * trillion))
    assert Solver(model, search="learn").solve() == {"x": 3 * trillion, "y": 2 * trillion}


@pytest.mark.parametrize("patience", [0, 2, 9])
def test_the_tree_continues_if_the_formula_is_too_large(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Formula, "most", 20)
    spec = "q(I) in 1..6 :- I in 1..6. all_different(q(I) : I in 1..6). all_different(q(I) + I : I in 1..6)."
    spec += " all_different(q(I) - I : I in 1..6)."
    for clause, count in (("", 4), (" maximize(10*q(1) + q(6)).", 1), (" show q.", 4)):
        model = dsl.loads(spec + clause)
        rows = [tuple(s.values()) for s in Solver(model, settings=Settings(patience=patience)).solutions()]
        expected = [tuple(s.values()) for s in Solver(model, settings=Settings(search="tree")).solutions()]
        assert sorted(rows) == sorted(expected) and len({*rows}) == len(rows) == count
    hidden = dsl.loads(
        "q(I) in 1..6 :- I in 1..6. all_different(q(I) : I in 1..6). q(1) * q(2) = q(3) + q(4). show q(1)."
    )
    expected_values = {s["q(1)"] for s in Solver(hidden, settings=Settings(search="tree")).solutions()}
    values = [s["q(1)"] for s in Solver(hidden, settings=Settings(patience=patience)).solutions()]
    assert sorted(values) == sorted(expected_values)


def test_answers_of_a_wrong_encoding_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder.Encoder, "require", lambda self, constraint: None)
    with pytest.raises(CspError, match="a wrong answer of the search that learns, which breaks"):
        list(Solver(dsl.load(HARD / "knight.csp"), settings=Settings(search="learn")).solutions())


def test_an_unknown_search_is_refused() -> None:
    with pytest.raises(ValueError, match="search is one of auto, tree, learn, not grow"):
        Settings(search="grow")  # type: ignore[arg-type]


def test_invalid_objectives_are_refused() -> None:
    x = Affine.variable("x")
    with pytest.raises(csp.ModelError, match="neither minimize nor maximize"):
        Objective("optimize", x)  # type: ignore[arg-type]
    with pytest.raises(csp.ModelError, match="no variable"):
        Objective("minimize", Affine((), 3))
    with pytest.raises(csp.ModelError, match="names y, which has no domain"):
        Model({"x": (1, 2)}, objective=Objective("minimize", Affine.variable("y")))
    with pytest.raises(ValueError, match="no objective"):
        Solver(Model({"x": (1, 2)})).improving()


@pytest.mark.parametrize("search", WAYS)
def test_objectives_can_be_undefined_or_large(search: csp.Way) -> None:
    x, y = Affine.variable("x"), Affine.variable("y")
    settings = Settings(search=search, patience=0)
    quotient = Model({"x": (-2, 0, 3), "y": (0, 2)}, objective=Objective("maximize", apply("//", [x, y]) * -1))
    assert csp.solve(quotient, settings=settings) == {"x": -2, "y": 2}
    undefined = Model({"x": (1, 2), "y": (0,)}, objective=Objective("minimize", apply("//", [x, y])))
    assert csp.solve(undefined, settings=settings) is None and csp.count(undefined, settings=settings).value == 0
    area = multiply(x, y)
    domains = {"x": range(1, 60), "y": range(1, 60)}
    fence = Model(domains, [Linear(x + y, "<=", Affine((), 61))], objective=Objective("maximize", area))
    assert csp.count(fence, settings=settings).value == 2  # 30 by 31, and 31 by 30


@pytest.mark.parametrize(
    "second_objective", ["1 // sum((A : C = 1), (D : B = 1))", "x(C)", "max([(A : C = D), (B : C > D)])"]
)
@pytest.mark.parametrize("settings", STRATEGIES, ids=["tree", "learn", "auto", "turns"])
def test_every_priority_of_an_improving_solution_has_a_value(second_objective: str, settings: Settings) -> None:
    model = dsl.loads(f"A, B, C, D in 1..4. x(I) in 2..3 :- I in 3..4. minimize(D - x(3), {second_objective}).")
    assert model.objective
    priorities = model.objective.priorities
    all_values = [
        [objective.value(row) for objective in priorities] for row in every_solution(model) if model.check(row)
    ]
    answers = list(Solver(model, settings=settings).improving())
    best_values = [objective.value(answers[-1]) for objective in priorities]
    assert all(map(model.check, answers)) and best_values == min(all_values)


def test_variables_independent_of_the_objective_are_counted() -> None:
    x, y = Affine.variable("x"), Affine.variable("y")
    rules = [AllDifferent.of("xy"), AllDifferent.of("uv")]
    model = Model(dict.fromkeys("xyuvw", (1, 2, 3)), rules, objective=Objective("maximize", 2 * x + y))
    for settings in STRATEGIES:
        assert csp.count(model, settings=settings).value == 18
    unsolvable = Model({**model.domains, "u": (1,), "v": (1,)}, rules, objective=model.objective)
    for settings in STRATEGIES:
        assert csp.solve(unsolvable, settings=settings) is None


def test_one_and_two_threads_find_the_same_solutions() -> None:
    model = dsl.load(HARD / "knight.csp")
    answers, parallel_answers = (
        Solver(model, settings=Settings(search="learn", threads=n)).solutions() for n in (1, 2)
    )
    assert {tuple(solution.values()) for solution in answers} == {
        tuple(solution.values()) for solution in parallel_answers
    }


def test_the_interpreter_can_end_during_a_search(tmp_path: Path) -> None:
    """End a process while the learner searches; expect no error."""
    spec = HARD / "golomb.csp"
    code = (
        f"import csp, dsl; s = csp.Settings(search='learn'); m = dsl.load({str(spec)!r});"
        "a = csp.Solver(m, settings=s).improving(); print(next(a) is not None)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (process.returncode, process.stdout, process.stderr) == (0, "True\n", "")


# the command line


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def spec_path(tmp_path: Path) -> Path:
    path = tmp_path / "best.csp"
    path.write_text("X, Y, Z in 1..4. all_different(X, Y, Z). maximize(X + 2*Y). show X, Y.")
    return path


@pytest.mark.parametrize("search", WAYS)
def test_solve_prints_an_optimal_solution(spec_path: Path, search: str) -> None:
    assert run("solve", spec_path, "--search", search) == (0, "X = 3\nY = 4\ngreatest: 11\n", "")
    assert run("solve", spec_path, "--search", search, "--count") == (0, "1\n", "")
    code, output, _ = run("solve", spec_path, "--search", search, "--all", "--json")
    assert (code, json.loads(output)) == (0, {"format": 2, "solution": {"X": 3, "Y": 4}, "objective": 11})
    code, output, _ = run("solve", spec_path, "--search", search, "--json")
    *earlier_records, last_record = map(json.loads, output.splitlines())
    assert last_record == {"format": 2, "solution": {"X": 3, "Y": 4}, "objective": 11, "proved": True}
    assert all(record["proved"] is False and record["objective"] < 11 for record in earlier_records)
    code, output, _ = run("check", spec_path, "--search", search, "--ignore", "unused-variable")
    assert code == 0 and output.startswith(
        f"{spec_path}: the greatest X + 2*Y is 11, one solution, proved by a search of "
    )
    code, output, _ = run("check", spec_path, "--json")
    assert json.loads(output)["objective"] == 11 and json.loads(output)["solutions"] == "one"


@pytest.mark.skipif(os.name == "nt", reason="there is no alarm there")
def test_solve_prints_the_best_solution_before_a_timeout(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Raise the alarm of the time limit after two solutions."""
    report = progress.ProgressWatch.__call__

    def report_and_alarm(watch: progress.ProgressWatch, effort: Effort) -> None:
        if effort.solutions >= 2 and not watch.why:
            signal.raise_signal(signal.SIGALRM)
        report(watch, effort)

    monkeypatch.setattr(progress.ProgressWatch, "__call__", report_and_alarm)
    limits("dsl.cli.progress", GRACE=1000.0)
    arguments = (HARD / "salesman.csp", "--set", "n=18", "--timeout", "1000")
    code, output, errors = run("solve", *arguments, "--json")
    last_record = json.loads(output.splitlines()[-1])
    assert code == 3 and last_record["proved"] is False
    assert errors == f"csp: stopped by the limit of 1000 seconds: {last_record['objective']} is the best so far\n"
    code, output, _ = run("solve", *arguments)
    assert code == 3 and output.splitlines()[-1].startswith("so far: ")


def test_an_objective_without_solutions_gives_no_solution(tmp_path: Path) -> None:
    path = tmp_path / "none.csp"
    path.write_text("X in 1..2. X > 1. X != 2. minimize(X).")
    assert run("solve", path) == (1, "no solution\n", f"csp: run csp check {path} to see why\n")
    hint = f"csp: run csp check {path} to see why\n"
    assert run("solve", path, "--json") == (1, '{"format": 2, "solution": null}\n', hint)
    assert run("solve", path, "--count") == (1, "0\n", "")
    assert run("check", path)[0] == 1


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_ends_the_learner() -> None:
    command = [sys.executable, "-m", "dsl", "solve", str(HARD / "salesman.csp"), "--set", "n=18", "--json"]
    with subprocess.Popen(
        [*command, "--search", "learn"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as running:
        assert running.stdout
        first = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == 130 and json.loads(first)["proved"] is False
    assert errors.startswith("csp: stopped by Ctrl-C: ") and json.loads(output.splitlines()[-1])["proved"] is False
