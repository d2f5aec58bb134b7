"""Measure puzzles that defeat a backtracking search.

    python tests/benchmarks/hard.py [--data DIR] [--only WORD,...] [--threads 2]

Each puzzle is a ``csp`` process, from the spec to the answer, in wall-clock seconds. The script compares the answer
with the published one. It reads specs of tests/benchmarks/hard and records of the puzzle collection, and skips missing
files. The exit status is 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
HARD = ROOT / "tests" / "benchmarks" / "hard"
sys.path.insert(0, str(ROOT))

from dsl.puzzles.convert import puzzles  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402


class Task(NamedTuple):
    """A spec, the command, a text that the output must contain, and the expected maximum of seconds."""

    name: str
    spec: str
    command: list[str]
    expected: str
    limit: float


SPECS = [
    ("qg5", ["solve", "--count"], "120", 3.0),
    ("qg5_pairs", ["solve", "--count"], "120", 3.0),
    ("knight", ["solve", "--count"], "304", 3.0),
    ("steiner", ["solve", "--count"], "30", 3.0),
    ("golfers", ["solve", "--count"], "72", 3.0),
    ("hexagon", ["check"], "one solution", 3.0),
    ("squares", ["check"], "one solution", 3.0),
    ("sandwich", ["check"], "one solution", 5.0),
    ("assignment", ["solve"], "least: 124", 10.0),
    ("salesman", ["solve"], "least: 314", 10.0),
    ("golomb", ["solve"], "least: 44", 10.0),
    ("timetable", ["solve"], "least: 866", 3.0),
    ("timetable_spans", ["solve"], "least: 327", 3.0),
    ("timetable_wishes", ["solve"], "least: 71", 3.0),
]
COLLECTION = [
    ("sudokuN/gecode_25x25.jsonl", "", ["check"], 60.0),
    ("latin/qwh_gomes.jsonl", "order33", ["solve"], 60.0),
    ("latin/qwh_gomes.jsonl", "order35", ["solve"], 60.0),
    ("latin/qcp_minizinc.jsonl", "", ["solve"], 3.0),
    ("variants/killer_extreme_iss.jsonl", "Wecoc", ["check"], 20.0),
    ("variants/killer_extreme_iss.jsonl", "MATHEMAGIC", ["solve"], 60.0),
    ("variants/killer_extreme_iss.jsonl", "MATHEMAGIC", ["check"], 300.0),
    ("arith/magic_square_partial.jsonl", "", ["solve"], 60.0),
]


def read_tasks(data: Path, only: list[str]) -> Iterator[Task]:
    """Yield the tasks of the specs and of the puzzle collection."""
    for name, command, expected, limit in SPECS:
        if not only or name in only:
            yield Task(name, (HARD / f"{name}.csp").read_text(encoding="utf-8"), command, expected, limit)
    for file, word, command, limit in COLLECTION:
        path = data / "measure" / file
        if (only and path.stem not in only) or not path.is_file():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line) if line and not line.startswith("#") else {}
            if record and word in record["id"]:
                (puzzle,) = puzzles(Source("record", line))
                answer = "no solution" if record["solutions"] == 0 else "" if command == ["solve"] else "one solution"
                yield Task(f"{record['id']} ({command[0]})", puzzle.spec(), command, answer, limit)


def run(task: Task, threads: int) -> tuple[float, str]:
    """Return the seconds and the output of a process."""
    with tempfile.NamedTemporaryFile("w", suffix=".csp", encoding="utf-8") as spec:
        spec.write(task.spec)
        spec.flush()
        limits = ["--timeout", f"{2 * task.limit:g}", "--threads", str(threads)]
        command = [sys.executable, "-m", "dsl", task.command[0], spec.name, *task.command[1:], *limits]
        began = perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return perf_counter() - began, (done.stdout + done.stderr).strip()


def main() -> int:
    """Run all tasks and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="names, with commas")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    print("| puzzle | seconds | expected maximum | outcome |\n|---|---|---|---|", flush=True)
    for task in read_tasks(options.data, [*filter(None, options.only.split(","))]):
        seconds, output = run(task, options.threads)
        is_stopped, is_right = "stopped by" in output, task.expected in output
        wrong += not is_stopped and not is_right
        outcome = "stopped" if is_stopped else "right" if is_right else f"WRONG: {output[-80:]}"
        print(f"| {task.name} | {seconds:.2f} | {task.limit:g} | {outcome} |", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
