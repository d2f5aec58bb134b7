"""Puzzles and processes for the tests of parallel work."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .commands import EASY
from .conftest import ROOT
from .oracle import is_sudoku

SUDOKU = ROOT / "examples" / "sudoku.csp"
LATIN = ROOT / "examples" / "latin.csp"
LABORIOUS = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
WITH_SIGNALS = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")


def grid(line: str) -> list[list[int]]:
    """Return the rows of a sudoku in a line."""
    return [[int(letter) if letter.isdigit() else 0 for letter in line[at : at + 9]] for at in range(0, 81, 9)]


def puzzles(number: int, puzzle: str = EASY) -> list[str]:
    """Return different puzzles made by exchanging digits and rows at random."""
    rng = random.Random(number)
    different_puzzles = []
    for _ in range(number):
        digits = "".join(rng.sample("123456789", 9))
        rows = [band * 3 + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
        lines = [puzzle[row * 9 : row * 9 + 9] for row in rows]
        different_puzzles.append("".join(lines).translate(str.maketrans("123456789", digits)))
    return different_puzzles


def check_answers(puzzle_lines: list[str], answers: list[str]) -> None:
    """Check that every puzzle has its answer, at its place."""
    assert len(answers) == len(puzzle_lines)
    assert all(
        is_sudoku(grid(answer), grid(puzzle), 3, 3) for puzzle, answer in zip(puzzle_lines, answers, strict=True)
    )


def first_line(running: subprocess.Popen[str]) -> str:
    """Return the first line of the output.

    The rest of the output is not read, so that ``communicate`` still returns it.
    """
    assert running.stdout
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(running.stdout.fileno(), 1)
        assert letter, "there is no output"
        line += letter
    return line.decode()


@contextmanager
def start_solve(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Start ``csp solve`` and kill it afterwards."""
    command = [sys.executable, "-m", "dsl", "solve", *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@contextmanager
def start_solve_each(folder: Path, *arguments: object) -> Iterator[tuple[list[str], subprocess.Popen[str]]]:
    """Start a process that solves many puzzles; yield both.

    Together they take far longer than the first puzzles, which the main process solves before it starts workers.
    """
    puzzle_lines = puzzles(4000, LABORIOUS)
    lines = folder / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in puzzle_lines))
    with start_solve(SUDOKU, "--each", f"clue={lines}", *arguments) as running:
        yield puzzle_lines, running


def kill_one_and_finish(folder: Path, kill: Callable[[subprocess.Popen[str]], str], *arguments: object) -> None:
    """Kill a worker while many puzzles are unsolved, and check all answers.

    The function ``kill`` returns the output that it has read.
    """
    with start_solve_each(folder, *arguments) as (puzzle_lines, running):
        first = kill(running)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert all("distributed" in line for line in errors.splitlines()), errors
    check_answers(puzzle_lines, (first + output).splitlines())
