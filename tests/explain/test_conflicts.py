"""Tests of conflict sets in csp check, and of csp guard."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import dsl
from csp import Affine, AllDifferent, Equality, Model, Objective, Settings, Solver, Variable
from csp.explain import conflict, guard

from ..commands import EASY, EXAMPLES, SOLVED, run, spec
from ..conftest import TIMES
from ..evidence import DATA, RIPPLE, change_constraint, faults, first, mutants, random_model
from ..oracle import every_solution

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

BROKEN = EASY[:24] + "4" + EASY[25:]  # 4 instead of 5 in row 3


# conflict sets


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_variants"])
def test_a_conflict_has_no_solution_and_needs_every_element(name: str) -> None:
    for model in mutants(DATA / f"{name}.jsonl", 2 * TIMES):
        assert faults(model, conflict(Solver(model))) == []


def test_conflicts_of_random_models_are_minimal_by_brute_force() -> None:
    unsatisfiable_count = 0
    for seed in range(60 * TIMES):
        model = random_model(seed)
        if any(True for _ in every_solution(model)):
            continue
        unsatisfiable_count += 1
        conflict_set = conflict(Solver(model), fine=seed % 2 == 1)
        assert conflict_set.is_minimal
        assert not any(True for _ in every_solution(Model(model.domains, conflict_set.constraints)))
        for unit in conflict_set.units:
            remaining = [c for kept_unit in conflict_set.units if kept_unit is not unit for c in kept_unit.constraints]
            assert any(True for _ in every_solution(Model(model.domains, remaining))), (seed, unit)
    assert unsatisfiable_count > 5


def test_units_are_labelled_rules_or_pairs_on_request() -> None:
    rules = [AllDifferent.of("ABC", label="row"), AllDifferent.of("CD", label="pair")]
    rules += [Equality(Variable(name), 1, label="ones", line=3) for name in "AC"]
    solver = Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules))
    assert [len(unit.constraints) for unit in conflict(solver).units] == [1, 2]
    fine = conflict(solver, fine=True)
    assert [str(constraint) for constraint in fine.constraints] == ["A != C", "A = 1", "C = 1"]
    assert [constraint.label for constraint in fine.constraints] == ["row", "ones", "ones"]
    with pytest.raises(ValueError, match="there is a solution"):
        conflict(Solver(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")])))


def test_a_conflict_that_needs_search_reports_the_limit_that_stopped_it() -> None:
    model = dsl.load(RIPPLE)
    conflict_set = conflict(Solver(model))
    assert conflict_set.failure is None and faults(model, conflict_set) == []
    limited = conflict(Solver(model, settings=Settings(nodes=1)))
    assert not limited.is_minimal and "(perhaps fewer suffice): stopped by the limit of 1 node" in limited.message
    assert Solver(Model(model.domains, limited.constraints)).solve() is None
    timed_out = conflict(Solver(model, settings=Settings(seconds=0)))
    assert timed_out.doubts == len(timed_out.units) and "stopped by the limit of 0 seconds" in timed_out.message


def test_a_conflict_of_a_model_with_an_objective_names_only_constraints() -> None:
    objective = Objective("minimize", Affine.variable("A"))
    rules = [Equality(Variable("A"), 1), Equality(Variable("A"), 2), AllDifferent.of("AB")]
    conflict_set = conflict(Solver(Model({"A": (1, 2), "B": (1, 2)}, rules, objective=objective)))
    assert [unit.name for unit in conflict_set.units] == ["A = 1", "A = 2"]


def test_check_prints_a_conflict_with_places_like_a_compiler(tmp_path: Path) -> None:
    clue = tmp_path / "clue.txt"
    clue.write_text("\n".join(BROKEN[i : i + 9] for i in range(0, 81, 9)))
    result = run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}")
    assert result.exit_code == 1
    sentence = "these 9 constraints contradict each other; without any one of them, the others do not"
    assert f"{EXAMPLES / 'sudoku.csp'}: {sentence}" in result.stdout
    assert f"{clue}:3:7: note: cell(3,7) = 4\n    3 | .98...46.\n      |       ^\n" in result.stdout
    assert "note: row 3\n   25 | " in result.stdout and "  so row 3 (line 25) cannot hold" in result.stdout
    record = json.loads(run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}", "--json").stdout)
    assert record["solutions"] == "none" and record["minimal"] is True and len(record["conflict"]) == 9
    assert {(unit["file"], unit["line"]) for unit in record["conflict"][2:]} == {
        (str(clue), line) for line in (1, 2, 3)
    }
    fine = run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}", "--fine")
    assert "box 1,2: cell(1,5) != cell(3,4)" in fine.stdout


# constraints that rule a solution out


def test_guard_blames_the_constraint_that_a_solution_breaks() -> None:
    rng = random.Random(3)
    for model in first("sgt_06x06", 4) + first("sgt_variants", 8):
        solution = Solver(model).solve()
        assert solution is not None
        assert guard(Solver(model), solution).is_valid
        changed_model = change_constraint(model, rng)
        (wrong_constraint,) = set(changed_model.constraints) - set(model.constraints)
        result = guard(Solver(changed_model), solution)
        assert not result.is_valid and result.broken == (wrong_constraint,)
        assert result.record is None or wrong_constraint in result.removing_constraints, (wrong_constraint, result)


def test_guard_blames_the_constraint_of_the_model_for_its_auxiliary_variables() -> None:
    """Check that guard blames a conjunction for an auxiliary variable of its part."""
    model = dsl.loads("z(I) in 1..4 :- I in 1..3. (z(1) != z(2), all_different_except(0, [z(z(1)), z(2), z(3)])).")
    result = guard(Solver(model), {"z(1)": 4, "z(2)": 1, "z(3)": 2})
    assert result.lost == ((Variable("z", 1), 4),) and result.removing_constraints == model.constraints
    for settings in (Settings(), Settings(level="arc")):
        program = Solver(model, settings=settings).program
        assert {number for origins in program.origins for number in origins} == {0}


def test_guard_prints_whether_a_solution_satisfies_the_spec(tmp_path: Path) -> None:
    grid = run("solve", EXAMPLES / "sudoku.csp").stdout
    for text in (grid, SOLVED, grid.replace("5", ".", 7), run("solve", EXAMPLES / "sudoku.csp", "--json").stdout):
        (tmp_path / "solution").write_text(text)
        result = run("guard", EXAMPLES / "sudoku.csp", "--solution", tmp_path / "solution")
        assert result.exit_code == 0 and "the solution is valid, and propagation alone finds it" in result.stdout
    broken = run(
        "guard", EXAMPLES / "sudoku.csp", "--grid", "clue=-", "--solution", tmp_path / "solution", stdin=BROKEN
    )
    assert broken.exit_code == 1 and "note: cell(3,7) = 4\n" in broken.stdout
    assert "; the solution has cell(3,7) = 5\nit violates cell(3,7) = 4 (line 30)\n" in broken.stdout
    zebra = run("solve", EXAMPLES / "zebra.csp", "--json").stdout
    result_of_zebra = run("guard", EXAMPLES / "zebra.csp", "--solution", "-", stdin=zebra)
    assert result_of_zebra.exit_code == 0 and "propagation leaves 18 variables unfixed" in result_of_zebra.stdout
    kakuro = run("solve", EXAMPLES / "kakuro.csp").stdout
    assert run("guard", EXAMPLES / "kakuro.csp", "--solution", "-", stdin=kakuro).exit_code == 0
    swapped = kakuro.replace("5   4", "4   5", 1)
    refuted = run("guard", EXAMPLES / "kakuro.csp", "--solution", "-", "--json", stdin=swapped)
    record = json.loads(refuted.stdout)
    assert refuted.exit_code == 1 and not record["valid"]
    assert {reason["message"] for reason in record["broken"]} == {"sum below 1,2", "sum below 1,3"}
    assert {reason["message"] for reason in record["removing_constraints"]} <= {
        "sum below 1,2",
        "sum below 1,3",
        "below 1,2",
        "below 1,3",
    }


def is_accepted_as_printed(name: str) -> bool:
    """Return whether guard accepts the printed answer of an example."""
    printed = run("solve", EXAMPLES / f"{name}.csp").stdout
    result = run("guard", EXAMPLES / f"{name}.csp", "--solution", "-", stdin=printed)
    return result.exit_code == 0 and "the solution is valid" in result.stdout


@pytest.mark.parametrize(
    "name", ["zebra", "killer", "futoshiki", "star", "skyscrapers", "akari", "slitherlink", "cojun", "states"]
)
def test_guard_reads_the_printed_answer(name: str) -> None:
    """Read tables, frames with clues, signs between cells, layouts and drawings."""
    assert is_accepted_as_printed(name)


@pytest.mark.parametrize("name", ["assignment", "golomb", "salesman", "exam_timetable"])
def test_guard_reads_an_answer_with_a_line_for_its_objective(name: str) -> None:
    assert is_accepted_as_printed(name)


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted({path.stem for path in EXAMPLES.glob("*.csp")}))
def test_guard_reads_the_printed_answer_of_every_example(name: str) -> None:
    assert is_accepted_as_printed(name)


def test_guard_reads_a_plain_grid_for_a_board_with_signs_between_rows(tmp_path: Path) -> None:
    path = spec(tmp_path, "x(R, C) in 1..2 :- R in 1..2, C in 1..2. x(1,1) < x(1,2). x(1,1) < x(2,1). x(2,1) > x(2,2).")
    assert "∧" in run("solve", path).stdout
    assert run("guard", path, "--solution", "-", stdin="1 2\n2 1\n").exit_code == 0
    refused = run("guard", path, "--solution", "-", stdin="2 2\n2 1\n")
    assert refused.exit_code == 1 and "it violates x(1,1) < x(1,2) (line 1), x(1,1) < x(2,1) (line 1)" in refused.stdout


def test_guard_reads_a_drawn_answer_that_breaks_the_spec() -> None:
    """Read an answer that the spec would draw differently.

    From an answer of the spec, changes of single values lead to the text.
    """
    first_row, second_row, *rows = run("solve", EXAMPLES / "sukoro.csp").stdout.splitlines()
    result = run("guard", EXAMPLES / "sukoro.csp", "--solution", "-", stdin="\n".join([second_row, first_row, *rows]))
    assert result.exit_code == 1 and "it violates" in result.stdout


def test_guard_names_the_wrong_row_of_a_table() -> None:
    printed = run("solve", EXAMPLES / "zebra.csp").stdout
    result = run("guard", EXAMPLES / "zebra.csp", "--solution", "-", stdin=printed.replace("fox", "cat"))
    assert result.exit_code == 2 and "does not have dog, snails, fox, horse, zebra once each" in result.stderr
    swapped = printed.replace("tea ", "cat").replace("milk", "tea").replace("cat", "milk")
    assert run("guard", EXAMPLES / "zebra.csp", "--solution", "-", stdin=swapped).exit_code == 1


@pytest.mark.parametrize("name", ["langford", "masyu", "tents"])
def test_guard_refuses_a_text_that_it_cannot_read(name: str) -> None:
    printed = run("solve", EXAMPLES / f"{name}.csp").stdout
    refused = run("guard", EXAMPLES / f"{name}.csp", "--solution", "-", stdin=printed.replace("\n", "\n?\n", 1))
    assert refused.exit_code == 2 and "write it as csp solve --json prints it" in refused.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the solution is empty"),
        ("1 2 3", "the solution has 3 values or words, but an answer has 16; write it as csp solve --json"),
        ("{", "the solution is not JSON"),
        ('{"cell(9,9)": 1}', "unknown variable"),
        ('{"A": 1.5}', "which is neither a number nor a symbol"),
    ],
)
def test_guard_refuses_a_text_that_is_not_a_solution(text: str, message: str) -> None:
    result = run("guard", EXAMPLES / "shidoku.csp", "--solution", "-", stdin=text)
    assert result.exit_code == 2 and message in result.stderr


def test_guard_reports_values_outside_of_domains_and_refutation_by_search() -> None:
    foreign = run("guard", EXAMPLES / "shidoku.csp", "--solution", "-", stdin='{"A": 7}')
    assert foreign.exit_code == 1 and "A = 7: not in its domain" in foreign.stdout
    model = dsl.load(RIPPLE)
    assert guard(Solver(model), {"cell(1,1)": 1}).is_open
