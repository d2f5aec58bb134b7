"""Mistakes of newcomers: each message says what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..commands import run, spec

CELLS = "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. grid clue(4, 4). cell(R, C) = V :- clue(R, C, V).\n"


def test_no_solution_names_the_command_that_explains_it(tmp_path: Path) -> None:
    for text in ("A in 1..2. A > 2.", "A in 1..2. A > 2. minimize(A)."):
        path = spec(tmp_path, text)
        result = run("solve", path)
        assert result.stdout == "no solution\n" and result.stderr == f"csp: run csp check {path} to see why\n"
        assert run("solve", path, "--json").stdout == '{"format": 2, "solution": null}\n'
    assert not run("solve", "-", stdin="A in 1..2. A > 2.").stderr


def test_a_missing_spec_is_not_mistaken_for_a_command() -> None:
    result = run("sudoku.csp")
    assert result.exit_code == 2 and result.stderr == "csp: sudoku.csp: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["difficulty", "a.csp"], "unknown command: difficulty; csp rate rates the difficulty"),
        (
            ["check", "a.csp", "--level", "arc"],
            "csp check has no --level; csp solve, csp propagate, csp trace, csp diff and other commands have it",
        ),
        (["solve", "a.csp", "--symmetry", "mirror"], "csp solve has no --symmetry; csp generate has it"),
        (["hint", "a.csp", "--level", "1"], "csp hint has no --level; it is called --detail"),
        (["check", "a.csp", "--jsn"], "No such option '--jsn'. Did you mean '--json'?\n"),
        (["check", "a.csp", "-x"], "No such option '-x'.\n"),
    ],
)
def test_unknown_commands_and_options_are_refused_with_advice(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and result.stderr.endswith(f"Error: {message.rstrip()}\n")


def test_zeros_for_blanks_are_reported_once(tmp_path: Path) -> None:
    (tmp_path / "zeros").write_text("1000\n0000\n0020\n0000\n", encoding="utf-8")
    output = run("check", spec(tmp_path, CELLS), "--grid", f"clue={tmp_path}/zeros").stdout
    assert output.count("error:") == 1 and "zeros:1:2: error: cell(1,2) = 0 is outside its domain 1..4" in output
    places = "line 1, columns 3 and 4; line 2, columns 1, 2 and 3; ..."
    assert f"hint: write . for a blank cell, here and for 13 more zeros ({places})\n" in output


def test_a_lowercase_index_is_reported_once_with_a_correct_hint(tmp_path: Path) -> None:
    output = run("check", spec(tmp_path, "x(r) in 1..4 :- r in 1..4.")).stdout
    assert output.count("error:") == 1 and "warning" not in output
    assert "write R: names that get values begin with a capital letter" in output
    second_output = run(
        "check", spec(tmp_path, "x(R) in 1..4 :- R in 1..4. all_different(x(R) : R in 1..4) :- r in 1..4.")
    ).stdout
    assert second_output.count("error:") == 1 and "write R: names that get values" in second_output


def test_a_subtraction_of_numbers_for_a_range_is_reported_once(tmp_path: Path) -> None:
    output = run("check", spec(tmp_path, "A in 1-9. B in 1..9. A < B.")).stdout
    assert output.count("1-9 is a subtraction") == 1 and "error: 1-9 is a subtraction" in output


def test_a_misspelt_grid_is_reported_once(tmp_path: Path) -> None:
    text = 'grid clue = "1". A in 1..4. A = V :- clues(_, _, V).'
    output = run("check", spec(tmp_path, text)).stdout
    assert "hint: did you mean clue?" in output and "warning" not in output


def test_an_unknown_variable_of_a_question_names_some_variables(tmp_path: Path) -> None:
    result = run("why", spec(tmp_path, "x(I) in 1..2 :- I in 1..7."), "B = 1")
    assert result.stderr == "csp: unknown variable: B; the variables are x(1), x(2), x(3), x(4), x(5), ...\n"
    result = run("why", spec(tmp_path, "A, C in 1..2."), "B = 1")
    assert result.stderr == "csp: unknown variable: B; the variables are A, C\n"


def test_a_similar_file_name_is_suggested_only_if_its_stem_is_similar(tmp_path: Path) -> None:
    (tmp_path / "22_if.csp").write_text("A in 1..2.", encoding="utf-8")
    (tmp_path / "sixes.csp").write_text("A in 1..2.", encoding="utf-8")
    output = run("check", spec(tmp_path, 'include "six.csp".')).stdout
    assert "did you mean sixes.csp?" in output
    (tmp_path / "sixes.csp").unlink()
    assert "did you mean" not in run("check", spec(tmp_path, 'include "six.csp".')).stdout


def test_generate_refuses_an_undeclared_grid(tmp_path: Path) -> None:
    result = run("generate", spec(tmp_path, "A in 1..2."), "--grid", "clue")
    cell = "and cell(R, C) = V :- clue(R, C, V)."
    assert f"unknown grid: clue; add these two clauses to the spec: grid clue(9, 9). {cell}\n" in result.stderr
    result = run("generate", spec(tmp_path, "x(I, V) in 1..3 :- I in 1..2, V in 1..3."), "--grid", "clue")
    assert "grid clue(2, 3). and x(I, V) = Value :- clue(I, V, Value).\n" in result.stderr


def test_generate_refuses_a_grid_larger_than_its_variables(tmp_path: Path) -> None:
    result = run("generate", spec(tmp_path, CELLS.replace("clue(4, 4)", "clue(5, 9)")), "--grid", "clue")
    reason = "grid clue has 5 rows of 9, and its clues can set only 4 rows of 4"
    assert result.exit_code == 2 and result.stderr == f"csp: {reason}; declare it as grid clue(4, 4)\n"


def test_an_unknown_grid_of_the_command_line_has_a_hint(tmp_path: Path) -> None:
    (tmp_path / "clue").write_text("1", encoding="utf-8")
    text = "param n = 2. x(R, C) in 1..2 :- R in 1..n, C in 1..n."
    output = run("check", spec(tmp_path, text), "--grid", f"clue={tmp_path}/clue").stdout
    assert "hint: add these two clauses to the spec: grid clue(n, n). and x(R, C) = V :- clue(R, C, V).\n" in output
    output = run("check", spec(tmp_path, CELLS), "--grid", f"first={tmp_path}/clue").stdout
    assert "unknown grid: first\n  hint: the spec has the grid clue\n" in output


def test_a_symbol_for_a_numeric_param_is_reported_as_the_option(tmp_path: Path) -> None:
    text = 'param box = 3. param n = box * box. A in 1..n. grid g(box, n) = "123".'
    output = run("check", spec(tmp_path, text), "--set", "box=three").stdout
    assert "spec.csp: error: param box is set to three, but must be a number\n" in output
    assert output.count("error:") == 1 and "hint: set box to a number, as in box=3\n" in output


def test_a_double_equals_sign_in_a_claim_has_a_hint(tmp_path: Path) -> None:
    result = run("why", spec(tmp_path, "A, C in 1..2."), "A == 1")
    assert result.exit_code == 2 and result.stderr.endswith("Invalid value for CLAIM: write a single =: A = 1\n")


def test_a_condition_written_as_a_body_has_a_hint_with_an_arrow(tmp_path: Path) -> None:
    output = run("check", spec(tmp_path, "A, B in 1..4. A = 1 :- B = 2.")).stdout
    assert 'for "if B = 2 then A = 1", write B = 2 -> A = 1; otherwise rename B\n' in output
    assert "singleton" not in output


def test_a_relation_without_facts_is_explained_and_written_as_empty(tmp_path: Path) -> None:
    """Check the hint for a relation without facts and the comment in a generated puzzle."""
    text = "x(I) in 1..3 :- I in 1..3. all_different(x(I) : I in 1..3). x(A) < x(B) :- less(A, B)."
    output = run("check", spec(tmp_path, text)).stdout
    assert "hint: define it by facts, less(1, 2). or as empty, less(1, 2) :- 1 = 2." in output
    text = f"{text}\nless(1, 2).\nless(2, 3).\nlow(1).\nx(I) <= 3 :- low(I).\n"
    result = run(
        "generate", spec(tmp_path, text), "--facts", "less", "--facts", "low", "--seed", 1, "--out", tmp_path / "d"
    )
    assert result.exit_code == 0
    assert "low(1) :- 1 = 2.  % low has no facts\n" in Path(result.stdout.strip()).read_text(encoding="utf-8")


def test_a_worksheet_without_rounds_suggests_steps_of_the_search(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..3. all_different([A, B, C]).")
    result = run("worksheet", path)
    assert "no round removes more than the givens: draw steps of the search by --steps 1..9" in result.stderr
    assert run("worksheet", path, "--steps", "1..9").exit_code == 0


def test_a_hint_for_a_puzzle_with_several_solutions_says_so(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..3. all_different([A, B, C]).")
    result = run("hint", path)
    assert result.exit_code == 1 and result.stdout == "no technique finds a next step\n"
    assert result.stderr == f"csp: the puzzle has several solutions: run csp check {path} to see two of them\n"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("grid clue =\n . . 4 .\n . 2 . .\nA in 1..4.", "not in double quotes", "write \" before"),
        ('grid clue = """\n . . 4 .\n . 2 . .\n""".\nA in 1..4.', "three quotes", "one double quote before"),
        (CELLS + "cell(R C) = 3 :- R in 1..4, C in 1..4.", "found C", "write a comma between them: R, C"),
        ('grid clue = "1. 2".\n' + CELLS[:43] + "cell(R, C) = clue(R, C).", "R and C have no", "cell(R, C) = V :-"),
    ],
)  # fmt: skip
def test_each_mistake_has_one_error_with_a_correct_hint(tmp_path: Path, text: str, message: str, hint: str) -> None:
    output = run("check", spec(tmp_path, text)).stdout
    assert output.count("error:") == 1 and message in output and hint in output
