"""Published puzzles of more families: python tests/benchmarks/published.py [--data DIR] [--only hitori,...]

Links to f-puzzles are imported; puzzles of seventeen families are filled into a spec of the gallery. Each is solved,
and its one solution compared with the published one; its time is the processor's, from the text to the proof that there
is no other. The exit status is 1 if an answer is wrong.
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
from docs.make_gallery import lines  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.puzzles.links.dispatch import spec_of_link  # noqa: E402
from dsl.syntax.errors import Diagnostic  # noqa: E402
from dsl.syntax.nodes import Place  # noqa: E402
from tests.checkers import boxes, different  # noqa: E402
from tests.verdicts import records  # noqa: E402

Rows = list[list[str]]
Filled = tuple[str, dict[str, Any], dict[str, str], dict[str, list[Any]]]
"""A spec, with params, grids and facts."""

MARGIN = """include sudoku. include outside.
"margin {A},{B}": sum(cell(R, C) : seen(A, B, K, R, C), K <= 3) = V :- margin(A, B, V).
"""
CONSECUTIVE = "include {}.\ninclude dots.\ninclude nonconsecutive.\n"
SKYSCRAPERS = "include sudoku.\ninclude towers.\nshow cell.\n"
RENBAN = "include latin.\ninclude renbans.\n"
SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}


def picture(rows: Rows) -> str:
    return "\n".join(" ".join("." if token == "-" else token for token in row) for row in rows)


def numbered(row: list[str]) -> Iterator[tuple[int, int]]:
    return ((i, int(token)) for i, token in enumerate(row, 1) if token != "-")


def edges(n: int, four: Rows) -> list[tuple[int, int, int]]:
    """What is seen from above, below, left and right."""
    sides = [lambda i: (0, i), lambda i: (n + 1, i), lambda i: (i, 0), lambda i: (i, n + 1)]
    return [(*side(i), v) for side, row in zip(sides, four, strict=True) for i, v in numbered(row)]  # type: ignore[misc]


def sized(n: int) -> dict[str, int]:
    """The sides of a sudoku's boxes, the flat ones."""
    high = next(h for h in range(int(n**0.5), 0, -1) if n % h == 0)
    return {"rows": high, "cols": n // high}


def has_boxes(known: Rows) -> bool:
    """Whether the boxes of a published solution have each number once; some of these sudokus have none."""
    n = len(known)
    if any(len(row) != n or not "".join(row).isdigit() for row in known):
        return False
    own = boxes([[int(v) for v in row] for row in known], *sized(n).values())
    return all(map(different, own))


def filled(family: str, head: list[str], rows: Rows, boxed: bool) -> Filled:
    """How a record of a family stands in a spec."""
    n, m = int(head[0]), int(head[1])
    sides = {"rows": n, "cols": m}
    match family:
        case "hitori" | "hidoku":
            return example(family), {"n": n}, {"clue": picture(rows)}, {}
        case "nurikabe" | "slitherlink":
            return example(family), sides, {"clue": picture(rows)}, {}
        case "hakyuu":
            return example(family), sides, {"clue": picture(rows[:n]), "room": picture(rows[n:])}, {}
        case "starbattle":
            return (
                example("star_battle"),
                {**sides, "stars": int(head[2])},
                {"room": picture(rows).replace("@", ".")},
                {},
            )
        case "binairo":
            ones = [[{"1": "0", "2": "1"}.get(token, token) for token in row] for row in rows]
            text = "\n".join(
                one for one in example(family).split("\n") if not one.startswith(('"rows {R}', '"columns {C}'))
            )
            return text, {"n": n}, {"clue": picture(ones)}, {}  # all twelve are published with rows or columns alike
        case "dominos":
            most = max(int(token) for row in rows for token in row)
            return example("dominosa"), {**sides, "most": most}, {"number": picture(rows)}, {}
        case "doppelblock":
            return example(family), {"n": n}, {}, {"down": [*numbered(rows[0])], "across": [*numbered(rows[1])]}
        case "nonogram":
            told = {"across": rows[m:], "down": rows[:m]}
            most = {name: max(map(len, of)) for name, of in told.items()}
            lengths = {
                name: picture([[*("-" if v == "0" else v for v in row), *"-" * (most[name] - len(row))] for row in of])
                for name, of in told.items()
            }
            return example(family), {**sides, **{f"{name}_most": many for name, many in most.items()}}, lengths, {}
        case "str8t":
            black = [["#" if v == "x" else v[:-1] if v.endswith("x") else "-" for v in row] for row in rows]
            clue = [["-" if v.endswith("x") else v for v in row] for row in rows]
            return example("str8ts"), {"n": n}, {"black": picture(black), "clue": picture(clue)}, {}
        case "mathrax":
            signs = []
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    if v in ("e", "o"):
                        signs.append((r, c, {"e": "even", "o": "odd"}[v], 0))
                    elif v != "-":
                        number = v.rstrip("+-*/")
                        signs.append((r, c, SIGNS[v[len(number) :] or "="], int(number)))
            return example(family), {"n": n}, {"clue": picture(rows[:n])}, {"sign": signs}
        case "consecutivesudoku":
            dots = []
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    dots += [(r, c, r, c + 1, "white", 1)] * (int(v) & 1) + [(r, c, r + 1, c, "white", 1)] * (
                        int(v) >> 1 & 1
                    )
            sides, rules = (sized(n), "sudoku") if boxed else ({"n": n}, "latin")
            return CONSECUTIVE.format(rules), sides, {"clue": picture(rows[:n])}, {"dot": dots}
        case "marginsudoku":
            return MARGIN, sized(n), {"clue": picture(rows[4:])}, {"margin": edges(n, rows[:4])}
        case "skyscrapersudoku":
            return SKYSCRAPERS, sized(n), {"clue": picture(rows[4:])}, {"skyscraper": edges(n, rows[:4])}
        case "renban":
            regions: dict[str, list[tuple[int, int]]] = {}
            for r, row in enumerate(rows[n:], 1):
                for c, v in enumerate(row, 1):
                    regions.setdefault(v, []).append((r, c))
            own = [(int(v), k, *at) for v, places in regions.items() for k, at in enumerate(places, 1)]
            return RENBAN, {"n": n}, {"clue": picture(rows[:n])}, {"renban": own}
        case "abcendview":
            letters = "abcdefgh"[: "abcdefgh".index(head[2]) + 1]
            seen = [[str("abcdefgh".index(v) + 1) if v != "-" else v for v in row] for row in rows[:4]]
            clues = [(a, b, letters[v - 1]) for a, b, v in edges(n, seen)]
            return example("abc_end_view"), {"n": n}, {}, {"clue": clues, "letter": [*letters]}
    raise ValueError(family)


def imported(link: str) -> Filled:
    return spec_of_link(link, Place(1, 1)), {}, {}, {}


def cells(solution: Solution) -> Rows:
    """The values of the family that is a board, row by row."""
    families = {v.family for v in solution}
    name = next(name for name in ("cell", "shaded", "star", "land", "inside") if name in families)
    own = {v.indices: str(value) for v, value in solution.items() if v.family == name}
    sides = [sorted({at[axis] for at in own}) for axis in (0, 1)]
    return [[own.get((r, c), "-") for c in sides[1]] for r in sides[0]]


def agrees(family: str, rows: Rows, known: Rows) -> bool:
    """Whether the answer is the published one, in the way in which that is written."""
    x = lambda shaded: [["x" if v == shaded else "-" for v in row] for row in rows]  # noqa: E731
    match family:
        case "hitori":
            return x("1") == known or x("0") == known
        case "nonogram" | "starbattle":
            return x("1") == known
        case "slitherlink":
            return x("1") == known or [row[1:-1] for row in x("1")[1:-1]] == known
        case "nurikabe":
            return x("0") == known
        case "binairo":
            return [[{"0": "1", "1": "2"}[v] for v in row] for row in rows] == known
        case "doppelblock":
            return [["x" if v == "0" else v for v in row] for row in rows] == known
        case "abcendview":
            return [["-" if v == "." else v for v in row] for row in rows] == known
        case "dominos":
            step = {"→": (0, 1), "←": (0, -1), "↓": (1, 0), "↑": (-1, 0)}
            places = ((r, c, *step[v]) for r, row in enumerate(rows) for c, v in enumerate(row))
            return all(known[r][c] == known[r + i][c + j] for r, c, i, j in places)
        case "str8t":
            return all(
                v in ("-", w) or w == "-" for a, b in zip(rows, known, strict=True) for v, w in zip(a, b, strict=True)
            )
    return rows == known


def asked(data: Path) -> Iterator[tuple[str, str, Callable[[], Filled], Rows]]:
    """The family, the name, what makes the spec, and the published solution."""
    for record in records(data / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl"):
        n = record["size"]
        known = [list(record["solution"][i : i + n]) for i in range(0, n * n, n)]
        yield "f-puzzles", record["title"], partial(imported, record["link"]), known
    for path in sorted((data / "measure" / "more").glob("*.jsonl")):
        for record in records(path):
            head, *rows = [line.split() for line in record["problem"].splitlines()]
            known = [line.split() for line in record["solution"].splitlines()][1:]
            yield path.stem, record["id"], partial(filled, path.stem, head, rows, has_boxes(known)), known


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="families, with commas")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    found: dict[str, list[tuple[int, float, str]]] = {}
    for family, name, make, known in asked(options.data):
        if options.only and family not in options.only.split(","):
            continue
        began, settings, length = process_time(), Settings(seconds=options.seconds), 0
        try:
            text, params, grids, facts = make()
            length = lines(text)
            model = dsl.loads(text, params, grids, facts=facts)
            answers = Solver(model, settings=settings).solutions()
            own = list(islice(answers, 2))
            if answers.stopped:
                raise Stopped(answers.stopped)
            outcome = "same" if len(own) == 1 and agrees(family, cells(own[0]), known) else f"wrong: {len(own)} found"
        except (Stopped, Diagnostic, dsl.SpecError) as error:
            outcome = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        seconds = process_time() - began
        found.setdefault(family, []).append((length, seconds, outcome))
        if outcome != "same":
            print(f"{family} {name}: {outcome}", flush=True)
    print("| family | puzzles | same and unique | lines | median s | slowest s |\n|---|---|---|---|---|---|")
    for family, some in found.items():
        times = [seconds for _, seconds, outcome in some if outcome == "same"] or [float("nan")]
        count = sum(outcome == "same" for *_, outcome in some)
        size = f"{median(length for length, *_ in some):g}"
        print(f"| {family} | {len(some)} | {count} | {size} | {median(times):.2f} | {max(times):.2f} |")
    return int(any(outcome.startswith("wrong") for some in found.values() for *_, outcome in some))


if __name__ == "__main__":
    sys.exit(main())
