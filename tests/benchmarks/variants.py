"""Sudoku variants beside the Interactive Sudoku Solver: python tests/benchmarks/variants.py CHECKOUT [--data DIR]

Links to f-puzzles and other families' puzzles are written in its own text where it knows what they say; both solve each
of them and prove that there is no other solution. Times are the processor's, from the text to the proof, the least of
two in one process, so that neither pays for its start. The exit status is 1 if an answer is not the published one.
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

import csp.engine.search.learner  # noqa: E402, F401 - the clock is not for imports
import dsl  # noqa: E402
from csp import Settings, Solver  # noqa: E402
from docs.make_gallery import lines  # noqa: E402
from dsl.puzzles.convert import puzzles  # noqa: E402
from dsl.puzzles.links.dispatch import spec_of_link  # noqa: E402
from dsl.puzzles.links.packing import decompress  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402
from dsl.syntax.nodes import Place  # noqa: E402
from tests.benchmarks.published import cells  # noqa: E402
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
SAID_OTHERWISE = {"size", "grid", "negative", "nonconsecutive"}
DRAWN = {"title", "author", "ruleset", "solution", "line", "text", "cage", "circle", "rectangle", "highlightConflicts"}
FAMILIES = {"killer": "killer_janko", "jigsaw": "jigsaw_janko", "skyscrapers": "skyscrapers_janko"}


class Unknown(Exception):
    """Something that the other's text does not say."""


def at(row: int, column: int) -> str:
    return f"R{row + 1}C{column + 1}"


def givens(grid: list[list[Any]]) -> list[str]:
    return [f"~{at(r, c)}_{v}" for r, row in enumerate(grid) for c, v in enumerate(row) if v]


def layout(regions: list[list[Any]]) -> str:
    names = [*dict.fromkeys(name for row in regions for name in row)]
    return "Jigsaw~" + "".join(str(names.index(name)) for row in regions for name in row)


def in_its_text(fields: Fields) -> str:
    """A puzzle of f-puzzles."""
    n = fields["size"]
    said = [f"Shape~{n}x{n}", *givens([[cell.get("value") for cell in row] for row in fields["grid"]])]
    high = next(h for h in range(int(n**0.5), 0, -1) if n % h == 0)
    own = [[r // high * high + c // (n // high) for c in range(n)] for r in range(n)]
    regions = [[cell.get("region", own[r][c]) for c, cell in enumerate(row)] for r, row in enumerate(fields["grid"])]
    if regions != own:
        said += ["NoBoxes", layout(regions)]
    for key, value in fields.items():
        if key in FLAGS and value:
            said.append(FLAGS[key])
        elif value and key not in SAID_OTHERWISE | DRAWN:
            said += [one for entry in value for one in of_entry(key, entry, value, n)]
    return "." + ".".join([*said, *of_negatives(fields)])


def of_negatives(fields: Fields) -> list[str]:
    missing, consecutive = {*fields.get("negative", [])}, fields.get("nonconsecutive")
    said = ["StrictXV"] * ("xv" in missing)
    if "ratio" in missing and consecutive:
        return [*said, "StrictKropki"]
    if "ratio" in missing or (consecutive and fields.get("difference")):
        raise Unknown("one of the negative constraints of dots alone")
    return [*said, *["AntiConsecutive"] * bool(consecutive)]


def of_entry(key: str, entry: Fields, alike: list[Fields], n: int) -> Iterator[str]:
    own = entry.get("cells", [])
    value = str(entry.get("value", ""))
    if key in LINES:
        yield from ("~".join([LINES[key], *line]) for line in entry["lines"])
    elif key in PAIRS:
        if value not in PAIRS[key]:
            raise Unknown(f"{key} of {value}")
        yield "~".join([PAIRS[key][value], *own])
    elif key in PARITY:
        yield "~" + "_".join([entry["cell"], *[str(v) for v in range(1, n + 1) if v % 2 == PARITY[key]]])
    elif key == "killercage":
        yield "~".join(["Cage", value or "0", *own])
    elif key == "arrow":
        kind = ["Arrow"] if len(own) == 1 else ["PillArrow", str(len(own))]
        yield from ("~".join([*kind, *own, *[one for one in line if one not in own]]) for line in entry["lines"])
    elif key == "clone":
        yield from (f"SameValues~2~{one}~{other}" for one, other in zip(own, entry["cloneCells"], strict=True))
    elif key in ("maximum", "minimum"):
        r, c = map(int, re.findall(r"\d+", entry["cell"]))
        beside = [(r + i, c + j) for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        near = [f"R{i}C{j}" for i, j in beside if 1 <= i <= n and 1 <= j <= n]
        near = [one for one in near if one not in [other["cell"] for other in alike]]
        yield from (
            f"GreaterThan~{entry['cell']}~{one}" if key == "maximum" else f"GreaterThan~{one}~{entry['cell']}"
            for one in near
        )
    elif key == "quadruple":
        yield "~".join(["Quad", min(own), *map(str, entry["values"])])
    elif key == "littlekillersum":
        if value:
            yield "~".join(["Sum", value, *own])
    elif key == "sandwichsum":
        if value:
            yield f"Sandwich~{value}~{edge(entry['cell'], n)[0]}"
    elif key == "skyscraper":
        line, is_first = edge(entry["cell"], n)
        yield f"Skyscraper~{line}~{value}" if is_first else f"Skyscraper~{line}~~{value}"
    elif key == "columnindexer":
        yield "~".join(["Indexing", "C", *own])
    else:
        raise Unknown(key)


def edge(cell: str, n: int) -> tuple[str, bool]:
    """The line beside a cell outside, and whether it is seen from its beginning."""
    r, c = map(int, re.findall(r"\d+", cell))
    return (f"C{c}", r == 0) if r in (0, n + 1) else (f"R{r}", c == 0)


def of_record(family: str, record: Fields) -> str:
    n = record["n"]
    said = [f"Shape~{n}x{n}", *givens(record.get("grid", []))]
    said += [
        "~".join(["Cage", str(one["sum"]), *[at(*cell) for cell in one["cells"]]]) for one in record.get("cages", [])
    ]
    if family == "jigsaw":
        said += ["NoBoxes", layout(record["regions"])]
    if family == "skyscrapers":
        said.append("NoBoxes")
        for line, first, last in (("C", "top", "bottom"), ("R", "left", "right")):
            for i, (a, b) in enumerate(zip(record[first], record[last], strict=True), 1):
                said += [f"Skyscraper~{line}{i}~{a or ''}~{b or ''}"] * bool(a or b)
    return "." + ".".join(said)


def asked(data: Path, most: int) -> Iterator[tuple[str, str, str, Callable[[], str], str]]:
    """The family, the name, our spec, what makes the other's text, and the published solution."""
    for record in records(data / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl"):
        fields = json.loads(decompress(unquote(re.search(r"load=([^&#]+)", record["link"])[1])))  # type: ignore[index]
        spec = spec_of_link(record["link"], Place(1, 1))
        yield "f-puzzles", record["title"], spec, lambda fields=fields: in_its_text(fields), record["solution"]  # type: ignore[misc]
    for family, file in FAMILIES.items():
        own = (one for one in records(data / "measure" / "variants" / f"{file}.jsonl") if 6 <= one["n"] <= 9)
        plain = (one for one in own if not one.get("diagonals") and not one.get("zero"))
        for record in islice(plain, most):
            (puzzle,) = puzzles(Source("record", json.dumps(record)))
            solution = "".join(str(v) for row in record["solution"] for v in row)
            yield family, record["id"], puzzle.spec(), lambda f=family, one=record: of_record(f, one), solution  # type: ignore[misc]


def ours(spec: str, seconds: float) -> tuple[float, str]:
    began = process_time()
    answers = Solver(dsl.loads(spec), settings=Settings(seconds=seconds)).solutions()
    own = list(islice(answers, 2))
    took = process_time() - began
    told = answers.stopped or ("none", "one", "several")[len(own)]
    return took, "".join(map("".join, cells(own[0]))) if told == "one" else str(told)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--most", type=int, default=12, help="puzzles of a family, beside those of f-puzzles")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    other = subprocess.Popen(
        ["node", Path(__file__).parent / "peer" / "variants.mjs", options.checkout],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    assert other.stdin and other.stdout
    times: dict[str, list[tuple[int, float, float]]] = {}
    code = 0
    for family, name, spec, make, solution in asked(options.data, options.most):
        try:
            text = make()
        except Unknown as what:
            print(f"{family} {name}: not asked, {what}", flush=True)
            continue
        both = []
        for _ in range(2):
            other.stdin.write(f"{text}\n")
            took, _, told = other.stdout.readline().strip().partition(" ")
            both.append((*ours(spec, options.seconds), float(took), told))
        mine, found, its, told = min(one[0] for one in both), both[0][1], min(one[2] for one in both), both[0][3]
        if found != solution or told != solution:
            code = 1
            print(f"{family} {name}: published {solution}, ours {found}, theirs {told}", flush=True)
        print(f"{family} {name}: ours {mine:.3f} theirs {its:.3f}", flush=True)
        times.setdefault(family, []).append((lines(spec), mine, its))
    print("| family | puzzles | lines | ours, median s | slowest | theirs, median s | slowest |\n" + "|---" * 7 + "|")
    for family, some in times.items():
        sizes, own, its = zip(*some, strict=True)
        figures = f"{median(own):.3f} | {max(own):.2f} | {median(its):.3f} | {max(its):.2f}"
        print(f"| {family} | {len(some)} | {median(sizes):g} | {figures} |")
    other.stdin.close()
    other.wait()
    return code


if __name__ == "__main__":
    sys.exit(main())
