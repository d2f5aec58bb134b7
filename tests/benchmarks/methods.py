"""Measure every method of ``csp compare`` on the puzzles of docs/methods.md.

    python tests/benchmarks/methods.py [--seconds S] [--data DIR] > docs/data/methods.jsonl

The script prints a JSON object for each puzzle, method and level. Below a second, the time is the minimum of three
runs. `python docs/make_methods.py` draws the chart and writes the table from these lines. DIR contains Norvig's
collections; without DIR, his puzzles are omitted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Level, Model, Settings  # noqa: E402
from csp.methods import METHODS, Result, attempt  # noqa: E402

EXAMPLES = ROOT / "examples"


def load_nine(puzzle: str) -> Model:
    """Return the model of a 9x9 sudoku."""
    return dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": puzzle})


def load_first(name: str) -> Model:
    """Return the first puzzle of a file in tests/data."""
    lines = (ROOT / "tests" / "data" / name).read_text(encoding="utf-8").splitlines()
    record = json.loads(next(line for line in lines if not line.startswith("#")))
    clue = "\n".join(" ".join(str(value or ".") for value in row) for row in record["grid"])
    rows, cols = record["box"]
    return dsl.load(EXAMPLES / "sudoku.csp", {"rows": rows, "cols": cols}, {"clue": clue})


def find_line(path: Path, beginning: str) -> str:
    """Return the first puzzle of a file with this beginning."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in lines if line.startswith(beginning))


def load_puzzles(data: Path) -> Iterator[tuple[str, Model]]:
    """Yield the name and the model of each puzzle."""
    docs = ROOT / "docs" / "data"
    yield "the article's 4x4", dsl.load(EXAMPLES / "shidoku.csp")
    yield "the article's 9x9", load_nine(find_line(docs / "nine.txt", ""))
    if data.is_dir():
        yield "Norvig's easy", load_nine(find_line(data / "norvig_easy50.txt", "..3.2.6.."))
        yield "Norvig's hard", load_nine(find_line(data / "norvig_top95.txt", "4.....8.5"))
    none, several = [line for line in (docs / "nines.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    yield "no solution", load_nine(none)
    yield "several solutions", load_nine(several)
    yield "X", dsl.load(EXAMPLES / "sudoku_x.csp")
    yield "jigsaw", dsl.load(EXAMPLES / "jigsaw.csp")
    yield "6x6", load_first("sgt_06x06.jsonl")
    yield "12x12", load_first("sgt_12x12.jsonl")
    yield "16x16", load_first("sgt_16x16.jsonl")


def measure(model: Model, method: str, level: Level | None, settings: Settings) -> Result:
    """Return the fastest of three runs, or a single run that takes a second or more."""
    first = attempt(model, method, level, settings)
    repeats = [attempt(model, method, level, settings) for _ in range(2 if first.seconds < 1 else 0)]
    return min([first, *repeats], key=lambda result: result.seconds)


def main() -> None:
    """Print a line for each puzzle, method and level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="limit for each method")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of Norvig's collections")
    options = parser.parse_args()
    for puzzle, model in load_puzzles(options.data):
        for name, method in METHODS.items():
            for level in method.levels:
                result = measure(model, name, level, Settings(seconds=options.seconds))
                keys = ("method", "level", "solved", "solutions", "complete", "attempts", "unit", "note")
                row = {"puzzle": puzzle} | {key: getattr(result, key) for key in keys}
                print(json.dumps(row | {"seconds": round(result.seconds, 4)}), flush=True)


if __name__ == "__main__":
    main()
