"""Measure the engine and the Interactive Sudoku Solver on variants of sudoku.

    python tests/benchmarks/variants.py CHECKOUT [--data DIR] [--most 12] [--seconds 60]

The script translates links to f-puzzles, killers, jigsaws and skyscrapers into the text of that solver, and skips
puzzles with rules that it lacks. Both solvers prove that the solution is unique. Times are processor seconds from the
text to the proof, the minimum of two runs in one process. The exit status is 1 if an answer is not the published one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import csp.engine.search.learner  # noqa: E402, F401 - imports are not measured
import dsl  # noqa: E402
from csp import Settings, Solver  # noqa: E402
from docs.make_gallery import count_lines  # noqa: E402
from dsl.puzzles.convert import puzzles  # noqa: E402
from dsl.puzzles.links.dispatch import spec_of_link  # noqa: E402
from dsl.puzzles.links.packing import decompress  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402
from dsl.syntax.nodes import Place  # noqa: E402
from tests.benchmarks.published import list_cells  # noqa: E402
from tests.verdicts import records  # noqa: E402

Fields = dict[str, Any]

FLAGS = {
    "diagonal+": "Diagonal~1", "diagonal-": "Diagonal~-1", "antiknight": "AntiKnight", "antiking": "AntiKing",
    "disjointgroups": "DisjointSets",
}  # fmt: skip
LINES = {
    "thermometer": "Thermo", "palindrome": "Palindrome", "betweenline": "Between", "renban": "Renban",
    "regionsumline": "RegionSumLine", "zipperline": "Zipper",
}  # fmt: skip
PAIRS = {"difference": {"": "WhiteDot"}, "ratio": {"": "BlackDot"}, "xv": {"X": "X", "V": "V"}}
PARITY = {"even": 0, "odd": 1}
TRANSLATED = {"size", "grid", "negative", "nonconsecutive"}
IGNORED = {
    "title", "author", "ruleset", "solution", "line", "text", "cage", "circle", "rectangle", "highlightConflicts",
}  # fmt: skip
FAMILIES = {"killer": "killer_janko", "jigsaw": "jigsaw_janko", "skyscrapers": "skyscrapers_janko"}


class Unknown(Exception):
    """A rule that the other solver lacks."""


def name_cell(row: int, column: int) -> str:
    """Return the name of a cell; rows and columns begin with 0."""
    return f"R{row + 1}C{column + 1}"


def write_givens(grid: list[list[Any]]) -> list[str]:
    """Return the items of the given values."""
    return [f"~{name_cell(r, c)}_{v}" for r, row in enumerate(grid) for c, v in enumerate(row) if v]


def write_regions(regions: list[list[Any]]) -> str:
    """Return the item of irregular regions."""
    names = [*dict.fromkeys(name for row in regions for name in row)]
    return "Jigsaw~" + "".join(str(names.index(name)) for row in regions for name in row)


def write_fpuzzle(fields: Fields) -> str:
    """Return the text of a puzzle of f-puzzles."""
    n = fields["size"]
    items = [f"Shape~{n}x{n}", *write_givens([[cell.get("value") for cell in row] for row in fields["grid"]])]
    height = next(h for h in range(int(n**0.5), 0, -1) if n % h == 0)
    boxes = [[r // height * height + c // (n // height) for c in range(n)] for r in range(n)]
    regions = [[cell.get("region", boxes[r][c]) for c, cell in enumerate(row)] for r, row in enumerate(fields["grid"])]
    if regions != boxes:
        items += ["NoBoxes", write_regions(regions)]
    for key, value in fields.items():
        if key in FLAGS and value:
            items.append(FLAGS[key])
        elif value and key not in TRANSLATED | IGNORED:
            items += [item for entry in value for item in write_entry(key, entry, value, n)]
    return "." + ".".join([*items, *write_negatives(fields)])


def write_negatives(fields: Fields) -> list[str]:
    """Return the items of negative constraints: all dots and letters are shown."""
    missing, consecutive = {*fields.get("negative", [])}, fields.get("nonconsecutive")
    items = ["StrictXV"] * ("xv" in missing)
    if "ratio" in missing and consecutive:
        return [*items, "StrictKropki"]
    if "ratio" in missing or (consecutive and fields.get("difference")):
        raise Unknown("a negative constraint of one kind of dots")
    return [*items, *["AntiConsecutive"] * bool(consecutive)]


def write_entry(key: str, entry: Fields, entries: list[Fields], n: int) -> Iterator[str]:
    """Yield the items of an entry; ``entries`` are all entries of its kind."""
    cells = entry.get("cells", [])
    value = str(entry.get("value", ""))
    if key in LINES:
        yield from ("~".join([LINES[key], *line]) for line in entry["lines"])
    elif key in PAIRS:
        if value not in PAIRS[key]:
            raise Unknown(f"{key} of {value}")
        yield "~".join([PAIRS[key][value], *cells])
    elif key in PARITY:
        yield "~" + "_".join([entry["cell"], *[str(v) for v in range(1, n + 1) if v % 2 == PARITY[key]]])
    elif key == "killercage":
        yield "~".join(["Cage", value or "0", *cells])
    elif key == "arrow":
        kind = ["Arrow"] if len(cells) == 1 else ["PillArrow", str(len(cells))]
        yield from ("~".join([*kind, *cells, *[cell for cell in line if cell not in cells]]) for line in entry["lines"])
    elif key == "clone":
        yield from (f"SameValues~2~{a}~{b}" for a, b in zip(cells, entry["cloneCells"], strict=True))
    elif key in ("maximum", "minimum"):
        r, c = map(int, re.findall(r"\d+", entry["cell"]))
        places = [(r + i, c + j) for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        neighbours = [f"R{i}C{j}" for i, j in places if 1 <= i <= n and 1 <= j <= n]
        # Two adjacent maxima are not compared.
        neighbours = [cell for cell in neighbours if cell not in [e["cell"] for e in entries]]
        yield from (
            f"GreaterThan~{entry['cell']}~{cell}" if key == "maximum" else f"GreaterThan~{cell}~{entry['cell']}"
            for cell in neighbours
        )
    elif key == "quadruple":
        yield "~".join(["Quad", min(cells), *map(str, entry["values"])])
    elif key == "littlekillersum":
        if value:
            yield "~".join(["Sum", value, *cells])
    elif key == "sandwichsum":
        if value:
            yield f"Sandwich~{value}~{find_line(entry['cell'], n)[0]}"
    elif key == "skyscraper":
        line, is_first = find_line(entry["cell"], n)
        yield f"Skyscraper~{line}~{value}" if is_first else f"Skyscraper~{line}~~{value}"
    elif key == "columnindexer":
        yield "~".join(["Indexing", "C", *cells])
    else:
        raise Unknown(key)


def find_line(cell: str, n: int) -> tuple[str, bool]:
    """Return the line beside an outside cell, and whether the cell is at its beginning."""
    r, c = map(int, re.findall(r"\d+", cell))
    return (f"C{c}", r == 0) if r in (0, n + 1) else (f"R{r}", c == 0)


def write_record(family: str, record: Fields) -> str:
    """Return the text of a record of the puzzle collection."""
    n = record["n"]
    items = [f"Shape~{n}x{n}", *write_givens(record.get("grid", []))]
    for cage in record.get("cages", []):
        items.append("~".join(["Cage", str(cage["sum"]), *[name_cell(*cell) for cell in cage["cells"]]]))
    if family == "jigsaw":
        items += ["NoBoxes", write_regions(record["regions"])]
    if family == "skyscrapers":
        items.append("NoBoxes")
        for line, first, last in (("C", "top", "bottom"), ("R", "left", "right")):
            for i, (a, b) in enumerate(zip(record[first], record[last], strict=True), 1):
                items += [f"Skyscraper~{line}{i}~{a or ''}~{b or ''}"] * bool(a or b)
    return "." + ".".join(items)


def read_puzzles(data: Path, limit: int) -> Iterator[tuple[str, str, str, Callable[[], str], str]]:
    """Yield the family, name and spec, a function that returns the other text, and the published solution."""
    for record in records(data / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl"):
        fields = json.loads(decompress(unquote(re.search(r"load=([^&#]+)", record["link"])[1])))  # type: ignore[index]
        spec = spec_of_link(record["link"], Place(1, 1))
        yield "f-puzzles", record["title"], spec, lambda fields=fields: write_fpuzzle(fields), record["solution"]  # type: ignore[misc]
    for family, file in FAMILIES.items():
        sized = (r for r in records(data / "measure" / "variants" / f"{file}.jsonl") if 6 <= r["n"] <= 9)
        plain = (r for r in sized if not r.get("diagonals") and not r.get("zero"))
        for record in islice(plain, limit):
            (puzzle,) = puzzles(Source("record", json.dumps(record)))
            solution = "".join(str(v) for row in record["solution"] for v in row)
            yield family, record["id"], puzzle.spec(), lambda f=family, r=record: write_record(f, r), solution  # type: ignore[misc]


def solve(spec: str, seconds: float) -> tuple[float, str]:
    """Return the processor seconds and the unique solution, or the reason why there is none."""
    began = process_time()
    answers = Solver(dsl.loads(spec), settings=Settings(seconds=seconds)).solutions()
    solutions = list(islice(answers, 2))
    spent = process_time() - began
    verdict = answers.stopped or ("none", "one", "several")[len(solutions)]
    return spent, "".join(map("".join, list_cells(solutions[0]))) if verdict == "one" else str(verdict)


def main() -> int:
    """Measure the puzzles and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--most", type=int, default=12, help="maximum number of puzzles of a family, except f-puzzles")
    parser.add_argument("--seconds", type=float, default=60, help="limit for each puzzle")
    options = parser.parse_args()
    solver = subprocess.Popen(
        ["node", Path(__file__).parent / "peer" / "variants.mjs", options.checkout],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    assert solver.stdin and solver.stdout
    times: dict[str, list[tuple[int, float, float]]] = {}
    code = 0
    for family, name, spec, make, solution in read_puzzles(options.data, options.most):
        try:
            text = make()
        except Unknown as rule:
            print(f"{family} {name}: skipped, {rule}", flush=True)
            continue
        runs = []
        for _ in range(2):
            solver.stdin.write(f"{text}\n")
            spent, _, their_answer = solver.stdout.readline().strip().partition(" ")
            runs.append((*solve(spec, options.seconds), float(spent), their_answer))
        ours, theirs = min(run[0] for run in runs), min(run[2] for run in runs)
        _, answer, _, their_answer = runs[0]
        if answer != solution or their_answer != solution:
            code = 1
            print(f"{family} {name}: published {solution}, ours {answer}, theirs {their_answer}", flush=True)
        print(f"{family} {name}: ours {ours:.3f} theirs {theirs:.3f}", flush=True)
        times.setdefault(family, []).append((count_lines(spec), ours, theirs))
    print("| family | puzzles | lines | ours, median s | slowest | theirs, median s | slowest |\n" + "|---" * 7 + "|")
    for family, rows in times.items():
        sizes, *seconds = zip(*rows, strict=True)
        figures = " | ".join([f"{median(spent):.3f} | {max(spent):.2f}" for spent in seconds])
        print(f"| {family} | {len(rows)} | {median(sizes):g} | {figures} |")
    solver.stdin.close()
    solver.wait()
    return code


if __name__ == "__main__":
    sys.exit(main())
