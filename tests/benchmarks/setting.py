"""How long setting takes, as the table of docs/setting.md, and whether others agree on what is set.

``python -m tests.benchmarks.setting [times] [verify]`` from the root of the project. ``times`` are seconds of the
processor; ``verify`` asks MiniZinc with Gecode for a second solution of a puzzle of each family, and for one when any
of its clues goes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import dsl
from csp.encoding.export import EXPORTS
from csp.explain.setting import Attempt, Clue, Setter
from dsl.puzzles.setting import Choice, Clues, choice_of
from dsl.syntax.errors import Source

from ..conftest import ROOT
from ..foreign import run

CLUE = [Choice("clue")]
FAMILIES: dict[str, tuple[str, dict[str, Any], Sequence[Choice], int]] = {
    "4x4": ("sudoku", {"box": 2}, CLUE, 50),
    "6x6": ("sudoku", {"rows": 2, "cols": 3}, CLUE, 50),
    "9x9": ("sudoku", {}, CLUE, 100),
    "16x16": ("sudoku", {"box": 4}, CLUE, 10),
    "jigsaw 9x9": ("jigsaw", {}, CLUE, 50),
    "X 9x9": ("sudoku_x", {}, CLUE, 50),
    "killer 9x9, 35 cages": ("killer", {}, [choice_of("total(_, T)")], 10),
    "kenken 6x6, 17 cages": ("kenken", {}, [choice_of("clue(_, Op, T)")], 20),
    "futoshiki 7x7": ("futoshiki", {}, [Choice("board")], 20),
    "kakuro 5x5": ("kakuro", {}, [Choice("across"), Choice("down")], 10),
    "skyscrapers 6x6": ("skyscrapers", {}, [Choice("board")], 20),
    "even-odd 9x9": ("evenodd", {}, [Choice("clue"), Choice("parity")], 10),
    "suguru 6x6": ("suguru", {}, CLUE, 20),
    "slitherlink 6x6": ("slitherlink", {}, CLUE, 10),
    "numbrix 6x6": ("numbrix", {}, CLUE, 10),
}
"""Of each family the example, its params, what is chosen, and how many attempts are timed."""

UNASKED = {"16x16"}
"""What others take too long for."""

SECONDS = 20
"""How long others may take for one question."""


def clues_of(family: str) -> Clues:
    name, params, choices, _ = FAMILIES[family]
    source = Source(name, (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8"))
    return Clues(dsl.Program(source), params, {}, choices)


def tried(clues: Clues, number: int) -> Iterator[tuple[Attempt, float]]:
    """So many attempts, each with the seconds that it took, its spec included."""
    setter = Setter(clues.model, clues.told)
    for i in range(number):
        began = time.process_time()
        puzzle = setter.attempt(f"benchmark/{i}")
        if puzzle is not None:
            clues.text(puzzle.clues, "benchmark")
        yield Attempt(i, puzzle, True), time.process_time() - began


def times() -> None:
    """How long an attempt takes, how many of them come to a puzzle, and how many clues that has."""
    for family, (*_, choices, number) in FAMILIES.items():
        found = list(tried(clues_of(family), number))
        sizes = [len(attempt.puzzle.clues) for attempt, _ in found if attempt.puzzle]
        own = [seconds for _, seconds in found]
        chosen = ", ".join(map(said, choices))
        seconds = " | ".join([f"{of(own):.3f}" for of in (median, mean, max)])
        print(f"| {family} | {chosen} | {len(sizes)} of {number} | {min(sizes)}–{max(sizes)} | {seconds} |", flush=True)


def said(choice: Choice) -> str:
    """How the command line says what is chosen."""
    words = {"total": "total(_, T)", "clue": "clue(_, Op, T)"}
    return f"`{words[choice.name] if choice.filled else choice.name}`"


def verify() -> None:
    """Whether Gecode finds the one solution, and a second one without any one of the clues."""
    for family in [one for one in FAMILIES if one not in UNASKED]:
        clues = clues_of(family)
        puzzle = next(attempt.puzzle for attempt, _ in tried(clues, 50) if attempt.puzzle)
        left = [[other for other in puzzle.clues if other is not clue] for clue in puzzle.clues]
        counts = [count(clues, some) for some in [puzzle.clues, *left]]
        agreed = [n == (1 if i == 0 else 2) for i, n in enumerate(counts) if n is not None]
        late = f"; {counts.count(None)} not answered in {SECONDS} s" if None in counts else ""
        print(f"| {family} | {sum(agreed)} of {len(counts)} questions answered alike{late} |", flush=True)
        assert all(agreed), counts


def count(clues: Clues, some: Sequence[Clue]) -> int | None:
    """How many solutions Gecode finds, up to two; None where it takes too long."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "puzzle.mzn")
        path.write_text(EXPORTS["minizinc"](dsl.loads(clues.text(some, "benchmark"))), encoding="utf-8")
        limits = ("-n", "2", "--time-limit", str(1000 * SECONDS))
        told = run("minizinc", "--solver", "gecode", *limits, str(path))
    found = told.count("----------\n")
    return found if found == 2 or "==========" in told else None


PARTS = {"times": times, "verify": verify}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        print(f"\n{part}")
        PARTS[part]()
