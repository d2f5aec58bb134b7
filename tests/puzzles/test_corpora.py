"""Solve published puzzles, and check each solution without the solver."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp import Settings, Solver

from ..conftest import ROOT, SHARED
from ..oracle import givens_of, grid_of, is_sudoku

OWN_FILES = sorted((ROOT / "tests" / "data").glob("sgt_[0-9]*.jsonl"))
SIZES = sorted((SHARED / "free" / "sudokuN").glob("*.jsonl")) + sorted((SHARED / "measure" / "sudokuN").glob("*.jsonl"))
NINES = sorted((SHARED / "measure" / "sudoku9").glob("*.txt"))
TOO_HARD = "gecode_25x25.jsonl"  # published 25x25 puzzles; none was solved in 15 seconds


@cache
def sudoku_solver(rows: int, cols: int) -> Solver:
    model = dsl.load(ROOT / "examples" / "sudoku.csp", {"rows": rows, "cols": cols}, {"clue": ""})
    return Solver(model)


def records(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            yield json.loads(line)


def check_record(record: dict[str, Any]) -> None:
    rows, cols = record["box"]
    n, grid, solution_count = record["n"], record["grid"], record["solutions"]
    answers = sudoku_solver(rows, cols).solutions(givens_of(grid))
    solution = next(answers)
    assert is_sudoku(grid_of(solution, n), grid, rows, cols), record["id"]
    if solution_count == 1:
        assert grid_of(solution, n) == record["solution"]
        assert next(answers, None) is None and answers.complete, record["id"]


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_puzzles_of_the_repository_are_solved(path: Path) -> None:
    count = 0
    for record in records(path):
        check_record(record)
        count += 1
    assert count >= 12


@pytest.mark.parametrize("path", [p for p in SIZES if p.name != TOO_HARD], ids=lambda path: path.stem)
def test_published_puzzles_of_every_size_are_solved(path: Path) -> None:
    for record in records(path):
        check_record(record)


@pytest.mark.parametrize("path", NINES, ids=lambda path: path.stem)
def test_published_9x9_puzzles_have_their_published_solutions(path: Path) -> None:
    nine = sudoku_solver(3, 3)
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        puzzle, published, *label = line.split()
        grid = [[int(letter) if letter != "." else 0 for letter in puzzle[r * 9 : r * 9 + 9]] for r in range(9)]
        if published == "-":
            assert nine.solve(givens_of(grid)) is None
            continue
        solution = nine.solve(givens_of(grid))
        assert solution is not None and is_sudoku(grid_of(solution, 9), grid, 3, 3)
        solution_count = next((token for token in label if token.startswith("solutions=")), "solutions=1").removeprefix(
            "solutions="
        )
        if solution_count.isdigit():
            assert nine.count(givens_of(grid), limit=2001).value == int(solution_count)
        else:
            assert nine.count(givens_of(grid), limit=2001).value > 2000
        if solution_count == "1":
            assert "".join(str(value) for row in grid_of(solution, 9) for value in row) == published


@pytest.mark.skipif(not SHARED.exists(), reason="the puzzle collection is not beside the project")
def test_the_collection_is_found() -> None:
    assert len(SIZES) > 10 and len(NINES) > 10


def test_the_search_for_a_published_25x25_stops_at_its_limit(shared: Path) -> None:
    record = next(records(shared / "measure" / "sudokuN" / TOO_HARD))
    answers = sudoku_solver(5, 5).solutions(givens_of(record["grid"]), Settings(nodes=50))
    assert next(answers, None) is None and answers.stopped
