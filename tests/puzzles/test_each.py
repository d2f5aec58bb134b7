"""Tests of csp solve --each, which solves one puzzle for each line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..commands import EASY, EXAMPLES, SOLVED, run, spec
from ..conftest import ROOT


def test_each_reads_standard_input_once() -> None:
    result = run("solve", "-", "--each", "clue=-", stdin="A in 1..2.")
    assert result.exit_code == 2 and "standard input can be read only once" in result.stderr


def test_each_prints_an_answer_for_each_line(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    clash = "55" + EASY[2:]
    lines.write_text(f"# comment\n{EASY} a note\n\n{EASY.replace('.', '0')}\n{clash}\nbad\n{'x' + EASY[1:]}\n{EASY}\n")
    result = run("solve", EXAMPLES / "sudoku.csp", "--each", f"clue={lines}")
    assert result.stdout.splitlines() == [SOLVED, SOLVED, "none", "error", "error", SOLVED]
    assert result.exit_code == 2
    assert f"{lines}:6: it has 3 characters, and the grid has 81 cells" in result.stderr
    assert f"{lines}:7: x in row 1, column 1:" in result.stderr
    result_from_stdin = run("solve", EXAMPLES / "sudoku.csp", "--each", "clue=-", stdin=f"{EASY}\n{clash}\n")
    assert result_from_stdin.exit_code == 0 and result_from_stdin.stdout.splitlines() == [SOLVED, "none"]


def test_each_accepts_other_sizes() -> None:
    result_4x4 = run("solve", EXAMPLES / "sudoku.csp", "--set", "box=2", "--each", "clue=-", stdin="..4..2....1..3..\n")
    assert result_4x4.stdout == "3142423124131324\n"
    result_16x16 = run(
        "solve", EXAMPLES / "sudoku.csp", "--set", "box=4", "--each", "clue=-", stdin="G" + "." * 255 + "\n"
    )
    assert result_16x16.stdout[0] == "G" and set(result_16x16.stdout.strip()) == set("123456789ABCDEFG")
    result = run("solve", EXAMPLES / "sudoku.csp", "--each", "clue=-", stdin="." * 16 + "\n")
    assert result.stdout == "error\n" and result.exit_code == 2


def test_each_evaluates_the_spec_again_if_the_grid_is_used_outside_of_givens(tmp_path: Path) -> None:
    path = spec(
        tmp_path,
        "grid g. x(R, C) in 1..4 :- R in 1..2, C in 1..2. x(R, C) = V :- g(R, C, V). x(1, 1) = 3 :- not g(1, 1, _).",
    )
    result = run("solve", path, "--each", "g=-", stdin="1234\n..12\n")
    assert result.stdout.splitlines() == ["1234", "3112"]


CELLS = "grid g. x(R, C) in {0} :- R in 1..2, C in 1..2. x(1, 1) != x(1, 2). "


@pytest.mark.parametrize(
    ("text", "lines", "answers"),
    [
        (CELLS.format("1..2") + '"given {R}{C}": V = x(R, C) :- g(R, C, V), V != 3.', "2.11 2222", "2111 none"),
        (CELLS.format("0..1") + "x(R, C) = D :- g(R, C, V), D = V - 1.", "2.11 3...", "2111 error"),
        (CELLS.format("{r, s}") + "x(R, C) = V :- g(R, C, V).", "s.r. 1...", "srrr error"),
        (CELLS.format("1..2") + "means(a, 1). means(b, 2). x(R, C) = D :- g(R, C, V), means(V, D).", ".abb", "babb"),
        ("grid g. x(I) in 1..4 :- I in 1..4. x(P) = V :- g(R, C, V), P = 2*(R-1) + C. x(2) = 3.", "1..4", "1314"),
        (CELLS.format("1..3") + "x(R, C) = 3 :- g(R, C, c). x(R, C) = V :- g(R, C, V), V != c.", "c.12", "3112"),
    ],
)
def test_each_finds_the_cells_and_the_characters_of_their_values(
    tmp_path: Path, text: str, lines: str, answers: str
) -> None:
    result = run("solve", spec(tmp_path, text), "--each", "g=-", stdin=lines.replace(" ", "\n"))
    assert result.stdout.split() == answers.split(), result.stderr


@pytest.mark.parametrize(
    "clauses",
    [
        "x(R, C) = V :- g(R, C, V). x(C, R) = V :- g(R, C, V).",
        "x(R, C) != V :- g(R, C, V).",
        "x(V, C) = V :- g(R, C, V).",
    ],
)
def test_each_needs_exactly_one_cell_for_each_place(tmp_path: Path, clauses: str) -> None:
    result = run("solve", spec(tmp_path, CELLS.format("1..2") + clauses), "--each", "g=-", stdin="1...\n")
    assert result.exit_code == 2 and "no clause gives cells their values from grid g" in result.stderr


def test_each_reports_a_character_outside_of_the_domain(tmp_path: Path) -> None:
    text = CELLS.format("1..2") + '"given {R}{C}": x(R, C) = V :- g(R, C, V).'
    result = run("solve", spec(tmp_path, text), "--each", "g=-", stdin=".9..\n")
    assert '9 in row 1, column 2: x(1,2) = 9 is outside its domain {1, 2} (in "given 12")' in result.stderr


def test_each_needs_a_grid_of_values(tmp_path: Path) -> None:
    path = spec(tmp_path, "grid g. x(R) in 1..4 :- g(R, _, _). A in 1..2.")
    result = run("solve", path, "--each", "g=-", stdin="1234\n")
    assert result.exit_code == 2 and "no clause gives cells their values from grid g" in result.stderr


def test_each_prints_json_and_statistics(tmp_path: Path) -> None:
    lines = f"# comment\n{EASY}\nbad\n{'55' + EASY[2:]}\n"
    result = run("solve", EXAMPLES / "sudoku.csp", "--each", "clue=-", "--json", "--stats", stdin=lines)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"format": 2, "line": 2, "solution": SOLVED},
        {"format": 2, "line": 3, "error": "it has 3 characters, and the grid has 81 cells"},
        {"format": 2, "line": 4, "solution": None},
    ]
    assert result.exit_code == 2 and result.stderr.count("\n") == 1 and " · puzzles 3 · seconds " in result.stderr
    place = run("solve", EXAMPLES / "sudoku.csp", "--each", "clue=-", stdin=lines).stderr
    assert place.startswith("<standard input>:3: it has 3 characters")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory needs Linux")
def test_each_refuses_long_lines_in_bounded_memory(tmp_path: Path) -> None:
    import resource

    def run_with_limit(path: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dsl", "solve", "examples/sudoku.csp", "--each", f"clue={path}"]
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))  # noqa: E731
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, preexec_fn=limit)

    endless = run_with_limit("/dev/zero")
    assert endless.returncode == 2 and endless.stdout == "error\n"
    assert endless.stderr == (
        "/dev/zero:1: it has more than 100,000 characters\ncsp: /dev/zero: line 1 has no end in sight\n"
    )
    long_lines = tmp_path / "long.txt"
    long_lines.write_text(f"{EASY}\n{'1' * 200_000}\n{EASY} {'x' * 99_000}\n# {'x' * 300_000}\n{EASY}\n")
    result = run_with_limit(str(long_lines))
    assert result.stdout.splitlines() == [SOLVED, "error", SOLVED, "error", SOLVED] and result.returncode == 2
    assert result.stderr.splitlines() == [
        f"{long_lines}:{line}: it has more than 100,000 characters" for line in (2, 4)
    ]
