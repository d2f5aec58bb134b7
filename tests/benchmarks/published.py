"""Compare solutions of seventeen families and of f-puzzles with the published ones.

    python tests/benchmarks/published.py [--data DIR] [--only hitori,...] [--seconds 60]

The script imports links to f-puzzles and fills the puzzles of the other families into specs of the gallery. It solves
each puzzle and proves that the solution is unique. Times are processor seconds from the text to the proof. The exit
status is 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Settings, Solution, Solver, Stopped  # noqa: E402
from docs.make_gallery import count_lines  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.puzzles.links.dispatch import spec_of_link  # noqa: E402
from dsl.syntax.errors import Diagnostic  # noqa: E402
from dsl.syntax.nodes import Place  # noqa: E402
from tests.checkers import boxes, different  # noqa: E402
from tests.verdicts import records  # noqa: E402

Rows = list[list[str]]
Filling = tuple[str, dict[str, Any], dict[str, str], dict[str, list[Any]]]
"""The spec, its params, its grids and its facts."""

MARGIN = """include sudoku. include outside.
"margin {A},{B}": sum(cell(R, C) : seen(A, B, K, R, C), K <= 3) = V :- margin(A, B, V).
"""
CONSECUTIVE = "include {}.\ninclude dots.\ninclude nonconsecutive.\n"
SKYSCRAPERS = "include sudoku.\ninclude towers.\nshow cell.\n"
RENBAN = "include latin.\ninclude renbans.\n"
SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}


def draw_grid(rows: Rows) -> str:
    """Return the rows as the text of a grid, with "." for blanks."""
    return "\n".join(" ".join("." if token == "-" else token for token in row) for row in rows)


def number_tokens(row: list[str]) -> Iterator[tuple[int, int]]:
    """Return the position and the value of each number in a row."""
    return ((i, int(token)) for i, token in enumerate(row, 1) if token != "-")


def place_outside(n: int, rows: Rows) -> list[tuple[int, int, int]]:
    """Return the places and values of the numbers above, below, left and right of the board."""
    sides = [lambda i: (0, i), lambda i: (n + 1, i), lambda i: (i, 0), lambda i: (i, n + 1)]
    return [(*side(i), v) for side, row in zip(sides, rows, strict=True) for i, v in number_tokens(row)]  # type: ignore[misc]


def find_box(n: int) -> dict[str, int]:
    """Return the sides of the boxes of a sudoku, which are at least as wide as high."""
    height = next(h for h in range(int(n**0.5), 0, -1) if n % h == 0)
    return {"rows": height, "cols": n // height}


def has_boxes(solution: Rows) -> bool:
    """Return whether each box of a solution has every number once; some of these sudokus lack boxes."""
    n = len(solution)
    if any(len(row) != n or not "".join(row).isdigit() for row in solution):
        return False
    return all(map(different, boxes([[int(v) for v in row] for row in solution], *find_box(n).values())))


def fill(family: str, head: list[str], rows: Rows, is_boxed: bool) -> Filling:
    """Return the spec of a record and its data."""
    n, m = int(head[0]), int(head[1])
    sides = {"rows": n, "cols": m}
    match family:
        case "hitori" | "hidoku":
            return example(family), {"n": n}, {"clue": draw_grid(rows)}, {}
        case "nurikabe" | "slitherlink":
            return example(family), sides, {"clue": draw_grid(rows)}, {}
        case "hakyuu":
            return example(family), sides, {"clue": draw_grid(rows[:n]), "room": draw_grid(rows[n:])}, {}
        case "starbattle":
            return (
                example("star_battle"),
                {**sides, "stars": int(head[2])},
                {"room": draw_grid(rows).replace("@", ".")},
                {},
            )
        case "binairo":
            # All twelve published solutions have equal rows or columns.
            ones = [[{"1": "0", "2": "1"}.get(token, token) for token in row] for row in rows]
            rules = example(family).split("\n")
            text = "\n".join(line for line in rules if not line.startswith(('"rows {R}', '"columns {C}')))
            return text, {"n": n}, {"clue": draw_grid(ones)}, {}
        case "dominos":
            maximum = max(int(token) for row in rows for token in row)
            return example("dominosa"), {**sides, "most": maximum}, {"number": draw_grid(rows)}, {}
        case "doppelblock":
            down, across = ([*number_tokens(row)] for row in rows[:2])
            return example(family), {"n": n}, {}, {"down": down, "across": across}
        case "nonogram":
            lengths, limits = {}, {}
            for name, lists in (("across", rows[m:]), ("down", rows[:m])):
                limits[f"{name}_most"] = longest = max(map(len, lists))
                blocks = [["-" if v == "0" else v for v in row] + ["-"] * (longest - len(row)) for row in lists]
                lengths[name] = draw_grid(blocks)
            return example(family), {**sides, **limits}, lengths, {}
        case "str8t":
            black = [["#" if v == "x" else v[:-1] if v.endswith("x") else "-" for v in row] for row in rows]
            clue = [["-" if v.endswith("x") else v for v in row] for row in rows]
            return example("str8ts"), {"n": n}, {"black": draw_grid(black), "clue": draw_grid(clue)}, {}
        case "mathrax":
            signs = []
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    if v in ("e", "o"):
                        signs.append((r, c, {"e": "even", "o": "odd"}[v], 0))
                    elif v != "-":
                        number = v.rstrip("+-*/")
                        signs.append((r, c, SIGNS[v[len(number) :] or "="], int(number)))
            return example(family), {"n": n}, {"clue": draw_grid(rows[:n])}, {"sign": signs}
        case "consecutivesudoku":
            dots = []
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    dots += [(r, c, r, c + 1, "white", 1)] * (int(v) & 1) + [(r, c, r + 1, c, "white", 1)] * (
                        int(v) >> 1 & 1
                    )
            sides, rules = (find_box(n), "sudoku") if is_boxed else ({"n": n}, "latin")
            return CONSECUTIVE.format(rules), sides, {"clue": draw_grid(rows[:n])}, {"dot": dots}
        case "marginsudoku":
            return MARGIN, find_box(n), {"clue": draw_grid(rows[4:])}, {"margin": place_outside(n, rows[:4])}
        case "skyscrapersudoku":
            return SKYSCRAPERS, find_box(n), {"clue": draw_grid(rows[4:])}, {"skyscraper": place_outside(n, rows[:4])}
        case "renban":
            regions: dict[str, list[tuple[int, int]]] = {}
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    regions.setdefault(v, []).append((r, c))
            cells = [(int(v), k, *place) for v, places in regions.items() for k, place in enumerate(places, 1)]
            return RENBAN, {"n": n}, {"clue": draw_grid(rows[:n])}, {"renban": cells}
        case "abcendview":
            letters = "abcdefgh"[: "abcdefgh".index(head[2]) + 1]
            numbers = [[str("abcdefgh".index(v) + 1) if v != "-" else v for v in row] for row in rows[:4]]
            clues = [(a, b, letters[v - 1]) for a, b, v in place_outside(n, numbers)]
            return example("abc_end_view"), {"n": n}, {}, {"clue": clues, "letter": [*letters]}
    raise ValueError(family)


def import_link(link: str) -> Filling:
    """Return the spec of a link to f-puzzles."""
    return spec_of_link(link, Place(1, 1)), {}, {}, {}


def list_cells(solution: Solution) -> Rows:
    """Return the values of the board, row by row."""
    families = {v.family for v in solution}
    name = next(name for name in ("cell", "shaded", "star", "land", "inside") if name in families)
    values = {v.indices: str(value) for v, value in solution.items() if v.family == name}
    sides = [sorted({place[axis] for place in values}) for axis in (0, 1)]
    return [[values.get((r, c), "-") for c in sides[1]] for r in sides[0]]


def is_published(family: str, rows: Rows, published: Rows) -> bool:
    """Return whether an answer is the published solution in the notation of its family."""
    mark = lambda shaded: [["x" if v == shaded else "-" for v in row] for row in rows]  # noqa: E731
    match family:
        case "hitori":
            return mark("1") == published or mark("0") == published
        case "nonogram" | "starbattle":
            return mark("1") == published
        case "slitherlink":
            return mark("1") == published or [row[1:-1] for row in mark("1")[1:-1]] == published
        case "nurikabe":
            return mark("0") == published
        case "binairo":
            return [[{"0": "1", "1": "2"}[v] for v in row] for row in rows] == published
        case "doppelblock":
            return [["x" if v == "0" else v for v in row] for row in rows] == published
        case "abcendview":
            return [["-" if v == "." else v for v in row] for row in rows] == published
        case "dominos":
            step = {"→": (0, 1), "←": (0, -1), "↓": (1, 0), "↑": (-1, 0)}
            places = ((r, c, *step[v]) for r, row in enumerate(rows) for c, v in enumerate(row))
            return all(published[r][c] == published[r + i][c + j] for r, c, i, j in places)
        case "str8t":
            pairs = (pair for both in zip(rows, published, strict=True) for pair in zip(*both, strict=True))
            return all(v in ("-", w) or w == "-" for v, w in pairs)
    return rows == published


def read_puzzles(data: Path) -> Iterator[tuple[str, str, Callable[[], Filling], Rows]]:
    """Yield the family, the name, a function that returns the spec, and the published solution."""
    for record in records(data / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl"):
        n = record["size"]
        published = [list(record["solution"][i : i + n]) for i in range(0, n * n, n)]
        yield "f-puzzles", record["title"], partial(import_link, record["link"]), published
    for path in sorted((data / "measure" / "more").glob("*.jsonl")):
        for record in records(path):
            head, *rows = [line.split() for line in record["problem"].splitlines()]
            published = [line.split() for line in record["solution"].splitlines()][1:]
            yield path.stem, record["id"], partial(fill, path.stem, head, rows, has_boxes(published)), published


def main() -> int:
    """Solve the puzzles and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="families, with commas")
    parser.add_argument("--seconds", type=float, default=60, help="limit for each puzzle")
    options = parser.parse_args()
    results: dict[str, list[tuple[int, float, str]]] = {}
    for family, name, make, published in read_puzzles(options.data):
        if options.only and family not in options.only.split(","):
            continue
        began, settings, length = process_time(), Settings(seconds=options.seconds), 0
        try:
            text, params, grids, facts = make()
            length = count_lines(text)
            model = dsl.loads(text, params, grids, facts=facts)
            answers = Solver(model, settings=settings).solutions()
            solutions = list(islice(answers, 2))
            if answers.stopped:
                raise Stopped(answers.stopped)
            is_same = len(solutions) == 1 and is_published(family, list_cells(solutions[0]), published)
            outcome = "same" if is_same else f"wrong: {len(solutions)} found"
        except (Stopped, Diagnostic, dsl.SpecError) as error:
            outcome = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        seconds = process_time() - began
        results.setdefault(family, []).append((length, seconds, outcome))
        if outcome != "same":
            print(f"{family} {name}: {outcome}", flush=True)
    print("| family | puzzles | same and unique | lines | median s | slowest s |\n|---|---|---|---|---|---|")
    for family, rows in results.items():
        times = [seconds for _, seconds, outcome in rows if outcome == "same"] or [float("nan")]
        count = sum(outcome == "same" for *_, outcome in rows)
        size = f"{median(length for length, *_ in rows):g}"
        print(f"| {family} | {len(rows)} | {count} | {size} | {median(times):.2f} | {max(times):.2f} |")
    return int(any(outcome.startswith("wrong") for rows in results.values() for *_, outcome in rows))


if __name__ == "__main__":
    sys.exit(main())
