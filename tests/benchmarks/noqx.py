"""Ours beside noqx on the same puzzles: python tests/benchmarks/noqx.py CHECKOUT [--data DIR] [--most 12]

Both read each puzzle, by their own specs and encodings, and look for two solutions; clingo is loaded, and so are the
modules of both. A question has a process of its own, forked; its time is that of the processor, of what is short the
least of three. The exit status is 1
if one of them does not find what the other does.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import clingo  # noqa: E402, F401 - both need it, and the clock is not for imports

import csp.engine.search.learner  # noqa: E402, F401
import dsl  # noqa: E402
from csp import Model  # noqa: E402
from csp.engine.compiled.propagators import MAKERS, maker  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from tests.benchmarks.halves import answer, least, record_model  # noqa: E402
from tests.verdicts import records  # noqa: E402

Rows = list[list[str]]
Asked = tuple[str, str, Callable[[], Model], Callable[[Any], None]]

FILES = {
    "slitherlink": "more/slitherlink.jsonl", "hitori": "more/hitori.jsonl", "nurikabe": "more/nurikabe.jsonl",
    "starbattle": "more/starbattle.jsonl", "ripple": "more/hakyuu.jsonl", "kenken": "variants/kenken_janko.jsonl",
    "suguru": "variants/suguru_janko.jsonl", "skyscrapers": "variants/skyscrapers_janko.jsonl",
    "sudoku": "sudoku9/norvig_top95.txt",
}  # fmt: skip
"""The puzzles of each encoding of noqx."""

OURS = {"starbattle": "star_battle", "ripple": "hakyuu"}
"""The example of the gallery, where its name is another one."""

SIGNS = {"=": "", "?": ""}
"""What follows the number of a cage for noqx, where it is not the sign."""


def puzzles(data: Path, most: int) -> Iterator[Asked]:
    """The genre, the name, what makes our model, and what fills in the puzzle of noqx."""
    for genre, file in FILES.items():
        found = [one for one in records(data / "measure" / file) if not one.get("diagonals") and not one.get("zero")]
        found = [one for one in found if "@" not in one.get("problem", "")]  # a square that is not there
        for record in islice(found, most):
            if "problem" in record:
                first, *rows = [line.split() for line in record["problem"].splitlines()]
                yield genre, record["id"], *_piece(genre, [int(one) for one in first], rows)
            else:
                yield genre, str(record["id"]), lambda record=record: record_model(record), _filler(genre, record)  # type: ignore[misc]


def _piece(genre: str, sizes: list[int], rows: Rows) -> tuple[Callable[[], Model], Callable[[Any], None]]:
    many = sizes[0]
    rooms = rows[-many:] if genre in ("starbattle", "ripple") else []
    clues = rows[:many] if genre != "starbattle" else []
    grids = {name: _picture(some) for name, some in (("room", rooms), ("clue", clues)) if some}
    text = example(OURS.get(genre, genre))
    sides = {"rows": many, "cols": sizes[1]} if "param rows" in text else {"n": many}
    stars = {"stars": sizes[2]} if genre == "starbattle" else {}

    def fill(puzzle: Any) -> None:
        _fill(puzzle, clues or [["-"] * many] * many, rooms)
        puzzle.param.update({name: str(number) for name, number in stars.items()})

    return lambda: dsl.loads(text, {**sides, **stars}, grids), fill


def _filler(genre: str, record: dict[str, Any]) -> Callable[[Any], None]:
    def fill(puzzle: Any) -> None:
        text, n = record.get("text", ""), record.get("n", 9)
        clues = record.get("grid") or [list(text[i : i + n]) or ["-"] * n for i in range(0, n * n, n)]
        cages = {(r, c): i for i, cage in enumerate(record.get("cages", [])) for r, c in cage["cells"]}
        _fill(
            puzzle, clues, [[cages[r, c] for c in range(n)] for r in range(n)] if cages else record.get("regions", [])
        )
        for cage in record.get("cages", []):
            told = f"{cage['target']}{SIGNS.get(cage['op'], cage['op'])}"
            puzzle.text[(*cage["cells"][0], "center", "corner_top_left")] = int(told) if told.isdigit() else told
        sides = {"top": (-1, None), "bottom": (n, None), "left": (None, -1), "right": (None, n)}
        for side, (row, column) in sides.items() if genre == "skyscrapers" else ():
            for i, seen in enumerate(record[side]):
                if seen:
                    at = i if row is None else row, i if column is None else column
                    puzzle.text[(*at, "center", "normal")] = seen

    return fill


def _fill(puzzle: Any, clues: list[list[Any]], rooms: list[list[Any]]) -> None:
    puzzle.row, puzzle.col = len(clues), len(clues[0])
    for r, c in product(range(puzzle.row), range(puzzle.col)):
        if str(clues[r][c]) not in ("-", ".", "0", "None") or (
            puzzle.puzzle_name == "slitherlink" and clues[r][c] == "0"
        ):
            puzzle.text[r, c, "center", "normal"] = int(clues[r][c])
        if rooms and r and rooms[r][c] != rooms[r - 1][c]:
            puzzle.edge[r, c, "top", "normal"] = True
        if rooms and c and rooms[r][c] != rooms[r][c - 1]:
            puzzle.edge[r, c, "left", "normal"] = True
    for r in range(puzzle.row) if rooms else ():
        puzzle.edge[r, 0, "left", "normal"] = puzzle.edge[r, puzzle.col, "left", "normal"] = True
    for c in range(puzzle.col) if rooms else ():
        puzzle.edge[0, c, "top", "normal"] = puzzle.edge[puzzle.row, c, "top", "normal"] = True


def _picture(rows: Rows) -> str:
    return "\n".join(" ".join("." if token == "-" else token for token in row) for row in rows)


def own(load: Callable[[], Model]) -> str:
    return answer(load(), "auto", False)


def noqx(genre: str, fill: Callable[[Any], None]) -> str:
    """How many solutions there are, up to two, by the other's encoding and settings."""
    from noqx.clingo import ClingoSolver, Config
    from noqx.manager import modules
    from noqx.puzzle import Puzzle

    known = modules[genre].parameters
    puzzle = Puzzle(genre, "", {name: one["default"] for name, one in known.items()})
    puzzle.problem = defaultdict(list)  # what the drawing has besides
    fill(puzzle)
    Config.max_solutions_to_find, Config.time_limit = 2, 600
    solver = ClingoSolver()
    solver.solve(modules[genre].solve(puzzle))
    return str(len(solver.solution()))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--most", type=int, default=12, help="puzzles of a genre")
    parser.add_argument("--only", default="", help="genres, with commas")
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    sys.path.insert(0, str(options.checkout))
    from noqx.manager import load_solver

    for genre in FILES:
        load_solver("solver", genre)
    own(lambda: dsl.loads("A in 1..2."))
    for name in MAKERS.values():
        maker(name)
    times: dict[str, list[tuple[float, float]]] = {}
    code = 0
    for genre, name, load, fill in puzzles(options.data, options.most):
        if options.only and genre not in options.only.split(","):
            continue
        ways = partial(own, load), partial(noqx, genre, fill)
        (ours, found), (theirs, told) = [least(one, options.seconds) for one in ways]
        times.setdefault(genre, []).append((ours, theirs))
        code |= int(found != told)
        print(f"{genre} {name}: ours {ours:.3f} noqx {theirs:.3f} ratio {ours / theirs:.2f} {found} {told}", flush=True)
    times["all"] = [one for some in times.values() for one in some]
    print(
        "| genre | puzzles | ours, median s | slowest | noqx, median s | slowest | median ratio | most |\n"
        + "|---" * 8
        + "|"
    )
    for genre, some in times.items():
        mine, other = zip(*some, strict=True)
        ratios = [one / two for one, two in some]
        seconds = f"{median(mine):.2f} | {max(mine):.2f} | {median(other):.2f} | {max(other):.2f}"
        print(f"| {genre} | {len(some)} | {seconds} | {median(ratios):.2f} | {max(ratios):.2f} |")
    return code


if __name__ == "__main__":
    sys.exit(main())
