"""What newcomers met: each command says what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from .commands import run, spec

CELLS = "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. grid clue(4, 4). cell(R, C) = V :- clue(R, C, V).\n"


def test_no_solution_names_the_command_that_says_why(tmp_path: Path) -> None:
    for text in ("A in 1..2. A > 2.", "A in 1..2. A > 2. minimize(A)."):
        path = spec(tmp_path, text)
        told = run("solve", path)
        assert told.stdout == "no solution\n" and told.stderr == f"csp: run csp check {path} to see why\n"
        assert run("solve", path, "--json").stdout == '{"format": 2, "solution": null}\n'
    assert not run("solve", "-", stdin="A in 1..2. A > 2.").stderr


def test_a_spec_that_is_not_there_is_no_command() -> None:
    missing = run("sudoku.csp")
    assert missing.exit_code == 2 and missing.stderr == "csp: sudoku.csp: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["difficulty", "a.csp"], "There is no command difficulty; csp rate says how hard a puzzle is"),
        (["check", "a.csp", "--level", "arc"], "No such option '--level'.\n"),
        (["check", "a.csp", "--jsn"], "No such option '--jsn'. Did you mean '--json'?\n"),
        (["check", "a.csp", "-x"], "No such option '-x'.\n"),
    ],
)
def test_words_that_are_not_known(words: list[str], message: str) -> None:
    refused = run(*words)
    assert refused.exit_code == 2 and refused.stderr.endswith(f"Error: {message.rstrip()}\n")


def test_zeros_for_blanks_are_one_report(tmp_path: Path) -> None:
    (tmp_path / "zeros").write_text("1000\n0000\n0020\n0000\n", encoding="utf-8")
    told = run("check", spec(tmp_path, CELLS), "--grid", f"clue={tmp_path}/zeros").stdout
    assert told.count("error:") == 1 and "zeros:1:2: error: cell(1,2) = 0 is outside its domain 1..4" in told
    assert "a blank is written .;" in told and "; 13 more zeros at 1:3, 1:4, 2:1, 2:2, 2:3, 2:4, 3:1, 3:2, ..." in told


def test_a_lowercase_index_is_one_report_with_a_true_hint(tmp_path: Path) -> None:
    told = run("check", spec(tmp_path, "x(r) in 1..4 :- r in 1..4.")).stdout
    assert told.count("error:") == 1 and "warning" not in told
    assert "logical variables begin in uppercase: R in 1..4" in told
    warned = run(
        "check", spec(tmp_path, "x(R) in 1..4 :- R in 1..4. all_different(x(R) : R in 1..4) :- r in 1..4.")
    ).stdout
    assert "[empty-clause]" in warned and "logical variables begin in uppercase: R in 1..4" in warned


def test_files_are_like_each_other_by_more_than_their_ending(tmp_path: Path) -> None:
    (tmp_path / "22_if.csp").write_text("A in 1..2.", encoding="utf-8")
    (tmp_path / "sixes.csp").write_text("A in 1..2.", encoding="utf-8")
    told = run("check", spec(tmp_path, 'include "six.csp".')).stdout
    assert "did you mean sixes.csp?" in told
    (tmp_path / "sixes.csp").unlink()
    assert "did you mean" not in run("check", spec(tmp_path, 'include "six.csp".')).stdout


def test_a_spec_without_the_grid_to_choose_from(tmp_path: Path) -> None:
    refused = run("generate", spec(tmp_path, "A in 1..2."), "--grid", "clue")
    assert "there is no grid clue to choose from; add one, such as grid clue(9, 9). cell(R, C)" in refused.stderr


def test_a_relation_without_facts(tmp_path: Path) -> None:
    """How it is declared is told, and a puzzle that is set says what is empty."""
    text = "x(I) in 1..3 :- I in 1..3. all_different(x(I) : I in 1..3). x(A) < x(B) :- less(A, B)."
    told = run("check", spec(tmp_path, text)).stdout
    assert "hint: facts do, less(1, 2). or, of none, less(1, 2) :- 1 = 2." in told
    text = f"{text}\nless(1, 2).\nless(2, 3).\nlow(1).\nx(I) <= 3 :- low(I).\n"
    made = run(
        "generate", spec(tmp_path, text), "--facts", "less", "--facts", "low", "--seed", 1, "--out", tmp_path / "d"
    )
    assert made.exit_code == 0
    assert "low(1) :- 1 = 2.  % low has no facts\n" in Path(made.stdout.strip()).read_text(encoding="utf-8")


def test_a_worksheet_without_rounds_says_what_to_draw(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..3. all_different([A, B, C]).")
    told = run("worksheet", path)
    assert "no round removes more than what is given: draw steps of the search by --steps 1..9" in told.stderr
    assert run("worksheet", path, "--steps", "1..9").exit_code == 0
