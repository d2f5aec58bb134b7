"""One record of a puzzle file from ``csp import`` to its solutions, and what a checker says of them."""

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
    """How a record fared: ``solved``, ``stopped`` by the limit, or ``wrong``, with the reason."""

    outcome: str
    seconds: float
    why: str = ""


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of JSON lines, of sudokus a line each, or of an index of graphs."""
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
    many = next((label.partition("=")[2] for label in labels if label.startswith("solutions=")), "1")
    grid, solved = (
        [[int(letter) if letter.isdigit() else 0 for letter in text[i : i + 9]] for i in range(0, len(text), 9)]
        for text in (puzzle, solution)
    )
    known = 0 if solution == "-" else 1 if many == "1" else ">=2"
    record = {"family": "sudoku", "n": 9, "box": [3, 3], "grid": grid, "text": line}
    return {**record, "solutions": known, "solution": solved if known == 1 else None}


def judge(record: dict[str, Any], settings: Settings | None = None) -> Verdict:
    """Solve a record, prove its solution unique where the record says so, and check both against the record."""
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    spec = puzzle.spec()
    if record["family"] == "coloring":
        return _judge_coloring(record, spec, settings)
    solver = Solver(dsl.loads(spec))
    began = perf_counter()
    answers = solver.solutions(settings=settings)
    first = next(answers, None)
    known = record["solutions"]
    if first is None:
        return _verdict("" if known == 0 else "no solution was found", answers.stopped, began)
    if not CHECKERS[record["family"]](record, first):
        return Verdict("wrong", perf_counter() - began, "the checker refuses the answer")
    if known in (">=1", "?"):
        return _verdict("", None, began)
    told = solution_of(record)
    if known == 1 and told and any(first[name] != value for name, value in told.items()):
        return Verdict("wrong", perf_counter() - began, "the answer is not the solution of the record")
    wanted = 2 if known == ">=2" else known + 1
    count = 1 + sum(1 for _ in islice(answers, wanted - 1))
    expected = count >= 2 if known == ">=2" else count == known
    return _verdict("" if expected else f"{count} solutions, not {known}", answers.stopped, began)


def _judge_coloring(record: dict[str, Any], spec: str, settings: Settings | None) -> Verdict:
    """A colouring in as many colours as the chromatic number says, and none in fewer."""
    enough, few = (Solver(dsl.loads(spec, {"k": record["chromatic"] - less})) for less in (0, 1))
    began = perf_counter()
    answers = enough.solutions(settings=settings)
    color = next(answers, None)
    if color is None:
        return _verdict("no solution was found", answers.stopped, began)
    edges = re.findall(r"^e (\d+) (\d+)$", record["text"], re.MULTILINE)
    if any(color[f"color({a})"] == color[f"color({b})"] for a, b in edges):
        return Verdict("wrong", perf_counter() - began, "two neighbours have one colour")
    answers = few.solutions(settings=settings)
    return _verdict("fewer colours were enough" if next(answers, None) else "", answers.stopped, began)


def _verdict(why: str, stopped: object, began: float) -> Verdict:
    return Verdict("stopped" if stopped else "wrong" if why else "solved", perf_counter() - began, why)
