"""Solve every record of the puzzle collection by the examples.

    python tests/benchmarks/families.py [--data DIR] [--only killer,kakuro] [--seconds 60] [--jobs 2] [--log FILE]

The script imports each record, solves it and checks the solution by tests/checkers.py. If the record declares a unique
solution, the solver proves it. Times exclude reading and compiling. The file ``parametric_counts`` contains the counts
of parametric families. With --log, results are kept in FILE, and a later run continues. The exit status is 1 if an
answer is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from csp import Settings  # noqa: E402
from dsl.puzzles.convert import FAMILIES  # noqa: E402
from tests import parametric  # noqa: E402
from tests.verdicts import Verdict, judge, records  # noqa: E402

Result = dict[str, Any]

IMPORTED = {*FAMILIES, "coloring"}


def read_records(data: Path, only: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the file and each record, of the named families or files if ``only`` names any."""
    for path in sorted([*data.glob("*/*/*.jsonl"), *data.glob("*/sudoku9/*.txt")]):
        for record in records(path):
            if record.get("family") not in IMPORTED:
                continue  # cannot be imported yet
            if not only or {record["family"], path.stem} & only:
                yield path.stem, record
    for problem, parameters, count in parametric.rows():
        if not only or "parametric_counts" in only:
            words = [problem, *(f"{name}={value}" for name, value in parameters.items())]
            row = {"problem": problem, "parameters": parameters, "count": count}
            yield "parametric_counts", {"family": "counts", "id": " ".join(words), **row}


def solve(file: str, record: dict[str, Any], seconds: float) -> Result:
    """Return the outcome of a record, its time and its fault."""
    settings = Settings(seconds=seconds)
    try:
        verdict = check_count(record, settings) if record["family"] == "counts" else judge(record, settings)
    except Exception as error:
        verdict = Verdict("wrong", 0.0, f"{type(error).__name__}: {error}")
    outcome = {"outcome": verdict.outcome, "seconds": round(verdict.seconds, 4), "why": verdict.why}
    return {"file": file, "id": record["id"], "family": record["family"], **outcome}


def check_count(row: dict[str, Any], settings: Settings) -> Verdict:
    """Compare the number of solutions with the published one."""
    began = perf_counter()
    number = parametric.ask(row["problem"], row["parameters"], settings)
    seconds = perf_counter() - began
    if number == row["count"]:
        return Verdict("solved", seconds)
    return Verdict("stopped" if number is None else "wrong", seconds, f"counted {number}, not {row['count']}")


def main() -> int:
    """Solve the records in processes and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="families or files, with commas")
    parser.add_argument("--seconds", type=float, default=60, help="limit for each record")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=Path, help="keep the results in this file, and continue from them")
    options = parser.parse_args()
    results: list[Result] = []
    if options.log and options.log.exists():
        results = [json.loads(line) for line in options.log.read_text(encoding="utf-8").splitlines()]
    done = {(result["file"], result["id"]) for result in results}
    selected = list(read_records(options.data, {*filter(None, options.only.split(","))}))
    todo = [(file, record) for file, record in selected if (file, record["id"]) not in done]
    console = Console(stderr=True)
    with ProcessPoolExecutor(options.jobs) as pool, console.status("") as status:
        futures = [pool.submit(solve, file, record, options.seconds) for file, record in todo]
        for number, future in enumerate(as_completed(futures), 1):
            result = future.result()
            results.append(result)
            if options.log:
                with options.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(result) + "\n")
            status.update(f"{number:,} of {len(todo):,} · {result['file']} · {result['id']}")
    keys = {(file, record["id"]) for file, record in selected}
    return report([result for result in results if (result["file"], result["id"]) in keys])


def report(results: list[Result]) -> int:
    """Print the table and the unsolved records; return the exit status."""
    by_file: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        by_file[result["family"], result["file"]].append(result)
    table = Table("family", "file", "records", "solved", "median ms", "slowest ms")
    for (family, file), rows in sorted(by_file.items()):
        times = sorted(1000 * result["seconds"] for result in rows if result["outcome"] == "solved")
        figures = [f"{median(times):,.1f}", f"{times[-1]:,.1f}"] if times else ["-", "-"]
        table.add_row(family, file, str(len(rows)), str(len(times)), *figures)
    console = Console(width=120)
    console.print(table)
    for outcome in ("stopped", "wrong"):
        for result in results:
            if result["outcome"] == outcome:
                words = (f"{outcome}:", result["family"], result["file"], result["id"], result["why"])
                console.print(*words, markup=False, soft_wrap=True)
    return int(any(result["outcome"] == "wrong" for result in results))


if __name__ == "__main__":
    sys.exit(main())
