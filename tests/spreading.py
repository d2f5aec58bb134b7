"""Puzzles and processes for the tests of work that is spread."""

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
WITH_SIGNALS = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")


def grid(line: str) -> list[list[int]]:
    return [[int(letter) if letter.isdigit() else 0 for letter in line[at : at + 9]] for at in range(0, 81, 9)]


def puzzles(number: int) -> list[str]:
    """Puzzles of which no two are the same: one with its digits and bands exchanged."""
    rng = random.Random(number)
    made = []
    for _ in range(number):
        digits = "".join(rng.sample("123456789", 9))
        rows = [band * 3 + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
        lines = [EASY[row * 9 : row * 9 + 9] for row in rows]
        made.append("".join(lines).translate(str.maketrans("123456789", digits)))
    return made


def check_answers(asked: list[str], answered: list[str]) -> None:
    """Every puzzle has its answer, at its place."""
    assert len(answered) == len(asked)
    assert all(is_sudoku(grid(answer), grid(puzzle), 3, 3) for puzzle, answer in zip(asked, answered, strict=True))


@contextmanager
def begun(*arguments: object, **more: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "dsl", "solve", *map(str, arguments)]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, **more)  # type: ignore[call-overload]
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def first_line(running: subprocess.Popen[str]) -> str:
    """The first line of the output, without what comes after it, which ``communicate`` would not find."""
    assert running.stdout
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(running.stdout.fileno(), 1)
        assert letter, "there is no output"
        line += letter
    return line.decode()


def kill_one_and_finish(folder: Path, kill: Callable[[int], None], *arguments: object) -> None:
    """A worker is killed, told the number of the process, while it has some of the puzzles: nobody reads the output."""
    asked = puzzles(1200)
    lines = folder / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in asked))
    with begun(SUDOKU, "--each", f"clue={lines}", *arguments) as running:
        first = first_line(running)
        kill(running.pid)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert all("distributed" in line for line in errors.splitlines()), errors
    check_answers(asked, (first + output).splitlines())
