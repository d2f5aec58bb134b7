"""Every method of ``csp compare`` on the puzzles of docs/methods.md: what it tries, and how long it takes.

    python tests/benchmarks/methods.py [--seconds S] [--data DIR] > docs/data/methods.jsonl

One JSON object a line for each puzzle, method and level, with the least time of three where it is less than a second;
`python docs/make_methods.py` draws the chart and writes the table from them. Norvig's examples are read from DIR, and
left out where it is not.
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


def nine(puzzle: str) -> Model:
    return dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": puzzle})


def first_of(name: str) -> Model:
    """The first puzzle of a collection of tests/data."""
    lines = (ROOT / "tests" / "data" / name).read_text(encoding="utf-8").splitlines()
    record = json.loads(next(line for line in lines if not line.startswith("#")))
    clue = "\n".join(" ".join(str(value or ".") for value in row) for row in record["grid"])
    rows, cols = record["box"]
    return dsl.load(EXAMPLES / "sudoku.csp", {"rows": rows, "cols": cols}, {"clue": clue})


def line_of(path: Path, beginning: str) -> str:
    """The puzzle of a file that begins so."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in lines if line.startswith(beginning))


def puzzles(data: Path) -> Iterator[tuple[str, Model]]:
    docs = ROOT / "docs" / "data"
    yield "the article's 4x4", dsl.load(EXAMPLES / "shidoku.csp")
    yield "the article's 9x9", nine(line_of(docs / "nine.txt", ""))
    if data.is_dir():
        yield "Norvig's easy", nine(line_of(data / "norvig_easy50.txt", "..3.2.6.."))
        yield "Norvig's hard", nine(line_of(data / "norvig_top95.txt", "4.....8.5"))
    none, several = [line for line in (docs / "nines.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    yield "no solution", nine(none)
    yield "several solutions", nine(several)
    yield "X", dsl.load(EXAMPLES / "sudoku_x.csp")
    yield "jigsaw", dsl.load(EXAMPLES / "jigsaw.csp")
    yield "6x6", first_of("sgt_06x06.jsonl")
    yield "12x12", first_of("sgt_12x12.jsonl")
    yield "16x16", first_of("sgt_16x16.jsonl")


def best(model: Model, method: str, level: Level | None, settings: Settings) -> Result:
    """The quickest of three runs, or one that takes long."""
    first = attempt(model, method, level, settings)
    more = [attempt(model, method, level, settings) for _ in range(2 if first.seconds < 1 else 0)]
    return min([first, *more], key=lambda result: result.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="the most for a method")
    parser.add_argument("--data", type=Path, default=Path("data"), help="where Norvig's collections are")
    options = parser.parse_args()
    for puzzle, model in puzzles(options.data):
        for name, method in METHODS.items():
            for level in method.levels:
                result = best(model, name, level, Settings(seconds=options.seconds))
                told = ("method", "level", "solved", "solutions", "complete", "attempts", "unit", "note")
                row = {"puzzle": puzzle} | {key: getattr(result, key) for key in told}
                print(json.dumps(row | {"seconds": round(result.seconds, 4)}), flush=True)


if __name__ == "__main__":
    main()
