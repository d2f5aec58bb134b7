"""Candidates and needed constraints, compared with enumeration."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import CONSTRAINTS, Model, Objective, Settings, Solver
from csp.engine.solver import engine
from csp.explain import NotOne, candidates, needs, removable
from dsl.cli import main

from ..commands import spec
from ..conftest import ROOT, TIMES
from ..evidence import first
from ..makers import NAMES, affine, any_kind
from ..oracle import every_solution

KINDS = [kind for kind in CONSTRAINTS if kind.__name__ not in ("Inverse", "Circuit")]


def random_model(rng: random.Random) -> Model:
    constraints = [any_kind(rng, KINDS) for _ in range(rng.randint(1, 3))]
    domains = {name: rng.sample(range(-1, 5), rng.randint(2, 4)) for name in NAMES}
    show = ["x"] if rng.random() < 0.4 else []
    objective = Objective("maximize", affine(rng, NAMES[:2])) if rng.random() < 0.3 else None
    return Model(domains, constraints, show, objective)


def test_candidates_are_the_values_of_all_solutions() -> None:
    rng = random.Random(3)
    models_with_several_answers = 0
    for _ in range(60 * TIMES):
        model = random_model(rng)
        solutions = list(every_solution(model))
        if model.objective and solutions:
            optimum = max(model.objective.value(solution) for solution in solutions)
            solutions = [solution for solution in solutions if model.objective.value(solution) == optimum]
        answers = {tuple(solution[variable] for variable in model.shown) for solution in solutions}
        cutoff = rng.choice([1, 2, 5, 1000])
        result = candidates(Solver(model), cutoff)
        assert result.holds == bool(answers) and not result.stopped
        for i, variable in enumerate(model.shown):
            counts = {
                value: min(cutoff, sum(answer[i] == value for answer in answers)) for value in model.domains[variable]
            }
            assert result.counts[variable] == {value: count for value, count in counts.items() if count}
            assert (variable in result.backbone) == (len({answer[i] for answer in answers}) == 1)
        models_with_several_answers += len(answers) > 5
    assert models_with_several_answers > 10


def test_candidates_start_few_trees_after_a_switch_to_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    tree_count = 0

    class Tree(engine.Search):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            nonlocal tree_count
            tree_count += 1
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(engine, "Search", Tree)
    clue = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1........"
    model = dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": clue})
    expected = candidates(Solver(model, settings=Settings(search="learn"))).domains
    tree_count = 0
    assert candidates(Solver(model, settings=Settings(patience=0))).domains == expected and tree_count < 8
    tree_count = 0
    assert candidates(Solver(model, settings=Settings(search="tree"))).domains == expected and tree_count > 30


def test_candidates_report_the_limit_at_which_they_stopped() -> None:
    solver = Solver(dsl.load(ROOT / "examples" / "latin.csp"), settings=Settings(nodes=3))
    result = candidates(solver)
    assert result.stopped == "the limit of 3 nodes"
    with pytest.raises(ValueError, match="cutoff is at least 1"):
        candidates(solver, 0)


def test_needed_constraints_are_those_of_enumeration() -> None:
    rng = random.Random(5)
    needed = redundant = 0
    while needed + redundant < 25 * TIMES:
        model = random_model(rng)
        model = Model(model.domains, [*model.constraints, *[any_kind(rng, KINDS) for _ in range(2)]], model.show)
        solutions = list(every_solution(model))
        answers = {tuple(solution[variable] for variable in model.shown) for solution in solutions}
        if len(answers) != 1:
            with pytest.raises(NotOne):
                list(needs(Solver(model)))
            continue
        for number, need in enumerate(needs(Solver(model))):
            other_constraints = [constraint for i, constraint in enumerate(model.constraints) if i != number]
            solutions_without = list(every_solution(Model(model.domains, other_constraints, model.show)))
            assert need.constraint == model.constraints[number]
            assert need.is_needed == (
                len({tuple(solution[v] for v in model.shown) for solution in solutions_without}) > 1
            )
            if need.is_needed:
                needed += 1
                assert need.other in solutions_without and need.differences
                for (variable, value), (same_variable, other_value) in need.differences:
                    assert (
                        variable == same_variable
                        and value == solutions[0][variable]
                        and other_value == need.other[variable] != value
                    )  # type: ignore[index]
            else:
                redundant += 1
    assert needed > 10 < redundant


def test_neither_of_two_equal_givens_is_needed() -> None:
    givens = [csp.Equality(csp.Variable("A"), 1, label=label) for label in ("one", "two")]
    assert [need.is_needed for need in needs(Solver(Model({"A": (1, 2)}, givens)))] == [False, False]
    assert [need.is_needed for need in needs(Solver(Model({"A": (1, 2)}, givens[:1])))] == [True]


def run(*arguments: str) -> tuple[int, str]:
    """Run a command and return its exit code and its output."""
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


SMALL = ["examples/sudoku.csp", "--set", "box=2", "--grid"]


def test_candidates_and_minimal_print_text_json_and_specs(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    path = tmp_path / "clues"
    path.write_text("4..2............")
    grid = f"clue={path}"
    code, marks = run("candidates", *SMALL, grid)
    assert code == 0 and marks.splitlines()[0].split() == ["4", "13", "|", "13", "2"]
    assert run("candidates", *SMALL, grid, "--cutoff", "5")[1].splitlines()[3] == "cell(1,4)  2: 5+"
    code, spec = run("candidates", *SMALL, grid, "--spec")
    assert dsl.loads(spec).domains["cell(1,2)"] == (1, 3)
    result = json.loads(run("candidates", *SMALL, grid, "--json")[1])
    assert result["candidates"]["cell(1,2)"] == [[1, 1], [3, 1]] and result["backbone"] == {
        "cell(1,1)": 4,
        "cell(1,4)": 2,
    }
    assert run("minimal", *SMALL, grid) == (1, "csp: there are several solutions; csp check shows the evidence\n")
    path.write_text("44..............")
    assert run("candidates", *SMALL, grid) == (1, "no solution\n")
    assert run("minimal", *SMALL, grid)[0] == 1
    path.write_text(generate_line())
    code, output = run("minimal", *SMALL, grid)
    *lines, summary = output.splitlines()
    assert code == 1 and summary.startswith("needed: 0 of 12 groups, 4 of 4 givens")
    assert [line.split()[:2] for line in lines] == [["redundant", "group"]] * 12 + [["needed", "given"]] * 4
    assert all(": without it cell(" in line for line in lines[12:])
    first_need = json.loads(run("minimal", *SMALL, grid, "--json")[1].splitlines()[-1])
    assert (
        first_need["needed"]
        and first_need["kind"] == "given"
        and first_need["line"] == 30
        and first_need["differences"]
    )
    assert run("candidates", "examples/latin.csp", "--spec", "--json")[0] == 2
    path.write_text("................")


def generate_line() -> str:
    """Return four givens that determine a grid of four by four."""
    code, line = run("generate", *SMALL[:4], "clue", "--seed", "1", "--givens", "4")
    assert code == 0 and csp.count(dsl.load("examples/sudoku.csp", {"box": 2}, {"clue": line.strip()})).value == 1
    return line


def test_minimal_lists_redundant_clues_and_clues_that_can_be_removed_together(tmp_path: Path) -> None:
    path = spec(tmp_path, 'A, B in 1..2. "all": A != B. "one": A < B. "two": B > A.')
    lines = run("minimal", str(path))[1].splitlines()
    assert lines[-2:] == [
        "needed: 0 of 1 groups, 0 of 2 clues; each redundant one can be dropped alone",
        "can be dropped together: two (line 1)",
    ]
    needed_lines = run("minimal", str(spec(tmp_path, "A in 1..2. A < 2.")))[1].splitlines()
    assert needed_lines[-1] == "needed: 1 of 1 clues"


@pytest.mark.parametrize("name", ["sgt_06x06", "sgt_variants"])
def test_removable_constraints_can_be_removed_together(name: str) -> None:
    for model in first(name, 3):
        solver = Solver(model)
        removed = removable(solver, needs(solver))
        remaining = [constraint for constraint in model.constraints if constraint not in removed]
        assert Solver(Model(model.domains, remaining)).count(limit=2).value == 1
