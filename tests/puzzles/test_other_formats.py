"""Commands read puzzle files in other formats in place of specs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import csp
import dsl

from ..commands import EASY, run


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sdk", EASY),
        ("A.SDM", EASY),
        ("a.ss", EASY),
        ("a.col", "p edge 2 1\ne 1 2\n"),
        ("a.jsonl", '{"family": "sudoku", "n": 4, "grid": [[1, 2, 3, 4], [3, 4, 1, 2], [0, 0, 0, 0], [0, 0, 0, 0]]}'),
    ],
)
def test_commands_read_files_in_other_formats(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    imported = dsl.loads(run("import", tmp_path / name).stdout)
    result = run("solve", tmp_path / name, "--json")
    assert json.loads(result.stdout)["solution"] == csp.solve(imported)
    assert "expected" not in run("check", tmp_path / name).output
    format_result = run("format", tmp_path / name)
    assert (
        format_result.exit_code == 2
        and f"is not a spec; convert it by csp import {tmp_path / name}" in format_result.stderr
    )
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_file_of_many_puzzles_is_refused(tmp_path: Path) -> None:
    for name in ("two.sdm", "two.txt"):
        path = tmp_path / name
        path.write_text(f"{EASY}\n{EASY}\n", encoding="utf-8")
        result = run("check", path)
        assert result.exit_code == 2
        assert f"{path} holds 2 puzzles; csp import {path} --record N prints one" in result.stderr


@pytest.mark.parametrize("line", [EASY, EASY.replace(".", "0")])
def test_a_sudoku_in_one_line_replaces_a_file(line: str, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text(f"{line}\n", encoding="utf-8")
    solution = run("solve", path).stdout
    assert solution.startswith("5 3 4 | 6 7 8 | 9 1 2\n")
    assert run("solve", line).stdout == run(line).stdout == solution
    assert run("import", line).stdout.startswith("% Sudoku")
    for command in ("solve", "import"):
        result = run(command, line + "1")
        assert result.exit_code == 2 and "the line has 82 characters; 81 are needed for 9x9" in result.stderr


def test_a_file_in_another_format_ignores_a_spec_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "sudoku.csp").write_text("A in 1..2.", encoding="utf-8")
    (tmp_path / "a.sdk").write_text(EASY, encoding="utf-8")
    assert run("solve", tmp_path / "a.sdk").exit_code == 0
