"""Solve records of puzzle files and judge the solutions by checkers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import dsl
from csp import Settings, Solver
from dsl.puzzles.convert import puzzles
from dsl.syntax.errors import Source

from .checkers import CHECKERS, solution_of


@dataclass(frozen=True)
class Verdict:
    """The outcome of a record: ``solved``, ``stopped`` by the limit, or ``wrong``."""

    outcome: str
    seconds: float
    why: str = ""


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of puzzles.

    The file has JSON lines, a sudoku a line, or an index of graphs.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if path.suffix == ".txt":
            yield {"id": f"line {number}", **_sudoku(line)}
        elif path.stem == "index":
            graph = json.loads(line)
            text = (path.parent / graph["file"]).read_text(encoding="utf-8")
            yield {"id": graph["file"], "family": "coloring", "text": text, "chromatic": graph["chromatic"]}
        else:
            yield json.loads(line)


def _sudoku(line: str) -> dict[str, Any]:
    puzzle, solution, *labels = line.split()
    number_of_solutions = next((label.partition("=")[2] for label in labels if label.startswith("solutions=")), "1")
    grid, solved = (
        [[int(letter) if letter.isdigit() else 0 for letter in text[i : i + 9]] for i in range(0, len(text), 9)]
        for text in (puzzle, solution)
    )
    expected = 0 if solution == "-" else 1 if number_of_solutions == "1" else ">=2"
    record = {"family": "sudoku", "n": 9, "box": [3, 3], "grid": grid, "text": line}
    return {**record, "solutions": expected, "solution": solved if expected == 1 else None}


def judge(record: dict[str, Any], settings: Settings | None = None) -> Verdict:
    """Solve a record; check its solution, and uniqueness if the record states it."""
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    spec = puzzle.spec()
    if record["family"] == "coloring":
        return _judge_coloring(record, spec, settings)
    solver = Solver(dsl.loads(spec))
    start = perf_counter()
    answers = solver.solutions(settings=settings)
    first = next(answers, None)
    number = record["solutions"]
    if first is None:
        return _verdict("" if number == 0 else "no solution was found", answers.stopped, start)
    if not CHECKERS[record["family"]](record, first):
        return Verdict("wrong", perf_counter() - start, "the checker refuses the answer")
    if number in (">=1", "?"):
        return _verdict("", None, start)
    solution = solution_of(record)
    if number == 1 and solution and any(first[name] != value for name, value in solution.items()):
        return Verdict("wrong", perf_counter() - start, "the answer is not the solution of the record")
    limit = 2 if number == ">=2" else number + 1
    count = 1 + sum(1 for _ in islice(answers, limit - 1))
    is_expected = count >= 2 if number == ">=2" else count == number
    return _verdict("" if is_expected else f"{count} solutions, not {number}", answers.stopped, start)


def _judge_coloring(record: dict[str, Any], spec: str, settings: Settings | None) -> Verdict:
    """Find a colouring with the chromatic number of colours, none with fewer."""
    enough_colors, too_few_colors = (
        Solver(dsl.loads(spec, {"k": record["chromatic"] - difference})) for difference in (0, 1)
    )
    start = perf_counter()
    answers = enough_colors.solutions(settings=settings)
    coloring = next(answers, None)
    if coloring is None:
        return _verdict("no solution was found", answers.stopped, start)
    edges = re.findall(r"^e (\d+) (\d+)$", record["text"], re.MULTILINE)
    if any(coloring[f"color({a})"] == coloring[f"color({b})"] for a, b in edges):
        return Verdict("wrong", perf_counter() - start, "two neighbours have one colour")
    answers = too_few_colors.solutions(settings=settings)
    return _verdict("fewer colours were enough" if next(answers, None) else "", answers.stopped, start)


def _verdict(why: str, stopped: object, start: float) -> Verdict:
    return Verdict("stopped" if stopped else "wrong" if why else "solved", perf_counter() - start, why)
