"""What a tree alone cannot do: python tests/benchmarks/hard.py [--data DIR] [--only WORD,...] [--threads 2]

Each work is one ``csp`` process, from the spec to the answer: seconds, and whether the answer is the known one. Specs
of our own are in tests/benchmarks/hard; puzzles of the collection are skipped where it is absent. The exit status is 1
if an answer is wrong.
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


class Work(NamedTuple):
    """A spec, what is asked of it, what the answer must contain, and the seconds that it should not take."""

    name: str
    spec: str
    command: list[str]
    known: str
    reach: float


OWN = [
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


def works(data: Path, only: list[str]) -> Iterator[Work]:
    for name, command, known, reach in OWN:
        if not only or name in only:
            yield Work(name, (HARD / f"{name}.csp").read_text(encoding="utf-8"), command, known, reach)
    for file, word, command, reach in COLLECTION:
        path = data / "measure" / file
        if (only and path.stem not in only) or not path.is_file():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line) if line and not line.startswith("#") else {}
            if record and word in record["id"]:
                (puzzle,) = puzzles(Source("record", line))
                answer = "no solution" if record["solutions"] == 0 else "" if command == ["solve"] else "one solution"
                yield Work(f"{record['id']} ({command[0]})", puzzle.spec(), command, answer, reach)


def run(work: Work, threads: int) -> tuple[float, str]:
    """Seconds, and the end of what was printed."""
    with tempfile.NamedTemporaryFile("w", suffix=".csp", encoding="utf-8") as spec:
        spec.write(work.spec)
        spec.flush()
        limit = ["--timeout", f"{2 * work.reach:g}", "--threads", str(threads)]
        command = [sys.executable, "-m", "dsl", work.command[0], spec.name, *work.command[1:], *limit]
        began = perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return perf_counter() - began, (done.stdout + done.stderr).strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="names, with commas")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for work in works(options.data, [*filter(None, options.only.split(","))]):
        seconds, told = run(work, options.threads)
        stopped, is_right = "stopped by" in told, work.known in told
        wrong += not stopped and not is_right
        outcome = "stopped" if stopped else "right" if is_right else f"WRONG: {told[-80:]}"
        late = " (late)" if seconds > work.reach else ""
        print(f"{work.name:60} {seconds:7.2f} s of {work.reach:g}{late}  {outcome}", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
